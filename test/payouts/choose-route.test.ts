// The choice of a chain for a payout, from stored snapshots and the books, with chains whose answers a test sets.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chooseByScore, verifyRoutes } from '../../src/payouts/index.ts';
import type { FeePolicy, PayoutRoute, RouteRequest } from '../../src/payouts/index.ts';
import { addPayoutSpend } from '../../src/payouts/guards/store.ts';
import { listRoutes } from '../../src/payouts/quotes/store.ts';
import { hourOf } from '../../src/payments/index.ts';
import { liveAt, newId } from '../../src/kernel/index.ts';
import { chainNotAvailable } from '../../src/payments/index.ts';
import type { RouteCandidate } from '../../src/rails/index.ts';
import { explainRoute, fixedPrices, replays, routeFor, whyDisqualified } from '../../src/rails/index.ts';
import type { FakeRail } from '../rails/fake-rail.ts';
import { fakeRail } from '../rails/fake-rail.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

const ETHER = 1_830_000n;
const SOL = 20_000n;
/** Fees in units of a fee asset with 6 decimals that costs one US dollar. */
const fees = new Map<string, bigint | null>();
const wallets = new Map<string, bigint>();

/** The worked example: 1.83 and 0.02 USD, 75 and 8 s, reliability 0.98 and 0.95. */
function chain(name: string, seconds: number, rpcErrorRate: number): FakeRail {
  const fee = () => ({
    asset: 'GAS',
    decimals: 6,
    units: fees.get(name) ?? 0n,
    suggestedLimitUnits: (fees.get(name) ?? 0n) * 3n,
  });
  const rail: FakeRail = fakeRail(name, {
    estimateFee: async () =>
      fees.get(name) === null ? { outcome: 'unknown', reason: 'timeout' } : { outcome: 'known', value: fee() },
    getBalance: async (asset) => {
      const units = asset === 'GAS' ? 1_000_000_000n : (wallets.get(name) ?? 0n);
      return { outcome: 'known', value: { units, finalizedUnits: units, height: 100n, finalizedHeight: 90n } };
    },
  });
  rail.answer = {
    avgConfirmationSeconds: seconds,
    rpcErrorRate,
    congestionScore: 0.1,
    fee: { ...fee(), units: name === 'ethereum' ? ETHER : SOL },
  };
  return rail;
}

const ethereum = chain('ethereum', 75, 0.02);
const solana = chain('solana', 8, 0.05);
const store = useUsance({
  chains: { rails: [ethereum, solana], prices: fixedPrices({ GAS: 1 }), measureEveryMs: 3_600_000 },
});
const destinations = { ethereum: 'ethereum:payee', solana: 'solana:payee' };
const rails = { chains: ['ethereum', 'solana'], of: (name: string) => (name === 'ethereum' ? ethereum : solana) };
const order = { asset: 'USDC/6', amount: 100_000_000n, destinations } as const;
const measure = () => store.usance.loops.find(({ name }) => name === 'health')?.runOnce();

beforeEach(async () => {
  fees.set('ethereum', ETHER).set('solana', SOL);
  wallets.set('ethereum', 1_000_000_000n).set('solana', 1_000_000_000n);
  ethereum.answer = { ...(ethereum.answer as object), congestionScore: 0.1 };
  solana.answer = { ...(solana.answer as object), congestionScore: 0.1 };
  await measure();
});
beforeAll(async () => {
  await store.tenant.createAsset('USDC/6');
});

async function choose(
  request: Partial<RouteRequest> = {},
  policy: FeePolicy = 'requote',
): Promise<{ choice: Awaited<ReturnType<ReturnType<typeof chooseByScore>>>; route: PayoutRoute | undefined }> {
  const paymentId = request.paymentId ?? newId();
  const chooser = chooseByScore(store.db, { rails, feeTolerance: { share: 0.5, usd: 0.01, policy } });
  const whole: RouteRequest = {
    tenantId: store.tenant.id,
    paymentId,
    attempt: 1,
    ...order,
    priority: 'low_fee',
    quoteId: null,
    failedOn: [],
    ...request,
  };
  const choice = await chooser(whole, liveAt(new Date()));
  const [route] = await listRoutes(store.db, whole.tenantId, paymentId, 1);
  return { choice, route };
}

