// Daily limits: of one account, of every account of a tenant by default, and of a tenant in all. In no 24 hours is more sent.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callerOf, liveAt } from '../../src/kernel/index.ts';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { DEFAULT_BOUNDS, cancelPayments, createPayments } from '../../src/payments/index.ts';
import { editPayments } from '../../src/payments/scheduled.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { DAY, HOUR, MINUTE, testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { advance, testTenant } from '../support/test-clock.ts';

const ASSET = 'USD/2';

describe('daily limits', () => {
  const store = useUsance({ poolSize: 20 });

  let shops = 0;
  /** A tenant with accounts of its own, so that one test's limits are no other's. */
  const shop = async (limits: { defaultDailyAmount?: number; tenantDailyAmount?: number }, accounts: string[]) => {
    const tenant = await store.usance.createTenant({ name: `shop-${(shops += 1)}` });
    await tenant.createAsset(ASSET);
    await open(tenant, Object.fromEntries([...accounts.map((ref) => [ref, 10_000] as const), ['payee', 0]]));
    await tenant.setLimit({ asset: 'USD', ...limits });
    const create = (from: string, amount: number, fields: Partial<PaymentOrder> = {}) =>
      tenant.createPayment({ from, to: 'payee', asset: 'USD', amount, delay: '48h', ...fields, idempotencyKey: key() });
    const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, tenant.id, work);
    return { tenant, create, refused };
  };

  test('look back over 24 hours, to the second', async () => {
    const own = await testTenant(store.usance, '2027-03-01T10:59:59Z');
    const { tenant } = own;
    await open(tenant, { payer: 10_000, payee: 0 });
    await tenant.setLimit({ account: 'payer', asset: 'USD', dailyAmount: 100 });
    const pay = () =>
      refusalOf(tenant.createPayment({ from: 'payer', to: 'payee', asset: 'USD', amount: 100, idempotencyKey: key() }));
    expect(await pay()).toBe('not refused');
    for (const early of ['2027-03-02T10:00:00Z', '2027-03-02T10:00:01Z', '2027-03-02T10:59:58Z']) {
      await advance(store.usance, own, early);
      expect(await pay(), early).toBe('LIMIT_DAILY_EXCEEDED');
    }
    await advance(store.usance, own, '2027-03-02T12:00:00Z');
    expect(await pay()).toBe('not refused');
  });

  test('in no 24 hours is more sent than a limit allows, however payments, edits and cancels follow each other', async () => {
    const LIMITS = { own: 100n, default: 70n, total: 160n };
    const caller = callerOf({ actor: 'library' });
    const account = fc.constantFrom('own', 'ann', 'ben');
    const steps = fc.array(
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({
            do: fc.constant('pay' as const),
            from: account,
            amount: fc.integer({ min: 1, max: 60 }),
          }),
        },
        { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(20) }) },
        {
          weight: 2,
          arbitrary: fc.record({
            do: fc.constant('edit' as const),
            which: fc.nat(20),
            amount: fc.integer({ min: 1, max: 80 }),
          }),
        },
        {
          weight: 5,
          arbitrary: fc.record({
            do: fc.constant('wait' as const),
            minutes: fc.constantFrom(1, 29, 60, 61, 360, 719, 1_379, 1_381, 1_439, 1_440),
          }),
        },
      ),
      { minLength: 10, maxLength: 30 },
    );
    let accepted = 0;
    const property = fc.asyncProperty(steps, async (story) => {
      const { tenant } = await shop({ defaultDailyAmount: 70, tenantDailyAmount: 160 }, ['own', 'ann', 'ben']);
      await tenant.setLimit({ account: 'own', asset: 'USD', dailyAmount: 100 });
      let now = Date.parse('2027-03-01T00:00:00Z');
      /** Of each payment what was added when, and when all of it was counted last. */
      const made: { id: string; from: string; parts: { at: number; amount: bigint }[]; countedAt: number }[] = [];
      const sum = (of: typeof made, afterMs: number): bigint =>
        of.flatMap(({ parts }) => parts).reduce((total, { at, amount }) => (at > afterMs ? total + amount : total), 0n);
      const groups = (from: string): [typeof made, bigint][] => [
        [made.filter((each) => each.from === from), from === 'own' ? LIMITS.own : LIMITS.default],
        [made, LIMITS.total],
      ];
      const check = (from: string): void => {
        for (const [group, most] of groups(from))
          expect(sum(group, now - DAY) <= most, JSON.stringify(story)).toBe(true);
      };
      for (const step of story) {
        const clock = liveAt(new Date(now));
        if (step.do === 'wait') now += step.minutes * MINUTE;
        if (step.do === 'pay') {
          const amount = BigInt(step.amount);
          const order = { from: step.from, to: 'payee', asset: 'USD', amount, delay: '168h' };
          const [result] = await store.db.transaction((tx) =>
            createPayments(tx, clock, [{ tenantId: tenant.id, caller, order }], DEFAULT_BOUNDS),
          );
          // An hour longer than a day it may count, and not longer.
          const mustFit = groups(step.from).every(
            ([group, most]) =>
              group.reduce(
                (total, each) => (each.countedAt > now - 25 * HOUR ? total + sum([each], 0) : total),
                amount,
              ) <= most,
          );
          if (result && 'payment' in result) {
            accepted += 1;
            made.push({ id: result.payment.id, from: step.from, parts: [{ at: now, amount }], countedAt: now });
          } else expect(mustFit, JSON.stringify(story)).toBe(false);
          check(step.from);
        }
        const chosen = 'which' in step ? made[step.which % Math.max(1, made.length)] : undefined;
        if (step.do === 'cancel' && chosen) {
          await store.db.transaction((tx) =>
            cancelPayments(tx, clock, caller, [{ tenantId: tenant.id, id: chosen.id }]),
          );
          made.splice(made.indexOf(chosen), 1);
        }
        if (step.do === 'edit' && chosen) {
          const amount = BigInt(step.amount);
          const more = amount - sum([chosen], 0);
          const [result] = await store.db.transaction((tx) =>
            editPayments(tx, clock, caller, [{ tenantId: tenant.id, id: chosen.id, amount }], DEFAULT_BOUNDS),
          );
          if (result && 'refused' in result) continue;
          if (more > 0n) Object.assign(chosen, { countedAt: now, parts: [...chosen.parts, { at: now, amount: more }] });
          // The latest part goes first: what is left was set aside the earliest.
          for (let less = -more; less > 0n;) {
            const last = chosen.parts.at(-1);
            if (!last) break;
            const taken = less < last.amount ? less : last.amount;
            last.amount -= taken;
            less -= taken;
            if (last.amount === 0n) chosen.parts.pop();
          }
          check(chosen.from);
        }
      }
    });
    await fc.assert(property, { seed: 20_260_112, numRuns: 25 });
    expect(accepted).toBeGreaterThan(100);
  }, 120_000);

  test('a default holds for every account that has no limit of its own', async () => {
    const { tenant, create, refused } = await shop({ defaultDailyAmount: 100 }, ['ann', 'ben', 'own']);
    await tenant.setLimit({ account: 'own', asset: 'USD', dailyAmount: 300 });
    await create('ann', 60);
    expect(await refused(() => create('ann', 41))).toBe('LIMIT_DAILY_EXCEEDED');
    await create('ann', 40);
    await create('ben', 100);
    await create('own', 300);
    expect(await refused(() => create('own', 1))).toBe('LIMIT_DAILY_EXCEEDED');
    await tenant.setLimit({ account: 'own', asset: 'USD', dailyAmount: null });
    expect(await refused(() => create('own', 1))).toBe('LIMIT_DAILY_EXCEEDED');
    await tenant.setLimit({ asset: 'USD', defaultDailyAmount: null });
    await create('ann', 1_000);
  });

  test('a total holds for all accounts together, whatever their own limits are', async () => {
    const { tenant, create, refused } = await shop({ tenantDailyAmount: 100 }, ['ann', 'ben', 'own']);
    await tenant.setLimit({ account: 'own', asset: 'USD', dailyAmount: 80 });
    await create('ann', 30);
    await create('ben', 30);
    expect(await refused(() => create('own', 41))).toBe('LIMIT_DAILY_EXCEEDED');
    await create('own', 40);
    expect(await refused(() => create('ben', 1))).toBe('LIMIT_DAILY_EXCEEDED');
    // Money that comes in is not sent.
    await tenant.createPayment({
      from: 'world',
      to: 'ann',
      asset: 'USD',
      amount: 500,
      funding: 'at_execution',
      idempotencyKey: key(),
    });
    await testProcessor(store.db).drain();
    expect(await tenant.payments({ from: 'world', status: 'settled' })).toHaveLength(1);
  });

  test.each([{ defaultDailyAmount: 100 }, { tenantDailyAmount: 100 }])(
    'a cancel, a failure and an edit to less give back, a retry and an edit to more count: %o',
    async (limits) => {
      const { tenant, create, refused } = await shop(limits, ['ann']);
      const [first, second] = [await create('ann', 60), await create('ann', 40)];
      expect(await refused(() => create('ann', 1))).toBe('LIMIT_DAILY_EXCEEDED');
      await tenant.cancelPayment(first.id);
      await tenant.failPayment(second.id, 'for the test');
      const third = await create('ann', 100);
      expect(await refused(() => tenant.retryPayment(second.id))).toBe('LIMIT_DAILY_EXCEEDED');
      await tenant.editPayment(third.id, { amount: 50 });
      await tenant.retryPayment(second.id);
      expect(await refused(() => tenant.editPayment(third.id, { amount: 61 }))).toBe('LIMIT_DAILY_EXCEEDED');
      await tenant.editPayment(third.id, { amount: 60 });
      expect(await refused(() => create('ann', 1))).toBe('LIMIT_DAILY_EXCEEDED');
    },
  );

  test.each([{ defaultDailyAmount: 100 }, { tenantDailyAmount: 100 }])(
    'releasing what was set aside before the limit, at the same instant, takes nothing off: %o',
    async (limits) => {
      const own = await testTenant(store.usance);
      const { tenant } = own;
      await open(tenant, { ann: 10_000, payee: 0 });
      const make = (amount: number) =>
        tenant.createPayment({ from: 'ann', to: 'payee', asset: 'USD', amount, delay: '96h', idempotencyKey: key() });
      const before = await make(100);
      await tenant.setLimit({ asset: 'USD', ...limits });
      await make(100);
      await tenant.cancelPayment(before.id);
      expect(await refusalOf(make(1))).toBe('LIMIT_DAILY_EXCEEDED');
    },
  );

  test.each([
    [{ defaultDailyAmount: 90 }, 1],
    [{ tenantDailyAmount: 90 }, 5],
  ])('twenty creates at once cannot use the last of it twice: %o', async (limits, payers) => {
    const accounts = Array.from({ length: payers }, (_, n) => `racer-${n}`);
    const { tenant, create } = await shop(limits, accounts);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => refusalOf(create(`racer-${n % payers}`, 30, { delay: '1h' }))),
    );
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'LIMIT_DAILY_EXCEEDED')).toHaveLength(17);
    expect(await tenant.payments({ status: 'scheduled' })).toHaveLength(3);
  });

  test.each([
    [{ defaultDailyAmount: 90 }, 1],
    [{ tenantDailyAmount: 90 }, 5],
  ])('three processors at once cannot either: %o', async (limits, payers) => {
    const accounts = Array.from({ length: payers }, (_, n) => `raced-${n}`);
    const { tenant, create } = await shop(limits, accounts);
    for (let n = 0; n < 20; n += 1) await create(`raced-${n % payers}`, 30, { funding: 'at_execution', delay: 0 });
    await Promise.all([1, 2, 3].map(() => testProcessor(store.db, { batchSize: 7 }).drain()));
    expect(await tenant.payments({ status: 'settled' })).toHaveLength(3);
    const waiting = await tenant.payments({ status: 'scheduled' });
    expect(waiting.map(({ lastCode }) => lastCode)).toEqual(Array.from({ length: 17 }, () => 'LIMIT_DAILY_EXCEEDED'));
  });

  test('are of a tenant or of an account, never of the other; shown, and on record', async () => {
    const { tenant, refused } = await shop({ defaultDailyAmount: 70, tenantDailyAmount: 160 }, ['ann']);
    for (const limit of [
      { account: 'ann', asset: 'USD', defaultDailyAmount: 5 },
      { account: 'ann', asset: 'USD', tenantDailyAmount: 5 },
      { asset: 'USD', dailyAmount: 5 },
    ])
      expect(await refused(() => tenant.setLimit(limit))).toBe('FIELD_INVALID');
    expect(await refused(() => tenant.setLimit({ asset: 'USD', tenantDailyAmount: 0 }))).toBe('AMOUNT_NOT_POSITIVE');
    await tenant.setLimit({ asset: 'USD', defaultDailyAmount: null });
    expect(await tenant.limits()).toMatchObject([
      { accountId: null, dailyAmount: null, defaultDailyAmount: null, tenantDailyAmount: 160n },
    ]);
    const told = await store.owner.query(
      `select data -> 'new' ->> 'tenantDailyAmount' as total from usance.events where type = 'limit.set' and tenant_id = $1::uuid`,
      [tenant.id],
    );
    expect(told).toEqual([{ total: '160' }, { total: '160' }]);
    await tenant.setLimit({ asset: 'USD', tenantDailyAmount: null });
    expect(await tenant.limits()).toEqual([]);
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
