// Every kind of e-mail.
import type { EmailKind, EmailKindName } from '../kind.ts';
import { ALLOWANCE_RECEIVED } from './allowance-received.ts';
import { PAYMENT_CANCELLED } from './payment-cancelled.ts';
import { PAYMENT_FAILED } from './payment-failed.ts';
import { PAYMENT_RECEIVED } from './payment-received.ts';
import { PAYMENT_REFUNDED } from './payment-refunded.ts';
import { PAYMENT_SENT } from './payment-sent.ts';
import { PAYMENT_UPCOMING } from './payment-upcoming.ts';
import { SUBSCRIPTION_PAYMENT_FAILED } from './subscription-payment-failed.ts';

export const KINDS: Readonly<Record<EmailKindName, EmailKind>> = {
  payment_received: PAYMENT_RECEIVED,
  payment_sent: PAYMENT_SENT,
  payment_upcoming: PAYMENT_UPCOMING,
  payment_failed: PAYMENT_FAILED,
  payment_cancelled: PAYMENT_CANCELLED,
  payment_refunded: PAYMENT_REFUNDED,
  allowance_received: ALLOWANCE_RECEIVED,
  subscription_payment_failed: SUBSCRIPTION_PAYMENT_FAILED,
};
