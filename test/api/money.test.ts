// Accounts and payments over HTTP: what the examples do not show.
import { beforeAll, describe, expect, test } from 'vitest';
import { open, troubles } from '../support/books.ts';
import { refusalOf } from '../support/refusal.ts';
import { at, useApi } from './api.ts';
import { problemIn } from './problem.ts';

describe('money over HTTP', () => {
  const store = useApi();
  beforeAll(() => open(store.tenant, { alice: 1_000, bob: 0 }));
  const order = { from: 'alice', to: 'bob', amount: 10, asset: 'USD', delay: '1h' };

  test('an account is known by its id and by its ref, whatever is in it', async () => {
    const ref = 'team/β'.replace('β', 'b') + '?x=1#2%20';
    const made = await store.send('POST /accounts', { body: { ref, kind: 'merchant', guardian: 'alice' } });
    expect(made.status, made.text).toBe(201);
    const alice = (await store.send('GET /accounts/alice')).word('id');
    expect(made.get('guardian')).toBe(alice);
    for (const name of [encodeURIComponent(ref), made.word('id')]) {
      expect((await store.send(`GET /accounts/${name}`)).body).toMatchObject({ ref, balances: [] });
    }
    const byId = await store.send('POST /holds', { body: { ...order, from: alice, to: made.get('id') } });
    expect(byId.body).toMatchObject({ from: alice, to: made.get('id') });
    const edited = await store.send(`PATCH /accounts/${made.word('id')}`, {
      body: { guardian: null, contact: { email: 'b@example.com', zone: 'Europe/Berlin' } },
    });
    expect(edited.body).toMatchObject({ guardian: null, contact: { zone: 'Europe/Berlin' } });
    const wrong = await store.send('PATCH /accounts/alice', { body: { contact: { zone: 'Mars/Olympus' } } });
    expect(problemIn(wrong)).toMatchObject({ code: 'FIELD_INVALID', param: 'contact.zone' });
    expect(wrong.get('detail')).toMatch(/^contact\.zone must be an IANA time zone, such as Europe\/Berlin$/);
    expect(problemIn(await store.send('PATCH /accounts/alice', { body: {} }))).toMatchObject({ code: 'FIELD_INVALID' });
  });

  test('a suspended account neither pays nor is paid', async () => {
    await store.send('POST /accounts/bob/suspend', { body: { reason: 'looked at' } });
    expect(problemIn(await store.send('POST /holds', { body: order }))).toMatchObject({
      code: 'ACCOUNT_NOT_ACTIVE',
      param: 'to',
    });
    const active = await store.send('POST /accounts/bob/reactivate', { body: { reason: 'fine' } });
    expect(active.body).toMatchObject({ status: 'active', status_reason: 'fine' });
    expect(problemIn(await store.send('POST /accounts/alice/close', { body: { reason: 'gone' } }))).toMatchObject({
      code: 'ACCOUNT_NOT_EMPTY',
    });
  });

  test('a hold is captured in parts, extended, and its rest given back', async () => {
    const hold = `/holds/${(await store.send('POST /holds', { body: { ...order, expires_at: '2090-01-01T00:00:00Z' } })).word('id')}`;
    expect((await store.send(`POST ${hold}/capture`, { body: { amount: '4' } })).body).toMatchObject({
      captured: '4',
      hold_status: 'PENDING',
    });
    expect(problemIn(await store.send(`POST ${hold}/capture`, { body: { amount: 7 } }))).toMatchObject({
      code: 'CAPTURE_EXCEEDS_HOLD',
    });
    const extended = await store.send(`POST ${hold}/extend`, { body: { expires_at: '2091-01-01T00:00:00+01:00' } });
    expect(extended.get('expires_at')).toBe('2090-12-31T23:00:00.000Z');
    const ended = await store.send(`POST ${hold}/cancel`);
    expect(ended.body).toMatchObject({ status: 'settled', hold_status: 'COMPLETED', captured: '4', released: '6' });
    expect(problemIn(await store.send(`POST ${hold}/cancel`))).toMatchObject({ code: 'PAYMENT_STATE_CONFLICT' });
  });

  test('a payment is shown as it was ordered', async () => {
    const made = await store.send('POST /payments', {
      body: {
        from: 'alice',
        legs: [
          { to: 'bob', amount: '9' },
          { to: 'fees', amount: 1 },
        ],
        amount: 10,
        asset: 'USD',
        delay: 90,
        retry: { max_attempts: 2, initial_delay: '90s', max_delay: 'PT1H', jitter: 0.5 },
        priority: 'low',
        reference: 'shown',
        metadata: { deep: { list: [1, 'two', null] } },
      },
    });
    expect(made.body).toMatchObject({
      to: null,
      legs: [{ amount: '9' }, { amount: '1' }],
      retry: { max_attempts: 2, initial_delay: 'PT90S', multiplier: 2, max_delay: 'PT3600S', jitter: 0.5 },
      priority: 'low',
      reference: 'shown',
      metadata: { deep: { list: [1, 'two', null] } },
    });
    const next = { next_attempt_at: made.word('execute_at') };
    expect((await store.send(`GET /payments/${made.word('id')}`)).body).toEqual({ ...(made.body as object), ...next });
    const edited = await store.send(`PATCH /payments/${made.word('id')}`, { body: { metadata: {} } });
    expect(edited.get('metadata')).toEqual({});
  });

  test('a first wait above an hour is kept by everything that takes a retry policy', async () => {
    const retry = { max_attempts: 3, initial_delay: 'PT2H' };
    const kept = { max_attempts: 3, initial_delay: 'PT7200S', max_delay: 'PT7200S' };
    const path = (ref: string) => `/guardians/alice/allowances/${ref}`;
    await store.send('POST /accounts', { body: { ref: 'kid-of-alice', guardian: 'alice' } });
    const credit = { asset: 'USD', amount: '5', frequency: 'DAILY', status: 'ON' };
    const plan = { name: 'Slow', price: '5', asset: 'USD', receiver: 'bob', period: { frequency: 'MONTHLY' } };
    const plain = (await store.send('POST /plans', { body: plan })).word('id');
    const rule = { frequency: 'DAILY' };
    const takers: [string, object][] = [
      ['POST /payments', { ...order, reference: 'slow' }],
      ['POST /plans', plan],
      ['POST /subscriptions', { plan: plain, payer: 'alice' }],
      [`POST ${path('kid-of-alice')}`, credit],
      [`PATCH ${path('kid-of-alice')}`, {}],
      ['POST /schedules', { from: 'alice', to: 'bob', asset: 'USD', amount: '5', rule }],
    ];
    for (const [request, body] of takers) {
      const cut = { ...retry, max_delay: 'PT1H' };
      expect(problemIn(await store.send(request, { body: { ...body, retry: cut } })), request).toMatchObject({
        code: 'RETRY_INVALID',
      });
      expect((await store.send(request, { body: { ...body, retry } })).get('retry'), request).toMatchObject(kept);
    }
    await store.run('processor');
  });

  test('a payment shows when it is tried next, until it has ended', async () => {
    const retry = { max_attempts: 3, initial_delay: 'PT2H' };
    const poor = { from: 'poor', to: 'bob', asset: 'USD', amount: '5', funding: 'at_execution', retry };
    await store.send('POST /accounts', { body: { ref: 'poor' } });
    const id = (await store.send('POST /payments', { body: poor })).word('id');
    const next = async () => (await store.send(`GET /payments/${id}`)).get('next_attempt_at');
    const first = String(await next());
    await store.run('processor');
    expect(Date.parse(String(await next())) - Date.parse(first)).toBeGreaterThan(7_000_000);
    await store.send(`POST /payments/${id}/run-now`);
    expect(Date.parse(String(await next())) - Date.parse(first)).toBeLessThan(60_000);
    await store.send(`POST /payments/${id}/cancel`);
    expect(await next()).toBeNull();
  });

  test('a bulk request answers for each payment', async () => {
    const bulk = {
      payments: [
        { ...order, reference: 'bulk-1' },
        { ...order, from: 'nobody' },
        { ...order, amount: 10_000 },
      ],
    };
    const made = await store.send('POST /payments/bulk', { key: 'bulk', body: bulk });
    expect(made.body).toMatchObject({ created: 1, refused: 2 });
    expect(made.list('data')).toMatchObject([
      { error: null },
      { id: null, error: { code: 'ACCOUNT_NOT_FOUND', param: 'from', retryable: false } },
      { id: null, error: { code: 'FUNDS_INSUFFICIENT', retryable: true } },
    ]);
    expect((await store.send('POST /payments/bulk', { key: 'bulk', body: bulk })).text).toBe(made.text);
    expect((await store.send('GET /payments?reference=bulk-1')).list('data')).toHaveLength(1);
  });

  test('an atomic bulk request is made whole or not at all', async () => {
    const payments = [
      { ...order, reference: 'atomic-1' },
      { ...order, to: 'nobody' },
      { ...order, amount: 10_000 },
    ];
    const refused = await store.send('POST /payments/bulk', { body: { atomic: true, payments } });
    expect(problemIn(refused)).toMatchObject({ code: 'ACCOUNT_NOT_FOUND', param: 'payments[1]' });
    expect(refused.list('errors')).toMatchObject([
      { index: 1, code: 'ACCOUNT_NOT_FOUND', param: 'to' },
      { index: 2, code: 'FUNDS_INSUFFICIENT' },
    ]);
    expect((await store.send('GET /payments?reference=atomic-1')).list('data')).toEqual([]);
  });

  test.each([
    ['an order that does not fit', [order, { ...order, amount: true }], 'AMOUNT_INVALID', 'payments[1].amount'],
    [
      'an order with a delay in words',
      [order, { ...order, retry: { initial_delay: 'soon' } }],
      'DELAY_INVALID',
      'payments[1].retry.initial_delay',
    ],
    ['no order', [], 'BULK_TOO_LARGE', 'payments'],
    [
      'too many orders',
      Array.from({ length: 10_001 }, () => ({ from: 'a', to: 'b', amount: 1 })),
      'BULK_TOO_LARGE',
      'payments',
    ],
  ])('a bulk request with %s is refused whole', async (_title, payments, code, param) => {
    expect(problemIn(await store.send('POST /payments/bulk', { body: { payments } }))).toMatchObject({ code, param });
  });

  test('what a filter finds is made due, or only told', async () => {
    const id = (await store.send('POST /holds', { body: { ...order, reference: 'sooner' } })).word('id');
    const body = { filter: { reference: 'sooner' } };
    const dry = await store.send('POST /payments/run-now', { body: { ...body, dry_run: true } });
    const result = { count: 1, found: 1, remaining: 0, data: [{ id }] };
    expect(dry.body).toMatchObject({ dry_run: true, result, events: ['payment.run_now'] });
    expect(problemIn(await store.send('POST /payments/run-now', { body })).code).toBe('FIELD_INVALID');
    expect(problemIn(await store.send('POST /payments/run-now', { body: { filter: {} } })).code).toBe('FIELD_INVALID');
    expect(await store.run('processor')).toMatchObject({ settled: 0 });
    expect((await store.send('POST /payments/run-now', { body: { ...body, expect: 1 } })).body).toMatchObject({
      count: 1,
      data: [{ id }],
    });
    expect(await store.run('processor')).toMatchObject({ settled: 1 });
    const refund = await store.send(`POST /payments/${id}/refund`, { body: { amount: 3, reason: 'broken' } });
    expect(refund.body).toMatchObject({ payment: { refunded: '3' }, refunds: [{ amount: '3' }] });
    expect(problemIn(await store.send(`POST /payments/${id}/refund`, { body: { amount: 8 } }))).toMatchObject({
      code: 'REFUND_EXCEEDS_PAYMENT',
    });
    const story = (await store.send(`GET /payments/${id}/timeline`)).list('data');
    expect(story.map((entry) => at(entry, 'type'))).toEqual([
      'payment.created',
      'payment.run_now',
      'payment.settled',
      'payment.refunded',
    ]);
    expect(story.at(-1)).toMatchObject({ cause: 'broken', after: expect.stringMatching(/^PT[\d.]+S$/) });
  });

  test('what is paused is refused until it is let go', async () => {
    const paused = await store.send('POST /pauses', { body: { scope: 'tenant', reason: 'an incident' } });
    expect(paused.body).toMatchObject({ scope: 'tenant', value: null, paused_by: expect.stringMatching(/^key_/) });
    expect(problemIn(await store.send('POST /holds', { body: order }))).toMatchObject({ code: 'PAUSED' });
    expect((await store.send(`DELETE /pauses/${paused.word('id')}`)).status).toBe(200);
    expect(problemIn(await store.send(`DELETE /pauses/${paused.word('id')}`))).toMatchObject({
      code: 'PAUSE_NOT_FOUND',
    });
    expect((await store.send('POST /holds', { body: order })).status).toBe(201);
  });

  test('a transfer that was never posted is not found', async () => {
    expect(await refusalOf(store.tenant.posted('01990000-0000-7000-8000-000000000000'))).toBe('TRANSFER_NOT_FOUND');
    expect(await refusalOf(store.tenant.posted('nonsense'))).toBe('TRANSFER_NOT_FOUND');
  });

  test('leaves the books right', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
