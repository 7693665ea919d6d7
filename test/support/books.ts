// Everything the books hold, as a value to compare: a refusal must leave it as it was.
import type { Database, Sql } from '../../src/db/index.ts';
import type { TenantHandle, Engine } from '../../src/engine.ts';
import { liveAt } from '../../src/kernel/index.ts';
import { LEDGER_CHECKS, freezeAsset, reservedCheck } from '../../src/ledger/index.ts';
import { refusalOf } from './refusal.ts';

/** Every check of the ledger; nothing here is reserved by anybody above it. */
export const BOOK_CHECKS = [...LEDGER_CHECKS, reservedCheck([])];

const TABLES = [
  'tenants',
  'assets',
  'accounts',
  'balances',
  'reservations',
  'transfers',
  'events',
  'event_inbox',
  'idempotency_keys',
  'opening_balances',
  'freezes',
] as const;

export type Books = Readonly<Record<(typeof TABLES)[number], string>>;

/** Per table: how many rows, and a digest of all of them. */
export async function booksOf(sql: Sql): Promise<Books> {
  const parts = TABLES.map(
    (table) =>
      `(select count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, ';' order by t::text), '')) from usance.${table} t) as ${table}`,
  );
  const [row] = await sql.query(`select ${parts.join(', ')}`);
  return row as Books;
}

/** The code of a refusal that left the books as they were. */
export async function refusedWhole(sql: Sql, work: () => Promise<unknown>): Promise<string> {
  const before = JSON.stringify(await booksOf(sql));
  const code = await refusalOf(work());
  return JSON.stringify(await booksOf(sql)) === before ? code : `${code}, but the books changed`;
}

/** Freezes an asset as the integrity check does, with its event. */
export async function freeze(db: Database, tenantId: string, asset: string, violation = 'planted'): Promise<void> {
  const offender = { tenantId, asset, details: {} };
  await db.transaction((tx) => freezeAsset(tx, liveAt(new Date()), violation, offender));
}

let keys = 0;

/** A new idempotency key. */
export function key(): string {
  return `key ${(keys += 1)}`;
}

/** Opens accounts, each with that much of an asset. */
export async function open(
  tenant: TenantHandle,
  holdings: Readonly<Record<string, number | bigint>>,
  asset = 'USD/2',
): Promise<void> {
  for (const [ref, amount] of Object.entries(holdings)) {
    await tenant.openAccount({ ref });
    if (amount > 0) await tenant.deposit({ account: ref, asset, amount, idempotencyKey: key() });
  }
}

/** [available, reserved] of one asset. */
export async function held(tenant: TenantHandle, ref: string, asset = 'USD/2'): Promise<[bigint, bigint]> {
  const found = (await tenant.balances(ref)).find((balance) => balance.asset === asset);
  return [found?.available ?? 0n, found?.reserved ?? 0n];
}

/** What `verify` finds, as "check: details". Empty when the books are right. */
export async function troubles(usance: Engine): Promise<string[]> {
  const results = await usance.verify();
  return results.flatMap(({ name, offenders }) =>
    offenders.map((found) => `${name}: ${JSON.stringify(found.details)}`),
  );
}
