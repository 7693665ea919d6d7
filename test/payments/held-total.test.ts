// Another session holds a tenant's daily total: that tenant's payments wait for it, and no other tenant's do.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TenantHandle, EngineOptions } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { SECOND, testProcessor } from '../support/processor.ts';

const store = useUsance();
const TOTAL = `select 1 as held from usance.payment_limits where tenant_id = $1::uuid and account_id is null for no key update`;

let count = 0;
/** Two tenants, of which the first has a daily total. */
async function neighbours(payers: number): Promise<[limited: TenantHandle, other: TenantHandle]> {
  count += 1;
  const [limited, other] = [
    await store.usance.createTenant({ name: `limited-${count}` }),
    await store.usance.createTenant({ name: `other-${count}` }),
  ];
  for (const tenant of [limited, other]) {
    await tenant.createAsset('USD/2');
    await open(tenant, { ...Object.fromEntries(Array.from({ length: payers }, (_, n) => [`p${n}`, 1_000])), payee: 0 });
  }
  await limited.setLimit({ asset: 'USD', tenantDailyAmount: 1_000_000 });
  return [limited, other];
}

async function holdingTotal(tenant: TenantHandle, work: () => Promise<void>): Promise<void> {
  await store.owner.transaction(
    async (tx) => {
      expect(await tx.query(TOTAL, [tenant.id])).toHaveLength(1);
      await work();
    },
    { idleLimitMs: 120_000 },
  );
}

/** A processor's database that counts the batches which waited for a lock until they were undone. */
function counting(): { db: ReturnType<typeof store.pool>; undone: () => number } {
  let undone = 0;
  const onStatement = (text: string): void => void (undone += text === 'rollback' ? 1 : 0);
  return { db: store.pool({ onStatement }), undone: () => undone };
}

test('a batch does not wait for the total of a tenant whose payments have waited for it before', async () => {
  const [limited, other] = await neighbours(3);
  const { db, undone } = counting();
  const processor = testProcessor(db, { batchSize: 100 });
  const order = { to: 'payee', asset: 'USD', amount: 1 };
  const waiting: string[] = [];
  for (const from of ['p0', 'p1', 'p2'])
    waiting.push((await limited.createPayment({ ...order, from, funding: 'at_execution', idempotencyKey: key() })).id);
  const statusOf = async (tenant: TenantHandle, id: string): Promise<string> => (await tenant.payment(id)).status;
  await holdingTotal(limited, async () => {
    await processor.run();
    expect(undone()).toBe(1);
    for (const funding of ['reserve', 'at_execution'] as const) {
      const { id } = await other.createPayment({ ...order, from: 'p0', funding, idempotencyKey: key() });
      processor.advance(2 * SECOND);
      await processor.run();
      expect(await statusOf(other, id)).toBe('settled');
    }
    expect(undone()).toBe(1);
    for (const id of waiting) expect(await statusOf(limited, id)).toBe('scheduled');
  });
  await processor.drainAfter(2 * SECOND);
  for (const id of waiting) expect(await statusOf(limited, id)).toBe('settled');
});

test('a new payment does not wait for a total that a batch has found held', async () => {
  const [limited, other] = await neighbours(3);
  const { db, undone } = counting();
  const processor = testProcessor(db, { batchSize: 100 });
  const order = { to: 'payee', asset: 'USD', amount: 1, funding: 'at_execution' } as const;
  const make = async (tenant: TenantHandle, from: string): Promise<string> =>
    (await tenant.createPayment({ ...order, from, idempotencyKey: key() })).id;
  const waiting = [await make(limited, 'p0')];
  await holdingTotal(limited, async () => {
    await processor.run();
    expect(undone()).toBe(1);
    for (const from of ['p1', 'p2', 'p0']) {
      waiting.push(await make(limited, from));
      const neighbour = await make(other, from);
      await processor.run();
      expect(await other.payment(neighbour)).toMatchObject({ status: 'settled', attempts: 1 });
    }
    expect(undone()).toBe(1);
    for (const id of waiting) expect(await limited.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0 });
  });
  await processor.drainAfter(2 * SECOND);
  for (const id of waiting) expect(await limited.payment(id)).toMatchObject({ status: 'settled', attempts: 1 });
});

test('a payment of `world`, which no total counts, settles although the total is held', async () => {
  const [limited] = await neighbours(1);
  const processor = testProcessor(store.db, { batchSize: 100 });
  const order = { to: 'payee', asset: 'USD', amount: 1, funding: 'at_execution' } as const;
  const waiting = await limited.createPayment({ ...order, from: 'p0', idempotencyKey: key() });
  const ofWorld: string[] = [];
  const fromWorld = async (): Promise<void> =>
    void ofWorld.push((await limited.createPayment({ ...order, from: 'world', idempotencyKey: key() })).id);
  await fromWorld();
  await holdingTotal(limited, async () => {
    await processor.run();
    await fromWorld();
    await processor.run();
    for (const id of ofWorld) expect(await limited.payment(id)).toMatchObject({ status: 'settled', attempts: 1 });
    expect(await limited.payment(waiting.id)).toMatchObject({ status: 'scheduled' });
  });
});

