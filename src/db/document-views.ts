// The tables of the documents that this engine implements, as views. `usance_docs` shows live tenants; `usance_docs_test` has the same
// views of test tenants, so that a job of 2030 counts in no success rate. An operator who has the documents' monitoring queries sets
// the search_path and runs them as they are. Every migrate that changes a view or a table under it makes the views anew, so nothing
// lasting should be built on them.
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import type { Sql, Transaction } from './sql.ts';
import { quoteIdentifier } from './sql.ts';

const FOLDER = new URL('./views/', import.meta.url);
const WRITTEN_FOR = /\busance_docs\b/g;

/** The schemas of the views, and the kind of tenant that each shows. */
const schemasOf = (schema: string): readonly (readonly [name: string, kind: 'live' | 'test'])[] => [
  [`${schema}_docs`, 'live'],
  [`${schema}_docs_test`, 'test'],
];

/** Before the tables change: a view would hold on to a column's type. */
export async function dropDocumentViews(sql: Sql, schema: string): Promise<void> {
  for (const [name] of schemasOf(schema)) await sql.query(`drop schema if exists ${quoteIdentifier(name)} cascade`);
}

/** Makes the views, unless they are there as the files have them. */
export async function ensureDocumentViews(tx: Transaction, schema: string): Promise<void> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, FOLDER), 'utf8')));
  const digest = createHash('sha256').update(texts.join('\n')).digest('hex');
  const schemas = schemasOf(schema);
  const made = await tx.query(
    `select from pg_namespace where nspname = any ($1::text[]) and obj_description(oid, 'pg_namespace') = $2::text`,
    [schemas.map(([name]) => name), digest],
  );
  if (made.length === schemas.length) return;
  await dropDocumentViews(tx, schema);
  const [role] = await tx.query(`select 1 from pg_roles where rolname = 'usance_runtime'`);
  for (const [name, kind] of schemas) {
    const quoted = quoteIdentifier(name);
    await tx.query(`create schema ${quoted}`);
    for (const text of texts) await tx.query(text.replace(WRITTEN_FOR, quoted).replace(':kind', `'${kind}'`));
    await tx.query(`comment on schema ${quoted} is '${digest}'`);
    if (!role) continue;
    await tx.query(`grant usage on schema ${quoted} to usance_runtime`);
    await tx.query(`grant select on all tables in schema ${quoted} to usance_runtime`);
  }
}
