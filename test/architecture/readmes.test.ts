// The READMEs of the folders of src name every table that the folder owns, and every file where they have a table of files.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { MODULES } from './imports.ts';
import { TABLE_OWNERS } from './tables.ts';

const SRC = join(import.meta.dirname, '../../src');
const readme = (folder: string): string => readFileSync(join(SRC, folder, 'README.md'), 'utf8');
const owners = [...new Set(Object.values(TABLE_OWNERS))];

test.each(owners)('the README of %s names every table that it owns', (owner) => {
  const [, tables = ''] = /\nTables: ([^]*?)(?:\n\n|$)/.exec(readme(owner)) ?? [];
  const owned = Object.entries(TABLE_OWNERS).flatMap(([table, of]) => (of === owner ? [table] : []));
  expect(owned.filter((table) => !tables.includes(`\`${table}\``))).toEqual([]);
});

test.each(['kernel', 'client', 'contract', 'jobs', 'library'])('the README of %s names every file', (folder) => {
  const files = globSync('*.ts', { cwd: join(SRC, folder) }).map((file) => basename(file));
  const text = readme(folder);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => file !== 'index.ts' && !text.includes(`\`${file}\``))).toEqual([]);
});

test('ARCHITECTURE.md lists every module in the order of imports', () => {
  const page =
    readFileSync(join(SRC, '../ARCHITECTURE.md'), 'utf8').split('## The folders')[1]?.split('\n## ')[0] ?? '';
  const folders = [...page.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(', ').map((name) => name.replace(/^\[(\w+)\].*/, '$1')),
  );
  expect(folders.filter((name) => MODULES.some((module) => module === name))).toEqual([...MODULES]);
});
