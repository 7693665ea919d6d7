import type { Sql } from '../db/index.ts';
import { asBigInt, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

interface Line {
  readonly accountId: Uuid;
  readonly asset: string;
  readonly amount: bigint;
}

/** Splits the lines into those booked now, and those that an earlier run booked with another amount. */
export async function insertOpeningBalances<T extends Line>(
  sql: Sql,
  tenantId: Uuid,
  importName: string,
  lines: readonly T[],
): Promise<{ inserted: T[]; differing: T[] }> {
  const columns = [
    lines.map((line) => line.accountId),
    lines.map((line) => line.asset),
    lines.map((line) => line.amount),
  ];
  const inserted = await sql.query(
    `insert into usance.opening_balances (tenant_id, import, account_id, asset, amount)
     select $1::uuid, $2::text, * from unnest($3::uuid[], $4::text[], $5::bigint[])
     on conflict do nothing returning account_id, asset`,
    [tenantId, importName, ...columns],
  );
  const differing = await sql.query(
    `select o.account_id, o.asset from unnest($3::uuid[], $4::text[], $5::bigint[]) v (account_id, asset, amount)
     join usance.opening_balances o
       on o.tenant_id = $1::uuid and o.import = $2::text and o.account_id = v.account_id and o.asset = v.asset
     where o.amount <> v.amount`,
    [tenantId, importName, ...columns],
  );
  const pick = (rows: readonly Record<string, unknown>[]): T[] => {
    const keys = new Set(rows.map((row) => asText(row['account_id']) + asText(row['asset'])));
    return lines.filter((line) => keys.has(line.accountId + line.asset));
  };
  return { inserted: pick(inserted), differing: pick(differing) };
}

export async function sumOpeningBalances(sql: Sql, tenantId: Uuid, importName: string): Promise<Map<string, bigint>> {
  const rows = await sql.query(
    `select asset, sum(amount)::text as total from usance.opening_balances
     where tenant_id = $1::uuid and import = $2::text group by asset`,
    [tenantId, importName],
  );
  return new Map(rows.map((row) => [asText(row['asset']), asBigInt(row['total'])]));
}
