// What the README shows is run: the library's example against an empty database, and its links against the folder.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useFolder } from './cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const folder = useFolder();
const database = useDatabase();

test('the library example of the README runs as it stands', async () => {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(example).toContain(`from 'usance'`);
  // From a temporary folder there is no way to the packages, so both are named by where they are.
  const placed = example
    .replace(`'usance'`, `'${pathToFileURL(join(ROOT, 'src/index.ts')).href}'`)
    .replace(`'pg'`, `'${import.meta.resolve('pg')}'`);
  const file = join(folder, 'example.ts');
  writeFileSync(file, placed);
  await database.owner.query('drop schema usance cascade');
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: { PATH: process.env['PATH'], DATABASE_URL: database.ownerUrl },
  });
  expect(stdout).toMatch(/^true\n/);
  expect(stdout).toMatch(/available: 2850n/);
  expect(stdout).toMatch(/reserved: 900n/);
});

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'])('the links of %s lead somewhere', (name) => {
  const targets = [...read(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] ?? '');
  expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
});
