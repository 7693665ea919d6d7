// A person resolves a payout in review: what the chain agrees to, what it refuses, and who else may be at it at the same moment.
import { describe, expect, test } from 'vitest';
import { IDENTITIES } from '../../src/access/index.ts';
import type { Payment } from '../../src/engine.ts';
import { namedCaller } from '../../src/kernel/index.ts';
import { ownTransactions } from '../../src/ledger/index.ts';
import type { Rails, ResolveOrder } from '../../src/payouts/index.ts';
import { watchBatch } from '../../src/payouts/index.ts';
import { resolvePayout } from '../../src/payouts/resolve.ts';
import type { Rail } from '../../src/rails/index.ts';
import { OWNER_RULES } from '../../src/schedules/index.ts';
import { standingClock } from '../../src/tenants/index.ts';
import { held, key, troubles } from '../support/books.ts';
import { refusedFor } from '../support/refusal.ts';
import { gate } from '../support/gate.ts';
import type { PayoutWorld } from './world.ts';
import { USDC, usePayouts } from './world.ts';

const store = usePayouts();
const reason = 'looked up in two explorers';

/** A payout whose chain was silent for ten minutes; its transaction is in a final block, or was dropped. */
async function inReview(world: PayoutWorld, how: 'landed' | 'dropped'): Promise<{ payout: Payment; tx: string }> {
  if (how === 'dropped') await world.faults({ drop: 1 });
  const payout = await world.pay();
  await world.pass(1);
  await world.faults({ silent: 1, drop: how === 'dropped' ? 1 : 0 });
  await world.pass(700);
  expect(await world.read(payout)).toMatchObject({ status: 'review' });
  const { amount, asset } = payout;
  expect(await world.tenant.overview()).toMatchObject({ inReview: [{ asset, count: 1, amount }] });
  const [attempt] = await world.attempts(payout);
  return { payout, tx: attempt?.sent?.signed.transactionId ?? '' };
}

/** Compares all wallets with their chains. */
const compare = async (): Promise<unknown> =>
  (await store.usance.loops.find(({ name }) => name === 'treasury')?.runOnce())?.counts;

const settled = async (world: PayoutWorld): Promise<void> => {
  expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 0n]);
  expect((await held(world.tenant, 'wallet:sandbox', USDC))[1]).toBe(0n);
  expect((await held(world.tenant, 'wallet:sandbox', 'SBX/9'))[1]).toBe(0n);
  expect(await troubles(store.usance)).toEqual([]);
};

/** The verb with another adapter, by another person. */
function resolveBy(
  { tenant }: PayoutWorld,
  { id }: Payment,
  order: ResolveOrder,
  change: (rail: Rail) => Rail | null,
  actor = 'operator',
): Promise<Payment> {
  const rails: Rails = {
    chains: ['sandbox'],
    of: (_chain, tenantId) => change(store.sandbox.railOf(tenantId)),
  };
  const context = {
    tenantId: tenant.id,
    caller: namedCaller({ actor }),
    identities: IDENTITIES,
    secrets: null as never,
    moment: null as never,
    ...ownTransactions(store.usance.db, (sql) => standingClock(sql, tenant.id)),
  };
  return resolvePayout(context, id, order, { rails, ownerRules: OWNER_RULES });
}

/** The second endpoint is down. */
const oneAnswers = (rail: Rail): Rail => ({
  ...rail,
  checkConfirmation: () => Promise.resolve({ state: 'unknown', reason: 'timeout' }),
  lookUp: async (id, clock) => (await rail.lookUp(id, clock)).slice(0, 1),
});

test('a payout is resolved only by callers that may move external money, proven or not', async () => {
  const world = await store.world();
  const { payout, tx } = await inReview(world, 'landed');
  const { secret } = await world.tenant.createApiKey({ name: 'operator', role: 'operator' });
  const operator = (await store.usance.authenticate(secret))?.handle ?? expect.fail('the key is valid');
  await world.faults({});
  for (const order of [
    { outcome: 'dead', reason },
    { outcome: 'paid', transactionId: tx, reason },
  ] as const)
    expect(await refusedFor(operator.resolvePayout(payout.id, order))).toBe('AUTH_SCOPE_MISSING/external_money');
  expect(await world.read(payout)).toMatchObject({ status: 'review' });
});

