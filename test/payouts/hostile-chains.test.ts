// Chains that hang, lie or sign by another key, and rows that another transaction holds: what they do to their own payouts, and to those of others.
import { describe, expect, test } from 'vitest';
import type { Payment } from '../../src/engine.ts';
import type { Clock } from '../../src/kernel/index.ts';
import { claimDueOfClock } from '../../src/payments/index.ts';
import { executeBatch, firstChain, watchBatch } from '../../src/payouts/index.ts';
import { togetherOrAlone } from '../../src/payouts/together-or-alone.ts';
import type { Rail } from '../../src/rails/index.ts';
import { FEE_ASSET } from '../../src/rails/index.ts';
import { OWNER_RULES } from '../../src/schedules/index.ts';
import { held, troubles } from '../support/books.ts';
import type { PayoutWorld } from './world.ts';
import { USDC, usePayouts } from './world.ts';

const store = usePayouts();
const LEASE_MS = 60_000;
const CALL_MS = 10_000;
const CONCURRENCY = 2;
const never = (): Promise<never> => new Promise(() => undefined);

/** One worker beside those of the world: its calls to the chain are changed, and its clock can be moved on during them. */
function worker(world: PayoutWorld, change: (rail: Rail, own: { aheadMs: number }) => Rail, aheadMs = 0) {
  const own = { aheadMs };
  const readClock = (): Promise<Clock> => {
    const clock = world.clock();
    return Promise.resolve({ ...clock, now: new Date(clock.now.getTime() + own.aheadMs) });
  };
  const rails = {
    chains: ['sandbox'],
    of: (chain: string, owner: string) => (chain === 'sandbox' ? change(store.sandbox.railOf(owner), own) : null),
  };
  const options = {
    rails,
    chooseRoute: firstChain(rails),
    ownerRules: OWNER_RULES,
    confirmEveryMs: 15_000,
    batchSize: 20,
    concurrency: CONCURRENCY,
    simulateFailures: 0,
    callTimeoutMs: 500,
    readClock,
    fund: async (rail: Rail, clock: Clock) => {
      for (const asset of ['USDC', FEE_ASSET.code]) await store.sandbox.endow(clock, rail.wallet, asset, 10n ** 12n);
    },
  };
  return {
    own,
    watch: () => watchBatch(store.db, options),
    execute: () =>
      executeBatch(
        store.db,
        async (tx, { clockId, now }) => ({
          rows: await claimDueOfClock(tx, clockId ?? '', now, 20, 'payouts'),
          nextInMs: null,
        }),
        options,
      ),
  };
}

describe('a process with another key of the wallet', () => {
  test('does not give up what the key of before has signed, so nothing is paid twice', async () => {
    const world = await store.world();
    const other = store.sandbox.railOf('another key');
    await world.faults({ delay: 1, delayBlocks: 40 });
    const payout = await world.pay();
    await world.pass(1);
    // The chain has it in its pool, and for a moment neither endpoint answers the process with the new key.
    await worker(
      world,
      () => ({ ...other, checkConfirmation: () => Promise.resolve({ state: 'unknown', reason: 'timeout' }) }),
      20_000,
    ).watch();
    expect(await world.attempts(payout)).toMatchObject([{ state: 'sent' }]);
    await world.faults({});
    await world.pass(120);
    expect(await world.landed()).toHaveLength(1);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 1 });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('signs nothing for the wallet that is in the books', async () => {
    const world = await store.world();
    const first = await world.pay();
    await world.pass(30);
    expect(await world.read(first)).toMatchObject({ status: 'settled' });
    const payout = await world.pay();
    await worker(world, () => store.sandbox.railOf('another key')).execute();
    expect(await world.read(payout)).toMatchObject({ status: 'scheduled', lastCode: 'PAYOUT_WAITS', attempts: 0 });
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled' });
  });
});

describe('a chain that does not answer', () => {
  test('while it is to prepare uses up no attempt', async () => {
    const world = await store.world();
    const payout = await world.pay();
    await worker(world, (rail) => ({ ...rail, prepare: never })).execute();
    expect(await world.read(payout)).toMatchObject({ status: 'scheduled', lastCode: 'PAYOUT_WAITS', attempts: 0 });
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 10_000_000n]);
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 1 });
  });

  test('to some calls does not keep what others have found past their lease', async () => {
    const world = await store.world();
    const payouts: Payment[] = [];
    for (let n = 0; n < 9; n += 1) payouts.push(await world.pay());
    await world.pass(1);
    const sent = await Promise.all(payouts.map(async (payout) => (await world.attempts(payout))[0]));
    const good = sent.at(-1)?.sent?.signed.transactionId;
    // Calls that hang take ten seconds each, two at a time.
    const hanging = worker(
      world,
      (rail, own) => {
        const hang = (): Promise<never> => ((own.aheadMs += CALL_MS / CONCURRENCY), never());
        return {
          ...rail,
          checkConfirmation: (signed, clock) =>
            signed.transactionId === good ? rail.checkConfirmation(signed, clock) : hang(),
          broadcast: hang,
        };
      },
      20_000,
    );
    // Two are asked in each batch; those that were not come first in the next one.
    for (let settled = 0, batches = 0; settled === 0; batches += 1) {
      expect(batches).toBeLessThan(6);
      const began = hanging.own.aheadMs;
      ({ settled } = await hanging.watch());
      expect(hanging.own.aheadMs - began).toBeLessThan(LEASE_MS);
      hanging.own.aheadMs += 2_000;
    }
    await world.pass(300);
    for (const payout of payouts) expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 1 });
  });
});

describe('an outcome that cannot be booked', () => {
  test.each([
    ['a fee beyond what the wallet has', 10n ** 15n],
    ['a fee below nothing', -1n],
    ['a fee that no column holds', 10n ** 30n],
  ])('(%s) goes to review after ten minutes, with its funds held', async (_what, feeUnits) => {
    const world = await store.world();
    const payout = await world.pay();
    await world.pass(1);
    const lying = (rail: Rail): Rail => ({
      ...rail,
      checkConfirmation: () => Promise.resolve({ state: 'finalized', height: 5n, feeUnits }),
    });
    await worker(world, lying, 20_000).watch();
    expect(await world.read(payout)).toMatchObject({ status: 'submitted' });
    await worker(world, lying, 700_000).watch();
    expect(await world.read(payout)).toMatchObject({ status: 'review', lastCode: 'PAYOUT_UNCONFIRMED' });
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 10_000_000n]);
    await world.pass(900);
    expect(await world.read(payout)).toMatchObject({ status: 'settled' });
    expect(await world.landed()).toHaveLength(1);
  });
});

test('a tenant whose rows are locked is waited for a few times, not once for each of its payouts', async () => {
  const items = Array.from({ length: 90 }, (_, n) => ({ tenant: n % 3 === 0 ? 'locked' : `free ${n % 3}`, n }));
  let waits = 0;
  const done: string[] = [];
  const work = (some: typeof items): Promise<number> => {
    if (some.some(({ tenant }) => tenant === 'locked')) {
      waits += 1;
      return Promise.reject(Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }));
    }
    done.push(...some.map(({ tenant }) => tenant));
    return Promise.resolve(some.length);
  };
  const results = await togetherOrAlone(items, {
    tenantOf: ({ tenant }) => tenant,
    work: (some) => work([...some]),
    failed: () => Promise.resolve(0),
    left: () => 0,
  });
  expect(done).toHaveLength(60);
  expect(results.reduce((sum, n) => sum + n, 0)).toBe(60);
  // The batch, the tenant, and two of its payouts.
  expect(waits).toBe(4);
});
