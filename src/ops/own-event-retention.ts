// Erases the data of own events that are older than their retention, a slice at a time. The events stay in the order and in the hash chain,
// without their data, and an `audit_event.erased` event names them. Age is by real time, also in a test tenant: ids are of real time.
import { eraseEvents } from '../audit/index.ts';
import type { Database } from '../db/index.ts';
import { bisect } from '../db/index.ts';
import type { OwnEventPlace } from '../events/index.ts';
import { oldOwnEvents } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { NIL_UUID, Refusal, SYSTEM, firstIdAt } from '../kernel/index.ts';
import { passingClock } from '../tenants/index.ts';

const EVENTS_PER_SLICE = 500;
const FROM_THE_FIRST: OwnEventPlace = { tenantId: NIL_UUID, id: NIL_UUID };
const REASON = 'the retention of own events has ended';

export interface OwnEventSlice {
  readonly erased: number;
  /** The place to continue from; null at the end of the walk. */
  readonly next: OwnEventPlace | null;
}

export interface OwnEventRetention {
  readonly olderThanMs: number;
  readonly from: OwnEventPlace | null;
  /** Called for an event that could not be erased. It is tried again by the next walk. */
  readonly onSetAside?: ((eventId: Uuid, error: unknown) => void) | undefined;
}

export async function eraseOldOwnEvents(db: Database, clock: Clock, order: OwnEventRetention): Promise<OwnEventSlice> {
  const before = firstIdAt(new Date(clock.now.getTime() - order.olderThanMs));
  const old = await oldOwnEvents(db, before, order.from ?? FROM_THE_FIRST, EVENTS_PER_SLICE);
  const byTenant = Map.groupBy(old, ({ tenantId }) => tenantId);
  let erased = 0;
  for (const [tenantId, events] of byTenant) {
    const parts = await bisect(
      events.map(({ id }) => id),
      (ids) => erase(db, clock, tenantId, ids, order.onSetAside),
      (id, error) => order.onSetAside?.(id, error),
    );
    erased += parts.reduce((sum, part) => sum + part, 0);
  }
  return { erased, next: old.length < EVENTS_PER_SLICE ? null : (old.at(-1) ?? null) };
}

/** A role without the right to erase is no reason for the rest of retention to stop: one notice a slice and tenant. */
async function erase(
  db: Database,
  clock: Clock,
  tenantId: Uuid,
  events: readonly Uuid[],
  onSetAside: OwnEventRetention['onSetAside'],
): Promise<number> {
  try {
    return await db.transaction(async (tx) => {
      const own = (await passingClock(tx, tenantId)) ?? clock;
      return eraseEvents(tx, own, { tenantId, caller: SYSTEM, events, reason: REASON });
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    onSetAside?.(events[0] ?? NIL_UUID, error);
    return 0;
  }
}
