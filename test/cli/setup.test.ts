// What is broken about the set-up is one clear line and exit code 3, and never shows a password.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedPort } from '../support/closed-port.ts';
import { useDatabase } from '../support/database.ts';
import { usance, useFolder } from './cli.ts';
import { startOldServer } from './old-server.ts';

const folder = useFolder();
const database = useDatabase();

async function expectLine(variables: Record<string, string>, says: RegExp, command = 'verify'): Promise<void> {
  const [people, machines] = await Promise.all([
    usance(folder, [command], variables),
    usance(folder, [command, '--json'], variables),
  ]);
  expect({ code: people.code, out: people.out }).toEqual({ code: 3, out: '' });
  expect(people.err).toMatch(says);
  expect(people.err.trimEnd().split('\n')).toHaveLength(1);

  const { error } = machines.json<{ error: { code: string; message: string } }>();
  expect({ code: machines.code, err: machines.err, error: error.code }).toEqual({ code: 3, err: '', error: 'SETUP' });
  expect(people.err).toBe(`usance: ${error.message}\n`);
  expect(people.err).not.toContain('secret-word');
}

const changed = (url: string, change: Partial<URL>): string => Object.assign(new URL(url), change).href;

describe('a database that', () => {
  test('does not answer', async () => {
    const port = await closedPort();
    const DATABASE_URL = `postgres://app:secret-word@127.0.0.1:${port}/shop`;
    await expectLine({ DATABASE_URL }, new RegExp(`127\\.0\\.0\\.1:${port}: connection refused`));
  });

  test('is at an unknown host', async () => {
    await expectLine(
      { DATABASE_URL: 'postgres://app:secret-word@nowhere.invalid/shop' },
      /host "nowhere\.invalid" is not known/,
    );
  });

  test('does not accept the password', async () => {
    const DATABASE_URL = changed(database.runtimeUrl, { password: 'secret-word' });
    await expectLine({ DATABASE_URL }, /does not accept the password of usance_app/);
  });

  test('asks for a password that the address has not', async () => {
    await expectLine(
      { DATABASE_URL: changed(database.runtimeUrl, { password: '' }) },
      /asks for the password of usance_app/,
    );
  });

  test('is not there', async () => {
    const DATABASE_URL = changed(database.runtimeUrl, { pathname: '/nothing' });
    await expectLine({ DATABASE_URL }, /there is no database "nothing" at 127\.0\.0\.1:\d+: create it/);
  });

  test('is PostgreSQL 14', async () => {
    const old = await startOldServer();
    await expectLine({ DATABASE_URL: old.url }, /the database is PostgreSQL 14\.11; usance needs 15 or newer/);
    await expectLine(
      { DATABASE_URL: old.url },
      /the database is PostgreSQL 14\.11; usance needs 15 or newer/,
      'migrate',
    );
    await old.close();
  });

  test('has no schema yet', async () => {
    await expectLine(
      { DATABASE_URL: database.runtimeUrl, USANCE_SCHEMA: 'not_yet' },
      /the schema is at version 0, this program needs \d+: run "usance migrate"/,
    );
  });

  test('was migrated by a newer program', async () => {
    await database.owner.query(
      `insert into usance.migrations (version, name, checksum) values (9999, '9999_later.sql', 'x')`,
    );
    await expectLine(
      { DATABASE_URL: database.runtimeUrl },
      /has migration 9999_later\.sql, .*newer than the program\. Update usance/,
    );
    await expectLine({ DATABASE_URL: database.ownerUrl }, /has migration 9999_later\.sql/, 'migrate');
    await database.owner.query('delete from usance.migrations where version = 9999');
  });

  test('does not let the user do it', async () => {
    const DATABASE_URL = database.runtimeUrl;
    await expectLine(
      { DATABASE_URL, USANCE_SCHEMA: 'not_yet' },
      /usance_app may not do this .*DATABASE_OWNER_URL/,
      'migrate',
    );
  });
});

describe('a setting that cannot be', () => {
  test.each([
    [{ DATABASE_URL: 'postgres://app:secret-word#/@db/shop' }, /DATABASE_URL cannot be read: .* %23/],
    [
      { DATABASE_OWNER_URL: 'postgres://app:secret-word@db/shop' },
      /DATABASE_OWNER_URL is set, but DATABASE_URL is not/,
    ],
  ])('%j', async (variables, says) => {
    await expectLine(variables, says);
  });
});

test('a data folder that cannot be written', async () => {
  const USANCE_DATA_DIR = join(folder, 'in-the-way');
  writeFileSync(USANCE_DATA_DIR, 'a file');
  await expectLine({ USANCE_DATA_DIR }, /cannot write in the data folder .*in-the-way .*USANCE_DATA_DIR/);
  await expectLine({ USANCE_DATA_DIR }, /cannot write in the data folder/, 'dev');
});
