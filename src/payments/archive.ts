// Ended payments leave for the archive when nobody has changed them for long: a walk over each tenant's payments in the order
// of their ids, a slice at a time, each slice one short transaction. What is still open, and a dead letter that nobody has dealt
// with, is walked past and looked at again by the next walk.
//
// Both times count: ids are of real time, `ended_at` is of the tenant's clock, which a test can have set to any year.
import type { Database } from '../db/index.ts';
import { bisect, isLastingError } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import { archiveEnded, nextPayments, nextTenant } from './archive-store.ts';

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

const PAYMENTS_PER_SLICE = 1_000;

type Moved = Awaited<ReturnType<typeof archiveEnded>>;

export async function archiveSlice(
  db: Database,
  clock: Clock,
  caller: Caller,
  order: {
    readonly olderThanMs: number;
    readonly from: ArchivePlace | null;
    /** Every slice is rolled back. */
    readonly dryRun?: boolean;
    /** Told of a payment that could not be archived: it stays where it is. */
    readonly onSetAside?: ((paymentId: Uuid, error: unknown) => void) | undefined;
  },
): Promise<ArchiveSlice> {
  const place = order.from ?? (await firstOf(db, NIL_UUID));
  if (place === null) return { looked: 0, archived: 0, next: null };
  const before = new Date(clock.now.getTime() - order.olderThanMs);
  const { dryRun = false } = order;
  const archive = (from: ArchivePlace, most: number): Promise<Moved> =>
    db.transaction(
      async (tx) => {
        const moved = await archiveEnded(tx, from, before, most);
        const { tenantId } = from;
        const about = { tenantId, type: 'payments.archived' as const, resource: 'tenant', resourceId: tenantId };
        const data = { payments: moved.archived, endedBefore: before };
        if (moved.archived > 0) await appendEvents(tx, [{ ...caller, ...about, data, occurredAt: clock.now }]);
        return moved;
      },
      { dryRun },
    );
  // A payment that cannot be archived is walked past.
  const apart = async (error: unknown): Promise<Moved> => {
    if (!isLastingError(error)) throw error;
    const ids = await nextPayments(db, place, before, PAYMENTS_PER_SLICE);
    if (ids.length === 0) throw error;
    const steps = ids.map((id, index) => ({ id, after: ids[index - 1] ?? place.after }));
    const parts = await bisect(
      steps,
      (part) => archive({ ...place, after: part[0]?.after ?? place.after }, part.length),
      ({ id }, cause) => order.onSetAside?.(id, cause),
    );
    const archived = parts.reduce((sum, part) => sum + part.archived, 0);
    return { looked: ids.length, archived, last: ids.at(-1) ?? place.after };
  };
  const { looked, archived, last } = await archive(place, PAYMENTS_PER_SLICE).catch(apart);
  const isDone = looked < PAYMENTS_PER_SLICE;
  return { looked, archived, next: isDone ? await firstOf(db, place.tenantId) : { ...place, after: last } };
}

async function firstOf(db: Database, after: Uuid): Promise<ArchivePlace | null> {
  const tenantId = await nextTenant(db, after);
  return tenantId === null ? null : { tenantId, after: NIL_UUID };
}
