// The receipt of a payment: its events, with the proof that they are in the hash chain of the tenant.
import type { Receipt } from '../audit/index.ts';
import { makeReceipt } from '../audit/index.ts';
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
    paymentReceipt: (id, { anchor } = {}) =>
      oneAtATime(tenantId, async () => {
        const [payment] = isUuid(id) ? await readPayments(sql, [{ tenantId, id }]) : [];
        if (!payment) return refuse('PAYMENT_NOT_FOUND', { payment: id });
        return makeReceipt(sql, tenantId, id, anchor ?? null);
      }),
  };
}

/** Receipts that a process makes at once. Each reads and hashes up to 100,000 events. */
const MOST_AT_ONCE = 4;
const busy = new Set<Uuid>();

async function oneAtATime<T>(tenantId: Uuid, work: () => Promise<T>): Promise<T> {
  if (busy.has(tenantId)) refuse('RATE_LIMITED/receipts');
  if (busy.size >= MOST_AT_ONCE) refuse('SERVICE_UNAVAILABLE/receipts');
  busy.add(tenantId);
  try {
    return await work();
  } finally {
    busy.delete(tenantId);
  }
}
