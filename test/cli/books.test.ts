// verify and freezes, on books that are right, then wrong, then right again.
import { userInfo } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (...args: string[]) => usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl });
const lift = ['freezes', 'lift', '--tenant', 'shop', '--asset', 'USD/2', '--reason'];

/** As somebody with every right might. */
async function corrupt(statement: string): Promise<void> {
  await world.owner.transaction(async (tx) => {
    await tx.query('alter table usance.transfers disable trigger all');
    await tx.query(statement);
    await tx.query('alter table usance.transfers enable trigger all');
  });
}

const checkOnce = async (): Promise<void> => {
  await world.usance.loops.find((loop) => loop.name === 'integrity')?.runOnce();
};

beforeAll(async () => {
  await world.tenant.openAccount({ ref: 'alice' });
  await world.tenant.deposit({ account: 'alice', asset: 'USD/2', amount: 500n, idempotencyKey: 'opening' });
});

describe('books that add up', () => {
  test('verify with 0, every check with its rows', async () => {
    const { code, out } = await run('verify');
    expect(code).toBe(0);
    expect(out).toMatch(/ok +available \+ reserved of every balance is the sum of its transfers +\(1 row\)/);
    expect(out).toMatch(/The books add up: \d+ checks over \d+ rows\.\n$/);
  });

  test('say the same to machines, with counts as strings', async () => {
    const report = (await run('verify', '--json')).json<{
      ok: boolean;
      rows: string;
      checks: { rows: string; ok: boolean }[];
    }>();
    expect(report.ok).toBe(true);
    expect(report.rows).toBe(String(report.checks.reduce((sum, check) => sum + Number(check.rows), 0)));
  });

  test('have nothing frozen, and nothing to lift', async () => {
    expect(await run('freezes')).toMatchObject({ code: 0, out: 'No asset is frozen.\n' });
    expect(await run(...lift, 'because')).toMatchObject({
      code: 1,
      err: 'usance: USD/2 is not frozen (FREEZE_NOT_FOUND)\n',
    });
    const machines = await run(...lift, 'because', '--json');
    expect(machines.json()).toEqual({ error: { code: 'FREEZE_NOT_FOUND', message: 'USD/2 is not frozen' } });
  });
});

describe('a row that somebody rewrote', () => {
  beforeAll(() => corrupt('update usance.transfers set amount = 400'));

  test('fails verify, which names the account, the check and the amounts', async () => {
    const { code, out } = await run('verify');
    expect(code).toBe(1);
    expect(out).toMatch(/WRONG +available \+ reserved of every balance/);
    expect(out).toMatch(/tenant shop · USD\/2 · alice · .*history 400 · .*available 500/);
    expect(out).toMatch(
      /The books do not add up: \d of \d+ checks found something wrong: .*balances-equal-history.*\n$/,
    );
    const report = (await run('verify', '--json')).json<{
      ok: boolean;
      checks: { name: string; offenders: unknown[] }[];
    }>();
    expect(report.ok).toBe(false);
    expect(report.checks.find((check) => check.name === 'balances-equal-history')?.offenders).toHaveLength(1);
  });

  test('freezes the asset, and is seen by freezes and doctor', async () => {
    await checkOnce();
    const { code, out } = await run('freezes', 'list');
    expect(code).toBe(0);
    expect(out).toMatch(/^shop USD\/2 +frozen\n +since .*: balances-equal-history\n/);
    const doctor = await run('doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.out).toMatch(/FAIL +freezes +frozen: USD\/2 of shop/);
  });

  test('is lifted by a person with a reason, on record', async () => {
    await corrupt('update usance.transfers set amount = 500');
    expect(await run(...lift, ' ')).toMatchObject({
      code: 1,
      err: 'usance: reason is required: say why, for the audit log (FIELD_INVALID)\n',
    });
    const { code, out } = await run(...lift, 'restored from the backup');
    const actor = `cli:${userInfo().username}`;
    expect(code).toBe(0);
    expect(out).toContain(`Audited as ${actor}.`);
    const [deed] = await world.owner.query(
      `select actor, data->>'reason' as reason from usance.events where type = 'freeze.lifted'`,
    );
    expect(deed).toEqual({ actor, reason: 'restored from the backup' });

    expect((await run('verify')).code).toBe(0);
    expect((await run('freezes')).out).toBe('No asset is frozen.\n');
    const all = (await run('freezes', '--all', '--json')).json<{ freezes: object[] }>();
    expect(all.freezes).toMatchObject([{ tenant: 'shop', asset: 'USD/2', liftedBy: actor }]);
  });
});

test('an unknown tenant is refused', async () => {
  const { code, err } = await run('freezes', 'lift', '--tenant', 'nobody', '--asset', 'USD/2', '--reason', 'x');
  expect({ code, err }).toEqual({ code: 1, err: 'usance: there is no tenant "nobody" (TENANT_NOT_FOUND)\n' });
});

test('verify prints a limit that is not what its event says, and the event', async () => {
  await world.tenant.setLimit({ asset: 'USD', tenantDailyAmount: 5_000 });
  await world.owner.query('update usance.payment_limits set tenant_daily_amount = 999999 where account_id is null');
  const { code, out } = await run('verify');
  expect(code).toBe(1);
  expect(out).toContain('"tenant_daily_amount":999999');
  expect(out).toContain('"tenantDailyAmount":"5000"');
  expect(out).not.toContain('[object Object]');
});
