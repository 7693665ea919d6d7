// Wallets of the treasury beside the simulated chain: no false alarm while payouts are under way, every unit that is missing or too much is found, and a frozen wallet
// signs nothing.
import { describe, expect, test } from 'vitest';
import type { TreasuryWallet } from '../../src/engine.ts';
import { held, key, troubles } from '../support/books.ts';
import { refusalOf } from '../support/refusal.ts';
import type { PayoutWorld } from './world.ts';
import { USDC, usePayouts } from './world.ts';

const store = usePayouts();
const run = async (name: string): Promise<Record<string, number>> =>
  (await store.usance.loops.find((loop) => loop.name === name)?.runOnce())?.counts ?? {};

const walletOf = async ({ tenant }: PayoutWorld): Promise<TreasuryWallet> =>
  (await tenant.treasuryWallets())[0] ?? expect.fail('the wallet is open');
const verdicts = async (world: PayoutWorld): Promise<(string | undefined)[]> => {
  await run('treasury');
  return (await walletOf(world)).balances.map(({ verdict }) => verdict);
};
const plant = async (world: PayoutWorld, asset: string, units: bigint): Promise<void> =>
  store.sandbox.fund(world.clock(), (await walletOf(world)).address, asset, units);

describe('a wallet', () => {
  test('agrees with its chain at every moment of its payouts', async () => {
    const world = await store.world();
    for (let count = 0; count < 3; count += 1) {
      await world.pay();
      await world.pass(1);
      for (const seconds of [0, 1, 1, 2, 3]) {
        await world.pass(seconds);
        expect(['even,even', 'open,open']).toContain(String(await verdicts(world)));
      }
    }
    await world.pass(60);
    expect(await verdicts(world)).toEqual(['even', 'even']);
    const wallet = await walletOf(world);
    expect(wallet).toMatchObject({ chain: 'sandbox', frozen: null, feeAsset: 'SBX/9' });
    expect(wallet.balances.find(({ asset }) => asset === USDC)).toMatchObject({
      available: 999_970_000_000n,
      reserved: 0n,
      onChain: 999_970_000_000n,
      expected: 999_970_000_000n,
    });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each([
    ['one unit too much', USDC, 1n],
    ['one unit too little', USDC, -1n],
    ['one unit of the fee asset too little', 'SBX/9', -1n],
  ])('with %s is frozen, and signs nothing until it is unfrozen', async (_what, asset, units) => {
    const world = await store.world();
    await world.pay();
    await world.pass(60);
    expect(await verdicts(world)).toEqual(['even', 'even']);
    await plant(world, asset.slice(0, asset.indexOf('/')), units);
    expect(await run('treasury')).toMatchObject({ frozen: 1 });
    expect(await run('treasury')).toMatchObject({ frozen: 0 });
    const wallet = await walletOf(world);
    expect(wallet.frozen?.reason).toMatch(/^sandbox has .* and the books expect /);
    await run('sequencer');
    const events = await world.tenant.events({ type: 'treasury_wallet.frozen' });
    expect(events.map(({ data }) => data)).toMatchObject([
      { chain: 'sandbox', differences: [{ asset, difference: String(units) }] },
    ]);

    const waiting = await world.pay();
    await world.pass(60);
    expect(await world.read(waiting)).toMatchObject({ status: 'scheduled', lastCode: 'PAYOUT_WAITS' });
    expect(await world.attempts(waiting)).toEqual([]);
    // The books are corrected, here on the chain, and an operator lifts the freeze.
    await plant(world, asset.slice(0, asset.indexOf('/')), -units);
    expect(await refusalOf(world.tenant.unfreezeTreasuryWallet('sandbox', ' '))).toBe('FIELD_INVALID');
    expect(await refusalOf(world.tenant.unfreezeTreasuryWallet('solana', 'why'))).toBe('TREASURY_WALLET_NOT_FOUND');
    expect(await world.tenant.unfreezeTreasuryWallet('sandbox', 'a unit was moved by hand')).toMatchObject({
      frozen: null,
    });
    expect(await refusalOf(world.tenant.unfreezeTreasuryWallet('sandbox', 'again'))).toBe('TREASURY_WALLET_NOT_FROZEN');
    await world.pass(90);
    expect(await world.read(waiting)).toMatchObject({ status: 'settled' });
    expect(await verdicts(world)).toEqual(['even', 'even']);
  });

  test.each([
    ['topped up', 250n],
    ['emptied by hand in part', -250n],
  ])('that was %s is corrected by an unfreeze that books the difference', async (_what, units) => {
    const world = await store.world();
    await world.pay();
    await world.pass(60);
    expect(await verdicts(world)).toEqual(['even', 'even']);
    const before = await held(world.tenant, 'wallet:sandbox', USDC);
    await plant(world, 'USDC', units);
    expect(await run('treasury')).toMatchObject({ frozen: 1 });
    await world.tenant.unfreezeTreasuryWallet('sandbox', 'booked', { bookDifference: true });
    expect(await held(world.tenant, 'wallet:sandbox', USDC)).toEqual([before[0] + units, before[1]]);
    expect(await verdicts(world)).toEqual(['even', 'even']);
    expect((await walletOf(world)).frozen).toBeNull();
    await run('sequencer');
    const [unfrozen] = await world.tenant.events({ type: 'treasury_wallet.unfrozen' });
    expect(unfrozen?.data).toMatchObject({ booked: [{ asset: USDC, difference: String(units) }] });
    // Nothing is left to book.
    await plant(world, 'SBX', 1n);
    await run('treasury');
    await world.tenant.unfreezeTreasuryWallet('sandbox', 'booked', { bookDifference: true });
    expect(await held(world.tenant, 'wallet:sandbox', USDC)).toEqual([before[0] + units, before[1]]);
    expect(await verdicts(world)).toEqual(['even', 'even']);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is moved by no other verb than payouts', async () => {
    const world = await store.world();
    const payout = await world.pay();
    await world.pass(60);
    const { tenant } = world;
    const wallet = 'wallet:sandbox';
    const money = { asset: USDC, amount: 1n };
    const rule = { frequency: 'DAILY' } as const;
    const tries: Readonly<Record<string, () => Promise<unknown>>> = {
      'payment from it': () => tenant.createPayment({ ...money, from: wallet, to: 'alice', idempotencyKey: key() }),
      'payment to it': () => tenant.createPayment({ ...money, from: 'alice', to: wallet, idempotencyKey: key() }),
      'payment to it by a leg': () =>
        tenant.createPayment({
          ...money,
          amount: 2n,
          from: 'alice',
          legs: [
            { to: 'fees', amount: 1n },
            { to: wallet, amount: 1n },
          ],
          delay: '1h',
          funding: 'at_execution',
          idempotencyKey: key(),
        }),
      'payout from it': () => world.pay({ from: wallet }),
      deposit: () => tenant.deposit({ ...money, account: wallet, idempotencyKey: key() }),
      withdrawal: () => tenant.withdraw({ ...money, account: wallet, idempotencyKey: key() }),
      'transfer from it': () => tenant.transfer({ ...money, from: wallet, to: 'alice', idempotencyKey: key() }),
      'transfer to it': () => tenant.transfer({ ...money, from: 'alice', to: wallet, idempotencyKey: key() }),
      reservation: () => tenant.reserve({ ...money, account: wallet, idempotencyKey: key() }),
      schedule: () => tenant.createSchedule({ ...money, from: 'alice', to: wallet, rule, idempotencyKey: key() }),
      plan: () =>
        tenant.createPlan({
          name: 'p',
          price: 1n,
          asset: USDC,
          receiver: wallet,
          charges: 1,
          period: { frequency: 'MONTHLY' },
        }),
    };
    for (const [what, attempt] of Object.entries(tries))
      expect(await refusalOf(attempt()), what).toBe('ACCOUNT_OF_WALLET');
    const { id } = await tenant.account(wallet);
    const byId = tenant.deposit({ ...money, account: id, idempotencyKey: key() });
    expect(await refusalOf(byId)).toBe('ACCOUNT_OF_WALLET');
    expect(await world.read(payout)).toMatchObject({ status: 'settled' });
    expect(await verdicts(world)).toEqual(['even', 'even']);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('has an account of its own beside one that has taken its ref', async () => {
    const world = await store.world();
    await world.tenant.openAccount({ ref: 'wallet:sandbox' });
    await world.tenant.deposit({ account: 'wallet:sandbox', asset: USDC, amount: 5n, idempotencyKey: key() });
    await world.pay();
    await world.pass(60);
    expect(await verdicts(world)).toEqual(['even', 'even']);
    expect(await held(world.tenant, 'wallet:sandbox', USDC)).toEqual([5n, 0n]);
    const { accountId } = await walletOf(world);
    expect((await world.tenant.account(accountId)).ref).toBe('wallet:sandbox:0');
  });

  test('that still differs is frozen again by the next comparison', async () => {
    const world = await store.world();
    await world.pay();
    await world.pass(60);
    await plant(world, 'USDC', 5n);
    await run('treasury');
    await world.tenant.unfreezeTreasuryWallet('sandbox', 'too early');
    expect(await run('treasury')).toMatchObject({ frozen: 1 });
    expect((await walletOf(world)).frozen).not.toBeNull();
    await plant(world, 'USDC', -5n);
  });

  test('whose chain does not answer is neither even nor frozen', async () => {
    const world = await store.world();
    await world.pay();
    await world.pass(60);
    await world.faults({ error: 1 });
    expect(await verdicts(world)).toEqual(['unread', 'unread']);
    expect((await walletOf(world)).frozen).toBeNull();
    await world.faults({ error: 0 });
    expect(await verdicts(world)).toEqual(['even', 'even']);
  });

  test('of a chain with drops, delays, replaced blocks and wrong answers raises no false alarm', async () => {
    const world = await store.world();
    await world.faults({ drop: 0.3, delay: 0.3, reorg: 0.3, error: 0.1, silentAfter: 0.1, wrong: 0.1 });
    for (let count = 0; count < 6; count += 1) {
      await world.pay();
      for (const seconds of [1, 2, 4]) {
        await world.pass(seconds);
        await run('treasury');
      }
    }
    expect((await walletOf(world)).frozen).toBeNull();
    await world.faults({ drop: 0, delay: 0, reorg: 0, error: 0, silentAfter: 0, wrong: 0 });
    await world.pass(300);
    expect(await verdicts(world)).toEqual(['even', 'even']);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
