// Creating, rekeying and removing an issuer. The holder of an issuer's private key acts as every end user of the tenant, and so
// could be the maker of a payment that another of the holder's keys approves: installing keys needs `admin`. Removing an issuer
// only takes rights away; it needs what end users may do.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { isUuid, newId, refuse } from '../kernel/index.ts';
import type { KeyContext } from './create-key.ts';
import type { Maker } from './grant.ts';
import { requireMayEnd } from './grant.ts';
import type { PublicJwk, TokenIssuer } from './issuer.ts';
import { ALGORITHMS, isAlgorithm, readJwks, readPem } from './issuer.ts';
import type { SharedSecret } from './authenticate.ts';
import { isMeant } from './authenticate.ts';
import type { Algorithm } from './issuer.ts';
import { insertIssuer, lockIssuer, removeIssuer, updateIssuerKeys } from './issuer-store.ts';
import { END_USER, allows } from './scope.ts';

/** A JWK Set, or one public key in PEM. */
export interface KeysOrder {
  readonly jwks?: unknown;
  readonly publicKey?: string;
}

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
  reserved: SharedSecret | null,
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
  const keys = await readKeys(order, algorithm);
  const { tenantId, actor: createdBy } = context;
  return (
    (await insertIssuer(tx, {
      tenantId,
      id: newId(),
      issuer,
      audience,
      algorithm,
      keys,
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
): Promise<TokenIssuer> {
  requireMayInstallKeys(context.maker);
  const found = await locked(tx, context.tenantId, id);
  return updateIssuerKeys(tx, found, await readKeys(order, found.algorithm), context.actor);
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

async function readKeys({ jwks, publicKey }: KeysOrder, algorithm: Algorithm): Promise<PublicJwk[]> {
  if (jwks !== undefined && publicKey !== undefined) {
    refuse('FIELD_INVALID/both_given', { first: 'publicKey', param: 'jwks' });
  }
  if (jwks === undefined && publicKey === undefined) {
    refuse('FIELD_INVALID/none_given', { param: 'jwks', second: 'publicKey' });
  }
  return publicKey === undefined ? readJwks(jwks, algorithm) : readPem(publicKey, algorithm);
}

async function locked(tx: Transaction, tenantId: Uuid, id: Uuid): Promise<TokenIssuer> {
  const found = isUuid(id) ? await lockIssuer(tx, tenantId, id) : null;
  return found ?? refuse('ISSUER_NOT_FOUND');
}