describe('the worked example', () => {
  test('gives Ethereum 0.196 and Solana 0.962, from snapshots to the stored quote', async () => {
    const quote = await store.tenant.createQuote(order);
    expect(quote.chain).toBe('solana');
    const scores = Object.fromEntries(quote.decision.ranked.map(({ chain: name, score }) => [name, score]));
    expect(scores['solana']).toBeCloseTo(0.962, 3);
    expect(scores['ethereum']).toBeCloseTo(0.196, 3);
    const stored = await store.tenant.quote(quote.id);
    expect(stored).toEqual(quote);
    expect(replays(stored)).toBe(true);
    expect(explainRoute(stored)).toEqual([
      'Chosen: solana, the highest score for low fee (fee 60 %, latency 20 %, reliability 20 %).',
      'solana: 0.962, from fee 0.989, latency 0.893, reliability 0.950 (fee 0.02 USD, 8 s, 5 % failed calls).',
      'ethereum: 0.196, from fee 0.000, latency 0.000, reliability 0.980 (fee 1.83 USD, 75 s, 2 % failed calls).',
    ]);
  });
});

describe('a payout that is due', () => {
  test('takes the best chain; the route is stored with its inputs, and replays', async () => {
    const { choice, route } = await choose();
    expect(choice).toMatchObject({ outcome: 'chosen', chain: 'solana', routeId: route?.id });
    expect(route).toMatchObject({ number: 1, attempt: 1, cause: 'due', chain: 'solana', quoteId: null });
    expect(route && replays(route)).toBe(true);
    expect(route?.inputs.candidates.map(({ basis }) => basis)).toMatchObject([
      { asset: 'USDC', decimals: 6, feeAsset: 'GAS', feeUnits: '1830000', priceUsd: 1, feeIsLive: false },
      { feeUnits: '20000' },
    ]);
  });

  test('limits its fee to what is tolerated of the fee that it was chosen by', async () => {
    // Half of 0.02 is less than the cent that is always tolerated: 0.02 + 0.01. The chain suggests 0.06.
    expect((await choose()).choice).toMatchObject({ feeLimitUnits: 30_000n });
    fees.set('solana', 29_000n);
    expect((await choose()).choice).toMatchObject({ chain: 'solana', feeLimitUnits: 30_000n });
  });

  test('is chosen again if the fee has left its tolerance, by the fee of now', async () => {
    fees.set('solana', 5_000_000n);
    const { choice, route } = await choose();
    expect(choice).toMatchObject({ outcome: 'chosen', chain: 'ethereum' });
    expect(route?.inputs.candidates.find(({ chain: name }) => name === 'solana')).toMatchObject({
      feeUsd: 5,
      basis: { feeIsLive: true, feeUnits: '5000000' },
    });
    expect(route && replays(route)).toBe(true);
    // Dearer than it was, and still the best.
    fees.set('solana', 100_000n);
    expect((await choose()).choice).toMatchObject({ chain: 'solana', feeLimitUnits: 300_000n });
  });

  test('fails by the policy "fail", and nothing is stored', async () => {
    fees.set('solana', 5_000_000n);
    const { choice, route } = await choose({}, 'fail');
    expect(choice).toMatchObject({
      outcome: 'refused',
      cause: {
        code: 'ROUTE_FEE_EXCEEDED',
        detail: 'the fee on solana was 0.02 USD when the route was chosen and is 5 USD now',
      },
    });
    expect(route).toBeUndefined();
  });

  test('leaves a chain whose fee cannot be read, and waits if no other qualifies', async () => {
    fees.set('solana', null);
    expect((await choose()).choice).toMatchObject({ chain: 'ethereum' });
    fees.set('ethereum', null);
    expect((await choose()).choice).toMatchObject({
      outcome: 'not_now',
      cause: { code: 'PAYOUT_WAITS', detail: expect.stringContaining('could not be') as string },
    });
  });

  test('waits with the reason of each chain if none qualifies', async () => {
    wallets.set('solana', 5_000_000n);
    ethereum.answer = { ...(ethereum.answer as object), congestionScore: 0.9 };
    await measure();
    const { choice } = await choose();
    expect(choice).toMatchObject({ outcome: 'not_now', cause: { code: 'PAYOUT_WAITS' } });
    expect(choice.outcome === 'not_now' && choice.cause.detail).toBe(
      'no chain can take the payout now: ethereum: the chain is unhealthy, or its health was not measured recently; ' +
        'solana: the treasury has 5 USDC there and the payout needs 100 USDC',
    );
  });
});

