// Deliveries over real sockets, to receivers that answer in every way.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { asText } from '../../src/db/index.ts';
import type { DeliveryWithAttempts, TenantHandle, WebhookEndpoint, WebhookEndpointParams } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { freshTenant, matchAll, order } from '../jobs/matcher.ts';
import { NAME, authority, openSink, useSinks } from '../outbound/sink.ts';
import { createAuthority } from '../outbound/certificates.ts';
import { closedPort } from '../support/closed-port.ts';
import { TEST_KEY, useUsance } from '../support/database.ts';
import type { Behaviour } from '../support/receiver.ts';
import { useReceiver, verified } from '../support/receiver.ts';
import { DELIVERING, deliver, makeDue, send, useEngine } from '../support/webhooks.ts';

const notices: string[] = [];
const INSIDE = 'inside.example';
const store = useUsance({
  ...DELIVERING,
  outbound: {
    loopback: true,
    ca: authority.ca,
    resolve: async (name) => [name === INSIDE ? '10.1.2.3' : '127.0.0.1'],
  },
  onNotice: (line) => void notices.push(line),
});
/** Gives a receiver half a second. */
const impatient = useEngine(store, { webhooks: { ...DELIVERING.webhooks, timeoutMs: 500 } });
const receiver = useReceiver();
useSinks();

let paths = 0;
const freshPath = (): string => `/${(paths += 1)}`;

interface Receiving {
  readonly tenant: TenantHandle;
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
  readonly path: string;
  /** Appends events that the endpoint gets. */
  happen(times?: number): Promise<void>;
  /** The newest first. */
  deliveries(): Promise<DeliveryWithAttempts[]>;
  /** The only one. */
  delivery(): Promise<DeliveryWithAttempts>;
}

async function receiving(
  params: Partial<WebhookEndpointParams> = {},
  behaviours: readonly Behaviour[] = [],
  tenant?: TenantHandle,
): Promise<Receiving> {
  const path = freshPath();
  receiver.answer(path, ...(behaviours.length === 0 ? [200] : behaviours));
  const of = tenant ?? (await freshTenant(store.usance));
  const terms = { url: receiver.url(path), eventPattern: 'account.created', ...params };
  const { endpoint, secret } = await of.createWebhookEndpoint(terms);
  const deliveries = async () => {
    const { deliveries: found } = await of.deliveries({ endpointId: endpoint.id });
    return Promise.all(found.map(({ id }) => of.delivery(id)));
  };
  return {
    tenant: of,
    endpoint,
    secret,
    path,
    async happen(times = 1) {
      for (let n = 0; n < times; n += 1) await of.openAccount({ ref: `account-${(paths += 1)}` });
    },
    deliveries,
    delivery: async () => {
      const [one, ...more] = await deliveries();
      expect(more).toEqual([]);
      return one ?? expect.fail('there is no delivery');
    },
  };
}

/** Receivers that have to be given up. */
const endless: Behaviour = (_request, response) =>
  void response.writeHead(200, { 'content-length': '1000' }).write('a');
const late: Behaviour = { afterMs: 3_000 };
const SLOW = new Set<Behaviour>(['hang', endless, late]);

/** Appends one event, delivers it once, and returns its delivery. */
async function delivered(params: Partial<WebhookEndpointParams>, ...behaviours: readonly Behaviour[]) {
  const to = await receiving(params, behaviours);
  await to.happen();
  await deliver(behaviours.some((one) => SLOW.has(one)) ? impatient.engine : store.usance);
  return { ...to, shown: await to.delivery(), got: receiver.got(to.path) };
}

