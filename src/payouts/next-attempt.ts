// What follows an attempt that has ended without paying: the payout is scheduled again, or given up. Its reservation stays until then.
import type { Refused } from '../kernel/index.ts';
import { delayAfterAttempt } from '../kernel/index.ts';
import type { Batch, Item } from '../payments/index.ts';
import { chanceOf, duePriorityOf, noLaterThanEnd, retryAt, retryPolicyOf } from '../payments/index.ts';
import { WAIT_MS } from './attempt.ts';

/**
 * The next attempt, after the wait of the retry policy. After the last one the payout is due at once, and the claim that finds its attempts
 * used up fails it: then nothing of it is with a chain any more, so it may be cancelled until then.
 */
export function retryOrRest(batch: Batch, item: Item, { code, detail }: Refused): void {
  const { payment } = item;
  const { now } = batch.clock;
  const delayMs = delayAfterAttempt(retryPolicyOf(payment), payment.attempts, chanceOf(batch.clock));
  const dueAt = delayMs === null ? noLaterThanEnd(payment, now, now) : retryAt(payment, delayMs, now);
  back(batch, item, { code, detail }, dueAt, payment.attempts);
  batch.tell(item, 'payment.attempt_failed', {
    code,
    detail,
    nextAttemptAt: dueAt,
    ...batch.attempted(item),
  });
}

/**
 * Its chain or its wallet is not ready, or its tenant does not allow it now: no attempt is counted, and an event only says so when the cause is
 * another one. `until`: nothing changes before.
 */
export function waitFor(batch: Batch, item: Item, { code, detail }: Refused, until: Date | null = null): void {
  const { payment } = item;
  const { now } = batch.clock;
  const soon = new Date(now.getTime() + WAIT_MS);
  const dueAt = noLaterThanEnd(payment, until !== null && until > soon ? until : soon, now);
  const isNews = payment.lastCode !== code;
  back(batch, item, { code, detail }, dueAt, payment.attempts - 1);
  if (isNews) batch.tell(item, 'payment.waiting', { old: { status: payment.status }, code, detail });
}

/** It can never be paid. */
export function failsNow(batch: Batch, item: Item, { code, detail }: Refused): void {
  batch.fail(item, { code, detail }, item.payment.attempts);
}

function back(
  batch: Batch,
  item: Item,
  { code, detail }: Pick<Refused, 'code' | 'detail'>,
  dueAt: Date,
  attempts: number,
): void {
  batch.change(item, 'scheduled', { attempts, lastCode: code, lastDetail: detail });
  const { tenantId, id, clockId, rail } = item.payment;
  const priority = duePriorityOf(item.payment);
  batch.dueAdded.push({ tenantId, paymentId: id, clockId, rail, priority, dueAt, blocked: 0 });
}
