// The migrator, on empty databases of its own.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import type { Database, Migration } from '../../src/db/index.ts';
import { createPool, describeSchema, loadMigrations, migrate, requireMigrated } from '../../src/db/index.ts';
import { createEngine } from '../../src/engine.ts';
import { useDatabase } from '../support/database.ts';

let count = 0;

async function emptyDatabase(): Promise<{ name: string; ownerUrl: string; runtimeUrl: string; owner: Database }> {
  const { ownerUrl, runtimeUrl } = inject('testServer');
  const name = `m_${process.pid}_${(count += 1)}`;
  const on = (url: string, database: string): string => Object.assign(new URL(url), { pathname: `/${database}` }).href;
  const maintenance = createPool({ url: on(ownerUrl, 'postgres'), maxConnections: 1 });
  await maintenance.query(`create database ${name}`);
  const owner = createPool({ url: on(ownerUrl, name) });
  onTestFinished(async () => {
    await owner.close();
    await maintenance.query(`drop database ${name} with (force)`);
    await maintenance.close();
  });
  return { name, ownerUrl: on(ownerUrl, name), runtimeUrl: on(runtimeUrl, name), owner };
}

const file = (version: number, text: string, name = `000${version}_test.sql`): Migration => ({
  version,
  name,
  text,
  checksum: `sum of ${text}`,
});

describe('migrations', () => {
  test('twenty migrators at once on an empty database apply each file once', async () => {
    const { ownerUrl, owner } = await emptyDatabase();
    const pools = Array.from({ length: 20 }, () => createPool({ url: ownerUrl, maxConnections: 1 }));
    onTestFinished(async () => void (await Promise.all(pools.map((pool) => pool.close()))));
    const reports = await Promise.all(pools.map((pool) => migrate(pool)));

    const names = (await loadMigrations()).map((migration) => migration.name);
    expect(reports.flatMap((report) => report.applied).toSorted()).toEqual(names);
    expect(new Set(reports.map((report) => report.to))).toEqual(new Set([names.length]));
    expect(await owner.query('select name from usance.migrations order by version')).toEqual(
      names.map((name) => ({ name })),
    );
    await expect(requireMigrated(owner)).resolves.not.toThrow();
  });

  test('applied twice change nothing the second time', async () => {
    const { owner } = await emptyDatabase();
    const first = await migrate(owner);
    const schema = await describeSchema(owner);
    const second = await migrate(owner);
    expect(first).toMatchObject({ from: 0, to: first.applied.length });
    expect(second).toEqual({ from: first.to, to: first.to, applied: [] });
    expect(await describeSchema(owner)).toBe(schema);
  });

  test('that were edited after they were applied are refused', async () => {
    const { owner } = await emptyDatabase();
    const one = file(1, 'select 1');
    await migrateOnly(owner, [one]);
    const edited = [file(1, 'select 2')];
    await expect(migrateOnly(owner, edited)).rejects.toThrow('0001_test.sql differs from what was applied');
    await expect(requireMigrated(owner, edited)).rejects.toThrow('create a new database');
  });

  test('newer than the program are refused', async () => {
    const { owner } = await emptyDatabase();
    const one = file(1, 'select 1');
    await migrateOnly(owner, [one, file(2, 'select 2')]);
    await expect(migrateOnly(owner, [one])).rejects.toThrow('0002_test.sql, which this program does not know');
    await expect(requireMigrated(owner, [one])).rejects.toThrow('Update usance');
  });

  test('that come before one already applied are refused, not skipped', async () => {
    const { owner } = await emptyDatabase();
    const [one, two, three] = [file(1, 'select 1'), file(2, 'select 2'), file(3, 'select 3')];
    await migrateOnly(owner, [one, three]);
    await expect(migrateOnly(owner, [one, two, three])).rejects.toThrow('0003_test.sql but not 0002_test.sql');
  });

  test('one that fails leaves what was before it, and can be tried again', async () => {
    const { owner } = await emptyDatabase();
    const one = file(1, 'create table usance.one (n int)');
    const broken = file(2, 'create table usance.two (n int); select no_such_column');
    await expect(migrateOnly(owner, [one, broken])).rejects.toThrow('no_such_column');
    const tables = `select relname::text as name from pg_class where relnamespace = 'usance'::regnamespace and relkind = 'r' order by 1`;
    expect(await owner.query(tables)).toEqual([{ name: 'migrations' }, { name: 'one' }]);
    await migrateOnly(owner, [one, file(2, 'create table usance.two (n int)')]);
    expect(await owner.query(tables)).toHaveLength(3);
  });

  test('that are missing are named, with the command that brings them', async () => {
    const { owner, runtimeUrl } = await emptyDatabase();
    const newest = (await loadMigrations()).length;
    const says = `the schema is at version 0, this program needs ${newest}: run "usance migrate"`;
    await expect(requireMigrated(owner)).rejects.toThrow(says);
    await expect(createEngine({ databaseUrl: runtimeUrl })).rejects.toThrow('usance migrate');
  });

  test('are files numbered without a gap; any other .sql beside them is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'usance-migrations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const at = pathToFileURL(`${folder}/`);
    await writeFile(join(folder, '0001_first.sql'), 'select 1');
    await writeFile(join(folder, 'README.md'), '');
    expect(await loadMigrations(at)).toMatchObject([{ version: 1, name: '0001_first.sql', text: 'select 1' }]);
    for (const stray of ['0001_same.sql', '0003_gap.sql', '2_short.sql', '0002_Upper.sql', 'notes.sql']) {
      await writeFile(join(folder, stray), 'select 1');
      await expect(loadMigrations(at)).rejects.toThrow(stray);
      await rm(join(folder, stray));
    }
  });
});

