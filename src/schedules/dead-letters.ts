// What a person does about slots that could not become a payment: retried they are paid after all, for the amount they had (a
// subscription's for the price of the slot less the credit that is open now); discarded they stay failed. Locks: due rows, schedules, letters, each in the order of their ids. A scheduler leaves out
// what is held; a backfill, which may be about to pay the same slot, is waited for or waits.
import type { Transaction } from '../db/index.ts';
import type { Fact } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Refused } from '../kernel/index.ts';
import { invariant, refuse, refused } from '../kernel/index.ts';
import { refusedExternal } from '../ledger/index.ts';
import type { CreateOrder, OrderBounds, Payment } from '../payments/index.ts';
import { createPayments, parseReason } from '../payments/index.ts';
import { holdSchedules } from './hold.ts';
import type { OccurrenceLetter } from './letter-store.ts';
import { deleteOccurrenceLetters, lockOccurrenceLetters } from './letter-store.ts';
import { orderOf } from './make.ts';
import { readOccurrences, updateOccurrences } from './occurrence-store.ts';
import { formatLocal } from './rules/index.ts';
import type { Occurrence } from './schedule.ts';
import { flowOf } from './schedule.ts';
import type { StoredSchedule } from './store.ts';
import type { ChargeTerms } from './subscriptions/credit-store.ts';
import { readChargeTerms } from './subscriptions/credit-store.ts';
import type { Approval } from './subscriptions/subscription.ts';
import { afterCharge, afterCredit, beyondApproval, hasEnded } from './subscriptions/subscription.ts';

type LetterKey = Pick<OccurrenceLetter, 'tenantId' | 'id' | 'scheduleId'>;

export interface LetterDeed extends LetterKey {
  readonly reason?: string;
}

interface HeldLetter extends Pick<StoredSchedule, 'schedule' | 'approval'> {
  readonly occurrence: Occurrence;
  /** Of a subscription. */
  readonly agreed: ChargeTerms | null;
}

/** At i: why the letter i stays where it is, or null where its slot has its payment now. */
export async function retryOccurrences(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  deeds: readonly LetterDeed[],
  bounds: OrderBounds,
): Promise<(Refused | null)[]> {
  const wanted = retriable(await holdLetters(tx, deeds), deeds, { clock, caller });
  const created = await createPayments(
    tx,
    clock,
    wanted.flatMap((each) => ('order' in each ? [each.order] : [])),
    bounds,
  );
  const rest = created.values();
  const made: Occurrence[] = [];
  const facts: Fact[] = [];
  const outcomes = wanted.map((each, index): Refused | null => {
    if ('refused' in each) return each.refused;
    const outcome = 'order' in each ? rest.next().value : each;
    invariant(outcome !== undefined, 'every order to have an outcome');
    if ('refused' in outcome) return outcome.refused;
    const became = 'payment' in outcome ? paidBy(outcome.payment) : coveredBy(outcome.credited);
    made.push({ ...each.occurrence, ...became, detail: null, updatedAt: clock.now });
    const reason = parseReason(deeds[index]?.reason);
    const { paymentId, amount } = became;
    const data = {
      ...(paymentId === null ? { credited: amount } : { paymentId }),
      ...(reason === null ? {} : { reason }),
    };
    facts.push(told(clock, caller, each.occurrence, 'retried', data));
    return null;
  });
  if (made.length > 0) {
    await tx.together([
      () => updateOccurrences(tx, made),
      () => deleteOccurrenceLetters(tx, made),
      () => appendEvents(tx, facts),
    ]);
  }
  return outcomes;
}

/** Nobody will pay it any more: the letter goes, the occurrence stays failed. Throws a Refusal. */
export async function discardOccurrence(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  deed: LetterKey & { readonly reason: string },
): Promise<void> {
  const reason = parseReason(deed.reason.trim());
  if (!reason) refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
  const held = (await holdLetters(tx, [deed])).get(deed.id);
  if (!held) return refuse('DEAD_LETTER_NOT_FOUND');
  const { occurrence, schedule } = held;
  await deleteOccurrenceLetters(tx, [occurrence]);
  const data = { asset: schedule.asset, amount: occurrence.amount, code: occurrence.reason, reason };
  await appendEvents(tx, [told(clock, caller, occurrence, 'discarded', data)]);
}

