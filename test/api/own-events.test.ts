// Events of an application over HTTP, in the client and in the library: as they were given, once, in the feed of all events.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Event, OwnEvent } from '../../src/client/index.ts';
import { createClient } from '../../src/client/index.ts';
import { createUsance } from '../../src/index.ts';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { open, troubles } from '../support/books.ts';
import type { Answer } from './api.ts';
import { freshKey, useApi } from './api.ts';
import { problemIn } from './problem.ts';

const SECRET = 'a-secret-of-forty-characters-for-the-tests';
const store = useApi({
  usance: { jwt: { secret: SECRET, audience: 'usance', issuer: null } },
  api: { stream: { pollMs: 10 } },
});
const POST = { type: 'posts.created', resource: 'post', resource_id: 'post-1', data: { title: 'Hello' } };
/** Everything that a conversion of names, ids or numbers would change. */
const ODD = {
  camelCase: 1,
  snake_case: { innerName: [{ deeper_name: null }] },
  payment: newId(),
  account: toTypeId('account', newId()),
  metadata: { a: 1 },
  id: newId(),
  erased: true,
  amount: 0.1,
  big: '9007199254740993',
  '': 'empty',
  'with.dots': 'ü 💶',
};

const append = (change: object = {}, options: object = {}): Promise<Answer> =>
  store.send('POST /events', { body: { ...POST, ...change }, ...options });
const listed = async (query: string, secret = store.secret): Promise<Record<string, unknown>[]> => {
  await store.run('sequencer');
  const answer = await store.send(`GET /events?limit=100&${query}`, { secret });
  expect(answer.status, answer.text).toBe(200);
  return answer.list('data') as Record<string, unknown>[];
};
const keyWith = async (scopes: readonly string[]): Promise<string> =>
  (await store.tenant.createApiKey({ name: 'limited', scopes } as never)).secret;

beforeAll(() => open(store.tenant, { alice: 1_000, bob: 0 }));

