// Visits: due schedules in, payments out. A batch is one transaction of separate steps (read, decide in memory, create the
// payments in one set, write), and in it every schedule moves past the slots that it made: a crash leaves both or neither.
// A schedule whose payment is refused fails that slot alone, with a dead letter, and goes on to the next.
import type { Transaction } from '../db/index.ts';
import type { Fact } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { SYSTEM, callerOf, newId } from '../kernel/index.ts';
import type { CreateOrder, Created, OrderBounds, Payment } from '../payments/index.ts';
import { PRIORITY_NAMES, createPayments, readPayments } from '../payments/index.ts';
import type { Decision, LastPayment } from './decide.ts';
import { decide } from './decide.ts';
import type { ScheduleDue } from './due-store.ts';
import { deleteScheduleDue, moveScheduleDue } from './due-store.ts';
import type { OccurrenceLetter } from './letter-store.ts';
import { insertOccurrenceLetters } from './letter-store.ts';
import { insertOccurrences } from './occurrence-store.ts';
import type { Paces } from './pace.ts';
import type { Slot } from './rules/index.ts';
import { formatLocal } from './rules/index.ts';
import type { Occurrence, Schedule, ScheduleStatus } from './schedule.ts';
import { MAKER, amountAt } from './schedule.ts';
import type { StatusChange } from './store.ts';
import { readSchedules, updateStatuses } from './store.ts';
import type { Approval } from './subscriptions/subscription.ts';
import { APPROVAL_USED_UP, beyondApproval, moveFact } from './subscriptions/subscription.ts';

export const COUNTS = [
  'made',
  'late',
  'skipped',
  'failed',
  'waiting',
  'held',
  'paused',
  'completed',
  'expired',
] as const;
/** `skipped` counts slots; everything else counts occurrences or schedules. `held` waits for a person. */
export type VisitCounts = Record<(typeof COUNTS)[number], number>;
export const noCounts = (): VisitCounts => Object.fromEntries(COUNTS.map((name) => [name, 0])) as VisitCounts;

/** Later than this after its instant, a run is told as late. */
const LATE_AFTER_MS = 60_000;
/** Nothing leaves a tenant that is paused, or an asset that is frozen: its slots wait, and are looked at again in a while. */
const HELD_BACK = new Set<string>(['PAUSED', 'ASSET_FROZEN']);
const HELD_BACK_MS = 15_000;
/** The payer's balance is held by another transaction. */
const BUSY_MS = 2_000;

interface Visit {
  readonly row: ScheduleDue;
  readonly schedule: Schedule;
  /** Of a subscription. */
  readonly approval: Approval | null;
  readonly last: SeenPayment | null;
  readonly decision: Decision;
}

type Outcome = Created | { readonly refused: { readonly code: string; readonly detail: string } };