describe('paid', () => {
  test('settles by the transaction that is final, with its fee, and says by whom', async () => {
    const world = await store.world();
    const { payout, tx } = await inReview(world, 'landed');
    await world.faults({});
    const order = { outcome: 'paid', transactionId: tx, reason } as const;
    expect(await world.tenant.resolvePayout(payout.id, order)).toMatchObject({
      status: 'settled',
      captured: 10_000_000n,
    });
    const [landed] = await world.landed();
    expect(await world.attempts(payout)).toMatchObject([
      { state: 'finalized', fee: landed?.fee, height: landed?.includedHeight, resolvedBy: 'library' },
    ]);
    expect((await world.told(payout)).slice(-3)).toEqual([
      'payment.manual_review',
      'payment.resolved',
      'payment.settled',
    ]);
    const timeline = await world.tenant.timeline(payout.id);
    expect(timeline.find(({ type }) => type === 'payment.resolved')?.data).toMatchObject({
      outcome: 'paid',
      proven: true,
      chain: 'sandbox',
      transactionId: tx,
      reason,
    });
    await settled(world);
    expect(await refusedFor(world.tenant.resolvePayout(payout.id, order))).toBe('PAYOUT_NOT_IN_REVIEW');
  });

  test('is refused while no endpoint answers, by another transaction, and by one that does not exist', async () => {
    const world = await store.world();
    const { payout, tx } = await inReview(world, 'landed');
    const order = { outcome: 'paid', reason } as const;
    const resolve = (transactionId: string): Promise<string> =>
      refusedFor(world.tenant.resolvePayout(payout.id, { ...order, transactionId }));
    expect(await resolve(tx)).toBe('PAYOUT_RESOLUTION_REFUSED/unread');
    await world.faults({});
    const other = await world.pay();
    await world.pass(1);
    const [sent] = await world.attempts(other);
    expect(await resolve(sent?.sent?.signed.transactionId ?? '')).toBe('PAYOUT_RESOLUTION_REFUSED/other_payout');
    const another = await store.world();
    const foreign = await another.pay();
    await another.pass(1);
    const [theirs] = await another.attempts(foreign);
    // A transaction of another tenant is on another chain here, and is not told apart from one that never was.
    expect(await resolve(theirs?.sent?.signed.transactionId ?? '')).toBe('PAYOUT_RESOLUTION_REFUSED/not_found');
    expect(await resolve('no such transaction')).toBe('PAYOUT_RESOLUTION_REFUSED/not_found');
    expect(await refusedFor(world.tenant.resolvePayout(payout.id, order))).toBe('FIELD_INVALID/required');
    expect(await refusedFor(world.tenant.resolvePayout(payout.id, { outcome: 'dead', reason: ' ' }))).toBe(
      'FIELD_INVALID/needs_reason',
    );
  });

  test('is refused for a transaction that was dropped, or that is not final', async () => {
    const world = await store.world();
    const { payout, tx } = await inReview(world, 'dropped');
    await world.faults({});
    const order = { outcome: 'paid', transactionId: tx, reason } as const;
    expect(await refusedFor(world.tenant.resolvePayout(payout.id, order))).toBe('PAYOUT_RESOLUTION_REFUSED/not_found');
    const inPool = (rail: Rail): Rail => ({
      ...rail,
      checkConfirmation: () => Promise.resolve({ state: 'pending', seen: 'pool' }),
    });
    expect(await refusedFor(resolveBy(world, payout, { outcome: 'dead', reason }, inPool))).toBe(
      'PAYOUT_RESOLUTION_REFUSED/seen',
    );
    expect(await world.read(payout)).toMatchObject({ status: 'review' });
  });
});

