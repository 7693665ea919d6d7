// A person resolves a payout in review: paid by its transaction, or dead. The chain is asked before anything is locked, and what two
// endpoints agree on is the outcome. Where they cannot prove it because one does not answer, the word of the person counts, on record; above
// the approval threshold it is the word of another person than those who decided the terms.
import type { Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { Refusal, describeError, invariant, isUuid, oneOf, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { requireMayMove } from '../ledger/index.ts';
import type { OwnerRules, Payment } from '../payments/index.ts';
import { amountLimits, flowOf, makersOf, parseReason, readPayments } from '../payments/index.ts';
import type { Confirmation, EndpointReport, Rail, Reading } from '../rails/index.ts';
import { CONFIRM_EVERY_MS } from './attempt.ts';
import { findByTransaction, shownAttempts, takeOver } from './attempt-store.ts';
import { bounded } from './bounded.ts';
import { endAttempts } from './end.ts';
import type { ResolutionDecision, SentAttempt } from './evidence.ts';
import { decideDead, decidePaid, whyNotBy } from './evidence.ts';
import type { Rails } from './ports.ts';

export const RESOLUTIONS = ['paid', 'dead'] as const;

export interface ResolveOrder {
  /** `paid`: by its transaction, which is final. `dead`: it has not paid, and never will. */
  readonly outcome: (typeof RESOLUTIONS)[number];
  /** The transaction that the person looked up. Required for `paid`. */
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
  const outcome = oneOf(order.outcome, RESOLUTIONS, 'outcome');
  const reason = parseReason(order.reason.trim());
  if (!reason) return refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
  const { transactionId } = order;
  if (outcome === 'paid' && transactionId === undefined) refuse('FIELD_INVALID/required', { param: 'transactionId' });
  const { payment, attempt } = await inReview(context, id);
  requireMayMove(caller, flowOf(payment));
  const clock = await context.run((_tx, now) => Promise.resolve(now));
  const rail = options.rails.of(attempt.sent.chain, tenantId);
  if (!rail) return refuse('PAYOUT_RESOLUTION_REFUSED/no_adapter', { chain: attempt.sent.chain });
  if (transactionId !== undefined) await requireOwnTransaction(context, clock, rail, attempt, transactionId);
  const decided = await askChain(clock, rail, attempt, outcome);
  if ('refused' in decided) throw new Refusal(decided.refused);
  const { finding, isProven } = decided;
  await context.run(async (tx, now) => {
    if (!isProven) await requireSecondPerson(tx, context, payment);
    const taken = await takeOver(tx, attempt);
    if (taken === 'busy') return refuse('BUSY/payout', { payment: id });
    // It ended, or began again, while the chain was asked.
    if (taken?.sent?.signed.transactionId !== attempt.sent.signed.transactionId)
      return refuse('PAYOUT_NOT_IN_REVIEW', await statusNow(context, id));
    const report = await endAttempts(
      tx,
      now,
      [{ attempt: taken, finding, resolution: { outcome, proven: isProven, reason } }],
      { caller, ownerRules: options.ownerRules, confirmEveryMs: options.confirmEveryMs ?? CONFIRM_EVERY_MS },
    );
    // Its schedule is held by another transaction.
    if (report.open > 0) refuse('BUSY/payout', { payment: id });
    invariant(report.lost === 0, 'the resolved attempt to be held');
  });
  const [after] = await readPayments(sql, [{ tenantId, id }]);
  return after ?? payment;
}

async function inReview(
  { tenantId, sql }: VerbContext,
  id: Uuid,
): Promise<{ readonly payment: Payment; readonly attempt: SentAttempt }> {
  const [payment] = isUuid(id) ? await readPayments(sql, [{ tenantId, id }]) : [];
  if (!payment) return refuse('PAYMENT_NOT_FOUND', { payment: id });
  const [attempt] = await shownAttempts(sql, [payment]);
  if (payment.status !== 'review' || !attempt?.sent || attempt.endedAt)
    return refuse('PAYOUT_NOT_IN_REVIEW', { payment: id, status: payment.status });
  return { payment, attempt: { ...attempt, sent: attempt.sent } };
}

async function statusNow(context: VerbContext, id: Uuid): Promise<{ readonly payment: Uuid; readonly status: string }> {
  const [payment] = await readPayments(context.sql, [{ tenantId: context.tenantId, id }]);
  return { payment: id, status: payment?.status ?? 'unknown' };
}

/** The named transaction is that of the live attempt, or the refusal says what it is. */
async function requireOwnTransaction(
  { tenantId, sql }: VerbContext,
  clock: Clock,
  rail: Rail,
  attempt: SentAttempt,
  transaction: string,
): Promise<void> {
  const { chain, signed } = attempt.sent;
  if (transaction === signed.transactionId) return;
  const about = { param: 'transactionId', transaction, chain } as const;
  const signedFor = await findByTransaction(sql, tenantId, chain, transaction);
  if (signedFor && signedFor.paymentId !== attempt.paymentId) refuse('PAYOUT_RESOLUTION_REFUSED/other_payout', about);
  if (signedFor) {
    const { number, state } = signedFor;
    refuse('PAYOUT_RESOLUTION_REFUSED/earlier_attempt', { ...about, number, state });
  }
  throw new Refusal(whyNotBy(attempt, rail, transaction, await reportsOf(rail, transaction, clock)));
}

async function askChain(
  clock: Clock,
  rail: Rail,
  attempt: SentAttempt,
  outcome: ResolveOrder['outcome'],
): Promise<ResolutionDecision> {
  const { signed } = attempt.sent;
  const [confirmation, reports] = await Promise.all([
    orElse<Confirmation>(
      () => rail.checkConfirmation(signed, clock),
      (reason) => ({ state: 'unknown', reason }),
    ),
    reportsOf(rail, signed.transactionId, clock),
  ]);
  const evidence = { confirmation, reports };
  return outcome === 'paid' ? decidePaid(attempt, rail, evidence) : decideDead(attempt, evidence);
}

const reportsOf = (rail: Rail, transaction: string, clock: Clock): Promise<readonly Reading<EndpointReport>[]> =>
  orElse<readonly Reading<EndpointReport>[]>(
    () => rail.lookUp(transaction, clock),
    (reason) => [{ outcome: 'unknown', reason }],
  );

/** Under an idempotency key the chain is asked inside a transaction: this is shorter than one may be idle. */
const ASK_FOR_MS = 3_000;

/** An adapter that throws is a chain that did not answer. */
async function orElse<T>(call: () => Promise<T>, failed: (reason: string) => T): Promise<T> {
  try {
    return await bounded(call(), ASK_FOR_MS);
  } catch (error) {
    return failed(describeError(error));
  }
}

/** What a second person would have to approve, a second person has to vouch for. */
async function requireSecondPerson(
  tx: Transaction,
  { caller, identities }: VerbContext,
  payment: Payment,
): Promise<void> {
  const threshold = (await amountLimits(tx, [payment])).thresholdOf(payment);
  if (threshold === null || payment.amount <= threshold) return;
  const makers = makersOf(payment);
  const isCaller = await identities.samePerson(tx, payment.tenantId, caller.actor, makers);
  if (makers.some(isCaller)) refuse('APPROVAL_NEEDS_ANOTHER/resolution', { payment: payment.id });
}
