// A freeze stops money of one (tenant, asset) from leaving: books that do not add up must not be paid from. It is made
// by the continuous check and lifted by a person, who gives a reason; both are on record.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { SYSTEM, newId, refuse } from '../kernel/index.ts';
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
    fact: 'asset.frozen',
    details: { violation, ...details },
  });
  return true;
}

export interface LiftOrder {
  readonly tenantId: Uuid;
  readonly asset: string;
  readonly caller: Caller;
  readonly reason: string;
}

export async function liftFreeze(tx: Transaction, clock: Clock, order: LiftOrder): Promise<void> {
  if (order.reason.trim() === '') refuse('FIELD_INVALID', 'lifting a freeze needs a reason', { param: 'reason' });
  const id = await liftFreezeRow(tx, { ...order, actor: order.caller.actor });
  if (!id) return refuse('FREEZE_NOT_FOUND', `${order.asset} is not frozen`);
  await tell(tx, clock, { ...order, id, fact: 'asset.unfrozen', details: { reason: order.reason } });
}

interface Telling {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly asset: string;
  readonly caller: Caller;
  readonly fact: string;
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
      resource: 'asset',
      resourceId: id,
      data,
      occurredAt: clock.now,
    },
  ]);
}
