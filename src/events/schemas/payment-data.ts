// The payment in its events, in two forms. `paymentData` is the stored one. A settlement writes a thousand at a time, so it leaves out
// usual values (nothing captured, no owner) and the id, which the row of the event has. `completePaymentData` adds them when an event
// is shown. Refs of accounts are never stored, because they could not be erased: they are read when an event is shown. The texts of the
// payment, its reference and metadata, are stored only in the event that set them, so that erasing that event and the payment erases them
// everywhere, and 16 kB of metadata are not stored again by every capture. Every other event shows the texts that the payment has.
import type { Uuid } from '../../kernel/index.ts';
import type { Data } from './define.ts';

/** The payment after the change, as its events show it. */
export interface PaymentSnapshot {
  readonly status: string;
  readonly amount: bigint;
  readonly captured: bigint;
  readonly released: bigint;
  readonly asset: string;
  readonly payerId: Uuid;
  readonly legs: readonly { readonly accountId: Uuid; readonly amount: bigint }[];
  readonly executeAt: Date;
  readonly attempts: number;
  readonly owner: { readonly kind: string; readonly id: Uuid } | null;
  readonly rail: string;
}

/** The caller's own texts on a payment. */
export interface PaymentTexts {
  readonly reference: string | null;
  readonly metadata: Data | null;
}

/** The stored texts of an event that sets them. */
export function textsData({ reference, metadata }: PaymentTexts): Data {
  return { ...(reference === null ? {} : { reference }), ...(metadata === null ? {} : { metadata }) };
}

/** The stored data of an event: the payment, and the fields that only this type of event has. */
export function paymentData(payment: PaymentSnapshot, ownFields: Data): Data {
  const { status, amount, captured, released, asset, payerId, legs, executeAt, attempts } = payment;
  // Amounts are strings already: toJson finds no bigint and takes a third of the time.
  const data: Record<string, unknown> = {
    status,
    amount: amount.toString(),
    asset,
    payer: payerId,
    payees: payeesOf(legs),
    executeAt: executeAt.toISOString(),
  };
  if (captured !== 0n) data['captured'] = captured.toString();
  if (released !== 0n) data['released'] = released.toString();
  if (attempts !== 0) data['attempt'] = attempts;
  if (payment.owner !== null) data['owner'] = payment.owner;
  if (payment.rail !== USUAL.rail) data['rail'] = payment.rail;
  return Object.assign(data, ownFields);
}

/** A single payee gets the whole amount and is stored by its id. */
function payeesOf(legs: PaymentSnapshot['legs']): readonly unknown[] {
  return legs.length === 1
    ? legs.map(({ accountId }) => accountId)
    : legs.map(({ accountId, amount }) => ({ id: accountId, amount: amount.toString() }));
}

const USUAL = {
  captured: '0',
  released: '0',
  attempt: 0,
  owner: null,
  rail: 'ledger',
};

const NO_TEXTS: PaymentTexts = { reference: null, metadata: null };

/**
 * The data as it is shown. A change is stored with its old values only: the new ones are those of the payment. `texts` are those that the
 * payment has now; the event shows them where it set none.
 */
export function completePaymentData(stored: Data, id: Uuid, texts: PaymentTexts = NO_TEXTS): Data {
  const { old, new: written, payees, ...rest } = stored;
  const {
    status,
    amount,
    asset,
    payer,
    executeAt,
    captured,
    released,
    attempt,
    reference,
    metadata,
    owner,
    rail,
    ...more
  } = { ...USUAL, ...texts, ...rest } as Data;
  const payment = {
    id,
    status,
    amount,
    captured,
    released,
    asset,
    payer,
    payees: Array.isArray(payees)
      ? payees.map((payee: unknown) => (typeof payee === 'string' ? { id: payee, amount } : payee))
      : payees,
    reference,
    metadata,
    executeAt,
    attempt,
    owner,
    rail,
  };
  const all: Data = { ...payment, ...more };
  return { ...all, ...changeOf(all, old, written) };
}

function changeOf(all: Data, old: unknown, written: unknown): Data {
  if (written !== undefined) return old === undefined ? { new: written } : { old, new: written };
  if (typeof old !== 'object' || old === null) return {};
  return { old, new: Object.fromEntries(Object.keys(old).map((name) => [name, all[name]])) };
}

/** The same for `payment.created`, which has no old values and every text that the payment was created with. */
export function completeNewPayment(stored: Data, id: Uuid): Data {
  const all = completePaymentData(stored, id);
  const { status, amount, asset, executeAt } = all;
  return { ...all, new: { status, amount, asset, executeAt } };
}