describe('dead', () => {
  test('ends the attempt, gives the wallet back what it held, and another attempt pays', async () => {
    const world = await store.world();
    const { payout } = await inReview(world, 'dropped');
    await world.faults({});
    const after = await world.tenant.resolvePayout(payout.id, { outcome: 'dead', reason });
    expect(after).toMatchObject({ status: 'scheduled', attempts: 1, lastCode: 'PAYOUT_NOT_LANDED' });
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 10_000_000n]);
    expect((await held(world.tenant, 'wallet:sandbox', USDC))[1]).toBe(0n);
    expect(await troubles(store.usance)).toEqual([]);
    await compare();
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 2 });
    expect(await world.landed()).toHaveLength(1);
    expect((await world.attempts(payout)).map(({ state, resolvedBy }) => [state, resolvedBy])).toEqual([
      ['dead', 'library'],
      ['finalized', null],
    ]);
    await settled(world);
  });

  test('is refused while the chain has the transaction, which then settles the payout', async () => {
    const world = await store.world();
    const { payout } = await inReview(world, 'landed');
    await world.faults({});
    const order = { outcome: 'dead', reason } as const;
    expect(await refusedFor(world.tenant.resolvePayout(payout.id, order))).toBe('PAYOUT_RESOLUTION_REFUSED/seen');
    await world.pass(30);
    expect(await world.read(payout)).toMatchObject({ status: 'settled' });
    await settled(world);
  });

  test('is refused before review, for a payment between accounts, and for the payment of another tenant', async () => {
    const world = await store.world();
    const payout = await world.pay();
    await world.pass(1);
    const order = { outcome: 'dead', reason } as const;
    expect(await refusedFor(world.tenant.resolvePayout(payout.id, order))).toBe('PAYOUT_NOT_IN_REVIEW');
    const inside = await world.tenant.createPayment({
      from: 'alice',
      to: 'fees',
      amount: 1n,
      asset: USDC,
      delay: '1h',
      idempotencyKey: key(),
    });
    expect(await refusedFor(world.tenant.resolvePayout(inside.id, order))).toBe('PAYOUT_NOT_IN_REVIEW');
    const other = await store.world();
    expect(await refusedFor(other.tenant.resolvePayout(payout.id, order))).toBe('PAYMENT_NOT_FOUND');
    expect(await refusedFor(other.tenant.payoutAttempts(payout.id))).toBe('PAYMENT_NOT_FOUND');
    await expect(world.tenant.payoutAttempts(inside.id)).resolves.toEqual([]);
  });
});

describe('the word of a person', () => {
  test('counts where one endpoint is down, and is recorded as such', async () => {
    const world = await store.world();
    const { payout } = await inReview(world, 'dropped');
    await world.faults({});
    expect(await resolveBy(world, payout, { outcome: 'dead', reason }, oneAnswers)).toMatchObject({
      status: 'scheduled',
      lastDetail: expect.stringContaining(reason) as string,
    });
    const timeline = await world.tenant.timeline(payout.id);
    expect(timeline.find(({ type }) => type === 'payment.resolved')?.data).toMatchObject({ proven: false });
    expect(await world.attempts(payout)).toMatchObject([{ state: 'dead', resolvedBy: 'operator' }]);
  });

  test('is not that of a maker of a payout above the approval threshold', async () => {
    const world = await store.world();
    const { payout, tx } = await inReview(world, 'landed');
    await world.faults({});
    await world.tenant.setLimit({ asset: USDC, approvalAbove: 5_000_000n });
    const order = { outcome: 'paid', transactionId: tx, reason } as const;
    expect(await refusedFor(resolveBy(world, payout, order, oneAnswers, 'library'))).toBe(
      'APPROVAL_NEEDS_ANOTHER/resolution',
    );
    expect(await resolveBy(world, payout, order, oneAnswers)).toMatchObject({ status: 'settled' });
    await settled(world);
  });
});

