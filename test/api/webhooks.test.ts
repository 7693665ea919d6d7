// Webhook endpoints and deliveries over HTTP, in the client and in the library: their fields, changes, refusals and permissions.
import { beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { createEngine } from '../../src/engine.ts';
import { fromTypeId, newId, toTypeId } from '../../src/kernel/index.ts';
import { isWebhookSecret } from '../../src/webhooks/index.ts';
import { open } from '../support/books.ts';
import { addJob } from '../support/jobs.ts';
import { useReceiver, verified } from '../support/receiver.ts';
import { DELIVERING, NOWHERE, deliver, send } from '../support/webhooks.ts';
import { freshKey, sendTo, useApi } from './api.ts';
import type { Answer } from './api.ts';
import { problemIn } from './problem.ts';

const store = useApi({ usance: DELIVERING });
const receiver = useReceiver();
const TERMS = { url: NOWHERE, event_pattern: 'payment.*' };
const create = (change: object = {}): Promise<Answer> =>
  store.send('POST /webhook-endpoints', { body: { ...TERMS, ...change } });
const created = async (change: object = {}): Promise<Answer> => {
  const answer = await create(change);
  expect(answer.status, answer.text).toBe(201);
  return answer;
};
/** An endpoint at a path of the receiver, without the endpoints of other tests. */
async function receiving(path: string, change: object = {}) {
  const made = await created({ url: receiver.url(path), event_pattern: 'account.created', ...change });
  return { id: made.word('id'), secret: made.word('secret') };
}
let accounts = 0;
/** Appends an event of the type `account.created`. */
const happen = (): Promise<Answer> => store.send('POST /accounts', { body: { ref: `acc-${(accounts += 1)}` } });
const deliveriesOf = (id: string, query = ''): Promise<Answer> =>
  store.send(`GET /webhook-endpoints/${id}/deliveries${query}`);
const etag = (answer: Answer): string => answer.headers.get('etag') ?? '';

beforeAll(() => open(store.tenant, { alice: 100_000, bob: 0 }));

describe('a webhook endpoint', () => {
  test('has a URL and a pattern, a default for everything else, and a secret that is shown once', async () => {
    const key = freshKey();
    const first = await store.send('POST /webhook-endpoints', { body: TERMS, key });
    expect(first.body).toEqual({
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      job_id: first.word('id').replace('whe_', 'job_'),
      ...TERMS,
      description: '',
      payload: 'full',
      header_names: [],
      plain_signature: false,
      ordered: false,
      send_test_events: false,
      enabled: true,
      retry: 'webhook',
      max_per_second: null,
      disabled_reason: null,
      previous_secret_expires_at: null,
      last_success_at: null,
      failing_since: null,
      created_by: expect.stringMatching(/^key_/),
      created_at: expect.stringMatching(/Z$/),
      updated_at: first.get('created_at'),
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(isWebhookSecret(first.word('secret'))).toBe(true);
    const again = await store.send('POST /webhook-endpoints', { body: TERMS, key });
    expect(again.body).toEqual({ ...Object(first.body), secret: null });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { secret: _, ...shown } = Object(first.body);
    expect((await store.send(`GET /webhook-endpoints/${first.word('id')}`)).body).toEqual(shown);
    expect((await store.send('GET /webhook-endpoints?limit=1')).get('data.0')).toEqual(shown);
    const job = await store.send(`GET /jobs/${first.word('job_id')}`);
    expect(job.body).toMatchObject({ managed: true, processor_name: 'webhook-delivery', event_pattern: 'payment.*' });
  });

  test('shows everything that it was given, but not the values of its headers', async () => {
    const given = {
      event_pattern: 'payment.settled,holds.*',
      description: 'Orders.',
      payload: 'thin',
      plain_signature: true,
      ordered: true,
      send_test_events: true,
      enabled: false,
      retry: 'webhook-quick',
      max_per_second: 7,
    };
    const secret = `whsec_${Buffer.from(Array.from({ length: 24 }, (_, n) => n)).toString('base64')}`;
    const answer = await created({ ...given, headers: { 'X-Shop': 'planted-value' }, secret });
    expect(answer.body).toMatchObject({ ...given, header_names: ['x-shop'], disabled_reason: 'caller', secret });
    expect(answer.text).not.toContain('planted-value');
  });

  test('is remembered under its idempotency key without a plain digest of its secrets', async () => {
    const key = freshKey();
    const body = { ...TERMS, headers: { authorization: 'Bearer planted' } };
    const answer = await store.send('POST /webhook-endpoints', { body, key });
    expect(answer.status, answer.text).toBe(201);
    const [row] = await store.owner.query('select fingerprint from usance.idempotency_keys where key = $1::text', [
      key,
    ]);
    expect(row?.['fingerprint']).toMatch(/^k1\.[0-9a-f]{8}\.[0-9a-f]{64}$/);
    expect((await store.send('POST /webhook-endpoints', { body, key })).word('id')).toBe(answer.word('id'));
    const other = { ...body, headers: { authorization: 'Bearer guessed' } };
    expect(problemIn(await store.send('POST /webhook-endpoints', { body: other, key })).code).toBe(
      'IDEMPOTENCY_MISMATCH',
    );
  });

  test('whose retry schedule is an object is told the names of the two presets', async () => {
    expect(problemIn(await create({ retry: { attempts: 3 } }))).toMatchObject({
      code: 'FIELD_INVALID',
      param: 'retry',
      detail: 'retry must be webhook or webhook-quick',
    });
  });

  test.each([
    [{ url: 'ftp://shop.example.com/' }, 'URL_REFUSED', 'url'],
    [{ url: 'https://10.0.0.1/hooks' }, 'URL_REFUSED', 'url'],
    [{ url: 'https://user:pass@shop.example.com/' }, 'URL_REFUSED', 'url'],
    [{ url: '' }, 'URL_REFUSED', 'url'],
    [{ url: undefined }, 'FIELD_INVALID', 'url'],
    [{ event_pattern: 'payment.*.x' }, 'EVENT_PATTERN_INVALID', 'event_pattern'],
    [{ payload: 'fat' }, 'FIELD_INVALID', 'payload'],
    [{ retry: 'hold' }, 'FIELD_INVALID', 'retry'],
    [{ max_per_second: 0 }, 'FIELD_INVALID', 'max_per_second'],
    [{ secret: 'whsec_short' }, 'FIELD_INVALID', 'secret'],
    [{ headers: { 'Webhook-Signature': 'x' } }, 'HEADER_REFUSED', 'headers'],
    [{ headers: { 'User-Agent': 'x' } }, 'HEADER_REFUSED', 'headers'],
    [{ headers: { 'transfer-encoding': 'chunked' } }, 'HEADER_REFUSED', 'headers'],
    [{ headers: { 'x-a': 'line\r\nbreak' } }, 'HEADER_REFUSED', 'headers'],
    [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, ''])) }, 'FIELD_INVALID', 'headers'],
    [{ tenant: 'other' }, 'FIELD_UNKNOWN', 'tenant'],
  ])('%j is refused', async (change, code, param) => {
    const before = (await store.send('GET /webhook-endpoints?limit=100')).list('data').length;
    const refused = await create(change);
    expect(problemIn(refused)).toMatchObject({ code, param });
    expect(refused.text).not.toContain('line\\r');
    expect((await store.send('GET /webhook-endpoints?limit=100')).list('data')).toHaveLength(before);
  });

  test('cannot be created, rotated or given headers without an encryption key', async () => {
    const id = (await created()).word('id');
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      encryption: { isOptional: true },
    });
    const api = createApi(engine, { host: '127.0.0.1', port: 0, notesEveryMs: 3_600_000 });
    try {
      const { url } = await api.listen();
      const ask = (request: string, body: object): Promise<Answer> => sendTo(url, store.secret, request, { body });
      for (const refused of [
        await ask('POST /webhook-endpoints', TERMS),
        await ask(`POST /webhook-endpoints/${id}/rotate-secret`, {}),
        await ask(`PATCH /webhook-endpoints/${id}`, { headers: { 'x-a': '1' } }),
      ])
        expect([refused.status, refused.get('code')]).toEqual([422, 'ENCRYPTION_KEY_MISSING']);
      expect((await ask(`PATCH /webhook-endpoints/${id}`, { description: 'no secret in it' })).status).toBe(200);
    } finally {
      await api.close();
      await engine.close();
    }
  });

  test('is changed only in the version that its caller has read, whatever its health', async () => {
    const id = (await created()).word('id');
    const read = await store.send(`GET /webhook-endpoints/${id}`);
    await store.owner.query(`update usance.webhook_endpoints set failing_since = now() where id = $1::uuid`, [
      fromTypeId('webhookEndpoint', id),
    ]);
    const change = (description: string, ifMatch: string): Promise<Answer> =>
      store.send(`PATCH /webhook-endpoints/${id}`, { body: { description }, headers: { 'if-match': ifMatch } });
    const changed = await change('one', etag(read));
    expect(changed.status, changed.text).toBe(200);
    expect(problemIn(await change('two', etag(read)))).toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect((await change('two', etag(changed))).get('description')).toBe('two');
    const stale = { headers: { 'if-match': etag(changed) } };
    for (const request of ['DELETE ', 'POST /rotate-secret', 'POST /test']) {
      const [method, verb = ''] = request.split(' ');
      const refused = await store.send(`${method} /webhook-endpoints/${id}${verb}`, {
        ...stale,
        ...(verb === '/rotate-secret' ? { body: {} } : {}),
      });
      expect(refused.status, request).toBe(412);
    }
  });

  test('is listed newest first, and by whether it is enabled', async () => {
    const ids = [(await created({ enabled: false })).word('id'), (await created({ enabled: false })).word('id')];
    const seen: unknown[] = [];
    let cursor: unknown = '';
    do {
      const page = await store.send(
        `GET /webhook-endpoints?enabled=false&limit=1${String(cursor) && `&cursor=${String(cursor)}`}`,
      );
      seen.push(page.get('data.0.id'));
      cursor = page.get('next_cursor');
    } while (cursor !== null);
    expect(seen.slice(0, 2)).toEqual(ids.toReversed());
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('is gone after a delete, and its deliveries are not', async () => {
    const { id } = await receiving('/deleted');
    await happen();
    await deliver(store.usance);
    const deleted = await store.send(`DELETE /webhook-endpoints/${id}`);
    expect(deleted.body).toMatchObject({ id, header_names: [] });
    for (const request of [
      `GET /webhook-endpoints/${id}`,
      `DELETE /webhook-endpoints/${id}`,
      `GET /webhook-endpoints/${id}/deliveries`,
    ])
      expect(problemIn(await store.send(request)), request).toMatchObject({ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
    const [delivery] = (await store.send(`GET /deliveries?endpoint_id=${id}`)).list('data') as { id: string }[];
    expect(delivery).toMatchObject({ endpoint_id: id, status: 'completed' });
    const refused = await store.send(`POST /deliveries/${delivery?.id}/redeliver`, { body: {} });
    expect(problemIn(refused)).toMatchObject({ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
  });
});

describe('the secret of an endpoint', () => {
  test('is rotated with two signatures until the grace period ends, and shown once', async () => {
    const { id, secret } = await receiving('/rotated');
    const key = freshKey();
    const rotate = () => store.send(`POST /webhook-endpoints/${id}/rotate-secret`, { body: { grace: '2h' }, key });
    const rotated = await rotate();
    const hours = (Date.parse(rotated.word('previous_secret_expires_at')) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThan(2.1);
    expect((await rotate()).body).toEqual({ ...Object(rotated.body), secret: null });
    await happen();
    await deliver(store.usance);
    const [request = expect.fail('nothing was received')] = receiver.got('/rotated');
    expect(request.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const one of [secret, rotated.word('secret')])
      expect(verified(one, request)).toMatchObject({ type: 'account.created' });
  });

  test.each(['P8D', -1, 'soon'])('is not rotated with a grace period of %j', async (grace) => {
    const { id } = await receiving('/never');
    const refused = await store.send(`POST /webhook-endpoints/${id}/rotate-secret`, { body: { grace } });
    expect(refused.status).toBe(400);
    expect(refused.get('param')).toBe('grace');
  });
});

describe('a delivery', () => {
  test('is shown with its attempts: request, response and timing, without the query of the URL', async () => {
    receiver.answer(
      '/shown',
      { status: 503, headers: { 'x-answer': 'later', 'set-cookie': 'a=b' }, body: 'busy' },
      204,
    );
    const { id } = await receiving('/shown?token=planted', {
      headers: { 'x-shop': 'planted' },
      retry: 'webhook-quick',
    });
    await happen();
    await deliver(store.usance);
    const listed = await deliveriesOf(id);
    expect(listed.list('data')).toHaveLength(1);
    const first = listed.get('data.0') as Record<string, unknown>;
    expect(first).toMatchObject({
      endpoint_id: id,
      status: 'pending',
      attempt_number: 1,
      sent: true,
      response_status: 503,
      code: 'DELIVERY_REFUSED',
      error: 'the endpoint answered 503',
    });
    await store.owner.query(
      `update usance.execution_queue set due_at = now() - interval '1 second' where due_at is not null`,
    );
    await send(store.usance);
    const shown = await store.send(`GET /deliveries/${String(first['id'])}`);
    expect(shown.body).toMatchObject({
      id: first['id'],
      event_id: receiver.got('/shown')[0]?.headers['webhook-id'],
      status: 'completed',
      attempt_number: 2,
      response_status: 204,
      next_retry_at: null,
      code: null,
      attempts: [
        {
          number: 1,
          status: 'failed',
          request: {
            url: receiver.url('/shown'),
            headers: { 'content-type': 'application/json', 'webhook-signature': null, 'x-shop': null },
            digest: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
          response: { status: 503, headers: { 'x-answer': 'later' }, body: 'busy', truncated: false },
          timing: { total_ms: expect.any(Number) },
          failure: null,
        },
        { number: 2, status: 'success', code: null, response: { status: 204, body: '' } },
      ],
    });
    expect(shown.text).not.toMatch(/planted|set-cookie|v1,/);
    expect((await store.send(`GET /executions/${String(first['id'])}`)).body).toMatchObject({ status: 'completed' });
  });

  test('is filtered by endpoint, status, event and resource', async () => {
    const { id } = await receiving('/filtered');
    const account = (await happen()).word('id');
    await deliver(store.usance);
    const event = receiver.got('/filtered')[0]?.headers['webhook-id'];
    for (const query of [
      `endpoint_id=${id}`,
      `endpoint_id=${id}&status=completed`,
      `event_id=${String(event)}&endpoint_id=${id}`,
    ])
      expect((await store.send(`GET /deliveries?${query}`)).list('data'), query).toHaveLength(1);
    for (const query of [
      `endpoint_id=${id}&status=failed`,
      `event_id=${toTypeId('event', newId())}`,
      `endpoint_id=${toTypeId('webhookEndpoint', newId())}`,
    ])
      expect((await store.send(`GET /deliveries?${query}`)).list('data'), query).toEqual([]);
    expect((await deliveriesOf(id, '?status=running')).list('data')).toEqual([]);
    // Executions of other jobs leave no page empty.
    for (let n = 0; n < 3; n += 1) await addJob(store.owner, store.tenant, { eventPattern: 'account.*' });
    const busy = (await happen()).word('id');
    await deliver(store.usance);
    const [first] = (await store.send(`GET /deliveries?resource_id=${busy}&limit=1`)).list('data');
    expect(first).toMatchObject({ status: 'completed' });
    const about = (which: string) => store.send(`GET /deliveries?endpoint_id=${id}&resource_id=${which}`);
    expect((await about(account)).list('data')).toHaveLength(1);
    expect((await about(toTypeId('payment', newId()))).list('data')).toEqual([]);
    expect(problemIn(await about('order-1'))).toMatchObject({ param: 'resource_id' });
    expect((await store.send(`GET /executions?resource_id=${account}`)).list('data')).not.toEqual([]);
  });

  test('is sent again with the same webhook-id, and not while it waits', async () => {
    const { id } = await receiving('/again');
    await happen();
    await deliver(store.usance);
    const delivery = (await deliveriesOf(id)).word('data.0.id');
    const again = await store.send(`POST /deliveries/${delivery}/redeliver`, {
      body: { reason: 'the receiver lost it' },
    });
    expect(again.body).toMatchObject({ id: delivery, status: 'pending', attempts: [{ number: 1 }] });
    const twice = await store.send(`POST /deliveries/${delivery}/redeliver`, { body: {} });
    expect(problemIn(twice)).toMatchObject({ code: 'DELIVERY_NOT_REDELIVERABLE' });
    await send(store.usance);
    const [one, other] = receiver.got('/again');
    expect(other?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
    expect(other?.body).toBe(one?.body);
    expect((await store.send(`GET /deliveries/${delivery}`)).list('attempts')).toHaveLength(2);
  });

  test('of a test event goes to its endpoint whatever the pattern', async () => {
    const { id, secret } = await receiving('/tested', { event_pattern: 'posts.created' });
    const other = await receiving('/not-tested', { event_pattern: '*' });
    const tested = await store.send(`POST /webhook-endpoints/${id}/test`);
    await deliver(store.usance);
    const [request = expect.fail('nothing was received')] = receiver.got('/tested');
    expect(verified(secret, request)).toMatchObject({ id: tested.word('event_id'), type: 'webhook_endpoint.tested' });
    expect((await store.send(`GET /deliveries/${tested.word('delivery_id')}`)).body).toMatchObject({
      status: 'completed',
      endpoint_id: id,
    });
    expect((await deliveriesOf(other.id)).list('data').map((one) => Object(one).event_id)).not.toContain(
      tested.get('event_id'),
    );
  });
});

test('an endpoint that was disabled gets what it missed by recover, once', async () => {
  const { id } = await receiving('/recovered');
  const since = new Date(Date.now() - 60_000).toISOString();
  await deliver(store.usance);
  await store.send(`PATCH /webhook-endpoints/${id}`, { body: { enabled: false } });
  await happen();
  await deliver(store.usance);
  for (const verb of ['test', 'recover'])
    expect(
      problemIn(await store.send(`POST /webhook-endpoints/${id}/${verb}`, verb === 'test' ? {} : { body: { since } })),
    ).toMatchObject({ code: 'WEBHOOK_ENDPOINT_DISABLED' });
  await store.send(`PATCH /webhook-endpoints/${id}`, { body: { enabled: true } });
  await deliver(store.usance);
  expect(receiver.got('/recovered')).toEqual([]);
  const recovered = await store.send(`POST /webhook-endpoints/${id}/recover`, {
    body: { since, reason: 'it was down' },
  });
  expect(recovered.body).toMatchObject({ retried: 0, missed_is_at_least: false, next_cursor: null });
  const { missed, from } = recovered.body as { missed: number; from: string };
  expect(missed).toBeGreaterThan(0);
  // Asked for a minute before: the endpoint is younger.
  expect(from > since).toBe(true);
  await deliver(store.usance);
  const got = receiver.got('/recovered').map(({ body }) => (JSON.parse(body) as { data: { ref?: string } }).data);
  expect(got).toHaveLength(missed);
  await store.send(`POST /webhook-endpoints/${id}/recover`, { body: { since } });
  await deliver(store.usance);
  expect(receiver.got('/recovered')).toHaveLength(got.length);
});

test.each([
  ['viewer', 403],
  ['operator', 201],
] as const)('a key of the role %s gets %d for creating an endpoint, and reads all of them', async (role, status) => {
  const { secret } = await store.tenant.createApiKey({ name: role, role });
  expect((await store.send('POST /webhook-endpoints', { body: TERMS, secret })).status).toBe(status);
  expect((await store.send('GET /webhook-endpoints', { secret })).status).toBe(200);
  expect((await store.send('GET /deliveries', { secret })).status).toBe(200);
});
