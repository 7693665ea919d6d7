// Events of payments. Each has the payment after the change, and the fields of its own type.
import type { TProperties } from 'typebox';
import { Type } from 'typebox';
import type { Data, EventDefinition } from './define.ts';
import { event } from './define.ts';
import {
  BOB,
  amount,
  anyObject,
  asset,
  change,
  code,
  created,
  detail,
  extended,
  id,
  instant,
  integer,
  list,
  maybe,
  names,
  nullable,
  object,
  reason,
  reasonIfGiven,
  reasonOrNull,
  text,
  word,
} from './fields.ts';
import { completeNewPayment, completePaymentData } from './payment-data.ts';

const status = word(
  ['scheduled', 'processing', 'submitted', 'review', 'settled', 'failed', 'cancelled', 'expired'],
  'The state of the payment.',
  'scheduled',
);
const refOfParty = (example: string) =>
  nullable(text('Your ref of the account.', example), 'Ref of the account, read when the event is shown.');
const executeAt = instant('When the payment is due.');
const amountOfPayment = amount('The amount of the payment.');
const expiresAt = nullable(instant('When the payment expires.'), 'When the payment expires; null if it does not.');
const termsVersion = integer('The version of amount, payees, `execute_at` and `expires_at`.', 1, { minimum: 1 });

const TITLE = 'PaymentEventData';

/** The fields that every event of a payment has. */
export const PaymentEventData = Object.assign(
  object(
    {
      id: id('payment', 'The payment.'),
      status,
      amount: amountOfPayment,
      captured: amount('The amount that was paid.', '0'),
      released: amount('The reserved amount that is available again.', '0'),
      asset,
      payer: object(
        { id: id('account', 'The account.'), ref: refOfParty('alice') },
        { title: 'EventPayer', description: 'The account that pays.', 'x-show': 'party' },
      ),
      payees: list(
        object(
          {
            id: id('account', 'The account.', BOB),
            ref: refOfParty('bob'),
            amount: amount('The part of this account.'),
          },
          { title: 'EventPayee', description: 'An account that is paid.', 'x-show': 'party' },
        ),
        'The accounts that are paid, one to ten.',
      ),
      reference: nullable(
        text('Your own name for the payment.', 'order-1001'),
        'Your own name for the payment, read when the event is shown; null if it has none. `payment.created` has the one that was given.',
      ),
      metadata: nullable(
        anyObject('Your own JSON object.', { order: 'A-1001' }),
        'Your own JSON object as the payment has it when the event is shown; null if it has none. `payment.created`, and `payment.updated` if `changed` names it, have the one that was given.',
      ),
      execute_at: executeAt,
      attempt: integer(
        'Attempts so far; the number of the attempt in an event of one. A retry by an operator starts again at 0.',
        0,
      ),
      owner: nullable(
        object(
          {
            kind: word(['schedule', 'subscription', 'allowance'], 'The kind of owner.', 'subscription'),
            id: text('`sub_…` of a subscription, otherwise `sch_…`.', 'sub_01k9zt7e9rpf5j7k0m3n6s8t1v'),
          },
          { 'x-show': 'owner' },
        ),
        'The schedule, subscription or allowance that created the payment; null for a payment created by a caller.',
      ),
      rail: text(
        'How money moves: `ledger`, a chain, or `any` for a chain that is chosen when the payment runs.',
        'ledger',
      ),
    },
    {
      title: TITLE,
      description: 'The payment as it is after the change, with its texts as they are when the event is shown.',
    },
  ),
  { title: TITLE },
);

function payment(
  says: string,
  fields: TProperties,
  example: Data = {},
  stored: Pick<EventDefinition, 'complete' | 'showsTexts'> = { complete: completePaymentData, showsTexts: true },
): EventDefinition {
  return { ...event(says, {}, { owner: null, ...example }), data: extended(PaymentEventData, fields), ...stored };
}

const moved = change({ status }, { status });
const from = (before: string, after: string): Data => ({
  status: after,
  old: { status: before },
  new: { status: after },
});

/** The duration of an attempt. */
const durationMs = integer('Milliseconds from the claim of the batch to the decision.', 12);
const TERMS = { amount: amountOfPayment, execute_at: executeAt, expires_at: expiresAt, terms_version: termsVersion };
const approval = word(['awaited', 'given'], 'Whether a second person has approved the payment.', 'given');
const termsBy = {
  ...list(text('An actor.', 'key_01k9zsxw3e5r7t9v1y3z5a7b9c'), 'The callers that decided the terms.'),
  'x-show': 'actor',
};
const TRANSACTION = {
  chain: text('The chain.', 'sandbox'),
  transaction_id: text('The id of the transaction on the chain.', '9f86d081884c7d65'),
};
const LATER = '2026-11-16T09:30:00.000Z';

