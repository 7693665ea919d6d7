// From a quote to a settled payout over HTTP, on the simulated chain, with the reason of its route and the wallet that paid.
import { beforeAll, describe, expect, test } from 'vitest';
import { walletKey } from '../../src/rails/index.ts';
import { key, troubles } from '../support/books.ts';
import { useApi } from './api.ts';
import type { Answer } from './api.ts';
import { problemIn } from './problem.ts';

const BLOCKS = { blockMs: 20, finalityBlocks: 2 };
const store = useApi({
  usance: {
    payouts: { confirmEveryMs: 20, reconcileEveryMs: 20 },
    chains: { sandbox: BLOCKS, measureEveryMs: 3_600_000 },
  },
});
const PAYEE = walletKey('payee').address;
const run = (name: string) => store.usance.loops.find((loop) => loop.name === name)?.runOnce();
const quoted = (body: object = {}): Promise<Answer> =>
  store.send('POST /quotes', {
    body: { asset: 'USDC/6', amount: '10000000', destinations: { sandbox: PAYEE }, ...body },
  });

beforeAll(async () => {
  await store.tenant.createAsset('USDC/6');
  await store.tenant.openAccount({ ref: 'alice' });
  await store.tenant.deposit({ account: 'alice', asset: 'USDC/6', amount: 100_000_000n, idempotencyKey: key() });
  await run('health');
});

