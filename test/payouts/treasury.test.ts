// Wallets of the treasury beside the simulated chain: no false alarm while payouts are under way, every unit that is missing or too much is found, and a frozen wallet
// signs nothing.
import { describe, expect, test } from 'vitest';
import type { TenantHandle, TreasuryWallet } from '../../src/engine.ts';
import { treasuryLoop } from '../../src/payouts/index.ts';
import type { Rail } from '../../src/rails/index.ts';
import { held, key, troubles } from '../support/books.ts';
import { fakeRail } from '../rails/fake-rail.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
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

/** The loop of another process, whose calls to the chain of one tenant are changed. It compares no other tenant. */
const otherLoop = ({ tenant }: PayoutWorld, change: (rail: Rail) => Rail) =>
  treasuryLoop(store.db, {
    rails: {
      chains: ['sandbox'],
      of: (_chain, owner) => (owner === tenant.id ? change(store.sandbox.railOf(owner)) : null),
    },
  });

const emptyRail = (chain = 'fake'): Rail =>
  fakeRail(chain, {
    getBalance: async () => ({
      outcome: 'known',
      value: { units: 0n, finalizedUnits: 0n, height: 2n, finalizedHeight: 1n },
    }),
  });

let wallets = 0;

/** A tenant with an empty wallet on a chain that is not simulated. */
async function newWallet(chain: string): Promise<TenantHandle> {
  const tenant = await store.usance.createTenant({ name: `wallet-${(wallets += 1)}` });
  await tenant.createAsset('USD/2');
  const { id } = await tenant.openAccount({ ref: `wallet:${chain}` });
  await store.owner.query(
    `with wallet as (insert into usance.payout_wallets (tenant_id, chain, account_id, address, fee_asset, created_at)
       values ($1::uuid, $2::text, $3::uuid, $2::text || '-wallet', 'GAS/9', now()) returning tenant_id, chain)
     insert into usance.payout_wallet_assets (tenant_id, chain, asset, opening, height, opened_at)
     select tenant_id, chain, 'USD/2', 0, 0, now() from wallet`,
    [tenant.id, chain, id],
  );
  return tenant;
}

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

  test('unfrozen with its difference booked during a comparison is not frozen by what that comparison had read', async () => {
    const world = await store.world();
    await world.pay();
    await world.pass(60);
    const before = await held(world.tenant, 'wallet:sandbox', USDC);
    await plant(world, 'USDC', 250n);
    // With a transaction that is not final, a comparison asks the chain once more after it has read the books.
    await world.faults({ delay: 1, delayBlocks: 40 });
    await world.pay();
    await world.pass(1);
    expect(await run('treasury')).toMatchObject({ frozen: 1 });
    const readBooks = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    let asked = 0;
    const late = otherLoop(world, (rail) => ({
      ...rail,
      async checkConfirmation(signed, clock) {
        // The second reading, which confirms the difference of the first one.
        if ((asked += 1) === 2) {
          readBooks.resolve();
          await answer.promise;
        }
        return rail.checkConfirmation(signed, clock);
      },
    })).runOnce(new AbortController().signal, false);
    await readBooks.promise;
    const unfreeze = (): Promise<TreasuryWallet> =>
      world.tenant.unfreezeTreasuryWallet('sandbox', 'topped up', { bookDifference: true });
    await unfreeze();
    answer.resolve();
    expect((await late).counts).toMatchObject({ compared: 0, frozen: 0 });

    expect((await walletOf(world)).frozen).toBeNull();
    expect(await refusalOf(unfreeze())).toBe('TREASURY_WALLET_NOT_FROZEN');
    await world.faults({ delay: 0 });
    await world.pass(120);
    expect(await verdicts(world)).toEqual(['even', 'even']);
    expect(await held(world.tenant, 'wallet:sandbox', USDC)).toEqual([before[0] + 250n - 10_000_000n, before[1]]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('compared by two processes keeps what the later comparison found', async () => {
    const world = await store.world();
    await world.pay();
    await world.pass(60);
    const readChain = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const late = otherLoop(world, (rail) => ({
      ...rail,
      async getBalance(asset, clock) {
        const balance = await rail.getBalance(asset, clock);
        readChain.resolve();
        await answer.promise;
        return balance;
      },
    })).runOnce(new AbortController().signal, false);
    await readChain.promise;
    await plant(world, 'USDC', 1n);
    expect(await run('treasury')).toMatchObject({ frozen: 1 });
    answer.resolve();
    expect((await late).counts).toMatchObject({ compared: 0 });
    const found = (await walletOf(world)).balances.find(({ asset }) => asset === USDC);
    expect(found).toMatchObject({ verdict: 'different' });
    await plant(world, 'USDC', -1n);
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

  test('has an account that is not suspended, closed or given a guardian', async () => {
    const world = await store.world();
    await world.tenant.openAccount({ ref: 'gina' });
    await world.pay();
    await world.pass(60);
    const { accountId } = await walletOf(world);
    const tries: Readonly<Record<string, () => Promise<unknown>>> = {
      suspend: () => world.tenant.suspendAccount(accountId, 'no more payouts'),
      close: () => world.tenant.closeAccount(accountId, 'no more payouts'),
      guardian: () => world.tenant.editAccount(accountId, { guardian: 'gina' }),
    };
    for (const [what, attempt] of Object.entries(tries))
      expect(await refusedFor(attempt()), what).toBe('ACCOUNT_STATE_CONFLICT/wallet_account');
    expect(await world.tenant.account(accountId)).toMatchObject({ status: 'active', guardianIds: [] });
    expect(await verdicts(world)).toEqual(['even', 'even']);
  });

  test('pays no coins to itself: they would come back, and freeze it', async () => {
    const world = await store.world();
    const { tenant } = world;
    const own = store.sandbox.railOf(tenant.id).wallet;
    const rule = { frequency: 'DAILY' } as const;
    const tries: Readonly<Record<string, () => Promise<unknown>>> = {
      payout: () => world.pay({ destination: own }),
      'payout over any chain': () => world.pay({ rail: 'any', destinations: { sandbox: own } }),
      quote: () => tenant.createQuote({ asset: USDC, amount: 1n, destinations: { sandbox: own } }),
      schedule: () =>
        tenant.createSchedule({
          from: 'alice',
          asset: USDC,
          amount: 1n,
          destinations: { sandbox: own },
          rule,
          idempotencyKey: key(),
        }),
      'listed address': () => tenant.addPayoutDestination({ chain: 'sandbox', address: own }),
    };
    for (const [what, attempt] of Object.entries(tries))
      expect(await refusedFor(attempt()), what).toBe('DESTINATION_INVALID/own_wallet');
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

  test('of a chain whose calls hang is asked about a few transfers, and one of another chain is compared', async () => {
    const world = await store.world();
    const other = await newWallet('fake');
    await world.faults({ delay: 1, delayBlocks: 40 });
    await Promise.all(Array.from({ length: 12 }, () => world.pay()));
    await world.pass(1);
    let asked = 0;
    const hang = (): Promise<never> => ((asked += 1), new Promise(() => undefined));
    const loop = treasuryLoop(store.db, {
      callTimeoutMs: 2_000,
      rails: {
        chains: ['fake', 'sandbox'],
        of: (chain, owner) =>
          owner === other.id && chain === 'fake'
            ? emptyRail()
            : owner === world.tenant.id && chain === 'sandbox'
              ? { ...store.sandbox.railOf(owner), checkConfirmation: hang }
              : null,
      },
    });
    expect((await loop.runOnce(new AbortController().signal, false)).counts).toMatchObject({ compared: 2, frozen: 0 });
    // Eight at once: when the first of them timed out, the other four were not begun.
    expect(asked).toBe(8);
    expect((await other.treasuryWallets())[0]?.balances).toMatchObject([{ verdict: 'even' }]);
  });

  test('of a chain that was silent before its turn is compared first in the next run', async () => {
    const tenants = [];
    for (let n = 0; n < 6; n += 1) tenants.push(await newWallet('mute'));
    const asked: string[] = [];
    const loop = treasuryLoop(store.db, {
      callTimeoutMs: 50,
      rails: {
        chains: ['mute'],
        of: (_chain, owner) => ({
          ...emptyRail('mute'),
          getBalance: () => (asked.push(owner), new Promise(() => undefined)),
        }),
      },
    });
    await loop.runOnce(new AbortController().signal, true);
    // Four at once.
    expect(new Set(asked).size).toBe(4);
    const first = [...asked];
    await loop.runOnce(new AbortController().signal, true);
    expect(new Set(asked.slice(first.length))).toEqual(
      new Set(tenants.map(({ id }) => id).filter((id) => !first.includes(id))),
    );
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
