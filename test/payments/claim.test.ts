// Which due payments are taken, by how many processors, and that none is taken early.
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { liveAt } from '../../src/kernel/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import type { PaymentOrder, Priority, SettleReport } from '../../src/payments/index.ts';
import { Claimer, settleDue } from '../../src/payments/index.ts';
import { OWNER_RULES } from '../../src/schedules/index.ts';
import { takeExecutions } from '../../src/tenants/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, MINUTE, testProcessor, testTime } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';

const many = (count: number, fields: Partial<PaymentOrder> = {}): PaymentOrder[] =>
  Array.from({ length: count }, () => ({ from: 'payer', to: 'payee', asset: 'USD', amount: 1, ...fields }));

/** A tenant with a payer that can pay all that is asked for here. */
async function newTenant(store: ReturnType<typeof useUsance>, name: string): Promise<TenantHandle> {
  const tenant = await store.usance.createTenant({ name });
  await tenant.createAsset('USD/2');
  await open(tenant, { payer: 100_000, payee: 0 });
  return tenant;
}

const create = (tenant: TenantHandle, orders: PaymentOrder[]) =>
  tenant.createPayments(orders, { idempotencyKey: key() });
const oneBatch = (db: Database, batchSize: number, claimer = new Claimer()): Promise<SettleReport> =>
  settleDue(db, claimer, { batchSize, simulateFailures: 0, ownerRules: OWNER_RULES, readClock: testTime().readClock });
const settledOf = async (tenant: TenantHandle): Promise<bigint> => (await held(tenant, 'payee'))[0];

describe('a batch', () => {
  const store = useUsance();

  test('serves a small tenant at once beside one with thousands due', async () => {
    const [large, small] = [await newTenant(store, 'large'), await newTenant(store, 'small')];
    await create(large, many(5_000));
    await create(small, many(5));
    expect(await oneBatch(store.db, 1_000)).toMatchObject({ outcomes: { settled: 505 } });
    expect([await settledOf(large), await settledOf(small)]).toEqual([500n, 5n]);
    await testProcessor(store.db).drain();
    expect(await settledOf(large)).toBe(5_000n);
  });

  test('serves more tenants than fit into one, each in its turn', async () => {
    const tenants: TenantHandle[] = [];
    for (let n = 0; n < 70; n += 1) tenants.push(await newTenant(store, `many-${n}`));
    for (const tenant of tenants) await create(tenant, many(3));
    const claimer = new Claimer();
    await oneBatch(store.db, 64, claimer);
    await oneBatch(store.db, 64, claimer);
    for (const tenant of tenants) expect(await settledOf(tenant), tenant.name).toBeGreaterThan(0n);
    await testProcessor(store.db).drain();
  });

  test('gives each priority its share, and the whole batch to a priority without competition', async () => {
    const tenant = await newTenant(store, 'shares');
    const settled = async (): Promise<number[]> => {
      const rows = await store.owner.query(
        `select priority, count(*)::int as n from usance.payments where tenant_id = $1::uuid and status = 'settled'
         group by 1 order by 1`,
        [tenant.id],
      );
      return rows.map(({ n }) => Number(n));
    };
    for (const priority of ['low', 'normal', 'high'] satisfies Priority[])
      await create(tenant, many(200, { priority }));
    await oneBatch(store.db, 100);
    expect(await settled()).toEqual([70, 20, 10]);
    await oneBatch(store.db, 100);
    expect(await settled()).toEqual([140, 40, 20]);
    await testProcessor(store.db).drain();
    expect(await settled()).toEqual([200, 200, 200]);
    await create(tenant, many(150, { priority: 'low' }));
    expect(await oneBatch(store.db, 100)).toMatchObject({ outcomes: { settled: 100 } });
    await testProcessor(store.db).drain();
  });

  test('takes the oldest first', async () => {
    const tenant = await newTenant(store, 'oldest');
    for (const secondsAgo of [10, 40, 20, 30])
      await create(tenant, many(1, { executeAt: new Date(Date.now() - secondsAgo * 1_000), amount: secondsAgo }));
    await oneBatch(store.db, 2);
    expect(await settledOf(tenant)).toBe(70n);
    await testProcessor(store.db).drain();
  });

  test('finds what was created for an instant that the last one had passed', async () => {
    const tenant = await newTenant(store, 'behind');
    const claimer = new Claimer();
    const old = (secondsAgo: number) =>
      create(tenant, many(2, { executeAt: new Date(Date.now() - secondsAgo * 1_000) }));
    await old(10);
    await oneBatch(store.db, 2, claimer);
    await old(30);
    while ((await oneBatch(store.db, 2, claimer)).claimed > 0);
    expect(await settledOf(tenant)).toBe(4n);
  });

  test('that can take nothing although something is due says to come again soon, not at once', async () => {
    const tenant = await newTenant(store, 'held');
    await create(tenant, many(1));
    await store.owner.transaction(async (tx) => {
      await tx.query('select 1 from usance.due where tenant_id = $1::uuid for update', [tenant.id]);
      const { claimed, nextInMs } = await oneBatch(store.db, 10);
      expect([claimed, nextInMs]).toEqual([0, null]);
    });
    await tenant.setExecutionCap(1);
    await create(tenant, many(5));
    let report = await oneBatch(store.db, 10);
    while (report.claimed > 0) report = await oneBatch(store.db, 10);
    expect(report.nextInMs).toBeGreaterThan(0);
    expect(report.nextInMs).toBeLessThanOrEqual(1_000);
    await tenant.setExecutionCap(null);
    await testProcessor(store.db).drain();
  });

  test('leaves the payments of a test tenant alone', async () => {
    const tenant = await store.usance.createTenant({ name: 'trial', kind: 'test' });
    await tenant.createTestClock({ name: 'trial', now: '2020-01-01T00:00:00Z' });
    await tenant.createAsset('USD/2');
    await open(tenant, { payer: 10, payee: 0 });
    await create(tenant, many(1));
    expect(await oneBatch(store.db, 10)).toMatchObject({ claimed: 0 });
  });
});

