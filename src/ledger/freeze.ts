// A freeze stops money of one (tenant, asset) from leaving: books that do not add up must not be paid from. It is made
// by the continuous check and lifted by a person, who gives a reason; both are on record. A violation of bookkeeping is only
// put on record.
import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../db/index.ts';
import type { EventType } from '../events/index.ts';
import { appendEvents, listEventsOf } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { SYSTEM, firstIdAt, newId, refuse } from '../kernel/index.ts';
import type { Offender } from './integrity-store.ts';
import { insertFreeze, liftFreezeRow } from './integrity-store.ts';

/** False when the asset was frozen already: the first violation is the one on record. */
export async function freezeAsset(
  tx: Transaction,
  clock: Clock,
  violation: string,
  offender: Offender,
): Promise<boolean> {
  const { tenantId, asset, details } = offender;
  const id = newId();
  if (!(await insertFreeze(tx, { id, tenantId, asset, violation, details: JSON.stringify(details) }))) return false;
  await tell(tx, clock, {
    tenantId,
    id,
    asset,
    caller: SYSTEM,
    fact: 'freeze.created',
    resource: 'freeze',
    details: { violation, details },
  });
  return true;
}

const REPORT_AGAIN_MS = 24 * 3_600_000;

/**
 * False when it was reported within a day: the check comes by every minute. The violation's id is a digest of what was found,
 * so that two processes, and the next pass, know it again.
 */
export async function reportViolation(
  tx: Transaction,
  clock: Clock,
  violation: string,
  offender: Offender,
): Promise<boolean> {
  const { tenantId, asset, details } = offender;
  const id = violationId([violation, tenantId, asset, JSON.stringify(details)]);
  const from = firstIdAt(new Date(clock.now.getTime() - REPORT_AGAIN_MS));
  if ((await listEventsOf(tx, tenantId, id, { from, limit: 1 })).length > 0) return false;
  await tell(tx, clock, {
    tenantId,
    id,
    asset,
    caller: SYSTEM,
    fact: 'books.violation_found',
    resource: 'violation',
    details: { violation, details },
  });
  return true;
}

/** Reports violations of one check that belong to no asset, each in a transaction of its own. */
export function reporterOf(
  db: Database,
  readNow: () => Promise<Clock>,
  check: string,
): (tenantId: Uuid, details: Readonly<Record<string, unknown>>) => Promise<void> {
  return async (tenantId, details) => {
    const clock = await readNow();
    await db.transaction((tx) => reportViolation(tx, clock, check, { tenantId, asset: '', details }));
  };
}

/** A UUID of version 8, made of a digest. It begins with 00: an event about an id that begins with ff is read as an application's. */
export function violationId(parts: readonly string[]): Uuid {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex');
  return `00${hex.slice(2, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export interface LiftOrder {
  readonly tenantId: Uuid;
  readonly asset: string;
  readonly caller: Caller;
  readonly reason: string;
}

export async function liftFreeze(tx: Transaction, clock: Clock, order: LiftOrder): Promise<void> {
  if (order.reason.trim() === '') refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
  const id = await liftFreezeRow(tx, { ...order, actor: order.caller.actor });
  if (!id) return refuse('FREEZE_NOT_FOUND', { asset: order.asset });
  await tell(tx, clock, { ...order, id, fact: 'freeze.lifted', resource: 'freeze', details: { reason: order.reason } });
}

interface Telling {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly asset: string;
  readonly caller: Caller;
  readonly fact: EventType;
  readonly resource: 'freeze' | 'violation';
  readonly details: Readonly<Record<string, unknown>>;
}

async function tell(tx: Transaction, clock: Clock, telling: Telling): Promise<void> {
  const { tenantId, id, caller } = telling;
  const data = { asset: telling.asset, ...telling.details };
  await appendEvents(tx, [
    {
      ...caller,
      tenantId,
      type: telling.fact,
      resource: telling.resource,
      resourceId: id,
      data,
      occurredAt: clock.now,
    },
  ]);
}
