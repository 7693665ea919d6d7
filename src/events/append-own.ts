// Appends events of an application: one block in the caller's transaction, counted towards the tenant's quota.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import { appendBlocks } from './append.ts';
import type { OwnEvent } from './own-event.ts';
import { ownResourceId, storedOwnData } from './own-event.ts';
import { countOwnEvents } from './own-store.ts';

/** Own events that a tenant can append a day, unless the deployment says otherwise. */
export const OWN_EVENTS_PER_DAY = 1_000_000;

export interface OwnEventOrder {
  readonly tenantId: Uuid;
  readonly caller: Caller;
  /** As `parseOwnEvents` returned them. */
  readonly events: readonly OwnEvent[];
  /** How many the tenant can append a day; 0: no limit. */
  readonly perDay: number;
}

/** An own event that was appended. It has no seq yet. */
export interface AppendedEvent extends Omit<OwnEvent, 'data'> {
  readonly id: Uuid;
  readonly occurredAt: Date;
}

export async function appendOwnEvents(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller, events, perDay }: OwnEventOrder,
): Promise<AppendedEvent[]> {
  if (perDay > 0) await requireQuota(tx, tenantId, events.length, perDay);
  const blocks = await appendBlocks(
    tx,
    events.map((event) => ({
      ...caller,
      tenantId,
      type: event.type,
      version: event.version,
      resource: event.resource,
      resourceId: ownResourceId(tenantId, event.resource, event.resourceId),
      data: storedOwnData(event),
      occurredAt: clock.now,
    })),
  );
  const ids = blocks.flatMap((block) => block.events.map(({ id }) => id));
  return events.map(({ data: _data, ...event }, index) => ({ ...event, id: ids[index] ?? '', occurredAt: clock.now }));
}

async function requireQuota(tx: Transaction, tenantId: Uuid, events: number, perDay: number): Promise<void> {
  const { today, secondsLeft } = await countOwnEvents(tx, tenantId, events, newId());
  if (today <= BigInt(perDay)) return;
  const left = Math.max(0, perDay + events - Number(today));
  refuse('EVENTS_QUOTA_EXCEEDED', { max: perDay, left, seconds: secondsLeft });
}
