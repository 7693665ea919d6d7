// Lists of payments as callers page through them.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { pageOf, upTo } from '../kernel/index.ts';
import type { PaymentFilter } from './list-store.ts';
import { listPayments } from './list-store.ts';
import type { Payment } from './payment.ts';

export interface PaymentPage {
  readonly payments: readonly Payment[];
  /** Refs of accounts by id, so far as they were read with the payments. Absent if the caller may not see them. */
  readonly refs?: ReadonlyMap<Uuid, string>;
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
  const refs = new Map<Uuid, string>();
  const { items, next } = await pageOf(
    limit,
    (most) => listPayments(sql, tenantId, filter, { limit: most, before }, { stretch, refs }),
    ({ id }) => id,
  );
  return { payments: items, refs, next };
}

/** As many as there are, up to the limit: stretch after stretch, where the filter fits little. */
export function findPayments(
  sql: Sql,
  tenantId: Uuid,
  filter: PaymentFilter,
  { limit, before }: PageOrder,
  stretch?: number,
): Promise<Payment[]> {
  return upTo(limit, before, (most, from) =>
    listPayments(sql, tenantId, filter, { limit: most, before: from }, { stretch }),
  );
}