describe('a quote', () => {
  test('names the chain, its score and why, and lives five minutes', async () => {
    const quote = await quoted();
    expect(quote.status).toBe(201);
    expect(quote.body).toMatchObject({
      asset: 'USDC/6',
      amount: '10000000',
      destinations: { sandbox: PAYEE },
      priority: 'low_fee',
      chain: 'sandbox',
      candidates: [{ chain: 'sandbox', disqualified: null, health: 'healthy', rpc_error_rate: 0 }],
      accepted_at: null,
    });
    expect(quote.word('explanation.0')).toMatch(/^Chosen: sandbox, the highest score for low fee/);
    expect(Date.parse(quote.word('expires_at')) - Date.parse(quote.word('created_at'))).toBe(300_000);
    expect((await store.send(`GET /quotes/${quote.word('id')}`)).body).toEqual(quote.body);
  });

  test('is listed with the others of its tenant, newest first, page by page', async () => {
    const made = [await quoted(), await quoted({ priority: 'fast' }), await quoted({ amount: '2000000' })];
    const first = await store.send('GET /quotes?limit=2');
    expect(first.list('data')).toEqual([made[2]?.body, made[1]?.body]);
    const next = await store.send(`GET /quotes?limit=2&cursor=${first.word('next_cursor')}`);
    expect(next.list('data')[0]).toEqual(made[0]?.body);
    const stranger = await store.send('GET /quotes?cursor=bm90IG91cnM');
    expect([stranger.status, problemIn(stranger).code]).toEqual([400, 'CURSOR_INVALID']);
  });

  test('is accepted once, by a payout that settles on its chain and says why', async () => {
    const quote = await quoted({ priority: 'reliable' });
    const body = { from: 'alice', reference: 'bounty-7' };
    const accepted = await store.send(`POST /quotes/${quote.word('id')}/accept`, { body, key: 'accept-7' });
    expect(accepted.status).toBe(201);
    expect(accepted.body).toMatchObject({
      rail: 'any',
      asset: 'USDC/6',
      amount: '10000000',
      destinations: { sandbox: PAYEE },
      route_priority: 'reliable',
      reference: 'bounty-7',
    });
    const again = await store.send(`POST /quotes/${quote.word('id')}/accept`, { body, key: 'accept-7' });
    expect(again.text).toBe(accepted.text);
    expect(problemIn(await store.send(`POST /quotes/${quote.word('id')}/accept`, { body })).code).toBe('QUOTE_USED');

    const id = accepted.word('id');
    const before = await store.send(`GET /payments/${id}/route`);
    expect(before.body).toMatchObject({ number: null, cause: 'quote', chain: 'sandbox', quote_id: quote.word('id') });
    await run('payouts');
    await expect
      .poll(async () => {
        await run('confirmations');
        return (await store.send(`GET /payments/${id}`)).word('status');
      })
      .toBe('settled');
    const route = await store.send(`GET /payments/${id}/route`);
    expect(route.body).toMatchObject({
      payment_id: id,
      number: 1,
      cause: 'quote',
      quote_id: quote.word('id'),
      priority: 'reliable',
      chain: 'sandbox',
      replays: true,
      explanation: quote.get('explanation'),
    });
    expect((await store.send(`GET /quotes/${quote.word('id')}`)).word('accepted_at')).toMatch(/Z$/);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('that is accepted with a delay is paid after the delay, and not before', async () => {
    const quote = await quoted({ amount: '1000000' });
    const accepted = await store.send(`POST /quotes/${quote.word('id')}/accept`, {
      body: { from: 'alice', delay: 'PT1H' },
    });
    expect(Date.parse(accepted.word('execute_at')) - Date.parse(accepted.word('created_at'))).toBe(3_600_000);
    await run('payouts');
    expect((await store.send(`GET /payments/${accepted.word('id')}`)).word('status')).toBe('scheduled');
  });

  test('without a chain that qualifies is refused with the reason of each', async () => {
    const refused = await quoted({ amount: '9000000000000000' });
    expect(problemIn(refused)).toMatchObject({ code: 'QUOTE_NO_ROUTE' });
    expect([refused.status, refused.get('retryable')]).toEqual([422, true]);
    expect(refused.word('detail')).toMatch(
      /sandbox: the treasury has .* USDC there and the payout needs 9000000000 USDC/,
    );
  });

  test('of a wrong address, chain or amount says what to change', async () => {
    const codeOf = async (body: object) => problemIn(await quoted(body)).code;
    expect(await codeOf({ destinations: { sandbox: '0x00' } })).toBe('DESTINATION_INVALID');
    expect(await codeOf({ destinations: { solana: PAYEE } })).toBe('CHAIN_NOT_AVAILABLE');
    expect(await codeOf({ amount: '0' })).toBe('AMOUNT_NOT_POSITIVE');
    expect(await codeOf({ asset: 'EURC/6' })).toBe('ASSET_NOT_ON_CHAIN');
  });
});

test('the wallet is listed with its comparison, and unfrozen with a reason', async () => {
  await run('treasury');
  const { body } = await store.send('GET /treasury-wallets');
  expect(body).toMatchObject({
    data: [
      {
        chain: 'sandbox',
        fee_asset: 'SBX/9',
        frozen_at: null,
        balances: [
          { asset: 'SBX/9', verdict: 'even' },
          { asset: 'USDC/6', available: '999990000000', reserved: '0', verdict: 'even', on_chain: '999990000000' },
        ],
      },
    ],
  });
  const [row] = await store.db.query(`select * from usance_docs.treasury_wallets where asset = 'USDC/6'`);
  expect(row).toMatchObject({
    chain: 'sandbox',
    available: '999990000000',
    status: 'active',
    on_chain: '999990000000',
  });
  const unfreeze = (reason: string) => store.send('POST /treasury-wallets/sandbox/unfreeze', { body: { reason } });
  expect(problemIn(await unfreeze('nothing to lift')).code).toBe('TREASURY_WALLET_NOT_FROZEN');
  await store.owner.query(`update usance.payout_wallets set frozen_at = now(), frozen_reason = 'planted'`);
  expect((await unfreeze('checked by hand')).body).toMatchObject({ chain: 'sandbox', frozen_at: null });
  await run('sequencer');
  const events = await store.tenant.events({ type: 'treasury_wallet.unfrozen' });
  expect(events).toMatchObject([{ data: { chain: 'sandbox', reason: 'checked by hand' } }]);
});
