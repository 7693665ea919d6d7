// Ended payments leave for the archive when nobody has changed them for long: a walk over each tenant's payments in the order
// of their ids, a slice at a time, each slice one short transaction. What is still open, and a dead letter that nobody has dealt
// with, is walked past and looked at again by the next walk.
//
// Both times count: ids are of real time, `ended_at` is of the tenant's clock, which a test can have set to any year.
import type { Database } from '../db/index.ts';
import { isLastingError } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import { archiveEnded, nextPayment, nextTenant } from './archive-store.ts';

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
    /** Told of a payment that could not be archived: it stays where it is. */
    readonly onSetAside?: ((paymentId: Uuid, error: unknown) => void) | undefined;
  },
): Promise<ArchiveSlice> {
  const place = order.from ?? (await firstOf(db, NIL_UUID));
  if (place === null) return { looked: 0, archived: 0, next: null };
  const before = new Date(clock.now.getTime() - order.olderThanMs);
  const archive = (from: ArchivePlace, most: number): Promise<Moved> =>
    db.transaction(async (tx) => {
      const moved = await archiveEnded(tx, from, before, most);
      const { tenantId } = from;
      const about = { tenantId, type: 'payments.archived', resource: 'tenant', resourceId: tenantId };
      const data = { payments: moved.archived, endedBefore: before };
      if (moved.archived > 0) await appendEvents(tx, [{ ...caller, ...about, data, occurredAt: clock.now }]);
      return moved;
    });
  /** Where a slice throws it is archived in halves, until the payment to blame is alone and is walked past. */
  const archiveApart = async (from: ArchivePlace, most: number): Promise<Moved> => {
    try {
      return await archive(from, most);
    } catch (error) {
      if (!isLastingError(error)) throw error;
      if (most === 1) {
        const id = await nextPayment(db, from);
        if (id === null) throw error;
        order.onSetAside?.(id, error);
        return { looked: 1, archived: 0, last: id };
      }
      const half = Math.ceil(most / 2);
      const first = await archiveApart(from, half);
      if (first.looked < half) return first;
      const second = await archiveApart({ ...from, after: first.last }, most - half);
      return {
        looked: first.looked + second.looked,
        archived: first.archived + second.archived,
        last: second.last,
      };
    }
  };
  const { looked, archived, last } = await archiveApart(place, PAYMENTS_PER_SLICE);
  const isDone = looked < PAYMENTS_PER_SLICE;
  return { looked, archived, next: isDone ? await firstOf(db, place.tenantId) : { ...place, after: last } };
}

async function firstOf(db: Database, after: Uuid): Promise<ArchivePlace | null> {
  const tenantId = await nextTenant(db, after);
  return tenantId === null ? null : { tenantId, after: NIL_UUID };
}
