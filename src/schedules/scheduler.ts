// One batch of the scheduler: claims due schedules and visits them. Any number of schedulers may do this at once: each takes
// rows that nobody else has, and (schedule, slot) is unique whatever happens.
//
//   the process dies              the transaction is gone, the rows are free, another scheduler takes them
//   a lock is held elsewhere      the batch waits at most LOCK_WAIT_MS, is undone, and the next one takes what it can
//   the batch fails unexpectedly  its schedules are visited again, each alone; the one to blame is set aside and reported
import type { Database, Transaction } from '../db/index.ts';
import { isConnectionTrouble, sqlState } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import type { OrderBounds } from '../payments/index.ts';
import type { ScheduleClaimer } from './claim.ts';
import type { ScheduleDue } from './due-store.ts';
import { lockScheduleDue, moveScheduleDue } from './due-store.ts';
import type { VisitCounts, VisitOptions, Visited } from './make.ts';
import { COUNTS, noCounts, visitSchedules } from './make.ts';
import type { Paces } from './pace.ts';

export interface BatchOptions {
  /** Schedules in one transaction, at most. */
  readonly batchSize: number;
  readonly bounds: OrderBounds;
  /** Of subscriptions. */
  readonly paces?: Paces | null;
  /** Told of what each visit did, once that is committed. */
  readonly onVisited?: (visited: readonly Visited[]) => void;
  /** Live time; read inside the transaction of the batch. */
  readonly readClock: (tx: Transaction) => Promise<Clock>;
  /** Told of a schedule whose visit threw: a bug or a corrupted row, for a person to see. */
  readonly onPoisoned?: (scheduleId: Uuid, error: unknown) => void;
}

export interface BatchReport {
  readonly claimed: number;
  readonly counts: VisitCounts;
  /** How long until the next schedule is due, or null where none is. */
  readonly nextInMs: number | null;
}

const LOCK_WAIT_MS = 1_000;
const SET_ASIDE_MS = 15 * 60_000;
const BOUNDED = { lockTimeoutMs: LOCK_WAIT_MS, probes: true };

export async function runDueSchedules(
  db: Database,
  claimer: ScheduleClaimer,
  options: BatchOptions,
): Promise<BatchReport> {
  let claimed: readonly ScheduleDue[] = [];
  const visited: Visited[] = [];
  try {
    const report = await db.transaction(async (tx) => {
      // A try before this one was undone, and what was noted of it with it.
      visited.length = 0;
      const clock = await options.readClock(tx);
      const readAtMs = performance.now();
      const claim = await claimer.claim(tx, clock, options.batchSize);
      claimed = claim.rows;
      const visits = await visitSchedules(tx, clock, claim.rows, options.bounds, noting(options, visited));
      const counts = { ...visits, held: claim.held };
      const nextInMs = claim.nextInMs === null ? null : Math.max(0, claim.nextInMs - (performance.now() - readAtMs));
      return { claimed: claim.rows.length, counts, nextInMs };
    }, BOUNDED);
    if (visited.length > 0) options.onVisited?.(visited);
    return report;
  } catch (error) {
    if (claimed.length === 0 || !isOfTheWork(error)) throw error;
    return visitOneByOne(db, claimed, options);
  }
}

const noting = ({ paces = null, onVisited }: BatchOptions, visited: Visited[]): VisitOptions =>
  onVisited ? { paces, visited } : { paces };

/** Somebody's fault in particular, rather than of the wire, the server, a lock or a lost race: then it is looked for. */
function isOfTheWork(error: unknown): boolean {
  return !isConnectionTrouble(error) && !/^(40|55P03)/.test(sqlState(error) ?? '');
}

async function visitOneByOne(db: Database, rows: readonly ScheduleDue[], options: BatchOptions): Promise<BatchReport> {
  const total = noCounts();
  for (const row of rows) {
    const key = { tenantId: row.tenantId, id: row.scheduleId };
    const visit = (work: (tx: Transaction, clock: Clock, held: ScheduleDue) => Promise<void>): Promise<void> =>
      db.transaction(async (tx) => {
        const held = await lockScheduleDue(tx, key, { skipLocked: true });
        const clock = await options.readClock(tx);
        if (held && held.dueAt <= clock.now) await work(tx, clock, held);
      }, BOUNDED);
    const visited: Visited[] = [];
    try {
      let counts = noCounts();
      await visit(async (tx, clock, held) => {
        visited.length = 0;
        const { discardedThrough } = row;
        const isDiscarded = discardedThrough !== undefined && held.dueAt <= discardedThrough;
        const alone = isDiscarded ? { ...held, discardedThrough } : held;
        counts = await visitSchedules(tx, clock, [alone], options.bounds, noting(options, visited));
      });
      for (const name of COUNTS) total[name] += counts[name];
      if (visited.length > 0) options.onVisited?.(visited);
    } catch (error) {
      if (!isOfTheWork(error)) throw error;
      options.onPoisoned?.(row.scheduleId, error);
      // It must not come first in every batch to come.
      await visit((tx, clock, held) =>
        moveScheduleDue(tx, [{ ...held, dueAt: new Date(clock.now.getTime() + SET_ASIDE_MS) }]),
      );
    }
  }
  return { claimed: rows.length, counts: total, nextInMs: 0 };
}