describe('the schema', () => {
  const store = useDatabase();

  test('is what docs/reference/schema.txt says; after a new migration write it again with `npm run schema`', async () => {
    const committed = await readFile(new URL('../../docs/reference/schema.txt', import.meta.url), 'utf8');
    expect(await describeSchema(store.owner), 'the schema changed: run `npm run schema` and commit the file').toBe(
      committed,
    );
  });

  test('has a partition for this month and the next three in every table of history', async () => {
    const rows = await store.owner.query(
      `select p.relname::text as parent, count(*)::int as partitions
       from pg_inherits i join pg_class p on p.oid = i.inhparent and p.relkind = 'p' group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { parent: 'delivery_attempts', partitions: 5 },
      { parent: 'event_blocks', partitions: 3 },
      { parent: 'events', partitions: 5 },
      { parent: 'executions', partitions: 5 },
      { parent: 'invocations', partitions: 5 },
      { parent: 'transfers', partitions: 5 },
    ]);
    const made = `select usance.ensure_partitions('transfers', (now() + interval '4 months')::date, 2) as made`;
    expect(await store.db.query(made)).toEqual([{ made: 2 }]);
    expect(await store.db.query(made)).toEqual([{ made: 0 }]);
    await expect(store.db.query(`select usance.ensure_partitions('tenants', now()::date, 1)`)).rejects.toThrow(
      'no history table',
    );
  });

  test('makes the other months if a fast clock has put a row of one into the default partition', async () => {
    const far = `date_trunc('month', now() + interval '7 months')`;
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       insert into usance.events (tenant_id, id, type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt)
       values (gen_random_uuid(), usance.first_id_at(${far} + interval '3 days'), 'plan.updated', 1, 'plan', gen_random_uuid(), '{}', 'test',
               now(), now(), gen_random_uuid()); commit`,
    );
    const made = `select usance.ensure_partitions('events', ${far}::date, 2) as made`;
    expect(await store.db.query(made)).toEqual([{ made: 1 }]);
    expect(await store.db.query(made)).toEqual([{ made: 0 }]);
  });

  test.each(['', 'pg_mine', 'Books', 'a b', 'x"; drop schema usance cascade; --', 'a'.repeat(64)])(
    'is not called "%s"',
    async (schema) => {
      await expect(createEngine({ databaseUrl: store.runtimeUrl, schema })).rejects.toThrow(
        /must be a lower-case name of letters, digits and underscores/,
      );
    },
  );

  test('under another name works from end to end, beside one called usance', async () => {
    const url = { databaseUrl: store.runtimeUrl, ownerUrl: store.ownerUrl };
    const other = await createEngine({ ...url, schema: 'other_books', migrate: true });
    onTestFinished(() => other.close());
    expect(other.migrated?.from).toBe(0);
    const tenant = await other.createTenant({ name: 'shop' });
    await tenant.createAsset('USD/2');
    await tenant.openAccount({ ref: 'alice' });
    await tenant.openAccount({ ref: 'bob' });
    await tenant.deposit({ account: 'alice', asset: 'USD', amount: 10, idempotencyKey: '1' });
    const { reservation } = await tenant.reserve({ account: 'alice', asset: 'USD', amount: 4, idempotencyKey: '2' });
    await tenant.capture({ reservation, to: 'bob', amount: 3, idempotencyKey: '3' });
    await tenant.release({ reservation, idempotencyKey: '4' });
    await tenant.suspendAccount('bob', 'why not');
    expect(await tenant.balances('alice')).toMatchObject([{ available: 7n, reserved: 0n }]);
    expect((await other.verify()).flatMap((check) => check.offenders)).toEqual([]);
    for (const loop of other.loops) await loop.runOnce();

    const client = createPool({ url: store.runtimeUrl, maxConnections: 1 });
    onTestFinished(() => client.close());
    expect(await store.owner.query('select count(*)::int as n from usance.tenants')).toEqual([{ n: 0 }]);
    expect(await store.owner.query('select count(*)::int as n from other_books.transfers')).toEqual([{ n: 2 }]);
    // History is out of reach there as well.
    await expect(client.query('delete from other_books.transfers')).rejects.toMatchObject({ code: '42501' });
    await expect(store.owner.query('delete from other_books.transfers')).rejects.toMatchObject({ code: '23001' });
  });
});

/** The program's own steps after the files (rights, partitions) need the tables; these tests have none. */
async function migrateOnly(owner: Database, migrations: readonly Migration[]): Promise<void> {
  await migrate(owner, { migrations }).catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.includes('ensure_partitions')) throw error;
  });
}
