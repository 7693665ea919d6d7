// Schedules as an application sees them. Verbs that make payments take an idempotency key; each runs in one transaction, or
// in a savepoint of the caller's own.
import type { Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { invariant, isUuid, oneOf, refuse, someOf } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { fingerprint, findAccounts } from '../ledger/index.ts';
import type { OrderBounds } from '../payments/index.ts';
import { createdWithin } from '../payments/index.ts';
import { once } from '../tenants/index.ts';
import { requirePayingGuardian } from './allowances/people.ts';
import type { BackfillOrder } from './by-hand.ts';
import { backfillSchedule, triggerSchedule } from './by-hand.ts';
import type { Deed, ScheduleEdit } from './change.ts';
import { cancelSchedule, editSchedule, pauseSchedule, resumeSchedule } from './change.ts';
import { createSchedule } from './create.ts';
import { listSoonest, readScheduleDue } from './due-store.ts';
import { holdSchedules } from './hold.ts';
import { findSchedules, pageOfSchedules } from './list.ts';
import type { ScheduleFilter } from './list-store.ts';
import { listOccurrences, occurrencesBetween } from './occurrence-store.ts';
import type { ScheduleOrder } from './order.ts';
import type { SchedulePreview } from './preview.ts';
import { previewTiming } from './preview.ts';
import type { Local, Slot, TimingInput } from './rules/index.ts';
import { formatLocal, parseLocal } from './rules/index.ts';
import type { Occurrence, OccurrenceStatus, Schedule, ScheduleStatus } from './schedule.ts';
import { OCCURRENCE_STATUSES, SCHEDULE_STATUSES, amountAt, endOf } from './schedule.ts';
import type { ScheduleKey, StoredSchedule } from './store.ts';
import { soonest } from './soonest.ts';
import { readSchedules } from './store.ts';
import { afterCharge, afterCredit } from './subscriptions/subscription.ts';

/** A schedule and what is next; null where nothing is, because it is paused or has ended. */
export interface ScheduleView extends Schedule {
  readonly next: Slot | null;
}

export interface UpcomingRun {
  /** Nominal local time, `2026-01-31T09:00:00`; of a fixed period in UTC. */
  readonly slot: string;
  readonly ordinal: number;
  /** When it runs, as the clocks of the zone show it then. */
  readonly local: string;
  readonly at: Date;
  readonly amount: bigint;
}

export interface CalendarRun extends UpcomingRun {
  readonly schedule: Schedule;
}

export interface ListedSchedules {
  /** Any of these. */
  readonly status?: ScheduleStatus | readonly ScheduleStatus[];
  /** Payer or payee, id or ref. */
  readonly account?: string;
  readonly reference?: string;
  readonly createdFrom?: Date | string;
  readonly createdBefore?: Date | string;
  /** Schedules whose metadata has every one of these fields. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface SchedulePage {
  readonly schedules: readonly ScheduleView[];
  /** The id to go on from; null at the end. */
  readonly next: Uuid | null;
}

export interface ScheduleVerbs {
  createSchedule(order: ScheduleOrder & { readonly idempotencyKey: string }): Promise<ScheduleView>;
  schedule(id: Uuid): Promise<ScheduleView>;
  /** Locks the schedule as its changes do, until the transaction ends: for a comparison before a change in the same transaction. */
  lockSchedule(id: Uuid): Promise<void>;
  schedules(filter?: ListedSchedules, page?: { limit?: number; before?: Uuid }): Promise<ScheduleView[]>;
  /** The same in bounded time: a page can be short, or empty, without being the last. */
  schedulesPage(filter?: ListedSchedules, page?: { limit?: number; before?: Uuid }): Promise<SchedulePage>;
  editSchedule(id: Uuid, edit: ScheduleEdit): Promise<ScheduleView>;
  pauseSchedule(id: Uuid, deed?: Deed): Promise<ScheduleView>;
  /** Goes on with the first slot that lies ahead. */
  resumeSchedule(id: Uuid, deed?: Deed): Promise<ScheduleView>;
  /** `cancelPayment`: its last payment too, if that is still waiting. */
  cancelSchedule(id: Uuid, deed?: Deed & { cancelPayment?: boolean }): Promise<ScheduleView>;
  /** One more payment now. */
  triggerSchedule(id: Uuid, options: { idempotencyKey: string }): Promise<Occurrence>;
  /** Pays slots of the past that were not paid; with `dryRun` only tells which. */
  backfillSchedule(
    id: Uuid,
    order: BackfillOrder & { dryRun?: boolean; idempotencyKey: string },
  ): Promise<Occurrence[]>;
  /** What will run; of a paused schedule, what would if it were resumed now. */
  upcoming(id: Uuid, count?: number): Promise<UpcomingRun[]>;
  /** What active schedules will pay in the next days, in order: the first 10,000 runs of the 1,000 schedules that run soonest. */
  calendar(options: { days: number; account?: string }): Promise<CalendarRun[]>;
  /** A rule's words and next runs (default 10, at most 366), as a schedule created now would have them. Nothing is stored. */
  previewSchedule(timing: TimingInput, options?: { limit?: number }): Promise<SchedulePreview>;
  /** Newest slot first. */
  occurrences(id: Uuid, page?: { limit?: number; before?: Local; status?: OccurrenceStatus }): Promise<Occurrence[]>;
}

const PAGE = 100;
export const MOST_UPCOMING = 366;
export const MOST_IN_CALENDAR = 1_000;
export const MOST_CALENDAR_RUNS = 10_000;
const DAY_MS = 24 * 3_600_000;

export function scheduleVerbs(context: VerbContext, bounds: OrderBounds): ScheduleVerbs {
  const { tenantId, caller, sql } = context;

  const key = (id: Uuid): ScheduleKey =>
    isUuid(id) ? { tenantId, id } : refuse('SCHEDULE_NOT_FOUND', { schedule: id });
  const find = async (id: Uuid): Promise<StoredSchedule> => {
    const [found] = await readSchedules(sql, [key(id)]);
    return found ?? refuse('SCHEDULE_NOT_FOUND', { schedule: id });
  };
  const views = async (stored: readonly StoredSchedule[]): Promise<ScheduleView[]> => {
    const due = await readScheduleDue(
      sql,
      stored.map(({ schedule }) => schedule),
    );
    const positions = new Map(due.map((row) => [row.scheduleId, row.position]));
    return stored.map(({ schedule, timetable }) => {
      const position = positions.get(schedule.id);
      return { ...schedule, next: position ? timetable.next(position) : null };
    });
  };
  const view = async (id: Uuid): Promise<ScheduleView> => {
    const [shown] = await views([await find(id)]);
    return shown ?? refuse('SCHEDULE_NOT_FOUND', { schedule: id });
  };
  const accountOf = async (name: string): Promise<Uuid> => {
    const [named] = await findAccounts(sql, tenantId, [name]);
    return named?.id ?? refuse('ACCOUNT_NOT_FOUND', { account: name, param: 'account' });
  };
  const filterOf = async (filter: ListedSchedules): Promise<ScheduleFilter> => ({
    ...(filter.status === undefined ? {} : { status: someOf(filter.status, SCHEDULE_STATUSES, 'status') }),
    ...(filter.account === undefined ? {} : { accountId: await accountOf(filter.account) }),
    ...(filter.reference === undefined ? {} : { reference: filter.reference }),
    ...createdWithin(filter),
    ...(filter.metadata === undefined ? {} : { metadata: filter.metadata }),
  });
  const rangeOf = ({ limit = PAGE, before }: { limit?: number; before?: Uuid }) => ({ limit, before: before ?? null });
  const change = async (id: Uuid, work: (tx: Transaction, clock: Clock) => Promise<void>): Promise<ScheduleView> => {
    await context.run(work);
    return view(id);
  };
  /** Once per key; what is remembered is text, from which the answer is found again. */
  const onceFor = (
    verb: string,
    order: { readonly idempotencyKey: string; readonly [field: string]: unknown },
    work: (tx: Transaction, clock: Clock) => Promise<string[]>,
  ): Promise<string[]> =>
    context.run(async (tx, clock) => {
      if (context.keyed) return work(tx, clock);
      const scope = { tenantId, actor: caller.scope, key: order.idempotencyKey, fingerprint: fingerprint(verb, order) };
      return (await once(tx, scope, (inner) => work(inner, clock))).answer;
    });
  const occurrencesAt = async (id: Uuid, slots: readonly string[]): Promise<Occurrence[]> => {
    const wanted = new Set(slots.map((slot) => parseLocal(slot, 'slot')));
    if (wanted.size === 0) return [];
    const found = await occurrencesBetween(sql, key(id), Math.min(...wanted), Math.max(...wanted));
    return found.filter((each) => each.slots === 1 && wanted.has(each.slot));
  };

  return {
    async createSchedule(order) {
      const [id = ''] = await onceFor('createSchedule', { ...order }, async (tx, clock) => [
        (await createSchedule(tx, clock, { tenantId, caller }, order, { bounds })).id,
      ]);
      return view(id);
    },
    schedule: view,
    lockSchedule: (id) => context.runUntimed(async (tx) => void (await holdSchedules(tx, [key(id)]))),
    schedules: async (filter = {}, page = {}) =>
      views(await findSchedules(sql, tenantId, await filterOf(filter), rangeOf(page))),
    async schedulesPage(filter = {}, page = {}) {
      const { items, next } = await pageOfSchedules(sql, tenantId, await filterOf(filter), rangeOf(page));
      return { schedules: await views(items), next };
    },
    editSchedule: (id, edit) => change(id, (tx, clock) => editSchedule(tx, clock, caller, key(id), edit, bounds)),
    pauseSchedule: (id, deed = {}) => change(id, (tx, clock) => pauseSchedule(tx, clock, caller, key(id), deed)),
    resumeSchedule: (id, deed = {}) =>
      change(id, async (tx, clock) => {
        await requirePayingGuardian(tx, key(id));
        await resumeSchedule(tx, clock, caller, key(id), deed);
      }),
    cancelSchedule: (id, deed = {}) => change(id, (tx, clock) => cancelSchedule(tx, clock, caller, key(id), deed)),
    async triggerSchedule(id, options) {
      const slots = await onceFor('triggerSchedule', { id, ...options }, async (tx, clock) => [
        formatLocal((await triggerSchedule(tx, clock, caller, key(id), bounds)).slot),
      ]);
      const [made] = await occurrencesAt(id, slots);
      invariant(made !== undefined, `what was triggered of the schedule ${id} to be there`);
      return made;
    },
    async backfillSchedule(id, order) {
      if (order.dryRun) return context.run((tx, clock) => backfillSchedule(tx, clock, caller, key(id), order, bounds));
      const slots = await onceFor('backfillSchedule', { id, ...order }, async (tx, clock) => {
        const made = await backfillSchedule(tx, clock, caller, key(id), order, bounds);
        return made.map((each) => formatLocal(each.slot));
      });
      return occurrencesAt(id, slots);
    },
    async upcoming(id, count = 10) {
      if (!Number.isSafeInteger(count) || count < 1 || count > MOST_UPCOMING) {
        refuse('FIELD_INVALID/not_whole_number', { param: 'count', min: 1, max: MOST_UPCOMING });
      }
      const stored = await find(id);
      const { schedule, timetable, stand } = stored;
      const [due] = await readScheduleDue(sql, [schedule]);
      if (!due && schedule.status !== 'paused') return [];
      const slot = due
        ? timetable.next(due.position)
        : timetable.after((await context.moment(sql)).now.getTime(), stand?.position.local);
      return runsFrom(stored, slot, count);
    },
    async calendar({ days, account }) {
      if (!Number.isSafeInteger(days) || days < 1 || days > MOST_UPCOMING) {
        refuse('FIELD_INVALID/not_whole_number', { param: 'days', min: 1, max: MOST_UPCOMING });
      }
      const { clockId, now } = await context.moment(sql);
      const until = now.getTime() + days * DAY_MS;
      const accountId = account === undefined ? null : await accountOf(account);
      const filter = { accountId, limit: MOST_IN_CALENDAR };
      const due = await listSoonest(sql, tenantId, { clockId, now: new Date(until) }, filter);
      const stored = await readSchedules(
        sql,
        due.map((row) => ({ tenantId, id: row.scheduleId })),
      );
      const positions = new Map(due.map((row) => [row.scheduleId, row.position]));
      const slots = stored.flatMap((each) => {
        const position = positions.get(each.schedule.id);
        return position ? [slotsOf(each, position, until)] : [];
      });
      const found = await soonest(slots, MOST_CALENDAR_RUNS);
      return found.map(({ stored: each, slot, amount }) => ({ ...runOf(each, slot, amount), schedule: each.schedule }));
    },
    previewSchedule: async (timing, { limit } = {}) => previewTiming(timing, (await context.moment(sql)).now, limit),
    async occurrences(id, page = {}) {
      await find(id);
      return listOccurrences(sql, key(id), {
        limit: page.limit ?? PAGE,
        before: page.before ?? null,
        status: page.status === undefined ? null : oneOf(page.status, OCCURRENCE_STATUSES, 'status'),
      });
    },
  };
}

/** Amounts of the slots to come, in their order: a subscription's are the price less the open credit, 0 where it covers all of it. */
function amountsOf({ schedule, approval }: StoredSchedule): (slot: Slot) => bigint {
  let left = approval;
  return ({ ordinal }) => {
    const taken = afterCredit(left, amountAt(schedule, ordinal));
    left = left && afterCharge(left, taken);
    return taken.charge;
  };
}

function runsFrom(stored: StoredSchedule, first: Slot | null, most: number): UpcomingRun[] {
  const found: UpcomingRun[] = [];
  const end = endOf(stored.schedule);
  const amountOf = amountsOf(stored);
  for (let slot = first; slot && slot.at < end && found.length < most; slot = stored.timetable.next(slot)) {
    found.push(runOf(stored, slot, amountOf(slot)));
  }
  return found;
}

function* slotsOf(
  stored: StoredSchedule,
  position: Pick<Slot, 'local' | 'ordinal'>,
  until: number,
): Generator<{ at: number; slot: Slot; amount: bigint; stored: StoredSchedule }, undefined> {
  const { timetable } = stored;
  const amountOf = amountsOf(stored);
  const end = Math.min(until, endOf(stored.schedule));
  for (let slot = timetable.next(position, until); slot && slot.at < end; slot = timetable.next(slot, until)) {
    yield { at: slot.at, slot, amount: amountOf(slot), stored };
  }
}

function runOf({ timetable }: StoredSchedule, slot: Slot, amount: bigint): UpcomingRun {
  return {
    slot: formatLocal(slot.local),
    ordinal: slot.ordinal,
    local: formatLocal(timetable.zone.toLocal(slot.at)),
    at: new Date(slot.at),
    amount,
  };
}