describe('an event of an application', () => {
  test('is returned as it was given, with the place of every event', async () => {
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const id = newId();
    const made = await append({ resource_id: id, data: ODD, version: 3 }, { headers: { traceparent: trace } });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^evt_/) as string,
      type: 'posts.created',
      version: 3,
      occurred_at: expect.any(String) as string,
    });
    const [event] = await listed(`resource=post&resource_id=${id}`);
    expect(event).toEqual({
      ...(made.body as object),
      seq: expect.any(Number) as number,
      cursor: expect.any(String) as string,
      source: 'application',
      resource: 'post',
      resource_id: id,
      data: ODD,
      actor: expect.stringMatching(/^key_/) as string,
      trace_context: trace,
      recorded_at: expect.any(String) as string,
    });
    // The text that JSON.stringify writes, names in their order.
    expect(JSON.stringify(event?.['data'])).toBe(JSON.stringify(ODD));
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('can have a field called __proto__', async () => {
    const data = '{"__proto__":{"admin":true},"constructor":1}';
    const body = `{"type": "posts.created", "resource": "post", "resource_id": "proto", "data": ${data}}`;
    expect((await store.send('POST /events', { body })).status).toBe(201);
    const [event] = await listed('resource=post&resource_id=proto');
    expect(JSON.stringify(event?.['data'])).toBe(data);
  });

  test('is in the audit log with its text and its data, and found there by both', async () => {
    await append({ type: 'posts2.created', resource_id: 'audited', data: ODD });
    for (const query of ['action=POSTS2_CREATED', 'resource=post&resource_id=audited']) {
      const answer = await store.send(`GET /audit-events?${query}`);
      expect(answer.list('data'), query).toMatchObject([
        { action: 'POSTS2_CREATED', resource: 'post', resource_id: 'audited', details: ODD },
      ]);
    }
  });

  test('is found by patterns of its type, by its resource, and by its id only with its resource', async () => {
    await append({ type: 'orders.item.returned', resource: 'order', resource_id: 'o/1?&#' });
    await append({ type: 'orders.paid', resource: 'order', resource_id: 'o/2' });
    const types = async (query: string) => (await listed(query)).map(({ type }) => type);
    expect(await types('type=orders.*')).toEqual(['orders.item.returned', 'orders.paid']);
    expect(await types('type=orders.item.*')).toEqual(['orders.item.returned']);
    expect(await types('type=*.returned')).toEqual(['orders.item.returned']);
    expect(await types('type=*.item.returned')).toEqual(['orders.item.returned']);
    expect(await types('type=orders.paid')).toEqual(['orders.paid']);
    expect(await types('type=orders.paid,*.item.returned,orders.paid')).toEqual([
      'orders.item.returned',
      'orders.paid',
    ]);
    expect(await types('type=orders.none,orders.paid&resource=order')).toEqual(['orders.paid']);
    const second = `resource=order&resource_id=${encodeURIComponent('o/2')}`;
    expect(await types(`type=orders.item.*,orders.paid&${second}`)).toEqual(['orders.paid']);
    expect((await listed('type=a.b,*')).length).toBeGreaterThan(2);
    expect(await types('resource=order')).toEqual(['orders.item.returned', 'orders.paid']);
    expect(await types(`resource=order&resource_id=${encodeURIComponent('o/1?&#')}`)).toEqual(['orders.item.returned']);
    expect(await types('resource=post&resource_id=o/2')).toEqual([]);
    const alone = await store.send('GET /events?resource_id=o/2');
    expect(alone.body).toMatchObject({ code: 'ID_INVALID', reason: 'needs_resource', param: 'resource_id' });
    expect(alone.word('detail')).toContain('give resource too');
  });

  test('is in no timeline of a payment, also where it has the id of one', async () => {
    const hold = await store.send('POST /holds', {
      body: { from: 'alice', to: 'bob', asset: 'USD', amount: '10', delay: '1h' },
    });
    await append({ resource: 'order', resource_id: hold.word('id') });
    const timeline = await store.send(`GET /payments/${hold.word('id')}/timeline`);
    expect(timeline.list('data')).toHaveLength(1);
    expect(await listed(`resource_id=${hold.word('id')}`)).toHaveLength(1);
    expect(await listed(`resource=order&resource_id=${hold.word('id')}`)).toHaveLength(1);
  });

  test('is null after it was erased, and keeps its place', async () => {
    const made = await append({ resource: 'note', resource_id: 'jane.roe', data: { name: 'Jane Roe' } });
    const erased = await store.send(`POST /audit-events/${made.word('id')}/erase`, { body: { reason: 'asked for' } });
    expect(erased.status, erased.text).toBe(200);
    const [event] = await listed('resource=note&resource_id=jane.roe');
    expect(event).toMatchObject({ id: made.word('id'), source: 'application', data: null });
    expect(event?.['resource_id']).toMatch(/^own_7z[0-9a-z]{24}$/);
    for (const query of ['', 'resource=note&'])
      expect(await listed(`${query}resource_id=${String(event?.['resource_id'])}`)).toEqual([event]);
    const [audited] = (await store.send('GET /audit-events?resource=note')).list('data');
    expect(audited).toMatchObject({ details: { erased: true } });
  });
});