test('a process without an adapter of the chain resolves nothing', async () => {
  const world = await store.world();
  const { payout } = await inReview(world, 'dropped');
  const nowhere = resolveBy(world, payout, { outcome: 'dead', reason }, () => null);
  expect(await refusedFor(nowhere)).toBe('PAYOUT_RESOLUTION_REFUSED/no_adapter');
});

describe('at the same moment', () => {
  test('two resolutions end the attempt once', async () => {
    const world = await store.world();
    const { payout, tx } = await inReview(world, 'landed');
    await world.faults({});
    const order = { outcome: 'paid', transactionId: tx, reason } as const;
    const answers = await Promise.all([1, 2, 3].map(() => refusedFor(world.tenant.resolvePayout(payout.id, order))));
    expect(answers.filter((each) => each === 'not refused')).toHaveLength(1);
    for (const each of answers) expect(['not refused', 'BUSY/payout', 'PAYOUT_NOT_IN_REVIEW']).toContain(each);
    expect((await world.told(payout)).filter((type) => type === 'payment.settled')).toHaveLength(1);
    await settled(world);
  });

  test.each(['paid', 'dead'] as const)(
    'a worker that looked before a payout was resolved as %s writes nothing',
    async (outcome) => {
      const world = await store.world();
      const { payout, tx } = await inReview(world, outcome === 'paid' ? 'landed' : 'dropped');
      await world.faults({});
      const asked = gate();
      const goOn = gate();
      const rail = store.sandbox.railOf(world.tenant.id);
      const slow: Rail = {
        ...rail,
        async checkConfirmation(signed, clock) {
          const found = await rail.checkConfirmation(signed, clock);
          asked.open();
          await goOn.passed;
          return found;
        },
      };
      const later = { ...world.clock(), now: new Date(world.clock().now.getTime() + 20_000) };
      const watching = watchBatch(store.usance.db, {
        rails: { chains: ['sandbox'], of: () => slow },
        ownerRules: OWNER_RULES,
        confirmEveryMs: 15_000,
        batchSize: 10,
        concurrency: 1,
        readClock: () => Promise.resolve(later),
      });
      await asked.passed;
      await world.tenant.resolvePayout(payout.id, { outcome, transactionId: tx, reason });
      goOn.open();
      expect(await watching).toMatchObject({ claimed: 1, lost: 1, settled: 0, returned: 0 });
      expect(await world.read(payout)).toMatchObject({ status: outcome === 'paid' ? 'settled' : 'scheduled' });
      expect((await world.told(payout)).filter((type) => type === 'payment.resolved')).toHaveLength(1);
      expect(await troubles(store.usance)).toEqual([]);
      await compare();
      await world.pass(60);
      expect(await world.landed()).toHaveLength(1);
      await settled(world);
    },
  );
});

test('a transaction that lands although it was resolved as dead freezes its wallet before another attempt is signed', async () => {
  const world = await store.world();
  const { payout } = await inReview(world, 'landed');
  await world.faults({});
  // Both endpoints lied to the person and to the adapter.
  const blind = (rail: Rail): Rail => ({
    ...rail,
    checkConfirmation: () => Promise.resolve({ state: 'unknown', reason: 'timeout' }),
    lookUp: async (id, clock) =>
      (await rail.lookUp(id, clock)).map((one) =>
        one.outcome === 'known' ? { outcome: 'known', value: { ...one.value, transfer: null } } : one,
      ),
  });
  expect(await resolveBy(world, payout, { outcome: 'dead', reason }, blind)).toMatchObject({ status: 'scheduled' });
  expect(await compare()).toMatchObject({ frozen: 1 });
  await world.pass(300);
  expect(await world.read(payout)).toMatchObject({ status: 'scheduled', lastCode: 'PAYOUT_WAITS' });
  expect(await world.landed()).toHaveLength(1);
  expect(await troubles(store.usance)).toEqual([]);
});
