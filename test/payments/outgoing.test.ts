// Withdrawals, transfers and captures of reservations obey what payments obey: pauses, limits and approval.
import { describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { refusalOf } from '../support/refusal.ts';

type Move = (tenant: TenantHandle, amount: number) => Promise<unknown>;

/** Ways in which money leaves an account without a payment. */
const MOVES: Readonly<Record<string, Move>> = {
  withdraw: (tenant, amount) => tenant.withdraw({ account: 'ann', asset: 'USD', amount, idempotencyKey: key() }),
  transfer: (tenant, amount) =>
    tenant.transfer({ from: 'ann', to: 'payee', asset: 'USD', amount, idempotencyKey: key() }),
  async capture(tenant, amount) {
    const order = { account: 'ann', asset: 'USD', amount: 1_000, idempotencyKey: key() };
    const { reservation } = await tenant.reserve(order);
    try {
      return await tenant.capture({ reservation, to: 'payee', amount, idempotencyKey: key() });
    } finally {
      await tenant.release({ reservation, idempotencyKey: key() });
    }
  },
};

describe.each(Object.entries(MOVES))('money that leaves by %s', (verb, move) => {
  const store = useUsance({ poolSize: 20 });
  let shops = 0;
  const shop = async () => {
    const tenant = await store.usance.createTenant({ name: `${verb}-${(shops += 1)}` });
    await tenant.createAsset('USD/2');
    await open(tenant, { ann: 100_000, ben: 100_000, payee: 0 });
    const refused = (amount: number): Promise<string> =>
      verb === 'capture'
        ? refusalOf(move(tenant, amount))
        : refusedUnchanged(store.owner, tenant.id, () => move(tenant, amount));
    const pay = (from: string, amount: number) =>
      refusalOf(tenant.createPayment({ from, to: 'payee', asset: 'USD', amount, delay: '1h', idempotencyKey: key() }));
    return { tenant, refused, pay };
  };

  test('is refused while it is paused; a deposit is not', async () => {
    const { tenant, refused } = await shop();
    await tenant.pause('asset', 'USD', 'an incident');
    expect(await refused(1)).toBe('PAUSED');
    await tenant.deposit({ account: 'ann', asset: 'USD', amount: 5, idempotencyKey: key() });
    await tenant.liftPause('asset', 'USD');
    await move(tenant, 1);
  });

  test('is at most what one payment may be', async () => {
    const { tenant, refused } = await shop();
    await tenant.setLimit({ account: 'ann', asset: 'USD', maxAmount: 50 });
    expect(await refused(51)).toBe('LIMIT_AMOUNT_EXCEEDED');
    await move(tenant, 50);
  });

  test.each([
    { account: 'ann', asset: 'USD', dailyAmount: 100 },
    { asset: 'USD', defaultDailyAmount: 100 },
    { asset: 'USD', tenantDailyAmount: 100 },
  ])('counts as sent, together with payments: %o', async (limit) => {
    const { tenant, refused, pay } = await shop();
    await tenant.setLimit(limit);
    await move(tenant, 60);
    expect(await pay('ann', 41)).toBe('LIMIT_DAILY_EXCEEDED');
    expect(await pay('ann', 40)).toBe('not refused');
    expect(await refused(1)).toBe('LIMIT_DAILY_EXCEEDED');
    expect(await pay('ben', 1)).toBe('tenantDailyAmount' in limit ? 'LIMIT_DAILY_EXCEEDED' : 'not refused');
  });

  test('needs a payment that can be approved where it is above the threshold, alone or with what was sent before', async () => {
    const { tenant, refused, pay } = await shop();
    await tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    expect(await refused(501)).toBe('APPROVAL_REQUIRED');
    expect(await pay('ann', 200)).toBe('not refused');
    await move(tenant, 300);
    expect(await refused(1)).toBe('APPROVAL_REQUIRED');
    const instead = { from: 'ann', to: 'world', asset: 'USD', amount: 501, idempotencyKey: key() };
    expect(await tenant.createPayment(instead)).toMatchObject({ approval: 'awaited' });
  });

  test('cannot use the last of a limit twice, ten at once and ten payments beside them', async () => {
    const { tenant, pay } = await shop();
    await tenant.setLimit({ asset: 'USD', tenantDailyAmount: 90 });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? refusalOf(move(tenant, 30)) : pay('ben', 30))),
    );
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(3);
    const left = await Promise.all(['ann', 'ben'].map(async (ref) => (await held(tenant, ref))[0] ?? 0n));
    expect(left.reduce((sum, each) => sum + each, 0n)).toBe(200_000n - 90n);
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
