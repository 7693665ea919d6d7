// One batch of the scheduler: claims due schedules and visits them. Any number of schedulers may do this at once: each takes
// rows that no other scheduler holds, and (schedule, slot) is unique whatever happens.
//
//   the process dies              the transaction is gone, the rows are free, another scheduler takes them
//   a payer's balance is held     the batch waits at most LOCK_WAIT_MS and is undone; its schedules are visited again without
//                                 waiting for balances, and those that cannot have theirs are put off (`Marks`)
//   another lock is held          each schedule is visited alone; the one that has to wait is put off, and stays out of batches
//   the batch fails unexpectedly  each schedule is visited alone; the one that throws is set aside and reported
import type { Database, Transaction } from '../db/index.ts';
import { isConflict, isContention, isLockTimeout } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import type { OrderBounds } from '../payments/index.ts';
import type { ScheduleClaimer } from './claim.ts';
import type { ScheduleDue } from './due-store.ts';
import { lockScheduleDue, lockScheduleDuesIfFree, postponeScheduleDue } from './due-store.ts';
import { isNoRowsFault } from './faults.ts';
import type { VisitOptions, Visited } from './make.ts';
import { visitSchedules } from './make.ts';
import type { Paces } from './pace.ts';
import type { VisitCounts } from './visit-notes.ts';
import { COUNTS, noCounts } from './visit-notes.ts';

/** More options of the scheduler. */
export interface BatchOptions {
  /** Schedules in one transaction, at most. */
  readonly batchSize: number;
  readonly bounds: OrderBounds;
  /** Of subscriptions. */
  readonly paces?: Paces | null;
  /** Of one loop: schedules that had to wait for a lock. */
  readonly marks?: Marks;
  /** Called with the visits of a batch, after its commit; the next batch waits for it. */
  readonly onVisited?: (visited: readonly Visited[]) => void | Promise<void>;
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
/** A schedule that is visited alone holds up the ones after it. */
const ALONE_WAIT_MS = 100;
const SET_ASIDE_MS = 15 * 60_000;
const PUT_OFF_MS = 2_000;
const BOUNDED = { lockTimeoutMs: LOCK_WAIT_MS, probes: true };
const ALONE = { lockTimeoutMs: ALONE_WAIT_MS, probes: true };

/**
 * Schedules that found a lock held, so that the next batch does not wait for it again: `impatient` ones do not wait for their
 * payer's balance, `alone` ones are visited after the batch, each by itself. Schedules that are set aside are left where they are
 * until an instant: those whose due row must not move. In memory only: a mark that is lost costs one wait.
 */
export class Marks {
  static readonly #MOST = 10_000;
  readonly #marks = new Map<Uuid, 'impatient' | 'alone'>();
  readonly #asideUntil = new Map<Uuid, Date>();

