// Before a scheduler takes anything: is more overdue, over all schedules of a tenant, than it foresaw? Asked whenever the due
// set is looked at from its beginning, which a scheduler does first of all and whenever it was away for a second. Where nothing
// is overdue, and that is nearly always, it costs one statement about a handful of rows.
import type { Transaction } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import { SYSTEM, newId } from '../../kernel/index.ts';
import { OVERDUE_AFTER_MS, isBeyond } from './outage.ts';
import type { Watch } from './store.ts';
import { insertOutage, sumOverdue } from './store.ts';

/** Holds what is overdue of a tenant, if that is too much; how many schedules that are, or null where it is not. */
export async function holdOverdue(
  tx: Transaction,
  clock: Clock,
  { tenantId, guard, outage }: Watch,
  firstDueAt: Date,
): Promise<number | null> {
  const late = new Date(clock.now.getTime() - OVERDUE_AFTER_MS);
  if (firstDueAt > late || (guard.count === null && guard.amounts.length === 0)) return null;
  // What somebody has decided about is not asked about again.
  const { stakes, since } = await sumOverdue(tx, tenantId, outage?.through ?? null, late);
  if (since === null || !isBeyond(guard, stakes)) return null;
  const found = { id: newId(), since, through: clock.now, overdue: stakes };
  const count = stakes.reduce((sum, own) => sum + own.count, 0);
  // Another scheduler may have noticed at the same moment.
  if (await insertOutage(tx, tenantId, found)) await tell(tx, clock, tenantId, found);
  return count;
}

async function tell(
  tx: Transaction,
  clock: Clock,
  tenantId: Uuid,
  { id, ...data }: { readonly id: Uuid } & Readonly<Record<string, unknown>>,
): Promise<void> {
  const about = { tenantId, resource: 'outage', resourceId: id, occurredAt: clock.now };
  await appendEvents(tx, [{ ...SYSTEM, ...about, type: 'outage.held', data }]);
}
