// A new schedule. Its first slot is the first that lies ahead: a start in the past is an anchor, and pays nothing back.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { eachTogether, invariant, newId, refuse, together } from '../kernel/index.ts';
import { ensureBalances, findAccounts, findAsset, requireMayMove, systemAccountId } from '../ledger/index.ts';
import type { Deciders } from './deciders.ts';
import { alsoDecidedBy } from './deciders.ts';
import { insertScheduleDue } from './due-store.ts';
import { payableBy } from './payable.ts';
import type { ScheduleOrder } from './order.ts';
import { parsePayees, parseScheduleReference, parseTerms } from './order.ts';
import type { Slot, Timing, TimingInput } from './rules/index.ts';
import { Timetable, fillTiming } from './rules/index.ts';
import type { OrderBounds, OwnerKind } from '../payments/index.ts';
import { parsePayout, payeesOf } from '../payments/index.ts';
import type { Position, Schedule } from './schedule.ts';
import { flowOf } from './schedule.ts';
import { insertSchedule } from './store.ts';

export async function createSchedule(
  tx: Transaction,
  clock: Clock,
  maker: { tenantId: Uuid; caller: Caller },
  order: ScheduleOrder,
  as: {
    readonly kind?: OwnerKind;
    readonly begins?: 'ahead' | 'with its start';
    /** The deciders of its terms besides the caller. */
    readonly decidedBy?: Deciders;
    /** The chains and guards of payouts; without chains payouts are refused. */
    readonly bounds?: Pick<OrderBounds, 'payouts' | 'payoutGuards'>;
  } = {},
): Promise<Schedule> {
  const { tenantId, caller } = maker;
  const { kind = 'schedule', begins = 'ahead', decidedBy, bounds = {} } = as;
  const account = await directory(tx, tenantId, [order.from, ...payeesOf(order).map((payee) => payee.to)]);
  const found = await findAsset(tx, tenantId, order.asset);
  const { terms, route, reference, timing, payerId, payees, asset } = together({
    terms: () => parseTerms(order),
    route: () => parsePayout(order),
    reference: () => parseScheduleReference(order.reference),
    timing: () => fillTiming(timingOf(order), clock.now),
    payerId: () => account(order.from, 'from'),
    payees: () => eachTogether(payeesOf(order), ({ to, param }) => account(to, param)),
    asset: () => found ?? refuse('ASSET_NOT_FOUND', { asset: order.asset, param: 'asset' }),
  });
  const timetable = new Timetable(timing);
  const { first, position } = begins === 'ahead' ? goOn(timetable, clock) : beginning(timetable);
  const legs = parsePayees(order, terms.amount).map(({ amount }, index) => {
    const accountId = payees[index] ?? systemAccountId(tenantId, 'world');
    if (accountId === payerId) refuse('SELF_TRANSFER', { param: order.legs ? `legs[${index}].to` : 'to' });
    return { accountId, amount };
  });
  if (new Set(legs.map((leg) => leg.accountId)).size < legs.length) {
    refuse('LEGS_INVALID/duplicate_account', { param: 'legs' });
  }
  requireMayMove(caller, flowOf({ tenantId, payerId, legs }));
  const { rail } = route;
  const payout = await payableBy(tx, clock, bounds, { tenantId, asset: asset.name, ...route, ...terms });
  const deciders = { createdBy: caller.actor, changedBy: [], countsFor: caller.countsFor };
  const schedule: Schedule = {
    tenantId,
    id: newId(),
    kind,
    status: 'active',
    statusReason: null,
    pausedBy: null,
    cancelAt: null,
    payerId,
    legs,
    rail,
    payout,
    asset: asset.name,
    ...terms,
    reference,
    timing,
    clockId: clock.clockId,
    ...(decidedBy ? alsoDecidedBy(decidedBy, deciders) : deciders),
    createdAt: clock.now,
    updatedAt: clock.now,
    endedAt: null,
  };
  if (!(await insertSchedule(tx, schedule))) {
    refuse('REFERENCE_EXISTS/schedule', { reference: reference ?? '', param: 'reference' });
  }
  const firstRunAt = new Date(first.at);
  const due = {
    tenantId,
    scheduleId: schedule.id,
    clockId: clock.clockId,
    dueAt: firstRunAt,
    nextAt: firstRunAt,
    position,
    paymentId: null,
  };
  const created = {
    ...caller,
    tenantId,
    type: 'schedule.created' as const,
    resource: 'schedule',
    resourceId: schedule.id,
    data: { new: { status: 'active', rail, amount: schedule.amount, asset: schedule.asset, firstRunAt } },
    occurredAt: clock.now,
  };
  const credited = legs.map(({ accountId }) => ({ tenantId, accountId, asset: asset.name }));
  await tx.together([
    () => insertScheduleDue(tx, due),
    // Once, so that none of its payments has to see to it.
    () => ensureBalances(tx, credited, { skipLocked: true }),
    () => appendEvents(tx, [created]),
  ]);
  return schedule;
}

/** Before the first slot there is, past or not. */
function beginning(timetable: Timetable): { first: Slot; position: Position } {
  const first = timetable.first();
  invariant(first !== null, 'a timetable to have a slot');
  return { first, position: { local: first.local - 1, ordinal: 0 } };
}

/** The fields that say when. */
export function timingOf(order: TimingInput): TimingInput {
  const { rule, zone, start, until, count, exclude, monthEnd, businessDays } = order;
  return {
    rule,
    ...(zone === undefined ? {} : { zone }),
    ...(start === undefined ? {} : { start }),
    ...(until === undefined ? {} : { until }),
    ...(count === undefined ? {} : { count }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(monthEnd === undefined ? {} : { monthEnd }),
    ...(businessDays === undefined ? {} : { businessDays }),
  };
}

/** The first slot that runs after now and lies after what is passed, and where to stand before it. */
export function goOn(timetable: Timetable, clock: Clock, passed?: Position): { first: Slot; position: Position } {
  const now = clock.now.getTime();
  const first = timetable.after(now, passed?.local) ?? refuse('RULE_NEVER_FIRES/past', { param: 'until' });
  // Not right before it, but where time is: if the rule is edited once more, nothing in between is lost.
  const here = Math.max(passed?.local ?? 0, Math.min(timetable.localAt(now), first.local - 1));
  const position = timetable.placeAt(here);
  const straight = timetable.next(position)?.local === first.local;
  return { first, position: straight ? position : timetable.placeAt(first.local - 1) };
}

export function isSameTiming(a: Timing, b: Timing): boolean {
  return isDeepStrictEqual(a, b);
}

export async function directory(
  tx: Transaction,
  tenantId: Uuid,
  names: readonly string[],
): Promise<(idOrRef: string, param: string) => Uuid> {
  const found = await findAccounts(tx, tenantId, [...new Set(names)]);
  return (idOrRef, param) => {
    const account = found.find(({ id }) => id === idOrRef) ?? found.find(({ ref }) => ref === idOrRef);
    if (!account) return refuse('ACCOUNT_NOT_FOUND', { account: idOrRef, param });
    if (account.status !== 'active') refuse(`ACCOUNT_NOT_ACTIVE/${account.status}`, { account: idOrRef, param });
    return account.id;
  };
}
