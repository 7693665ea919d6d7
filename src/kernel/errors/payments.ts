// Payments, holds, limits and approval.
import { conflict, forbidden, invalid, missing, retryable, unprocessable } from './entry.ts';

export const PAYMENTS_ERRORS = {
  DELAY_INVALID: invalid({
    title: 'The delay or the instant has the wrong form',
    detail: {
      not_an_instant: '{param} must be an instant such as 2026-11-15T09:30:00Z',
      not_a_duration: '{param} must be seconds, or a duration such as 48h or PT48H',
    },
    cause:
      'A field takes an instant, or a length of time, and the value is neither. Instants need a time zone and a date that exists, between the years 1970 and 9999.',
    remedy:
      'Write instants as RFC 3339, such as 2026-11-15T09:30:00Z. Write durations as whole seconds (3600), with one unit (48h), or as ISO 8601 in weeks, days, hours, minutes and seconds (PT48H).',
  }),
  DELAY_OUT_OF_RANGE: invalid({ title: 'The payment would run in the past or too far ahead' }),
  EXPIRY_BEFORE_EXECUTION: invalid({ title: 'The payment would expire before it runs' }),
  LEGS_INVALID: invalid({ title: 'The legs do not add up to the payment' }),
  BULK_TOO_LARGE: invalid({
    title: 'The request has too many payments',
    detail: 'a request has 1 to {max} payments',
    cause: 'A bulk request has no payment, or more than 10,000.',
    remedy: 'Split the request. Use a different idempotency key for each part.',
  }),
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
