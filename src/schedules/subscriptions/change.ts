// What people do to a subscription: edit, cancel, resume. Each works on its schedule, under the schedule's locks, and is told in
// the words of both.
import type { Transaction } from '../../db/index.ts';
import type { Caller, Clock, RetryPolicy } from '../../kernel/index.ts';
import { RETRY_PRESETS, parseRetryPolicy } from '../../kernel/index.ts';
import type { PaymentOrder } from '../../payments/index.ts';
import { cancelPayments } from '../../payments/index.ts';
import type { Deed } from '../change.ts';
import { cancelSchedule, editSchedule } from '../change.ts';
import type { ScheduleKey } from '../store.ts';
import { listCharges } from './store.ts';

/** What is left out stays. Holds from the next charge on; an open charge keeps what it was made with. */
export interface SubscriptionEdit {
  /** `high`, `normal` or `low`. */
  readonly priority?: NonNullable<PaymentOrder['priority']>;
  /** A preset, or some fields of the preset `subscription`; null: that preset. */
  readonly retry?: string | Partial<RetryPolicy> | null;
  /** Null takes it away. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

export async function editSubscription(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  edit: SubscriptionEdit,
): Promise<void> {
  const { priority, retry, metadata } = edit;
  await editSchedule(tx, clock, caller, key, {
    ...(priority === undefined ? {} : { priority }),
    ...(retry === undefined ? {} : { retry: parseRetryPolicy(retry, RETRY_PRESETS.subscription) }),
    ...(metadata === undefined ? {} : { metadata }),
  });
}

/** At once. Its open charges are cancelled with it. */
export async function cancelSubscription(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  key: ScheduleKey,
  deed: Deed,
): Promise<void> {
  const { tenantId, id } = key;
  const { reason = 'the subscription was cancelled' } = deed;
  await cancelSchedule(tx, clock, caller, key, { ...deed, reason }, ['active', 'paused', 'expired']);
  // Not only the newest: an older charge may have been tried again since. One that has ended stays as it is.
  const charges = await listCharges(tx, tenantId, [id]);
  const open = charges.map(({ paymentId }) => ({ tenantId, id: paymentId, reason }));
  await cancelPayments(tx, clock, caller, open);
}
