// An attempt that a person resolved as dead, and whose transaction lands all the same: the payout is not signed again before its wallet has been compared with the
// chain at a block in which the transaction would have to be.
import { describe, expect, test } from 'vitest';
import { IDENTITIES } from '../../src/access/index.ts';
import type { Payment, PaymentOrder } from '../../src/engine.ts';
import { namedCaller } from '../../src/kernel/index.ts';
import { ownTransactions } from '../../src/ledger/index.ts';
import { resolvePayout } from '../../src/payouts/resolve.ts';
import type { Rail } from '../../src/rails/index.ts';
import { OWNER_RULES } from '../../src/schedules/index.ts';
import { standingClock } from '../../src/tenants/index.ts';
import { held, troubles } from '../support/books.ts';
import type { PayoutWorld } from './world.ts';
import { USDC, usePayouts } from './world.ts';

// A transaction can be included for 2,000 seconds. By this seed every delay is between 949 and 1,091 of at most 1,100 blocks.
const store = usePayouts({ chains: { sandbox: { seed: 'gap 2', validityBlocks: 2_000 } } });

/** Compares all wallets with their chains. */
const compare = async (): Promise<Record<string, number>> =>
  (await store.usance.loops.find(({ name }) => name === 'treasury')?.runOnce())?.counts ?? {};

/** The one endpoint that answers has not the transaction, and says that a block is final of which the chain is far away. */
const liar = (rail: Rail): Rail => ({
  ...rail,
  checkConfirmation: () => Promise.resolve({ state: 'unknown', reason: 'timeout' }),
  lookUp: () =>
    Promise.resolve([
      { outcome: 'known', value: { transfer: null, finalizedHeight: 9_999n } },
      { outcome: 'unknown', reason: 'timeout' },
    ]),
});

/** In review, and resolved as dead by the word of a person and of an endpoint that lies. */
async function resolvedAsDead(
  world: PayoutWorld,
  how: 'lands later' | 'was dropped',
  order: Partial<PaymentOrder> = {},
): Promise<Payment> {
  await world.faults(how === 'was dropped' ? { drop: 1 } : { delay: 1, delayBlocks: 1_100 });
  const payout = await world.pay(order);
  await world.pass(1);
  await world.faults({ silent: 1 });
  await world.pass(700);
  expect(await world.read(payout)).toMatchObject({ status: 'review' });
  await world.faults({ silent: 0, drop: 0, delay: 0 });
  const { tenant } = world;
  const context = {
    tenantId: tenant.id,
    caller: namedCaller({ actor: 'operator' }),
    identities: IDENTITIES,
    secrets: null as never,
    moment: null as never,
    ...ownTransactions(store.usance.db, (sql) => standingClock(sql, tenant.id)),
  };
  const rails = { chains: ['sandbox'], of: () => liar(store.sandbox.railOf(tenant.id)) };
  const resolved = { outcome: 'dead', reason: 'no explorer has it' } as const;
  await resolvePayout(context, payout.id, resolved, { rails, ownerRules: OWNER_RULES });
  return payout;
}

const causeOf = async (world: PayoutWorld, payout: Payment): Promise<string> => {
  expect(await world.read(payout)).toMatchObject({ status: 'scheduled', lastCode: 'PAYOUT_WAITS' });
  const { code, sentence } = await world.tenant.whyPayment(payout.id);
  expect(code).toBe('payout_waits');
  return sentence;
};

describe('a payout whose attempt was resolved as dead', () => {
  test('is paid once if the transaction lands before the wallet is compared, and the difference is noticed', async () => {
    const world = await store.world();
    const payout = await resolvedAsDead(world, 'lands later');
    // The next attempt would be due after five seconds.
    await world.pass(60);
    expect(await causeOf(world, payout)).toMatch(
      /^the payout waits: attempt 1 was resolved as dead, and the wallet on sandbox has to be even with its chain first/,
    );
    // Even, but at a block before the last one that can include the transaction.
    expect(await compare()).toMatchObject({ different: 0 });
    await world.pass(60);
    expect(await causeOf(world, payout)).toContain('has to be even');
    expect(await world.landed()).toEqual([]);

    await world.pass(400);
    expect(await world.landed()).toHaveLength(1);
    expect(await causeOf(world, payout)).toContain('has to be even');
    expect(await compare()).toMatchObject({ frozen: 1 });
    await world.pass(60);
    expect(await causeOf(world, payout)).toContain('the wallet on sandbox is frozen: sandbox has ');
    // An operator books the difference without a thought of the payout.
    await world.tenant.unfreezeTreasuryWallet('sandbox', 'booked', { bookDifference: true });
    await world.pass(1_200);
    expect(await compare()).toMatchObject({ different: 0 });
    await world.pass(60);
    expect(await causeOf(world, payout)).toMatch(/but transaction \w+ is on sandbox: cancel the payout if it has paid/);
    expect(await world.attempts(payout)).toMatchObject([{ state: 'dead', resolvedBy: 'operator' }]);
    expect((await world.told(payout)).filter((type) => type === 'payment.waiting')).toHaveLength(1);

    await world.tenant.cancelPayment(payout.id);
    expect(await world.landed()).toHaveLength(1);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is paid by another attempt once the comparison shows that the transaction did not land', async () => {
    const world = await store.world();
    const payout = await resolvedAsDead(world, 'was dropped');
    await world.pass(1_400);
    expect(await world.attempts(payout)).toHaveLength(1);
    // One endpoint does not answer: the chain is not read.
    await world.faults({ error: 1 });
    await compare();
    await world.faults({ error: 0 });
    await world.pass(60);
    expect(await causeOf(world, payout)).toContain('has to be even');
    await compare();
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 2, lastCode: null });
    expect(await world.landed()).toHaveLength(1);
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 0n]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('after its last attempt fails, and releases its funds, only after the comparison', async () => {
    const world = await store.world();
    const payout = await resolvedAsDead(world, 'was dropped', { retry: { maxAttempts: 1 } });
    await world.pass(1_400);
    expect(await causeOf(world, payout)).toContain('has to be even');
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 10_000_000n]);
    await compare();
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'failed', lastCode: 'PAYOUT_NOT_LANDED' });
    expect(await held(world.tenant, 'alice', USDC)).toEqual([1_000_000_000n, 0n]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is not signed by a process that does not know of comparisons: the database refuses it', async () => {
    const world = await store.world();
    const payout = await resolvedAsDead(world, 'was dropped');
    const sign = store.db.transaction(async (tx) => {
      await tx.query(
        `insert into usance.payout_attempts (tenant_id, payment_id, number, id, clock_id, payer_id, asset, amount, claimed_at, check_at)
         select tenant_id, payment_id, 2, gen_random_uuid(), clock_id, payer_id, asset, amount, claimed_at, claimed_at
         from usance.payout_attempts where payment_id = $1::uuid`,
        [payout.id],
      );
      await tx.query(`update usance.payout_attempts set state = 'sent' where payment_id = $1::uuid and number = 2`, [
        payout.id,
      ]);
    });
    await expect(sign).rejects.toThrow('awaits a comparison of a wallet with its chain');
  });
});