describe('a delivery', () => {
  test('is the event as the API shows it, signed so that the reference library verifies it', async () => {
    const { secret, got, shown, tenant } = await delivered({});
    const [request = expect.fail('nothing was received')] = got;
    const event = verified(secret, request);
    expect(event).toMatchObject({ type: 'account.created', data: { new: { kind: 'user' } } });
    expect(event['id']).toBe(request.headers['webhook-id']);
    expect(event['id']).toBe(toTypeId('event', shown.eventId));
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'usance' });
    expect(request.headers['x-usance-signature']).toBeUndefined();
    expect(Math.abs(Number(request.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
    expect(shown).toMatchObject({ status: 'completed', attemptNumber: 1, sent: true, responseStatus: 200, code: null });
    expect(await tenant.webhookEndpoint(shown.endpointId)).toMatchObject({
      lastSuccessAt: expect.any(Date),
      failingSince: null,
    });
    const forged = { ...request, headers: { ...request.headers, 'webhook-id': 'evt_other' } };
    expect(() => verified(secret, forged)).toThrow('No matching signature');
  });

  test('is thin where the endpoint asks for it: the event without its data', async () => {
    const { secret, got } = await delivered({ payload: 'thin' });
    const [request = expect.fail('nothing was received')] = got;
    const event = verified(secret, request);
    expect(event).toMatchObject({ type: 'account.created', resource_id: expect.stringMatching(/^acct_/) });
    expect(event).not.toHaveProperty('data');
  });

  test('has the headers of its endpoint, and the plain HMAC of the body if it asks for it', async () => {
    const { secret, got } = await delivered({
      plainSignature: true,
      headers: { 'X-Shop': 'main', authorization: 'Bearer t' },
    });
    const [request = expect.fail('nothing was received')] = got;
    expect(request.headers).toMatchObject({ 'x-shop': 'main', authorization: 'Bearer t' });
    expect(request.headers['x-usance-signature']).toBe(createHmac('sha256', secret).update(request.body).digest('hex'));
  });

  test('about a resource of another tenant reaches nobody', async () => {
    const mine = await receiving({ eventPattern: '*' });
    const theirs = await receiving({ eventPattern: '*' });
    await theirs.happen();
    await deliver(store.usance);
    expect(receiver.got(mine.path)).toEqual([]);
    expect(receiver.got(theirs.path).length).toBeGreaterThan(0);
  });
});

describe('a receiver that', () => {
  test.each<[string, Behaviour, object]>([
    ['answers 500', 500, { code: 'DELIVERY_REFUSED', response: { status: 500 }, failure: null }],
    ['answers 404', 404, { code: 'DELIVERY_REFUSED', response: { status: 404 }, failure: null }],
    ['hangs', 'hang', { code: 'DELIVERY_UNANSWERED', response: null, failure: 'TIMED_OUT' }],
    ['answers too late', late, { code: 'DELIVERY_UNANSWERED', response: null, failure: 'TIMED_OUT' }],
    ['never ends its body', endless, { code: 'DELIVERY_UNANSWERED', response: null, failure: 'TIMED_OUT' }],
    ['resets the connection', 'reset', { code: 'DELIVERY_UNANSWERED', response: null, failure: 'RESET' }],
    ['sends half a response', 'half', { code: 'DELIVERY_UNANSWERED', response: null, failure: 'RESET' }],
    [
      'sends a header without an end',
      { headers: { 'x-long': 'x'.repeat(20_000) } },
      { code: 'DELIVERY_UNANSWERED', response: null, failure: 'BAD_RESPONSE' },
    ],
  ])('%s fails the attempt, which is recorded and retried', async (_what, behaviour, attempt) => {
    const { shown, tenant, endpoint, path } = await delivered({}, behaviour, 204);
    expect(shown).toMatchObject({
      status: 'pending',
      attemptNumber: 1,
      sent: true,
      attempts: [{ status: 'failed', ...attempt }],
    });
    expect(shown.attempts[0]?.request).toMatchObject({ url: receiver.url(path), bytes: expect.any(Number) });
    const waitMs = (shown.nextRetryAt?.getTime() ?? 0) - (shown.attempts[0]?.completedAt?.getTime() ?? 0);
    expect(waitMs).toBeGreaterThan(4_000);
    expect(waitMs).toBeLessThanOrEqual(5_100);
    expect((await tenant.webhookEndpoint(endpoint.id)).failingSince).toEqual(expect.any(Date));
    await makeDue(store.owner);
    await send(store.usance);
    expect(await tenant.delivery(shown.id)).toMatchObject({ status: 'completed', responseStatus: 204, code: null });
    expect((await tenant.webhookEndpoint(endpoint.id)).failingSince).toBeNull();
  });

  test('redirects is not followed', async () => {
    const target = freshPath();
    const { shown } = await delivered({}, { status: 307, headers: { location: receiver.url(target) } });
    expect(shown).toMatchObject({ status: 'pending', error: 'the endpoint answered 307; redirects are not followed' });
    expect(receiver.got(target)).toEqual([]);
  });

  test('answers a huge body has delivered: the first 4 KiB of it are kept', async () => {
    const { shown } = await delivered({}, { body: `\0${'é'.repeat(2_000_000)}` });
    expect(shown.status).toBe('completed');
    const { body, truncated } = shown.attempts[0]?.response ?? expect.fail('no response');
    expect(Buffer.byteLength(body ?? '')).toBeLessThan(4_200);
    expect(body).toMatch(/^\u{FFFD}é{2000}/u);
    expect(truncated).toBe(true);
  });

  test('asks for patience is tried again no earlier, and within a day', async () => {
    const { shown, tenant } = await delivered(
      { retry: 'webhook-quick' },
      { status: 429, headers: { 'retry-after': '3600' } },
      { status: 503, headers: { 'retry-after': '999999' } },
    );
    const waitOf = ({ attempts, nextRetryAt }: DeliveryWithAttempts): number =>
      (nextRetryAt?.getTime() ?? 0) - (attempts.at(-1)?.completedAt?.getTime() ?? 0);
    expect(Math.round(waitOf(shown) / 1_000)).toBe(3_600);
    await makeDue(store.owner);
    await send(store.usance);
    expect(Math.round(waitOf(await tenant.delivery(shown.id)) / 1_000)).toBe(86_400);
  });

  test('asks for patience behind many other headers is heard all the same', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x-${n}`, 'y'.repeat(100)]));
    const { shown } = await delivered({}, { status: 429, headers: { ...many, 'retry-after': '3600' } });
    const waitMs = (shown.nextRetryAt?.getTime() ?? 0) - (shown.attempts.at(-1)?.completedAt?.getTime() ?? 0);
    expect(Math.round(waitMs / 1_000)).toBe(3_600);
  });

  test('answers 410 fails the delivery for good, and its endpoint is disabled', async () => {
    const { shown, tenant, endpoint } = await delivered({}, 410);
    expect(shown).toMatchObject({ status: 'failed', attemptNumber: 1, code: 'ENDPOINT_GONE' });
    expect(await tenant.webhookEndpoint(endpoint.id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    const [event] = await tenant.events({ type: 'webhook_endpoint.disabled' });
    expect(event).toBeUndefined();
    await deliver(store.usance);
    expect(await tenant.events({ type: 'webhook_endpoint.disabled' })).toMatchObject([
      { resourceId: endpoint.id, data: { reason: 'gone' } },
    ]);
  });

  test('is not there fails the attempt', async () => {
    const { shown } = await delivered({ url: `http://127.0.0.1:${await closedPort()}/` });
    expect(shown).toMatchObject({
      status: 'pending',
      sent: true,
      attempts: [{ failure: 'CONNECT_FAILED', response: null }],
    });
  });

  test('speaks no HTTP fails the attempt', async () => {
    const server = createServer((socket) => void socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.6\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    afterAll(() => void server.close());
    const { shown } = await delivered({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    expect(shown.attempts).toMatchObject([{ failure: 'BAD_RESPONSE' }]);
  });

  test('has a certificate of an unknown authority fails the attempt, and a good one does not', async () => {
    const seen: string[] = [];
    const good = await openSink((request, response) => void (seen.push(request.url ?? ''), response.end()));
    const bad = await openSink((_request, response) => void response.end(), {
      certificate: createAuthority().issue([NAME]),
    });
    expect((await delivered({ url: `${good.url}/a` })).shown).toMatchObject({ status: 'completed' });
    expect((await delivered({ url: bad.url })).shown.attempts).toMatchObject([
      { failure: 'TLS_FAILED', response: null },
    ]);
    expect(seen).toEqual(['/a']);
  });

  test('has a name that resolves to a private address is never connected to', async () => {
    const { shown } = await delivered({ url: `https://${INSIDE}/hooks?token=planted` });
    expect(shown.attempts).toMatchObject([{ failure: 'BLOCKED_ADDRESS', request: { url: `https://${INSIDE}/hooks` } }]);
    expect(shown.error).not.toContain('10.1.2.3');
  });
});

describe('the attempts of a delivery', () => {
  test.each([
    ['webhook', 10],
    ['webhook-quick', 5],
  ] as const)('by the schedule %s are %d, and then it is a dead letter', async (retry, attempts) => {
    const { shown, tenant } = await delivered({ retry }, 500);
    for (let n = 1; n < attempts; n += 1) {
      expect((await tenant.delivery(shown.id)).status).toBe('pending');
      await makeDue(store.owner);
      await send(store.usance);
    }
    const ended = await tenant.delivery(shown.id);
    expect(ended).toMatchObject({
      status: 'failed',
      attemptNumber: attempts,
      code: 'DELIVERY_REFUSED',
      responseStatus: 500,
    });
    expect(ended.attempts.map(({ number }) => number)).toEqual(Array.from({ length: attempts }, (_, n) => n + 1));
    const ids = new Set(
      receiver.got(new URL(ended.attempts[0]?.request?.url ?? '').pathname).map(({ headers }) => headers['webhook-id']),
    );
    expect(ids).toEqual(new Set([toTypeId('event', shown.eventId)]));
    expect(await tenant.deadLetters({ kind: 'execution' })).toMatchObject([{ id: shown.id, code: 'DELIVERY_REFUSED' }]);
  });

  test('have the waits of Standard Webhooks, shortened by a tenth at most', async () => {
    const { shown, tenant } = await delivered({}, 500);
    const seconds: number[] = [];
    for (let n = 1; n < 10; n += 1) {
      const { attempts, nextRetryAt } = await tenant.delivery(shown.id);
      seconds.push(((nextRetryAt?.getTime() ?? 0) - (attempts.at(-1)?.completedAt?.getTime() ?? 0)) / 1_000);
      await makeDue(store.owner);
      await send(store.usance);
    }
    const nominal = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [n, wait] of nominal.entries()) {
      expect(seconds[n]).toBeGreaterThan(wait * 0.9 - 1);
      expect(seconds[n]).toBeLessThan(wait + 1);
    }
    expect(seconds.some((wait, n) => wait < (nominal[n] ?? 0) - 1)).toBe(true);
  });

  test('go to the URL, with the secret and headers, that the endpoint has by then', async () => {
    const { shown, tenant, endpoint } = await delivered({ headers: { 'x-a': 'old' } }, 500);
    const path = freshPath();
    await tenant.updateWebhookEndpoint(endpoint.id, {
      url: receiver.url(path),
      headers: { 'x-b': 'new' },
      payload: 'thin',
    });
    const { secret } = await tenant.rotateWebhookSecret(endpoint.id, { graceMs: 0 });
    await makeDue(store.owner);
    await send(store.usance);
    const [request = expect.fail('nothing was received')] = receiver.got(path);
    expect(verified(secret, request)).not.toHaveProperty('data');
    expect(request.headers).toMatchObject({ 'x-b': 'new', 'webhook-id': toTypeId('event', shown.eventId) });
    expect(request.headers['x-a']).toBeUndefined();
  });

  test('do not take the headers to another origin, unless the change says them again', async () => {
    const { tenant, endpoint } = await delivered({ headers: { authorization: 'Bearer t' } }, 500);
    const elsewhere = await openSink((_request, response) => void response.end());
    const path = new URL(receiver.url(freshPath())).pathname;
    expect((await tenant.updateWebhookEndpoint(endpoint.id, { url: receiver.url(path) })).headerNames).toEqual([
      'authorization',
    ]);
    const moved = await tenant.updateWebhookEndpoint(endpoint.id, { url: `${elsewhere.url}/` });
    expect(moved.headerNames).toEqual([]);
    const again = { url: receiver.url(path), headers: { authorization: 'Bearer u' } };
    expect((await tenant.updateWebhookEndpoint(endpoint.id, again)).headerNames).toEqual(['authorization']);
    await makeDue(store.owner);
    await send(store.usance);
    expect(receiver.got(path)[0]?.headers).toMatchObject({ authorization: 'Bearer u' });
  });

  test('do not take the headers to a URL of another origin that was written into the row', async () => {
    const { endpoint } = await delivered({ headers: { authorization: 'Bearer t' } }, 500);
    const path = freshPath();
    const url = receiver.url(path).replace('127.0.0.1', 'localhost');
    await store.owner.query(`update usance.webhook_endpoints set url = $2::text where id = $1::uuid`, [
      endpoint.id,
      url,
    ]);
    await makeDue(store.owner);
    await send(store.usance);
    const [request = expect.fail('nothing was received')] = receiver.got(path);
    expect(request.headers).not.toHaveProperty('authorization');
  });
});

describe('a secret that is rotated', () => {
  test('signs beside the new one until its grace period ends', async () => {
    const { tenant, endpoint, secret, path, happen } = await receiving();
    const rotated = await tenant.rotateWebhookSecret(endpoint.id);
    await happen();
    await deliver(store.usance);
    await store.owner.query(
      `update usance.webhook_endpoints set previous_secret_expires_at = now() - interval '1 ms' where id = $1::uuid`,
      [endpoint.id],
    );
    await happen();
    await deliver(store.usance);
    const [during = expect.fail(), after = expect.fail()] = receiver.got(path);
    for (const one of [secret, rotated.secret]) verified(one, during);
    verified(rotated.secret, after);
    expect(() => verified(secret, after)).toThrow('No matching signature');
  });
});

describe('an endpoint', () => {
  test('that is disabled keeps its deliveries, uncounted, and sends them when it is enabled again', async () => {
    const { tenant, endpoint, path, happen } = await receiving();
    await happen();
    await deliver(store.usance);
    receiver.answer(path, 500, 200);
    await happen();
    await deliver(store.usance);
    await tenant.updateWebhookEndpoint(endpoint.id, { enabled: false });
    await makeDue(store.owner);
    await send(store.usance);
    expect(receiver.got(path)).toHaveLength(2);
    await tenant.updateWebhookEndpoint(endpoint.id, { enabled: true });
    await makeDue(store.owner);
    await send(store.usance);
    expect(receiver.got(path)).toHaveLength(3);
    expect((await tenant.deliveries({ endpointId: endpoint.id, status: 'completed' })).deliveries).toHaveLength(2);
  });

  test('that is deleted gets nothing more: deliveries that wait are cancelled', async () => {
    const { tenant, endpoint, path, happen } = await receiving({}, [500]);
    await happen(2);
    await deliver(store.usance);
    await tenant.deleteWebhookEndpoint(endpoint.id);
    await makeDue(store.owner);
    await store.usance.loops.find(({ name }) => name === 'rescuer')?.runOnce();
    await deliver(store.usance);
    expect(receiver.got(path)).toHaveLength(2);
    expect((await tenant.deliveries({ endpointId: endpoint.id })).deliveries.map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
    ]);
  });

  test('keeps its connections to itself, and uses them again', async () => {
    const tenant = await freshTenant(store.usance);
    const one = await receiving({}, [], tenant);
    const other = await receiving({}, [], tenant);
    for (let n = 0; n < 3; n += 1) {
      await one.happen();
      await deliver(store.usance);
    }
    const connections = ({ path }: Receiving) => new Set(receiver.got(path).map(({ connection }) => connection));
    expect(connections(one).size).toBe(1);
    expect(connections(other).size).toBe(1);
    expect(connections(one)).not.toEqual(connections(other));
  });

  test('that is ordered gets the events about a resource one after the other, also around a failure', async () => {
    const { tenant, path } = await receiving({ ordered: true, eventPattern: 'account.*' }, [500, 200]);
    const { id } = await tenant.openAccount({ ref: 'ordered' });
    for (const name of ['one', 'two', 'three']) await tenant.editAccount(id, { name });
    await deliver(store.usance);
    expect(receiver.got(path)).toHaveLength(1);
    for (let n = 0; n < 4; n += 1) {
      await makeDue(store.owner);
      await send(store.usance);
    }
    const types = receiver.got(path).map(({ body }) => JSON.parse(body) as { seq: number; type: string });
    expect(types.map(({ type }) => type)).toEqual([
      'account.created',
      'account.created',
      ...Array.from({ length: 3 }, () => 'account.updated'),
    ]);
    expect(types.map(({ seq }) => seq)).toEqual(types.map(({ seq }) => seq).toSorted((one, other) => one - other));
    expect(receiver.most(path)).toBe(1);
  });

  test('with a rate gets no more deliveries in a second', async () => {
    const { path, happen } = await receiving({ maxPerSecond: 4 });
    await happen(12);
    await deliver(store.usance);
    // A run sends what is left of this second, and can meet the next one.
    expect(receiver.got(path).length).toBeLessThanOrEqual(8);
    while (receiver.got(path).length < 12) await send(store.usance);
    const times = receiver.got(path).map(({ atMs }) => atMs);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_000);
  });
});

