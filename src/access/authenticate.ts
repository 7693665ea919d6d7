import type { Sql } from '../db/index.ts';
import type { ApiKey } from './api-key.ts';
import { couldBeSecret, digestOf } from './api-key.ts';
import { findLiveKey } from './api-key-store.ts';

/** Null for a key that does not exist, is revoked or has expired. */
export async function authenticate(
  sql: Sql,
  secret: string,
): Promise<{ key: ApiKey; validForMs: number | null } | null> {
  return couldBeSecret(secret) ? findLiveKey(sql, digestOf(secret)) : null;
}
