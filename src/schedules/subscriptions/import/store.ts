// What was imported, and the look-ups of a file's rows: a set at a time.
import type { Sql } from '../../../db/index.ts';
import { asText } from '../../../db/index.ts';
import type { Uuid } from '../../../kernel/index.ts';

/** Imports into a tenant take turns, batch by batch, so that two of one file make each subscription once. */
export async function lockImports(sql: Sql, tenantId: Uuid): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('usance import subscriptions ' || $1::text, 0))`, [
    tenantId,
  ]);
}

/** Of these references: the digest of the row that was imported under it; null where another schedule has it. */
export async function findReferences(
  sql: Sql,
  tenantId: Uuid,
  references: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await sql.query(
    `select s.reference, i.row_digest
     from usance.schedules s
     left join usance.imported_subscriptions i on i.tenant_id = s.tenant_id and i.schedule_id = s.id
     where s.tenant_id = $1::uuid and s.reference = any ($2::text[])`,
    [tenantId, references],
  );
  return new Map(
    rows.map((row) => [asText(row['reference']), row['row_digest'] === null ? null : asText(row['row_digest'])]),
  );
}

export interface Imported {
  readonly reference: string;
  readonly scheduleId: Uuid;
  readonly rowDigest: string;
  readonly chargesBefore: number;
  readonly paidBefore: bigint;
}

export async function insertImported(
  sql: Sql,
  file: { readonly tenantId: Uuid; readonly digest: string; readonly at: Date },
  rows: readonly Imported[],
): Promise<void> {
  await sql.query(
    `insert into usance.imported_subscriptions
       (tenant_id, file_digest, imported_at, reference, schedule_id, row_digest, charges_before, paid_before)
     select $1::uuid, $2::text, $3::timestamptz, * from unnest($4::text[], $5::uuid[], $6::text[], $7::int[], $8::bigint[])`,
    [
      file.tenantId,
      file.digest,
      file.at,
      rows.map((row) => row.reference),
      rows.map((row) => row.scheduleId),
      rows.map((row) => row.rowDigest),
      rows.map((row) => row.chargesBefore),
      rows.map((row) => row.paidBefore),
    ],
  );
}