test('a worker without the chains of a payout waits for one that has them, and says so', async () => {
  const blind = chooseByScore(store.db, { rails: { chains: [], of: () => null } });
  const request = { tenantId: store.tenant.id, paymentId: newId(), attempt: 1, ...order, quoteId: null, failedOn: [] };
  expect(await blind({ ...request, priority: 'low_fee' }, liveAt(new Date()))).toMatchObject({
    outcome: 'not_now',
    cause: {
      code: 'PAYOUT_WAITS',
      detail: expect.stringContaining('has no adapter of the chain ethereum, solana') as string,
    },
  });
});

test('where there is no chain, the refusal says how to get the simulated one', () => {
  const said = (chains: readonly string[]) => chainNotAvailable('rail', 'sandbox', chains).detail;
  expect(said([])).toContain('needs USANCE_SANDBOX=1');
  expect(said(['ethereum', 'solana'])).toBe('rail names the chain sandbox; available are: ethereum or solana');
});

describe('after a failed attempt', () => {
  test('the next-best chain is taken, and the failed one again only if no other qualifies', async () => {
    const paymentId = newId();
    expect((await choose({ paymentId })).route).toMatchObject({ chain: 'solana', cause: 'due' });
    expect((await choose({ paymentId, attempt: 2, failedOn: ['solana'] })).route).toMatchObject({
      number: 2,
      chain: 'ethereum',
      cause: 'next_best',
    });
    const { route } = await choose({ paymentId, attempt: 3, failedOn: ['ethereum', 'solana'] });
    expect(route).toMatchObject({ number: 3, chain: 'solana', cause: 'retry' });
    wallets.set('ethereum', 0n);
    expect((await choose({ attempt: 2, failedOn: ['solana'] })).route).toMatchObject({
      chain: 'solana',
      cause: 'retry',
    });
  });
});

describe('a payout with an accepted quote', () => {
  const accepted = async () => {
    const { id } = await store.tenant.createQuote(order);
    return store.tenant.takeQuote(id);
  };

  test('takes the quoted chain, also if another has become better', async () => {
    const quote = await accepted();
    solana.answer = { ...(solana.answer as object), congestionScore: 0.6 };
    await measure();
    expect((await choose()).route).toMatchObject({ chain: 'solana', cause: 'due' });
    const { route } = await choose({ quoteId: quote.id });
    expect(route).toMatchObject({ chain: 'solana', cause: 'quote', quoteId: quote.id, decision: quote.decision });
  });

  test('is chosen again if its chain does not qualify any more, or its fee has risen', async () => {
    const quote = await accepted();
    fees.set('solana', 5_000_000n);
    expect((await choose({ quoteId: quote.id })).route).toMatchObject({ chain: 'ethereum', cause: 'requote' });
    fees.set('solana', SOL);
    solana.answer = { ...(solana.answer as object), congestionScore: 0.9 };
    await measure();
    expect((await choose({ quoteId: quote.id })).route).toMatchObject({ chain: 'ethereum', cause: 'requote' });
  });

  test('follows no quote that was not accepted, is of other terms, or of another tenant', async () => {
    const open = await store.tenant.createQuote(order);
    expect((await choose({ quoteId: open.id })).route).toMatchObject({ cause: 'due', quoteId: null });
    const quote = await accepted();
    expect((await choose({ quoteId: quote.id, amount: 1n })).route).toMatchObject({ cause: 'due' });
    const other = await store.usance.createTenant({ name: 'other' });
    await other.createAsset('USDC/6');
    expect((await choose({ quoteId: quote.id, tenantId: other.id })).route).toMatchObject({ cause: 'due' });
    expect(await refusalOf(other.takeQuote(quote.id))).toBe('QUOTE_NOT_FOUND');
    expect(await refusalOf(other.quote(quote.id))).toBe('QUOTE_NOT_FOUND');
  });
});

