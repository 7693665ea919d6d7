// What made a payment, where no caller did: a column of its own, set when it is made and never changed.
import { describe, expect, test } from 'vitest';
import type { PlanOrder } from '../../src/schedules/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY } from '../support/processor.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';

const store = useUsance();

const MONTHLY = {
  name: 'Club',
  price: 1_000,
  asset: 'USD',
  receiver: 'club',
  period: { frequency: 'MONTHLY' },
  months: 12,
} as const satisfies PlanOrder;

describe('the owner of a payment', () => {
  test('is the schedule, the subscription or the allowance that made it, and no one for a caller’s', async () => {
    const of = await testTenant(store.usance);
    const { tenant } = of;
    await open(tenant, { ann: 100_000, club: 0 });
    await tenant.openAccount({ ref: 'kid', guardian: 'ann' });
    const schedule = await tenant.createSchedule({
      from: 'ann',
      to: 'club',
      asset: 'USD',
      amount: 100,
      rule: { frequency: 'DAILY' },
      idempotencyKey: key(),
    });
    const plan = await tenant.createPlan(MONTHLY);
    const subscription = await tenant.subscribe({ plan: plan.id, payer: 'ann', idempotencyKey: key() });
    const family = { guardian: 'ann', junior: 'kid' };
    const terms = { asset: 'USD', amount: 300, frequency: 'DAILY', status: 'ON' } as const;
    const allowance = await tenant.createAllowance({ ...family, ...terms });
    await tenant.createPayment({ from: 'ann', to: 'club', asset: 'USD', amount: 7, idempotencyKey: key() });
    await advance(store.usance, of, after(DAY));

    const owners = new Map((await tenant.payments()).map(({ amount, owner }) => [amount, owner]));
    expect(owners.get(100n)).toEqual({ kind: 'schedule', id: schedule.id });
    expect(owners.get(1_000n)).toEqual({ kind: 'subscription', id: subscription.id });
    expect(owners.get(300n)).toEqual({ kind: 'allowance', id: allowance.id });
    expect(owners.get(7n)).toBeNull();
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('stays what it was, whatever is written', async () => {
    const { tenant, id } = await plain();
    const owned = store.owner.query(
      `update usance.payments set owner_kind = 'subscription', owner_id = id where id = '${id}'`,
    );
    await expect(owned).rejects.toThrow(/may not change like this \(scheduled to scheduled\)/);
    expect((await tenant.payment(id)).owner).toBeNull();
  });

  test('is both, its kind and its id, or nothing', async () => {
    const { id } = await plain();
    const half = store.owner.query(`update usance.payments set owner_kind = 'schedule' where id = '${id}'`);
    await expect(half).rejects.toThrow(/payments_owner_is_whole/);
  });
});

async function plain() {
  const { tenant } = await testTenant(store.usance);
  await open(tenant, { ann: 100, club: 0 });
  const order = { from: 'ann', to: 'club', asset: 'USD', amount: 7, delay: '1h', idempotencyKey: key() };
  return { tenant, ...(await tenant.createPayment(order)) };
}
