import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const command = (...args: string[]) => usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl });
const run = (...args: string[]) => command('accounts', 'import-balances', ...args);
const runSubscriptions = (...args: string[]) => command('subscriptions', 'import', ...args);
const into = (name: string, tenant = 'shop'): string[] => ['--tenant', tenant, '--name', name];
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
const balanceOf = async (ref: string): Promise<bigint> => (await world.tenant.balances(ref))[0]?.available ?? 0n;

describe('an import', () => {
  const balances = file('balances.csv', 'account,asset,amount\nalice,USD/2,100000\r\n"bob,elder",USD/2,25000\n');

  test('books the file and compares totals', async () => {
    const { code, out } = await run(balances, ...into('opening'), '--expect', 'USD/2=125000');
    expect(code).toBe(0);
    expect(out).toMatch(/booked now +2/);
    expect(out).toMatch(/USD\/2 +1250\.00 USD +1250\.00 USD +equal/);
    expect(out).toContain('File and books agree.');
    expect(await balanceOf('bob,elder')).toBe(25_000n);
  });

  test('run again books nothing', async () => {
    const ended = await run(balances, ...into('opening'), '--json');
    expect(ended.code).toBe(0);
    expect(ended.json()).toMatchObject({
      ok: true,
      booked: 0,
      skipped: 2,
      totals: [{ asset: 'USD/2', file: '125000', booked: '125000' }],
    });
    expect(await balanceOf('alice')).toBe(100_000n);
  });

  test('whose total is not the expected one books nothing', async () => {
    const { code, err } = await run(balances, ...into('second'), '--expect', 'USD/2=125001');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^usance: the lines of the file sum to 1250\.00 USD, and 1250\.01 USD was expected; nothing was imported \(IMPORT_TOTAL_MISMATCH\)\n$/,
    );
    expect(await balanceOf('alice')).toBe(100_000n);
  });

  test('of another file under the same name ends with 1 and shows the difference', async () => {
    const other = file('other.jsonl', '{"account":"carol","asset":"USD","amount":"7"}\n');
    const { code, out } = await run(other, ...into('opening'));
    expect(code).toBe(1);
    expect(out).toMatch(/USD\/2 +0\.07 USD +1250\.07 USD +DIFFERENT/);
  });

  test('names the line that is wrong', async () => {
    const wrong = file('wrong.csv', 'account,asset,amount\nalice,USD/2,1\nbob,USD/2,1.5\n');
    const { code, err } = await run(wrong, ...into('third'));
    expect(code).toBe(1);
    expect(err).toMatch(/^usance: line 3: amount must be a whole number of minor units.*\(IMPORT_INVALID\)\n$/);
  });

  test('is of a regular file, which can be read twice, with lines of at most 1 MB', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.csv')]);
    const pipe = ['pipe.csv', '--tenant', 'shop'];
    for (const piped of [await runSubscriptions(...pipe), await run(...pipe, '--name', 'pipe')]) {
      expect(piped).toMatchObject({
        code: 2,
        err: expect.stringMatching(/pipe\.csv is not a regular file: the import reads it twice/),
      });
    }
    const long = file('long.jsonl', `{}\n${'x'.repeat(1_500_000)}`);
    const { code, err } = await runSubscriptions(long, '--tenant', 'shop');
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/long\.jsonl: line 2 is longer than 1 MB/) });
  });

  test('makes tenant and assets where that is asked for', async () => {
    const points = file('points.txt', '{"account":"dora","asset":"POINTS/0","amount":3}\n');
    const args = [points, ...into('opening', 'club'), '--format', 'jsonl', '--create-asset', 'POINTS/0'];
    expect(await run(...args)).toMatchObject({
      code: 1,
      err: 'usance: there is no tenant "club"; add --create-tenant to create it (TENANT_NOT_FOUND)\n',
    });
    expect((await run(...args, '--create-tenant', '--expect', 'POINTS/0=3')).code).toBe(0);
    const club = await world.usance.tenant('club');
    expect(await club.balances('dora')).toMatchObject([{ asset: 'POINTS/0', available: 3n }]);
  });
});

describe('an import of subscriptions', () => {
  const rows = file(
    'subscriptions.csv',
    'reference,plan,payer,next_due_at,charges_made\nold-1,Gym,ann,2027-03-31T09:00:00Z,3\nold-2,Gym,ann,2020-01-31T09:00:00Z,1\n',
  );
  const into = ['--tenant', 'shop'];

  test('is reported by a dry run, then made, and skipped when it is run again', async () => {
    await world.tenant.openAccount({ ref: 'ann' });
    await world.tenant.openAccount({ ref: 'gym' });
    const terms = { price: 1_250, asset: 'USD', period: { frequency: 'MONTHLY' }, charges: 12 } as const;
    await world.tenant.createPlan({ ...terms, name: 'Gym', receiver: 'gym' });
    const dry = await runSubscriptions(rows, ...into, '--dry-run');
    expect({ code: dry.code, err: dry.err }).toEqual({ code: 0, err: '' });
    expect(dry.out).toMatch(/2 subscriptions would be created; nothing was written\.\n$/);
    expect(await world.tenant.subscriptions()).toEqual([]);
    const { code, out } = await runSubscriptions(rows, ...into);
    expect(code).toBe(0);
    expect(out).toMatch(/created +2\n/);
    expect(out).toMatch(/USD\/2 +2 +25\.00 USD +12\.50 USD \(1 charge\) +50\.00 USD/);
    const again = (await runSubscriptions(rows, ...into, '--json')).json();
    expect(again).toMatchObject({ ok: true, created: 0, skipped: 2, refused: 0, totals: [{ perPeriod: '2500' }] });
    expect(await world.tenant.subscriptions()).toHaveLength(2);
  });

  test('with lines that are wrong names each, writes nothing and ends with 1', async () => {
    const wrong = file('wrong-subscriptions.jsonl', '{"reference":"x","plan":"Gym"}\n{"reference":"y"}\n');
    const { code, out } = await runSubscriptions(wrong, ...into);
    expect(code).toBe(1);
    expect(out).toMatch(/^line 1: payer is missing\nline 2: plan is missing\n/);
    expect(out).toMatch(/2 lines with a problem; nothing was written\.\n$/);
  });
});
