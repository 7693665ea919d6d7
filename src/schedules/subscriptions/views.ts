// Subscriptions as an application sees them: the agreement, its schedule, and what became of its charges.
import type { Sql } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { readPaid } from '../../payments/index.ts';
import { readScheduleDue } from '../due-store.ts';
import type { Position } from '../schedule.ts';
import { endOf } from '../schedule.ts';
import type { StoredSchedule } from '../store.ts';
import { readSchedules } from '../store.ts';
import { readProgress } from './progress-store.ts';
import type { Charge, StoredAgreement } from './store.ts';
import { listCharges } from './store.ts';
import type { ChargeProgress, Subscription } from './subscription.ts';
import { endReason, subscriptionStatus } from './subscription.ts';

export async function readSubscriptions(
  sql: Sql,
  tenantId: Uuid,
  agreements: readonly StoredAgreement[],
): Promise<Subscription[]> {
  if (agreements.length === 0) return [];
  const ids = agreements.map(({ scheduleId }) => scheduleId);
  const keys = ids.map((id) => ({ tenantId, id }));
  const schedules = new Map((await readSchedules(sql, keys)).map((each) => [each.schedule.id, each]));
  const due = new Map((await readScheduleDue(sql, keys)).map((row) => [row.scheduleId, row.position]));
  const charges = await listCharges(sql, tenantId, ids);
  const became = await readProgress(sql, keys);
  const paid = await readPaid(
    sql,
    charges.map(({ paymentId }) => ({ tenantId, id: paymentId })),
  );
  const byId = Map.groupBy(charges, ({ scheduleId }) => scheduleId);
  return agreements.flatMap((agreement) => {
    const { scheduleId } = agreement;
    const stored = schedules.get(scheduleId);
    const progress = became.get(scheduleId);
    const own = { charges: byId.get(scheduleId) ?? [], paid, position: due.get(scheduleId) ?? null };
    return stored && progress ? [viewOf(agreement, stored, { ...own, progress })] : [];
  });
}

interface Charged {
  readonly charges: readonly Charge[];
  /** By payment, what was paid of it. */
  readonly paid: ReadonlyMap<Uuid, bigint>;
  /** Null where it is not active. */
  readonly position: Position | null;
  readonly progress: ChargeProgress;
}

function viewOf(agreement: StoredAgreement, stored: StoredSchedule, charged: Charged): Subscription {
  const { schedule, timetable, approval } = stored;
  const { charges, paid, position, progress } = charged;
  const settled = charges.flatMap(({ paymentId }) => paid.get(paymentId) ?? []);
  const before = agreement.chargesBefore;
  const next = position ? timetable.next(position) : null;
  const isTrial = next !== null && next.at === agreement.trialEndsAt?.getTime();
  return {
    tenantId: schedule.tenantId,
    id: schedule.id,
    planId: agreement.planId,
    payerId: schedule.payerId,
    payeeId: schedule.legs[0]?.accountId ?? '',
    rail: schedule.rail,
    payout: schedule.payout,
    asset: schedule.asset,
    price: schedule.amount,
    status: subscriptionStatus(schedule, isTrial),
    statusReason: schedule.status === 'completed' ? endReason(progress) : schedule.statusReason,
    priority: schedule.priority,
    retry: schedule.retry,
    charges: progress.charges,
    chargesMade: progress.made,
    chargesPaid: before + settled.length,
    chargesSkipped: progress.skipped,
    chargesCredited: progress.credited,
    approved: agreement.approved === null ? null : agreement.approved + agreement.approvedBefore,
    paid: settled.reduce((sum, amount) => sum + amount, agreement.paidBefore),
    credit: approval?.credit ?? 0n,
    trialEndsAt: agreement.trialEndsAt,
    cancelAt: schedule.cancelAt,
    nextDueAt: next && next.at < endOf(schedule) ? new Date(next.at) : null,
    lastPaymentId: charges.at(-1)?.paymentId ?? null,
    reference: schedule.reference,
    metadata: schedule.metadata,
    createdAt: schedule.createdAt,
    updatedAt: schedule.updatedAt,
    endedAt: schedule.endedAt,
  };
}
