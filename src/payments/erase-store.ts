// Erasing the texts of payments. A function of the database does it, which only members of usance_eraser may call.
import type { Sql } from '../db/index.ts';
import { asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { PaymentKey } from './store.ts';

/** The payments, archived or not, that an account pays and its end user created. Rides the indexes by payer. */
export async function paymentsCreatedBy(
  sql: Sql,
  { tenantId, payerId, actor }: { readonly tenantId: Uuid; readonly payerId: Uuid; readonly actor: string },
): Promise<Uuid[]> {
  const rows = await sql.query(
    `select id from usance.all_payments
     where tenant_id = $1::uuid and payer_id = $2::uuid and created_by = $3::text order by id`,
    [tenantId, payerId, actor],
  );
  return rows.map((row) => asText(row['id']));
}

/** Returns how many had a reference or metadata. */
export async function eraseTexts(sql: Sql, account: PaymentKey, ids: readonly Uuid[]): Promise<number> {
  const row = only(
    await sql.query('select usance.erase_payment_texts($1::uuid, $2::uuid, $3::uuid[]) as erased', [
      account.tenantId,
      account.id,
      ids,
    ]),
  );
  return asNumber(row['erased']);
}
