// Authentication by the session cookie of the dashboard. A session acts as the API key that it was opened with. A change needs the CSRF
// token as well: another origin of the same host (another port) has the cookie sent along, but cannot read the token.
import type { FastifyRequest } from 'fastify';
import type { Engine, SessionFound } from '../engine.ts';
import { isCsrfOf } from '../engine.ts';
import { refuse } from '../kernel/index.ts';
import type { Watch } from './auth.ts';
import { tenantIn } from './auth.ts';
import { createCredentialCache, digestOfText } from './credential-cache.ts';

export interface SessionAuth {
  /** Refuses a session that has ended. */
  identify(cookie: string, request: FastifyRequest, watch?: Watch): Promise<SessionFound>;
  /** Counts as a use: the session lasts longer. */
  use(cookie: string): void;
  /** This process forgets the cookie at once; the others within three seconds. */
  forget(cookie: string): void;
  close(): Promise<void>;
}

/** A session is marked as used at most once in this time. */
const USED_EVERY_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export function createSessionAuth({ sessions }: Pick<Engine, 'sessions'>): SessionAuth {
  const cache = createCredentialCache<SessionFound>();
  const used = new Map<string, number>();
  const running = new Set<Promise<void>>();
  return {
    async identify(cookie, request, watch) {
      const named = tenantIn(request.headers);
      const digest = `${digestOfText(cookie)} ${named ?? ''}`;
      const looking = async (): Promise<SessionFound> =>
        (await cache.find(digest, () => sessions.find(cookie, named))) ?? refuse('SESSION_ENDED', { param: 'Cookie' });
      return watch && !cache.wasValid(digest) ? watch.asStranger(looking) : looking();
    },
    use(cookie) {
      const digest = digestOfText(cookie);
      const nowMs = performance.now();
      if ((used.get(digest) ?? -Infinity) > nowMs - USED_EVERY_MS) return;
      used.delete(digest);
      used.set(digest, nowMs);
      if (used.size > MOST_REMEMBERED) used.delete(used.keys().next().value ?? '');
      // No request waits for it. After a failure the next request tries again.
      const touching = sessions
        .touch(cookie)
        .catch(() => void used.delete(digest))
        .finally(() => running.delete(touching));
      running.add(touching);
    },
    forget(cookie) {
      cache.forget(digestOfText(cookie));
      used.delete(digestOfText(cookie));
    },
    close: async () => void (await Promise.all(running)),
  };
}

/** A request that no person caused, such as polling, does not extend a session. */
export const isBackground = ({ headers }: FastifyRequest): boolean => headers['x-usance-background'] === '1';

/** Every request with a cookie that is not GET: it comes from a page of this server, which has read the token of one of these tenants. */
export function requireCsrf(
  cookie: string,
  tenants: readonly Pick<SessionFound['tenant'], 'id'>[],
  request: FastifyRequest,
): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  requireOwnOrigin(request);
  const given = request.headers['x-usance-csrf'];
  if (typeof given === 'string' && tenants.some(({ id }) => isCsrfOf(cookie, id, given))) return;
  refuse('CSRF_INVALID/token', { param: 'x-usance-csrf' });
}

/** Browsers send Origin with every request that is not GET. Hosts are compared, because a proxy may end TLS. */
export function requireOwnOrigin(request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  if (!URL.canParse(origin) || new URL(origin).host !== hostOf(request)) {
    refuse('CSRF_INVALID/origin', { param: 'Origin' });
  }
}

/** As a URL writes it: without the default port, in lower case. */
function hostOf({ host, protocol }: FastifyRequest): string | null {
  const url = `${protocol}://${host}`;
  return URL.canParse(url) ? new URL(url).host : null;
}
