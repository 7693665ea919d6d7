// Who somebody is, by what he shows: an API key, or a token that an issuer signed for an end user.
import type { KeyObject } from 'node:crypto';
import { createSecretKey } from 'node:crypto';
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { Refusal } from '../kernel/index.ts';
import { findAccounts } from '../ledger/index.ts';
import type { ApiKey } from './api-key.ts';
import { couldBeSecret, digestOf } from './api-key.ts';
import { findKey } from './api-key-store.ts';
import { publicKeyOf } from './issuer.ts';
import { findIssuers } from './issuer-store.ts';
import type { Viewer } from './own.ts';
import type { OnRefused, RefusedSignIn } from './sign-in.ts';
import type { Token } from './token.ts';
import { readToken, refuseToken, requireClaims, requireSignature } from './token.ts';

/** Null for a key that does not exist, is revoked or has expired. */
export async function authenticateKey(
  sql: Sql,
  secret: string,
  onRefused?: OnRefused,
): Promise<{ key: ApiKey; validForMs: number | null } | null> {
  const found = couldBeSecret(secret) ? await findKey(sql, digestOf(secret)) : null;
  if (!found) return null;
  const { key, isLive, validForMs } = found;
  if (isLive) return { key, validForMs };
  const reason = key.revokedAt === null ? 'the key has expired' : 'the key was revoked';
  onRefused?.({ tenantId: key.tenantId, resource: 'api_key', resourceId: key.id, reason });
  return null;
}

/** The secret of the environment. */
export interface SharedSecret {
  /** At least 32 characters; HS256. */
  readonly secret: string;
  readonly audience: string;
  /** Null: `iss` is not asked for. */
  readonly issuer: string | null;
}

interface Trusted extends Pick<RefusedSignIn, 'tenantId' | 'resource' | 'resourceId'> {
  readonly algorithm: string;
  key(): KeyObject;
}

/** Throws a Refusal for a token that is not to be believed. `firstTenant` is asked only where the secret is meant. */
export async function authenticateToken(
  sql: Sql,
  text: string,
  shared: SharedSecret | null,
  firstTenant: () => Promise<Uuid | null>,
  onRefused?: OnRefused,
): Promise<{ tenantId: Uuid; viewer: Viewer; validForMs: number }> {
  const token = readToken(text);
  const { now, issuers } = await findIssuers(sql, token.issuer ?? '', token.audiences);
  const isShared =
    shared !== null && token.audiences.includes(shared.audience) && [null, token.issuer].includes(shared.issuer);
  const first = isShared ? await firstTenant() : null;
  const [trusted, another]: Trusted[] = [
    ...(first && shared ? [ofEnvironment(first, shared)] : []),
    ...issuers.map(({ tenantId, id, algorithm, keys }) => {
      const key = (): KeyObject => chosen(token, keys.map(named));
      return { tenantId, resource: 'token_issuer', resourceId: id, algorithm, key } as const;
    }),
  ];
  // A token for two audiences would be two tenants': it does not say which is meant.
  if (!trusted || another) return refuseToken();
  const { tenantId, resource, resourceId } = trusted;
  try {
    requireSignature(token, trusted.algorithm, trusted.key());
    const { subject, validForMs } = requireClaims(token, now);
    return { tenantId, viewer: await viewerOf(sql, tenantId, subject), validForMs };
  } catch (error) {
    if (error instanceof Refusal) onRefused?.({ tenantId, resource, resourceId, reason: error.message });
    throw error;
  }
}

const ofEnvironment = (first: Uuid, { secret }: SharedSecret): Trusted => ({
  tenantId: first,
  resource: 'tenant',
  resourceId: first,
  algorithm: 'HS256',
  key: () => createSecretKey(secret, 'utf8'),
});

const named = (jwk: Parameters<typeof publicKeyOf>[0]) => ({ kid: jwk.kid, open: () => publicKeyOf(jwk) });

/** The one key that is meant: by its name, or because there is no other. */
function chosen({ kid }: Token, keys: readonly { kid: string | undefined; open: () => KeyObject }[]): KeyObject {
  const [key, another] = keys.filter((one) => kid === undefined || one.kid === undefined || one.kid === kid);
  return key && !another ? key.open() : refuseToken();
}

/** By its ref alone: a ref that reads like another account's id must not become that account. */
async function viewerOf(sql: Sql, tenantId: Uuid, ref: string): Promise<Viewer> {
  const account = (await findAccounts(sql, tenantId, [ref])).find((found) => found.ref === ref);
  if (!account || account.kind === 'system' || account.status === 'closed') {
    return refuseToken('the token names no account that is open');
  }
  return { tenantId, accountId: account.id, ref };
}
