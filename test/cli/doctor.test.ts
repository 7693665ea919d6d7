import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedPort } from '../support/closed-port.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder, usanceHere } from './cli.ts';
import { startOldServer } from './old-server.ts';

const folder = useFolder();
const database = useDatabase();
const PORT = '0';

interface Report {
  readonly ok: boolean;
  readonly findings: readonly { name: string; level: string; says: string; todo: string | null }[];
}

async function examine(
  variables: Record<string, string>,
): Promise<{ code: number | null; levels: Record<string, string>; report: Report }> {
  const ended = await usanceHere(folder, ['doctor', '--json'], { PORT, ...variables });
  const report = ended.json<Report>();
  return {
    code: ended.code,
    report,
    levels: Object.fromEntries(report.findings.map(({ name, level }) => [name, level])),
  };
}

describe('doctor', () => {
  test('finds an embedded store well', async () => {
    await usanceHere(folder, ['migrate']);
    const { code, out } = await usanceHere(folder, ['doctor'], { PORT });
    expect(out).not.toMatch(/warn|FAIL/);
    for (const name of [
      'node',
      'data folder',
      'disk',
      'embedded server',
      'database',
      'durability',
      'connections',
      'wake-ups',
      'clock',
    ]) {
      expect(out).toMatch(new RegExp(`ok +${name}`));
    }
    for (const name of ['transactions', 'schema', 'history', 'partitions', 'due', 'freezes', 'port', 'metrics port']) {
      expect(out).toMatch(new RegExp(`ok +${name}`));
    }
    expect(out).toContain(`tz ${process.versions['tz']}`);
    expect(out).toMatch(/All is well\.\n$/);
    expect(code).toBe(0);
  });

  test('fails a server that forgets what it acknowledged', async () => {
    const { code, levels, report } = await examine({ DATABASE_URL: database.runtimeUrl });
    expect(code).toBe(1);
    expect(levels).toMatchObject({ database: 'ok', durability: 'fail', schema: 'ok', history: 'ok', port: 'ok' });
    expect(report.findings.find(({ name }) => name === 'durability')?.todo).toMatch(/fsync = on/);
    expect(levels).not.toHaveProperty('data folder');
  });

  test('warns of a login that could rewrite history', async () => {
    const { levels } = await examine({ DATABASE_URL: database.ownerUrl });
    expect(levels).toMatchObject({ history: 'warn' });
  });

  test('looks at the port of the metrics, and in production for one', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const METRICS_PORT = String((server.address() as AddressInfo).port);
    const taken = await examine({ DATABASE_URL: database.runtimeUrl, METRICS_PORT });
    await new Promise((resolve) => server.close(resolve));
    expect(taken.report.findings.find(({ name }) => name === 'metrics port')).toMatchObject({
      level: 'fail',
      todo: 'stop that program, or set METRICS_PORT to another',
    });
    const without = await examine({ DATABASE_URL: database.runtimeUrl, NODE_ENV: 'production' });
    expect(without.levels).toMatchObject({ 'metrics port': 'warn' });
  });

  test('fails an environment in which a service does not start, and names a variable that nothing reads', async () => {
    const production = { DATABASE_URL: database.runtimeUrl, NODE_ENV: 'production', USANCE_POOL: '5' };
    const everything = await examine(production);
    expect(everything.code).toBe(1);
    expect(everything.report.findings.find(({ name }) => name === 'environment')).toMatchObject({
      level: 'fail',
      says: expect.stringMatching(
        /^JWT_SECRET is not set, .* does not start "usance api" without it; USANCE_POOL is not/,
      ),
    });
    const processor = await usanceHere(folder, ['doctor', '--json', '--for', 'processor'], { PORT, ...production });
    expect(processor.json<Report>().findings.find(({ name }) => name === 'environment')).toMatchObject({
      level: 'warn',
      says: expect.stringMatching(/^USANCE_POOL is not a variable of usance and is ignored/),
    });
  });

  test('warns where the documented services run, and nothing seals or checks', async () => {
    await database.owner.query(
      `insert into usance.tenants (id, name, kind) values (gen_random_uuid(), 'shop', 'live')`,
    );
    const loops = async () =>
      (await examine({ DATABASE_URL: database.runtimeUrl })).report.findings.find(({ name }) => name === 'loops');
    for (const command of ['scheduler', 'processor'])
      await usanceHere(folder, [command, '--once'], { DATABASE_URL: database.runtimeUrl });
    expect(await loops()).toMatchObject({
      level: 'warn',
      says: 'no process ran seal-check, integrity, partitions, retention within 25 hours',
    });
    await usanceHere(folder, ['worker', '--once'], { DATABASE_URL: database.runtimeUrl });
    expect(await loops()).toMatchObject({ level: 'ok' });
  });

  test('warns of a pool the server has no room for', async () => {
    const { levels } = await examine({ DATABASE_URL: database.runtimeUrl, USANCE_POOL_SIZE: '900' });
    expect(levels).toMatchObject({ connections: 'fail' });
  });

  test('warns of months that have no partition yet', async () => {
    await database.owner.query(`do $$ declare p text; begin
      for p in select c.oid::regclass::text from pg_class c where c.relname ~ '^events_\\d{4}_\\d\\d$' loop
        execute 'drop table ' || p;
      end loop; end $$`);
    const { levels, report } = await examine({ DATABASE_URL: database.runtimeUrl });
    expect(levels).toMatchObject({ partitions: 'warn' });
    expect(report.findings.find(({ name }) => name === 'partitions')?.says).toBe('none for next month: events');
  });

  test('fails a schema that is not there, and looks no further into it', async () => {
    const { code, levels } = await examine({ DATABASE_URL: database.runtimeUrl, USANCE_SCHEMA: 'not_yet' });
    expect(code).toBe(1);
    expect(levels).toMatchObject({ database: 'ok', schema: 'fail', port: 'ok' });
    expect(levels).not.toHaveProperty('freezes');
  });

  test('fails a port that another program has', async () => {
    const other = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, report } = await examine({ PORT: String(port) });
    await new Promise((resolve) => other.close(resolve));
    expect(code).toBe(1);
    expect(report.findings.at(-1)).toMatchObject({
      name: 'port',
      level: 'fail',
      says: `another program uses ${port} on 127.0.0.1`,
    });
  });

  test('fails a database that is too old, away, or a folder that is a file', async () => {
    const old = await startOldServer();
    const tooOld = await examine({ DATABASE_URL: old.url });
    await old.close();
    expect(tooOld.report.findings).toContainEqual(
      expect.objectContaining({
        name: 'database',
        level: 'fail',
        says: 'the database is PostgreSQL 14.11; usance needs 15 or newer',
      }),
    );
    const away = await examine({ DATABASE_URL: `postgres://app:secret-word@127.0.0.1:${await closedPort()}/shop` });
    expect(away.levels).toMatchObject({ database: 'fail', port: 'ok' });
    expect(JSON.stringify(away.report)).not.toContain('secret-word');

    writeFileSync(join(folder, 'in-the-way'), '');
    const blocked = await examine({ USANCE_DATA_DIR: join(folder, 'in-the-way') });
    expect(blocked.levels).toMatchObject({ 'data folder': 'fail' });
    expect(blocked.levels).not.toHaveProperty('database');
  });
});
