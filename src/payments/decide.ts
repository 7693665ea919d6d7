// What becomes of one due payment. Pure: it reads the batch's book and clock and decides through the batch, in this order: locks,
// expiry, pause, attempt, funds.
import type { Clock, Code, Refused } from '../kernel/index.ts';
import { delayAfterAttempt, refused } from '../kernel/index.ts';
import { derivedAccount } from '../ledger/index.ts';
import type { Pauses } from '../tenants/index.ts';
import type { Batch, Cause, Item } from './batch.ts';
import { payerBalance } from './batch.ts';
import type { ExpiryReason } from './payment.ts';
import { endedBy, noLaterThanEnd, restOf, retryAt, retryPolicyOf } from './payment.ts';

export interface SettleRules {
  readonly pauses: Pauses;
  /** Closed accounts among those refused as not active: paying them is refused for good. */
  readonly closed: ReadonlySet<string>;
  /** Fail this many first attempts of every payment; for trying out what happens then. */
  readonly simulateFailures: number;
}

export type Outcome = 'settled' | 'retrying' | 'failed' | 'expired' | 'blocked' | 'deferred';

/** How long a payment stands aside when something else than itself is in the way. */
export const BLOCKED_FOR_MS = 15_000;
export const DEFERRED_FOR_MS = 1_000;

/** The order in which a batch is decided: reserve-funded first, then by priority, due instant and id. */
export function inOrder(a: Item, b: Item): number {
  if (a.payment.funding !== b.payment.funding) return a.payment.funding === 'reserve' ? -1 : 1;
  if (a.payment.priority !== b.payment.priority) return a.payment.priority - b.payment.priority;
  const byTime = (a.due?.dueAt.getTime() ?? 0) - (b.due?.dueAt.getTime() ?? 0);
  if (byTime !== 0) return byTime;
  return a.payment.id < b.payment.id ? -1 : 1;
}

export function settleItem(batch: Batch, item: Item, rules: SettleRules): Outcome {
  const { payment } = item;
  if (!holdsAllBalances(batch, item)) return standAside(batch, item, DEFERRED_FOR_MS, 'deferred', 1);
  // Before pauses and attempts: a late processor must not pay an expired payment.
  const ended = endedBy(payment, batch.lockedAt);
  if (ended) return expire(batch, item, ended);
  // What awaits approval is due when it ends; what comes here before that goes back.
  if (rules.pauses.covers(payment) || payment.approval === 'awaited')
    return standAside(batch, item, BLOCKED_FOR_MS, 'blocked');

  const attempt = payment.attempts + 1;
  const refused = attempt <= rules.simulateFailures ? SIMULATED : tryToPay(batch, item);
  if (refused === null) return settled(batch, item);
  if (refused.code === 'ASSET_FROZEN') return standAside(batch, item, BLOCKED_FOR_MS, 'blocked');
  return notSettled(batch, item, attempt, refused, rules);
}

export const SIMULATED: Refused = refused('SIMULATED_FAILURE');

/** Whether one of them is over by this instant. */
export const hasEnded = (items: readonly Item[], now: Date): boolean =>
  items.some(({ payment }) => endedBy(payment, now) !== null);

function tryToPay(batch: Batch, item: Item): Refused | null {
  const { payment } = item;
  const rest = restOf(payment);
  // A reservation was counted against the daily limit when it was made.
  if (payment.funding === 'reserve') return batch.pay(item, rest, 'settlement');
  const payer = payerBalance(payment);
  const refused = batch.spend.mayPay(payer, rest) ?? batch.pay(item, rest, 'settlement');
  if (refused === null) batch.spend.pay(payer, rest);
  return refused;
}

function settled(batch: Batch, item: Item): Outcome {
  const latenessMs = item.due ? batch.clock.now.getTime() - item.due.dueAt.getTime() : 0;
  batch.settle(item);
  batch.tell(item, 'payment.settled', {
    old: { status: 'scheduled' },
    ...batch.attempted(item),
    latenessMs,
  });
  batch.tellOwner(item);
  return 'settled';
}

/** Of an attempt that was refused: another one, or the end. */
export function notSettled(
  batch: Batch,
  item: Item,
  attempt: number,
  refused: Refused,
  rules: Pick<SettleRules, 'closed'>,
): Outcome {
  const { payment } = item;
  const { now } = batch.clock;
  const cause: Cause = { code: refused.code, detail: refused.detail };
  if (isPermanent(item, refused.code, rules)) return fail(batch, item, cause, attempt);
  const delayMs = delayAfterAttempt(retryPolicyOf(payment), attempt, chanceOf(batch.clock));
  if (delayMs === null) return fail(batch, item, cause, attempt);

  // This attempt may have been made before its instant (run now).
  const dueAt = retryAt(payment, delayMs, now);
  batch.change(item, 'scheduled', { attempts: attempt, lastCode: cause.code, lastDetail: cause.detail });
  batch.moveDue(item, dueAt);
  batch.tell(item, 'payment.attempt_failed', { ...batch.attempted(item), ...cause, nextAttemptAt: dueAt });
  if (refused.code === 'FUNDS_INSUFFICIENT' && payment.executeAt <= now) batch.waitForCredit(item);
  // A credit would not help it now.
  else if (item.mayWait) batch.waitingRemoved.push(payment);
  return 'retrying';
}

function isPermanent(item: Item, code: Code, rules: Pick<SettleRules, 'closed'>): boolean {
  if (code !== 'ACCOUNT_NOT_ACTIVE') return false;
  const { tenantId, payerId, legs } = item.payment;
  return [payerId, ...legs.map((leg) => leg.accountId)].some((id) => rules.closed.has(tenantId + id));
}

function fail(batch: Batch, item: Item, cause: Cause, attempt: number): Outcome {
  batch.fail(item, cause, attempt);
  return 'failed';
}

export function expire(batch: Batch, item: Item, reason: ExpiryReason): Outcome {
  return batch.endEarly(item, 'expired', { reason }) === 'settled' ? 'settled' : 'expired';
}

/** The same calls by a test clock give the same answers. */
export const chanceOf = (clock: Clock): number => (clock.clockId === null ? Math.random() : 0);

export function standAside(batch: Batch, item: Item, forMs: number, outcome: Outcome, blocked = 0): Outcome {
  const { now, until = now } = batch.clock;
  const at = new Date(Math.max(now.getTime() + forMs, until.getTime()));
  batch.moveDue(item, noLaterThanEnd(item.payment, at, now), blocked);
  return outcome;
}

/** False when a balance, or the tenant's daily total, is locked by another transaction, and the payment no longer waits for locks. */
function holdsAllBalances(batch: Batch, item: Item): boolean {
  if (!item.due || item.due.blocked === 0) return true;
  const { tenantId, asset, payerId, legs, funding } = item.payment;
  const payer = derivedAccount(tenantId, payerId);
  // No total counts what `world` pays.
  if (funding === 'at_execution' && payer !== 'world' && batch.spend.isBusy({ tenantId, asset })) return false;
  const inBook = (accountId: string): boolean => batch.book.balance({ tenantId, asset, accountId }) !== null;
  // `fees` pay out of their sum, one payer at a time; `world` needs nothing.
  if (payer !== 'world' && !inBook(payerId)) return false;
  return legs.every(({ accountId }) => derivedAccount(tenantId, accountId) !== null || inBook(accountId));
}
