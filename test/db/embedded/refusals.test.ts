// What is refused, and what the operator then reads: one line that names the thing to mend.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { SetupError } from '../../../src/kernel/index.ts';
import { QUICK, ask, emptyFolder, madeFolder, open } from './world.ts';

describe('the embedded server', () => {
  test('refuses a wrong password, and no password', async () => {
    const server = await open(await madeFolder());
    const wrong = server.ownerUrl.replace(/:[0-9a-f]{32,}@/, ':guess@');
    await expect(ask(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    const methods = await ask<{ auth_method: string }>(
      server.ownerUrl,
      'select distinct auth_method from pg_hba_file_rules',
    );
    expect(methods).toEqual([{ auth_method: 'scram-sha-256' }]);
  });

  test('listens on loopback and nowhere else', async () => {
    const server = await open(await madeFolder());
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address, family, scopeid } of others) {
      if (address === '127.0.0.1') continue;
      const host = family === 'IPv6' && scopeid ? `${address}%${scopeid}` : address;
      expect([address, await answers(host, server.port)]).toEqual([address, false]);
    }
    expect(await answers('127.0.0.1', server.port)).toBe(true);
    const shown = await ask(server.ownerUrl, "select current_setting('unix_socket_directories') as sockets");
    expect(shown).toEqual([{ sockets: '' }]);
  });

  test('says in its own words why it does not start, and where its log is', async () => {
    const dataDir = await madeFolder();
    const log = join(dataDir, 'server.log');
    await writeFile(log, '2026-01-01 00:00:00 UTC [1] FATAL:  an old story\n');
    const bad = open(dataDir, { settings: { ...QUICK, shared_preload_libraries: 'nonsense' } });
    await expect(bad).rejects.toThrow(SetupError);
    await expect(bad).rejects.toThrow(
      `PostgreSQL did not start: FATAL:  could not access file "nonsense": No such file or directory (log: ${log})`,
    );
    const worse = open(dataDir, { settings: { ...QUICK, max_connections: 'many' } });
    await expect(worse).rejects.toThrow('FATAL:  invalid value for parameter "max_connections": "many"');
    expect(await readFile(log, 'utf8')).toContain('an old story');
    expect((await open(dataDir)).adopted).toBe(false);
  });

  test('names a folder that it cannot write in', async () => {
    const file = join(await emptyFolder(), 'file');
    await writeFile(file, '');
    for (const dataDir of [file, join(file, '.usance'), '/proc/usance']) {
      const attempt = open(dataDir);
      await expect(attempt).rejects.toThrow(SetupError);
      await expect(attempt).rejects.toThrow(`cannot write in the data folder ${dataDir} (`);
    }
  });

  test('takes no notice of PG variables that are meant for another server', async () => {
    const folder = await madeFolder();
    const program = new URL('program.ts', import.meta.url).pathname;
    const env = {
      ...process.env,
      PGPORT: '1',
      PGHOST: '192.0.2.1',
      PGSSLMODE: 'require',
      PGDATA: '/nowhere',
      PGUSER: 'x',
    };
    const run = promisify(execFile)(process.execPath, [program, folder, JSON.stringify(QUICK)], { env });
    run.child.stdin?.end();
    expect((await run).stdout).toContain('"released":true');
  });
});

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
