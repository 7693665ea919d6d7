// What was imported, and the look-ups of a file's rows: a set at a time.
import type { Sql } from '../../../db/index.ts';
import { asBigInt, asText } from '../../../db/index.ts';
import type { Uuid } from '../../../kernel/index.ts';

/** Imports into a tenant take turns, batch by batch, so that two of one file make each subscription once. */
export async function lockImports(sql: Sql, tenantId: Uuid): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('usance import subscriptions ' || $1::text, 0))`, [
    tenantId,
  ]);
}

export interface StoredImport {
  readonly planId: Uuid;
  readonly rowDigest: string;
  readonly valuesDigest: string;
  readonly paidBefore: bigint;
}

/** Of these references: what was imported under it; null where another schedule has it. */
export async function findReferences(
  sql: Sql,
  tenantId: Uuid,
  references: readonly string[],
): Promise<Map<string, StoredImport | null>> {
  const rows = await sql.query(
    `select s.reference, i.row_digest, i.values_digest, i.paid_before, u.plan_id
     from usance.schedules s
     left join usance.imported_subscriptions i on i.tenant_id = s.tenant_id and i.schedule_id = s.id
     left join usance.subscriptions u on u.tenant_id = i.tenant_id and u.schedule_id = i.schedule_id
     where s.tenant_id = $1::uuid and s.reference = any ($2::text[])`,
    [tenantId, references],
  );
  return new Map(
    rows.map((row) => [
      asText(row['reference']),
      row['row_digest'] === null
        ? null
        : {
            planId: asText(row['plan_id']),
            rowDigest: asText(row['row_digest']),
            valuesDigest: asText(row['values_digest']),
            paidBefore: asBigInt(row['paid_before']),
          },
    ]),
  );
}

export interface Imported {
  readonly reference: string;
  readonly scheduleId: Uuid;
  readonly rowDigest: string;
  readonly valuesDigest: string;
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
       (tenant_id, file_digest, imported_at, reference, schedule_id, row_digest, values_digest, charges_before, paid_before)
     select $1::uuid, $2::text, $3::timestamptz, * from unnest($4::text[], $5::uuid[], $6::text[], $7::text[], $8::int[], $9::bigint[])`,
    [
      file.tenantId,
      file.digest,
      file.at,
      rows.map((row) => row.reference),
      rows.map((row) => row.scheduleId),
      rows.map((row) => row.rowDigest),
      rows.map((row) => row.valuesDigest),
      rows.map((row) => row.chargesBefore),
      rows.map((row) => row.paidBefore),
    ],
  );
}
