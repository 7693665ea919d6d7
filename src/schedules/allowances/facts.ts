// What is told of an allowance, beside what its schedule tells: who pays whom, and in the words of allowances. It is about
// the schedule, so the two are found together.
import type { Transaction } from '../../db/index.ts';
import type { EventVerb } from '../../events/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, Uuid } from '../../kernel/index.ts';
import type { PairKey } from './store.ts';

export async function tellOf(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  allowance: PairKey & { readonly scheduleId: Uuid },
  what: EventVerb<'allowance'>,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { tenantId, scheduleId, guardianId, juniorId } = allowance;
  const about = { tenantId, resource: 'schedule', resourceId: scheduleId, occurredAt: clock.now };
  await appendEvents(tx, [{ ...caller, ...about, type: `allowance.${what}`, data: { guardianId, juniorId, ...data } }]);
}
