// What a person does about slots that could not become a payment: replayed they are paid after all, for the amount they had;
// discarded they stay failed. Locks: due rows, schedules, letters, each in the order of their ids. A scheduler leaves out
// what is held; a backfill, which may be about to pay the same slot, is waited for or waits.
import type { Transaction } from '../db/index.ts';
import type { Fact } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import { invariant, refuse } from '../kernel/index.ts';
import type { Refused } from '../ledger/index.ts';
import { refusedExternal } from '../ledger/index.ts';
import type { CreateOrder, OrderBounds } from '../payments/index.ts';
import { createPayments, parseReason } from '../payments/index.ts';
import { lockScheduleDues } from './due-store.ts';
import type { OccurrenceLetter } from './letter-store.ts';
import { deleteOccurrenceLetters, lockOccurrenceLetters } from './letter-store.ts';
import { orderOf } from './make.ts';
import { readOccurrences, updateOccurrences } from './occurrence-store.ts';
import { formatLocal } from './rules/index.ts';
import type { Occurrence } from './schedule.ts';
import { flowOf } from './schedule.ts';
import type { StoredSchedule } from './store.ts';
import { readSchedules } from './store.ts';
import { beyondApproval } from './subscriptions/subscription.ts';

type LetterKey = Pick<OccurrenceLetter, 'tenantId' | 'id' | 'scheduleId'>;

export interface LetterDeed extends LetterKey {
  readonly reason?: string;
}

interface HeldLetter extends Pick<StoredSchedule, 'schedule' | 'approval'> {
  readonly occurrence: Occurrence;
}

/** At i: why the letter i stays where it is, or null where its slot has its payment now. */
export async function replayOccurrences(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  deeds: readonly LetterDeed[],
  bounds: OrderBounds,
): Promise<(Refused | null)[]> {
  const held = await holdLetters(tx, deeds);
  const wanted = deeds.map((deed) => replayable(held.get(deed.id), caller));
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
    const outcome = rest.next().value;
    invariant(outcome !== undefined, 'every order to have an outcome');
    if ('refused' in outcome) return outcome.refused;
    const paymentId = outcome.payment.id;
    made.push({ ...each.occurrence, status: 'made', reason: 'late', detail: null, paymentId, updatedAt: clock.now });
    const reason = parseReason(deeds[index]?.reason);
    facts.push(told(clock, caller, each.occurrence, 'replayed', { paymentId, ...(reason === null ? {} : { reason }) }));
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
  if (!reason) refuse('FIELD_INVALID', 'discarding needs a reason', { param: 'reason' });
  const held = (await holdLetters(tx, [deed])).get(deed.id);
  if (!held) return refuse('DEAD_LETTER_NOT_FOUND', 'there is no such dead letter');
  const { occurrence, schedule } = held;
  await deleteOccurrenceLetters(tx, [occurrence]);
  const data = { asset: schedule.asset, amount: occurrence.amount, code: occurrence.reason, reason };
  await appendEvents(tx, [told(clock, caller, occurrence, 'discarded', data)]);
}

async function holdLetters(tx: Transaction, keys: readonly LetterKey[]): Promise<Map<string, HeldLetter>> {
  const schedules = keys.map(({ tenantId, scheduleId }) => ({ tenantId, id: scheduleId }));
  const [, stored, resting, occurrences] = await tx.together([
    () => lockScheduleDues(tx, schedules),
    () => readSchedules(tx, schedules, { lock: true }),
    () => lockOccurrenceLetters(tx, keys),
    () => readOccurrences(tx, keys),
  ]);
  const byId = new Map(stored.map((each) => [each.schedule.id, each]));
  return new Map(
    occurrences.flatMap((occurrence): [string, HeldLetter][] => {
      const own = byId.get(occurrence.scheduleId);
      return own && resting.has(occurrence.id) ? [[occurrence.id, { occurrence, ...own }]] : [];
    }),
  );
}

function replayable(
  held: HeldLetter | undefined,
  caller: Caller,
): { readonly occurrence: Occurrence; readonly order: CreateOrder } | { readonly refused: Refused } {
  if (!held) return { refused: { code: 'DEAD_LETTER_NOT_FOUND', detail: 'there is no such dead letter any more' } };
  const { occurrence, schedule, approval } = held;
  const external = refusedExternal(caller, flowOf(schedule));
  if (external) return { refused: external };
  const amount = occurrence.amount ?? schedule.amount;
  // A charge of a subscription stays within what its payer approved, and a cancelled one charges nothing.
  const beyond = beyondApproval(approval, amount);
  if (beyond) return { refused: beyond };
  if (approval && schedule.status === 'cancelled')
    return {
      refused: {
        code: 'SCHEDULE_OF_SUBSCRIPTION',
        detail: 'the subscription is cancelled, and charges nothing any more; discard the dead letter',
      },
    };
  return { occurrence, order: orderOf(schedule, amount, caller) };
}

function told(
  clock: Clock,
  caller: Caller,
  { tenantId, scheduleId, slot }: Occurrence,
  what: 'replayed' | 'discarded',
  data: Readonly<Record<string, unknown>>,
): Fact {
  const about = { tenantId, resource: 'schedule', resourceId: scheduleId, occurredAt: clock.now };
  return { ...caller, ...about, type: `schedule.occurrence_${what}`, data: { slot: formatLocal(slot), ...data } };
}
