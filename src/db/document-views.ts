// The tables of the documents that asked for all this, as views in a schema of their own (`usance_docs`): whoever has their
// monitoring queries sets the search_path and runs them as they are. They are made anew by every migrate that changes
// them or a table under them, so nothing lasting should be built on them.
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import type { Sql, Transaction } from './sql.ts';
import { quoteIdentifier } from './sql.ts';

const FOLDER = new URL('./views/', import.meta.url);
const WRITTEN_FOR = /\busance_docs\b/g;

export const documentSchemaOf = (schema: string): string => `${schema}_docs`;

/** Before the tables change: a view would hold on to a column's type. */
export async function dropDocumentViews(sql: Sql, schema: string): Promise<void> {
  await sql.query(`drop schema if exists ${quoteIdentifier(documentSchemaOf(schema))} cascade`);
}

/** Makes the views, unless they are there as the files have them. */
export async function ensureDocumentViews(tx: Transaction, schema: string): Promise<void> {
  const name = documentSchemaOf(schema);
  const quoted = quoteIdentifier(name);
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, FOLDER), 'utf8')));
  const digest = createHash('sha256').update(texts.join('\n')).digest('hex');
  const [made] = await tx.query(
    `select obj_description(oid, 'pg_namespace') as digest from pg_namespace where nspname = $1::text`,
    [name],
  );
  if (made?.['digest'] === digest) return;
  await dropDocumentViews(tx, schema);
  await tx.query(`create schema ${quoted}`);
  for (const text of texts) await tx.query(text.replace(WRITTEN_FOR, quoted));
  await tx.query(`comment on schema ${quoted} is '${digest}'`);
  const [role] = await tx.query(`select 1 from pg_roles where rolname = 'usance_runtime'`);
  if (!role) return;
  await tx.query(`grant usage on schema ${quoted} to usance_runtime`);
  await tx.query(`grant select on all tables in schema ${quoted} to usance_runtime`);
}
