// Which due payments to take next. The due set is ordered by (tenant, priority, time); a claim takes from many such
// ranges at once, so that one tenant's million does not hold up another's ten, and a lower priority keeps a share.
//
// Each range is entered where the last claim left it, not at its beginning. Rows that were settled are gone, but while
// any old snapshot is open anywhere they are still in the index, and a scan from the beginning would step over every
// one of them on every claim. With what it takes, a claim learns what will be due next in those ranges. Some times a second,
// and whenever nothing was found, a look goes a little back behind the marks, for payments that were made due at once and
// committed late. What appears further back (a due time that was moved, a row that another processor had and gave
// back) is found by a sweep from the beginning: as often as is cheap, that is, one that took t is not repeated for 20 t,
// nor within a second, or within 50 ms after a wake-up; and whenever somebody asks for a thorough claim.
import type { Sql, Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { MAX_UUID, NIL_UUID, Throttle } from '../kernel/index.ts';
import { giveBackExecutions, listExecutors, takeExecutions } from '../tenants/index.ts';
import type { Backlog, DueMark, DueRow } from './due-store.ts';
import { claimDue, firstDue } from './due-store.ts';
import { PRIORITIES } from './payment.ts';
import { PAYOUT_PRIORITY } from './payout-terms.ts';

interface Level {
  readonly priority: number;
  /** The share of a tenant's part that it may take while the other levels have due work too. */
  readonly share: number;
}

const LEVELS: readonly Level[] = [
  { priority: PRIORITIES.high, share: 0.7 },
  { priority: PRIORITIES.normal, share: 0.2 },
  { priority: PRIORITIES.low, share: 0.1 },
];
const PAYOUT_LEVELS = LEVELS.map((level) => ({ ...level, priority: level.priority + PAYOUT_PRIORITY }));

/** How soon to ask again for what a cap held back. */
const CAPPED_MS = 50;
/** How far behind its mark a range is looked at again, and how often while there is always something to take. */
const SET_BACK_MS = 2_000;
const LOOK_EVERY_MS = 50;
const SWEEP_EVERY_MS = 1_000;
/** Tenants served by one batch; the next ones come with the next batch. */
const TENANTS_PER_BATCH = 64;

interface Range {
  readonly tenantId: Uuid;
  readonly priority: number;
  readonly share: number;
  /** The last row taken: nothing is left before it, as far as is known. */
  mark: DueMark | null;
  /** The first due instant beyond the mark that the last look found; null when it found none, or that was taken. */
  nextDueAt: Date | null;
}

export interface Claim {
  readonly rows: readonly DueRow[];
  /** Nothing was left: how long until the next payment is due, if any is waiting. */
  readonly nextInMs: number | null;
}

export class Claimer {
  /** Executions a second of a tenant that has no cap of its own; null for no cap. */
  readonly #defaultCap: number | null;
  readonly #levels: readonly Level[];
  #ranges: Range[] = [];
  #caps = new Map<Uuid, number>();
  /** What the ranges of a capped tenant are behind their share, or ahead of it, of all that was granted so far. */
  readonly #owed = new Map<string, number>();
  #swept = new Throttle();
  #looked = new Throttle();
  /** By a wake-up: the next sweep is made as soon as it may be. */
  #sweepAsked = false;
  #turn = 0;

  /** `payouts`: claims payouts, and nothing else. Default: everything but payouts. */
  constructor({
    executionsPerSecond = null,
    payouts = false,
  }: { readonly executionsPerSecond?: number | null; readonly payouts?: boolean } = {}) {
    this.#defaultCap = executionsPerSecond;
    this.#levels = payouts ? PAYOUT_LEVELS : LEVELS;
  }

  /** Takes up to `limit` due rows. Real time paces the sweeps; what is due is decided by the clock. */
  async claim(
    tx: Transaction,
    clock: Clock,
    limit: number,
    options: { thorough?: boolean; woken?: boolean } = {},
  ): Promise<Claim> {
    // A wake-up may be of a tenant that is not known yet, or of a due time that is long past.
    this.#sweepAsked ||= options.woken ?? false;
    if (this.#swept.isDue(this.#sweepAsked ? LOOK_EVERY_MS : SWEEP_EVERY_MS))
      await this.#swept.run(() => this.#sweep(tx));
    else if (this.#looked.isDue(LOOK_EVERY_MS)) await this.#looked.run(() => this.#look(tx));
    let rows = await this.#take(tx, clock, limit);
    if (rows.length === 0) {
      await (options.thorough ? this.#swept.run(() => this.#sweep(tx)) : this.#looked.run(() => this.#look(tx)));
      rows = await this.#take(tx, clock, limit);
    }
    return { rows, nextInMs: rows.length > 0 ? 0 : this.#nextInMs(clock) };
  }

  /** Finds out which ranges there are and which have anything, from their beginning. */
  async #sweep(sql: Sql): Promise<void> {
    this.#sweepAsked = false;
    const executors = await listExecutors(sql);
    this.#caps = new Map(
      executors.flatMap(({ tenantId, perSecond }) => {
        const cap = perSecond ?? this.#defaultCap;
        return cap === null ? [] : [[tenantId, cap] as const];
      }),
    );
    this.#ranges = executors.flatMap(({ tenantId }) =>
      this.#levels.map((level): Range => ({ tenantId, ...level, mark: null, nextDueAt: null })),
    );
    await this.#look(sql);
  }

  /** Finds out which ranges have anything beyond their marks, looking from a little before them. */
  async #look(sql: Sql): Promise<void> {
    const ranges = this.#ranges;
    const probes = ranges.map((range) => ({ ...range, mark: setBack(range.mark) }));
    const found = new Map((await firstDue(sql, probes)).map((row) => [row.tenantId + row.priority, row.firstDueAt]));
    for (const range of ranges) {
      range.nextDueAt = found.get(range.tenantId + range.priority) ?? null;
      const behind = range.mark !== null && range.nextDueAt !== null && range.nextDueAt <= range.mark.dueAt;
      if (behind) range.mark = setBack(range.mark);
    }
  }

  async #take(tx: Transaction, clock: Clock, limit: number): Promise<DueRow[]> {
    const due = this.#ranges.filter((range) => range.nextDueAt !== null && range.nextDueAt <= clock.now);
    if (due.length === 0) return [];
    const quotas = await this.#withinCaps(tx, shareOut(due, limit, (this.#turn += 1)));
    if (quotas.length === 0) return [];
    const ranges = quotas.map(({ range, limit }) => ({ ...range, mark: range.mark ?? startOf(range), limit }));
    const [rows, ahead] = await tx.together([
      () => claimDue(tx, ranges, clock.now),
      () =>
        firstDue(
          tx,
          ranges.map((range) => ({ ...range, mark: { dueAt: clock.now, paymentId: MAX_UUID } })),
        ),
    ]);
    this.#advance(quotas, rows, ahead);
    await this.#giveBack(tx, quotas, rows);
    return rows;
  }

  async #withinCaps(tx: Transaction, quotas: readonly Quota[]): Promise<Quota[]> {
    if (this.#caps.size === 0) return [...quotas];
    const within: Quota[] = [];
    for (const [tenantId, own] of Map.groupBy(quotas, (quota) => quota.range.tenantId)) {
      const cap = this.#caps.get(tenantId);
      const wanted = sumOf(own);
      const granted = cap === undefined ? wanted : await takeExecutions(tx, tenantId, Math.min(wanted, cap), cap);
      within.push(...(granted < wanted ? this.#shareGranted(own, granted) : own));
    }
    return within;
  }

  /** By their shares, like a whole batch; what does not divide goes to who is furthest behind, so that nobody starves. */
  #shareGranted(quotas: readonly Quota[], granted: number): Quota[] {
    const wanted = sumOf(quotas);
    const shares = quotas.map((quota) => {
      const name = quota.range.tenantId + quota.range.priority;
      return { quota, name, owed: (this.#owed.get(name) ?? 0) + (granted * quota.limit) / wanted, limit: 0 };
    });
    for (let unit = 0; unit < granted; unit += 1) {
      const next = shares.reduce((most, share) => (share.owed > most.owed ? share : most));
      next.owed -= 1;
      next.limit += 1;
    }
    for (const { name, owed } of shares) this.#owed.set(name, owed);
    return shares.flatMap(({ quota, limit }) => (limit > 0 ? [{ ...quota, limit }] : []));
  }

  /** What was granted and not used, because one range had less than its share: another may have it, this second still. */
  async #giveBack(tx: Transaction, quotas: readonly Quota[], rows: readonly DueRow[]): Promise<void> {
    if (this.#caps.size === 0) return;
    for (const [tenantId, own] of Map.groupBy(quotas, (quota) => quota.range.tenantId)) {
      const unused = sumOf(own) - rows.filter((row) => row.tenantId === tenantId).length;
      if (unused > 0 && this.#caps.has(tenantId)) await giveBackExecutions(tx, tenantId, unused);
    }
  }

  /** Moves the marks to the last row taken; a range that gave less than it might is drained until its next instant. */
  #advance(quotas: readonly Quota[], rows: readonly DueRow[], ahead: readonly Backlog[]): void {
    const taken = Map.groupBy(rows, (row) => row.tenantId + row.priority);
    const nextOf = new Map(ahead.map((row) => [row.tenantId + row.priority, row.firstDueAt]));
    for (const { range, limit } of quotas) {
      const own = taken.get(range.tenantId + range.priority) ?? [];
      // Two claims of one process may be under way: the mark only goes forward.
      for (const row of own) if (!range.mark || isBefore(range.mark, row)) range.mark = row;
      if (own.length < limit) range.nextDueAt = nextOf.get(range.tenantId + range.priority) ?? null;
    }
  }

  #nextInMs(clock: Clock): number | null {
    let next = this.#sweepAsked ? Math.max(1, this.#swept.dueInMs(LOOK_EVERY_MS)) : null;
    for (const { nextDueAt } of this.#ranges) {
      if (!nextDueAt) continue;
      const aheadMs = nextDueAt.getTime() - clock.now.getTime();
      // What is due already was not granted by its tenant's cap: soon, not at once, or the loop would spin for it.
      const inMs = aheadMs > 0 ? aheadMs : CAPPED_MS;
      if (next === null || inMs < next) next = inMs;
    }
    return next;
  }
}

/** A range that was looked at from its beginning has nothing left before what was found. */
function startOf({ nextDueAt }: Range): DueMark | null {
  return nextDueAt && { dueAt: nextDueAt, paymentId: NIL_UUID };
}

function setBack(mark: DueMark | null): DueMark | null {
  return mark && { dueAt: new Date(mark.dueAt.getTime() - SET_BACK_MS), paymentId: mark.paymentId };
}

function isBefore(a: DueMark, b: DueMark): boolean {
  const byTime = a.dueAt.getTime() - b.dueAt.getTime();
  return byTime === 0 ? a.paymentId < b.paymentId : byTime < 0;
}

interface Quota {
  readonly range: Range;
  readonly limit: number;
}

const sumOf = (quotas: readonly Quota[]): number => quotas.reduce((sum, quota) => sum + quota.limit, 0);

/**
 * Divides a batch: first evenly among the tenants that have due work, then among a tenant's priorities by their share.
 * Who has no competition takes what the others do not need. Which tenants come first changes from turn to turn.
 */
function shareOut(ranges: readonly Range[], limit: number, turn: number): Quota[] {
  const tenants = Map.groupBy(ranges, (range) => range.tenantId);
  const names = [...tenants.keys()].toSorted();
  const start = names.length > TENANTS_PER_BATCH ? (turn * TENANTS_PER_BATCH) % names.length : 0;
  const served = [...names.slice(start), ...names.slice(0, start)].slice(0, TENANTS_PER_BATCH);
  const perTenant = Math.max(1, Math.floor(limit / served.length));
  return served.flatMap((tenantId) => {
    const own = tenants.get(tenantId) ?? [];
    const shares = own.reduce((sum, range) => sum + range.share, 0);
    return own.map((range) => ({ range, limit: Math.max(1, Math.floor((perTenant * range.share) / shares)) }));
  });
}