export const PAYMENT_EVENTS = {
  'payment.approval_requested': payment('A payment needs approval before it is executed.', {
    terms_version: termsVersion,
  }),
  'payment.approved': payment(
    'A payment was approved.',
    { ...TERMS, ...change({ approval }, { approval }), terms_by: termsBy, reason: reasonOrNull },
    { expires_at: null, old: { approval: 'awaited' }, new: { approval: 'given' }, reason: 'within the budget' },
  ),
  'payment.attempt_failed': payment(
    'An attempt failed; another follows.',
    { duration_ms: durationMs, code, detail, next_attempt_at: instant('When the next attempt is.') },
    { attempt: 1, next_attempt_at: '2026-11-15T09:31:00.000Z' },
  ),
  'payment.cancelled': payment(
    'A payment was cancelled.',
    { ...moved, reason: reasonOrNull },
    { ...from('scheduled', 'cancelled'), released: '10000' },
  ),
  'payment.captured': payment(
    'A part of a hold, or the rest of it, was captured.',
    {
      capture: object(
        { number: integer('1 for the first capture.', 1), amount: amount('The captured part.', '4000') },
        { description: 'This capture.' },
      ),
    },
    { captured: '4000' },
  ),
  'payment.created': payment(
    'A payment or hold was created.',
    created({ status, amount: amountOfPayment, asset, execute_at: executeAt }),
    {},
    { complete: completeNewPayment },
  ),
  'payment.discarded': payment(
    'A failed payment was discarded: it is no longer a dead letter.',
    { code: nullable(code, 'The code of its last failure.'), reason },
    { status: 'failed', attempt: 5, released: '10000', reason: 'paid in cash' },
  ),
  'payment.expired': payment(
    'A payment expired with nothing captured.',
    { ...moved, reason: word(['expires_at', 'approval_not_given'], 'Why it expired.', 'expires_at') },
    { ...from('scheduled', 'expired'), released: '10000' },
  ),
  'payment.extended': payment(
    'The expiry of a payment was moved.',
    { ...change(TERMS, TERMS) },
    { old: { ...termsExample(null), terms_version: 1 }, new: { ...termsExample(LATER), terms_version: 2 } },
  ),
  'payment.failed': payment(
    'A payment failed for good: it is a dead letter.',
    { ...moved, duration_ms: maybe(durationMs, 'if it was not an attempt'), code, detail },
    { ...from('scheduled', 'failed'), attempt: 5, released: '10000' },
  ),
  'payment.manual_review': payment(
    'A payout is not final ten minutes after it was sent. It is still watched, and its funds stay reserved.',
    { ...moved, ...TRANSACTION, sent_at: instant('When its bytes were stored, to be sent.'), code, detail },
    { ...from('submitted', 'review'), attempt: 1, rail: 'sandbox', code: 'PAYOUT_UNCONFIRMED' },
  ),
  'payment.refunded': payment(
    'A settled payment was refunded, whole or in part.',
    {
      ...moved,
      refund: object({ amount: amount('The refunded part.', '2500') }, { description: 'This refund.' }),
      refunded: amount('All refunds of the payment.', '2500'),
      reason: reasonOrNull,
    },
    { ...from('settled', 'settled'), attempt: 1, captured: '10000' },
  ),
  'payment.rejected': payment(
    'A payment that needed approval was rejected.',
    { ...moved, terms_by: termsBy, reason },
    { ...from('scheduled', 'cancelled'), released: '10000', reason: 'not in the budget' },
  ),
  'payment.released': payment(
    'The rest of a hold that was captured in part is available again.',
    {
      because: word(['cancelled', 'rejected', 'expired'], 'How the payment ended.', 'cancelled'),
      terms_by: maybe(termsBy, 'unless it was rejected'),
      reason: reasonOrNull,
    },
    { status: 'settled', captured: '4000', released: '6000', terms_by: undefined },
  ),
  'payment.resolved': payment(
    'An operator resolved a payout in review. The event of its end, or of its next attempt, follows.',
    {
      outcome: word(['paid', 'dead'], 'The decision.', 'dead'),
      proven: Type.Boolean({
        description: 'Whether the chain proved the outcome; otherwise the operator vouches for it.',
        examples: [false],
      }),
      ...TRANSACTION,
      reason,
    },
    { status: 'review', attempt: 1, rail: 'sandbox', proven: false, reason: 'the node operator lost it' },
  ),
  'payment.retried': payment(
    'A failed payment is scheduled again.',
    { ...moved, reason: reasonOrNull },
    { ...from('failed', 'scheduled'), reason: 'the account has funds now' },
  ),
  'payment.run_now': payment('A scheduled payment was made due now.', {
    due_at: instant('When it would have been due.'),
    reason: reasonIfGiven,
  }),
  'payment.settled': payment(
    'A payment was paid.',
    {
      ...moved,
      duration_ms: maybe(durationMs, 'if it was not an attempt'),
      lateness_ms: maybe(integer('Milliseconds from the due instant to the claim.', 3), 'if it was not an attempt'),
      chain: maybe(TRANSACTION.chain, 'if it is not a payout'),
      transaction_id: maybe(TRANSACTION.transaction_id, 'if it is not a payout'),
      fee: maybe(
        amount('The fee that the chain took from the wallet, in minor units of `fee_asset`.', '5400'),
        'if it is not a payout',
      ),
      fee_asset: maybe(text('The asset of the fee.', 'SBX/9'), 'if it is not a payout'),
    },
    { ...from('scheduled', 'settled'), attempt: 1, captured: '10000' },
  ),
  'payment.submitted': payment(
    'A payout was signed and stored, and is being sent.',
    { ...moved, ...TRANSACTION, destination: text('The address that is paid.', 'sbx0f1e…') },
    { ...from('processing', 'submitted'), attempt: 1, rail: 'sandbox' },
  ),
  'payment.updated': payment(
    'The amount, instant or metadata of a payment changed.',
    { ...change(TERMS, TERMS), changed: maybe(names('`metadata`.', ['metadata']), 'if the caller did not set it') },
    { amount: '12000', old: termsExample(null), new: { ...termsExample(null), amount: '12000', terms_version: 2 } },
  ),
  'payment.waiting': payment(
    'A payout waits until its chain or its wallet is ready. Emitted when the cause is another one than before.',
    { ...moved, code, detail },
    { ...from('processing', 'scheduled'), rail: 'sandbox', code: 'PAYOUT_WAITS' },
  ),
} as const satisfies Record<string, EventDefinition>;

function termsExample(expiresAt: string | null): Data {
  return { amount: '10000', execute_at: '2026-11-15T09:30:00.000Z', expires_at: expiresAt, terms_version: 1 };
}
