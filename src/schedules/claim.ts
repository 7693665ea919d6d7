// Which due schedules to look at next: oldest first, every tenant with due work its share of a batch. As for payments, a
// tenant's range is entered where the last claim left it; what appears behind that (a schedule that was edited, a row that
// another scheduler had and gave back) is found by looking from the beginning, at least every second while there is work,
// and whenever a claim would otherwise find nothing. That look also notices an outage (outages/): what waits for a person is
// then behind where the tenant's range begins.
import type { Transaction } from '../db/index.ts';
import { isLastingError } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { MAX_UUID } from '../kernel/index.ts';
import { listExecutors } from '../tenants/index.ts';
import type { DueMark, ScheduleDue } from './due-store.ts';
import { claimSchedules, firstDueSchedules } from './due-store.ts';
import type { Discarded, Watch } from './outages/store.ts';
import { readWatches } from './outages/store.ts';
import { holdOverdue } from './outages/watch.ts';

const SWEEP_EVERY_MS = 1_000;
/** Tenants served by one batch; the next ones come with the next batch. */
const TENANTS_PER_BATCH = 64;

interface Range {
  readonly tenantId: Uuid;
  mark: DueMark | null;
  nextDueAt: Date | null;
  readonly discarded: readonly Discarded[];
}

export interface ClaimNotices {
  /** Told of a schedule whose amount could not be read while an outage was looked for. */
  readonly onPoisoned?: (scheduleId: Uuid, error: unknown) => void;
  /** Told of a tenant whose outage guard could not be evaluated. */
  readonly onTenantSetAside?: (tenantId: Uuid, error: unknown) => void;
}

export class ScheduleClaimer {
  #ranges: Range[] = [];
  #sweptAtMs = -Infinity;
  #turn = 0;
  readonly #notices: ClaimNotices;

  constructor(notices: ClaimNotices = {}) {
    this.#notices = notices;
  }

  /** Takes up to `limit` due rows. Real time paces the sweeps; what is due is decided by the clock. */
  async claim(
    tx: Transaction,
    clock: Clock,
    limit: number,
  ): Promise<{ rows: readonly ScheduleDue[]; held: number; nextInMs: number | null }> {
    const sweeps = performance.now() - this.#sweptAtMs > SWEEP_EVERY_MS;
    let held = sweeps ? await this.#sweep(tx, clock) : 0;
    let rows = await this.#take(tx, clock, limit);
    if (rows.length === 0 && !sweeps) {
      held += await this.#sweep(tx, clock);
      rows = await this.#take(tx, clock, limit);
    }
    return { rows, held, nextInMs: rows.length > 0 ? 0 : this.#nextInMs(clock) };
  }

  /** Returns how many schedules began to wait for a person. */
  async #sweep(tx: Transaction, clock: Clock): Promise<number> {
    const [executors, watches] = await tx.together([() => listExecutors(tx), () => readWatches(tx)]);
    const watched = new Map(watches.map((watch) => [watch.tenantId, watch]));
    const begins = executors.map(({ tenantId }) => {
      const outage = watched.get(tenantId)?.outage;
      return { tenantId, mark: outage?.status === 'waiting' ? { dueAt: outage.through, scheduleId: MAX_UUID } : null };
    });
    const found = await firstDueSchedules(tx, begins);
    const ranges: Range[] = [];
    let held = 0;
    for (const { tenantId, mark } of begins) {
      const nextDueAt = found.get(tenantId);
      if (!nextDueAt) continue;
      const watch = watched.get(tenantId);
      const overdue = watch && mark === null ? await this.#overdue(tx, clock, watch, nextDueAt) : null;
      // What is due from now on comes with the next look.
      if (overdue === 'unknown') continue;
      if (overdue === null) ranges.push({ tenantId, mark, nextDueAt, discarded: watch?.discarded ?? [] });
      else held += overdue;
    }
    this.#ranges = ranges;
    this.#sweptAtMs = performance.now();
    return held;
  }

  /** A tenant whose guard cannot be evaluated makes nothing until it can be: the others go on. */
  async #overdue(tx: Transaction, clock: Clock, watch: Watch, nextDueAt: Date): Promise<number | null | 'unknown'> {
    try {
      return await holdOverdue(tx, clock, watch, nextDueAt, this.#notices.onPoisoned);
    } catch (error) {
      if (!isLastingError(error)) throw error;
      this.#notices.onTenantSetAside?.(watch.tenantId, error);
      return 'unknown';
    }
  }

  async #take(tx: Transaction, clock: Clock, limit: number): Promise<ScheduleDue[]> {
    const due = this.#ranges.filter((range) => range.nextDueAt !== null && range.nextDueAt <= clock.now);
    if (due.length === 0) return [];
    const start = due.length > TENANTS_PER_BATCH ? ((this.#turn += 1) * TENANTS_PER_BATCH) % due.length : 0;
    const served = [...due.slice(start), ...due.slice(0, start)].slice(0, TENANTS_PER_BATCH);
    const share = Math.max(1, Math.floor(limit / served.length));
    const rows = await claimSchedules(
      tx,
      served.map(({ tenantId, mark }) => ({ tenantId, mark, limit: share })),
      clock.now,
    );
    const taken = Map.groupBy(rows, (row) => row.tenantId);
    for (const range of served) {
      const own = taken.get(range.tenantId) ?? [];
      // Two claims of one process may be under way: the mark only goes forward.
      for (const row of own) if (!range.mark || isBefore(range.mark, row)) range.mark = row;
      if (own.length < share) range.nextDueAt = null;
    }
    const discarded = new Map(served.map((range) => [range.tenantId, range.discarded]));
    return rows.map((row) => {
      const span = discarded.get(row.tenantId)?.find((each) => isWithin(each, row.dueAt));
      return span ? { ...row, discardedThrough: span.through } : row;
    });
  }

  #nextInMs(clock: Clock): number | null {
    const ahead = this.#ranges.flatMap(({ nextDueAt }) => (nextDueAt ? [nextDueAt.getTime()] : []));
    return ahead.length === 0 ? null : Math.max(0, Math.min(...ahead) - clock.now.getTime());
  }
}

const isWithin = ({ after, through }: Discarded, dueAt: Date): boolean =>
  dueAt <= through && (after === null || dueAt > after);

function isBefore(a: DueMark, b: DueMark): boolean {
  const byTime = a.dueAt.getTime() - b.dueAt.getTime();
  return byTime === 0 ? a.scheduleId < b.scheduleId : byTime < 0;
}
