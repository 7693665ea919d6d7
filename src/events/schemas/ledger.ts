// Events about accounts and the money on them.
import { event } from './define.ts';
import {
  BOB,
  account,
  amount,
  anyObject,
  asset,
  change,
  created,
  id,
  instant,
  integer,
  list,
  maybe,
  names,
  nullable,
  reason,
  reasonOrNull,
  ref,
  text,
  word,
} from './fields.ts';

const guardian = id('account', 'A guardian.', BOB);
const ACCOUNT = {
  status: word(['active', 'suspended', 'closed'], 'The state of the account.', 'active'),
  guardian_id: nullable(guardian, 'The first guardian; null if there is none.'),
  guardian_ref: ref('guardian_id'),
  guardian_ids: list(guardian, 'All guardians.'),
  guardian_id_refs: {
    ...list(ref('guardian_ids'), 'Refs of the guardians, in the same order.'),
    'x-ref': 'guardian_ids',
  },
};
const changed = names('The personal fields that changed, among `name` and `contact`. Events never have their values.', [
  'contact',
]);
const CHANGED = { ...change(ACCOUNT, ACCOUNT), reason: reasonOrNull, changed };
const NOBODY = { guardian_id: null, guardian_ref: null, guardian_ids: [], guardian_id_refs: [] };
const moved = (before: string, after: string) => ({
  old: { status: before, ...NOBODY },
  new: { status: after, ...NOBODY },
  changed: [],
});

const finding = anyObject(
  'The row that disagrees, with ids as TypeIDs.',
  { account: 'acct_01k9zt1m6hfpq8w3n5x7y2c4de', available: '5000', transfers: '4000' },
  'finding',
);
const violation = text('The name of the check.', 'balances-equal-transfers');

const RESERVATION = {
  ...account('account_id', 'The account.'),
  asset,
  amount: amount('The reserved amount.'),
  captured: amount('The captured part.', '0'),
  released: amount('The released part.', '0'),
};

export const LEDGER_EVENTS = {
  'account.balances_imported': event('A chunk of opening balances was imported.', {
    import: text('The name of the import.', 'from-the-old-system'),
    balances: integer('How many balances were booked.', 1_000),
    first_line: integer('The line of the file with the first of them.', 2),
  }),
  'account.closed': event('An account was closed.', CHANGED, moved('active', 'closed')),
  'account.created': event(
    'An account was created.',
    created({ kind: word(['user', 'merchant', 'treasury', 'system'], 'Which kind it is.', 'user'), ...ACCOUNT }),
    { new: { kind: 'user', status: 'active', ...NOBODY } },
  ),
  'account.erased': event('The personal data of an account was erased.', {
    fields: names('The fields that were erased.', ['name', 'contact', 'status_reason', 'ref']),
    events: integer('How many events were erased.', 4),
    reason,
  }),
  'account.reactivated': event('A suspended account is active again.', CHANGED, moved('suspended', 'active')),
  'account.shortfall_expected': event(
    'The forecast of an account falls below zero.',
    {
      asset,
      at: instant('When the funds will be missing.'),
      missing: amount('How much will be missing.', '2500'),
      amount: amount('The amount of the payment that will lack them.'),
      payment_id: maybe(id('payment', 'That payment.'), 'until it exists'),
      schedule_id: maybe(id('schedule', 'The schedule that will create the payment.'), 'if the payment exists'),
    },
    { schedule_id: undefined },
  ),
  'account.suspended': event('An account was suspended.', CHANGED, moved('active', 'suspended')),
  'account.tokens_revoked': event('All tokens of an end user were revoked.', {
    revoked_at: instant('Tokens issued before this instant are refused.'),
  }),
  'account.updated': event('The name, contact or guardians of an account changed.', CHANGED, {
    ...moved('active', 'active'),
    reason: null,
    changed: ['contact'],
  }),
  'asset.created': event(
    'An asset was created.',
    created({
      asset,
      code: text('The code without its scale.', 'USD'),
      scale: integer('How many decimals it has.', 2),
    }),
  ),
  'books.violation_found': event('An integrity check found a row that disagrees with the books; no amount is wrong.', {
    asset: text('The asset; empty if the row has none.', 'USD/2'),
    violation: { ...violation, examples: ['dead-letters-have-failed'] },
    details: { ...finding, examples: [{ payment: 'pay_01k9zt5c7nmd3g5h8j1k4p6q9r', status: 'settled' }] },
  }),
  'freeze.created': event('An integrity check froze an asset.', { asset, violation, details: finding }),
  'freeze.lifted': event('The freeze of an asset was lifted.', { asset, reason }),
  'reservation.captured': event(
    'Reserved funds were captured.',
    {
      amount: amount('The captured part.', '4000'),
      ...account('to', 'The account that was paid.', BOB),
      ...created(RESERVATION),
    },
    { new: { ...exampleReservation(), captured: '4000' } },
  ),
  'reservation.created': event(
    'Funds were reserved.',
    { amount: amount('The reserved amount.'), ...created(RESERVATION) },
    { new: exampleReservation() },
  ),
  'reservation.released': event(
    'Reserved funds are available again.',
    { amount: amount('The released part.', '6000'), ...created(RESERVATION) },
    { new: { ...exampleReservation(), captured: '4000', released: '6000' } },
  ),
  'transfer.posted': event(
    'Money moved between two accounts.',
    created({
      ...account('from', 'The account that paid.'),
      ...account('to', 'The account that was paid.', BOB),
      asset,
      amount: amount('The amount.'),
      kind: text('Why money moved.', 'transfer'),
    }),
  ),
} as const;

function exampleReservation() {
  return {
    account_id: 'acct_01k9zt1m6hfpq8w3n5x7y2c4de',
    account_ref: 'alice',
    asset: 'USD/2',
    amount: '10000',
    captured: '0',
    released: '0',
  };
}
