// What becomes of one due payout. In the order of decide.ts: locks, expiry, pause, attempts, funds. A payout that may begin leaves the due
// set and is `processing`: from there on its chain decides, and neither expiry nor a cancel can end it.
import type { Refused, Uuid } from '../kernel/index.ts';
import { refused } from '../kernel/index.ts';
import type { Batch, Cause, Item } from './batch.ts';
import { payerBalance } from './batch.ts';
import type { Outcome, SettleRules } from './decide.ts';
import { BLOCKED_FOR_MS, DEFERRED_FOR_MS, SIMULATED, expire, notSettled, standAside } from './decide.ts';
import { endedBy, retryPolicyOf } from './payment.ts';
import { isPaused } from './payout-guards.ts';

export type BeginOutcome = Outcome | 'begun' | 'cancelled';

export interface BeginRules extends SettleRules {
  /** Payouts whose owner has ended, and why. */
  readonly ownerEnded: ReadonlyMap<Uuid, Refused>;
  /** Payouts that nothing is signed for, and that do not fail either, until a wallet has been compared with its chain; and why. */
  readonly awaits: ReadonlyMap<Uuid, Refused>;
  /** Of payouts that waited: the cause of their last attempt's end. */
  readonly lastEnds: ReadonlyMap<Uuid, Cause>;
}

export function beginPayout(batch: Batch, item: Item, rules: BeginRules): BeginOutcome {
  const { payment } = item;
  const payer = payerBalance(payment);
  const balance = batch.book.balance(payer);
  const isBusy = balance === null || (payment.funding === 'at_execution' && batch.spend.isBusy(payer));
  if (item.due && item.due.blocked > 0 && isBusy) return standAside(batch, item, DEFERRED_FOR_MS, 'deferred', 1);
  const ended = endedBy(payment, batch.lockedAt);
  if (ended) return expire(batch, item, ended);
  const ownerEnded = rules.ownerEnded.get(payment.id);
  if (ownerEnded) {
    batch.endEarly(item, 'cancelled', { reason: ownerEnded.detail });
    return 'cancelled';
  }
  if (isPaused(rules.pauses, payment) || payment.approval === 'awaited' || batch.book.isFrozen(payment))
    return standAside(batch, item, BLOCKED_FOR_MS, 'blocked');
  const awaited = rules.awaits.get(payment.id);
  if (awaited) return waits(batch, item, awaited);
  // The attempts were counted when they began, and the last one has ended without paying.
  if (payment.attempts >= retryPolicyOf(payment).maxAttempts) {
    const { lastCode, lastDetail, attempts } = payment;
    const { code, detail } = rules.lastEnds.get(payment.id) ?? { code: lastCode, detail: lastDetail };
    const unknown = refused('PAYOUT_NOT_SENT/worker_lost');
    batch.fail(item, { code: code ?? unknown.code, detail: detail ?? unknown.detail }, attempts);
    return 'failed';
  }
  const attempt = payment.attempts + 1;
  const denied = attempt <= rules.simulateFailures ? SIMULATED : reserve(batch, item);
  if (denied) return notSettled(batch, item, attempt, denied, rules);
  const reserved =
    payment.funding === 'reserve'
      ? {}
      : { funding: 'reserve' as const, heldAt: batch.lockedAt, counted: batch.spend.countedBy(payer) };
  batch.change(item, 'processing', { attempts: attempt, ...reserved });
  batch.leaveDue(item);
  return 'begun';
}

/** No attempt is counted; an event says so once. */
function waits(batch: Batch, item: Item, { code, detail }: Refused): Outcome {
  const isNews = item.payment.lastCode !== code;
  batch.change(item, 'scheduled', { lastCode: code, lastDetail: detail });
  if (isNews) batch.tell(item, 'payment.waiting', { old: { status: 'scheduled' }, code, detail });
  return standAside(batch, item, BLOCKED_FOR_MS, 'blocked');
}

/** Funds that were to be looked for when due are reserved now: they have to be there until the chain has decided. */
function reserve(batch: Batch, item: Item): Refused | null {
  const { payment } = item;
  const payer = payerBalance(payment);
  if (payment.funding === 'at_execution') return batch.spend.hold(batch.book, payer, payment.amount);
  if (batch.book.balance(payer)?.mayDebit) return null;
  return refused('ACCOUNT_NOT_ACTIVE/inactive', { account: payment.payerId });
}
