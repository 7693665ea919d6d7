// Payment intents, attempts and the resolution of a payout over HTTP.
import { beforeAll, describe, expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { walletKey } from '../../src/rails/index.ts';
import { key, troubles } from '../support/books.ts';
import { payoutInReview } from '../support/payouts.ts';
import type { Answer } from './api.ts';
import { useApi } from './api.ts';
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
const ORDER = { from: 'alice', asset: 'USDC', amount_decimal: '10.00', destinations: { sandbox: PAYEE } };
const create = (body: object = {}): Promise<Answer> =>
  store.send('POST /payment-intents', { body: { ...ORDER, ...body } });
const listed = async (query: string): Promise<string[]> =>
  (await store.send(`GET /payment-intents?${query}`)).list('data').map((one) => (one as { id: string }).id);

beforeAll(async () => {
  await store.tenant.createAsset('USDC/6');
  await store.tenant.openAccount({ ref: 'alice' });
  await store.tenant.deposit({ account: 'alice', asset: 'USDC/6', amount: 100_000_000n, idempotencyKey: key() });
  await run('health');
});

describe('a payment intent', () => {
  test('is a payout, with its attempts and its route, and shows the chain that paid', async () => {
    const made = await create({ priority: 'reliable', reference: 'bounty-9' });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      status: 'route_selected',
      from_ref: 'alice',
      amount: '10000000',
      destinations: { sandbox: PAYEE },
      priority: 'reliable',
      quote_id: null,
      selected_chain: null,
      transaction_id: null,
      attempts: 0,
    });
    const id = made.word('id');
    expect((await store.send(`GET /payments/${id}/attempts`)).body).toEqual({ data: [], next_cursor: null });
    await run('payouts');
    const sent = await store.send(`GET /payment-intents/${id}`);
    expect(sent.body).toMatchObject({ status: 'broadcasted', selected_chain: 'sandbox', attempts: 1, fee: null });
    expect(problemIn(await store.send(`POST /payment-intents/${id}/cancel`, { body: {} })).code).toBe(
      'PAYMENT_STATE_CONFLICT',
    );
    await expect
      .poll(async () => {
        await run('confirmations');
        return (await store.send(`GET /payment-intents/${id}`)).word('status');
      })
      .toBe('settled');
    const attempts = await store.send(`GET /payments/${id}/attempts`);
    expect(attempts.list('data')).toMatchObject([
      { number: 1, state: 'finalized', chain: 'sandbox', destination: PAYEE, fee_asset: 'SBX/9', resolved_by: null },
    ]);
    const settled = await store.send(`GET /payment-intents/${id}`);
    expect(settled.get('transaction_id')).toBe(attempts.get('data.0.transaction_id'));
    expect(settled.get('fee')).toBe(attempts.get('data.0.fee'));
    const route = await store.send(`GET /payment-intents/${id}/route`);
    expect(route.body).toEqual((await store.send(`GET /payments/${id}/route`)).body);
    expect(route.word('explanation.0')).toMatch(/^Chosen: sandbox, the highest score for reliability/);
  });

  test('takes a quote once, and nothing beside it', async () => {
    const { asset, destinations } = ORDER;
    const quote = await store.send('POST /quotes', { body: { asset, amount: '5000000', destinations } });
    const quote_id = quote.word('id');
    const body = { from: 'alice', quote_id, delay: '1h' };
    const both = await store.send('POST /payment-intents', { body: { ...body, priority: 'fast' } });
    expect(problemIn(both)).toMatchObject({ code: 'FIELD_INVALID', param: 'priority' });
    const made = await store.send('POST /payment-intents', { body });
    expect(made.body).toMatchObject({ amount: '5000000', quote_id, destinations, priority: 'low_fee' });
    expect(problemIn(await store.send('POST /payment-intents', { body })).code).toBe('QUOTE_USED');
    const cancelled = await store.send(`POST /payment-intents/${made.word('id')}/cancel`, {
      body: { reason: 'sold out' },
    });
    expect(cancelled.body).toMatchObject({ status: 'cancelled', selected_chain: null });
    const neither = await store.send('POST /payment-intents', { body: { from: 'alice', amount: '1', asset } });
    expect(problemIn(neither)).toMatchObject({ code: 'FIELD_INVALID', param: 'destinations' });
  });

  test('is listed by status and reference, newest first, without payments between accounts', async () => {
    const ledger = { from: 'alice', to: 'fees', asset: 'USDC', amount: '1', delay: '1h' };
    const inside = (await store.send('POST /payments', { body: ledger })).word('id');
    const [first, second] = [await create({ delay: '1h', reference: 'first' }), await create({ delay: '2h' })];
    const ids = [second.word('id'), first.word('id')];
    expect(await listed('status=route_selected')).toEqual(ids);
    expect(await listed('reference=first')).toEqual([first.word('id')]);
    expect(await listed('status=route_selected,settled')).toHaveLength(3);
    const page = await store.send('GET /payment-intents?limit=1&status=route_selected');
    expect(page.get('data.0.id')).toBe(ids[0]);
    expect(await listed(`limit=1&status=route_selected&cursor=${page.word('next_cursor')}`)).toEqual([ids[1]]);
    for (const request of ['GET', 'POST'])
      expect(
        problemIn(
          await store.send(
            `${request} /payment-intents/${inside}${request === 'POST' ? '/cancel' : ''}`,
            request === 'POST' ? { body: {} } : {},
          ),
        ).code,
      ).toBe('PAYMENT_NOT_FOUND');
    // The plan of the list reads the index of payouts.
    const plan = await store.owner.query(
      `explain select id from usance.all_payments p where p.tenant_id = $1::uuid and p.rail <> 'ledger' order by id desc limit 50`,
      [store.tenant.id],
    );
    expect(JSON.stringify(plan)).toContain('payments_payouts');
  });
});

