// Every example of every route is sent as it stands in the reference, and every answer is held against its schema.
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/api/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import { EVENT_STREAM, Event } from '../../src/contract/index.ts';
import { troubles } from '../support/books.ts';
import { addOutage, dueSchedule } from '../support/schedules.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { freshKey, useApi } from './api.ts';
import type { Answer } from './api.ts';
import { describedHeaders, headersIn } from './headers.ts';

const routes = Object.entries(ROUTES) as [keyof typeof ROUTES, Route][];

/** Whose example is a dry run, or finds nothing to do. */
const CHANGE_NOTHING = ['payments.runManyNow', 'schedules.preview', 'schedules.backfill', 'deadLetters.retryMany'];

describe('the examples of the reference', () => {
  const store = useApi({ api: { rateLimits: { perKey: 100_000, perUser: 100_000 } } });
  const hold = (body: object = {}): Promise<Answer> =>
    store.send('POST /holds', { body: { from: 'alice', to: 'bob', amount: 100, asset: 'USD', delay: '1h', ...body } });
  const held = async (body: object = {}) => ({ id: (await hold(body)).word('id') });
  const settled = async () => {
    const made = await held({ amount: 10_000 });
    await store.send(`POST /payments/${made.id}/run-now`);
    await store.run('processor');
    return made;
  };
  const failed = async () => {
    const made = await held();
    await store.send(`POST /payments/${made.id}/fail`, { body: { reason: 'to be retried' } });
    return made;
  };

  const schedule = async (body: object = {}) => {
    const order = {
      from: 'alice',
      to: 'bob',
      amount: 100,
      asset: 'USD',
      rule: { frequency: 'DAILY' },
      start: '2026-09-01',
    };
    return { id: (await store.send('POST /schedules', { body: { ...order, ...body } })).word('id') };
  };
  const pausedSchedule = async () => {
    const made = await schedule();
    await store.send(`POST /schedules/${made.id}/pause`, { body: {} });
    return made;
  };

  /** A slot that could not become a payment: its payer had nothing to reserve. */
  const failedSlot = async () => {
    await store.tenant.openAccount({ ref: 'poor' });
    const id = await dueSchedule(store.owner, store.tenant, { from: 'poor', funding: 'reserve' });
    await store.usance.loops.find((loop) => loop.name === 'scheduler')?.runOnce();
    return { id: (await store.send('GET /dead-letters?kind=occurrence')).word('data.0.id'), schedule: id };
  };
  const outage = async () => ({ id: toTypeId('outage', await addOutage(store.owner, store.tenant.id)) });

  const apiKey = async () => ({
    id: (await store.send('POST /api-keys', { body: { name: 'spare', role: 'viewer' } })).word('id'),
  });
  const tokenIssuer = async () => ({ id: (await store.send('GET /token-issuers')).word('data.0.id') });

  // A clock is a test tenant's: its routes are asked with a key of one.
  const lab = { secret: '' };
  const clock = async () => ({ id: (await store.send('GET /test-clocks', lab)).word('data.0.id') });
  /** Made by somebody else than the key that sends the examples. */
  const awaiting = async () => {
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 1_000 });
    const order = { from: 'alice', to: 'bob', amount: 2_000, asset: 'USD', delay: '1h', idempotencyKey: freshKey() };
    const { id } = await store.tenant.createPayment(order);
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: null });
    return { id: toTypeId('payment', id) };
  };

  const plan = async () => ({ id: (await store.send('GET /plans')).word('data.0.id') });
  const subscription = async () => ({
    id: (await store.send('POST /subscriptions', { body: { plan: (await plan()).id, payer: 'bob' } })).word('id'),
  });
  const pastDue = async () => {
    const { id } = await plan();
    await store.send(`PATCH /plans/${id}`, { body: { after_failure: 'pause' } });
    const made = await store.send('POST /subscriptions', { body: { plan: id, payer: 'bob' } });
    await store.send(`POST /payments/${made.word('last_payment')}/fail`, { body: { reason: 'to be past due' } });
    await store.owner.query(`update usance.schedule_due set due_at = now() - interval '1 ms'`);
    await store.usance.loops.find((loop) => loop.name === 'scheduler')?.runOnce();
    return { id: made.word('id') };
  };

  // What an example needs to be there first. It may name other parameters: the reference cannot know our ids.
  const worlds: Partial<Record<keyof typeof ROUTES, () => Promise<Record<string, string> | void>>> = {
    'accounts.create': async () => undefined,
    'accounts.suspend': async () => ({
      id: (await store.send('POST /accounts', { body: { ref: 'carol' } })).word('id'),
    }),
    'accounts.reactivate': async () => ({ id: 'carol' }),
    'accounts.close': async () => ({ id: 'carol' }),
    'accounts.erase': async () => {
      const id = (await store.send('POST /accounts', { body: { ref: 'dora', name: 'Dora' } })).word('id');
      await store.send(`POST /accounts/${id}/close`, { body: { reason: 'moved away' } });
      return { id };
    },
    'auditEvents.erase': async () => ({ id: (await store.send('GET /audit-events?limit=1')).word('data.0.id') }),
    'accounts.deposit': async () => {
      await store.send('POST /accounts', { body: { ref: 'bob' } });
      await store.send('POST /accounts/alice/deposit', { body: { amount: 1_000_000, asset: 'USD' } });
    },
    'allowances.create': async () => void (await store.send('PATCH /accounts/bob', { body: { guardian: 'alice' } })),
    'holds.get': held,
    'holds.listEvents': held,
    'holds.cancel': held,
    'holds.capture': () => held({ amount: 10_000 }),
    'holds.extend': held,
    'payments.get': held,
    'payments.update': held,
    'payments.listTimeline': held,
    'payments.why': held,
    'payments.cancel': held,
    'payments.refund': settled,
    'payments.capture': () => held({ amount: 10_000 }),
    'payments.extend': held,
    'payments.retry': failed,
    'payments.runNow': held,
    'payments.fail': held,
    'payments.approve': awaiting,
    'payments.reject': awaiting,
    'deadLetters.get': failed,
    'deadLetters.retry': failed,
    'deadLetters.discard': failedSlot,
    'outages.release': outage,
    'outages.discard': outage,
    'schedules.get': schedule,
    'schedules.update': schedule,
    'schedules.pause': schedule,
    'schedules.resume': pausedSchedule,
    'schedules.cancel': schedule,
    'schedules.trigger': schedule,
    'schedules.backfill': schedule,
    'schedules.listUpcoming': schedule,
    'schedules.listOccurrences': async () => {
      const made = await schedule();
      await store.send(`POST /schedules/${made.id}/trigger`);
      return made;
    },
    'events.list': async () => void (await store.run('sequencer')),
    'tokenIssuers.update': tokenIssuer,
    'tokenIssuers.delete': tokenIssuer,
    'apiKeys.revoke': apiKey,
    'apiKeys.rotate': apiKey,
    'testClocks.create': async () => {
      const tenant = await store.usance.createTenant({ name: 'lab', kind: 'test' });
      lab.secret = (await tenant.createApiKey({ name: 'lab', role: 'admin' })).secret;
    },
    'testClocks.get': clock,
    'testClocks.advance': clock,
    'testClocks.cancelAdvance': clock,
    'testClocks.delete': clock,
    'plans.get': plan,
    'plans.update': plan,
    'subscriptions.create': async () => ({ plan: (await plan()).id }),
    'subscriptions.get': subscription,
    'subscriptions.update': subscription,
    'subscriptions.cancel': subscription,
    'subscriptions.changePlan': async () => {
      const { id } = await subscription();
      return { id, plan: (await store.send(`GET /subscriptions/${id}`)).word('plan') };
    },
    'subscriptions.pause': subscription,
    'subscriptions.resume': pastDue,
    'pauses.lift': async () => ({ id: (await store.send('GET /pauses')).word('data.0.id') }),
  };

  test.each(routes)('%s answers as its schema says', async (name, route) => {
    const { example } = route;
    const params: Record<string, string> = { ...example.params, ...(await worlds[name]?.()) };
    const { plan: named } = params;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, key: string) => encodeURIComponent(params[key] ?? ''));
    const sent = {
      headers: { 'x-request-id': name, 'user-agent': 'examples/1' },
      ...(example.body === undefined
        ? {}
        : { body: named === undefined ? example.body : { ...Object(example.body), plan: named } }),
      ...(route.path.startsWith('/test-clocks') ? lab : {}),
    };
    const query = new URLSearchParams(example.query).toString();
    const request = `${route.method} ${path}${query === '' ? '' : `?${query}`}`;
    const key = route.method === 'GET' ? null : freshKey();
    const answer = await store.send(request, { ...sent, key });
    expect(answer.status, answer.text).toBe(route.status);
    expect(misfits(route, route.mediaType === undefined ? answer.body : answer.text)).toEqual([]);
    expect(headersIn(answer)).toEqual(describedHeaders(name).filter((header) => header !== 'idempotent-replayed'));
    if (key === null) return;

    const again = await store.send(request, { ...sent, key });
    expect(headersIn(again)).toEqual(describedHeaders(name));
    if (route.remembers) expect(misfits(route, again.body)).toEqual([]);
    else expect(again.text).toBe(answer.text);
  });

  test('events.follow begins as its example does', async () => {
    await store.run('sequencer');
    const leave = new AbortController();
    const query = new URLSearchParams(EVENT_STREAM.example.query).toString();
    const response = await fetch(`${store.url}/v1${EVENT_STREAM.path}?${query}`, {
      headers: { authorization: `Bearer ${store.secret}` },
      signal: leave.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!/data: .*\n\n/.test(text)) text += (await reader?.read())?.value ?? '';
    leave.abort();
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headersIn(response)).toEqual(describedHeaders('events.follow'));
    for (const stream of [text, EVENT_STREAM.example.answer]) {
      const [, seq, type, data = ''] = /^: follow\n\nid: (.*)\nevent: (.*)\ndata: (.*)\n\n/.exec(stream) ?? [];
      const event: unknown = JSON.parse(data);
      expect(Compile(Event).Check(event), data).toBe(true);
      expect(event).toMatchObject({ seq: Number(seq), type });
    }
  });

  // What a request says to have done is not enough: whoever looks later must find it.
  test('leave on record who changed what, and from where, for every route that changes something', async () => {
    const told = await store.owner.query(
      `select request_id, count(*)::int as events from usance.events
       where actor ~ '^key:' and ip = '127.0.0.1' and user_agent = 'examples/1' group by 1`,
    );
    const recorded = new Set(told.map((row) => row['request_id']));
    const silent = routes.filter(([name, { method }]) => method !== 'GET' && !recorded.has(name)).map(([name]) => name);
    expect(silent).toEqual(CHANGE_NOTHING);
  });

  test('leave the books right', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each(routes)('%s shows an answer that fits', (_name, route) => {
    expect(misfits(route, route.example.answer)).toEqual([]);
    for (const part of ['params', 'query', 'body'] as const) {
      const taken = Object.keys((route[part] as { properties?: object }).properties ?? {});
      expect(taken).toEqual(expect.arrayContaining(Object.keys(route.example[part] ?? {})));
    }
  });
});

function misfits(route: Route, answer: unknown): unknown[] {
  const validator = Compile(route.answer);
  return validator.Check(answer) ? [] : [...validator.Errors(answer)];
}
