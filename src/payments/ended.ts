// Verbs on payments that are over: refund what was settled, try again what failed. There is no due row to hold, so the
// payment's own row is locked, before the balances.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import { Refusal, refuse } from '../kernel/index.ts';
import { isRefused, requireMayMove } from '../ledger/index.ts';
import { readPauses } from '../tenants/index.ts';
import type { Answer, Changed } from './answers.ts';
import { answer, inRounds } from './answers.ts';
import { approvalUntil } from './approval.ts';
import type { Batch, Item } from './batch.ts';
import { newRefund, openBatch, payerBalance, paymentFact, writeBatch } from './batch.ts';
import { deleteDeadLetters } from './due-store.ts';
import type { OrderBounds } from './order.ts';
import { parseReason } from './order.ts';
import type { OwnerRules, RefundRule } from './owner-rules.ts';
import { readTenantRules } from './limits-store.ts';
import type { Payment } from './payment.ts';
import { dueAtOf, flowOf, requireNotEnded, restOf } from './payment.ts';
import { openGuards } from './payout-guards.ts';
import { duePriorityOf } from './payout-terms.ts';
import { sharesOf } from './shares.ts';
import type { Refund } from './refund-store.ts';
import { listRefunds } from './refund-store.ts';
import type { PaymentKey } from './store.ts';
import { readOwned, readPayments } from './store.ts';
import type { TenantLimits } from './tenant-limits.ts';
import { NO_TENANT_LIMITS } from './tenant-limits.ts';

export interface RefundOrder extends PaymentKey {
  /** Left out: everything that was not refunded yet. */
  readonly amount?: bigint;
  /** The payee that gives back, where there are several and it is not all of them. */
  readonly fromAccountId?: string;
  readonly reason?: string;
}

export interface Refunded {
  readonly payment: Payment;
  readonly refunds: readonly Refund[];
}

/** From the payees back to the payer, never more than was paid, leg by leg. The owner of a payment may allow less. */
export async function refundPayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly RefundOrder[],
  rules: OwnerRules,
): Promise<Answer<Refunded>[]> {
  const pauses = await readPauses(
    tx,
    orders.map((order) => order.tenantId),
  );
  return inRounds(orders, async (round) => {
    const owned = await readOwned(tx, round);
    const rule = owned.length === 0 ? NO_RULE : await rules.refund(tx, owned);
    const { batch, itemOf } = await openEnded(tx, clock, caller, round, REFUND);
    const earlier = batch ? await listRefunds(tx, round) : [];
    const answers = round.map((order) =>
      answer(() => {
        const reason = parseReason(order.reason);
        const [on, item] = itemOf(order);
        if (pauses.covers(item.payment)) refuse('PAUSED', { asset: item.payment.asset });
        return refund(on, item, order, { reason, earlier, rule });
      }),
    );
    if (batch) await writeBatch(tx, batch);
    return answers;
  });
}

function refund(
  batch: Batch,
  item: Item,
  order: RefundOrder,
  how: { readonly reason: string | null; readonly earlier: readonly Refund[]; readonly rule: RefundRule },
): Refunded {
  const { payment } = item;
  const { reason, earlier, rule } = how;
  const parts = shareOfLegs(
    payment,
    earlier.filter(({ tenantId, paymentId }) => tenantId === payment.tenantId && paymentId === payment.id),
    order,
  );
  const total = parts.reduce((sum, part) => sum + part.amount, 0n);
  if (total === 0n) refuse('REFUND_EXCEEDS_PAYMENT/already_refunded', { payment: payment.id });
  const because = rule(payment, total);
  if (because) throw new Refusal(because);

  const given = parts.filter((part) => part.amount > 0n);
  requireMayMove(batch.caller, { tenantId: payment.tenantId, from: given.map((part) => part.accountId), to: [] });
  const refunds = given.map((part) => newRefund(item, part.accountId, part.amount, batch.clock.now));
  const refused = batch.book.allOrNothing(() => {
    for (const refund of refunds) {
      const { tenantId, asset, payerId, id } = payment;
      const outcome = batch.book.transfer({
        tenantId,
        asset,
        debitAccountId: refund.accountId,
        creditAccountId: payerId,
        amount: refund.amount,
        kind: 'refund',
        paymentId: id,
        description: reason,
      });
      if (isRefused(outcome)) return outcome;
    }
    return null;
  });
  if (refused) throw new Refusal(refused);
  batch.refunds.push(...refunds);
  batch.change(item, payment.status, { refunded: payment.refunded + total });
  batch.tell(item, 'payment.refunded', {
    old: { status: payment.status },
    refund: { amount: total },
    refunded: item.payment.refunded,
    reason,
  });
  return { payment: item.payment, refunds };
}

