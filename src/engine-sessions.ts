// Sessions of the dashboard: a cookie resolves to the same caller as the API key that it was opened with.
import type { ApiKey, KeySets, LiveSession, OnRefused, SessionKey, SessionLimits } from './access/index.ts';
import {
  SESSION_LIMITS,
  closeEverywhere,
  closeSession,
  createLink,
  liveSessions,
  openSession,
  openSessionByLink,
  touchSession,
} from './access/index.ts';
import type { Database } from './db/index.ts';
import { authenticator, callerOfKey } from './engine-authenticate.ts';
import type { HandleOf, SignInSettings } from './engine-authenticate.ts';
import type { Authenticated, Engine } from './engine-types.ts';
import type { Clock, Origin } from './kernel/index.ts';
import { refuse, toTypeId } from './kernel/index.ts';
import type { Tenant } from './tenants/index.ts';
import { findTenant } from './tenants/index.ts';

/** An authenticated caller with the session that it came by. */
export interface SessionFound extends Authenticated {
  readonly tenant: Tenant;
  /** Every tenant of the cookie, in the order of their sign-in. */
  readonly tenants: readonly Tenant[];
  /** The key of the cookie in each tenant. All of them work. */
  readonly keys: readonly SessionKey[];
  readonly expiresAt: Date;
  readonly idleExpiresAt: Date;
}

export interface OpenSession {
  /** An API key, or a link that `createLink` made. */
  readonly by: { readonly key: string } | { readonly link: string };
  readonly origin: Origin;
  /** The cookie of the browser, if it is signed in already. */
  readonly current?: string | null;
  readonly onRefused?: OnRefused;
}

export interface Sessions {
  /** Opens a session and returns its cookie. Refuses a key that does not work, and a link that was used or has expired. */
  open(order: OpenSession): Promise<string>;
  /** The caller of a cookie, in one of its tenants (id or name; default the first). Null if the session has ended. */
  find(cookie: string, tenant?: string): Promise<SessionFound | null>;
  /** Counts as a use: the session lasts longer. */
  touch(cookie: string): Promise<void>;
  close(cookie: string, origin: Origin): Promise<void>;
  /** Ends every session of these keys and of the keys that they were rotated from or into, in all browsers. */
  closeEverywhere(keys: readonly SessionKey[], origin: Origin): Promise<void>;
  /** A link that opens a session with these keys once, within an hour. */
  createLink(keys: readonly Pick<ApiKey, 'tenantId' | 'id'>[]): Promise<string>;
}

type OfKey = (found: LiveSession['found'], tenant: Tenant) => Authenticated;

function sessionsOf(
  db: Database,
  readClock: () => Promise<Clock>,
  ofKey: OfKey,
  given: Partial<SessionLimits> = {},
): Sessions {
  const limits = { ...SESSION_LIMITS, ...given };
  return {
    async open({ by, origin, current = null, onRefused }) {
      const opening = { origin, current, limits, clock: await readClock(), ...(onRefused ? { onRefused } : {}) };
      return 'key' in by ? openSession(db, by.key, opening) : openSessionByLink(db, by.link, opening);
    },
    async find(cookie, named) {
      const sessions = await liveSessions(db, cookie, limits);
      const known = await Promise.all(
        sessions.map(async (session) => {
          const tenant = await findTenant(db, session.tenantId);
          return tenant ? [{ session, tenant }] : [];
        }),
      );
      const all = known.flat();
      if (all.length === 0) return null;
      const one =
        named === undefined
          ? all[0]
          : all.find(({ tenant: { id, name } }) => [id, toTypeId('tenant', id), name].includes(named));
      if (!one) return refuse('SESSION_TENANT_UNKNOWN', { param: 'Usance-Tenant', tenant: named ?? '' });
      const { session, tenant } = one;
      const caller = ofKey(session.found, tenant);
      return {
        ...caller,
        validForMs: Math.min(session.validForMs, caller.validForMs ?? session.validForMs),
        tenant,
        tenants: all.map((each) => each.tenant),
        keys: all.map((each) => each.session),
        expiresAt: session.expiresAt,
        idleExpiresAt: session.idleExpiresAt,
      };
    },
    touch: (cookie) => touchSession(db, cookie, limits),
    close: async (cookie, origin) => closeSession(db, cookie, { origin, clock: await readClock() }),
    closeEverywhere: async (keys, origin) => closeEverywhere(db, keys, { origin, limits, clock: await readClock() }),
    createLink: (keys) => createLink(db, keys),
  };
}

/** The two ways to authenticate: by what a program sends, and by the cookie of a browser. */
export const authentication = (
  db: Database,
  options: SignInSettings & { readonly sessions?: Partial<SessionLimits> },
  { keySets, handle, readClock }: { keySets: KeySets; handle: HandleOf; readClock: () => Promise<Clock> },
): Pick<Engine, 'authenticate' | 'sessions'> => ({
  authenticate: authenticator(db, options, keySets, handle),
  sessions: sessionsOf(db, readClock, callerOfKey(handle), options.sessions),
});
