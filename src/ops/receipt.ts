// The receipt of a payment: its events, with the proof that they are in the hash chain of the tenant.
import type { Receipt } from '../audit/index.ts';
import { makeReceipt } from '../audit/index.ts';
import { listEventsOf } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { isUuid, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { readPayments } from '../payments/index.ts';

export interface ReceiptVerbs {
  /** `anchor`: the seq of an anchor to lead to; default the end of the chain. Reads only. */
  paymentReceipt(id: Uuid, options?: { readonly anchor?: bigint }): Promise<Receipt>;
}

export function receiptVerbs({ sql, tenantId }: VerbContext): ReceiptVerbs {
  return {
    async paymentReceipt(id, { anchor } = {}) {
      const [payment] = isUuid(id) ? await readPayments(sql, [{ tenantId, id }]) : [];
      if (!payment) return refuse('PAYMENT_NOT_FOUND', { payment: id });
      const events = await listEventsOf(sql, tenantId, id);
      return makeReceipt(
        sql,
        tenantId,
        events.map((event) => event.id),
        anchor ?? null,
      );
    },
  };
}
