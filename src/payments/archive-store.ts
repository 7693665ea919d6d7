// The archive. Rows go in and out through two functions of the database, which alone may remove a payment from where it is.
import type { Sql } from '../db/index.ts';
import { asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { firstIdAt } from '../kernel/index.ts';
import type { PaymentKey } from './store.ts';

/** The next tenant that has payments, by id. */
export async function nextTenant(sql: Sql, after: Uuid): Promise<Uuid | null> {
  const [row] = await sql.query(
    'select tenant_id from usance.payments where tenant_id > $1::uuid order by tenant_id limit 1',
    [after],
  );
  return row ? asText(row['tenant_id']) : null;
}

/** The payments that `archiveEnded` would look at. */
export async function nextPayments(
  sql: Sql,
  key: { tenantId: Uuid; after: Uuid },
  before: Date,
  atMost: number,
): Promise<Uuid[]> {
  const rows = await sql.query(
    `select id from usance.payments where tenant_id = $1::uuid and id > $2::uuid and id < $3::uuid order by id limit $4::int`,
    [key.tenantId, key.after, firstIdAt(before), atMost],
  );
  return rows.map((row) => asText(row['id']));
}

/** Looks at the next payments of a tenant, by id, and archives those that ended before the instant. Waits for nobody. */
export async function archiveEnded(
  sql: Sql,
  key: { tenantId: Uuid; after: Uuid },
  before: Date,
  atMost: number,
): Promise<{ looked: number; archived: number; last: Uuid }> {
  const row = only(
    await sql.query(
      'select looked, moved, last_id from usance.archive_payments($1::uuid, $2::uuid, $3::uuid, $4::timestamptz, $5::int)',
      [key.tenantId, key.after, firstIdAt(before), before, atMost],
    ),
  );
  return { looked: asNumber(row['looked']), archived: asNumber(row['moved']), last: asText(row['last_id']) };
}

/** Back among the payments, to be changed. */
export async function unarchivePayments(sql: Sql, keys: readonly PaymentKey[]): Promise<void> {
  await sql.query('select usance.unarchive_payments($1::uuid[], $2::uuid[])', [
    keys.map((key) => key.tenantId),
    keys.map((key) => key.id),
  ]);
}
