// Before a scheduler takes anything: is more overdue, over all schedules of a tenant, than it foresaw? Asked whenever the due
// set is looked at from its beginning, which a scheduler does first of all and whenever it was away for a second. Where nothing
// is overdue, and that is nearly always, it costs one statement about a handful of rows.
import type { Transaction } from '../../db/index.ts';
import { isLastingError } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import { SYSTEM, newId } from '../../kernel/index.ts';
import { OVERDUE_AFTER_MS, isBeyond } from './outage.ts';
import type { Watch } from './store.ts';
import type { Overdue } from './store.ts';
import { insertOutage, sumOverdue, sumOverdueByRow } from './store.ts';

/** Holds what is overdue of a tenant, if that is too much; how many schedules that are, or null where it is not. */
export async function holdOverdue(
  tx: Transaction,
  clock: Clock,
  { tenantId, guard, outage }: Watch,
  firstDueAt: Date,
  onPoisoned?: (scheduleId: Uuid, error: unknown) => void,
): Promise<number | null> {
  const late = new Date(clock.now.getTime() - OVERDUE_AFTER_MS);
  if (firstDueAt > late || (guard.count === null && guard.amounts.length === 0)) return null;
  // In a savepoint: an error of this tenant's rows must not undo the batch of all tenants.
  const holdWith = (sum: Sum): Promise<number | null> =>
    tx.savepoint(async (inner) => {
      // Slots that an outage was decided about are not asked about again.
      const { stakes, since } = await sum(inner, tenantId, outage?.through ?? null, late);
      if (since === null || !isBeyond(guard, stakes)) return null;
      const found = { id: newId(), since, through: clock.now, overdue: stakes };
      // Another scheduler may have noticed at the same moment.
      if (await insertOutage(inner, tenantId, found)) await tell(inner, clock, tenantId, found);
      return stakes.reduce((count, own) => count + own.count, 0);
    });
  try {
    return await holdWith(sumOverdue);
  } catch (error) {
    if (!isLastingError(error)) throw error;
    // Row by row: the one that throws counts with its plain amount, and is reported.
    return holdWith((...asked) => sumOverdueByRow(...asked, onPoisoned));
  }
}

type Sum = (...asked: Parameters<typeof sumOverdue>) => Promise<Overdue>;

async function tell(
  tx: Transaction,
  clock: Clock,
  tenantId: Uuid,
  { id, ...data }: { readonly id: Uuid } & Readonly<Record<string, unknown>>,
): Promise<void> {
  const about = { tenantId, resource: 'outage', resourceId: id, occurredAt: clock.now };
  await appendEvents(tx, [{ ...SYSTEM, ...about, type: 'outage.held', data }]);
}
