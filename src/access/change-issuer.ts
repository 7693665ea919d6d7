// Creating, rekeying and removing an issuer. The holder of an issuer's private key acts as every end user of the tenant, and so
// could be the maker of a payment that another of the holder's keys approves: installing keys needs `admin`. Removing an issuer
// only takes rights away; it needs what end users may do.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { isUuid, newId, refuse } from '../kernel/index.ts';
import type { KeyContext } from './create-key.ts';
import type { Maker } from './grant.ts';
import { requireMayEnd } from './grant.ts';
import type { TokenIssuer } from './issuer.ts';
import { ALGORITHMS, isAlgorithm, readJwks, readPem } from './issuer.ts';
import type { SharedSecret } from './authenticate.ts';
import { isMeant } from './authenticate.ts';
import type { Algorithm } from './issuer.ts';
import { insertIssuer, lockAndCountIssuers, lockIssuer, removeIssuer, updateIssuerKeys } from './issuer-store.ts';
import { END_USER, allows } from './scope.ts';

/** Of a tenant at most; a key set by URL is fetched for each. */
export const MOST_ISSUERS = 50;

/** A JWK Set, one public key in PEM, or the URL of a JWK Set. */
export interface KeysOrder {
  readonly jwks?: unknown;
  readonly publicKey?: string;
  readonly jwksUrl?: string;
}

/** Refuses a URL that no request could be sent to. */
export type CheckUrl = (url: string, param: string) => string;

export interface IssuerOrder extends KeysOrder {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithm: Algorithm;
}

/** `reserved`: the secret of the environment, whose issuer and audience no tenant can take. */
export async function createIssuer(
  tx: Transaction,
  context: KeyContext,
  order: IssuerOrder,
  { reserved, checkUrl }: { readonly reserved: SharedSecret | null; readonly checkUrl: CheckUrl },
): Promise<TokenIssuer> {
  requireMayInstallKeys(context.maker);
  const { issuer, audience, algorithm } = order;
  for (const [param, text] of Object.entries({ issuer, audience })) {
    if (!/^[!-~]{1,500}$/.test(text)) {
      refuse('FIELD_INVALID/not_printable_word', { param, min: 1, max: 500 });
    }
  }
  if (reserved && isMeant(reserved, { issuer, audiences: [audience] })) {
    refuse('FIELD_INVALID/issuer_reserved', { param: 'audience' });
  }
  if (!isAlgorithm(algorithm)) refuse('FIELD_INVALID/one_of', { param: 'algorithm', allowed: Object.keys(ALGORITHMS) });
  const keys = await readKeys(order, algorithm, checkUrl);
  const { tenantId, actor: createdBy } = context;
  if ((await lockAndCountIssuers(tx, tenantId)) >= MOST_ISSUERS) refuse('ISSUERS_TOO_MANY', { max: MOST_ISSUERS });
  return (
    (await insertIssuer(tx, {
      tenantId,
      id: newId(),
      issuer,
      audience,
      algorithm,
      ...keys,
      createdBy,
      keyedBy: [createdBy],
    })) ?? refuse('ISSUER_EXISTS', { param: 'audience' })
  );
}

/** Its keys are these from now on: during a change of keys, the old and the new ones. */
export async function rekeyIssuer(
  tx: Transaction,
  context: KeyContext,
  id: Uuid,
  order: KeysOrder,
  checkUrl: CheckUrl,
): Promise<TokenIssuer> {
  requireMayInstallKeys(context.maker);
  const found = await locked(tx, context.tenantId, id);
  return updateIssuerKeys(tx, found, await readKeys(order, found.algorithm, checkUrl), context.actor);
}

export async function dropIssuer(tx: Transaction, { tenantId, maker }: KeyContext, id: Uuid): Promise<TokenIssuer> {
  requireMayEnd(maker, END_USER);
  const found = await locked(tx, tenantId, id);
  await removeIssuer(tx, found);
  return found;
}

function requireMayInstallKeys(maker: Maker): void {
  if (maker === null || allows(maker.allowed, 'admin')) return;
  refuse('AUTH_SCOPE_MISSING/issuer');
}

const WAYS = ['jwks', 'publicKey', 'jwksUrl'] as const;

async function readKeys(
  order: KeysOrder,
  algorithm: Algorithm,
  checkUrl: CheckUrl,
): Promise<Pick<TokenIssuer, 'keys' | 'jwksUrl'>> {
  const [first, second] = WAYS.filter((way) => order[way] !== undefined);
  if (first === undefined) return refuse('FIELD_INVALID/none_of_given', { param: 'jwks', choices: WAYS });
  if (second !== undefined) return refuse('FIELD_INVALID/both_given', { first: second, param: first });
  const { jwks, publicKey, jwksUrl } = order;
  // Fetched when the first token needs them: a request of the API does not wait for a URL.
  if (jwksUrl !== undefined) return { keys: [], jwksUrl: checkUrl(jwksUrl, 'jwksUrl') };
  const keys = publicKey === undefined ? await readJwks(jwks, algorithm) : await readPem(publicKey, algorithm);
  return { keys, jwksUrl: null };
}

async function locked(tx: Transaction, tenantId: Uuid, id: Uuid): Promise<TokenIssuer> {
  const found = isUuid(id) ? await lockIssuer(tx, tenantId, id) : null;
  return found ?? refuse('ISSUER_NOT_FOUND');
}
