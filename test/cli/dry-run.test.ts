// `--dry-run` of every command that writes: it prints the outcome, exits with 0, and leaves every table as it was.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import type { Names } from '../../src/contract/index.ts';
import { NAMES } from '../../src/contract/index.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { open } from '../support/books.ts';
import { contents } from '../support/contents.ts';
import { useUsance } from '../support/database.ts';
import { addOutage } from '../support/schedules.ts';
import type { Ended } from './cli.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (...args: string[]): Promise<Ended> => usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl });

/** The command with `--dry-run`, and the same with `--json`; nothing is stored. */
async function dry(...args: string[]): Promise<{ out: string; json: Record<string, unknown> }> {
  const before = await contents(world.owner);
  const { code, out, err } = await run(...args, '--dry-run');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const json = await run(...args, '--dry-run', '--json');
  expect(await contents(world.owner)).toEqual(before);
  return { out, json: json.json() };
}

beforeAll(async () => {
  await open(world.tenant, { alice: 1_000 });
  await world.usance.createTenant({ name: 'lab', kind: 'test' });
});

test('every command of an operation that writes takes it', () => {
  const program = createProgram('0');
  const found = (path: string): Command | undefined =>
    path
      .split(' ')
      .reduce<Command | undefined>((at, name) => at?.commands.find((each) => each.name() === name), program);
  const writing = Object.values<Names>(NAMES).flatMap(({ command, events }) =>
    command !== null && events.length > 0 ? [command] : [],
  );
  const without = [...writing, 'payments archive', 'freezes lift'].filter(
    (path) => !found(path)?.options.some(({ long }) => long === '--dry-run'),
  );
  expect(without).toEqual([]);
  expect(writing.length).toBeGreaterThan(12);
});

test('outages release and discard', async () => {
  const id = toTypeId('outage', await addOutage(world.owner, world.tenant.id));
  const tenant = ['--tenant', 'shop'];
  const released = await dry('outages', 'release', id, ...tenant);
  expect(released.out).toBe('Dry run, nothing was changed: 3 schedules, 3.00 USD released.\n');
  expect(released.json).toMatchObject({ dryRun: true, result: { id }, events: ['outage.released'] });
  const discarded = await dry('outages', 'discard', id, ...tenant, '--reason', 'paid in cash');
  expect(discarded.out).toBe('Dry run, nothing was changed: 3 schedules, 3.00 USD discarded.\n');
  expect(discarded.json).toMatchObject({ events: ['outage.discarded'] });
});

test('execution-cap set and remove', async () => {
  const set = await dry('execution-cap', 'set', '50', '--tenant', 'shop');
  expect(set.out).toBe('Dry run, nothing was changed: tenant shop: at most 50 payments per second.\n');
  expect(set.json).toMatchObject({ dryRun: true, result: { tenant: 'shop', perSecond: 50 }, postings: [] });
  expect((await dry('execution-cap', 'remove', '--tenant', 'shop')).out).toContain('no cap on executions.');
});

describe('api-keys', () => {
  test('create, also with a new tenant: no secret is shown', async () => {
    const made = await dry('api-keys', 'create', '--tenant', 'shop', '--name', 'backend', '--role', 'operator');
    expect(made.out).toBe('Dry run, nothing was changed: key backend of tenant shop is created.\n');
    expect(made.json).toMatchObject({ result: { name: 'backend', secret: null }, events: ['api_key.created'] });
    const first = ['--tenant', 'bakery', '--create-tenant', '--name', 'first', '--role', 'admin'];
    const { json } = await dry('api-keys', 'create', ...first);
    expect(json).toMatchObject({
      result: { tenant: 'bakery', secret: null },
      events: ['tenant.created', 'api_key.created'],
    });
  });

  test('rotate and revoke', async () => {
    const { key, secret } = await world.tenant.createApiKey({ name: 'old', role: 'viewer' });
    const id = toTypeId('apiKey', key.id);
    const rotated = await dry('api-keys', 'rotate', id, '--tenant', 'shop');
    expect(rotated.json).toMatchObject({ dryRun: true, result: { replaces: id, secret: null } });
    const revoked = await dry('api-keys', 'revoke', id, '--tenant', 'shop');
    expect(revoked.out).toMatch(/^Dry run, nothing was changed: key old \(usk_.*…\) is revoked\.\n$/);
    expect(await world.usance.authenticate(secret)).not.toBeNull();
  });
});

