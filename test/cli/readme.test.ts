// What the README shows is run: its payment in a shell on a running `usance dev`, its library example on an empty database,
// its commands and its links against what there is.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  // Also once there is a second tenant.
  await usance(folder, [
    'api-keys',
    'create',
    '--tenant',
    'second',
    '--create-tenant',
    '--name',
    'first',
    '--role',
    'admin',
  ]);
  for (const line of commands) {
    const [, command = ''] = /^npx usance (.+?) +# /.exec(line) ?? [];
    expect(await usance(folder, command.split(' ')), command).toMatchObject({ code: 0 });
  }
  for (const [, command = ''] of screen.matchAll(/^ {2}npx usance (\w[\w -]*?) {2}/gm))
    expect(await usance(folder, command.split(' ')), command).toMatchObject({ code: 0 });
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
}, 180_000);

/** The program in a folder outside this repository, where there is no way to the packages: they are named by where they are. */
function place(text: string, name: string): string {
  const placed = text
    .replace(`'usance'`, `'${pathToFileURL(join(ROOT, 'src/index.ts')).href}'`)
    .replace(`'../src/index.ts'`, `'${pathToFileURL(join(ROOT, 'src/index.ts')).href}'`)
    .replace(`'../src/client/index.ts'`, `'${pathToFileURL(join(ROOT, 'src/client/index.ts')).href}'`)
    .replace(`'pg'`, `'${import.meta.resolve('pg')}'`)
    .replace(`'postgres'`, `'${import.meta.resolve('postgres')}'`);
  const file = join(folder, name);
  writeFileSync(file, placed);
  return file;
}

async function runProgram(file: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const { PATH, HOME, USER, NODE_COMPILE_CACHE } = process.env;
  const { stdout } = await run(process.execPath, [file], {
    cwd: folder,
    env: { PATH, HOME, USER, NODE_COMPILE_CACHE, ...variables },
  });
  return stdout;
}

const numbersOf = (printed: string): (string | undefined)[][] =>
  [...printed.matchAll(/available: '(\d+)',\s+reserved: '(\d+)'/g)].map((match) => match.slice(1, 3));

const [EXAMPLE = ''] = blocks('ts');
const PG = read('examples/order-with-payment.pg.ts');
const POSTGRES_JS = read('examples/order-with-payment.postgres-js.ts');
const WEBHOOKS = read('examples/receive-webhooks.pg.ts');
const FIRST_RUN = [
  ['3000', '2000'],
  ['3750', '0'],
];

test('the library example of the README runs on a server of your own', async () => {
  expect(EXAMPLE).toContain(`from 'usance'`);
  await database.owner.query('drop schema usance cascade');
  const stdout = await runProgram(place(EXAMPLE, 'own.ts'), { DATABASE_URL: database.ownerUrl });
  expect(numbersOf(stdout)).toEqual(FIRST_RUN);
  expect(stdout).toMatch(/^settled \{/m);
});

test('the library example and the examples run on the embedded server, repeatedly and in any order', async () => {
  const [example, withPg, withPostgresJs] = [
    place(EXAMPLE, 'example.ts'),
    place(PG, 'pg.ts'),
    place(POSTGRES_JS, 'postgres-js.ts'),
  ];
  const outcome = ['orders: 1, payments: 1', 'refused: ', 'orders: 0, payments: 0'];
  for (const file of [withPg, withPostgresJs]) {
    const printed = await runProgram(file);
    for (const line of outcome) expect(printed).toContain(line);
  }
  const first = numbersOf(await runProgram(example));
  const second = numbersOf(await runProgram(example));
  expect({ first, second }).toEqual({
    first: FIRST_RUN,
    second: [
      ['6750', '2000'],
      ['7500', '0'],
    ],
  });
  for (const line of outcome) expect(await runProgram(withPg)).toContain(line);
});

test('the example of a receiver acts once on a webhook that arrives twice', { timeout: 120_000 }, async () => {
  expect(await runProgram(place(WEBHOOKS, 'webhooks.ts'))).toContain('received: 2 times, paid: 1 time');
});

test('npm start after the library example has the demo, and a key of it', async () => {
  const { child, screen, ended } = await startUsance(folder, ['dev'], 'Ctrl-C stops it', {
    PORT: '0',
    USANCE_DATA_DIR: await madeByLibrary(),
  });
  const [hold = ''] = /curl -s http:[^]*?"delay": "10s"\}'/.exec(screen) ?? [];
  const { stdout } = await run('sh', ['-c', hold], { cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'scheduled', amount: '1000' });
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
});

/** A data folder whose first tenant is the library example's. */
async function madeByLibrary(): Promise<string> {
  const cwd = join(folder, 'library-first');
  mkdirSync(cwd);
  const { PATH, HOME, USER, NODE_COMPILE_CACHE } = process.env;
  await run(process.execPath, [place(EXAMPLE, 'first.ts')], { cwd, env: { PATH, HOME, USER, NODE_COMPILE_CACHE } });
  return join(cwd, '.usance');
}

test('the package has every file that the README links to', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: ROOT });
  const [{ files } = { files: [] }] = JSON.parse(stdout) as { files: { path: string }[] }[];
  const targets = [...README.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] ?? '');
  expect(
    targets.filter((target) => !files.some(({ path }) => path === target || path.startsWith(`${target}/`))),
  ).toEqual([]);
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