describe('the events of a test tenant', () => {
  const testing = async (params: Partial<WebhookEndpointParams>) => {
    const tenant = await store.usance.createTenant({ name: `lab-${(paths += 1)}`, kind: 'test' });
    await tenant.createTestClock({ name: 'clock', now: '2027-01-01T00:00:00.000Z' });
    await deliver(store.usance);
    return receiving(params, [], tenant);
  };

  test('are recorded and not sent, but for test events', async () => {
    const { tenant, endpoint, path, happen, delivery } = await testing({});
    await happen();
    await deliver(store.usance);
    expect(receiver.got(path)).toEqual([]);
    expect(await delivery()).toMatchObject({
      status: 'completed',
      sent: false,
      responseStatus: null,
      attempts: [{ request: null }],
    });
    const { deliveryId } = await tenant.testWebhookEndpoint(endpoint.id);
    await deliver(store.usance);
    expect(await tenant.delivery(deliveryId)).toMatchObject({ status: 'completed', sent: true });
    expect(receiver.got(path)).toHaveLength(1);
  });

  test('are sent if the endpoint asks for them, with a signature of real time', async () => {
    const { path, secret, happen } = await testing({ sendTestEvents: true });
    await happen();
    await deliver(store.usance);
    const [request = expect.fail('nothing was received')] = receiver.got(path);
    expect(verified(secret, request)).toMatchObject({ occurred_at: expect.stringMatching(/^2027-01-01/) });
  });
});