test('test-clocks create, advance, cancel-advance and delete', async () => {
  const now = ['--now', '2027-01-01T00:00:00Z'];
  const created = await dry('test-clocks', 'create', '--tenant', 'lab', ...now);
  expect(created.out).toBe(
    'Dry run, nothing was changed: the test tenant lab has the time 2027-01-01T00:00:00.000Z.\n',
  );
  const both = await dry('test-clocks', 'create', '--tenant', 'new-lab', ...now);
  expect(both.json).toMatchObject({
    result: { tenant: 'new-lab' },
    events: expect.arrayContaining(['tenant.created']),
  });
  const lab = await world.usance.tenant('lab');
  await lab.createTestClock({ name: 'lab', now: '2027-01-01T00:00:00Z' });
  const advanced = await dry('test-clocks', 'advance', '--tenant', 'lab', '--by', '30d');
  expect(advanced.out).toContain('the clock of lab is advancing to 2027-01-31T00:00:00.000Z.');
  expect((await dry('test-clocks', 'cancel-advance', '--tenant', 'lab')).out).toContain('stays at 2027-01-01');
  expect((await dry('test-clocks', 'delete', '--tenant', 'lab')).out).toContain('is deleted at 2027-01-01');
  expect(await lab.testClocks()).toMatchObject([{ status: 'ready', deletedAt: null }]);
});

test('freezes lift', async () => {
  const args = ['freezes', 'lift', '--tenant', 'shop', '--asset', 'USD/2', '--reason', 'restored'];
  const refused = await run(...args, '--dry-run');
  expect(refused.code).toBe(1);
  await world.owner.query(
    `insert into usance.freezes (tenant_id, id, asset, violation, details) values ($1, gen_random_uuid(), 'USD/2', 'test', '{}')`,
    [world.tenant.id],
  );
  const lifted = await dry(...args);
  expect(lifted.out).toBe('Dry run, nothing was changed: the freeze of USD/2 of shop is lifted.\n');
  expect(lifted.json).toMatchObject({ dryRun: true, events: ['freeze.lifted'] });
  expect(await world.usance.freezes()).toHaveLength(1);
  await world.owner.query(`delete from usance.freezes`);
});

describe('accounts import-balances', () => {
  const file = (name: string, ...lines: string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `account,asset,amount\n${lines.join('\n')}\n`);
    return path;
  };

  test('reports what would be booked', async () => {
    const path = file('balances.csv', 'alice,USD/2,500', 'new,USD/2,250');
    const { out, json } = await dry('accounts', 'import-balances', path, '--tenant', 'shop', '--name', 'opening');
    expect(out).toMatch(/booked now +2\n/);
    expect(out).toMatch(/accounts opened +1\n/);
    expect(out).toContain('Dry run, nothing was changed');
    expect(json).toMatchObject({ ok: true, dryRun: true, booked: 2, totals: [{ file: '750', booked: '750' }] });
    const real = await run('accounts', 'import-balances', path, '--tenant', 'shop', '--name', 'opening', '--json');
    expect(real.json()).toMatchObject({ dryRun: false, booked: 2, accountsOpened: 1 });
    const again = await dry('accounts', 'import-balances', path, '--tenant', 'shop', '--name', 'opening');
    expect(again.json).toMatchObject({ booked: 0, skipped: 2, totals: [{ file: '750', booked: '750' }] });
  });

  test('with a new tenant and a new asset', async () => {
    const path = file('points.csv', 'ann,POINTS/0,5');
    const into = ['--name', 'points', '--create-asset', 'POINTS/0'];
    const shop = await dry('accounts', 'import-balances', path, '--tenant', 'shop', ...into);
    expect(shop.json).toMatchObject({ booked: 1, totals: [{ asset: 'POINTS/0', file: '5', booked: '5' }] });
    const club = await dry('accounts', 'import-balances', path, '--tenant', 'club', '--create-tenant', ...into);
    expect(club.json).toMatchObject({ tenant: 'club', booked: 1, accountsOpened: 1 });
  });

  test('refuses what the import would refuse', async () => {
    const path = file('wrong.csv', 'alice,EUR/2,500');
    const args = ['accounts', 'import-balances', path, '--tenant', 'shop', '--name', 'wrong', '--dry-run'];
    expect(await run(...args)).toMatchObject({ code: 1, err: expect.stringContaining('IMPORT_INVALID') });
  });
});

test('payments archive', async () => {
  const { out } = await dry('payments', 'archive', '--older-than', '365d');
  expect(out).toBe('No payment ended that long ago.\n');
});