/** How much each payee gives back. */
function shareOfLegs(
  payment: Payment,
  earlier: readonly Refund[],
  order: RefundOrder,
): { accountId: string; amount: bigint }[] {
  const left = sharesOf(payment.legs, payment.captured).map((leg) => {
    const back = earlier
      .filter((refund) => refund.accountId === leg.accountId)
      .reduce((sum, refund) => sum + refund.amount, 0n);
    return { accountId: leg.accountId, amount: leg.amount - back };
  });
  const from = order.fromAccountId;
  const chosen = from === undefined ? left : left.filter((leg) => leg.accountId === from);
  if (chosen.length === 0) refuse('LEGS_INVALID/not_a_payee', { param: 'from', payment: payment.id });
  const most = chosen.reduce((sum, leg) => sum + leg.amount, 0n);
  const amount = order.amount ?? most;
  if (amount > most) refuseRefund(payment, most, amount);
  if (amount === most) return chosen;
  const [only] = chosen;
  if (!only || chosen.length > 1) return refuse('LEGS_INVALID/payee_required', { param: 'from', payment: payment.id });
  return [{ accountId: only.accountId, amount }];
}

function refuseRefund({ id, asset }: Payment, left: bigint, amount: bigint): never {
  return refuse('REFUND_EXCEEDS_PAYMENT/too_much', {
    param: 'amount',
    payment: id,
    left: { amount: left, asset },
    amount: { amount, asset },
  });
}

const NO_RULE: RefundRule = () => null;
const NONE_REFUSED: Awaited<ReturnType<OwnerRules['retry']>> = new Map();

export interface RetryOrder extends PaymentKey {
  readonly reason?: string;
}

/** An operator's second chance for failed payments: attempts start over and funds are reserved anew. The owner has its say. */
export function retryPayments(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  orders: readonly RetryOrder[],
  { rules, bounds }: { readonly rules: OwnerRules; readonly bounds: OrderBounds },
): Promise<Changed[]> {
  return inRounds(orders, async (round) => {
    const owned = await readOwned(tx, round);
    const refused = owned.length === 0 ? NONE_REFUSED : await rules.retry(tx, clock, owned);
    const { batch, itemOf } = await openEnded(tx, clock, caller, round, RETRY);
    const guarded = await openGuards(tx, bounds, batch?.items.map(({ payment }) => payment) ?? []);
    const answers = round.map((order) =>
      answer(() => {
        const reason = parseReason(order.reason);
        const [on, item] = itemOf(order);
        const { payment } = item;
        const executeAt = payment.executeAt > clock.now ? payment.executeAt : clock.now;
        const because = refused.get(order.id) ?? guarded({ ...payment, executeAt });
        if (because) throw new Refusal(because);
        return retry(on, item, reason, bounds);
      }),
    );
    if (batch) await writeBatch(tx, batch);
    return answers;
  });
}

