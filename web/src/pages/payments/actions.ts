// What an operator can do with a payment.
import type { Payment } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { tenantNowOrReal } from '../../app/tenant-time.ts';
import type { Action } from '../../parts/action.tsx';
import { resolve } from '../payouts/resolve.tsx';
import { amountText, instantOf, localInput, minorOf, requireMinor } from '../../parts/fields.tsx';
import { formatInstant, formatMoney, shortAddress } from '../../parts/format.ts';

const HOUR_MS = 3_600_000;

const isScheduled = ({ status }: Payment): boolean => status === 'scheduled';
/** Runs before its hour only when nobody's approval is awaited. */
const mayRun = (payment: Payment): boolean => isScheduled(payment) && payment.approval !== 'awaited';
const money = ({ amount, asset }: Payment): string => formatMoney(amount, asset);
const payees = ({ toRef, to, legs, destinations }: Payment): string =>
  destinations !== null
    ? Object.entries(destinations)
        .map(([chain, address]) => `${shortAddress(String(address))} on ${chain}`)
        .join(' or ')
    : (toRef ?? to ?? legs.map((leg) => leg.toRef ?? leg.to).join(', '));
const uncaptured = ({ amount, captured, released }: Payment): bigint =>
  BigInt(amount) - BigInt(captured) - BigInt(released);
const refundable = ({ captured, amount, status, refunded }: Payment): bigint =>
  BigInt(captured === '0' && status === 'settled' ? amount : captured) - BigInt(refunded);

export const cancel: Action<Payment> = {
  name: 'payments.cancel',
  label: 'Cancel',
  tone: 'danger',
  scope: 'payments:write',
  reason: 'body',
  isVersioned: true,
  applies: isScheduled,
  lead: (payment) =>
    `The payment of ${money(payment)} from ${payment.fromRef ?? payment.from} to ${payees(payment)} will not run. Reserved funds go back to the payer.`,
  confirm: (payment) => `Cancel ${money(payment)}`,
  run: ({ id }, { reason = '' }, options) => api.payments.cancel(id, { reason }, options),
  done: (payment) => `Cancelled the payment of ${money(payment)}.`,
};

export const capture: Action<Payment> = {
  name: 'payments.capture',
  label: 'Capture',
  scope: 'payments:write',
  reason: 'required',
  isVersioned: true,
  applies: (payment) => mayRun(payment) && payment.funding === 'reserve',
  lead: (payment) =>
    `Moves a part or all of the reserved ${money(payment)} to ${payees(payment)} now. The rest settles when it is due.`,
  fields: (payment) => [
    {
      name: 'amount',
      label: 'Amount',
      kind: 'amount',
      asset: payment.asset,
      initial: amountText(uncaptured(payment).toString(), payment.asset),
      isRequired: true,
      hint: `At most ${formatMoney(uncaptured(payment).toString(), payment.asset)}.`,
    },
  ],
  run: ({ id, asset }, { amount = '' }, options) =>
    api.payments.capture(id, { amount: minorOf(amount, asset) ?? '' }, options),
  done: () => 'Captured.',
};

export const refund: Action<Payment> = {
  name: 'payments.refund',
  label: 'Refund',
  scope: 'payments:write',
  reason: 'body',
  isVersioned: true,
  applies: (payment) => payment.status === 'settled' && refundable(payment) > 0n,
  lead: (payment) =>
    `Moves money back from ${payees(payment)} to ${payment.fromRef ?? payment.from}, as a new transfer that is linked to this payment.`,
  fields: (payment) => [
    {
      name: 'amount',
      label: 'Amount',
      kind: 'amount',
      asset: payment.asset,
      initial: amountText(refundable(payment).toString(), payment.asset),
      isRequired: true,
      hint: `At most ${formatMoney(refundable(payment).toString(), payment.asset)}: what was paid and not refunded yet.`,
    },
  ],
  run: ({ id, asset }, { amount = '', reason = '' }, options) =>
    api.payments.refund(id, { amount: minorOf(amount, asset) ?? '', reason }, options),
  done: () => 'Refunded.',
};

export const retry: Action<Payment> = {
  name: 'payments.retry',
  label: 'Retry',
  tone: 'primary',
  scope: 'ops:write',
  reason: 'body',
  isVersioned: true,
  applies: ({ status }) => status === 'failed',
  lead: (payment) =>
    `The payment of ${money(payment)} is scheduled again with all of its attempts, and reserves its funds anew if it did before.`,
  run: ({ id }, { reason = '' }, options) => api.payments.retry(id, { reason }, options),
  done: (payment) => `The payment of ${money(payment)} is scheduled again.`,
};

export const runNow: Action<Payment> = {
  name: 'payments.runNow',
  label: 'Run now',
  scope: 'ops:write',
  reason: 'required',
  isVersioned: true,
  applies: mayRun,
  lead: (payment) =>
    `The payment of ${money(payment)} to ${payees(payment)} is made due now, instead of ${formatInstant(payment.nextAttemptAt ?? payment.executeAt)}.`,
  run: ({ id }, _values, options) => api.payments.runNow(id, options),
  done: (payment) => `The payment of ${money(payment)} runs now.`,
};

export const fail: Action<Payment> = {
  name: 'payments.fail',
  label: 'Fail',
  tone: 'danger',
  scope: 'ops:write',
  reason: 'body',
  isVersioned: true,
  applies: isScheduled,
  lead: (payment) =>
    `The payment of ${money(payment)} ends as failed and becomes a dead letter: it can be retried later. Reserved funds go back to the payer.`,
  run: ({ id }, { reason = '' }, options) => api.payments.fail(id, { reason }, options),
  done: (payment) => `The payment of ${money(payment)} has failed.`,
};