describe('a quote', () => {
  test('is accepted once, by one of ten at the same time', async () => {
    const { id } = await store.tenant.createQuote(order);
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => store.tenant.takeQuote(id)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusalOf(store.tenant.takeQuote(id))).toBe('QUOTE_USED');
    await expect(store.db.query(`update usance.quotes set used_at = null where id = $1::uuid`, [id])).rejects.toThrow(
      'may not change',
    );
  });

  test('is refused with a code that names what to change', async () => {
    const { tenant } = store;
    const to = (change: object) => refusalOf(tenant.createQuote({ ...order, ...change }));
    expect(await to({ destinations: { tron: 'tron:payee' } })).toBe('CHAIN_NOT_AVAILABLE');
    expect(await to({ destinations: { solana: 'ethereum:payee' } })).toBe('DESTINATION_INVALID');
    expect(await to({ destinations: {} })).toBe('FIELD_INVALID');
    expect(await to({ amount: 0n })).toBe('AMOUNT_NOT_POSITIVE');
    expect(await to({ asset: 'EURC/6' })).toBe('ASSET_NOT_ON_CHAIN');
    expect(await to({ asset: 'USDC/8', amount: 1n })).toBe('PAYOUT_AMOUNT_INVALID');
    expect(await refusalOf(tenant.quote('nonsense'))).toBe('QUOTE_NOT_FOUND');
  });

  test('is refused with the reason of each chain if none qualifies', async () => {
    wallets.set('solana', 1n).set('ethereum', 0n);
    await expect(store.tenant.createQuote(order)).rejects.toThrow(
      'no chain qualifies: ethereum: the treasury has 0 USDC there and the payout needs 100 USDC or ' +
        'solana: the treasury has 0.000001 USDC there and the payout needs 100 USDC',
    );
  });
});

describe('a quote, under the guards of its tenant,', () => {
  const quoted = async () => {
    const { chain: chosen, inputs, decision } = await store.tenant.createQuote(order);
    return { chosen, why: whyDisqualified({ inputs, decision }), replays: replays({ inputs, decision }) };
  };

  test('disqualifies a chain that is paused, with the reason, and its inputs replay', async () => {
    expect(await quoted()).toEqual({ chosen: 'solana', why: [], replays: true });
    await store.tenant.pause('rail', 'solana', 'maintenance');
    expect(await quoted()).toEqual({
      chosen: 'ethereum',
      why: ['solana: payouts over solana are paused'],
      replays: true,
    });
    await store.tenant.liftPause('rail', 'solana');
    expect(await verifyRoutes(store.db)).toMatchObject({ offenders: [] });
  });

  test('disqualifies a chain above a cap, of one payout or of a day', async () => {
    await store.tenant.setPayoutCap({ asset: 'USDC/6', chain: 'solana', maxAmount: 99_999_999n });
    expect(await quoted()).toMatchObject({
      chosen: 'ethereum',
      why: ['solana: one payout over solana may be 99.999999 USDC at most; this one is 100.000000 USDC'],
    });
    await store.tenant.setPayoutCap({ asset: 'USDC/6', chain: 'solana', maxAmount: null, dailyAmount: 150_000_000n });
    expect(await quoted()).toMatchObject({ chosen: 'solana' });
    await addPayoutSpend(store.db, [
      { tenantId: store.tenant.id, asset: 'USDC/6', chain: 'solana', amount: 60_000_000n, hour: hourOf(new Date()) },
    ]);
    expect(await quoted()).toMatchObject({
      chosen: 'ethereum',
      why: [expect.stringContaining('60.000000 USDC are signed')],
    });
    await store.tenant.setPayoutCap({ asset: 'USDC/6', maxAmount: 1n });
    await expect(quoted()).rejects.toThrow('ethereum: one payout over ethereum may be 0.000001 USDC at most');
    for (const name of ['solana', undefined])
      await store.tenant.setPayoutCap({
        asset: 'USDC/6',
        ...(name && { chain: name }),
        maxAmount: null,
        dailyAmount: null,
      });
    expect(await quoted()).toMatchObject({ chosen: 'solana', why: [] });
  });

  test('is refused for an address that is not listed, and disqualifies one that may not be paid yet', async () => {
    await store.tenant.setPayoutPolicy({ listedOnly: true });
    await store.tenant.addPayoutDestination({ chain: 'ethereum', address: destinations.ethereum });
    expect(await refusalOf(store.tenant.createQuote(order))).toBe('PAYOUT_DESTINATION_NOT_ALLOWED');
    await store.tenant.setPayoutPolicy({ listedOnly: true, wait: '1h' });
    await store.tenant.addPayoutDestination({ chain: 'solana', address: destinations.solana });
    expect(await quoted()).toMatchObject({
      chosen: 'ethereum',
      why: [expect.stringMatching(/^solana: the address solana:payee on solana may be paid from /)],
    });
    await store.tenant.setPayoutPolicy({ listedOnly: false });
    expect(await quoted()).toMatchObject({ chosen: 'solana', why: [] });
  });
});

