// Erases the details of events, as privacy law can require. The chain stays valid, because it covers only a salted digest of them. An
// `audit_event.erased` event says which events were erased, by whom and why. It is appended first: the database function erases the events
// that it names, and nothing else. Results and errors of the jobs that handled an event are erased with it: they may repeat its data. Only a
// login that is a member of usance_eraser may call these functions.
import type { Transaction } from '../db/index.ts';
import { sqlState } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { newBlockId, refuse } from '../kernel/index.ts';
import { eraseExecutions, eraseNamed, lockErasable, readLogin } from './erase-store.ts';
import { ERASED } from './erased.ts';

export interface EraseOrder {
  readonly tenantId: Uuid;
  readonly caller: Caller;
  readonly events: readonly Uuid[];
  /** Why; it is kept, so it should repeat nothing of what is erased. */
  readonly reason: string;
}

/** Events that one `audit_event.erased` names at most; the database refuses more. */
const NAMED_AT_ONCE = 500;
const INSUFFICIENT_PRIVILEGE = '42501';

/** Returns how many events were erased. Erasing again erases nothing and appends nothing. */
export async function eraseEvents(tx: Transaction, clock: Clock, order: EraseOrder): Promise<number> {
  const { tenantId, caller, reason } = order;
  if (order.events.length === 0) return 0;
  const login = await readLogin(tx);
  let erased = 0;
  for (const part of chunksOf(order.events, NAMED_AT_ONCE)) {
    const events = await refusingUngranted(lockErasable(tx, tenantId, part));
    if (events.length === 0) continue;
    const data = { events, reason, login };
    const about = {
      tenantId,
      type: ERASED,
      resource: 'tenant',
      resourceId: tenantId,
      data,
      occurredAt: clock.now,
    } as const;
    const id = newBlockId();
    // This event is never erased. Its data has the reason that was asked for; the caller's own could name whom it is about once more.
    await appendEvents(tx, [{ ...caller, ...about, id, reason: null }]);
    erased += await refusingUngranted(eraseNamed(tx, tenantId, id));
    await eraseExecutions(tx, tenantId, events);
  }
  return erased;
}

/** The refusal of the database to erase, as one of ours. */
export async function refusingUngranted<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    return refuse('AUTH_FORBIDDEN/eraser_role');
  }
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
