// Payments, holds, limits and approval.
import { conflict, forbidden, invalid, missing, retryable, unprocessable } from './entry.ts';
import { ID, at, usd } from './example-values.ts';

export const PAYMENTS_ERRORS = {
  DELAY_INVALID: invalid({
    title: 'The delay or the instant has the wrong form',
    detail: {
      not_an_instant: '{param} must be an instant such as 2026-11-15T09:30:00Z',
      not_a_duration: '{param} must be seconds, or a duration such as 48h or PT48H',
    },
    example: ['not_an_instant', { param: 'executeAt' }],
    cause:
      'A field takes an instant, or a length of time, and the value is neither. Instants need a time zone and a date that exists, between the years 1970 and 9999.',
    remedy:
      'Write instants as RFC 3339, such as 2026-11-15T09:30:00Z. Write durations as whole seconds (3600), with one unit (48h), or as ISO 8601 in weeks, days, hours, minutes and seconds (PT48H).',
  }),
  DELAY_OUT_OF_RANGE: invalid({
    title: 'The payment would run in the past or too far ahead',
    detail: {
      in_past: 'the payment would run at {at:instant}, which is in the past',
      negative: '{param} must not be negative',
      too_far: 'the payment may run at most {max} ahead',
      hold_too_far:
        'a payment that reserves its funds may run at most {max} ahead (USANCE_MAX_HOLD_DELAY, in the library bounds.maxHoldDelayMs); with funding "at_execution" it reserves nothing and may run later',
    },
    example: ['in_past', { param: 'executeAt', at: at('2026-11-15T09:30:00Z') }],
    cause:
      'The instant of the payment is more than a minute in the past, or too far ahead. A payment that reserves its funds may run at most 7 days ahead unless USANCE_MAX_HOLD_DELAY (in the library, bounds.maxHoldDelayMs) sets another length. Other payments may run at most 5 years ahead.',
    remedy:
      'Choose another instant. For a payment that runs later, set funding to "at_execution"; for one that repeats, create a schedule.',
  }),
  EXPIRY_BEFORE_EXECUTION: invalid({
    title: 'The payment would expire before it runs',
    detail: {
      before_execution: '{param} must be after {executeAt:instant}, the instant at which the payment runs',
      in_past: '{param} must be in the future',
    },
    example: ['before_execution', { param: 'expiresAt', executeAt: at('2026-11-15T09:30:00Z') }],
    cause:
      'The expiry is not after the instant at which the payment runs, or an existing payment would get an expiry in the past.',
    remedy: 'Choose a later expiry, or an earlier instant for the payment.',
  }),
  LEGS_INVALID: invalid({
    title: 'The legs do not add up to the payment',
    detail: {
      to_and_legs: 'give either {to:field} or {param}, not both',
      wrong_count: '{param} must be a list of 1 to {max} payees',
      wrong_sum: 'the amounts of {param} add up to {sum} minor units; the payment has {amount}',
      duplicate_account: '{param} names an account twice; add its amounts to one leg',
      amount_fixed: 'the amount of a payment with several legs cannot be edited; cancel the payment and create another',
      schedule_amount_fixed:
        'the amount of a schedule with several legs cannot be edited; cancel the schedule and create another',
      not_a_payee: '{param} must be an account that payment {payment:payment} paid',
      payee_required: 'payment {payment:payment} has several payees; name the payee of a partial refund with {param}',
    },
    example: ['wrong_sum', { param: 'legs', sum: 900, amount: 1_000 }],
    cause:
      'A payment with several payees lists them as legs. The list is empty, too long, names an account twice or does not add up to the amount; or an edit or a partial refund does not say how it concerns the legs.',
    remedy:
      'Send 1 to 10 legs with different accounts, whose amounts add up to the amount of the payment. For a partial refund, name one payee. To change the amount, cancel the payment and create another.',
  }),
  BULK_TOO_LARGE: invalid({
    title: 'The request has too many payments',
    detail: 'a request has 1 to {max} payments',
    example: { param: 'payments', max: 10_000 },
    cause: 'A bulk request has no payment, or more than 10,000.',
    remedy: 'Split the request. Use a different idempotency key for each part.',
  }),
  APPROVAL_NEEDS_ANOTHER: forbidden({
    title: 'The person who set the terms of a payment cannot approve, reject or run it early',
    detail: {
      decision: 'the caller set the terms of payment {payment:payment}; another person must approve or reject it',
      resolution:
        'the caller set the terms of payment {payment:payment}, which is above the approval threshold, and the chain proves no outcome; another person must resolve it',
      destination: 'the caller added the destination {destination:payoutDestination}; another person must approve it',
      early_execution:
        'the caller set the terms of payment {payment:payment}, which was approved for {executeAt:instant}; until then another person must run or capture it',
    },
    example: ['decision', { payment: ID }],
    cause:
      'The caller created the payment or changed its terms, so it cannot decide on the approval, cannot run or capture the payment before the approved instant, and cannot vouch for the outcome of a payout. Keys of the same person count as one caller.',
    remedy: 'Let another person call the operation with their own credentials, or wait until the approved instant.',
  }),
  PAYMENT_NOT_FOUND: missing({
    title: 'The tenant has no such payment',
    detail: 'there is no payment {payment:payment}',
    example: { payment: ID },
    cause:
      'The tenant of the API key has no payment with this id, or the caller is an end user who may not see it. Operations on holds also refuse payments that reserve no funds with this code.',
    remedy: 'Check the id, and that the API key belongs to the tenant that created the payment.',
  }),
  PAYMENT_STATE_CONFLICT: conflict({
    title: 'The payment is not in a state that allows this',
    detail: {
      wrong_status: 'payment {payment:payment} is {status} and cannot be {verb}',
      with_chain:
        'payment {payment:payment} has the status "{status}" and cannot be {verb}: from "processing" on its chain decides; one in review can be resolved',
      being_executed: 'payment {payment:payment} is being executed and cannot be {verb}; read it again',
      expired: 'payment {payment:payment} expired at {at:instant} and cannot be {verb}; create a new payment',
      approval_expired:
        'payment {payment:payment} expired at {at:instant} without approval and cannot be {verb}; create a new payment',
      not_refundable:
        'payment {payment:payment} is {status}; only a settled payment, or the captured part of a failed one, can be refunded',
      not_failed: 'payment {payment:payment} is {status}; only a failed payment can be retried',
      no_reserved_funds:
        'payment {payment:payment} has reserved no funds; only a payment with funding "reserve" can be captured',
      payout_not_captured: 'payment {payment:payment} is a payout: its chain pays the whole amount, and no part early',
      partly_captured: 'part of payment {payment:payment} is captured, so its amount can no longer be changed',
      not_awaiting_approval: 'payment {payment:payment} does not await approval',
      changed_since_found:
        'payment {payment:payment} was tried or changed after the filter found it; send the request again',
    },
    example: ['wrong_status', { payment: ID, status: 'settled', verb: 'cancelled' }],
    cause:
      'The payment has moved on, or is of a kind that the operation does not apply to. Only scheduled payments can be cancelled, captured, edited, extended, failed, approved or run now; only settled amounts can be refunded, and only failed payments retried.',
    remedy: 'Read the payment and look at its status. A payment that has ended stays ended: create a new one.',
  }),
  PAYMENT_COUNT_MISMATCH: conflict({
    title: 'The filter matches a different number of payments than was confirmed',
    detail: 'the filter finds {found} payments, {expected} were expected; nothing was changed',
    example: { param: 'expect', found: 12, expected: 10 },
    cause:
      'A bulk run-now names in "expect" how many payments its filter should find, and it finds another number. Payments may have been created or executed since the dry run.',
    remedy: 'Send a dry run again, look at the payments that it lists, and confirm the new number.',
  }),
  PAYMENT_OWNED: conflict({
    title: 'The payment is controlled by its subscription or allowance',
    detail: {
      subscription:
        'the payment is a charge of subscription {subscription:subscription}, which decides its amount and instant; cancel the charge, or cancel the subscription and create another',
      allowance:
        'the payment is a credit of allowance {allowance:schedule}, which decides its amount and instant; cancel the credit, or change the allowance',
      subscription_ended:
        'the payment is a charge of subscription {subscription:subscription}, which is cancelled or past its end; it cannot be retried',
      period_ended:
        'the payment is a charge of subscription {subscription:subscription}, whose plan was changed before the period of the charge was over; it cannot be retried',
      credit_used:
        'the payment is a charge of subscription {subscription:subscription}, whose credit was used by a later charge; it cannot be retried',
    },
    example: ['subscription', { subscription: ID }],
    cause:
      'A subscription or an allowance created the payment, and decides its amount, its instant and whether it can be retried.',
    remedy: 'Change the subscription or the allowance, or cancel this one payment.',
  }),
  REFERENCE_EXISTS: conflict({
    title: 'The reference is already in use',
    detail: {
      payment: 'there is already a payment with the reference "{reference}"',
      schedule: 'there is already a schedule with the reference "{reference}"',
    },
    example: ['payment', { param: 'reference', reference: 'order-1001' }],
    cause:
      'A reference is unique within a tenant, and for each end user within the payments that the end user created. Ended and archived payments keep their references.',
    remedy:
      'If the request was a retry, use its idempotency key again: it returns the first response. Otherwise choose another reference.',
  }),
  BATCH_ABORTED: conflict({
    title: 'Another payment of the same atomic request was refused',
    detail: 'another payment of the same request was refused, so none was created',
    cause: 'An atomic bulk request creates all of its payments or none. This payment was valid, another one was not.',
    remedy: 'Correct the payments that were refused with another code, and send the request again with a new key.',
  }),
  APPROVAL_AWAITED: retryable(
    conflict({
      title: 'The payment awaits approval',
      detail: 'payment {payment:payment} awaits the approval of a second person',
      example: { payment: ID },
      cause: 'The payment is above an approval threshold, and no second person has approved it yet.',
      remedy: 'Let another person approve the payment. Until then it can be cancelled or rejected, and expires unpaid.',
    }),
  ),
  APPROVAL_TERMS_CHANGED: conflict({
    title: "The payment's terms changed since they were read",
    detail:
      'payment {payment:payment} is at {param} {current} ({amount:amount} at {executeAt:instant}), not {seen}; read it again and approve that version',
    example: {
      param: 'termsVersion',
      payment: ID,
      current: 3,
      amount: usd(100_000n),
      executeAt: at('2026-11-15T09:30:00Z'),
      seen: 2,
    },
    cause: 'The amount, instant or expiry of the payment was changed after the approver read it.',
    remedy: 'Read the payment again, check its terms, and approve with the version that it has now.',
  }),
  LIMIT_AMOUNT_EXCEEDED: unprocessable({
    title: 'The amount exceeds the limit for one payment',
    detail: 'one payment may be at most {max:amount}; {amount:amount} was requested',
    example: { max: usd(100_000n), amount: usd(120_000n) },
    cause: 'The account or the tenant has a limit for the amount of one payment, withdrawal or transfer.',
    remedy: 'Lower the amount, or let an operator raise the limit.',
  }),
  LIMIT_DAILY_EXCEEDED: retryable(
    unprocessable({
      title: 'The amount exceeds the daily limit of the account or the tenant',
      detail: {
        account:
          'the daily limit of account "{account:account}" is {limit:amount}, of which {used:amount} is used; {amount:amount} more would exceed it',
        tenant:
          "{amount:amount} would exceed the tenant's daily total for the last 24 hours; retry later, or raise {setting:field}",
      },
      example: ['account', { account: 'alice', limit: usd(100_000n), used: usd(80_000n), amount: usd(30_000n) }],
      cause:
        'The account, or all accounts of the tenant together, would send more in 24 hours than their limit allows. Reserved funds count from the moment they are reserved.',
      remedy:
        'Retry later: amounts stop counting 24 to 25 hours after they were sent. A scheduled payment is retried by its retry policy. An operator can raise the limit.',
    }),
  ),
  APPROVAL_REQUIRED: unprocessable({
    title: 'The amount requires approval; create a payment instead',
    detail:
      'this would bring outgoing money without approval in 24 hours above {threshold:amount}; create a payment instead (to "world" for a withdrawal), which a second person can approve',
    example: { threshold: usd(100_000n) },
    cause:
      'A withdrawal, transfer or capture of a reservation is above the approval threshold of the account or the tenant. These operations execute at once and cannot await approval.',
    remedy:
      'Create a payment with the same payer and payee (to "world" for a withdrawal) and let a second person approve it.',
  }),
  REFUND_EXCEEDS_PAYMENT: unprocessable({
    title: 'The refund exceeds the refundable amount',
    detail: {
      already_refunded: 'payment {payment:payment} is already refunded in full',
      too_much: '{left:amount} of payment {payment:payment} can still be refunded; {amount:amount} was requested',
      credited:
        'the unused part of the charge became credit of subscription {subscription:subscription}; {left:amount} can still be refunded, {amount:amount} was requested',
    },
    example: ['too_much', { param: 'amount', left: usd(2_000n), payment: ID, amount: usd(5_000n) }],
    cause: 'The refunds of a payment would be more than what was paid, or more than the named payee received.',
    remedy:
      'Read the payment: the paid amount less the refunded amount is left. Leave out the amount to refund the rest.',
  }),
  CAPTURE_EXCEEDS_HOLD: unprocessable({
    title: 'The capture exceeds the remaining hold',
    detail: '{left:amount} of hold {payment:payment} is left to capture; {amount:amount} was requested',
    example: { param: 'amount', left: usd(2_000n), payment: ID, amount: usd(5_000n) },
    cause: 'The capture is larger than the part of the hold that is not captured yet.',
    remedy:
      'Capture at most the rest; leave out the amount to capture all of it. Raise the amount of a hold before its first capture.',
  }),
  FAILED_BY_OPERATOR: unprocessable({
    title: 'An operator failed the payment',
    detail: '{explanation}',
    example: { explanation: 'The order was reported as fraud' },
    cause: 'An operator ended the scheduled payment as failed. The detail is the reason that the operator gave.',
    remedy: 'The reserved funds are released. Retry the payment once the reason no longer applies, or create another.',
  }),
  UNEXPECTED: retryable(
    unprocessable({
      title: 'The payment failed with an unexpected internal error',
      detail: { error: '{error}', no_step: '{tries} tries without a step: {error}' },
      example: ['error', { error: 'Connection terminated unexpectedly' }],
      cause:
        'The payment could not be executed because of an error in usance or its database. Nothing was paid, and the attempt counted.',
      remedy:
        'The payment is retried by its retry policy. Look for its id in the logs of the processor, and report the error.',
    }),
  ),
};
