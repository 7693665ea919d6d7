// Key sets by URL. A sign-in uses the keys that were fetched last and are in the issuer's row; they are fetched again in the background
// when they are ten minutes old, and at once when a token names a key that they do not have. `keys_tried_at` is the claim of the process
// that fetches: over all processes, one attempt a minute per issuer, so that tokens with made-up key names cause no more requests
// than that. Keys that were not seen for a day no longer count: their issuer may have withdrawn them.
//
// No database connection is held while a URL is fetched, and no sign-in waits longer than FETCH_MS for it.
import type { Database } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { Refusal, SYSTEM, parseStrictJson } from '../kernel/index.ts';
import type { Outbound } from '../outbound/index.ts';
import { OutboundFailure } from '../outbound/index.ts';
import type { Algorithm, PublicJwk, TokenIssuer } from './issuer.ts';
import { issuerData, readJwks } from './issuer.ts';
import { claimFetch, readIssuer, storeFetched, storeFetchError } from './issuer-store.ts';

export const FETCH_MS = 3_000;
/** The same number is in `claimFetch`, in SQL. */
export const RETRY_MS = 60_000;
const REFRESH_MS = 600_000;
const STALE_MS = 86_400_000;
/** Identity providers have a few kilobytes. */
const MOST_BYTES = 262_144;
/** Fetches at the same time in this process; beyond them a sign-in uses the keys that are there. */
const MOST_AT_ONCE = 50;
const MOST_OF_TENANT = 5;

export interface KeySets {
  /** Fetches the keys of these issuers, where that is due, and returns each issuer as it is afterwards. Never throws for a URL. */
  fetched(issuers: readonly TokenIssuer[]): Promise<readonly TokenIssuer[]>;
  /** Fetches in the background if the keys are old. */
  keepFresh(issuer: TokenIssuer, now: Date): void;
  /** Waits for the fetches that are running; closing the outbound module ends them. */
  settle(): Promise<void>;
}

/** The keys that a token of the issuer may be signed with. */
export function usableKeys({ jwksUrl, keys, keysFetchedAt }: TokenIssuer, now: Date): readonly PublicJwk[] {
  return jwksUrl === null || ageOf(keysFetchedAt, now) <= STALE_MS ? keys : [];
}

/**
 * Whether fetching could show that the issuer signed a token that its keys do not verify: it has a URL, not the key that the token
 * names, and was not seen in the last minute.
 */
export function isUndecided(issuer: TokenIssuer, kid: string | null, now: Date): boolean {
  if (issuer.jwksUrl === null || ageOf(issuer.keysFetchedAt, now) <= RETRY_MS) return false;
  return kid === null || !usableKeys(issuer, now).some((key) => key.kid === kid);
}

const ageOf = (at: Date | null, now: Date): number => (at === null ? Infinity : now.getTime() - at.getTime());

export function createKeySets(
  db: Database,
  outbound: Pick<Outbound, 'request'>,
  { readClock, onNotice }: { readClock: () => Promise<Clock>; onNotice: (error: unknown) => void },
): KeySets {
  const running = new Map<Uuid, Promise<TokenIssuer | null>>();
  const ofTenant = new Map<Uuid, number>();

  const fetchNow = async (issuer: TokenIssuer): Promise<TokenIssuer | null> => {
    const claim = await claimFetch(db, issuer);
    // Another process fetches, or did a moment ago.
    if (claim === null) return readIssuer(db, issuer);
    const keys = await load(outbound, claim.url, issuer.algorithm).catch((error: unknown) => reasonOf(error));
    if (typeof keys === 'string') {
      await storeFetchError(db, claim, keys);
      return readIssuer(db, issuer);
    }
    const { now } = await readClock();
    return db.transaction(async (tx) => {
      const stored = await storeFetched(tx, claim, keys);
      if (!stored) return null;
      const { issuer: after, isChanged } = stored;
      const about = { type: 'token_issuer.keys_fetched', resource: 'token_issuer', resourceId: after.id } as const;
      const event = { ...SYSTEM, ...about, tenantId: after.tenantId, data: issuerData(after), occurredAt: now };
      if (isChanged) await appendEvents(tx, [event]);
      return after;
    });
  };

  const refresh = async (issuer: TokenIssuer): Promise<TokenIssuer> => {
    const { id, tenantId } = issuer;
    const begun = running.get(id);
    if (begun) return (await begun) ?? issuer;
    const count = ofTenant.get(tenantId) ?? 0;
    if (running.size >= MOST_AT_ONCE || count >= MOST_OF_TENANT) return issuer;
    ofTenant.set(tenantId, count + 1);
    const fetching = fetchNow(issuer).finally(() => {
      running.delete(id);
      const left = (ofTenant.get(tenantId) ?? 1) - 1;
      if (left === 0) ofTenant.delete(tenantId);
      else ofTenant.set(tenantId, left);
    });
    running.set(id, fetching);
    return (await fetching) ?? issuer;
  };

  return {
    fetched: (issuers) => Promise.all(issuers.map(refresh)),
    keepFresh(issuer, now) {
      if (issuer.jwksUrl === null || ageOf(issuer.keysFetchedAt, now) <= REFRESH_MS) return;
      // The sign-in that caused it has its answer already.
      refresh(issuer).catch((error: unknown) => {
        if (!isStopping(error)) onNotice(error);
      });
    },
    async settle() {
      await Promise.allSettled(running.values());
    },
  };
}

async function load(outbound: Pick<Outbound, 'request'>, url: string, algorithm: Algorithm): Promise<PublicJwk[]> {
  const { status, body, truncated } = await outbound.request({
    url,
    method: 'GET',
    headers: { accept: 'application/jwk-set+json, application/json', 'user-agent': 'usance' },
    timeoutMs: FETCH_MS,
    maxResponseBytes: MOST_BYTES,
    pool: 'key-sets',
  });
  if (status !== 200) throw new OutboundFailure('BAD_RESPONSE', `the URL answered with status ${status}`);
  if (truncated) throw new OutboundFailure('BAD_RESPONSE', `the key set is longer than ${MOST_BYTES} bytes`);
  return readJwks(parseStrictJson(body), algorithm);
}

const LONGEST_REASON = 500;

const isStopping = (error: unknown): boolean => error instanceof OutboundFailure && error.code === 'ABORTED';

/** The text for the issuer. Other errors are faults of this server, or its end. */
function reasonOf(error: unknown): string {
  if (isStopping(error)) throw error;
  if (error instanceof OutboundFailure) return `${error.code}: ${error.message}`.slice(0, LONGEST_REASON);
  if (error instanceof Refusal) return `${error.code}: ${error.message}`.slice(0, LONGEST_REASON);
  throw error;
}
