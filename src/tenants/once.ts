// Runs a piece of work at most one time for a key. The advisory lock is taken first of all locks a verb takes and ends
// with the transaction; it only decides between "running" and "not running" and is not what makes it once: the primary
// key of the record is.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { invariant, isIdempotencyKey, refuse } from '../kernel/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { NO_SECRETS } from '../secrets/index.ts';
import type { KeyRecord } from './store.ts';
import { findKeyRecords, insertKeyRecords, tryLockKeys } from './store.ts';
import { fromStored, toStored } from './stored-answer.ts';

export interface IdempotencyScope {
  readonly tenantId: Uuid;
  /** The caller's scope: its rotation lineage or end user. */
  readonly actor: string;
  readonly key: string;
  /** What the request was: another request under the same key is refused. */
  readonly fingerprint: string;
}

export interface Once<T> {
  readonly answer: T;
  /** True when the work ran before and this is its first answer again. */
  readonly replayed: boolean;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An answer with a contact is remembered encrypted, if `secrets` have a key. */
export async function once<T extends Json>(
  tx: Transaction,
  scope: IdempotencyScope,
  work: (tx: Transaction) => Promise<T>,
  secrets: Secrets = NO_SECRETS,
): Promise<Once<T>> {
  requireKey(scope.key);
  const [[got], [record]] = await tx.together([() => tryLockKeys(tx, [scope]), () => findKeyRecords(tx, [scope])]);
  if (!got) refuse('IDEMPOTENCY_RUNNING', { key: scope.key });
  if (record) return { answer: replayOf<T>(scope, record, secrets), replayed: true };
  const answer = await work(tx);
  const written = await insertKeyRecords(tx, [{ ...scope, ...toStored(secrets, scope, answer) }]);
  invariant(written === 1, `no other transaction to have used the locked idempotency key "${scope.key}"`);
  return { answer, replayed: false };
}

/** A caller without types may leave it out. */
export function requireKey(key: unknown): void {
  if (key === undefined || key === null) refuse('IDEMPOTENCY_KEY_MISSING', { param: 'idempotencyKey' });
  if (!isIdempotencyKey(key)) refuse('IDEMPOTENCY_KEY_INVALID/wrong_form', { param: 'idempotencyKey' });
}

/** The first answer again, if it was the same request. */
export function replayOf<T extends Json>(scope: IdempotencyScope, record: KeyRecord, secrets: Secrets = NO_SECRETS): T {
  return fromStored<T>(secrets, scope, record);
}
