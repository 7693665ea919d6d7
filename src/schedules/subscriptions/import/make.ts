// One subscription of an import, made. No charge is made with it, as it is when a payer subscribes: the next one is due at its own time.
import type { Transaction } from '../../../db/index.ts';
import type { EventType, Fact } from '../../../events/index.ts';
import { appendEvents } from '../../../events/index.ts';
import type { Caller, Clock, Uuid } from '../../../kernel/index.ts';
import { invariant } from '../../../kernel/index.ts';
import { createSchedule } from '../../create.ts';
import { deleteScheduleDue, lockScheduleDue } from '../../due-store.ts';
import { updateStatuses } from '../../store.ts';
import { scheduleOf } from '../schedule-of-plan.ts';
import { insertAgreement } from '../store.ts';
import type { Resolved } from './look-up.ts';
import type { ImportRow, ImportStatus } from './row.ts';
import { leftOf } from './row.ts';
import type { Imported } from './store.ts';

interface Maker {
  readonly tenantId: Uuid;
  readonly caller: Caller;
}

export async function makeImported(
  tx: Transaction,
  clock: Clock,
  maker: Maker,
  row: ImportRow,
  { plan, payer, digest }: Resolved,
): Promise<Imported> {
  const { tenantId } = maker;
  const { timing, charges, approved, paidBefore } = leftOf(row, plan, clock.now);
  const { id } = await createSchedule(
    tx,
    clock,
    maker,
    scheduleOf(plan, { payer: payer.id, timing, reference: row.reference }),
    { kind: 'subscription', begins: 'with its start', decidedBy: plan },
  );
  const terms = { planId: plan.id, price: plan.price, charges, approved, trialEndsAt: null };
  await insertAgreement(tx, { tenantId, scheduleId: id, ...terms }, row.chargesMade);
  const before = { charges: row.chargesMade, paid: paidBefore, startedAt: row.startedAt };
  const told = { new: { status: 'active', ...terms, asset: plan.asset }, imported: before };
  await appendEvents(tx, [factOf(clock, maker, id, 'subscription.created', told)]);
  if (row.status !== 'ACTIVE') await leave(tx, clock, maker, id, row.status);
  return {
    reference: row.reference,
    scheduleId: id,
    rowDigest: row.digest,
    valuesDigest: digest,
    chargesBefore: row.chargesMade,
    paidBefore,
  };
}

/** What a status other than ACTIVE is to a schedule, and in the words of a subscription. */
const LEFT_AS = {
  PAST_DUE: { status: 'paused', pausedBy: 'failure', becomes: 'past_due' },
  PAUSED: { status: 'paused', pausedBy: 'request', becomes: 'paused' },
  CANCELLED: { status: 'cancelled', pausedBy: null, becomes: 'cancelled' },
} as const;

/** One that is not active is in no due set. A person resumes it: it continues with the first charge ahead. */
async function leave(
  tx: Transaction,
  clock: Clock,
  maker: Maker,
  id: Uuid,
  as: Exclude<ImportStatus, 'ACTIVE'>,
): Promise<void> {
  const { tenantId } = maker;
  const { status, pausedBy, becomes } = LEFT_AS[as];
  const reason = `imported as ${as}`;
  const due = await lockScheduleDue(tx, { tenantId, id });
  invariant(due !== null, 'a new schedule to be in the due set');
  await deleteScheduleDue(tx, [due]);
  const stand = { position: due.position, paymentId: null };
  await updateStatuses(tx, [{ tenantId, id, status, reason, pausedBy, stand, at: clock.now }]);
  const moved = (to: string): Fact['data'] => ({ old: { status: 'active' }, new: { status: to }, reason });
  await appendEvents(tx, [
    factOf(clock, maker, id, `schedule.${status}`, moved(status)),
    factOf(clock, maker, id, `subscription.${becomes}`, moved(becomes)),
  ]);
}

function factOf(clock: Clock, { tenantId, caller }: Maker, id: Uuid, type: EventType, data: Fact['data']): Fact {
  const [resource = ''] = type.split('.');
  return { ...caller, tenantId, type, resource, resourceId: id, data, occurredAt: clock.now };
}
