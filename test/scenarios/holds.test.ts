// The document on delayed payments, told on a test clock: 100 of 250 wait for 48 hours and are paid, as its views show it.
import { describe, expect, test } from 'vitest';
import { key } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, testTenant } from '../support/test-clock.ts';

const store = useUsance();
const CREATED = '2027-01-01T09:30:00.000Z';
const DUE = '2027-01-03T09:30:00.000Z';

/** Two users; the sender has 250. */
async function users(): Promise<TestTenant> {
  const world = await testTenant(store.usance, CREATED);
  for (const ref of ['sender', 'recipient']) await world.tenant.openAccount({ ref });
  await world.tenant.deposit({ account: 'sender', asset: 'USD', amount: 250, idempotencyKey: key() });
  return world;
}

const hold = ({ tenant }: TestTenant, amount = 100) =>
  tenant.createPayment({ from: 'sender', to: 'recipient', asset: 'USD', amount, delay: '48h', idempotencyKey: key() });

const view = (text: string, { tenant }: TestTenant, order = '') =>
  store.db.query(`select ${text} where v.tenant_id = $1::uuid ${order}`, [tenant.id]);

const balances = async (world: TestTenant) =>
  Object.fromEntries(
    (
      await view(
        `a.username, v.available_balance::int as available, v.reserved_balance::int as reserved, v.total_balance::int as total
         from usance_docs_test.user_balances v join usance_docs_test.user_accounts a using (user_id)`,
        world,
      )
    ).map((row) => [row['username'], [row['available'], row['reserved'], row['total']]]),
  );

const holds = (world: TestTenant) =>
  view(
    `v.status, v.retry_count, v.completed_at = '${DUE}'::timestamptz as on_time, r.status as reservation
     from usance_docs_test.payment_holds v left join usance_docs_test.balance_reservations r using (reservation_id)`,
    world,
  );

describe('a hold of 48 hours', () => {
  test('goes from PENDING to COMPLETED when they have passed, not before', async () => {
    const world = await users();
    const { id, executeAt } = await hold(world);
    expect(executeAt.toISOString()).toBe(DUE);
    expect(await balances(world)).toMatchObject({ sender: [150, 100, 250] });
    expect(await holds(world)).toEqual([{ status: 'PENDING', retry_count: 0, on_time: null, reservation: 'ACTIVE' }]);

    await advance(store.usance, world, '2027-01-03T09:29:59.999Z');
    expect(await holds(world)).toEqual([{ status: 'PENDING', retry_count: 0, on_time: null, reservation: 'ACTIVE' }]);

    await advance(store.usance, world, DUE);
    expect(await holds(world)).toEqual([
      { status: 'COMPLETED', retry_count: 0, on_time: true, reservation: 'CAPTURED' },
    ]);
    expect(await balances(world)).toEqual({ sender: [150, 0, 150], recipient: [100, 0, 100] });
    const events = await view(
      `v.event_type, v.to_status, v.created_at = '${DUE}'::timestamptz as on_time from usance_docs_test.hold_events v`,
      world,
      'order by v.created_at, v.event_id',
    );
    expect(events.at(0)).toMatchObject({ event_type: 'CREATED', to_status: 'PENDING' });
    expect(events.at(-1)).toEqual({ event_type: 'COMPLETED', to_status: 'COMPLETED', on_time: true });
    const [record] = await view(
      `v.action_type, v.details ->> 'amount' as amount, v.resource_id from usance_docs_test.audit_events v`,
      world,
      `and v.action_type = 'PAYMENT_COMPLETED'`,
    );
    expect(record).toEqual({ action_type: 'PAYMENT_COMPLETED', amount: '100', resource_id: id });
  });

  test('is CANCELLED while PENDING, and its money is available again', async () => {
    const world = await users();
    const { id } = await hold(world);
    await advance(store.usance, world, '2027-01-02T09:30:00Z');
    await world.tenant.cancelPayment(id);
    await advance(store.usance, world, '2027-01-05T00:00:00Z');
    expect(await holds(world)).toEqual([
      { status: 'CANCELLED', retry_count: 0, on_time: null, reservation: 'RELEASED' },
    ]);
    expect(await balances(world)).toMatchObject({ sender: [250, 0, 250] });
  });
});

describe('the daily limit of the holds design', () => {
  test('applies to every user, over 24 hours, unless the user has their own', async () => {
    const world = await users();
    await world.tenant.setLimit({ asset: 'USD', defaultDailyAmount: 120 });
    await hold(world);
    expect(await refusalOf(hold(world, 50))).toBe('LIMIT_DAILY_EXCEEDED');
    await hold(world, 20);
    await advance(store.usance, world, '2027-01-02T11:00:00Z');
    await hold(world, 30);
    await world.tenant.setLimit({ asset: 'USD', account: 'sender', dailyAmount: 1_000 });
    await hold(world, 100);
    expect(await balances(world)).toMatchObject({ sender: [0, 250, 250] });
  });
});
