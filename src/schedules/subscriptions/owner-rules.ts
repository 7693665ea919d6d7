// What a subscription says about its charges, to the verbs of payments: a failed charge is tried again within the total that the
// payer approved, and not once the subscription is cancelled. The locks are those of the verbs on schedules, in their order, so
// that a charge that is tried again and the cancelling of its subscription wait for each other.
import type { Transaction } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { toTypeId } from '../../kernel/index.ts';
import type { Refused } from '../../ledger/index.ts';
import type { OwnedPayment, OwnerRules, Payment } from '../../payments/index.ts';
import { readPayments } from '../../payments/index.ts';
import { lockScheduleDues } from '../due-store.ts';
import type { ScheduleKey } from '../store.ts';
import { readSchedules } from '../store.ts';
import { listCharges } from './store.ts';
import { beyondApproval } from './subscription.ts';

export const OWNER_RULES: OwnerRules = {
  async retry(tx, payments) {
    const charges = payments.filter(({ owner }) => owner.kind === 'subscription');
    const refused = new Map<Uuid, Refused>();
    for (const [tenantId, own] of Map.groupBy(charges, (charge) => charge.tenantId))
      for (const [id, because] of await refusedOf(tx, tenantId, own)) refused.set(id, because);
    return refused;
  },
};

async function refusedOf(
  tx: Transaction,
  tenantId: Uuid,
  charges: readonly OwnedPayment[],
): Promise<[Uuid, Refused][]> {
  const ids = [...new Set(charges.map(({ owner }) => owner.id))];
  const keys: ScheduleKey[] = ids.map((id) => ({ tenantId, id }));
  await lockScheduleDues(tx, keys);
  const subscriptions = new Map(
    (await readSchedules(tx, keys, { lock: true })).map((each) => [each.schedule.id, each]),
  );
  const all = await listCharges(tx, tenantId, ids);
  const paid = await readPayments(
    tx,
    all.map(({ paymentId }) => ({ tenantId, id: paymentId })),
  );
  const byId = new Map(paid.map((payment) => [payment.id, payment]));
  /** By subscription: what was paid of its charges, and what may still be of those that are open. */
  const charged = new Map(
    ids.map((id) => [id, paid.filter(({ owner }) => owner?.id === id).reduce((sum, one) => sum + boundOf(one), 0n)]),
  );
  return charges.flatMap(({ id, owner }): [Uuid, Refused][] => {
    const { schedule, approval = null } = subscriptions.get(owner.id) ?? {};
    const payment = byId.get(id);
    if (!schedule || !approval || !payment) return [];
    if (schedule.status === 'cancelled') return [[id, cancelled(owner.id)]];
    const made = charged.get(owner.id) ?? 0n;
    const rest = payment.amount - boundOf(payment);
    const beyond = beyondApproval({ ...approval, made }, rest);
    if (beyond) return [[id, beyond]];
    charged.set(owner.id, made + rest);
    return [];
  });
}

const boundOf = ({ endedAt, amount, captured }: Payment): bigint => (endedAt === null ? amount : captured);

const cancelled = (id: Uuid): Refused => ({
  code: 'PAYMENT_OWNED',
  detail: `the payment is a charge of the subscription ${toTypeId('subscription', id)}, which is cancelled: it is not tried again`,
});
