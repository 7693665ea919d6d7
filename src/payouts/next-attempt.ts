// What follows an attempt that has ended without paying: the payout is scheduled again, or given up. Its reservation stays until then.
import type { Refused } from '../kernel/index.ts';
import { delayAfterAttempt } from '../kernel/index.ts';
import type { Batch, Item } from '../payments/index.ts';
import { chanceOf, duePriorityOf, noLaterThanEnd, retryAt, retryPolicyOf } from '../payments/index.ts';
import { WAIT_MS } from './attempt.ts';

/**
 * An attempt has ended without paying. The next one follows after the wait of the retry policy. After the last one the payout is due at once, and its
 * next claim finds the attempts used up and fails it (payments/begin-payout.ts). It does not fail here, because after a resolution as dead it first
 * waits for a comparison; and until it fails it can be cancelled, because nothing of it is on its way to a chain.
 */
export function retryOrLeaveToFail(batch: Batch, item: Item, { code, detail }: Refused): void {
  const { payment } = item;
  const { now } = batch.clock;
  const delayMs = delayAfterAttempt(retryPolicyOf(payment), payment.attempts, chanceOf(batch.clock));
  const dueAt = delayMs === null ? noLaterThanEnd(payment, now, now) : retryAt(payment, delayMs, now);
  scheduleAgain(batch, item, { code, detail }, dueAt, payment.attempts);
  batch.tell(item, 'payment.attempt_failed', {
    code,
    detail,
    nextAttemptAt: dueAt,
    ...batch.attempted(item),
  });
}

/**
 * Its chain or its wallet is not ready, or its tenant does not allow it now: no attempt is counted, and an event follows only if the payout did not
 * wait for the same code before. `until`: nothing changes before then.
 */
export function waitUncounted(batch: Batch, item: Item, { code, detail }: Refused, until: Date | null = null): void {
  const { payment } = item;
  const { now } = batch.clock;
  const soon = new Date(now.getTime() + WAIT_MS);
  const dueAt = noLaterThanEnd(payment, until !== null && until > soon ? until : soon, now);
  const isNews = payment.lastCode !== code;
  scheduleAgain(batch, item, { code, detail }, dueAt, payment.attempts - 1);
  if (isNews) batch.tell(item, 'payment.waiting', { old: { status: payment.status }, code, detail });
}

/** It can never be paid: no attempt follows. */
export function failNow(batch: Batch, item: Item, { code, detail }: Refused): void {
  batch.fail(item, { code, detail }, item.payment.attempts);
}

function scheduleAgain(
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