  set(scheduleId: Uuid, mark: 'impatient' | 'alone'): void {
    if (this.#marks.size >= Marks.#MOST) this.#marks.clear();
    this.#marks.set(scheduleId, mark);
  }

  clear(scheduleId: Uuid): void {
    this.#marks.delete(scheduleId);
  }

  setAside(scheduleId: Uuid, until: Date): void {
    if (this.#asideUntil.size >= Marks.#MOST) this.#asideUntil.clear();
    this.#asideUntil.set(scheduleId, until);
  }

  isAside(scheduleId: Uuid, now: Date): boolean {
    const until = this.#asideUntil.size === 0 ? undefined : this.#asideUntil.get(scheduleId);
    return until !== undefined && now < until;
  }

  isImpatient(scheduleId: Uuid): boolean {
    return this.#marks.size > 0 && this.#marks.has(scheduleId);
  }

  isAlone(scheduleId: Uuid): boolean {
    return this.#marks.size > 0 && this.#marks.get(scheduleId) === 'alone';
  }
}

export async function runDueSchedules(
  db: Database,
  claimer: ScheduleClaimer,
  given: BatchOptions,
): Promise<BatchReport> {
  const options = { ...given, marks: given.marks ?? new Marks() };
  const { marks } = options;
  let claimed: readonly ScheduleDue[] = [];
  const noted = new Noted(options);
  let report: BatchReport;
  try {
    report = await db.transaction(async (tx) => {
      const clock = await options.readClock(tx);
      const readAtMs = performance.now();
      const claim = await claimer.claim(tx, clock, options.batchSize);
      claimed = claim.rows.filter((row) => !marks.isAside(row.scheduleId, clock.now));
      if (claimed.length === 0 && claim.rows.length > 0)
        return { claimed: 0, counts: { ...noCounts(), held: claim.held }, nextInMs: null };
      const together = claimed.filter((row) => !marks.isAlone(row.scheduleId));
      const visits = await visitSchedules(tx, clock, together, options.bounds, noted.begin());
      const counts = { ...visits, held: claim.held };
      const nextInMs = claim.nextInMs === null ? null : Math.max(0, claim.nextInMs - (performance.now() - readAtMs));
      return { claimed: claimed.length, counts, nextInMs };
    }, BOUNDED);
  } catch (error) {
    if (claimed.length === 0 || isNoRowsFault(error) || isConflict(error)) throw error;
    return recover(db, claimed, options, error);
  }
  await noted.committed();
  const alone = claimed.filter((row) => marks.isAlone(row.scheduleId));
  if (alone.length === 0) return report;
  const apart = await visitOneByOne(db, alone, options);
  return { ...report, counts: sumOf(report.counts, apart) };
}

type Options = BatchOptions & { readonly marks: Marks };

/** Every way is tried once, from the quickest to the most careful. */
async function recover(
  db: Database,
  rows: readonly ScheduleDue[],
  options: Options,
  error: unknown,
): Promise<BatchReport> {
  const counts = isLockTimeout(error)
    ? await visitImpatiently(db, rows, options).catch((worse: unknown) => {
        if (isNoRowsFault(worse)) throw worse;
        return visitOneByOne(db, rows, options);
      })
    : await visitOneByOne(db, rows, options);
  return { claimed: rows.length, counts, nextInMs: 0 };
}

/** What a try has to tell. A try that is undone tells nothing. */
class Noted {
  readonly #options: Options;
  readonly #visited: Visited[] = [];
  readonly #busy = new Set<Uuid>();

  constructor(options: Options) {
    this.#options = options;
  }

  begin(): VisitOptions {
    const { paces = null, onVisited, marks } = this.#options;
    this.#visited.length = 0;
    this.#busy.clear();
    return {
      paces,
      busy: this.#busy,
      isImpatient: (id) => marks.isImpatient(id),
      ...(onVisited ? { visited: this.#visited } : {}),
    };
  }

  async committed(): Promise<void> {
    for (const id of this.#busy) this.#options.marks.set(id, 'impatient');
    if (this.#visited.length > 0) await this.#options.onVisited?.([...this.#visited]);
  }
}

/** The same rows without waiting for any payer's balance. */
async function visitImpatiently(db: Database, rows: readonly ScheduleDue[], options: Options): Promise<VisitCounts> {
  const noted = new Noted(options);
  const counts = await db.transaction(async (tx) => {
    const clock = await options.readClock(tx);
    const held = await lockScheduleDuesIfFree(
      tx,
      rows.map((row) => ({ tenantId: row.tenantId, id: row.scheduleId })),
    );
    const due = held.filter((row) => row.dueAt <= clock.now);
    return visitSchedules(tx, clock, withDiscarded(due, rows), options.bounds, {
      ...noted.begin(),
      isImpatient: () => true,
    });
  }, BOUNDED);
  await noted.committed();
  return counts;
}

/** What was discarded stays so, as long as the row stands where it stood. */
function withDiscarded(held: readonly ScheduleDue[], claimed: readonly ScheduleDue[]): ScheduleDue[] {
  const through = new Map(claimed.map((row) => [row.scheduleId, row.discardedThrough]));
  return held.map((row) => {
    const discardedThrough = through.get(row.scheduleId);
    return discardedThrough && row.dueAt <= discardedThrough ? { ...row, discardedThrough } : row;
  });
}

async function visitOneByOne(db: Database, rows: readonly ScheduleDue[], options: Options): Promise<VisitCounts> {
  let total = noCounts();
  const noted = new Noted(options);
  for (const row of rows) {
    const key = { tenantId: row.tenantId, id: row.scheduleId };
    let now = row.dueAt;
    try {
      const counts = await db.transaction(async (tx) => {
        const held = await lockScheduleDue(tx, key, { skipLocked: true });
        const clock = await options.readClock(tx);
        now = clock.now;
        if (!held || held.dueAt > clock.now) return noCounts();
        const visit = { ...noted.begin(), isImpatient: () => true };
        return visitSchedules(tx, clock, withDiscarded([held], [row]), options.bounds, visit);
      }, ALONE);
      options.marks.clear(row.scheduleId);
      await noted.committed();
      total = sumOf(total, counts);
    } catch (error) {
      if (isNoRowsFault(error)) throw error;
      const mustWait = isContention(error);
      if (mustWait) options.marks.set(row.scheduleId, 'alone');
      else options.onPoisoned?.(row.scheduleId, error);
      // Otherwise it would come first in every batch, and a run that ends when nothing is due would not end. A row whose slots were
      // discarded is not moved: past what was discarded, its slots would be made.
      const forMs = mustWait ? PUT_OFF_MS : SET_ASIDE_MS;
      if (row.discardedThrough) options.marks.setAside(row.scheduleId, new Date(now.getTime() + forMs));
      else
        await putOff(db, key, options, forMs).catch((trouble: unknown) => {
          if (isNoRowsFault(trouble)) throw trouble;
        });
    }
  }
  return total;
}

async function putOff(
  db: Database,
  key: { readonly tenantId: Uuid; readonly id: Uuid },
  options: Options,
  forMs: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const clock = await options.readClock(tx);
    await postponeScheduleDue(tx, key, clock.now, new Date(clock.now.getTime() + forMs));
  }, ALONE);
}

const sumOf = (a: VisitCounts, b: VisitCounts): VisitCounts => {
  const sum = noCounts();
  for (const name of COUNTS) sum[name] = a[name] + b[name];
  return sum;
};
