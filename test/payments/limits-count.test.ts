// What daily limits have counted is what counts, whatever happened to limits and payments before: a limit counts amounts that were
// reserved since it was set, a raise counts the difference and moves the counted part to now, and a release takes off no more and no
// less than was counted of its payment.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callerOf, liveAt } from '../../src/kernel/index.ts';
import { DEFAULT_BOUNDS, cancelPayments, createPayments } from '../../src/payments/index.ts';
import { editPayments } from '../../src/payments/scheduled.ts';
import { setLimit } from '../../src/payments/set-limit.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { MINUTE } from '../support/processor.ts';

const KINDS = ['own', 'default', 'total'] as const;
type Kind = (typeof KINDS)[number];
const SETS = {
  own: (amount: number | null) => ({ account: 'ann', dailyAmount: amount }),
  default: (amount: number | null) => ({ defaultDailyAmount: amount }),
  total: (amount: number | null) => ({ tenantDailyAmount: amount }),
};

/** Of one payment and one limit: how much is counted, and since when. */
interface Counted {
  amount: bigint;
  at: number;
}

describe('what daily limits have counted', () => {
  const store = useUsance();
  const caller = callerOf({ actor: 'library' });
  let shops = 0;
  const shop = async () => {
    const tenant = await store.usance.createTenant({ name: `shop-${(shops += 1)}` });
    await tenant.createAsset('USD/2');
    await open(tenant, { ann: 1_000_000, payee: 0 });
    return tenant;
  };

  /** The sums that the limits which are set see, by the instants that they count from. */
  const used = async (tenantId: string): Promise<{ account: bigint | null; total: bigint | null }> => {
    const [row] = await store.owner.query(
      `with since as (
         select coalesce(max(daily_since) filter (where daily_amount is not null),
                         max(default_daily_since) filter (where default_daily_amount is not null)) as account,
                max(tenant_daily_since) filter (where tenant_daily_amount is not null) as total
         from usance.payment_limits where tenant_id = $1::uuid)
       select since.account is not null as has_account, since.total is not null as has_total,
         (select coalesce(sum(amount), 0)::text from usance.spend_buckets where tenant_id = $1::uuid and hour >= since.account) as account,
         (select coalesce(sum(amount), 0)::text from usance.tenant_spend where tenant_id = $1::uuid and hour >= since.total) as total
       from since`,
      [tenantId],
    );
    return {
      account: row?.['has_account'] ? BigInt(String(row['account'])) : null,
      total: row?.['has_total'] ? BigInt(String(row['total'])) : null,
    };
  };

  test('is what counts, however limits are set and unset and payments made, edited and cancelled', async () => {
    const steps = fc.array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({ do: fc.constant('pay' as const), amount: fc.integer({ min: 1, max: 99 }) }),
        },
        { weight: 3, arbitrary: fc.record({ do: fc.constant('toggle' as const), kind: fc.constantFrom(...KINDS) }) },
        { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(20) }) },
        {
          weight: 4,
          arbitrary: fc.record({
            do: fc.constant('edit' as const),
            which: fc.nat(20),
            amount: fc.integer({ min: 1, max: 199 }),
          }),
        },
      ),
      { minLength: 10, maxLength: 40 },
    );
    const pace = fc.constantFrom(1, 1, 25);
    const property = fc.asyncProperty(steps, pace, async (story, minutes) => {
      const tenant = await shop();
      let now = Date.parse('2027-03-01T10:03:00Z');
      const since: Record<Kind, number | null> = { own: null, default: null, total: null };
      const from = { account: () => since.own ?? since.default, total: () => since.total };
      const made: { id: string; amount: bigint; account: Counted; total: Counted }[] = [];
      for (const step of story) {
        now += minutes * MINUTE;
        const clock = liveAt(new Date(now));
        if (step.do === 'toggle') {
          const isSet = since[step.kind] !== null;
          const order = { asset: 'USD', ...SETS[step.kind](isSet ? null : 1_000_000), tenantId: tenant.id, caller };
          await store.db.transaction((tx) => setLimit(tx, clock, order));
          const first = step.kind === 'own' ? (since.default ?? now) : now;
          since[step.kind] = isSet ? null : first;
        }
        if (step.do === 'pay') {
          const amount = BigInt(step.amount);
          const order = { from: 'ann', to: 'payee', asset: 'USD', amount, delay: '168h' };
          const [result] = await store.db.transaction((tx) =>
            createPayments(tx, clock, [{ tenantId: tenant.id, caller, order }], DEFAULT_BOUNDS),
          );
          if (!result || !('payment' in result)) throw new Error('expected a payment');
          const counted = { amount, at: now };
          made.push({ id: result.payment.id, amount, account: { ...counted }, total: { ...counted } });
        }
        const chosen = 'which' in step ? made[step.which % Math.max(1, made.length)] : undefined;
        if (step.do === 'cancel' && chosen) {
          const order = { tenantId: tenant.id, id: chosen.id };
          await store.db.transaction((tx) => cancelPayments(tx, clock, caller, [order]));
          made.splice(made.indexOf(chosen), 1);
        }
        if (step.do === 'edit' && chosen) {
          const order = { tenantId: tenant.id, id: chosen.id, amount: BigInt(step.amount) };
          const [result] = await store.db.transaction((tx) => editPayments(tx, clock, caller, [order], DEFAULT_BOUNDS));
          expect(result).toMatchObject({ payment: { amount: order.amount } });
          const more = order.amount - chosen.amount;
          chosen.amount = order.amount;
          for (const name of ['account', 'total'] as const) {
            const part = chosen[name];
            const counts = part.at >= (from[name]() ?? Infinity);
            if (more > 0n) chosen[name] = { amount: (counts ? part.amount : 0n) + more, at: now };
            else part.amount = part.amount > -more ? part.amount + more : 0n;
          }
        }
        const sum = (name: 'account' | 'total'): bigint | null => {
          const first = from[name]();
          if (first === null) return null;
          return made.reduce((all, each) => (each[name].at >= first ? all + each[name].amount : all), 0n);
        };
        expect(await used(tenant.id), JSON.stringify({ story, step })).toEqual({
          account: sum('account'),
          total: sum('total'),
        });
      }
    });
    await fc.assert(property, { seed: 20_261_116, numRuns: 40 });
  });

  test('of a payment whose create began before the limit was set is given back', async () => {
    const tenant = await shop();
    const begun = liveAt(new Date(Date.now() - 5_000));
    await tenant.setLimit({ asset: 'USD', ...SETS.own(1_000) });
    const order = { from: 'ann', to: 'payee', asset: 'USD', amount: 800, delay: '168h' };
    // It waited for the balance, which setting the limit had locked, and was counted.
    const [result] = await store.db.transaction((tx) =>
      createPayments(tx, begun, [{ tenantId: tenant.id, caller, order }], DEFAULT_BOUNDS),
    );
    if (!result || !('payment' in result)) throw new Error('expected a payment');
    expect((await used(tenant.id)).account).toBe(800n);
    await tenant.cancelPayment(result.payment.id);
    expect((await used(tenant.id)).account).toBe(0n);
    await tenant.createPayment({ ...order, amount: 1_000, idempotencyKey: key() });
  });
});
