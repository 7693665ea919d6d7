// Visits: due schedules in, payments out. A batch is one transaction of separate steps (read, decide in memory, create the
// payments in one set, write), and in it every schedule moves past the slots that it made: a crash leaves both or neither.
// A schedule whose payment is refused fails that slot alone, with a dead letter, and goes on to the next.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock, Refused, Uuid } from '../kernel/index.ts';
import { callerOf } from '../kernel/index.ts';
import type { CreateOrder, Created, OrderBounds, Payment } from '../payments/index.ts';
import { PRIORITY_NAMES, createPayments, readPayments } from '../payments/index.ts';
import type { LastPayment } from './decide.ts';
import { decide } from './decide.ts';
import type { ScheduleDue } from './due-store.ts';
import type { Paces } from './pace.ts';
import type { Schedule } from './schedule.ts';
import { MAKER, amountAt } from './schedule.ts';
import { readSchedules } from './store.ts';
import { afterCredit, beyondApproval } from './subscriptions/subscription.ts';
import type { Outcome, Visit, VisitCounts } from './visit-notes.ts';
import { Notes } from './visit-notes.ts';

export interface VisitOptions {
  /** Of subscriptions. */
  readonly paces?: Paces | null;
  /** Where to note what each visit did, for whoever tells them one by one. */
  readonly visited?: Visited[];
  /** Schedules that do not wait for their payer's balance; default none. */
  readonly isImpatient?: (scheduleId: Uuid) => boolean;
  /** Where to note those of them that could not have it. */
  readonly busy?: Set<Uuid>;
}

/** What a visit did. */
export interface Visited {
  readonly schedule: Schedule;
  readonly isSubscription: boolean;
  /** Whether it had come for a slot, rather than to look at a payment. */
  readonly wasDue: boolean;
  readonly made: readonly Payment[];
  readonly refused: readonly Refused[];
}

function visitedOf(
  { schedule, approval, decision }: Visit,
  outcomes: readonly { readonly outcome: Outcome }[],
): Visited {
  return {
    schedule,
    isSubscription: approval !== null,
    wasDue: outcomes.length + decision.skip.length > 0,
    made: outcomes.flatMap(({ outcome }) => ('payment' in outcome ? [outcome.payment] : [])),
    refused: outcomes.flatMap(({ outcome }) => ('refused' in outcome ? [outcome.refused] : [])),
  };
}

/** Deals with claimed rows. Used by live batches and, with its own clock, by a test clock's advance. */
export async function visitSchedules(
  tx: Transaction,
  clock: Clock,
  rows: readonly ScheduleDue[],
  bounds: OrderBounds,
  options: VisitOptions = {},
): Promise<VisitCounts> {
  const notes = new Notes(clock);
  if (rows.length === 0) return notes.counts;
  const visits = await decideAll(tx, clock, rows, options.paces ?? null);
  const wanted = visits.flatMap((visit) =>
    visit.decision.make.map((slot) => {
      const { charge: amount, credited } = afterCredit(visit.approval, amountAt(visit.schedule, slot.ordinal));
      return { visit, slot, amount, credited, beyond: beyondApproval(visit.approval, amount, visit.schedule.asset) };
    }),
  );
  const created = await createPayments(
    tx,
    clock,
    wanted.flatMap(({ visit, amount, beyond }) =>
      beyond || amount === 0n
        ? []
        : [
            {
              ...orderOf(visit.schedule, amount),
              agreed: true,
              impatient: options.isImpatient?.(visit.schedule.id) ?? false,
            },
          ],
    ),
    bounds,
  );
  const rest = created.values();
  const outcomes = wanted.map(({ slot, amount, credited, beyond }) => ({
    slot,
    amount,
    outcome: beyond ? { refused: beyond } : amount === 0n ? { credited } : (rest.next().value as Created),
  }));
  let taken = 0;
  for (const visit of visits) {
    const own = outcomes.slice(taken, (taken += visit.decision.make.length));
    if (notes.take(visit, own) === 'busy') options.busy?.add(visit.schedule.id);
    options.visited?.push(visitedOf(visit, own));
  }
  await notes.write(tx);
  return notes.counts;
}