describe('a call that appends', () => {
  test('appends once under a key: 20 at the same time get one answer or are told to wait', async () => {
    const [key, body] = [freshKey(), { ...POST, resource_id: 'raced' }];
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.send('POST /events', { body, key })));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const other of answers.filter(({ status }) => status !== 201))
      expect(problemIn(other).code).toBe('IDEMPOTENCY_RUNNING');
    const again = await store.send('POST /events', { body, key });
    expect(again.text).toBe(made[0]?.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await listed('resource=post&resource_id=raced')).toHaveLength(1);
    const changed = await store.send('POST /events', { body: { ...body, data: {} }, key });
    expect(problemIn(changed).code).toBe('IDEMPOTENCY_MISMATCH');
  });

  test('with a list appends all of it or nothing, and names the place of each problem', async () => {
    const events = [POST, { ...POST, type: 'payment.noted' }, { ...POST, resource: 'job', data: { a: 1 } }];
    const refused = await store.send('POST /events/bulk', { body: { events } });
    expect(refused.status).toBe(400);
    expect(refused.list('errors')).toMatchObject([
      { code: 'EVENT_TYPE_RESERVED', param: 'events[1].type' },
      { code: 'EVENT_TYPE_RESERVED', param: 'events[2].resource' },
    ]);
    const bulk = await store.send('POST /events/bulk', {
      body: { events: Array.from({ length: 1_000 }, (_, n) => ({ ...POST, resource: 'bulk', resource_id: `b${n}` })) },
    });
    expect(bulk.status, bulk.text).toBe(201);
    expect(bulk.get('appended')).toBe(1_000);
    const [first, second] = bulk.list('ids');
    expect((await listed('resource=bulk&resource_id=b0'))[0]).toMatchObject({ id: first });
    expect((await listed('resource=bulk&resource_id=b1'))[0]).toMatchObject({ id: second });
  });

  test.each([
    [
      '{"type": "posts.created", "resource": "post", "resource_id": "1", "data": {"n": 9007199254740993}}',
      'JSON_INTEGER_UNSAFE',
    ],
    [
      '{"type": "posts.created", "resource": "post", "resource_id": "1", "data": {"n": 1, "n": 2}}',
      'JSON_DUPLICATE_KEY',
    ],
    ['{"type": "posts.created", "resource": "post", "resource_id": "1", "data": {"n": "\\u0000"}}', 'FIELD_INVALID'],
    ['{"type": "posts.created", "resource": "post", "resource_id": "1", "data": [1]}', 'FIELD_INVALID'],
    ['{"type": "posts.created", "resource": "post", "resource_id": 1}', 'FIELD_INVALID'],
    ['{"type": "posts.created", "resource": "post", "resourceId": "1"}', 'FIELD_UNKNOWN'],
    ['{"type": "posts.created", "resource": "post", "resource_id": "1", "version": 0}', 'FIELD_INVALID'],
  ])('refuses %s', async (body, code) => {
    expect(problemIn(await store.send('POST /events', { body })).code).toBe(code);
  });

  test('needs the scope events:write; an end user cannot append', async () => {
    const refused = await append({}, { secret: await keyWith(['events:read', 'payments:write', 'ops:write']) });
    expect(refused.body).toMatchObject({ status: 403, code: 'AUTH_SCOPE_MISSING' });
    expect((await append({}, { secret: await keyWith(['events:write']) })).status).toBe(201);
    const jwt = token(shared(SECRET), { aud: 'usance', sub: 'alice', exp: inSeconds(600) });
    for (const request of ['POST /events', 'POST /events/bulk'])
      expect((await store.send(request, { body: { ...POST, events: [POST] }, secret: jwt })).status).toBe(403);
    const found = await store.usance.authenticate(jwt);
    await expect(found?.handle.appendEvent({ ...POST, resourceId: '1' })).rejects.toMatchObject({
      code: 'AUTH_FORBIDDEN',
    });
    await expect(found?.handle.appendEvents([{ ...POST, resourceId: '1' }])).rejects.toMatchObject({
      code: 'AUTH_FORBIDDEN',
    });
  });

  test('dry says what it would append, and appends nothing', async () => {
    const run = await append({ resource: 'dry', dry_run: true });
    expect(run.status, run.text).toBe(200);
    expect(run.body).toMatchObject({ dry_run: true, events: ['posts.created'], postings: [] });
    expect(await listed('resource=dry')).toEqual([]);
  });

  test('beyond the quota of the day is told when the day ends', async () => {
    const { id } = await store.usance.createTenant({ name: 'full' });
    const full = await store.usance.tenant('full');
    const { secret } = await full.createApiKey({ name: 'full', role: 'operator' });
    await store.owner.query(
      `insert into usance.own_event_counts (tenant_id, day, slot, events)
       select $1::uuid, (now() at time zone 'UTC')::date + n, $1::uuid, 1000000 from generate_series(0, 1) n`,
      [id],
    );
    const answer = await append({}, { secret });
    expect(answer.body).toMatchObject({ status: 429, code: 'EVENTS_QUOTA_EXCEEDED', retryable: true });
    const seconds = Number(answer.headers.get('retry-after'));
    expect(answer.get('fields.seconds')).toBe(seconds);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
    // The quota of another tenant is not touched.
    expect((await append()).status).toBe(201);
  });
});

