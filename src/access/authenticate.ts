// Who somebody is, by what he shows: an API key, or a token that an issuer signed for an end user.
import type { CompactVerifyGetKey } from 'jose';
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { Refusal, idInstant, refused as refusedWith } from '../kernel/index.ts';
import { findAccounts, isWalletAccount } from '../ledger/index.ts';
import type { ApiKey } from './api-key.ts';
import { couldBeSecret, digestOf } from './api-key.ts';
import { findKey } from './api-key-store.ts';
import { countsFor } from './counts-for.ts';
import type { TokenIssuer } from './issuer.ts';
import { keySetOf } from './issuer.ts';
import { MOST_CANDIDATES, findIssuers, readRevocation } from './issuer-store.ts';
import type { KeySets } from './key-sets.ts';
import { isUndecided, usableKeys } from './key-sets.ts';
import type { Viewer } from './own-view.ts';
import type { OnRefused, RefusedSignIn } from './sign-in.ts';
import type { Token } from './token.ts';
import { LEEWAY_MS, hasSignature, readToken, refuseToken, requireClaims } from './token.ts';

/** A key that works. */
export interface KeyFound {
  readonly key: ApiKey;
  /** Null if it does not expire. */
  readonly validForMs: number | null;
  readonly countsFor: readonly string[];
}

/** Null for a key that does not exist, is revoked or has expired. */
export async function authenticateKey(sql: Sql, secret: string, onRefused?: OnRefused): Promise<KeyFound | null> {
  return couldBeSecret(secret) ? authenticateDigest(sql, digestOf(secret), onRefused) : null;
}

/** The same by the digest of the secret. */
export async function authenticateDigest(sql: Sql, digest: string, onRefused?: OnRefused): Promise<KeyFound | null> {
  const found = await findKey(sql, digest);
  if (!found) return null;
  const { key, isLive, validForMs } = found;
  if (isLive) return { key, validForMs, countsFor: countsFor(key.lineageId, found.kin) };
  const reason = key.revokedAt === null ? 'the key has expired' : 'the key was revoked';
  onRefused?.({ tenantId: key.tenantId, resource: 'api_key', resourceId: key.id, reason });
  return null;
}

/** A shared secret that signs tokens of end users. */
export interface SharedSecret {
  /** At least 32 characters; HS256. */
  readonly secret: string;
  /** The previous secret, while tokens that it signed are still valid. Default: none. */
  readonly previous?: string | null;
  /** The `aud` that a token must have. */
  readonly audience: string;
  /** The `iss` that a token must have. Null: not checked. */
  readonly issuer: string | null;
}

export interface TokenSettings {
  readonly shared: SharedSecret | null;
  readonly keySets: KeySets;
  /** The most that lies between `iat` and `exp`. */
  readonly longestMs: number;
}

export const LONGEST_TOKEN_MS = 86_400_000;

interface Trusted extends Pick<RefusedSignIn, 'tenantId' | 'resource' | 'resourceId'> {
  readonly algorithm: string;
  readonly keys: readonly CompactVerifyGetKey[];
  /** Null for the secret of the environment. */
  readonly issuer: TokenIssuer | null;
}

/**
 * Throws a Refusal for a token that is not to be believed. `firstTenant` is asked only where the secret is meant.
 *
 * Any tenant can register any issuer, audience and public key, another tenant's too: a signature says who signed, not which tenant
 * is meant. Where several tenants' issuers verify a token, or too many could, the request has to name its tenant; then only
 * that tenant's issuers count.
 *
 * An issuer whose keys are at a URL may not have them yet. The token is then judged by the keys that are there, and URLs are fetched only
 * if that could change the answer: no issuer verifies the token, or an older registration of another tenant might. So a later
 * registration with a URL that hangs delays no token of the first, and no token counts for a later registration because the first one's
 * keys happened to be away.
 */