/** Crons pace subscriptions alone. */
async function decideAll(
  tx: Transaction,
  clock: Clock,
  rows: readonly ScheduleDue[],
  paces: Paces | null,
): Promise<Visit[]> {
  const keys = rows.map(({ tenantId, scheduleId }) => ({ tenantId, id: scheduleId }));
  const [stored, last] = await tx.together([() => readSchedules(tx, keys), () => lastPayments(tx, rows)]);
  const byId = new Map(stored.map((each) => [each.schedule.id, each]));
  return rows.flatMap((row) => {
    const found = byId.get(row.scheduleId);
    if (!found) return [];
    const { schedule, timetable, approval } = found;
    const { position, discardedThrough } = row;
    const stand = {
      position,
      last: (row.paymentId && last.get(row.paymentId)) || null,
      discarded: discardedThrough !== undefined,
    };
    // Of what was discarded only that: what fell due since then is looked at next.
    const nowMs = Math.min(clock.now.getTime(), discardedThrough?.getTime() ?? Infinity);
    const decision = decide(schedule, timetable, stand, nowMs, approval && paces);
    return [{ row, schedule, approval, decision }];
  });
}

/** What became of the payments that matter: read from their rows, whenever it is asked. */
async function lastPayments(tx: Transaction, rows: readonly ScheduleDue[]): Promise<Map<Uuid, LastPayment>> {
  const keys = rows.flatMap(({ tenantId, paymentId }) => (paymentId === null ? [] : [{ tenantId, id: paymentId }]));
  const payments = keys.length === 0 ? [] : await readPayments(tx, keys);
  return new Map(
    payments.map((payment) => [payment.id, { state: stateOf(payment), madeAtMs: payment.createdAt.getTime() }]),
  );
}

function stateOf(payment: Payment): LastPayment['state'] {
  if (payment.endedAt === null) return 'open';
  return payment.status === 'failed' || payment.status === 'expired' ? 'failed' : 'done';
}

/**
 * The payment of one slot. It is made by the schedule, which stands for everyone who created it or changed its terms; `askedBy`
 * asked for this run. It counts for all of them.
 */
export function orderOf(schedule: Schedule, amount: bigint, askedBy?: Caller): CreateOrder {
  const priority = PRIORITY_NAMES[schedule.priority];
  return {
    tenantId: schedule.tenantId,
    caller: makerOf(schedule, askedBy),
    owner: { kind: schedule.kind, id: schedule.id },
    ...(askedBy === undefined ? {} : { termsBy: [askedBy.actor] }),
    order: {
      from: schedule.payerId,
      ...payeesOf(schedule),
      asset: schedule.asset,
      amount,
      funding: schedule.funding,
      ...(priority ? { priority } : {}),
      ...(schedule.retry ? { retry: schedule.retry } : {}),
      ...(schedule.metadata ? { metadata: schedule.metadata } : {}),
    },
  };
}

/** A payout has no quote: it is routed when it is due, by the priority and destinations of its schedule. */
function payeesOf({ legs, rail, payout }: Schedule): Partial<CreateOrder['order']> {
  if (payout) return { rail, destinations: payout.destinations, routePriority: payout.priority };
  const [only] = legs;
  if (only && legs.length === 1) return { to: only.accountId };
  return { legs: legs.map((leg) => ({ to: leg.accountId, amount: leg.amount })) };
}

const makerOf = ({ id, countsFor }: Schedule, askedBy?: Caller): Caller =>
  callerOf({ actor: `${MAKER}:${id}` }, { countsFor: [...new Set([...countsFor, ...(askedBy?.countsFor ?? [])])] });