describe('in TypeScript', () => {
  interface Post {
    readonly camelCase: number;
    readonly snake_case: object;
  }
  type Posts = OwnEvent<'posts.typed', Post>;

  test('the client sends and returns data to the letter, in pages and in the stream, and narrows it by type', async () => {
    const client = createClient({ url: store.url, key: store.secret, retryDelayMs: 1 });
    const made = await client.events.append({ type: 'posts.typed', resource: 'post', resourceId: 'typed', data: ODD });
    await store.run('sequencer');
    const seen: Posts[] = [];
    for await (const event of client.events.list<Event | Posts>({ resource: 'post', resourceId: 'typed' }))
      if (event.type === 'posts.typed') seen.push(event);
    for await (const event of client.events.follow<Event | Posts>({ type: 'posts.typed' })) {
      if (event.type === 'posts.typed') seen.push(event);
      break;
    }
    expect(seen).toHaveLength(2);
    for (const event of seen) {
      expect(event).toMatchObject({ id: made.id, source: 'application', resourceId: 'typed', data: ODD });
      const first: number | undefined = event.data?.camelCase;
      expect(first).toBe(1);
    }
    // An event of usance is narrowed as before, with names in camelCase.
    for await (const event of client.events.list({ type: 'payment.created' })) {
      if (event.type === 'payment.created') expect(event.data?.executeAt).toEqual(expect.any(String));
    }
    const { ids } = await client.events.appendMany({
      events: [
        { type: 'posts.typed', resource: 'post', resourceId: 'a' },
        { type: 'posts.typed', resource: 'post', resourceId: 'b', version: 2 },
      ],
    });
    expect(ids).toHaveLength(2);
  });

  test('the library appends in the transaction of the application, once under a key, or dry', async () => {
    const usance = await createUsance({ databaseUrl: store.runtimeUrl, migrate: false });
    try {
      const shop = await usance.tenant('shop');
      const params = { type: 'posts.kept', resource: 'post', resourceId: 'kept', data: ODD };
      const run = await shop.events.append(params, { dryRun: true });
      expect(run.events).toEqual(['posts.kept']);
      const undone = new Error('undone');
      const within = (work: () => void) =>
        store.owner.transaction(async (tx) => {
          const client = {
            query: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values as never) }),
          };
          const first = await shop.within(client).events.append(params, { idempotencyKey: 'append-1' });
          const again = await shop.within(client).events.append(params, { idempotencyKey: 'append-1' });
          expect(again).toEqual(first);
          work();
        });
      await expect(
        within(() => {
          throw undone;
        }),
      ).rejects.toBe(undone);
      expect(await listed('type=posts.kept')).toEqual([]);
      await within(() => undefined);
      expect(await listed('type=posts.kept')).toMatchObject([{ data: ODD }]);
      await expect(
        shop.events.append({ ...params, type: 'payout.sent' }, { idempotencyKey: 'append-2' }),
      ).rejects.toMatchObject({ code: 'EVENT_TYPE_RESERVED' });
    } finally {
      await usance.close();
    }
  });
});
