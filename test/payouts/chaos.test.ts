// Payouts under chaos in a size for every run, and a kill between any two steps of one payout. The stated size is in test/proof/payouts.test.ts.
import { expect, test } from 'vitest';
import { createPool } from '../../src/db/index.ts';
import { liveAt } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { openWork, runChaos } from './chaos.ts';
import { mortalRails, newLife, step, workOnce } from './mortal.ts';
import { PAYEE, USDC, usePayouts } from './world.ts';

const store = usePayouts();
const pool = (onStatement: () => void) => createPool({ url: store.runtimeUrl, onStatement, maxConnections: 3 });

test('a hundred payouts survive chaos: none is paid twice, and the chain agrees with the books', async () => {
  const tenant = await store.usance.createTenant({ name: 'chaos' });
  const report = await runChaos({
    usance: store.usance,
    tenant,
    sandbox: store.sandbox,
    pool,
    payouts: 100,
    seed: 7,
    rounds: 20,
  });
  expect(report.killed).toBeGreaterThan(2);
  expect(report).toMatchObject({ twice: 0, wrongEnd: 0, unheld: 0n, differences: [0n, 0n], troubles: [] });
  expect(report.statuses['settled']).toBeGreaterThanOrEqual(98);
  expect(report.statuses['review'] ?? 0).toBeLessThanOrEqual(1);
});

test('a worker that is killed at any step of a payout leaves it to the next one, which pays it once', async () => {
  const { usance, sandbox } = store;
  const tenant = await usance.createTenant({ name: 'kills' });
  await tenant.createAsset(USDC);
  await tenant.openAccount({ ref: 'payer' });
  await tenant.deposit({ account: 'payer', asset: USDC, amount: 1_000n, idempotencyKey: 'deposit' });
  const rails = (life: ReturnType<typeof newLife>) => mortalRails(sandbox, life, { tenantId: tenant.id });
  let now = Date.now() + 3_600_000;
  const readClock = () => Promise.resolve(liveAt(new Date(now)));
  const work = async (steps: number): Promise<ReturnType<typeof newLife>> => {
    const life = newLife(steps);
    const db = pool(() => step(life));
    await workOnce(db, rails(life), sandbox, readClock).catch((error: unknown) => {
      if (!life.isDead) throw error;
    });
    await db.close();
    return life;
  };
  const pay = (n: number) =>
    tenant.createPayment({
      from: 'payer',
      asset: USDC,
      amount: 1n,
      rail: 'sandbox',
      destination: PAYEE,
      idempotencyKey: `pay ${n}`,
    });
  // The wallet is opened by the first.
  const payouts = [await pay(0)];
  await work(Infinity);
  let [at, survived] = [0, false];
  for (; !survived; at += 1) {
    payouts.push(await pay(at + 1));
    survived = !(await work(at)).isDead;
    now += 1_000;
  }
  expect(at).toBeGreaterThan(25);
  for (let n = 0; n < 30 && (await openWork(usance.db)) > 0; n += 1) {
    now += 10_000;
    await work(Infinity);
  }
  const paid = (await sandbox.landed(liveAt(new Date(now)))).flatMap(({ memo, state }) =>
    state === 'included' ? memo.split('.').slice(0, 1) : [],
  );
  expect(paid.filter((id) => payouts.some((payout) => payout.id === id)).toSorted()).toEqual(
    payouts.map(({ id }) => id).toSorted(),
  );
  for (const { id } of payouts) expect(await tenant.payment(id)).toMatchObject({ status: 'settled' });
  expect(await troubles(usance)).toEqual([]);
});