export async function authenticateToken(
  sql: Sql,
  text: string,
  { shared, longestMs, keySets, tenantId: named = null }: TokenSettings & { readonly tenantId?: Uuid | null },
  firstTenant: () => Promise<Uuid | null>,
  onRefused?: OnRefused,
): Promise<{ tenantId: Uuid; viewer: Viewer; validForMs: number }> {
  const token = readToken(text);
  const { now, issuers } = await findIssuers(sql, token.issuer ?? '', token.audiences, named);
  if (named === null && issuers.length > MOST_CANDIDATES) return refuseUnnamed();
  const first = shared && isMeant(shared, token) ? await firstTenant() : null;
  const ofTheSecret = first && shared && (named ?? first) === first ? [ofEnvironment(first, shared)] : [];
  let candidates = [...ofTheSecret, ...issuers.map((issuer) => ofIssuer(issuer, now))];
  let verifying = await verifyingAmong(candidates, token);
  /** Those whose keys, if they were fetched, could change the answer. The oldest registration comes first. */
  const undecided = (): TokenIssuer[] => {
    const [oldest] = verifying;
    const before = oldest ? candidates.slice(0, candidates.indexOf(oldest)) : candidates;
    return before.flatMap(({ issuer }) =>
      issuer && issuer.tenantId !== oldest?.tenantId && isUndecided(issuer, token.kid, now) ? [issuer] : [],
    );
  };
  const toFetch = undecided();
  if (toFetch.length > 0) {
    const fetched = new Map((await keySets.fetched(toFetch)).map((issuer) => [issuer.id, issuer]));
    const known = issuers.map((issuer) => fetched.get(issuer.id) ?? issuer);
    candidates = [...ofTheSecret, ...known.map((issuer) => ofIssuer(issuer, now))];
    verifying = await verifyingAmong(candidates, token);
  }
  const [trusted] = verifying;
  if (trusted && undecided().length > 0) return refuseUnnamed();
  if (verifying.some((each) => each.tenantId !== trusted?.tenantId)) return refuseUnnamed();
  const refused = (about: Trusted, error: unknown): never => {
    const { tenantId, resource, resourceId } = about;
    if (error instanceof Refusal) onRefused?.({ tenantId, resource, resourceId, reason: error.message });
    throw error;
  };
  if (!trusted) {
    // Noted for the one tenant that it can only concern: others learn nothing of each other.
    const [only, another] = candidates;
    if (only && !another) return refused(only, refusedToken(named !== null));
    throw refusedToken(named !== null);
  }
  const { tenantId } = trusted;
  if (trusted.issuer) keySets.keepFresh(trusted.issuer, now);
  try {
    const { subject, issuedAt, validForMs } = requireClaims(token, now, longestMs);
    return { tenantId, viewer: await viewerOf(sql, tenantId, subject, issuedAt), validForMs };
  } catch (error) {
    return refused(trusted, error);
  }
}

/** Whether a token names the audience, and where one is set the issuer, of the secret of the environment. */
export function isMeant(
  { audience, issuer }: SharedSecret,
  token: { readonly issuer: string | null; readonly audiences: readonly string[] },
): boolean {
  return token.audiences.includes(audience) && (issuer === null || token.issuer === issuer);
}

async function verifyingAmong(candidates: readonly Trusted[], token: Token): Promise<Trusted[]> {
  const holds = await Promise.all(
    candidates.map(async ({ algorithm, keys }) =>
      (await Promise.all(keys.map((key) => hasSignature(token, algorithm, key)))).includes(true),
    ),
  );
  return candidates.filter((_each, index) => holds[index]);
}

const ofIssuer = (issuer: TokenIssuer, now: Date): Trusted => ({
  tenantId: issuer.tenantId,
  resource: 'token_issuer',
  resourceId: issuer.id,
  algorithm: issuer.algorithm,
  keys: [keySetOf(usableKeys(issuer, now), issuer.algorithm)],
  issuer,
});

const ofEnvironment = (first: Uuid, { secret, previous }: SharedSecret): Trusted => ({
  tenantId: first,
  resource: 'tenant',
  resourceId: first,
  algorithm: 'HS256',
  issuer: null,
  keys: [secret, ...(previous ? [previous] : [])].map((text) => () => Buffer.from(text, 'utf8')),
});

/** By its ref alone: a ref that reads like another account's id must not become that account. */
async function viewerOf(sql: Sql, tenantId: Uuid, ref: string, issuedAt: Date): Promise<Viewer> {
  const account = (await findAccounts(sql, tenantId, [ref])).find((found) => found.ref === ref);
  const isOurs = account && (account.kind === 'system' || isWalletAccount(tenantId, account.id));
  if (!account || isOurs || account.status === 'closed') {
    return refuseToken('account_not_open');
  }
  // The ref of an erased account can be opened again for another person. Ids are of real time, as tokens are.
  if (issuedAt.getTime() + LEEWAY_MS < idInstant(account.id).getTime()) {
    return refuseToken('issued_before_account');
  }
  const revokedAt = await readRevocation(sql, tenantId, account.id);
  // The issuer's clock may be ahead: a token issued before the revocation can name an instant after it.
  if (revokedAt !== null && issuedAt.getTime() < revokedAt.getTime() + LEEWAY_MS) return refuseToken('revoked');
  return { tenantId, accountId: account.id, ref };
}

const refuseUnnamed = (): never => refuseToken('tenant_not_named');

/** One answer for a tenant that does not exist and for one that does not trust the token: neither tells which tenants there are. */
export const refusedToken = (isNamed: boolean): Refusal =>
  new Refusal(
    isNamed
      ? refusedWith('AUTH_INVALID/tenant_unknown', { param: 'Usance-Tenant' })
      : refusedWith('AUTH_INVALID/unknown_token', { param: 'Authorization' }),
  );