async function holdLetters(tx: Transaction, keys: readonly LetterKey[]): Promise<Map<string, HeldLetter>> {
  const ids = new Map(keys.map(({ tenantId, scheduleId }) => [scheduleId, { tenantId, id: scheduleId }]));
  const stored = await holdSchedules(tx, [...ids.values()]);
  const [resting, occurrences] = await tx.together([
    () => lockOccurrenceLetters(tx, keys),
    () => readOccurrences(tx, keys),
  ]);
  const byId = new Map(stored.map((each) => [each.schedule.id, each]));
  const charges = occurrences.filter(({ scheduleId }) => byId.get(scheduleId)?.approval);
  const terms = await readChargeTerms(tx, charges);
  return new Map(
    occurrences.flatMap((occurrence): [string, HeldLetter][] => {
      const own = byId.get(occurrence.scheduleId);
      const agreed = terms.get(occurrence.id) ?? null;
      return own && resting.has(occurrence.id) ? [[occurrence.id, { occurrence, agreed, ...own }]] : [];
    }),
  );
}

type Retriable =
  | { readonly occurrence: Occurrence; readonly order: CreateOrder }
  /** The credit covers all of it: nothing is paid. */
  | { readonly occurrence: Occurrence; readonly credited: bigint }
  | { readonly refused: Refused };

/** At i: what to do about the letter i. Several of one subscription share its approved total and its credit. */
function retriable(
  held: ReadonlyMap<string, HeldLetter>,
  deeds: readonly LetterDeed[],
  { clock, caller }: { readonly clock: Clock; readonly caller: Caller },
): Retriable[] {
  const left = new Map<string, Approval>();
  return deeds.map((deed): Retriable => {
    const letter = held.get(deed.id);
    if (!letter) return { refused: NO_LETTER };
    const { occurrence, schedule, agreed } = letter;
    const external = refusedExternal(caller, flowOf(schedule));
    if (external) return { refused: external };
    const approval = left.get(schedule.id) ?? letter.approval;
    const price = agreed?.price ?? occurrence.amount ?? schedule.amount;
    const { charge, credited } = afterCredit(approval, price);
    const never = neverCharged(letter, clock) ?? beyondApproval(approval, charge, schedule.asset);
    if (never) return { refused: never };
    if (approval) left.set(schedule.id, afterCharge(approval, { charge, credited }));
    return charge === 0n ? { occurrence, credited } : { occurrence, order: orderOf(schedule, charge, caller) };
  });
}

/** The catalogue shows a dead letter as a payment; this one is an occurrence. */
const NO_LETTER = refused('DEAD_LETTER_NOT_FOUND');

/** A cancelled subscription charges nothing, and no charge is made for a period that a change of plan ended early. */
function neverCharged({ schedule, approval, agreed }: HeldLetter, clock: Clock): Refused | null {
  const fields = { subscription: schedule.id };
  if (approval && hasEnded(schedule, clock)) return refused('SCHEDULE_OF_SUBSCRIPTION/subscription_ended', fields);
  return agreed && agreed.endedWith !== null ? refused('SCHEDULE_OF_SUBSCRIPTION/period_ended', fields) : null;
}

type Became = Pick<Occurrence, 'status' | 'reason' | 'amount' | 'paymentId'>;

const paidBy = ({ id, amount }: Payment): Became => ({ status: 'made', reason: 'late', amount, paymentId: id });

const coveredBy = (amount: bigint): Became => ({ status: 'skipped', reason: 'credit', amount, paymentId: null });

function told(
  clock: Clock,
  caller: Caller,
  { tenantId, scheduleId, slot }: Occurrence,
  what: 'retried' | 'discarded',
  data: Readonly<Record<string, unknown>>,
): Fact {
  const about = { tenantId, resource: 'schedule', resourceId: scheduleId, occurredAt: clock.now };
  return { ...caller, ...about, type: `schedule.occurrence_${what}`, data: { slot: formatLocal(slot), ...data } };
}
