// Forgetting what events told, and where they came from: the law may ask for it, and the chain allows it, because it hashes
// only a salted digest of that. That something was erased, which events and by whom, is an event itself and stays.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { ERASED } from './erased.ts';
import { forgetEvents, holdSealers } from './store.ts';

export interface EraseOrder {
  readonly tenantId: Uuid;
  readonly caller: Caller;
  readonly events: readonly Uuid[];
  /** Why; it is kept, so it should repeat nothing of what is erased. */
  readonly reason: string;
}

/** So many are named by one event. */
const NAMED_AT_ONCE = 500;

/** How many there were to erase: erasing again erases nothing, and is not told. */
export async function eraseEvents(tx: Transaction, clock: Clock, order: EraseOrder): Promise<number> {
  const { tenantId, caller, reason } = order;
  if (order.events.length === 0) return 0;
  // A sealer that has read an event would seal what it told, with a salt that we had not seen.
  await holdSealers(tx);
  const erased = await forgetEvents(tx, tenantId, order.events);
  const about = { tenantId, type: ERASED, resource: 'tenant', resourceId: tenantId, occurredAt: clock.now };
  await appendEvents(
    tx,
    inParts(erased, NAMED_AT_ONCE).map((events) => ({ ...caller, ...about, data: { events, reason } })),
  );
  return erased.length;
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
