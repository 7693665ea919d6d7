// Forgetting what events told, and where they came from: the law may ask for it, and the chain allows it, because it hashes
// only a salted digest of that. That something was erased, which events and by whom, is an event itself and stays: the
// database function that erases appends it. Only a login that is a member of usance_eraser may call that function.
import type { Transaction } from '../db/index.ts';
import { sqlState } from '../db/index.ts';
import { placedUpTo } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { ERASED } from './erased.ts';
import { forgetEvents, holdSealers, lastPlace } from './store.ts';

export interface EraseOrder {
  readonly tenantId: Uuid;
  readonly caller: Caller;
  readonly events: readonly Uuid[];
  /** Why; it is kept, so it should repeat nothing of what is erased. */
  readonly reason: string;
}

/** So many are named by one event; the database refuses more. */
const NAMED_AT_ONCE = 500;
const INSUFFICIENT_PRIVILEGE = '42501';

/** How many there were to erase: erasing again erases nothing, and is not told. */
export async function eraseEvents(tx: Transaction, clock: Clock, order: EraseOrder): Promise<number> {
  const { tenantId, caller, reason } = order;
  if (order.events.length === 0) return 0;
  let erased = 0;
  const forget = async (events: readonly Uuid[]): Promise<void> => {
    if (events.length === 0) return;
    const gone = await refusingUngranted(forgetEvents(tx, { ...caller, tenantId, events, reason, at: clock.now }));
    if (gone.length > 0) {
      tx.note(ERASED, 1);
      tx.journal?.events.push(ERASED);
    }
    erased += gone.length;
  };
  // Sealed events first, without the lock: they are nearly all, and every tenant's sealing would wait for them.
  const last = await lastPlace(tx);
  const unsealed: Uuid[] = [];
  for (const events of inParts(order.events, NAMED_AT_ONCE)) {
    const sealed = await placedUpTo(tx, tenantId, events, last);
    await forget(events.filter((id) => sealed.has(id)));
    unsealed.push(...events.filter((id) => !sealed.has(id)));
  }
  // A sealer that has read an event would seal what it told, with a salt that we had not seen.
  if (unsealed.length > 0) await holdSealers(tx);
  for (const events of inParts(unsealed, NAMED_AT_ONCE)) await forget(events);
  return erased;
}

async function refusingUngranted<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    return refuse('AUTH_FORBIDDEN/eraser_role');
  }
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