describe('a cap of executions a second', () => {
  const store = useUsance({ poolSize: 20 });

  test('is granted once, whoever asks at the same moment', async () => {
    const tenant = await newTenant(store, 'asked');
    const secondOf = async (): Promise<unknown> =>
      (
        await store.owner.query('select second::text from usance.execution_rates where tenant_id = $1::uuid', [
          tenant.id,
        ])
      )[0];
    const take = (wanted: number) => store.db.transaction((tx) => takeExecutions(tx, tenant.id, wanted, 10));
    for (;;) {
      await take(1);
      const before = await secondOf();
      const granted = await Promise.all(Array.from({ length: 8 }, () => take(4)));
      const later = await take(10);
      // Only a run within one second says anything.
      if (JSON.stringify(await secondOf()) !== JSON.stringify(before)) continue;
      expect(granted.reduce((sum, n) => sum + n, 0) + later).toBeLessThanOrEqual(9);
      break;
    }
  });

  test('does not make a processor wait for another that has the tenant', async () => {
    const [tenant, other] = [await newTenant(store, 'had'), await newTenant(store, 'waiting')];
    await tenant.setExecutionCap(10);
    await create(tenant, many(1));
    await testProcessor(store.db).drain();
    await create(tenant, many(1));
    await create(other, many(3));
    await store.owner.transaction(async (tx) => {
      await tx.query('select 1 from usance.execution_rates where tenant_id = $1::uuid for update', [tenant.id]);
      expect(await oneBatch(store.db, 10)).toMatchObject({ claimed: 3 });
    });
    await tenant.setExecutionCap(null);
    await testProcessor(store.db).drain();
  });

  test('holds over all processors together', async () => {
    const tenant = await newTenant(store, 'capped');
    await tenant.setExecutionCap(10);
    await create(tenant, many(60));
    while ((await settledOf(tenant)) < 30n)
      await Promise.all([1, 2, 3].map(() => testProcessor(store.db, { batchSize: 7 }).run()));
    const [row] = await store.owner.query(
      `select count(*)::int as settled, 1 + extract(epoch from
                date_trunc('second', max(recorded_at)) - date_trunc('second', min(recorded_at)))::int as seconds
       from usance.transfers where tenant_id = $1::uuid and kind = 'settlement'`,
      [tenant.id],
    );
    // A batch may be granted at the end of one second and write in the next.
    expect(Number(row?.['settled'])).toBeLessThanOrEqual(10 * (Number(row?.['seconds']) + 1));
    await tenant.setExecutionCap(null);
    await testProcessor(store.db).drain();
  });

  test('is shared by the priorities, however small, and what one does not use another has', async () => {
    const tenant = await newTenant(store, 'shared');
    const settled = async (): Promise<number[]> => {
      const rows = await store.owner.query(
        `select count(*) filter (where priority = 0)::int as high, count(*) filter (where priority = 2)::int as low
         from usance.payments where tenant_id = $1::uuid and status = 'settled'`,
        [tenant.id],
      );
      return rows.flatMap(({ high, low }) => [Number(high), Number(low)]);
    };
    const nextSecond = () =>
      store.owner.query('update usance.execution_rates set used = 0 where tenant_id = $1::uuid', [tenant.id]);
    await tenant.setExecutionCap(1);
    for (const priority of ['high', 'low'] satisfies Priority[]) await create(tenant, many(30, { priority }));
    const claimer = new Claimer();
    for (let second = 1; second <= 16; second += 1) {
      await oneBatch(store.db, 100, claimer);
      await nextSecond();
    }
    // Seven to one, as ever.
    expect(await settled()).toEqual([14, 2]);

    await tenant.setExecutionCap(null);
    await testProcessor(store.db).drain();
    await tenant.setExecutionCap(20);
    await create(tenant, [...many(1, { priority: 'high' }), ...many(50, { priority: 'low' })]);
    await nextSecond();
    // Of 20 the high ones may have 18, and there is one; the low ones have their 2 and soon the rest.
    expect(await oneBatch(store.db, 100)).toMatchObject({ claimed: 3 });
    const [row] = await store.owner.query('select used from usance.execution_rates where tenant_id = $1::uuid', [
      tenant.id,
    ]);
    expect(row).toEqual({ used: 3 });
    await tenant.setExecutionCap(null);
    await testProcessor(store.db).drain();
  });

  test('of one tenant does not slow another', async () => {
    const [slow, quick] = [await newTenant(store, 'slow'), await newTenant(store, 'quick')];
    await slow.setExecutionCap(1);
    await create(slow, many(20));
    await create(quick, many(500));
    const claimer = new Claimer();
    while ((await settledOf(quick)) < 500n) await oneBatch(store.db, 100, claimer);
    expect(await settledOf(slow)).toBeLessThan(20n);
  });

  test('is a whole number above zero', async () => {
    for (const cap of [0, -1, 1.5, NaN, 2 ** 31])
      expect(await refusalOf(store.tenant.setExecutionCap(cap)), String(cap)).toBe('FIELD_INVALID');
  });

  test('can be taken off', async () => {
    const tenant = await store.usance.tenant('slow');
    await tenant.setExecutionCap(null);
    await testProcessor(store.db).drain();
    expect(await settledOf(tenant)).toBe(20n);
  });
});

