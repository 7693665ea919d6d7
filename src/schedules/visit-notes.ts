// What a batch of visits has to write: occurrences, dead letters, due rows, changes of state, events. Taken down visit by visit,
// written at once.
import type { Transaction } from '../db/index.ts';
import type { EventType, Fact } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Clock, Refused, Uuid } from '../kernel/index.ts';
import { SYSTEM, invariant, newId } from '../kernel/index.ts';
import type { Created, Payment } from '../payments/index.ts';
import type { Decision } from './decide.ts';
import type { ScheduleDue } from './due-store.ts';
import { deleteScheduleDue, moveScheduleDue } from './due-store.ts';
import type { OccurrenceLetter } from './letter-store.ts';
import { insertOccurrenceLetters } from './letter-store.ts';
import { insertOccurrences } from './occurrence-store.ts';
import type { Slot } from './rules/index.ts';
import { formatLocal } from './rules/index.ts';
import type { Occurrence, Schedule, ScheduleStatus } from './schedule.ts';
import type { StatusChange } from './store.ts';
import { updateStatuses } from './store.ts';
import { readProgress } from './subscriptions/progress-store.ts';
import type { Approval } from './subscriptions/subscription.ts';
import { APPROVAL_USED_UP, moveFact } from './subscriptions/subscription.ts';

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
/**
 * The slots of a paused tenant or a frozen asset wait and are looked at again in a while; by a test clock at the end of its advance, before
 * which neither can be lifted.
 */
const HELD_BACK = new Set<string>(['PAUSED', 'ASSET_FROZEN']);
const HELD_BACK_MS = 15_000;
/** The payer's balance is held by another transaction. */
const BUSY_MS = 2_000;

export interface Visit {
  readonly row: ScheduleDue;
  readonly schedule: Schedule;
  /** Of a subscription. */
  readonly approval: Approval | null;
  readonly decision: Decision;
}

/** `credited`: the whole charge was taken off a credit, and nothing is paid. */
export type Outcome = Created | { readonly refused: Refused } | { readonly credited: bigint };

interface Stopped {
  readonly schedule: Schedule;
  readonly status: Exclude<ScheduleStatus, 'active'>;
  readonly reason: string | null;
}

/** Everything that a batch of visits has to write. */
export class Notes {
  readonly counts = noCounts();
  readonly #clock: Clock;
  readonly #occurrences: Occurrence[] = [];
  readonly #letters: OccurrenceLetter[] = [];
  readonly #facts: Fact[] = [];
  readonly #moved: ScheduleDue[] = [];
  readonly #left: StatusChange[] = [];
  /** Subscriptions among them. */
  readonly #subscriptions: Stopped[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `amount`: what was to be charged for the slot. */
  take(visit: Visit, outcomes: readonly { slot: Slot; amount: bigint; outcome: Outcome }[]): 'busy' | void {
    const { row, decision } = visit;
    const isRefused = (isReason: (code: string) => boolean): boolean =>
      outcomes.some(({ outcome }) => 'refused' in outcome && isReason(outcome.refused.code));
    const isBusy = isRefused((code) => code === 'BUSY');
    if (isBusy || isRefused((code) => HELD_BACK.has(code))) {
      this.counts.waiting += 1;
      const { now, until = now } = this.#clock;
      const dueAtMs = isBusy ? now.getTime() + BUSY_MS : Math.max(now.getTime() + HELD_BACK_MS, until.getTime());
      this.#moved.push({ ...row, dueAt: new Date(dueAtMs) });
      return isBusy ? 'busy' : undefined;
    }
    for (const run of decision.skip) this.#skip(visit, run);
    let paymentId = decision.remembers ? row.paymentId : null;
    let refused: string | null = null;
    for (const { slot, amount, outcome } of outcomes) {
      if ('credited' in outcome) this.#credited(visit, slot, outcome.credited);
      else if ('payment' in outcome) paymentId = this.#made(visit, slot, outcome.payment);
      else refused = this.#failed(visit, slot, amount, outcome.refused);
    }
    if (outcomes.length + decision.skip.length === 0 && decision.remembers && decision.dueAtMs !== null)
      this.counts.waiting += 1;
    this.#move(visit, paymentId, refused);
  }

  async write(tx: Transaction): Promise<void> {
    await this.#tellSubscriptions(tx);
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
    const { position, dueAtMs, nextAtMs } = decision;
    if (status === 'active' && dueAtMs !== null) {
      const nextAt = nextAtMs === undefined ? row.nextAt : nextAtMs === null ? null : new Date(nextAtMs);
      this.#moved.push({ ...row, dueAt: new Date(dueAtMs), nextAt, position, paymentId });
      return;
    }
    invariant(status !== 'active', 'a schedule without a next visit to have ended or paused');
    const { tenantId, id } = schedule;
    const pausedBy = status !== 'paused' ? null : reason === 'outage_guard' ? 'guard' : 'failure';
    this.#left.push({ tenantId, id, status, reason, pausedBy, stand: { position, paymentId }, at: this.#clock.now });
    if (status === 'paused' || status === 'completed' || status === 'expired') this.counts[status] += 1;
    this.#tell(schedule, `schedule.${status}`, {
      old: { status: 'active' },
      new: { status },
      ...(reason ? { reason } : {}),
    });
    if (approval) this.#subscriptions.push({ schedule, status, reason });
  }

  async #tellSubscriptions(tx: Transaction): Promise<void> {
    if (this.#subscriptions.length === 0) return;
    const progress = await readProgress(
      tx,
      this.#subscriptions.map(({ schedule }) => schedule),
    );
    for (const { schedule, status, reason } of this.#subscriptions) {
      const own = progress.get(schedule.id);
      invariant(own !== undefined, `the subscription ${schedule.id} to have terms`);
      const fact = moveFact(status, reason, own);
      this.#tell(schedule, fact.type, fact.data, 'subscription');
    }
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
      this.#tell(schedule, 'schedule.occurrence_late', {
        slot: formatLocal(slot.local),
        lateByMs,
        paymentId: payment.id,
      });
    }
    return payment.id;
  }

  #failed({ schedule }: Visit, slot: Slot, amount: bigint, refused: Refused): string {
    const { code, detail } = refused;
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
    this.#tell(schedule, 'schedule.occurrence_failed', { slot: formatLocal(slot.local), amount, code, detail });
    return code;
  }

  #credited({ schedule }: Visit, slot: Slot, amount: bigint): void {
    this.counts.skipped += 1;
    this.#became(schedule, slot, { status: 'skipped', reason: 'credit', amount });
    const data = { slot: formatLocal(slot.local), slots: 1, reason: 'credit', amount };
    this.#tell(schedule, 'schedule.occurrence_skipped', data);
  }

  #skip(visit: Visit, run: Decision['skip'][number]): void {
    const { schedule } = visit;
    const { first, last, slots, reason } = run;
    this.counts.skipped += slots;
    const through = slots > 1 ? last.local : null;
    this.#became(schedule, first, { status: 'skipped', reason, slots, through });
    this.#tell(schedule, 'schedule.occurrence_skipped', {
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

  #tell(schedule: Schedule, type: EventType, data: Readonly<Record<string, unknown>>, resource = 'schedule'): void {
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
