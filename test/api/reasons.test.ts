// `Usance-Reason`: why a caller made a change, in the audit log with every event of its request, and nowhere that an end user or a receiver of
// webhooks can see.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { createClient } from '../../src/client/index.ts';
import type { Route } from '../../src/contract/index.ts';
import { ROUTES } from '../../src/contract/index.ts';
import type { TenantHandle } from '../../src/index.ts';
import { SECRET, tokenOf } from '../codes/world.ts';
import { open } from '../support/books.ts';
import { orderAll } from '../support/order.ts';
import { testProcessor } from '../support/processor.ts';
import type { Answer } from './api.ts';
import { freshKey, useApi } from './api.ts';
import { openApiDocument } from '../../src/api/index.ts';
import { createUsance } from '../../src/index.ts';
import { verifyChains } from '../../src/audit/index.ts';
import { TEST_KEY } from '../support/database.ts';

const store = useApi({ usance: { jwt: { secret: SECRET, audience: 'usance', issuer: null } } });
const HOLD = { from: 'alice', to: 'bob', amount: 100, asset: 'USD', delay: '1h' };
beforeAll(() => open(store.tenant, { alice: 100_000, bob: 0 }));

const why = (reason: string): Record<string, string> => ({ 'usance-reason': encodeURIComponent(reason) });

interface Logged {
  readonly action: string;
  readonly reason: string | null;
}

/** The audit log of a resource, oldest first. */
async function logged(resourceId: string): Promise<[string, string | null][]> {
  const { body } = await store.send(`GET /audit-events?resource_id=${resourceId}`);
  return (body as { data: Logged[] }).data
    .map(({ action, reason }): [string, string | null] => [action, reason])
    .toReversed();
}

/** The newest entry of the audit log with an action. */
async function newest(action: string): Promise<string | null> {
  const { body } = await store.send(`GET /audit-events?action=${action}&limit=1`);
  return (body as { data: Logged[] }).data[0]?.reason ?? null;
}

