// Sessions of the dashboard: a cookie in the place of an API key. A session has no rights of its own: each request resolves its key
// again, so a revoked or expired key ends it. A cookie can have a session in several tenants.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database, Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Clock, Origin, Uuid } from '../kernel/index.ts';
import { callerOf, newId, refuse } from '../kernel/index.ts';
import { digestOf } from './api-key.ts';
import type { KeyFound } from './authenticate.ts';
import { authenticateDigest } from './authenticate.ts';
import { keyActor } from './key-actor.ts';
import type { FoundSession, Session, SessionKey } from './session-store.ts';
import {
  changeDigest,
  endSessions,
  endSessionsOfKeys,
  findEndedLink,
  findSessions,
  insertLinks,
  insertSession,
  removeExpired,
  touchSessions,
  useLink,
} from './session-store.ts';
import type { OnRefused } from './sign-in.ts';

export interface SessionLimits {
  /** How long a session lasts without a request, in milliseconds. */
  readonly idleMs: number;
  /** How long it lasts at most, in milliseconds. */
  readonly lifetimeMs: number;
}

export const SESSION_LIMITS: SessionLimits = { idleMs: 30 * 60_000, lifetimeMs: 12 * 3_600_000 };
const LINK_MS = 3_600_000;

/** A session with the key that it acts as. */
export interface LiveSession extends FoundSession {
  readonly found: KeyFound;
}

const newToken = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`;

/**
 * What a page sends beside the cookie: only a page of this origin can read it, and it is worth nothing without the cookie. One for each tenant
 * of the cookie: a page that shows one tenant cannot change another by a request that names none, or the wrong one.
 */
export const csrfOf = (token: string, tenantId: Uuid): string =>
  createHmac('sha256', token).update(`usance csrf ${tenantId}`).digest('base64url');

export function isCsrfOf(token: string, tenantId: Uuid, given: string): boolean {
  const [expected, shown] = [Buffer.from(csrfOf(token, tenantId)), Buffer.from(given)];
  return expected.length === shown.length && timingSafeEqual(expected, shown);
}

/** The sessions of a cookie whose key still works, in the order of their sign-in. */
export async function liveSessions(db: Database, token: string, { idleMs }: SessionLimits): Promise<LiveSession[]> {
  const sessions = await findSessions(db, digestOf(token), idleMs);
  const live = await Promise.all(
    sessions.map(async (session) => {
      const found = await authenticateDigest(db, session.keyDigest);
      return found ? [{ ...session, found }] : [];
    }),
  );
  return live.flat();
}

export const touchSession = (db: Database, token: string, { idleMs }: SessionLimits): Promise<void> =>
  touchSessions(db, digestOf(token), idleMs);

interface Opening {
  readonly origin: Origin;
  readonly clock: Clock;
  /** The cookie of the browser, if it is signed in already: its other sessions move to the new cookie. */
  readonly current: string | null;
  readonly limits: SessionLimits;
  readonly onRefused?: OnRefused;
}

/** Opens a session by an API key. Returns the cookie. */
export async function openSession(db: Database, secret: string, opening: Opening): Promise<string> {
  const found = await authenticateDigest(db, digestOf(secret), opening.onRefused);
  if (!found) return refuse('AUTH_INVALID/unknown_key', { param: 'key' });
  return db.transaction((tx) => startSessions(tx, [found], 'key', opening));
}

/** Opens the sessions of a link. Returns the cookie. */
export async function openSessionByLink(db: Database, link: string, opening: Opening): Promise<string> {
  const digest = digestOf(link);
  return db.transaction(async (tx) => {
    const found: KeyFound[] = [];
    // One after the other: a transaction runs one statement at a time.
    for (const { keyDigest } of await useLink(tx, digest)) {
      const key = await authenticateDigest(tx, keyDigest);
      if (key) found.push(key);
    }
    if (found.length > 0) return startSessions(tx, found, 'link', opening);
    const ended = await findEndedLink(tx, digest);
    if (ended) {
      const reason = ended.isUsed
        ? 'the sign-in link was used before, or its key has ended'
        : 'the sign-in link has expired';
      opening.onRefused?.({ tenantId: ended.tenantId, resource: 'api_key', resourceId: ended.keyId, reason });
    }
    return refuse('SESSION_LINK_INVALID', { param: 'link' });
  });
}

/**
 * One session for each key, under a new cookie. The sessions of the browser's current cookie move to it, so that a cookie that was planted or copied before is
 * worth nothing; of a tenant, only the newest stays.
 */
async function startSessions(
  tx: Transaction,
  found: readonly KeyFound[],
  via: 'key' | 'link',
  { origin, clock, current, limits }: Opening,
): Promise<string> {
  const token = newToken('uss');
  const digest = digestOf(token);
  const replaced: Session[] = [];
  if (current !== null) {
    // All rows of the cookie first, so that two sign-ins of one browser wait for each other in one order.
    await changeDigest(tx, digestOf(current), digest);
    for (const { key } of found) replaced.push(...(await endSessions(tx, digest, key.tenantId)));
  }
  const made: Pick<Session, 'tenantId' | 'id' | 'keyId'>[] = [];
  for (const { key } of found) {
    const session = { tenantId: key.tenantId, id: newId(), keyId: key.id };
    await insertSession(tx, session, digest, limits.lifetimeMs);
    made.push(session);
  }
  await removeExpired(tx);
  await appendEvents(tx, [
    ...replaced.map((session) => factOf('session.ended', session, { origin, clock }, {})),
    ...made.map((session) => factOf('session.created', session, { origin, clock }, { via })),
  ]);
  return token;
}

/** Ends every session of a cookie. */
export async function closeSession(
  db: Database,
  token: string,
  about: Pick<Opening, 'origin' | 'clock'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await endSessions(tx, digestOf(token), null);
    await appendEvents(
      tx,
      ended.map((session) => factOf('session.ended', session, about, {})),
    );
  });
}

/**
 * Ends every session of these keys and of the keys of their rotation lineages, in all browsers: for a browser left signed in, or a copied
 * cookie. The keys still work.
 */
export async function closeEverywhere(
  db: Database,
  keys: readonly SessionKey[],
  about: Pick<Opening, 'origin' | 'clock' | 'limits'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await endSessionsOfKeys(tx, keys, about.limits.idleMs);
    await appendEvents(
      tx,
      ended.map((session) => factOf('session.ended', session, about, { everywhere: true }, session.byKeyId)),
    );
  });
}

/** A link that opens sessions with these keys once, within an hour. */
export async function createLink(
  db: Database,
  keys: readonly { readonly tenantId: Uuid; readonly id: Uuid }[],
): Promise<string> {
  const link = newToken('usl');
  const rows = keys.map(({ tenantId, id }) => ({ tenantId, id: newId(), keyId: id }));
  await insertLinks(db, rows, digestOf(link), LINK_MS);
  return link;
}

const factOf = (
  type: 'session.created' | 'session.ended',
  { tenantId, id, keyId }: Pick<Session, 'tenantId' | 'id' | 'keyId'>,
  { origin, clock }: Pick<Opening, 'origin' | 'clock'>,
  data: { readonly via?: 'key' | 'link'; readonly everywhere?: true },
  byKeyId = keyId,
) => ({
  ...callerOf({ ...origin, actor: keyActor(byKeyId) }),
  tenantId,
  type,
  resource: 'session',
  resourceId: id,
  data: { ...data, key: keyId },
  occurredAt: clock.now,
});