export const edit: Action<Payment> = {
  name: 'payments.update',
  label: 'Edit',
  scope: 'payments:write',
  reason: 'required',
  isVersioned: true,
  applies: isScheduled,
  lead: () =>
    'Changes the amount or the instant of the payment. More than a limit allows is refused, and a higher amount may need approval again.',
  confirm: () => 'Save',
  fields: (payment) => [
    {
      name: 'amount',
      label: 'Amount',
      kind: 'amount',
      asset: payment.asset,
      initial: amountText(payment.amount, payment.asset),
      isRequired: true,
    },
    { name: 'executeAt', label: 'Due', kind: 'instant', initial: localInput(payment.executeAt), isRequired: true },
  ],
  isChange: (payment, { amount = '', executeAt }) =>
    minorOf(amount, payment.asset) !== payment.amount || executeAt !== localInput(payment.executeAt),
  run: (payment, { amount = '', executeAt = '' }, options) => {
    const minor = minorOf(amount, payment.asset) ?? '';
    return api.payments.update(
      payment.id,
      {
        ...(minor === payment.amount ? {} : { amount: minor }),
        ...(executeAt === localInput(payment.executeAt) ? {} : { executeAt: instantOf(executeAt) }),
      },
      options,
    );
  },
  done: () => 'Saved.',
};

export const extend: Action<Payment> = {
  name: 'payments.extend',
  label: 'Extend',
  scope: 'payments:write',
  reason: 'required',
  isVersioned: true,
  applies: (payment) => isScheduled(payment) && payment.expiresAt !== null,
  lead: (payment) =>
    `The payment expires at ${formatInstant(payment.expiresAt ?? '')} unless it has run. Move that to a later instant.`,
  fields: (payment) => [
    {
      name: 'expiresAt',
      label: 'Expires',
      kind: 'instant',
      initial: localInput(payment.expiresAt ?? ''),
      isRequired: true,
    },
  ],
  isChange: (payment, { expiresAt }) => expiresAt !== localInput(payment.expiresAt ?? ''),
  run: ({ id }, { expiresAt = '' }, options) => api.payments.extend(id, { expiresAt: instantOf(expiresAt) }, options),
  done: () => 'Extended.',
};

export const approve: Action<Payment> = {
  name: 'payments.approve',
  label: 'Approve',
  tone: 'primary',
  scope: 'ops:write',
  reason: 'body',
  isVersioned: true,
  applies: (payment) => isScheduled(payment) && payment.approval === 'awaited',
  lead: (payment) =>
    `You approve version ${payment.termsVersion} of the terms: ${money(payment)} from ${payment.fromRef ?? payment.from} to ${payees(payment)} at ${formatInstant(payment.executeAt)}. If the terms changed meanwhile, the approval is refused.`,
  confirm: (payment) => `Approve ${money(payment)}`,
  run: ({ id, termsVersion }, { reason = '' }, options) => api.payments.approve(id, { termsVersion, reason }, options),
  done: (payment) => `Approved ${money(payment)}.`,
};

export const reject: Action<Payment> = {
  name: 'payments.reject',
  label: 'Reject',
  tone: 'danger',
  scope: 'ops:write',
  reason: 'body',
  isVersioned: true,
  applies: (payment) => isScheduled(payment) && payment.approval === 'awaited',
  lead: (payment) =>
    `The payment of ${money(payment)} to ${payees(payment)} is cancelled. Reserved funds go back to the payer.`,
  confirm: (payment) => `Reject ${money(payment)}`,
  run: ({ id }, { reason = '' }, options) => api.payments.reject(id, { reason }, options),
  done: (payment) => `Rejected ${money(payment)}.`,
};

export const create: Action<{ readonly asset: string }> = {
  name: 'payments.create',
  label: 'New payment',
  tone: 'primary',
  scope: 'payments:write',
  reason: 'required',
  lead: () => 'Moves money later, once: reserved now, or taken from the payer when it is due.',
  fields: ({ asset }) => [
    { name: 'from', label: 'From', kind: 'text', placeholder: 'alice', isRequired: true },
    { name: 'to', label: 'To', kind: 'text', placeholder: 'bookshop', isRequired: true },
    { name: 'asset', label: 'Asset', kind: 'text', initial: asset, isRequired: true },
    { name: 'amount', label: 'Amount', kind: 'text', placeholder: '25.00', isRequired: true },
    {
      name: 'executeAt',
      label: 'Due',
      kind: 'instant',
      initial: localInput(new Date(tenantNowOrReal() + HOUR_MS).toISOString()),
      isRequired: true,
    },
    {
      name: 'funding',
      label: 'Funding',
      kind: 'select',
      initial: 'reserve',
      isRequired: true,
      options: [
        ['reserve', 'reserve the money now'],
        ['at_execution', 'take it when it is due'],
      ],
    },
    { name: 'reference', label: 'Reference', kind: 'text', placeholder: 'order-1042' },
  ],
  run: async (_, { from = '', to = '', asset = '', amount = '', executeAt = '', funding, reference = '' }, options) => {
    const minor = requireMinor(amount, asset);
    return api.payments.create(
      {
        from: from.trim(),
        to: to.trim(),
        asset,
        amount: minor,
        executeAt: instantOf(executeAt),
        funding: funding as Payment['funding'],
        ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
      },
      options,
    );
  },
  done: () => 'Created the payment.',
};

/** In the order in which the page shows them. */
export const PAYMENT_ACTIONS: readonly Action<Payment>[] = [
  resolve,
  approve,
  reject,
  retry,
  capture,
  refund,
  runNow,
  edit,
  extend,
  fail,
  cancel,
];
