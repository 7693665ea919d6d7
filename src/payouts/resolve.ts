// A person resolves a payout in review. The chain is asked first, and what two endpoints agree on is what happens, whatever the person says: a
// transaction that is final settles, and one that is seen can be resolved as nothing. Only where the chain cannot prove it does the word of a
// person count that it was not paid, on record, and by another person than the makers of a payment above the approval threshold.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { isUuid, oneOf, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import type { OwnerRules, Payment } from '../payments/index.ts';
import { amountLimits, makersOf, parseReason, paymentFact, readPayments } from '../payments/index.ts';
import { lockHeld, shownAttempts } from './attempt-store.ts';
import { CONFIRM_EVERY_MS } from './attempt.ts';
import type { Found } from './end.ts';
import { endAttempts } from './end.ts';
import type { Rails } from './ports.ts';
import { lookAt } from './watch.ts';

export interface ResolveOrder {
  /** `paid`: by the transaction of the attempt. `dead`: it has not paid and never will. */
  readonly outcome: 'paid' | 'dead';
  /** The transaction that the person looked up: of `paid` required, and the one that the payout has. */
  readonly transactionId?: string;
  readonly reason: string;
}

export interface ResolveOptions {
  readonly rails: Rails;
  readonly ownerRules: OwnerRules;
  readonly confirmEveryMs?: number | undefined;
}

export async function resolvePayout(
  context: VerbContext,
  id: Uuid,
  order: ResolveOrder,
  options: ResolveOptions,
): Promise<Payment> {
  const { tenantId, caller, sql } = context;
  const outcome = oneOf(order.outcome, ['paid', 'dead'], 'outcome');
  const reason = parseReason(order.reason.trim());
  if (!reason) refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
  const [payment] = isUuid(id) ? await readPayments(sql, [{ tenantId, id }]) : [];
  if (!payment) return refuse('PAYMENT_NOT_FOUND', { payment: id });
  const [attempt] = await shownAttempts(sql, [payment]);
  if (payment.status !== 'review' || !attempt?.sent || attempt.endedAt)
    return refuse('PAYOUT_NOT_OPEN', { payment: id, status: payment.status });
  const { chain, signed } = attempt.sent;
  if (order.transactionId !== undefined && order.transactionId !== signed.transactionId)
    refuse('PAYOUT_RESOLUTION_REFUSED/other_transaction', { param: 'transactionId', transaction: signed.transactionId });
  const look = await lookAt(attempt, await clockOf(context), options.rails);
  const { state } = look.finding;
  if (outcome === 'paid' && state !== 'finalized')
    refuse('PAYOUT_RESOLUTION_REFUSED/not_final', { param: 'outcome', transaction: signed.transactionId, chain });
  if (outcome === 'dead' && (state === 'finalized' || state === 'pending'))
    refuse('PAYOUT_RESOLUTION_REFUSED/seen', { param: 'outcome', transaction: signed.transactionId, chain });
  const proven = state === 'finalized' || state === 'reverted' || state === 'dead' || state === 'invalid';
  const found: Found = proven ? look : { attempt, finding: { state: 'resolved_dead', reason } };
  await context.run(async (tx, clock) => {
    if (!proven) await requireAnother(tx, context, payment);
    const [held] = await lockHeld(tx, [attempt]);
    if (!held) refuse('BUSY/payout', { payment: id });
    const data = { outcome, proven, chain, transactionId: signed.transactionId, reason };
    await appendEvents(tx, [paymentFact(caller, clock, payment, 'payment.resolved', data)]);
    await endAttempts(tx, clock, [found], { caller, ...options, confirmEveryMs: options.confirmEveryMs ?? CONFIRM_EVERY_MS });
  });
  const [after] = await readPayments(sql, [{ tenantId, id }]);
  return after ?? payment;
}

const clockOf = (context: VerbContext): Promise<Clock> => context.run((_tx, clock) => Promise.resolve(clock));

/** What a second person would have to approve, a second person has to resolve. */
async function requireAnother(tx: Transaction, { caller, identities }: VerbContext, payment: Payment): Promise<void> {
  const threshold = (await amountLimits(tx, [payment])).thresholdOf(payment);
  if (threshold === null || payment.amount <= threshold) return;
  const isCaller = await identities.samePerson(tx, payment.tenantId, caller.actor, makersOf(payment));
  if (makersOf(payment).some(isCaller)) refuse('APPROVAL_NEEDS_ANOTHER/resolution', { payment: payment.id });
}
