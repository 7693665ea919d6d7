// Runs a piece of work at most one time for a key. The advisory lock is taken first of all locks a verb takes and ends
// with the transaction; it only decides between "running" and "not running" and is not what makes it once: the primary
// key of the record is.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { invariant, refuse } from '../kernel/index.ts';
import { findIdempotencyRecord, insertIdempotencyRecord, tryLockIdempotencyKey } from './store.ts';

export interface IdempotencyScope {
  readonly tenantId: Uuid;
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

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export async function once<T extends Json>(
  tx: Transaction,
  scope: IdempotencyScope,
  work: (tx: Transaction) => Promise<T>,
): Promise<Once<T>> {
  if (scope.key.length < 1 || scope.key.length > 255) {
    refuse('FIELD_INVALID', 'an idempotency key is 1 to 255 characters', { param: 'idempotencyKey' });
  }
  if (!(await tryLockIdempotencyKey(tx, scope))) {
    refuse('IDEMPOTENCY_RUNNING', `a request with the idempotency key "${scope.key}" is running; ask again shortly`);
  }
  const record = await findIdempotencyRecord(tx, scope);
  if (record) {
    if (record.fingerprint !== scope.fingerprint) {
      refuse(
        'IDEMPOTENCY_MISMATCH',
        `the idempotency key "${scope.key}" was used for another request; choose a new one`,
      );
    }
    return { answer: record.answer as T, replayed: true };
  }
  const answer = await work(tx);
  const written = await insertIdempotencyRecord(tx, scope, JSON.stringify(answer));
  invariant(written, `nobody else to have used the locked idempotency key "${scope.key}"`);
  return { answer, replayed: false };
}