test('a payment whose funds are reserved settles without the total, which counted it when it was made', async () => {
  const [limited] = await neighbours(2);
  const { db, undone } = counting();
  const processor = testProcessor(db);
  const order = { to: 'payee', asset: 'USD', amount: 1, idempotencyKey: key() };
  // Of one alone nothing is foreseen.
  const { id } = await limited.createPayment({ ...order, from: 'p0' });
  await holdingTotal(limited, async () => {
    await processor.run();
    expect(await limited.payment(id)).toMatchObject({ status: 'settled' });
    expect(undone()).toBe(0);
  });
});

describe('creates at once', () => {
  const idOf = ({ id }: { id: string }): string => id;
  const engineOf = async (options: EngineOptions) => {
    const counts = { commits: 0, undone: 0 };
    const onStatement = (text: string): void => {
      if (text === 'commit') counts.commits += 1;
      if (text === 'rollback') counts.undone += 1;
    };
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, onStatement, ...options });
    onTestFinished(() => engine.close());
    return { engine, counts };
  };
  const create = (tenant: TenantHandle, from: string, asset = 'USD') =>
    tenant.createPaymentGrouped(
      { key: key(), fingerprint: 'x' },
      { from, to: 'payee', asset, amount: 1, delay: '1h' },
      idOf,
    );
  const waitingSessions = async (): Promise<number> => {
    const [row] = await store.owner.query(
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return Number(row?.['waiting']);
  };

  test('of a tenant whose total is held wait on one connection and delay no other tenant', async () => {
    const { engine, counts } = await engineOf({ poolSize: 3 });
    const [limited, other] = await neighbours(25);
    const [slow, quick] = [await engine.tenant(limited.id), await engine.tenant(other.id)];
    let answered = 0;
    let creates: Promise<unknown>[] = [];
    await holdingTotal(limited, async () => {
      creates = Array.from({ length: 25 }, (_, n) =>
        create(slow, `p${n}`, n % 2 ? 'USD' : 'USD/2').then(() => (answered += 1)),
      );
      await create(quick, 'p0');
      // The first that find the total held, and no others, may make a group wait.
      expect(counts.undone).toBeLessThanOrEqual(2);
      while ((await waitingSessions()) === 0) await create(quick, 'p1');
      await create(quick, 'p2');
      expect(await waitingSessions()).toBe(1);
      expect(answered).toBe(0);
      counts.commits = 0;
    });
    await Promise.all(creates);
    // Behind the first of them the others are made in groups again.
    expect(counts.commits).toBeLessThan(5);
  });
});

test('creates of many held payers wait on two connections, and delay no other tenant', async () => {
  const [limited, other] = await neighbours(40);
  const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false });
  onTestFinished(() => engine.close());
  const [slow, quick] = [await engine.tenant(limited.id), await engine.tenant(other.id)];
  const create = (tenant: TenantHandle, from: string, fields: object = {}): Promise<unknown> =>
    tenant.createPaymentGrouped(
      { key: key(), fingerprint: 'x' },
      { from, to: 'payee', asset: 'USD', amount: 1, delay: '1h', ...fields },
      ({ id }) => id,
    );
  await create(quick, 'p0');
  await store.owner.transaction(
    async (tx) => {
      await tx.query('select 1 as held from usance.balances where tenant_id = $1::uuid for no key update', [
        limited.id,
      ]);
      const held = Array.from({ length: 40 }, (_, n) => create(slow, `p${n}`).catch(() => undefined));
      await vi.waitFor(async () => expect(await waiters()).toBeGreaterThan(0), { timeout: 10_000, interval: 20 });
      const at = performance.now();
      for (const payer of ['p0', 'p1', 'p2']) await create(quick, payer);
      expect(performance.now() - at).toBeLessThan(3_000);
      expect(await waiters()).toBeLessThanOrEqual(3);
      await Promise.all(held);
    },
    { idleLimitMs: 120_000 },
  );
});

const waiters = async (): Promise<number> => {
  const [row] = await store.owner.query(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(row?.['count']);
};

test('a create that looks for its funds when due does not wait for the total of its tenant', async () => {
  const [limited] = await neighbours(2);
  const create = (from: string, fields: object = {}): Promise<unknown> =>
    limited.createPaymentGrouped(
      { key: key(), fingerprint: 'x' },
      { from, to: 'payee', asset: 'USD', amount: 1, delay: '1h', ...fields },
      ({ id }) => id,
    );
  let isRefused = false;
  await holdingTotal(limited, async () => {
    const held = create('p0').catch(() => void (isRefused = true));
    await vi.waitFor(async () => expect(await waiters()).toBe(1), { timeout: 10_000, interval: 20 });
    // Its lane exists when the first group has given up on it.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await create('p1', { funding: 'at_execution' });
    expect(isRefused).toBe(false);
    await held;
  });
  expect(isRefused).toBe(true);
});
