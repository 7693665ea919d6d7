// What every event of a payment says of it, in two forms. `paymentData` is written with each event, of which a settlement writes a
// thousand at a time: it leaves out what is the usual value (nothing captured, no reference, no owner) and what the event's row has
// already (the id). `wholePaymentData` puts it back when an event is shown. Refs of accounts are never stored, because they could not be
// erased: they are read when an event is shown.
import type { Uuid } from '../../kernel/index.ts';
import type { Data } from './define.ts';

/** The part of a payment that its events have. */
export interface PaymentFacts {
  readonly status: string;
  readonly amount: bigint;
  readonly captured: bigint;
  readonly released: bigint;
  readonly asset: string;
  readonly payerId: Uuid;
  readonly legs: readonly { readonly accountId: Uuid; readonly amount: bigint }[];
  readonly reference: string | null;
  readonly metadata: Data | null;
  readonly executeAt: Date;
  readonly attempts: number;
  readonly owner: { readonly kind: string; readonly id: Uuid } | null;
  readonly rail: string;
}

/** As it is stored, with what the type of the event has besides. */
export function paymentData(payment: PaymentFacts, more: Data): Data {
  const { status, amount, captured, released, asset, payerId, legs, executeAt, attempts } = payment;
  // Texts already: what is written without a look at every field takes a third of the time.
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
  if (payment.reference !== null) data['reference'] = payment.reference;
  if (payment.metadata !== null) data['metadata'] = payment.metadata;
  if (payment.owner !== null) data['owner'] = payment.owner;
  if (payment.rail !== USUAL.rail) data['rail'] = payment.rail;
  return Object.assign(data, more);
}

/** The one payee of most payments gets all of it. */
function payeesOf(legs: PaymentFacts['legs']): readonly unknown[] {
  return legs.length === 1
    ? legs.map(({ accountId }) => accountId)
    : legs.map(({ accountId, amount }) => ({ id: accountId, amount: amount.toString() }));
}

const USUAL = {
  captured: '0',
  released: '0',
  attempt: 0,
  reference: null,
  metadata: null,
  owner: null,
  rail: 'ledger',
};

/** Of a change only the old values are stored: the new ones are the payment's. */
export function wholePaymentData(stored: Data, id: Uuid): Data {
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
  } = { ...USUAL, ...rest } as Data;
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

/** What a new payment is. */
export function wholeNewPayment(stored: Data, id: Uuid): Data {
  const all = wholePaymentData(stored, id);
  const { status, amount, asset, executeAt } = all;
  return { ...all, new: { status, amount, asset, executeAt } };
}
