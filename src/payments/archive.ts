// Ended payments leave for the archive when nobody has changed them for long: a walk over each tenant's payments in the order
// of their ids, a slice at a time, each slice one short transaction. What is still open, and a dead letter that nobody has dealt
// with, is walked past and looked at again by the next walk.
//
// Both times count: ids are of real time, `ended_at` is of the tenant's clock, which a test can have set to any year.
import type { Database } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { archiveEnded, nextTenant } from './archive-store.ts';

/** Where a walk stands. */
export interface ArchivePlace {
  readonly tenantId: Uuid;
  readonly after: Uuid;
}

export interface ArchiveSlice {
  readonly looked: number;
  readonly archived: number;
  /** Where to go on; null at the end of the walk. */
  readonly next: ArchivePlace | null;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PAYMENTS_PER_SLICE = 1_000;

export async function archiveSlice(
  db: Database,
  clock: Clock,
  caller: Caller,
  order: { readonly olderThanMs: number; readonly from: ArchivePlace | null },
): Promise<ArchiveSlice> {
  const place = order.from ?? (await firstOf(db, FIRST_ID));
  if (place === null) return { looked: 0, archived: 0, next: null };
  const before = new Date(clock.now.getTime() - order.olderThanMs);
  const { looked, archived, last } = await db.transaction(async (tx) => {
    const moved = await archiveEnded(tx, place, before, PAYMENTS_PER_SLICE);
    const { tenantId } = place;
    const about = { tenantId, type: 'payments.archived', resource: 'tenant', resourceId: tenantId };
    const data = { payments: moved.archived, endedBefore: before };
    if (moved.archived > 0) await appendEvents(tx, [{ ...caller, ...about, data, occurredAt: clock.now }]);
    return moved;
  });
  const isDone = looked < PAYMENTS_PER_SLICE;
  return { looked, archived, next: isDone ? await firstOf(db, place.tenantId) : { ...place, after: last } };
}

async function firstOf(db: Database, after: Uuid): Promise<ArchivePlace | null> {
  const tenantId = await nextTenant(db, after);
  return tenantId === null ? null : { tenantId, after: FIRST_ID };
}
