// API keys: opaque, random, kept as a SHA-256 digest (they are long random strings, so a slow hash would only slow
// every request), shown once. Whoever has one acts for its tenant, within its scopes.
import { createHash, randomBytes } from 'node:crypto';
import type { Sql, Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import { findApiKey, insertApiKey } from './api-key-store.ts';

export interface ApiKey {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly name: string;
  /** The first characters: enough to recognise it, not to use it. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface ApiKeyOrder {
  readonly name: string;
  readonly scopes: readonly string[];
  /** For a bootstrap key that an operator chose; at least 24 characters. Left out: a random one. */
  readonly secret?: string;
  readonly expiresAt?: Date;
}

const SHORTEST_SECRET = 24;
const PREFIX_LENGTH = 10;

/** The secret is in the answer and nowhere else. Making a key whose secret exists returns that one. */
export async function createApiKey(
  tx: Transaction,
  tenantId: Uuid,
  order: ApiKeyOrder,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = order.secret ?? `usk_${randomBytes(30).toString('base64url')}`;
  if (secret.length < SHORTEST_SECRET || secret.length > 200 || !/^[!-~]+$/.test(secret)) {
    refuse('FIELD_INVALID', `an API key is ${SHORTEST_SECRET} to 200 printable characters`, { param: 'secret' });
  }
  const key = await insertApiKey(tx, {
    tenantId,
    id: newId(),
    name: order.name,
    prefix: secret.slice(0, PREFIX_LENGTH),
    digest: digestOf(secret),
    scopes: order.scopes,
    expiresAt: order.expiresAt ?? null,
  });
  return { key, secret };
}

/** Null for a key that does not exist, is revoked or has expired. */
export async function authenticate(sql: Sql, secret: string, now: Date): Promise<ApiKey | null> {
  if (secret.length < SHORTEST_SECRET || secret.length > 200) return null;
  const key = await findApiKey(sql, digestOf(secret));
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now)) return null;
  return key;
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
