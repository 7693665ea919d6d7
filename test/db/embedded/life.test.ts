// One program and its server: made, found again, lost, brought back.
import { mkdir, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isServing, readPostmaster } from '../../../src/db/embedded/postmaster.ts';
import { sharedBuffersMb } from '../../../src/db/embedded/server.ts';
import { ask, emptyFolder, isRoot, killAndWait, madeFolder, open, startProgram } from './world.ts';

test.each([
  { memory: 24 * 2 ** 30, takesMb: 1_024 },
  { memory: 4 * 2 ** 30, takesMb: 512 },
  { memory: 512 * 2 ** 20, takesMb: 128 },
])('of $memory bytes of memory the server takes $takesMb MB', ({ memory, takesMb }) => {
  expect(sharedBuffersMb(memory)).toBe(takesMb);
});

describe('the embedded server', () => {
  test('is made at the first start, and its data is found again at the second', async () => {
    const dataDir = join(await emptyFolder(), '.usance');
    const first = await open(dataDir);
    expect(first.adopted).toBe(false);
    // For root the server runs under another account, which has to pass through and can read nothing.
    expect((await stat(dataDir)).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
    await ask(first.ownerUrl, 'create table kept (n int); insert into kept values (7)');
    await first.release();
    expect(await readPostmaster(join(dataDir, 'cluster', 'pgdata'))).toBeNull();
    expect(await isServing(first.pid, join(dataDir, 'cluster', 'pgdata'))).toBe(false);

    const second = await open(dataDir);
    expect(second.adopted).toBe(false);
    expect(await ask(second.ownerUrl, 'select n from kept')).toEqual([{ n: 7 }]);
    expect((await readdir(dataDir)).toSorted()).toEqual(['cluster', 'server.log']);
  });

  test('has an owner for migrations and a runtime role without rights of its own', async () => {
    const server = await open(await madeFolder());
    const who = `select session_user::text as name, rolsuper, pg_has_role('usance_runtime', 'member') as member,
      current_database()::text as database from pg_roles where rolname = session_user`;
    expect(await ask(server.ownerUrl, who)).toMatchObject([
      { name: 'usance_owner', rolsuper: true, database: 'usance' },
    ]);
    expect(await ask(server.runtimeUrl, who)).toEqual([
      { name: 'usance_app', rolsuper: false, member: true, database: 'usance' },
    ]);
    expect(await ask(server.runtimeUrl, "select rolcanlogin from pg_roles where rolname = 'usance_runtime'")).toEqual([
      { rolcanlogin: false },
    ]);
    await expect(ask(server.runtimeUrl, 'create table mine (n int)')).rejects.toThrow('permission denied');
    await ask(server.ownerUrl, 'create database "another one"');
    expect(await ask(server.databaseUrl('another one', 'runtime'), 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('keeps what it acknowledged, by default', async () => {
    const server = await open(await emptyFolder(), { settings: { shared_buffers: '16MB' } });
    const settings = `select name, setting from pg_settings where name in
      ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'TimeZone', 'server_encoding')
      order by name collate "C"`;
    expect(await ask(server.runtimeUrl, settings)).toEqual([
      { name: 'TimeZone', setting: 'UTC' },
      { name: 'data_checksums', setting: 'on' },
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
  });

  test('has a committed row after a kill -9 of the server', async () => {
    const dataDir = await madeFolder();
    const program = startProgram(dataDir, { settings: { shared_buffers: '16MB' } });
    const { pid, ownerUrl } = await program.hear('port');
    await program.kill();
    await ask(ownerUrl, 'create table kept (n int)');
    await ask(ownerUrl, 'insert into kept values (7)');
    await killAndWait(pid, join(dataDir, 'cluster', 'pgdata'));

    const server = await open(dataDir);
    expect(server.adopted).toBe(false);
    expect(await ask(server.ownerUrl, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('comes back at the same address when it is killed under a running program', async () => {
    const dataDir = await madeFolder();
    const back = Promise.withResolvers<string>();
    const notices: string[] = [];
    const server = await open(dataDir, {
      onNotice(line) {
        notices.push(line);
        if (line.includes('back on')) back.resolve(line);
      },
    });
    const { pid, ownerUrl } = server;
    await killAndWait(pid, join(dataDir, 'cluster', 'pgdata'));
    expect(await back.promise).toBe(`PostgreSQL is back on port ${server.port}`);
    expect(server.pid).not.toBe(pid);
    expect(server.ownerUrl).toBe(ownerUrl);
    expect(await ask(ownerUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(notices[0]).toBe('PostgreSQL went away: bringing it back');
    await server.release();
    expect(await isServing(server.pid, join(dataDir, 'cluster', 'pgdata'))).toBe(false);
  });

  test('is joined again when it restarts itself because one of its processes was killed', async () => {
    const back = Promise.withResolvers<string>();
    const onNotice = (line: string): void => (line.includes('bringing') ? undefined : back.resolve(line));
    const server = await open(await madeFolder(), { onNotice });
    const { pid } = server;
    const writer = "select pid from pg_stat_activity where backend_type = 'background writer'";
    const [victim] = await ask<{ pid: number }>(server.ownerUrl, writer);
    process.kill(victim?.pid ?? 0, 'SIGKILL');
    expect(await back.promise).toBe(`PostgreSQL is back on port ${server.port}`);
    expect(server.pid).toBe(pid);
    expect(await ask(server.runtimeUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('is not given up for a dead one whose process number now belongs to somebody else', async () => {
    const dataDir = await madeFolder();
    const first = await open(dataDir);
    const file = join(dataDir, 'cluster', 'pgdata', 'postmaster.pid');
    const record = await readFile(file, 'utf8');
    await first.release();
    // This test runs under that number, as far as the file knows.
    await writeFile(file, record.replace(/^\d+/, String(process.pid)));
    const second = await open(dataDir);
    expect(second.adopted).toBe(false);
    expect(await ask(second.ownerUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('runs in a deep folder with spaces and letters of every kind', async () => {
    const dataDir = join(await emptyFolder(), 'a folder of café 支付 ', "it's deep ".repeat(12), 'x'.repeat(120));
    expect(dataDir.length).toBeGreaterThan(250);
    await mkdir(dataDir, { recursive: true });
    const server = await open(dataDir);
    expect(await ask(server.runtimeUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
    await server.release();
    expect(await isServing(server.pid, await realpath(join(dataDir, 'cluster', 'pgdata')))).toBe(false);
  });

  test('removes what a program that was killed while building has left', async () => {
    const dataDir = await emptyFolder();
    // A number beyond any that Linux gives to a process.
    await mkdir(join(dataDir, 'cluster.new-999999999-abc', 'pgdata'), { recursive: true });
    await open(dataDir);
    expect((await readdir(dataDir)).toSorted()).toEqual(['cluster', 'server.log']);
  });

  test('keeps its passwords in files that only their owner can read, and says so when one is lost', async () => {
    const dataDir = await madeFolder();
    const server = await open(dataDir);
    for (const name of ['password', 'password-runtime']) {
      const file = join(dataDir, 'cluster', name);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(file)).uid).toBe(process.getuid?.());
      expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{32,}$/);
    }
    await server.release();
    await rm(join(dataDir, 'cluster', 'password-runtime'));
    await expect(open(dataDir)).rejects.toThrow(/^the cluster's password is lost: put .*password-runtime back/);
  });
});
