// Commands without --tenant, where there are more tenants than the one that they choose.
import { expect, test } from 'vitest';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance({ chains: { sandbox: true, measureEveryMs: 3_600_000 } });
const run = (...args: string[]) => usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl, USANCE_SANDBOX: '1' });
const ABSENT = toTypeId('payment', newId());
const HINT = 'in the tenant shop; --tenant chooses another';

test('that find nothing do not speak of other tenants where there are none', async () => {
  expect((await run('payouts', 'get', ABSENT)).err).not.toContain('--tenant');
  expect((await run('alerts')).out).toBe('No alert in the tenant shop.\n');
});

test('that find nothing say in which tenant they looked', async () => {
  await world.usance.createTenant({ name: 'studio', kind: 'test' });
  for (const [...args] of [
    ['payouts', 'get', ABSENT],
    ['payments', 'get', ABSENT],
    ['why', ABSENT],
    ['treasury-wallets', 'unfreeze', 'sandbox', '--reason', 'topped up'],
  ]) {
    const { code, err } = await run(...args);
    expect([args, code, err]).toEqual([args, 1, expect.stringContaining(` ${HINT} (`)]);
    const named = await run(...args, '--tenant', 'studio');
    expect([args, named.err]).toEqual([args, expect.not.stringContaining('the tenant')]);
  }
  expect((await run('payouts', 'get', ABSENT, '--json')).json<{ error: object }>().error).toMatchObject({
    code: 'PAYMENT_NOT_FOUND',
    message: expect.stringContaining(HINT),
  });
  expect((await run('treasury-wallets')).out).toBe(`No wallet yet ${HINT}. The first payout over a chain opens one.\n`);
  expect((await run('alerts')).out).toBe(`No alert ${HINT}.\n`);
  expect((await run('payouts')).out).toBe(`No payout ${HINT}.\n`);
  expect((await run('treasury-wallets', '--tenant', 'studio')).out).toMatch(/^No wallet yet in the tenant studio\. /);
  expect((await run('alerts', '--status', 'cleared', '--tenant', 'studio')).out).toBe(
    'No alert was cleared in the tenant studio.\n',
  );
});
