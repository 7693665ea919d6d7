// Payments as they are shown: with the refs of payer and payee, in the statement that reads them. Every request for a payment shows its
// refs, and a statement more would cost half of the request.
import type { Row, Sql } from '../db/index.ts';
import { asDate, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { refColumn } from '../ledger/index.ts';
import type { Payment } from './payment.ts';
import type { PaymentKey } from './store.ts';
import { COLUMNS, payment } from './store.ts';

/** Refs of the payer and of the first payee, by id. Further payees are not among them. */
export type PartyRefs = Map<Uuid, string>;

/** Of a payment with the given alias. */
export const refColumns = (alias: string): string =>
  `${refColumn(`${alias}.tenant_id`, `${alias}.payer_id`)} as payer_ref, ${refColumn(`${alias}.tenant_id`, `${alias}.payee_id`)} as payee_ref`;

export function collectRefs(row: Row, refs: PartyRefs): void {
  for (const party of ['payer', 'payee']) {
    const ref = asTextOrNull(row[`${party}_ref`]);
    if (ref !== null) refs.set(asText(row[`${party}_id`]), ref);
  }
}

export interface PaymentRead {
  readonly payment: Payment;
  /** When it is tried next; null if it is not scheduled. */
  readonly dueAt: Date | null;
  readonly refs: PartyRefs;
}

/** Null if the payment is archived, or there is none. */
export async function readShown(sql: Sql, { tenantId, id }: PaymentKey): Promise<PaymentRead | null> {
  const [row] = await sql.query(
    `select ${COLUMNS}, d.due_at, ${refColumns('p')}
     from usance.payments p left join usance.due d on d.tenant_id = p.tenant_id and d.payment_id = p.id
     where p.tenant_id = $1::uuid and p.id = $2::uuid`,
    [tenantId, id],
  );
  if (!row) return null;
  const refs: PartyRefs = new Map();
  collectRefs(row, refs);
  return { payment: payment(row), dueAt: row['due_at'] === null ? null : asDate(row['due_at']), refs };
}