describe('the encryption key', () => {
  const OTHER = Buffer.from('a key for the other worker: 32 b').toString('base64');
  const withKeys = async <T>(
    encryption: object,
    work: (engine: Awaited<ReturnType<typeof createEngine>>, lines: string[]) => Promise<T>,
  ) => {
    const lines: string[] = [];
    const engine = await createEngine({
      ...DELIVERING,
      databaseUrl: store.runtimeUrl,
      migrate: false,
      encryption,
      onNotice: (line) => void lines.push(line),
    });
    try {
      return await work(engine, lines);
    } finally {
      await engine.close();
    }
  };

  test('may be rotated while deliveries wait: the worker reads both', async () => {
    const { secret, path, happen } = await receiving();
    await happen();
    await withKeys({ key: OTHER, previousKey: TEST_KEY }, (engine) => deliver(engine));
    const [request = expect.fail('nothing was received')] = receiver.got(path);
    verified(secret, request);
  });

  test('that is missing in a worker leaves deliveries to a worker that has it', async () => {
    const { path, happen, tenant, endpoint } = await receiving();
    await happen();
    await withKeys({ isOptional: true }, (engine) => deliver(engine));
    expect(receiver.got(path)).toEqual([]);
    expect((await tenant.deliveries({ endpointId: endpoint.id })).deliveries).toMatchObject([
      { status: 'pending', attemptNumber: 0 },
    ]);
    await deliver(store.usance);
    expect(receiver.got(path)).toHaveLength(1);
  });
});

