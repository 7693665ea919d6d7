// Payments, holds, limits and approval.
import { conflict, forbidden, invalid, missing, retryable, unprocessable } from './entry.ts';

export const PAYMENTS_ERRORS = {
  DELAY_INVALID: invalid({ title: 'The delay or the instant has the wrong form' }),
  DELAY_OUT_OF_RANGE: invalid({ title: 'The payment would run in the past or too far ahead' }),
  EXPIRY_BEFORE_EXECUTION: invalid({ title: 'The payment would expire before it runs' }),
  LEGS_INVALID: invalid({ title: 'The legs do not add up to the payment' }),
  BULK_TOO_LARGE: invalid({ title: 'The request has too many payments' }),
  APPROVAL_NEEDS_ANOTHER: forbidden({
    title: 'The person who set the terms of a payment cannot approve, reject or expedite it',
  }),
  PAYMENT_NOT_FOUND: missing({ title: 'The tenant has no such payment' }),
  PAYMENT_STATE_CONFLICT: conflict({ title: 'The payment is not in a state that allows this' }),
  PAYMENT_COUNT_MISMATCH: conflict({ title: 'The filter matches a different number of payments than was confirmed' }),
  PAYMENT_OWNED: conflict({ title: 'The payment is controlled by its subscription or allowance' }),
  REFERENCE_EXISTS: conflict({ title: 'The reference is already in use' }),
  BATCH_ABORTED: conflict({ title: 'Another payment of the same atomic request was refused' }),
  APPROVAL_AWAITED: retryable(conflict({ title: 'The payment awaits approval' })),
  APPROVAL_TERMS_CHANGED: conflict({ title: "The payment's terms changed since they were read" }),
  LIMIT_AMOUNT_EXCEEDED: unprocessable({ title: 'The amount exceeds the limit for one payment' }),
  LIMIT_DAILY_EXCEEDED: retryable(
    unprocessable({ title: 'The amount exceeds the daily limit of the account or the tenant' }),
  ),
  APPROVAL_REQUIRED: unprocessable({ title: 'The amount requires approval; create a payment instead' }),
  REFUND_EXCEEDS_PAYMENT: unprocessable({ title: 'The refund exceeds the refundable amount' }),
  CAPTURE_EXCEEDS_HOLD: unprocessable({ title: 'The capture exceeds the remaining hold' }),
  FAILED_BY_OPERATOR: unprocessable({ title: 'An operator failed the payment' }),
  UNEXPECTED: retryable(unprocessable({ title: 'The payment failed with an unexpected internal error' })),
};
