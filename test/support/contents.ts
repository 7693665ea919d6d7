// Everything that is stored: a digest of the rows of every table, and what a change added.
import type { Sql } from '../../src/db/index.ts';

/**
 * A digest for each table of the schema, partitions within their parent. Sequences are left out: they are never rolled back. So is the simulated chain: it is outside,
 * and commits by itself.
 */
export async function contents(sql: Sql): Promise<Record<string, string>> {
  const tables = await sql.query(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'usance' and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not like 'sandbox%' order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
       from usance.${String(name)} t`,
    );
    digests[String(name)] = String(row?.['digest']);
  }
  return digests;
}

interface Held {
  available: bigint;
  reserved: bigint;
}

/** Balances, transfers and events at one moment. */
export interface Ledger {
  /** By account and asset. */
  readonly balances: ReadonlyMap<string, Held>;
  readonly transfers: ReadonlyMap<string, string>;
  readonly events: ReadonlyMap<string, string>;
}

export async function ledgerNow(sql: Sql): Promise<Ledger> {
  const balances = await sql.query(
    `select account_id || ' ' || asset as key, available::text, reserved::text from usance.balances`,
  );
  const transfers = await sql.query(
    `select id::text, debit_account_id || ' ' || credit_account_id || ' ' || asset || ' ' || amount || ' ' || kind as said
     from usance.transfers`,
  );
  const events = await sql.query('select id::text, type from usance.events');
  return {
    balances: new Map(
      balances.map((row) => [
        String(row['key']),
        { available: BigInt(String(row['available'])), reserved: BigInt(String(row['reserved'])) },
      ]),
    ),
    transfers: new Map(transfers.map((row) => [String(row['id']), String(row['said'])])),
    events: new Map(events.map((row) => [String(row['id']), String(row['type'])])),
  };
}

/** What is new: the texts of rows that were not there before, in the order of their ids. */
export function added(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after]
    .filter(([id]) => !before.has(id))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, said]) => said);
}

/** By how much each balance changed, where it did. */
export function moved(before: Ledger['balances'], after: Ledger['balances']): Map<string, Held> {
  const changes = new Map<string, Held>();
  for (const [key, { available, reserved }] of after) {
    const was = before.get(key) ?? { available: 0n, reserved: 0n };
    const change = { available: available - was.available, reserved: reserved - was.reserved };
    if (change.available !== 0n || change.reserved !== 0n) changes.set(key, change);
  }
  return changes;
}
