// Bugs that other relayers have had, each against the loops of payouts and the simulated chain. In each of them absence of news, or news of one endpoint,
// was taken for an outcome, or a late worker wrote what another one had ended.
import { describe, expect, test } from 'vitest';
import { executeBatch, firstChain, watchBatch } from '../../src/payouts/index.ts';
import { claimDueOfClock } from '../../src/payments/index.ts';
import type { Clock } from '../../src/kernel/index.ts';
import type { Rail } from '../../src/rails/index.ts';
import { FEE_ASSET } from '../../src/rails/index.ts';
import { OWNER_RULES } from '../../src/schedules/index.ts';
import { held, troubles } from '../support/books.ts';
import type { PayoutWorld } from './world.ts';
import { USDC, usePayouts } from './world.ts';

const store = usePayouts();

/** One worker beside those of the world, whose calls to the chain are changed, and whose clock is so much ahead. */
function worker(world: PayoutWorld, change: (rail: Rail) => Partial<Rail>, aheadMs = 0) {
  const readClock = (): Promise<Clock> => {
    const clock = world.clock();
    return Promise.resolve({ ...clock, now: new Date(clock.now.getTime() + aheadMs) });
  };
  const of = (chain: string, owner: string): Rail | null => {
    const rail = chain === 'sandbox' ? store.sandbox.railOf(owner) : null;
    return rail && { ...rail, ...change(rail) };
  };
  const rails = { chains: ['sandbox'], of };
  const options = {
    rails,
    chooseRoute: firstChain(rails),
    ownerRules: OWNER_RULES,
    confirmEveryMs: 15_000,
    batchSize: 10,
    concurrency: 2,
    simulateFailures: 0,
    readClock,
    fund: async (rail: Rail, clock: Clock) => {
      for (const asset of ['USDC', FEE_ASSET.code]) await store.sandbox.endow(clock, rail.wallet, asset, 10n ** 12n);
    },
  };
  return {
    watch: () => watchBatch(store.db, options),
    execute: () =>
      executeBatch(
        store.db,
        async (tx, { clockId, now }) => ({
          rows: await claimDueOfClock(tx, clockId ?? '', now, 10, 'payouts'),
          nextInMs: null,
        }),
        options,
      ),
  };
}

/** A call that does not return until it is let go. */
function gate() {
  let open: () => void = () => undefined;
  let entered: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (entered = resolve));
  return { open: () => open(), reached, pass: async () => (entered(), opened) };
}