describe('a payout in review', () => {
  test('is resolved under its version, first as a dry run, and is audited', async () => {
    const id = await payoutInReview(store, BLOCKS);
    const shown = await store.send(`GET /payments/${id}`);
    const request = `POST /payments/${id}/resolve`;
    const body = { outcome: 'dead', reason: 'block 160 is final, and no explorer has it' };
    const stale = await store.send(request, { body, headers: { 'if-match': '"0123456789abcdefghijkl"' } });
    expect(problemIn(stale).code).toBe('PRECONDITION_FAILED');
    const dry = await store.send(request, { body: { ...body, dry_run: true } });
    expect(dry.get('result')).toMatchObject({ id, status: 'scheduled' });
    expect(dry.get('events')).toEqual(['payment.resolved', 'payment.attempt_failed']);
    expect((await store.send(`GET /payments/${id}`)).get('status')).toBe('review');
    const etag = shown.headers.get('etag') ?? '';
    const resolved = await store.send(request, { body, key: 'resolve', headers: { 'if-match': etag } });
    expect(resolved.status, resolved.text).toBe(200);
    expect(resolved.body).toMatchObject({ status: 'scheduled', last_error: { code: 'PAYOUT_NOT_LANDED' } });
    const again = await store.send(request, { body, key: 'resolve', headers: { 'if-match': etag } });
    expect(again.text).toBe(resolved.text);
    await run('sequencer');
    const audited = await store.send('GET /audit-events?action=PAYMENT_RESOLVED');
    expect(audited.get('data.0')).toMatchObject({ resource_id: id, actor: expect.stringMatching(/^key_/) as string });
    expect((await store.send(`GET /payments/${id}/attempts`)).get('data.0')).toMatchObject({
      state: 'dead',
      resolved_by: expect.stringMatching(/^key_/) as string,
    });
    const { secret } = await store.tenant.createApiKey({ name: 'reads', scopes: ['payments:read', 'payments:write'] });
    expect(problemIn(await store.send(request, { body, secret })).code).toBe('AUTH_SCOPE_MISSING');
    expect((await store.send(`GET /payments/${toTypeId('payment', store.tenant.id)}/attempts`)).status).toBe(404);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
