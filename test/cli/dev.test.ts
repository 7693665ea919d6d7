// The life of `usance dev` on an embedded server. One folder through all of it, as a newcomer's.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { launchUsance, startUsance, usance, useFolder } from './cli.ts';

const folder = useFolder();
const READY = 'In another terminal:';
const isServing = (): boolean => existsSync(join(folder, '.usance/cluster/pgdata/postmaster.pid'));

interface Verified {
  readonly ok: boolean;
  readonly checks: readonly { name: string; rows: string }[];
}
const transfersIn = ({ checks }: Verified): string | undefined =>
  checks.find((check) => check.name === 'transfers-well-formed')?.rows;

describe('dev', () => {
  test('starts from nothing, shows the demo’s money, and Ctrl-C ends it with its server', async () => {
    const { child, screen, ended } = await startUsance(folder, ['dev'], READY);
    expect(screen).toContain(`data    ${join(folder, '.usance')}`);
    expect(screen).toMatch(/schema {2}Migrated from version 0 to \d+/);
    expect(screen).toContain('alice 1000.00 USD, bob 250.00 USD');
    expect(screen).toContain('The books add up');
    expect(isServing()).toBe(true);
    child.kill('SIGINT');
    const { code, out, err } = await ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Stopped.');
    expect(isServing()).toBe(false);
  });

  test('has its data on the second start, books nothing twice, and shares its server', async () => {
    const { child, screen, ended } = await startUsance(folder, ['dev'], READY);
    expect(screen).toContain('alice 1000.00 USD, bob 250.00 USD');
    expect(screen).not.toContain('schema');
    const verified = await usance(folder, ['verify', '--json']);
    expect(verified.code).toBe(0);
    expect(transfersIn(verified.json<Verified>())).toBe('2');
    expect(isServing()).toBe(true);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(isServing()).toBe(false);
  });

  test('killed outright leaves books that verify, and the last command out stops the server', async () => {
    const { child, ended } = await startUsance(folder, ['dev'], READY);
    child.kill('SIGKILL');
    await ended;
    const { code, out } = await usance(folder, ['verify']);
    expect(code).toBe(0);
    expect(out).toMatch(/ok +no balance is negative +\(2 rows\)/);
    expect(out).toMatch(/The books add up: \d+ checks over \d+ rows\.\n$/);
    expect(isServing()).toBe(false);
  });

  test('takes a Ctrl-C that npm passes on a second time for one', async () => {
    const { child, ended } = await startUsance(folder, ['dev', '--json'], '"ready": true');
    child.kill('SIGINT');
    child.kill('SIGINT');
    const { code, json } = await ended;
    expect(code).toBe(0);
    expect(json()).toMatchObject({ ready: true, ok: true, store: { embedded: true } });
    expect(isServing()).toBe(false);
  });

  test('asked to stop while it starts, it stops and leaves no server', async () => {
    const fresh = join(folder, 'fresh');
    const { child, ended } = launchUsance(folder, ['dev'], { USANCE_DATA_DIR: fresh });
    await vi.waitUntil(() => existsSync(join(fresh, 'server.log')), { timeout: 30_000, interval: 5 });
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
    expect(existsSync(join(fresh, 'cluster/pgdata/postmaster.pid'))).toBe(false);
  });
});

test('a command that only looks makes no store', async () => {
  const empty = join(folder, 'elsewhere');
  const { code, err } = await usance(folder, ['verify'], { USANCE_DATA_DIR: empty });
  expect(code).toBe(3);
  expect(err).toMatch(/^usance: there is no store in .*elsewhere yet: "usance dev" or "usance migrate" makes one/);
  expect((await usance(folder, ['doctor', '--json'], { USANCE_DATA_DIR: empty, PORT: '48232' })).code).toBe(0);
  expect(existsSync(empty)).toBe(false);
});
