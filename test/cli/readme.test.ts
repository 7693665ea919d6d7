// What the README shows is run: its payment in a shell on a running `usance dev`, its library example on an empty database,
// its commands and its links against what there is.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { startUsance, usance, useFolder } from './cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const README = read('README.md');
const BLOCKS = [...README.matchAll(/^```(\w*)\n(.*?)^```$/gms)];
const blocks = (language: string): string[] =>
  BLOCKS.flatMap(([, name, text]) => (name === language ? [text ?? ''] : []));
const run = promisify(execFile);

const folder = useFolder();
const database = useDatabase();

test('the payment of the README is made by pasting it, twice if need be, and moves at its hour', async () => {
  const [twoCommands = '', hold = '', look = ''] = blocks('sh');
  expect(twoCommands.trim().split('\n')).toHaveLength(2);
  const { child, screen, ended } = await startUsance(folder, ['dev'], 'Ctrl-C stops it', { PORT: '0' });
  const [shown = ''] = blocks('');
  for (const line of shown.split('\n')) expect(screen).toContain(line.split(/…|\d{4}/, 1)[0]);
  const [url = ''] = /http:\/\/[\d.:]+/.exec(screen) ?? [];
  // The port is another, and nobody here waits for ten seconds.
  const paste = async (block: string): Promise<string> =>
    (await run('sh', ['-c', block.replaceAll('http://127.0.0.1:3001', url)], { cwd: folder })).stdout;
  const first = await paste(hold.replace('10s', '1h'));
  expect(await paste(hold.replace('10s', '1h'))).toBe(first);
  const { id, status } = JSON.parse(first) as { id: string; status: string };
  expect(status).toBe('scheduled');

  await usance(folder, ['payments', 'run-now', id]);
  const [curl = '', ...commands] = look.trim().split('\n');
  await expect
    .poll(() => paste(`KEY=$(cat .usance/api-key)\n${curl}`), { timeout: 30_000 })
    .toContain('"available":"26000"');
  for (const line of commands) {
    const [, command = ''] = /^npm run usance (\w+) +# /.exec(line) ?? [];
    expect(await usance(folder, [command])).toMatchObject({ code: 0 });
  }
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
});

test('the library example of the README runs as it stands', async () => {
  const [example = ''] = blocks('ts');
  expect(example).toContain(`from 'usance'`);
  // From a temporary folder there is no way to the packages, so both are named by where they are.
  const placed = example
    .replace(`'usance'`, `'${pathToFileURL(join(ROOT, 'src/index.ts')).href}'`)
    .replace(`'pg'`, `'${import.meta.resolve('pg')}'`);
  const file = join(folder, 'example.ts');
  writeFileSync(file, placed);
  await database.owner.query('drop schema usance cascade');
  const { stdout } = await run(process.execPath, [file], {
    env: { PATH: process.env['PATH'], DATABASE_URL: database.ownerUrl },
  });
  const numbers = [...stdout.matchAll(/available: '(\d+)',\s+reserved: '(\d+)'/g)].map((match) => match.slice(1, 3));
  expect(numbers).toEqual([
    ['3000', '2000'],
    ['3750', '0'],
  ]);
  expect(stdout).toMatch(/^settled \{/m);
});

test('every command the README names exists', async () => {
  const { out } = await usance(folder, ['help']);
  const [, row = ''] = /\| commands \| (.*) \|/.exec(README) ?? [];
  const named = [...row.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? '');
  const offered = [...out.matchAll(/^ {2}(\w+) .*/gm)].map((match) => match[1] ?? '');
  expect(named.toSorted()).toEqual(offered.filter((name) => !['start', 'help'].includes(name)).toSorted());
});

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'src/client/README.md'])(
  'the links of %s lead somewhere',
  (name) => {
    const targets = [...read(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] ?? '');
    expect(targets.filter((target) => !existsSync(join(ROOT, name, '..', target)))).toEqual([]);
  },
);