function retry(batch: Batch, item: Item, reason: string | null, bounds: OrderBounds): { payment: Payment } {
  const { payment } = item;
  const { now } = batch.clock;
  // The time in which it can be approved begins anew.
  const asked = payment.approval === 'awaited' ? { approvalUntil: approvalUntil(batch.clock, bounds) } : {};
  requireNotEnded({ ...payment, ...asked }, batch.lockedAt, 'retried');
  const payer = payerBalance(payment);
  const refused = payment.funding === 'reserve' ? batch.spend.hold(batch.book, payer, restOf(payment)) : null;
  if (refused) throw new Refusal(refused);
  const counted = payment.funding === 'reserve' ? batch.spend.countedBy(payer) : 0;
  batch.change(item, 'scheduled', {
    attempts: 0,
    released: 0n,
    heldAt: batch.lockedAt,
    counted,
    uncounted: null,
    ...asked,
  });
  const { tenantId, id, clockId, rail } = payment;
  // Never before its instant; and what failed while it awaited approval awaits it again.
  const dueAt = dueAtOf(item.payment, now);
  batch.dueAdded.push({ tenantId, paymentId: id, clockId, rail, priority: duePriorityOf(payment), dueAt, blocked: 0 });
  batch.lettersRemoved.push(payment);
  batch.tell(item, 'payment.retried', { old: { status: 'failed' }, reason });
  return { payment: item.payment };
}

/** Somebody looked and left it at that: no longer a dead letter, and failed as before. Throws a Refusal. */
export async function discardPayment(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  order: PaymentKey & { readonly reason: string },
): Promise<Payment> {
  const reason = parseReason(order.reason.trim());
  if (!reason) refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
  const [payment] = await readPayments(tx, [order], { lock: true });
  if (!payment || (await deleteDeadLetters(tx, [order])) === 0) return refuse('DEAD_LETTER_NOT_FOUND');
  await appendEvents(tx, [
    paymentFact(caller, clock, payment, 'payment.discarded', { code: payment.lastCode, reason }),
  ]);
  return payment;
}

interface Wanted {
  readonly isFit: (payment: Payment) => boolean;
  /** Why one that is not fit is refused. */
  readonly unfit: 'not_refundable' | 'not_failed';
  readonly reversed: boolean;
  /** What is counted when it is done. */
  readonly limitsFor: (tx: Transaction, payments: readonly Payment[]) => Promise<TenantLimits>;
}

const REFUND: Wanted = {
  // Failed after a part of it was captured: that part was paid.
  isFit: ({ status, captured }) => status === 'settled' || (status === 'failed' && captured > 0n),
  unfit: 'not_refundable',
  reversed: true,
  limitsFor: () => Promise.resolve(NO_TENANT_LIMITS),
};
const RETRY: Wanted = {
  isFit: ({ status }) => status === 'failed',
  unfit: 'not_failed',
  reversed: false,
  limitsFor: async (tx, payments) =>
    (await readTenantRules(tx, [...new Set(payments.map(({ tenantId }) => tenantId))])).limits,
};

/**
 * Refuses by the payments' state before any balance is locked: one that is scheduled after all may be in the hands of a
 * settlement, which has the balances and is about to write the payment that we hold.
 */
async function openEnded(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  keys: readonly PaymentKey[],
  { isFit, unfit, reversed, limitsFor }: Wanted,
): Promise<{ batch: Batch | null; itemOf: (key: PaymentKey) => [Batch, Item] }> {
  const found = await readPayments(tx, keys, { lock: true });
  const ended = found.filter(isFit);
  const batch =
    ended.length === 0
      ? null
      : await openBatch(tx, clock, {
          caller,
          due: [],
          ended,
          pays: false,
          reversed,
          limits: await limitsFor(tx, ended),
        });
  return {
    batch,
    itemOf(key) {
      const item = batch?.item(key);
      const payment = item?.payment ?? found.find(({ tenantId, id }) => tenantId === key.tenantId && id === key.id);
      if (payment) requireMayMove(caller, flowOf(payment));
      if (batch && item) return [batch, item];
      if (!payment) return refuse('PAYMENT_NOT_FOUND', { payment: key.id });
      return refuse(`PAYMENT_STATE_CONFLICT/${unfit}`, { payment: key.id, status: payment.status });
    },
  };
}
