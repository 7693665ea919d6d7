// What is past its time is deleted, in bounded batches, so that no lock and no transaction is long. Whatever the books, the
// record or an open question could still need is not among it: money's history has no end here.
import type { Database } from '../db/index.ts';
import type { Clock, LoopDefinition } from '../kernel/index.ts';
import { deleteSpendBefore } from '../payments/index.ts';
import { deleteKeyRecordsBefore } from '../tenants/index.ts';

export interface RetentionOptions {
  /** How long an idempotency key remembers its answer, default 30 days. Afterwards it is a new key. */
  readonly idempotencyKeysMs?: number;
}

const DAY_MS = 86_400_000;
const POLL_MS = 600_000;
const ROWS_AT_ONCE = 5_000;
/** A daily limit looks back 24 hours; the rest is for clocks that differ and transactions that take long. */
const SPEND_MS = 3 * DAY_MS;

export function retentionLoop(
  db: Database,
  options: RetentionOptions,
  readClock: () => Promise<Clock>,
): LoopDefinition {
  const { idempotencyKeysMs = 30 * DAY_MS } = options;
  return {
    name: 'retention',
    pollMs: POLL_MS,
    async runOnce() {
      const { now } = await readClock();
      const ago = (ms: number): Date => new Date(now.getTime() - ms);
      const keys = await deleteKeyRecordsBefore(db, ago(idempotencyKeysMs), ROWS_AT_ONCE);
      const spend = await deleteSpendBefore(db, ago(SPEND_MS), ROWS_AT_ONCE);
      return { counts: { keys, spend }, more: keys === ROWS_AT_ONCE || spend === ROWS_AT_ONCE };
    },
  };
}