test('a wallet that cannot pay the fee, is frozen or cannot be read does not qualify, in words', () => {
  const basis = { asset: 'USDC', decimals: 6, feeAsset: 'GAS', feeDecimals: 6 };
  const explained = (change: Partial<RouteCandidate>) => {
    const found = {
      chain: 'solana',
      hasAddress: true,
      walletUnits: '10',
      neededUnits: '1',
      health: 'healthy',
    } as const;
    const numbers = { feeUsd: 1, confirmationSeconds: 1, rpcErrorRate: 0, basis: { ...NO_BASIS, ...basis } };
    return whyDisqualified(
      routeFor({ version: 1, priority: 'fast', candidates: [{ ...found, ...numbers, ...change }] }),
    );
  };
  expect(explained({})).toEqual([]);
  expect(explained({ walletFeeUnits: '1', neededFeeUnits: '20000' })).toEqual([
    'solana: the treasury has 0.000001 GAS there for fees and a transfer needs about 0.02 GAS',
  ]);
  expect(explained({ walletFrozen: true })).toEqual([
    'solana: the wallet there is frozen because its balance differs from the books: unfreeze it',
  ]);
  expect(explained({ walletUnread: true })).toEqual(['solana: the balance of the wallet there could not be read']);
});

const NO_BASIS = {
  feeUnits: null,
  priceUsd: null,
  priceObservedAt: null,
  snapshot: null,
  takenAt: null,
  feeIsLive: false,
};

test('verify computes every stored choice again, and finds one that was changed', async () => {
  const { id } = await store.tenant.createQuote(order);
  const before = await verifyRoutes(store.db);
  expect(before).toMatchObject({ name: 'routes-replay', offenders: [] });
  expect(before.rows).toBeGreaterThan(0n);
  await store.owner.query('alter table usance.quotes disable trigger quotes_are_used_once');
  const set = (score: string) =>
    store.owner.query(
      `update usance.quotes set decision = jsonb_set(decision, '{ranked,0,score}', $2::jsonb) where id = $1::uuid`,
      [id, score],
    );
  const [was] = await store.owner.query(
    `select decision #>> '{ranked,0,score}' as score from usance.quotes where id = $1::uuid`,
    [id],
  );
  await set('0.5');
  expect((await verifyRoutes(store.db)).offenders).toEqual([
    { tenantId: store.tenant.id, asset: 'USDC/6', details: { quote: id } },
  ]);
  await set(String(was?.['score']));
});