describe('the reason of a request', () => {
  test('is recorded with the events of the request, and not with what follows from it', async () => {
    const { word } = await store.send('POST /payments', { body: HOLD, headers: why('order 7 on the phone') });
    const id = word('id');
    await store.send(`POST /payments/${id}/capture`, { body: { amount: '40' }, headers: why('half of it was sent') });
    await store.send(`PATCH /payments/${id}`, { body: { metadata: { note: 1 } } });
    await store.send(`POST /payments/${id}/run-now`, { headers: why('the rest, too') });
    await testProcessor(store.db).drain();
    expect(await logged(id)).toEqual([
      ['PAYMENT_CREATED', 'order 7 on the phone'],
      ['PAYMENT_CAPTURED', 'half of it was sent'],
      ['PAYMENT_UPDATED', null],
      ['PAYMENT_RUN_NOW', 'the rest, too'],
      ['PAYMENT_COMPLETED', null],
    ]);
  });

  test.each([
    ['POST /accounts', { ref: 'cleo' }, 'ACCOUNT_CREATED'],
    ['POST /accounts/alice/deposit', { asset: 'USD/2', amount: '500' }, 'TRANSFER_POSTED'],
    ['POST /limits', { asset: 'USD/2', max_amount: '90000' }, 'LIMIT_SET'],
    ['PATCH /execution-cap', { per_second: 100 }, 'EXECUTION_CAP_SET'],
    ['POST /pauses', { scope: 'asset', value: 'USD/2', reason: 'odd' }, 'PAUSE_CREATED'],
    ['POST /api-keys', { name: 'till', role: 'viewer' }, 'API_KEY_CREATED'],
    [
      'POST /schedules',
      { from: 'alice', to: 'bob', asset: 'USD/2', amount: '1', rule: { frequency: 'YEARLY' }, zone: 'UTC' },
      'SCHEDULE_CREATED',
    ],
    [
      'POST /webhook-endpoints',
      { url: 'https://shop.example.com/hooks', event_pattern: 'payment.*' },
      'WEBHOOK_ENDPOINT_CREATED',
    ],
    ['POST /events', { type: 'posts.created', resource: 'post', resource_id: '1' }, 'POSTS_CREATED'],
    ['POST /payout-policy', { listed_only: true }, 'PAYOUT_POLICY_SET'],
  ])('is recorded by %s', async (request, body, action) => {
    const reason = `because of ${action}`;
    const answer = await store.send(request, { body, headers: why(reason) });
    expect([answer.status, answer.text]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()]);
    expect(await newest(action)).toBe(reason);
  });

  test('is recorded by a DELETE, which has no body', async () => {
    const { body } = await store.send('GET /pauses');
    const [pause] = (body as { data: { id: string }[] }).data;
    await store.send(`DELETE /pauses/${pause?.id}`, { headers: why('the numbers are fine') });
    expect(await newest('PAUSE_LIFTED')).toBe('the numbers are fine');
  });

  test('stands beside a reason in the body, which is part of the change', async () => {
    const { word } = await store.send('POST /holds', { body: HOLD });
    await store.send(`POST /holds/${word('id')}/cancel`, { body: { reason: 'no stock' }, headers: why('ticket 4711') });
    const { body } = await store.send(`GET /audit-events?resource_id=${word('id')}&action=PAYMENT_CANCELLED`);
    expect(body).toMatchObject({ data: [{ reason: 'ticket 4711', details: { reason: 'no stock' } }] });
  });

  test('of creates that are committed together is that of each', async () => {
    const reasons = ['one', null, 'three', 'four'];
    const ids = await Promise.all(
      reasons.map(async (reason) =>
        (await store.send('POST /holds', { body: HOLD, headers: reason === null ? {} : why(reason) })).word('id'),
      ),
    );
    expect(await Promise.all(ids.map(logged))).toEqual(reasons.map((reason) => [['PAYMENT_CREATED', reason]]));
  });

  test.each([
    ['Grüße aus Zürich: 50 % Rabatt 💶', 'Grüße aus Zürich: 50 % Rabatt 💶'],
    ['  spaces around it\n', 'spaces around it'],
    ['two\nlines', 'two\nlines'],
    ['字'.repeat(500), '字'.repeat(500)],
    [' ', null],
    ['', null],
  ])('is percent-encoded UTF-8: %j', async (given, recorded) => {
    const { word } = await store.send('POST /holds', { body: HOLD, headers: why(given) });
    expect(await logged(word('id'))).toEqual([['PAYMENT_CREATED', recorded]]);
  });

  test('can be plain ASCII, without a percent sign', async () => {
    const headers = { 'usance-reason': `Jo's order #7 (see "till"), a/b?` };
    const { word } = await store.send('POST /holds', { body: HOLD, headers });
    expect(await logged(word('id'))).toEqual([['PAYMENT_CREATED', headers['usance-reason']]]);
  });

  const wrong: [string, string, string][] = [
    ['too long', 'x'.repeat(501), 'wrong_length'],
    ['too long, in bytes of UTF-8', encodeURIComponent('💶'.repeat(501)), 'wrong_length'],
    ['with NUL', 'a%00b', 'wrong_length'],
    ['with a bare percent sign', '50 % off', 'not_percent_encoded'],
    ['that ends in an escape', 'abc%4', 'not_percent_encoded'],
    ['in Latin-1', 'caf\u00e9', 'not_percent_encoded'],
    ['in percent-encoded Latin-1', 'caf%E9', 'not_percent_encoded'],
    ['with half of a surrogate pair', '%ED%A0%80', 'not_percent_encoded'],
    ['in overlong UTF-8', '%C0%AF', 'not_percent_encoded'],
    ['with a tab', 'a\tb', 'not_percent_encoded'],
  ];
  test.each(wrong)('%s is refused, and nothing is changed', async (_title, reason, how) => {
    const before = (await store.tenant.payments()).length;
    for (const body of [HOLD, { ...HOLD, dry_run: true }]) {
      const answer = await store.send('POST /holds', { body, headers: { 'usance-reason': reason } });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'FIELD_INVALID', reason: how, param: 'Usance-Reason' });
    }
    expect(await store.tenant.payments()).toHaveLength(before);
  });

  test('sent twice is refused', async () => {
    const headers = [
      ['authorization', `Bearer ${store.secret}`],
      ['usance-reason', 'one'],
      ['usance-reason', 'two'],
    ] as const;
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${store.url}/v1/accounts`, { method: 'POST', headers: headers.flat() }, (answer) =>
        resolve(answer.statusCode),
      );
      sent.on('error', reject).end();
    });
    expect(status).toBe(400);
  });

  test('of a read is not looked at', async () => {
    expect((await store.send('GET /payments', { headers: { 'usance-reason': '50 %' } })).status).toBe(200);
  });

  test('is no part of what an idempotency key is compared by: a replay answers the same and records nothing', async () => {
    const key = freshKey();
    const send = (reason: string): Promise<Answer> =>
      store.send('POST /holds', { body: HOLD, key, headers: why(reason) });
    const first = await send('the first time');
    const again = await send('the second time');
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
      first.status,
      first.text,
      'true',
    ]);
    expect(await logged(first.word('id'))).toEqual([['PAYMENT_CREATED', 'the first time']]);
  });

  test('is not recorded by a request to erase: its events are never erased', async () => {
    const { word } = await store.send('POST /accounts', { body: { ref: 'carl' }, headers: why('carl asked for it') });
    const id = word('id');
    expect((await store.send(`POST /accounts/${id}/close`, { body: { reason: 'left' } })).status).toBe(200);
    const erased = await store.send(`POST /accounts/${id}/erase`, {
      body: { reason: 'request 17' },
      headers: why('carl, born in 1970'),
    });
    expect(erased.status, erased.text).toBe(200);
    const rows = await store.owner.query(`select type from usance.events where reason like '%carl%'`);
    expect(rows).toEqual([]);
  });

  test('of invisible characters is none', async () => {
    const { word } = await store.send('POST /accounts', { body: { ref: 'dora' }, headers: why('\u200B \u202E') });
    expect(await logged(word('id'))).toEqual([['ACCOUNT_CREATED', null]]);
  });

  test('leaves a chain that verifies', async () => {
    await orderAll(store.db);
    expect((await verifyChains(store.db)).flatMap(({ offenders }) => offenders)).toEqual([]);
  });

  test('is a header of every change in the OpenAPI document, and of no read', () => {
    for (const [path, methods] of Object.entries(openApiDocument().paths))
      for (const [method, { operationId, parameters }] of Object.entries(methods)) {
        const isChange = method !== 'get' && operationId !== 'schedules.preview';
        const has = (parameters ?? []).some(({ name }) => name === 'Usance-Reason');
        expect({ path, method, has }).toEqual({ path, method, has: isChange });
      }
  });
});

describe('the reason of an operator', () => {
  const NOTE = 'suspects-the-payer-of-fraud';
  const state = { payment: '', own: '' };

  beforeAll(async () => {
    const made = await store.send('POST /holds', {
      secret: tokenOf('alice'),
      body: { to: 'bob', amount: 100, asset: 'USD', delay: '1h' },
      headers: why('a gift for Bob'),
    });
    state.payment = made.word('id');
    for (const [request, body] of [
      [`PATCH /payments/${state.payment}`, { amount: '90' }],
      [`POST /payments/${state.payment}/capture`, { amount: '10' }],
      [`POST /payments/${state.payment}/cancel`, {}],
      ['POST /accounts/alice/deposit', { asset: 'USD/2', amount: '5' }],
      ['PATCH /accounts/alice', { name: 'Alice' }],
    ] as const) {
      const { status, text } = await store.send(request, { body, headers: why(NOTE) });
      if (status >= 300) throw new Error(`${request}: ${text}`);
    }
    await store.run('sequencer');
  });

  test('is in the timeline of a payment, for keys', async () => {
    const { body } = await store.send(`GET /payments/${state.payment}/timeline`);
    expect(
      (body as { data: { type: string; reason: unknown }[] }).data.map(({ type, reason }) => [type, reason]),
    ).toEqual([
      ['payment.created', 'a gift for Bob'],
      ['payment.updated', NOTE],
      ['payment.captured', NOTE],
      ['payment.released', NOTE],
      ['payment.settled', NOTE],
    ]);
  });

  test('is in nothing that an end user can read; their own is in their timeline', async () => {
    const fill = (path: string): string =>
      path
        .replace('{id}', /^\/(payments|holds)/.test(path) ? state.payment : 'alice')
        .replaceAll(/\{(guardian|junior)\}/g, 'alice');
    const routes = (Object.values(ROUTES) as Route[]).filter(({ own, method }) => own && method === 'GET');
    expect(routes.length).toBeGreaterThan(10);
    for (const { path } of routes)
      for (const sub of ['alice', 'bob']) {
        const { text } = await store.send(`GET ${fill(path)}`, { secret: tokenOf(sub) });
        expect({ path, sub, shown: text.includes(NOTE) }).toEqual({ path, sub, shown: false });
      }
    const { body } = await store.send(`GET /payments/${state.payment}/timeline`, { secret: tokenOf('alice') });
    expect((body as { data: { reason: unknown }[] }).data.map(({ reason }) => reason)).toEqual([
      'a gift for Bob',
      null,
      null,
      null,
      null,
    ]);
    for (const path of ['/audit-events', '/events', `/payments/${state.payment}/receipt`])
      expect((await store.send(`GET ${path}`, { secret: tokenOf('alice') })).status).toBe(403);
  });

  test('is not in the events that jobs, streams and webhooks get', async () => {
    const { text } = await store.send(`GET /events?resource_id=${state.payment}`);
    expect(text).toContain('payment.released');
    expect(text).not.toContain(NOTE);
    for (const { path } of (Object.values(ROUTES) as Route[]).filter(({ method }) => method === 'GET')) {
      if (['/audit-events', '/payments/{id}/timeline', '/payments/{id}/receipt'].includes(path)) continue;
      const filled = path.replace('{id}', /^\/(payments|holds)/.test(path) ? state.payment : 'alice');
      expect({ path, shown: (await store.send(`GET ${filled}`)).text.includes(NOTE) }).toEqual({ path, shown: false });
    }
  });
});

describe('a caller of another kind', () => {
  test('the client sends the option `reason`, encoded', async () => {
    const client: Client = createClient({ url: store.url, key: store.secret });
    const { id } = await client.holds.create(
      { ...HOLD, amount: '100', asset: 'USD/2' },
      { reason: 'Zoë: 50 % & more' },
    );
    await client.payments.runNow(id, { reason: 'she is at the till' });
    expect(await logged(id)).toEqual([
      ['PAYMENT_CREATED', 'Zoë: 50 % & more'],
      ['PAYMENT_RUN_NOW', 'she is at the till'],
    ]);
    const tooLong = client.holds.create({ ...HOLD, amount: '100', asset: 'USD/2' }, { reason: 'x'.repeat(501) });
    await expect(tooLong).rejects.toMatchObject({ code: 'FIELD_INVALID', param: 'Usance-Reason' });
    expect(await client.payments.runNow(id, { reason: 'tried', dryRun: true })).toMatchObject({ result: { id } });
  });

  test('the library names it with the caller', async () => {
    const usance = await createUsance({ databaseUrl: store.runtimeUrl, encryption: { key: TEST_KEY }, migrate: false });
    try {
      const jo: TenantHandle = await usance.tenant('shop', { actor: 'support:jo', reason: ' a complaint ' });
      const { id } = await jo.holds.create({ ...HOLD, amount: '100', asset: 'USD/2' }, { idempotencyKey: freshKey() });
      expect(await logged(id)).toEqual([['PAYMENT_CREATED', 'a complaint']]);
      const pages: (string | null)[] = [];
      for await (const { reason } of jo.auditEvents.list({ actor: 'support:jo' })) pages.push(reason);
      expect(pages).toEqual(['a complaint']);
      await expect(usance.tenant('shop', { actor: 'jo', reason: 'x'.repeat(501) })).rejects.toMatchObject({
        code: 'FIELD_INVALID',
      });
    } finally {
      await usance.close();
    }
  });
});
