// Each rule is shown a file that breaks it, and one beside it that does not.
import { describe, expect, test } from 'vitest';
import { checkClock, checkEnvironment, checkFocus, checkFolderNames, checkLengths } from './habits.ts';
import { checkImports, checkModuleShape } from './imports.ts';
import { checkOutward } from './outward.ts';
import { checkCasts, checkOwners, checkTables } from './tables.ts';

const file = (path: string, text = ''): { path: string; text: string } => ({ path, text });
const importing = (path: string, target: string) => checkImports([file(path, `import { it } from '${target}';\n`)]);

describe('an import', () => {
  test.each([
    ['src/ledger/reserve.ts', '../kernel/index.ts'],
    ['src/ledger/reserve.ts', './store.ts'],
    ['src/db/embedded/server.ts', '../sql.ts'],
    ['src/db/embedded/server.ts', '../../kernel/index.ts'],
    ['src/engine.ts', './payments/index.ts'],
    ['src/engine.ts', './config.ts'],
    ['src/index.ts', './engine.ts'],
    ['src/index.ts', './library/index.ts'],
    ['src/library/call.ts', '../contract/index.ts'],
    ['src/api/server.ts', '../contract/index.ts'],
    ['src/contract/routes.ts', '../engine.ts'],
    ['src/config.ts', './kernel/index.ts'],
    ['src/cli/main.ts', '../engine.ts'],
    ['src/cli/main.ts', '../config.ts'],
    ['src/cli/main.ts', 'commander'],
    ['src/cli/main.ts', '../kernel/node-version.ts'],
  ])('of %s may be %s', (path, target) => {
    expect(importing(path, target)).toEqual([]);
  });

  test.each([
    [
      'a higher module',
      'src/ledger/reserve.ts',
      '../payments/index.ts',
      /ledger comes before payments.*Append an event/,
    ],
    [
      'another module’s inside',
      'src/payments/settle.ts',
      '../ledger/store.ts',
      /Export it from src\/ledger\/index\.ts/,
    ],
    ['the engine, from below', 'src/ledger/reserve.ts', '../engine.ts', /stands above every module/],
    ['the configuration, from below', 'src/db/pool.ts', '../config.ts', /stands above every module/],
    [
      'a module, from the API',
      'src/api/holds.ts',
      '../payments/index.ts',
      /api sees only contract, engine\.ts, config\.ts, kernel/,
    ],
    ['a module, from a command', 'src/cli/verify.ts', '../ledger/index.ts', /cli sees only/],
    ['a module’s inside, from the engine', 'src/engine.ts', './ledger/store.ts', /entered by its door/],
    [
      'anything but the kernel, from the configuration',
      'src/config.ts',
      './db/index.ts',
      /config\.ts sees only kernel/,
    ],
  ])('may not be of %s', (_title, path, target, message) => {
    expect(importing(path, target)).toEqual([expect.stringMatching(message)]);
  });

  test('counts however it is written', () => {
    for (const text of [
      `import {\n  a,\n  b,\n} from '../payments/index.ts';`,
      `import type { A } from '../payments/index.ts';`,
      `export * from '../payments/index.ts';`,
      `import '../payments/index.ts';`,
      `const later = await import('../payments/index.ts');`,
    ]) {
      expect(checkImports([file('src/ledger/reserve.ts', text)]), text).toHaveLength(1);
    }
    expect(checkImports([file('src/ledger/reserve.ts', `// as in import '../payments/index.ts'`)])).toEqual([]);
  });

  test('is not judged in a folder without a place in the order', () => {
    expect(importing('src/misc/a.ts', './b.ts')).toEqual([expect.stringMatching(/"misc" has no place in the order/)]);
  });
});

test('a module needs a door and a README', () => {
  expect(checkModuleShape([file('src/ledger/book.ts')])).toEqual([
    expect.stringMatching(/src\/ledger has no index\.ts/),
    expect.stringMatching(/src\/ledger has no README\.md/),
  ]);
  expect(checkModuleShape([file('src/ledger/index.ts'), file('src/ledger/README.md')])).toEqual([]);
});

describe('a table', () => {
  const owners = { balances: 'ledger', payments: 'payments', migrations: 'db' };
  const naming = (path: string, table: string) => checkTables([file(path, `\`select from usance.${table}\``)], owners);

  test('has an owner, and an owner has a table', () => {
    const migration = file(
      'src/db/migrations/0001_a.sql',
      'create table usance.balances (); create table usance.holds ();',
    );
    expect(checkOwners([migration], { balances: 'ledger', gone: 'ledger' })).toEqual([
      expect.stringMatching(/the table holds has no owner/),
      expect.stringMatching(/gone, which no migration makes/),
    ]);
  });

  test('is named in its owner’s store', () => {
    expect(naming('src/ledger/store.ts', 'balances')).toEqual([]);
    expect(naming('src/ledger/integrity-store.ts', 'balances')).toEqual([]);
    expect(naming('src/ledger/checks.ts', 'balances')).toEqual([]);
    expect(naming('src/db/migrate.ts', 'migrations')).toEqual([]);
    expect(naming('src/db/migrate.ts', 'ensure_partitions')).toEqual([]);
  });

  test('is named nowhere else', () => {
    expect(naming('src/ledger/reserve.ts', 'balances')).toEqual([
      expect.stringMatching(/:1 .*Move the statement there/),
    ]);
    expect(naming('src/payments/store.ts', 'balances')).toEqual([expect.stringMatching(/belongs to ledger/)]);
    expect(naming('src/db/pool.ts', 'migrations')).toHaveLength(1);
    expect(naming('src/engine.ts', 'payments')).toHaveLength(1);
  });
});

