// Lists of payments as callers page through them.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { PaymentFilter } from './list-store.ts';
import { listPayments } from './list-store.ts';
import type { Payment } from './payment.ts';

export interface PaymentPage {
  readonly payments: readonly Payment[];
  /** The id to go on from; null at the end. A page may be short, or empty, and not be the last. */
  readonly next: Uuid | null;
}

interface PageOrder {
  readonly limit: number;
  /** The id that the page before ended with. */
  readonly before: Uuid | null;
}

/** One page, in bounded time whatever the filter. */
export async function pageOfPayments(
  sql: Sql,
  tenantId: Uuid,
  filter: PaymentFilter,
  { limit, before }: PageOrder,
  stretch?: number,
): Promise<PaymentPage> {
  // One more than asked, to know whether there is a next page.
  const read = await listPayments(sql, tenantId, filter, { limit: limit + 1, before }, stretch);
  const payments = read.payments.slice(0, limit);
  return { payments, next: read.payments.length > limit ? (payments.at(-1)?.id ?? null) : read.reached };
}

/** As many as there are, up to the limit: stretch after stretch, where the filter fits little. */
export async function findPayments(
  sql: Sql,
  tenantId: Uuid,
  filter: PaymentFilter,
  { limit, before }: PageOrder,
  stretch?: number,
): Promise<Payment[]> {
  const found: Payment[] = [];
  let next = before;
  do {
    const read = await listPayments(sql, tenantId, filter, { limit: limit - found.length, before: next }, stretch);
    found.push(...read.payments);
    next = read.reached;
  } while (next !== null && found.length < limit);
  return found;
}