describe('five processors at once', () => {
  const store = useUsance({ poolSize: 20 });

  test('settle each of two thousand payments exactly once', async () => {
    const payers = Array.from({ length: 20 }, (_, n) => `p${n}`);
    await open(store.tenant, Object.fromEntries(payers.map((ref) => [ref, 1_000])));
    const orders = Array.from({ length: 2_000 }, (_, n) => ({
      from: payers[n % 20] ?? '',
      to: payers[(n * 7 + 1) % 20 === n % 20 ? (n + 1) % 20 : (n * 7 + 1) % 20] ?? '',
      asset: 'USD',
      amount: 1 + (n % 3),
      funding: n % 2 ? ('reserve' as const) : ('at_execution' as const),
    }));
    const made = await store.tenant.createPayments(orders, { idempotencyKey: key() });
    expect(made.filter((answer) => 'payment' in answer)).toHaveLength(2_000);
    const counts = await Promise.all(
      Array.from({ length: 5 }, () => testProcessor(store.db, { batchSize: 50 }).drain()),
    );
    // On a busy machine a batch can wait for balances longer than it may; its payments are then due again a second later.
    counts.push(await testProcessor(store.db, { batchSize: 50 }).drainAfter(MINUTE));
    expect(counts.reduce((sum, { settled }) => sum + (settled ?? 0), 0)).toBe(2_000);
    const [row] = await store.owner.query(
      `select count(*)::int as transfers, count(distinct payment_id)::int as payments
       from usance.transfers where kind = 'settlement'`,
    );
    expect(row).toEqual({ transfers: 2_000, payments: 2_000 });
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('no payment', () => {
  const store = useUsance();

  test('is ever taken before its instant, to the microsecond', async () => {
    const tenant = await newTenant(store, 'early');
    const base = new Date(Math.floor(Date.now() / 1_000) * 1_000 + HOUR);
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: -3_000, max: 3_000 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: -2, max: 2 }),
      async (offsets, nowMs) => {
        await store.owner.query('delete from usance.due');
        const now = new Date(base.getTime() + nowMs);
        const answers = await create(tenant, many(offsets.length, { delay: '2h' }));
        const ids = answers.flatMap((answer) => ('payment' in answer ? [answer.payment.id] : []));
        await store.owner.query(
          `update usance.due d set due_at = $3::timestamptz + make_interval(secs => v.us / 1000000.0)
           from unnest($1::uuid[], $2::int[]) v (id, us) where d.payment_id = v.id`,
          [ids, offsets, base],
        );
        const readClock = () => Promise.resolve(liveAt(now));
        await settleDue(store.db, new Claimer(), {
          batchSize: 100,
          simulateFailures: 0,
          ownerRules: OWNER_RULES,
          readClock,
        });
        for (const [n, id] of ids.entries()) {
          const { status } = await tenant.payment(id);
          expect(status === 'settled', `${offsets[n]} us at ${nowMs} ms`).toBe((offsets[n] ?? 0) <= nowMs * 1_000);
        }
      },
    );
    await expect(fc.assert(property, { seed: 20_260_101, numRuns: 60 })).resolves.not.toThrow();
  });

  test('is late for the next due instant: the processor gets that instant', async () => {
    const tenant = await newTenant(store, 'next');
    await store.owner.query('delete from usance.due');
    await create(tenant, many(1, { delay: 90 }));
    const { nextInMs } = await oneBatch(store.db, 10);
    expect(nextInMs).toBeGreaterThan(MINUTE);
    expect(nextInMs).toBeLessThanOrEqual(90_000);
  });

  test('is left to the poll after a wake-up that came too early for a sweep: the claimer says when it may look', async () => {
    await store.owner.query('delete from usance.due');
    // A sweep takes its time, so the next one has to wait for 20 times as long.
    const slow = store.pool({
      onStatement: (text) => (text.includes('usance.tenants') ? pause(20) : undefined),
    });
    const claimer = new Claimer();
    const options = { batchSize: 10, simulateFailures: 0, ownerRules: OWNER_RULES, resident: true };
    const settle = (woken: boolean) => settleDue(slow, claimer, { ...options, woken, readClock: testTime().readClock });
    await settle(false);
    const tenant = await newTenant(store, 'unseen');
    await create(tenant, many(1));
    let report = await settle(true);
    for (let looks = 0; report.claimed === 0 && looks < 10; looks += 1) {
      expect(report.nextInMs).toBeLessThan(60_000);
      await pause(report.nextInMs ?? 0);
      report = await settle(false);
    }
    expect(report.outcomes).toMatchObject({ settled: 1 });
  });
});
