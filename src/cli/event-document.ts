// The data of an event in a JSON document: the names of the library, everything that storing left out, and ids as TypeIDs.
import type { Payment } from '../engine.ts';
import { completeData, ownEventOf } from '../engine.ts';
import { showIds, toTypeId } from '../kernel/index.ts';

type Data = Readonly<Record<string, unknown>>;

/** A payer and payees are shown by id: a document has no refs. Data of an own event are shown as its application gave them. */
export function eventDocument(type: string | null, resourceId: string, data: Data): Data {
  const own = ownEventOf({ resourceId, data });
  if (own) return own.data ?? data;
  const complete = type === null ? data : completeData(type, data, resourceId);
  const shown = showIds(complete) as Data;
  // The events of payments. Their id and those of their payees and owner have names that say nothing of their kind.
  const { id, payees, owner } = complete;
  if (!Array.isArray(payees)) return shown;
  return {
    ...shown,
    id: toTypeId('payment', String(id)),
    payees: (payees as { id: string }[]).map((payee) => ({ ...payee, id: toTypeId('account', payee.id) })),
    owner: ownerDocument(owner as Payment['owner']),
  };
}

export const ownerDocument = (owner: Payment['owner']): Payment['owner'] =>
  owner && { ...owner, id: toTypeId(owner.kind === 'subscription' ? 'subscription' : 'schedule', owner.id) };
