// Deletes or archives old data in bounded batches, so that no lock and no transaction is long. It deletes only rows that the books,
// the audit log and open operations no longer need; ended payments are archived and can still be read. Data of own events are erased, where
// the deployment says how long they are kept.
import type { Database } from '../db/index.ts';
import type { OwnEventPlace } from '../events/index.ts';
import { deleteOwnCounts } from '../events/index.ts';
import type { Caller, Clock, LoopDefinition, Uuid } from '../kernel/index.ts';
import { SYSTEM } from '../kernel/index.ts';
import type { ArchivePlace } from '../payments/index.ts';
import { archiveSlice, deleteSpendBefore } from '../payments/index.ts';
import { deletePayoutSpendBefore } from '../payouts/index.ts';
import { forgetExecutions } from '../jobs/index.ts';
import { forgetEmails } from '../notifications/index.ts';
import { deleteDeliveryBodies, forgetDeliveryAttempts } from '../webhooks/index.ts';
import { deleteKeyRecordsBefore } from '../tenants/index.ts';
import { deleteCronRunsBefore } from './cron-run-store.ts';
import { eraseOldOwnEvents } from './own-event-retention.ts';

/** How long data is kept. */
export interface RetentionOptions {
  /** How long an idempotency key keeps its answer, default 30 days. Afterwards it is a new key. */
  readonly idempotencyKeysMs?: number;
  /** How long after its end, and its last refund, a payment is archived, in milliseconds; default two years; null: never. */
  readonly paymentsMs?: number | null;
  /** How long executions are kept after their end, in milliseconds, at least a day; default 90 days; null: for ever. */
  readonly executionsMs?: number | null;
  /** How long responses to deliveries are kept, in milliseconds, at least an hour; default 30 days; null: as long as the attempts. */
  readonly deliveryBodiesMs?: number | null;
  /** How long the data of own events are kept, in milliseconds; then they are erased. Default null: for ever. */
  readonly ownEventsMs?: number | null;
  /** Called for a payment that could not be archived. Default: none. */
  readonly onSetAside?: (paymentId: Uuid, error: unknown) => void;
  /** Called for an own event that could not be erased. Default: none. */
  readonly onEventSetAside?: (eventId: Uuid, error: unknown) => void;
}

const DAY_MS = 86_400_000;
const POLL_MS = 600_000;
const ROWS_AT_ONCE = 5_000;
/** A daily limit looks back 25 hours at most; the rest is for clocks that differ and transactions that take long. */
const SPEND_MS = 3 * DAY_MS;
const CRON_RUNS_MS = 90 * DAY_MS;
const PAYMENTS_MS = 730 * DAY_MS;
const EXECUTIONS_MS = 90 * DAY_MS;
const DELIVERY_BODIES_MS = 30 * DAY_MS;
const HOUR_MS = 3_600_000;
/** Between two slices of payments or own events, so that a first walk over years of them leaves the disk to the payments of today. */
const PAUSE_MS = 250;

export function retentionLoop(
  db: Database,
  options: RetentionOptions,
  readClock: () => Promise<Clock>,
): LoopDefinition {
  const {
    idempotencyKeysMs = 30 * DAY_MS,
    paymentsMs = PAYMENTS_MS,
    executionsMs = EXECUTIONS_MS,
    deliveryBodiesMs = DELIVERY_BODIES_MS,
    ownEventsMs = null,
  } = options;
  let place: ArchivePlace | null = null;
  let ownPlace: OwnEventPlace | null = null;
  return {
    name: 'retention',
    pollMs: POLL_MS,
    async runOnce() {
      const clock = await readClock();
      const ago = (ms: number): Date => new Date(clock.now.getTime() - ms);
      const keys = await deleteKeyRecordsBefore(db, ago(idempotencyKeysMs), ROWS_AT_ONCE);
      const ofPayments = await deleteSpendBefore(db, ago(SPEND_MS), ROWS_AT_ONCE);
      const spend = ofPayments + (await deletePayoutSpendBefore(db, ago(SPEND_MS), ROWS_AT_ONCE - ofPayments));
      const runs = await deleteCronRunsBefore(db, ago(CRON_RUNS_MS), ROWS_AT_ONCE);
      const slice =
        paymentsMs === null
          ? { archived: 0, next: null }
          : await archiveSlice(db, clock, SYSTEM, {
              olderThanMs: paymentsMs,
              from: place,
              onSetAside: options.onSetAside,
            });
      place = slice.next;
      const forgotten =
        executionsMs === null
          ? { months: 0, rows: 0 }
          : await forgetExecutions(db, ago(Math.max(executionsMs, DAY_MS)), ROWS_AT_ONCE);
      const attempts =
        executionsMs === null
          ? { months: 0, rows: 0 }
          : await forgetDeliveryAttempts(db, ago(Math.max(executionsMs, DAY_MS)), ROWS_AT_ONCE);
      const bodies =
        deliveryBodiesMs === null
          ? 0
          : await deleteDeliveryBodies(db, ago(Math.max(deliveryBodiesMs, HOUR_MS)), ROWS_AT_ONCE);
      const emails =
        executionsMs === null ? 0 : await forgetEmails(db, ago(Math.max(executionsMs, DAY_MS)), ROWS_AT_ONCE);
      const ownCounts = await deleteOwnCounts(db, ROWS_AT_ONCE);
      const own =
        ownEventsMs === null
          ? { erased: 0, next: null }
          : await eraseOldOwnEvents(db, clock, {
              olderThanMs: ownEventsMs,
              from: ownPlace,
              onSetAside: options.onEventSetAside,
            });
      ownPlace = own.next;
      const isDone = place === null && ownPlace === null;
      return {
        counts: {
          keys,
          spend,
          runs,
          archived: slice.archived,
          executions: forgotten.rows,
          attempts: attempts.rows,
          bodies,
          emails,
          ownCounts,
          erased: own.erased,
          walks: place === null ? 1 : 0,
        },
        more:
          [keys, spend, runs, forgotten.rows, attempts.rows, bodies, emails, ownCounts].includes(ROWS_AT_ONCE) ||
          forgotten.months + attempts.months > 0,
        ...(isDone ? {} : { nextInMs: PAUSE_MS }),
      };
    },
  };
}

export interface ArchiveOrder {
  readonly olderThanMs: number;
  readonly caller: Caller;
  /** Every slice is rolled back. */
  readonly dryRun?: boolean;
  /** Asked between slices; throws to stop. */
  readonly onSlice?: (archived: number) => void;
}

/** One walk over all payments; returns how many were archived. */
export async function archiveAll(db: Database, clock: Clock, order: ArchiveOrder): Promise<number> {
  const { olderThanMs, caller, dryRun = false, onSlice } = order;
  let archived = 0;
  let from: ArchivePlace | null = null;
  do {
    const slice = await archiveSlice(db, clock, caller, { olderThanMs, from, dryRun });
    archived += slice.archived;
    from = slice.next;
    onSlice?.(archived);
  } while (from !== null);
  return archived;
}
