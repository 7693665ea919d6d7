// A tenant at a glance, and that a look costs the same however much there is.
import { describe, expect, test } from 'vitest';
import { asText } from '../../src/db/index.ts';
import { orderEvents } from '../../src/events/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { testProcessor } from '../support/processor.ts';
import { advance, testTenant } from '../support/test-clock.ts';

describe('the overview', () => {
  const heard: string[] = [];
  const store = useUsance({ onStatement: (text) => void heard.push(text) });
  const pay = (order: object) =>
    store.tenant.createPayment({ from: 'ann', to: 'ben', asset: 'USD', amount: 10, ...order, idempotencyKey: key() });

  test('of nothing is nothing', async () => {
    expect(await store.tenant.overview()).toMatchObject({
      waiting: 0,
      nextDueAt: null,
      due: 0,
      lateMs: 0,
      dueSchedules: { count: 0, oldest: null },
      capped: false,
      lastDay: { settled: 0, failed: 0 },
      deadLetters: [],
      awaitingApproval: [],
      inReview: [],
      waitingAmounts: [],
      dueAmounts: [],
      outages: [],
      freezes: [],
      pauses: [],
    });
  });

  test('tells what waits, what is late, what moved, what gave up, and what needs a person', async () => {
    await open(store.tenant, { ann: 10_000, ben: 0 });
    const settled = await pay({});
    await testProcessor(store.db).drain();
    const failed = await pay({ delay: '1h', amount: 30 });
    await store.tenant.failPayment(failed.id, 'wrong payee');
    const waits = await pay({ delay: '1h' });
    await pay({ delay: '2h' });
    const due = await pay({});
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 100 });
    await pay({ amount: 101 });
    await store.tenant.pause('asset', 'USD', 'an audit');
    const seen = await store.tenant.overview();
    expect(seen).toMatchObject({
      waiting: 2,
      waitingAmounts: [{ asset: 'USD/2', count: 2, amount: 20n }],
      nextDueAt: waits.executeAt,
      due: 1,
      dueAmounts: [{ asset: 'USD/2', count: 1, amount: 10n }],
      oldestDueAt: due.executeAt,
      lastHour: { settled: 1, failed: 1 },
      lastDay: { settled: 1, failed: 1 },
      recentCapped: false,
      deadLetters: [{ asset: 'USD/2', count: 1, amount: 30n }],
      awaitingApproval: [{ asset: 'USD/2', count: 1, amount: 101n }],
      pauses: [{ scope: 'asset', value: 'USD/2', reason: 'an audit' }],
    });
    expect(seen.lateMs).toBe(seen.at.getTime() - due.executeAt.getTime());
    expect(seen.unordered.count).toBeGreaterThan(0);
    expect(seen.unordered.oldest?.getTime()).toBeLessThanOrEqual(settled.createdAt.getTime() + 60_000);
    await orderEvents(store.usance.db);
    expect((await store.tenant.overview()).unordered).toEqual({ count: 0, oldest: null });
  });

  test('counts the outcomes of the last hour and day by a test clock', async () => {
    const began = new Date('2027-01-01T00:00:00Z');
    const own = await testTenant(store.usance, began);
    const { tenant } = own;
    await tenant.createAsset('USD/2');
    await open(tenant, { ann: 10_000, ben: 0 });
    for (const delay of ['1h', '24h', 'PT47H30M'])
      await tenant.createPayment({ from: 'ann', to: 'ben', asset: 'USD', amount: 10, delay, idempotencyKey: key() });
    await advance(store.usance, own, new Date('2027-01-03T00:00:00Z'));
    expect(await tenant.overview()).toMatchObject({
      lastHour: { settled: 1, failed: 0 },
      lastDay: { settled: 1, failed: 0 },
    });
    await advance(store.usance, own, new Date('2027-01-03T00:45:00Z'));
    expect(await tenant.overview()).toMatchObject({ lastHour: { settled: 0 }, lastDay: { settled: 1 } });
  });

  test('shows no next payment where all that wait await approval', async () => {
    const tenant = await store.usance.createTenant({ name: 'careful' });
    await tenant.createAsset('USD/2');
    await open(tenant, { ann: 10_000, ben: 0 });
    await tenant.setLimit({ asset: 'USD', approvalAbove: 0 });
    const order = { from: 'ann', to: 'ben', asset: 'USD', amount: 10 };
    await tenant.createPayment({ ...order, idempotencyKey: key() });
    expect(await tenant.overview()).toMatchObject({ waiting: 0, nextDueAt: null, due: 0 });
    await tenant.setLimit({ asset: 'USD', approvalAbove: null });
    // Long after the other would expire.
    const { executeAt } = await tenant.createPayment({
      ...order,
      funding: 'at_execution',
      delay: '30d',
      idempotencyKey: key(),
    });
    expect(await tenant.overview()).toMatchObject({ waiting: 1, nextDueAt: executeAt, due: 0 });
  });

  test('is of one tenant alone', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    expect(await other.overview()).toMatchObject({
      waiting: 0,
      due: 0,
      deadLetters: [],
      pauses: [],
      awaitingApproval: [],
    });
  });

  test('reads no table from end to end where there is much', async () => {
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       insert into usance.payments (tenant_id, id, status, rail, funding, payer_id, payee_id, asset, amount, execute_at, priority,
         created_by, created_at, updated_at)
       select p.tenant_id, gen_random_uuid(), 'scheduled', p.rail, 'at_execution', p.payer_id, p.payee_id, p.asset, 1,
              now() + n * interval '1 minute', n % 3, 'test', now(), now()
       from (select * from usance.payments limit 1) p, generate_series(1, 40000) n;
       insert into usance.due (tenant_id, payment_id, priority, due_at)
       select tenant_id, id, priority, execute_at from usance.payments where created_by = 'test';
       insert into usance.events (tenant_id, id, type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt)
       select tenant_id, id, 'payment.created', 1, 'payment', id, '{}', 'test', now(), now(), id from usance.payments where created_by = 'test';
       commit`,
    );
    await store.owner.query('analyze');
    heard.length = 0;
    const seen = await store.tenant.overview();
    // Counted up to 10,000 of each priority, less the one that awaits approval.
    expect(seen).toMatchObject({
      waiting: 29_999,
      waitingAmounts: [{ asset: 'USD/2', count: 6_000 }],
      capped: true,
    });
    const big = heard.filter((text) => /usance\.(due|payments|events)\b/.test(text));
    // What is due and what waits by asset are read like the rest, after those.
    expect(big.length).toBe(5);
    for (const text of big) {
      const due = text.includes('sum(p.amount') ? [null, seen.at] : [seen.at, 10_000, null];
      const bounds = text.includes('usance.events') ? [50_000, seen.at] : text.includes('usance.due') ? due : [];
      const given = [store.tenant.id, ...bounds];
      const rows = await store.owner.query(`explain ${text}`, given);
      const plan = rows.map((row) => asText(row['QUERY PLAN'])).join('\n');
      expect(plan).not.toMatch(/Seq Scan on (due|payments|events)/);
    }
  });
});