describe('a payout', () => {
  test('that is mined is not failed because an endpoint returns an empty receipt', async () => {
    const world = await store.world();
    await world.faults({ wrong: 1, wrongAnswers: ['null_receipt'], wrongEndpoints: [1] });
    const payout = await world.pay();
    await world.pass(300);
    // It is in a final block, and one of the two endpoints does not know it: nothing is decided, nothing is signed anew.
    expect(await world.landed()).toHaveLength(1);
    expect(await world.read(payout)).toMatchObject({ status: 'submitted', attempts: 1 });
    expect(await world.attempts(payout)).toMatchObject([{ state: 'sent' }]);
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 10_000_000n]);
    await world.faults({});
    await world.pass(30);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 1 });
    expect(await world.landed()).toHaveLength(1);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('whose attempt was not stored has used up no number, and leaves no gap that another one waits for', async () => {
    const world = await store.world();
    // Signed, and the worker dies before the bytes are stored; then the chain cannot be read for a while.
    await store.owner.query(
      `create function public.die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
       create trigger die before update on usance.payout_attempts for each row when (new.state = 'sent') execute function public.die()`,
    );
    const payout = await world.pay();
    await world.pass(1);
    await store.owner.query('drop trigger die on usance.payout_attempts; drop function public.die()');
    await world.faults({ error: 1 });
    await world.pass(200);
    expect(await world.read(payout)).toMatchObject({ status: 'scheduled', lastCode: 'PAYOUT_WAITS', attempts: 1 });
    await world.faults({});
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 2 });
    const attempts = await world.attempts(payout);
    expect(attempts.map(({ number, state }) => [number, state])).toEqual([
      [1, 'abandoned'],
      [2, 'finalized'],
    ]);
    expect((await world.landed()).map(({ memo }) => memo)).toEqual([`${payout.id}.2`]);
    expect((await held(world.tenant, 'wallet:sandbox', USDC))[1]).toBe(0n);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is not signed again before the first transaction has expired, also where an endpoint reports a later height', async () => {
    const world = await store.world();
    await world.faults({ drop: 1 });
    const payout = await world.pay();
    await world.pass(1);
    await world.faults({ drop: 1, wrong: 1, wrongAnswers: ['future_height'], wrongEndpoints: [1] });
    for (let seconds = 0; seconds < 50; seconds += 10) {
      await world.pass(10);
      expect(await world.attempts(payout)).toMatchObject([{ number: 1, state: 'sent' }]);
    }
    await world.faults({ drop: 1 });
    await world.pass(60);
    const [first, second] = await world.attempts(payout);
    expect(first).toMatchObject({ state: 'dead' });
    const expired = first?.sent?.signed.lastValidHeight ?? expect.fail('the first attempt was signed');
    // A block takes a second: the second attempt began when a final block was past the last one of the first.
    const begun =
      BigInt(Math.floor((second?.claimedAt.getTime() ?? 0) / 1_000)) -
      BigInt(Math.floor((first?.claimedAt.getTime() ?? 0) / 1_000));
    expect(begun).toBeGreaterThan(60n);
    expect(second?.sent?.signed.lastValidHeight).toBeGreaterThan(expired);
    expect(await world.landed()).toEqual([]);
  });

  test('that has ended is not ended again by a worker that looked at it before', async () => {
    const world = await store.world();
    const payout = await world.pay();
    await world.pass(1);
    // A worker asks the chain while nothing is final, and sleeps past its lease with the answer "dead" of an endpoint that is wrong.
    const { open, reached, pass } = gate();
    const wrong = async () => {
      await pass();
      return { state: 'dead' } as const;
    };
    const late = worker(world, () => ({ checkConfirmation: wrong }), 20_000).watch();
    await Promise.race([reached, late]);
    await world.pass(120);
    expect(await world.read(payout)).toMatchObject({ status: 'settled' });
    open();
    expect(await late).toMatchObject({ returned: 0, settled: 0 });
    expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 1 });
    expect(await world.attempts(payout)).toMatchObject([{ state: 'finalized' }]);
    expect(await world.landed()).toHaveLength(1);
    expect((await world.told(payout)).filter((type) => type === 'payment.settled')).toHaveLength(1);
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 0n]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is not given up by a worker whose lease is over, while another one watches it', async () => {
    const world = await store.world();
    const payout = await world.pay();
    await world.pass(1);
    await world.faults({ silent: 1 });
    const { open, reached, pass } = gate();
    const wrong = async () => {
      await pass();
      return { state: 'dead' } as const;
    };
    const late = worker(world, () => ({ checkConfirmation: wrong }), 20_000).watch();
    await Promise.race([reached, late]);
    await world.pass(100);
    open();
    expect(await late).toMatchObject({ lost: 1, returned: 0 });
    expect(await world.attempts(payout)).toMatchObject([{ number: 1, state: 'sent' }]);
    await world.faults({});
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 1 });
    expect(await world.landed()).toHaveLength(1);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is not sent by a worker that slept past its lease before it stored what it signed', async () => {
    const world = await store.world();
    const payout = await world.pay();
    const { open, reached, pass } = gate();
    const sent: string[] = [];
    const sleeper = worker(world, (rail) => ({
      prepare: async (request, clock) => {
        const signed = await rail.prepare(request, clock);
        await pass();
        return signed;
      },
      broadcast: async (signed, clock) => {
        sent.push(signed.transactionId);
        return rail.broadcast(signed, clock);
      },
    })).execute();
    await Promise.race([reached, sleeper]);
    await world.pass(180);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 2 });
    open();
    expect(await sleeper).toMatchObject({ counts: { lost: 1, submitted: 0 } });
    expect(sent).toEqual([]);
    await world.pass(60);
    expect(await world.landed()).toHaveLength(1);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
