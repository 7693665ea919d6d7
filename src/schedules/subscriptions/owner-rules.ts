// Rules of a subscription for its charges, applied by the verbs of payments. The locks are those of the verbs on schedules, in their
// order: a retry or a refund of a charge and a change of its subscription wait for each other.
//
//   retry    within the approved total, and the open credit where credit was taken off the charge; not once the subscription is
//            cancelled or past its cancelAt, nor once a change of plan has ended the charge's period early
//   refund   where the unused part of the charge became credit: freely up to the used part, beyond it as far as credit is still open
//   attempt  of a payout not once the subscription is cancelled or past its cancelAt: what is with its chain is not stopped, the next attempt is
//   settle   every paid charge is counted and has its event (charged.ts)
import type { Sql, Transaction } from '../../db/index.ts';
import type { Clock, Refused, Uuid } from '../../kernel/index.ts';
import { refused } from '../../kernel/index.ts';
import type { OwnedPayment, OwnerRules, Payment, RefundRule } from '../../payments/index.ts';
import { readPayments } from '../../payments/index.ts';
import { holdSchedules } from '../hold.ts';
import type { ScheduleKey, StoredSchedule } from '../store.ts';
import { readSchedules } from '../store.ts';
import { openCharges } from './charged.ts';
import { readChargeTerms } from './credit-store.ts';
import { listCharges } from './store.ts';
import type { Approval } from './subscription.ts';
import { afterCharge, beyondApproval, hasEnded } from './subscription.ts';

export const OWNER_RULES: OwnerRules = {
  async retry(tx, clock, payments) {
    const charges = chargesOf(payments);
    const found = new Map<Uuid, Refused>();
    for (const [tenantId, own] of Map.groupBy(charges, (charge) => charge.tenantId))
      for (const [id, because] of await refusedOf(tx, clock, tenantId, own, await holdOwners(tx, own)))
        found.set(id, because);
    return found;
  },
  async refund(tx, payments) {
    const charges = chargesOf(payments);
    return charges.length === 0 ? () => null : refundRule(tx, charges);
  },
  async attempt(sql, clock, payments) {
    const charges = chargesOf(payments);
    if (charges.length === 0) return new Map();
    const owners = await ownersOf(charges, (keys) => readSchedules(sql, keys));
    return new Map(
      charges.flatMap(({ id, owner }) => {
        const subscription = owners.get(owner.id);
        const isOver = subscription !== undefined && hasEnded(subscription.schedule, clock);
        return isOver ? [[id, refused('PAYMENT_OWNED/subscription_ended', { subscription: owner.id })] as const] : [];
      }),
    );
  },
  async settle(tx, clock, payments) {
    const charges = chargesOf(payments);
    return charges.length === 0 ? null : openCharges(tx, clock, charges);
  },
};

const chargesOf = (payments: readonly OwnedPayment[]): OwnedPayment[] =>
  payments.filter(({ owner }) => owner.kind === 'subscription');

/** Why a retry of the failed charge would be refused now; null where it would not, and for payments of other owners. Locks nothing. */
export async function retryRefusal(sql: Sql, clock: Clock, { tenantId, id, owner }: Payment): Promise<Refused | null> {
  const charges = owner ? chargesOf([{ tenantId, id, owner }]) : [];
  const owners = await ownersOf(charges, (keys) => readSchedules(sql, keys));
  return new Map(await refusedOf(sql, clock, tenantId, charges, owners)).get(id) ?? null;
}

/** By id. */
async function ownersOf(
  charges: readonly OwnedPayment[],
  read: (keys: readonly ScheduleKey[]) => Promise<readonly StoredSchedule[]>,
): Promise<Map<Uuid, StoredSchedule>> {
  const keys = new Map(charges.map(({ tenantId, owner }) => [owner.id, { tenantId, id: owner.id }]));
  return new Map((await read([...keys.values()])).map((each) => [each.schedule.id, each]));
}

const holdOwners = (tx: Transaction, charges: readonly OwnedPayment[]): Promise<Map<Uuid, StoredSchedule>> =>
  ownersOf(charges, (keys) => holdSchedules(tx, keys));

const termsOf = (tx: Sql, charges: readonly OwnedPayment[]): ReturnType<typeof readChargeTerms> =>
  readChargeTerms(
    tx,
    charges.map(({ tenantId, id, owner }) => ({ tenantId, scheduleId: owner.id, id })),
  );

async function refusedOf(
  tx: Sql,
  clock: Clock,
  tenantId: Uuid,
  charges: readonly OwnedPayment[],
  subscriptions: ReadonlyMap<Uuid, StoredSchedule>,
): Promise<[Uuid, Refused][]> {
  const ids = [...subscriptions.keys()];
  const all = await listCharges(tx, tenantId, ids);
  const paid = await readPayments(
    tx,
    all.map(({ paymentId }) => ({ tenantId, id: paymentId })),
  );
  const terms = await termsOf(tx, charges);
  const byId = new Map(paid.map((payment) => [payment.id, payment]));
  /** By subscription: what was paid of its charges and what may still be of those that are open, and its open credit. */
  const left = new Map<Uuid, Approval>();
  for (const [id, { approval }] of subscriptions) {
    const own = paid.filter(({ owner }) => owner?.id === id);
    // The charge itself is among those that were made.
    if (approval) left.set(id, { ...approval, charges: null, made: own.reduce((sum, one) => sum + boundOf(one), 0n) });
  }
  return charges.flatMap(({ id, owner }): [Uuid, Refused][] => {
    const { schedule } = subscriptions.get(owner.id) ?? {};
    const approval = left.get(owner.id);
    const payment = byId.get(id);
    const agreed = terms.get(id);
    if (!schedule || !approval || !payment || !agreed) return [];
    const subscription = owner.id;
    if (hasEnded(schedule, clock)) return [[id, refused('PAYMENT_OWNED/subscription_ended', { subscription })]];
    if (agreed.endedWith !== null) return [[id, refused('PAYMENT_OWNED/period_ended', { subscription })]];
    const rest = payment.amount - boundOf(payment);
    const beyond = beyondApproval(approval, rest, schedule.asset);
    if (beyond) return [[id, beyond]];
    const credited = rest === payment.amount ? agreed.price - payment.amount : 0n;
    if (credited > approval.credit) return [[id, refused('PAYMENT_OWNED/credit_used', { subscription })]];
    left.set(owner.id, afterCharge(approval, { charge: rest, credited }));
    return [];
  });
}

const boundOf = ({ endedAt, amount, captured }: Payment): bigint => (endedAt === null ? amount : captured);

/** Of several refunds in one batch each finds the credit that those before it left. */
async function refundRule(tx: Transaction, charges: readonly OwnedPayment[]): Promise<RefundRule> {
  const subscriptions = await holdOwners(tx, charges);
  const terms = await termsOf(tx, charges);
  const credit = new Map([...subscriptions].map(([id, { approval }]) => [id, approval?.credit ?? 0n]));
  return ({ id, owner, asset, captured, refunded }, amount) => {
    const credited = terms.get(id)?.endedWith ?? null;
    if (!owner || credited === null) return null;
    const open = credit.get(owner.id) ?? 0n;
    const used = captured - credited;
    const free = refunded < used ? used - refunded : 0n;
    const taken = amount > free ? amount - free : 0n;
    if (taken > open)
      return refused('REFUND_EXCEEDS_PAYMENT/credited', {
        subscription: owner.id,
        left: { amount: free + open, asset },
        amount: { amount, asset },
      });
    credit.set(owner.id, open - taken);
    return null;
  };
}
