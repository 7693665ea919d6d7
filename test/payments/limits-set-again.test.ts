// While a limit is unset nothing is counted, and a limit that is set after it was unset starts from 0 used. Changing its value keeps
// what was counted.
import { describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import { advance, testTenant } from '../support/test-clock.ts';

const KINDS = {
  'an account’s own limit': (amount: number | null) => ({ account: 'ann', dailyAmount: amount }),
  'the default of every account': (amount: number | null) => ({ defaultDailyAmount: amount }),
  'the total of the tenant': (amount: number | null) => ({ tenantDailyAmount: amount }),
};

describe('a daily limit', () => {
  const store = useUsance();

  let shops = 0;
  const shopOf = async (tenant: TenantHandle) => {
    await open(tenant, { ann: 100_000, payee: 0 });
    const create = (amount: number) =>
      tenant.createPayment({ from: 'ann', to: 'payee', asset: 'USD', amount, delay: '48h', idempotencyKey: key() });
    const set = (limit: Omit<Parameters<TenantHandle['setLimit']>[0], 'asset'>) =>
      tenant.setLimit({ asset: 'USD', ...limit });
    return { tenant, create, set };
  };
  const shop = async () => {
    const tenant = await store.usance.createTenant({ name: `shop-${(shops += 1)}` });
    await tenant.createAsset('USD/2');
    return shopOf(tenant);
  };
  const refused = refusalOf;

  describe.each(Object.entries(KINDS))('%s', (_name, limit) => {
    test('that is set again starts from 0 used', async () => {
      const { create, set } = await shop();
      await set(limit(1000));
      await create(800);
      await set(limit(null));
      await create(5000);
      await set(limit(1000));
      expect(await refused(create(1001))).toBe('LIMIT_DAILY_EXCEEDED');
      await create(300);
      await create(700);
      expect(await refused(create(1))).toBe('LIMIT_DAILY_EXCEEDED');
    });

    test('that is set again is given nothing back by a payment that it never counted', async () => {
      const { tenant, create, set } = await shop();
      await set(limit(1000));
      const old = await create(800);
      await set(limit(null));
      await set(limit(1000));
      const counted = await create(900);
      await tenant.cancelPayment(old.id);
      expect(await refused(create(101))).toBe('LIMIT_DAILY_EXCEEDED');
      await tenant.cancelPayment(counted.id);
      await create(1000);
    });

    test('that is set again is not exceeded by an edit of a payment that it never counted', async () => {
      const { tenant, create, set } = await shop();
      await set(limit(1000));
      const old = await create(800);
      await set(limit(null));
      await set(limit(1000));
      await create(900);
      // The 50 more count; the 800 were made before the limit was set.
      await tenant.editPayment(old.id, { amount: 850 });
      expect(await refused(create(51))).toBe('LIMIT_DAILY_EXCEEDED');
      expect(await refused(tenant.editPayment(old.id, { amount: 901 }))).toBe('LIMIT_DAILY_EXCEEDED');
      await create(50);
      await tenant.cancelPayment(old.id);
      expect(await refused(create(51))).toBe('LIMIT_DAILY_EXCEEDED');
      await create(50);
    });

    test('gives back what an edit counted of a payment that was made before the limit', async () => {
      const { tenant, create, set } = await shop();
      const old = await create(800);
      await set(limit(1000));
      await tenant.editPayment(old.id, { amount: 900 });
      expect(await refused(create(901))).toBe('LIMIT_DAILY_EXCEEDED');
      await tenant.editPayment(old.id, { amount: 840 });
      expect(await refused(create(961))).toBe('LIMIT_DAILY_EXCEEDED');
      await tenant.editPayment(old.id, { amount: 850 });
      expect(await refused(create(951))).toBe('LIMIT_DAILY_EXCEEDED');
      await tenant.cancelPayment(old.id);
      await create(1000);
      expect(await refused(create(1))).toBe('LIMIT_DAILY_EXCEEDED');
    });

    test('keeps what it counted when its value changes', async () => {
      const { create, set } = await shop();
      await set(limit(1000));
      await create(800);
      await set(limit(900));
      expect(await refused(create(101))).toBe('LIMIT_DAILY_EXCEEDED');
      await set(limit(2000));
      expect(await refused(create(1201))).toBe('LIMIT_DAILY_EXCEEDED');
      await create(1200);
    });

    test('that was set within an hour looks back no longer than one that was not', async () => {
      const own = await testTenant(store.usance, '2027-03-01T10:20:00Z');
      const { create, set } = await shopOf(own.tenant);
      await set(limit(100));
      await advance(store.usance, own, '2027-03-01T10:59:59Z');
      await create(100);
      await advance(store.usance, own, '2027-03-02T10:59:58Z');
      expect(await refused(create(1))).toBe('LIMIT_DAILY_EXCEEDED');
      await advance(store.usance, own, '2027-03-02T11:00:00Z');
      await create(100);
    });
  });

  test('of an account continues what the default counted', async () => {
    const { create, set } = await shop();
    await set({ defaultDailyAmount: 1000 });
    await create(800);
    await set({ account: 'ann', dailyAmount: 1000 });
    expect(await refused(create(201))).toBe('LIMIT_DAILY_EXCEEDED');
    await set({ account: 'ann', dailyAmount: null });
    expect(await refused(create(201))).toBe('LIMIT_DAILY_EXCEEDED');
    await create(200);
  });

  test('says what it has counted, which is not all that was sent', async () => {
    const { create, set } = await shop();
    await create(5000);
    await set({ account: 'ann', dailyAmount: 1000 });
    await create(800);
    await expect(create(300)).rejects.toThrow(
      /^the daily limit of account "ann" is 10\.00 USD, of which 8\.00 USD is used; 3\.00 USD more would exceed it$/,
    );
  });
});