interface SeenPayment extends LastPayment {
  readonly settled: Payment | null;
}

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
  readonly refused: readonly { readonly code: string; readonly detail: string }[];
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
      const amount = amountAt(visit.schedule, slot.ordinal);
      return { visit, slot, amount, beyond: beyondApproval(visit.approval, amount) };
    }),
  );
  const created = await createPayments(
    tx,
    clock,
    wanted.flatMap(({ visit, amount, beyond }) =>
      beyond
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
  const outcomes = wanted.map(({ slot, beyond }) => ({
    slot,
    outcome: beyond ? { refused: beyond } : (rest.next().value as Created),
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
    return [{ row, schedule, approval, last: stand.last, decision }];
  });
}

/** What became of the payments that matter: read from their rows, whenever it is asked. */
async function lastPayments(tx: Transaction, rows: readonly ScheduleDue[]): Promise<Map<Uuid, SeenPayment>> {
  const keys = rows.flatMap(({ tenantId, paymentId }) => (paymentId === null ? [] : [{ tenantId, id: paymentId }]));
  const payments = keys.length === 0 ? [] : await readPayments(tx, keys);
  return new Map(
    payments.map((payment) => [
      payment.id,
      {
        state: stateOf(payment),
        madeAtMs: payment.createdAt.getTime(),
        settled: payment.status === 'settled' ? payment : null,
      },
    ]),
  );
}

function stateOf(payment: Payment): LastPayment['state'] {
  if (payment.endedAt === null) return 'open';
  return payment.status === 'failed' || payment.status === 'expired' ? 'failed' : 'done';
}

/**
 * The payment of one slot. It is made by the schedule; its terms are of whoever created the schedule, changed what it pays, or asked
 * for this run.
 */
export function orderOf(schedule: Schedule, amount: bigint, askedBy?: string): CreateOrder {
  const [only] = schedule.legs;
  const payees =
    only && schedule.legs.length === 1
      ? { to: only.accountId }
      : { legs: schedule.legs.map((leg) => ({ to: leg.accountId, amount: leg.amount })) };
  const priority = PRIORITY_NAMES[schedule.priority];
  return {
    tenantId: schedule.tenantId,
    caller: makerOf(schedule),
    owner: { kind: schedule.kind, id: schedule.id },
    termsBy: [...new Set([schedule.createdBy, ...schedule.changedBy, askedBy ?? []].flat())],
    order: {
      from: schedule.payerId,
      ...payees,
      asset: schedule.asset,
      amount,
      funding: schedule.funding,
      ...(priority ? { priority } : {}),
      ...(schedule.retry ? { retry: schedule.retry } : {}),
      ...(schedule.metadata ? { metadata: schedule.metadata } : {}),
    },
  };
}

const makerOf = (schedule: Schedule): Caller => callerOf({ actor: `${MAKER}:${schedule.id}` });

/** Everything that a batch of visits has to write. */
class Notes {
  readonly counts = noCounts();
  readonly #clock: Clock;
  readonly #occurrences: Occurrence[] = [];
  readonly #letters: OccurrenceLetter[] = [];
  readonly #facts: Fact[] = [];
  readonly #moved: ScheduleDue[] = [];
  readonly #left: StatusChange[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(visit: Visit, outcomes: readonly { slot: Slot; outcome: Outcome }[]): 'busy' | void {
    const { row, decision } = visit;
    const isRefused = (isReason: (code: string) => boolean): boolean =>
      outcomes.some(({ outcome }) => 'refused' in outcome && isReason(outcome.refused.code));
    const isBusy = isRefused((code) => code === 'BUSY');
    if (isBusy || isRefused((code) => HELD_BACK.has(code))) {
      this.counts.waiting += 1;
      this.#moved.push({ ...row, dueAt: new Date(this.#clock.now.getTime() + (isBusy ? BUSY_MS : HELD_BACK_MS)) });
      return isBusy ? 'busy' : undefined;
    }
    this.#charged(visit);
    for (const run of decision.skip) this.#skip(visit, run);
    let paymentId = decision.remembers ? row.paymentId : null;
    let refused: string | null = null;
    for (const { slot, outcome } of outcomes) {
      if ('payment' in outcome) paymentId = this.#made(visit, slot, outcome.payment);
      else refused = this.#failed(visit, slot, outcome.refused);
    }
    if (outcomes.length + decision.skip.length === 0 && decision.remembers && decision.dueAtMs !== null)
      this.counts.waiting += 1;
    this.#move(visit, paymentId, refused);
  }

  async write(tx: Transaction): Promise<void> {
    const left = this.#left.map(({ tenantId, id }) => ({ tenantId, scheduleId: id }));
    const some = (rows: readonly unknown[], write: () => Promise<unknown>) => (rows.length > 0 ? [write] : []);
    await tx.together([
      ...some(this.#occurrences, () => insertOccurrences(tx, this.#occurrences)),
      ...some(this.#letters, () => insertOccurrenceLetters(tx, this.#letters)),
      ...some(this.#moved, () => moveScheduleDue(tx, this.#moved)),
      ...some(left, () => deleteScheduleDue(tx, left)),
      ...some(left, () => updateStatuses(tx, this.#left)),
      ...some(this.#facts, () => appendEvents(tx, this.#facts)),
    ]);
  }

  #move(visit: Visit, paymentId: Uuid | null, refused: string | null): void {
    const { row, schedule, approval, decision } = visit;
    const { status, reason } = refused === null ? decision : afterRefusal(schedule, decision, refused);
    const { position, dueAtMs } = decision;
    if (status === 'active' && dueAtMs !== null) {
      this.#moved.push({ ...row, dueAt: new Date(dueAtMs), position, paymentId });
      return;
    }
    const { tenantId, id } = schedule;
    this.#left.push({ tenantId, id, status, reason, stand: { position, paymentId }, at: this.#clock.now });
    if (status === 'paused' || status === 'completed' || status === 'expired') this.counts[status] += 1;
    this.#tell(schedule, `schedule.${status}`, {
      old: { status: 'active' },
      new: { status },
      ...(reason ? { reason } : {}),
    });
    const fact = moveFact(approval, status, reason);
    if (fact) this.#tell(schedule, fact.type, fact.data, 'subscription');
  }

  /** Once: from this visit on the payment is not remembered any more. */
  #charged({ row, schedule, approval, last }: Visit): void {
    if (!approval || !last?.settled) return;
    const { id, amount } = last.settled;
    const data = { charge: row.position.ordinal, amount, asset: schedule.asset, paymentId: id };
    this.#tell(schedule, 'subscription.charged', data, 'subscription');
  }

  #made(visit: Visit, slot: Slot, payment: Payment): Uuid {
    const { schedule } = visit;
    const lateByMs = this.#clock.now.getTime() - slot.at;
    const late = lateByMs > LATE_AFTER_MS;
    this.counts.made += 1;
    const { id: paymentId, amount } = payment;
    this.#became(schedule, slot, { status: 'made', reason: late ? 'late' : null, amount, paymentId });
    if (late) {
      this.counts.late += 1;
      this.#tell(schedule, 'schedule.run_late', { slot: formatLocal(slot.local), lateByMs, paymentId: payment.id });
    }
    return payment.id;
  }

  #failed(visit: Visit, slot: Slot, refused: { code: string; detail: string }): string {
    const { schedule } = visit;
    const { code, detail } = refused;
    const amount = amountAt(schedule, slot.ordinal);
    const occurrence = this.#became(schedule, slot, { status: 'failed', reason: code, detail, amount });
    this.counts.failed += 1;
    this.#letters.push({
      tenantId: schedule.tenantId,
      id: occurrence.id,
      scheduleId: schedule.id,
      asset: schedule.asset,
      amount,
      code,
      detail,
      failedAt: this.#clock.now,
    });
    this.#tell(schedule, 'schedule.run_failed', { slot: formatLocal(slot.local), amount, code, detail });
    return code;
  }

  #skip(visit: Visit, run: Decision['skip'][number]): void {
    const { schedule } = visit;
    const { first, last, slots, reason } = run;
    this.counts.skipped += slots;
    const through = slots > 1 ? last.local : null;
    this.#became(schedule, first, { status: 'skipped', reason, slots, through });
    this.#tell(schedule, 'schedule.run_skipped', {
      slot: formatLocal(first.local),
      ...(through === null ? {} : { through: formatLocal(through) }),
      slots,
      reason,
    });
  }

  /** Of a slot, or of the first of a run. */
  #became(
    { tenantId, id: scheduleId }: Schedule,
    { local: slot, ordinal, at }: Slot,
    what: Pick<Occurrence, 'status' | 'reason'> & Partial<Occurrence>,
  ): Occurrence {
    const { status, reason, detail = null, amount = null, paymentId = null, slots = 1, through = null } = what;
    const now = this.#clock.now;
    const occurrence: Occurrence = {
      tenantId,
      id: newId(),
      scheduleId,
      slot,
      slots,
      through,
      ordinal,
      kind: 'rule',
      status,
      reason,
      detail,
      amount,
      runAt: new Date(at),
      paymentId,
      createdAt: now,
      updatedAt: now,
    };
    this.#occurrences.push(occurrence);
    return occurrence;
  }

  #tell(schedule: Schedule, type: string, data: Readonly<Record<string, unknown>>, resource = 'schedule'): void {
    const { tenantId, id } = schedule;
    this.#facts.push({
      ...SYSTEM,
      tenantId,
      type,
      resource,
      resourceId: id,
      data,
      occurredAt: this.#clock.now,
    });
  }
}

/** A payment that could not even be made has failed for good. */
function afterRefusal(
  schedule: Schedule,
  decision: Decision,
  code: string,
): { status: ScheduleStatus; reason: string | null } {
  if (code === 'SUBSCRIPTION_APPROVAL_EXCEEDED') return { status: 'expired', reason: APPROVAL_USED_UP };
  if (schedule.afterFailure === 'continue') return decision;
  return { status: schedule.afterFailure === 'pause' ? 'paused' : 'expired', reason: 'payment_failed' };
}
