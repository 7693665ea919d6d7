// Erases the texts of payments that an end user created: reference and metadata, which are the end user's own words. The payments stay, with
// everything that is about money. A reference that is erased is free again in the namespace of that end user, whose account is closed.
import { refusingUngranted } from '../audit/index.ts';
import type { Transaction } from '../db/index.ts';
import { eventIdsWithTexts } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { userActor } from '../kernel/index.ts';
import { lockDue } from './due-store.ts';
import { eraseTexts, paymentsCreatedBy } from './erase-store.ts';

export interface ForgottenTexts {
  /** Payments whose texts were erased. */
  readonly texts: number;
  /** Events that still have texts of payments of this end user, appended by any caller. */
  readonly events: readonly Uuid[];
}

/**
 * The due rows are locked first, as by every verb: a settlement or an edit that has read a payment with its texts would otherwise write them
 * back.
 */
export async function forgetPaymentTexts(
  tx: Transaction,
  { tenantId, id }: { readonly tenantId: Uuid; readonly id: Uuid },
): Promise<ForgottenTexts> {
  const created = await paymentsCreatedBy(tx, { tenantId, payerId: id, actor: userActor(id) });
  const keys = created.map((paymentId) => ({ tenantId, id: paymentId }));
  if (keys.length === 0) return { texts: 0, events: [] };
  await lockDue(tx, keys);
  const texts = await refusingUngranted(eraseTexts(tx, { tenantId, id }, created));
  return { texts, events: await eventIdsWithTexts(tx, tenantId, created) };
}
