// Sign-in, the current session, and sign-out of the dashboard. web/README.md describes them for the pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { PACKAGE_VERSION, checkOf, textsOf } from '../contract/index.ts';
import type { Engine, SessionFound } from '../engine.ts';
import { csrfOf } from '../engine.ts';
import type { Origin } from '../kernel/index.ts';
import { refuse, refuseAny, toTypeId } from '../kernel/index.ts';
import { neighbourhoodOf } from './address.ts';
import type { Admission } from './admit.ts';
import type { Watch } from './auth.ts';
import { originOf } from './origin.ts';
import { createLimiter, refuseHaste } from './rate-limit.ts';
import { requireCsrf, requireOwnOrigin } from './session-auth.ts';
import { SESSION_PATH, clearCookie, cookieOf, setCookie } from './session-cookie.ts';

const SIGN_INS_PER_MINUTE = 10;
const BODY_LIMIT = 8_192;

const SECRET = Type.String({ minLength: 1, maxLength: 4_096 });
const SignIn = Type.Union([
  Type.Object({ key: SECRET }, { additionalProperties: false }),
  Type.Object({ link: SECRET }, { additionalProperties: false }),
]);
const check = checkOf(SignIn, 'the body');
const SignOut = Type.Object({ everywhere: Type.Optional(Type.Boolean()) }, { additionalProperties: false });
const [signOutOf, checkSignOut] = [textsOf(SignOut), checkOf(SignOut, 'the query')];

export interface SessionRoutes {
  /** Sign-ins a minute from one address, in this process; 0 for no limit. Default 10. */
  readonly signInsPerMinute: number | undefined;
  readonly admission: Pick<Admission, 'admitSession' | 'sessions'>;
  readonly onRefused: (refused: Parameters<Watch['onRefused']>[0], origin: Origin) => void;
  countStranger(request: FastifyRequest, reply: FastifyReply): void;
}

export function addSessionRoutes(
  app: FastifyInstance,
  { sessions }: Pick<Engine, 'sessions'>,
  given: SessionRoutes,
): void {
  const { admission, countStranger } = given;
  const { sessions: auth } = admission;
  const limiter = createLimiter('sign-in', given.signInsPerMinute ?? SIGN_INS_PER_MINUTE);
  // No length of a compressed answer tells anything of the CSRF token.
  const config = { template: SESSION_PATH, showsSecret: true };

  const takeSignIn = (request: FastifyRequest, reply: FastifyReply): void => {
    const { ip } = originOf(request);
    const taken = limiter.take(ip === null ? 'unknown' : neighbourhoodOf(ip));
    if (!taken) return;
    reply.headers(taken.headers);
    if (taken.retryAfterS === null) return;
    reply.header('retry-after', String(taken.retryAfterS));
    refuseHaste(taken.retryAfterS);
  };

  app.route({
    method: 'POST',
    url: SESSION_PATH,
    bodyLimit: BODY_LIMIT,
    config,
    onRequest: async (request, reply) => {
      takeSignIn(request, reply);
      requireOwnOrigin(request);
    },
    handler: async (request, reply) => {
      refuseAny(check(request.body));
      const origin = originOf(request);
      const current = cookieOf(request);
      const cookie = await sessions.open({
        by: request.body as Static<typeof SignIn>,
        origin,
        current,
        onRefused: (refused) => given.onRefused(refused, origin),
      });
      if (current !== null) auth.forget(current);
      const session = await sessions.find(cookie);
      if (!session) return refuse('SESSION_ENDED', { param: 'Cookie' });
      reply.code(201).header('set-cookie', setCookie(cookie, isSecure(request)));
      return shown(cookie, session);
    },
  });

  app.route({
    method: 'GET',
    url: SESSION_PATH,
    config,
    handler: async (request, reply) => {
      const session = await admission.admitSession(request, reply);
      request.principal = session;
      return shown(cookieOf(request) ?? '', session);
    },
  });

  app.route({
    method: 'DELETE',
    url: SESSION_PATH,
    config,
    onRequest: async (request, reply) => countStranger(request, reply),
    handler: async (request, reply) => {
      const query = signOutOf(request.query);
      refuseAny(checkSignOut(query));
      const isEverywhere = (query as Static<typeof SignOut>).everywhere ?? false;
      const cookie = cookieOf(request);
      const session = cookie === null ? null : await sessions.find(cookie);
      if (cookie !== null && session) {
        // It ends the sessions of all tenants: the token of any of them is enough.
        requireCsrf(cookie, session.tenants, request);
        const origin = originOf(request);
        await (isEverywhere ? sessions.closeEverywhere(session.keys, origin) : sessions.close(cookie, origin));
        auth.forget(cookie);
      } else if (isEverywhere) {
        // The other browsers are still signed in: success would hide that.
        return refuse(cookie === null ? 'AUTH_REQUIRED' : 'SESSION_ENDED', { param: 'Cookie' });
      }
      return reply
        .code(204)
        .header('set-cookie', clearCookie(isSecure(request)))
        .send();
    },
  });
}

/** A proxy that ends TLS may not tell; the browser's own Origin does. */
const isSecure = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https://') === true;

const shownTenant = ({ id, name, kind, isFirst, defaultAsset }: SessionFound['tenant']) => ({
  id: toTypeId('tenant', id),
  name,
  kind,
  first: isFirst,
  default_asset: defaultAsset,
});

function shown(cookie: string, session: SessionFound): object {
  const { key, allowed, tenant, tenants, expiresAt, idleExpiresAt } = session;
  if (key === null) return refuse('SESSION_ENDED', { param: 'Cookie' });
  return {
    csrf: csrfOf(cookie, tenant.id),
    tenant: shownTenant(tenant),
    tenants: tenants.map(shownTenant),
    key: {
      id: toTypeId('apiKey', key.id),
      name: key.name,
      prefix: key.prefix,
      role: key.role,
      person: key.person,
      scopes: [...allowed].toSorted(),
    },
    expires_at: expiresAt.toISOString(),
    idle_expires_at: idleExpiresAt.toISOString(),
    version: PACKAGE_VERSION,
  };
}