test('no table, notice or error has a secret, a signature, the value of a header or the query of a URL', async () => {
  const planted = 'planted-5f3a';
  const { tenant, endpoint, secret, path } = await receiving(
    { headers: { 'x-key': `${planted}-header` }, plainSignature: true },
    [500, 'reset', 'hang', 410],
  );
  await tenant.updateWebhookEndpoint(endpoint.id, { url: `${receiver.url(path)}?token=${planted}-query` });
  const rotated = await tenant.rotateWebhookSecret(endpoint.id);
  await tenant.testWebhookEndpoint(endpoint.id);
  await deliver(store.usance);
  for (let n = 0; n < 3; n += 1) {
    await makeDue(store.owner);
    await send(n === 1 ? impatient.engine : store.usance);
  }
  const got = receiver.got(path);
  expect(got).toHaveLength(4);
  const hidden = [
    `${planted}-header`,
    ...[secret, rotated.secret].map((one) => one.slice('whsec_'.length)),
    ...got.flatMap(({ headers }) => String(headers['webhook-signature']).split(' ')).map((one) => one.slice(3)),
    ...got.map(({ headers }) => String(headers['x-usance-signature'])),
  ];
  const tables = await store.owner.query(
    `select table_name from information_schema.tables where table_schema = 'usance' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const row of tables) {
    const table = asText(row['table_name']);
    const rows = await store.owner.query(`select row_to_json(t)::text as text from usance."${table}" t`);
    const text = [...rows.map((one) => asText(one['text'])), ...(table === 'webhook_endpoints' ? [] : notices)].join(
      '\n',
    );
    for (const one of hidden) if (text.includes(one)) found.push(`${table}: ${one}`);
    // The URL itself is stored for sending, and nowhere else.
    if (table !== 'webhook_endpoints' && text.includes(`${planted}-query`)) found.push(`${table}: the query`);
  }
  expect(tables.length).toBeGreaterThan(30);
  expect(found).toEqual([]);
});

test('a hanging endpoint delays only its own deliveries', async () => {
  const tenant = await freshTenant(store.usance);
  const hanging = await receiving({}, ['hang'], tenant);
  const others: Receiving[] = [];
  for (let n = 0; n < 4; n += 1) others.push(await receiving({}, [], tenant));
  await hanging.happen(12);
  const run = deliver(impatient.engine);
  await Promise.all(others.map(({ path }) => receiver.until(path, 12)));
  // Four attempts at first, and then one at a time: it cannot have had its twelve when the others have theirs.
  expect(receiver.got(hanging.path).length).toBeLessThan(12);
  await run;
  // Each was sent; on a busy machine the run is long enough for second attempts.
  expect(new Set(receiver.got(hanging.path).map(({ headers }) => headers['webhook-id'])).size).toBe(12);
  expect(receiver.most(hanging.path)).toBeLessThanOrEqual(4);
  for (const { deliveries } of others)
    expect((await deliveries()).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 'completed'));
});

/** Sends ten deliveries at the same time. */
const narrow = useEngine(store, { webhooks: { ...DELIVERING.webhooks, concurrency: 10 } });

test.each([1, 2])('slow endpoints of %d tenants leave the first attempts of another their slots', async (tenants) => {
  // What other tests left behind would have slots too.
  await store.owner.query('truncate usance.execution_queue');
  const held: (() => void)[] = [];
  const slow: Behaviour = (_request, response) => void held.push(() => response.writeHead(200).end());
  for (let n = 0; n < tenants; n += 1) {
    const tenant = await freshTenant(store.usance);
    for (let m = 0; m < 5; m += 1) await receiving({}, [slow], tenant);
    await (await receiving({}, [slow], tenant)).happen(4);
  }
  const quiet = [await receiving(), await receiving()];
  const run = deliver(narrow.engine);
  // Half of the worker is of one tenant at most, and four fifths of all that send much.
  const most = tenants === 1 ? 5 : 8;
  await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(most), 10_000);
  for (const one of quiet) await one.happen();
  await order(store.usance);
  await matchAll(store.usance);
  // They are received while every slow one is still held.
  for (const { path } of quiet) await receiver.until(path, 1);
  expect(held.length).toBe(most);
  const letGo = setInterval(() => held.splice(0).forEach((end) => end()), 10);
  await run.finally(() => clearInterval(letGo));
});
