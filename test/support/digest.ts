// Everything that one tenant has in the store, as a value to compare. The tables are asked of the server, so that one
// which is added later is compared too.
import type { Sql } from '../../src/db/index.ts';
import { asText } from '../../src/db/index.ts';
import { refusalOf } from './refusal.ts';

export type Digest = Readonly<Record<string, string>>;

/** Per table of the tenant: how many rows, and a digest of all of them. */
export async function digestOf(sql: Sql, tenantId: string): Promise<Digest> {
  const text = statements.get(sql) ?? statementOf(sql);
  statements.set(sql, text);
  const [row] = await sql.query(await text, [tenantId]);
  return row as Digest;
}

/** The tables do not change within a test. */
const statements = new WeakMap<Sql, Promise<string>>();

async function statementOf(sql: Sql): Promise<string> {
  const tables = await sql.query(
    `select c.relname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where c.relnamespace = 'usance'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const parts = tables.map(({ name }) => {
    const table = asText(name);
    return `(select count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, ';' order by t::text), ''))
             from usance.${table} t where tenant_id = $1::uuid) as ${table}`;
  });
  return `select ${parts.join(', ')}`;
}

/** Which tables of the tenant a piece of work changed. */
export async function changedBy(sql: Sql, tenantId: string, work: () => Promise<unknown>): Promise<string[]> {
  const before = await digestOf(sql, tenantId);
  await work();
  const after = await digestOf(sql, tenantId);
  return Object.keys(after).filter((table) => after[table] !== before[table]);
}

/** The codes of refusals that together changed nothing of the tenant; what they did change is told after them. */
export async function allRefused(
  sql: Sql,
  tenantId: string,
  works: readonly (() => Promise<unknown>)[],
): Promise<string[]> {
  const codes: string[] = [];
  const changed = await changedBy(sql, tenantId, async () => {
    for (const work of works) codes.push(await refusalOf(work()));
  });
  return changed.length === 0 ? codes : [...codes, `changed ${changed.join(', ')}`];
}

/** The code of a refusal that changed nothing of the tenant; what it did change is told after the code. */
export async function refusedUnchanged(sql: Sql, tenantId: string, work: () => Promise<unknown>): Promise<string> {
  let code = '';
  const changed = await changedBy(sql, tenantId, async () => {
    code = await refusalOf(work());
  });
  return changed.length === 0 ? code : `${code}, but changed ${changed.join(', ')}`;
}