test('a parameter carries its cast', () => {
  const store = (text: string) => checkCasts([file('src/ledger/store.ts', text)]);
  expect(store('`select $1::uuid, $12::text[]`')).toEqual([]);
  expect(store('// where $1 is the account')).toEqual([]);
  expect(store('\n`select $1::uuid, $12`')).toEqual([
    expect.stringMatching(/store\.ts:2 has the parameter \$12 without/),
  ]);
});

test('a file has one idea and a folder a noun', () => {
  expect(checkLengths([file('src/ledger/a.ts', 'x\n'.repeat(400)), file('src/db/a.sql', 'x\n'.repeat(500))])).toEqual(
    [],
  );
  expect(checkLengths([file('src/ledger/a.ts', 'x\n'.repeat(401))])).toEqual([expect.stringMatching(/has 401 lines/)]);
  expect(checkFolderNames([file('src/ledger/types.ts'), file('src/kernel/id.ts')])).toEqual([]);
  expect(
    checkFolderNames([file('src/ledger/types/a.ts'), file('src/ledger/types/b.ts'), file('src/utils/a.ts')]),
  ).toEqual([expect.stringMatching(/^src\/ledger\/types is named/), expect.stringMatching(/^src\/utils is named/)]);
});

test('the clock is handed in', () => {
  const reading = (path: string, text: string) => checkClock([file(path, text)]);
  expect(reading('src/ledger/a.ts', 'const at = new Date(row.at);')).toEqual([]);
  expect(reading('src/ledger/a.ts', '/**\n * Not Date.now().\n */')).toEqual([]);
  expect(reading('src/kernel/id.ts', 'Date.now()')).toEqual([]);
  for (const text of ['const at = Date.now();', 'const at = new Date();', 'f(new Date)', 'Temporal.Now.instant()']) {
    expect(reading('src/ledger/a.ts', text), text).toEqual([expect.stringMatching(/a\.ts:1 reads the time by itself/)]);
  }
});

test('the environment is read in one place', () => {
  const text = 'const url = process.env.DATABASE_URL;';
  expect(checkEnvironment([file('src/config.ts', text)])).toEqual([]);
  expect(checkEnvironment([file('src/db/pool.ts', text)])).toEqual([
    expect.stringMatching(/add the variable to config\.ts/),
  ]);
});

describe('a connection to the outside', () => {
  const saying = (path: string, text: string) => checkOutward([file(path, text)]);

  test.each([
    `import { connect } from 'node:net';`,
    `import { createServer, Socket } from 'node:net';`,
    `import net from 'net';`,
    `import * as tls from 'node:tls';`,
    `import { request } from 'node:http';`,
    `import { request as ask } from 'node:https';`,
    `import { lookup } from 'node:dns/promises';`,
    `import {\n  Client,\n  Pool,\n} from 'undici';`,
    `import { Client } from 'undici/index.js';`,
    `export { Agent } from 'undici';`,
    `const { connect } = await import('node:net');`,
    `const net = process.getBuiltinModule('node:net');`,
    `const net = require('net');`,
    `import { createTransport } from 'nodemailer';`,
    `import { Client } from 'pg';`,
    `await fetch(url);`,
    `const ask = fetch;`,
    `globalThis.fetch(url)`,
    `new WebSocket(url)`,
  ])('is opened in src/outbound only: %s', (text) => {
    expect(saying('src/webhooks/deliver.ts', text)).toEqual([
      expect.stringMatching(/^src\/webhooks\/deliver\.ts uses .*only src\/outbound/),
    ]);
    expect(saying('src/outbound/connect.ts', text)).toEqual([]);
  });

  test.each([
    `import { isIP, isIPv4 } from 'node:net';`,
    `import { createServer } from 'node:http';`,
    `import type { Socket } from 'node:net';`,
    `import { type Socket, isIP } from 'node:net';`,
    `// await fetch(url)`,
    `await client.fetch(url);`,
    `await fetchForOperator(url);`,
  ])('is not: %s', (text) => {
    expect(saying('src/webhooks/deliver.ts', text)).toEqual([]);
  });

  test('to PostgreSQL is opened by db and queue', () => {
    expect(saying('src/db/pool.ts', `import { Pool } from 'pg';`)).toEqual([]);
    expect(saying('src/jobs/lease.ts', `import { Pool } from 'pg';`)).toHaveLength(1);
  });
});

test('a test that shuts out the others is found', () => {
  // In two pieces, or this file would be found as well.
  expect(checkFocus([file('test/a.test.ts', `${['test', 'only'].join('.')}('a', f)`)])).toEqual([
    expect.stringMatching(/has test\.only/),
  ]);
  expect(checkFocus([file('test/a.test.ts', `test('only a', f)`)])).toEqual([]);
});
