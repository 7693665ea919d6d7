// The data of an event in a JSON document: the names of the library, everything that storing left out, and ids as TypeIDs. Data of
// another form, appended by another release or by hand, is shown as it is.
import type { Data, Payment, PaymentTexts, StoredData } from '../engine.ts';
import { completeData } from '../engine.ts';
import { isUuid, showIds, toTypeId } from '../kernel/index.ts';

/** A payer and payees are shown by id: a document has no refs. */
export function eventDocument(event: StoredData, texts?: PaymentTexts): Data {
  const complete = completeData(event, texts);
  const shown = showIds(complete) as Data;
  // The events of payments. Their id and those of their payees and owner have names that say nothing of their kind.
  const { id, payees, owner } = complete;
  if (!Array.isArray(payees)) return shown;
  return {
    ...shown,
    id: typeIdOf('payment', id),
    payees: payees.map((payee: unknown) => withTypeId('account', payee)),
    owner: withTypeId(kindOf(owner), owner),
  };
}

type Kind = Parameters<typeof toTypeId>[0];

const typeIdOf = (kind: Kind, id: unknown): unknown => (typeof id === 'string' && isUuid(id) ? toTypeId(kind, id) : id);

function withTypeId(kind: Kind, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('id' in value)) return value;
  return { ...value, id: typeIdOf(kind, value.id) };
}

const kindOf = (owner: unknown): Kind =>
  typeof owner === 'object' && owner !== null && 'kind' in owner && owner.kind === 'subscription'
    ? 'subscription'
    : 'schedule';

export const ownerDocument = (owner: Payment['owner']): Payment['owner'] =>
  withTypeId(kindOf(owner), owner) as Payment['owner'];
