// Every example of every route is sent as it stands in the reference, and every answer is held against its schema.
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/api/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import type { Names } from '../../src/contract/index.ts';
import { EVENT_STREAM, Event, NAMES } from '../../src/contract/index.ts';
import { EVENT_TYPES } from '../../src/events/index.ts';
import { fromTypeId, liveAt, newId, showIds, shownResourceId, toTypeId } from '../../src/kernel/index.ts';
import { freezeAsset } from '../../src/ledger/index.ts';
import { reportViolation } from '../../src/ledger/freeze.ts';
import { readTree } from '../architecture/source.ts';
import { troubles } from '../support/books.ts';
import { freshKey, useApi } from './api.ts';
import { MAIL_SERVER, exampleRequests } from './example-requests.ts';
import { describedHeaders, headersIn } from './headers.ts';

const routes = Object.entries(ROUTES) as [keyof typeof ROUTES, Route][];

/** Their events are never erased, and a reason could name the person again. */
const WITHOUT_REASON = ['accounts.erase', 'auditEvents.erase'];
/** Whose example only reads, or finds nothing to do. */
const CHANGE_NOTHING = ['schedules.preview', 'deadLetters.discardMany', 'deadLetters.retryMany'];

describe('the examples of the reference', () => {
  const store = useApi({
    usance: { notifications: { smtp: MAIL_SERVER } },
    api: { rateLimits: { perKey: 100_000, perUser: 100_000 } },
  });
  const requestOf = exampleRequests(store);
  const eventsAfter = async (seq: number): Promise<EventSeen[]> =>
    ((await store.send(`GET /events?limit=100&after=${seq}`)).body as { data: EventSeen[] }).data;

  test.each(routes)('%s answers as its schema says', async (name, route) => {
    const { request, options: sent } = await requestOf(name, route);
    const key = route.method === 'GET' ? null : freshKey();
    const answer = await store.send(request, { ...sent, key });
    expect(answer.status, answer.text).toBe(route.status);
    expect(misfits(route, route.mediaType === undefined ? answer.body : answer.text)).toEqual([]);
    expect(headersIn(answer)).toEqual(describedHeaders(name).filter((header) => header !== 'idempotent-replayed'));
    if (key === null) return;

    const again = await store.send(request, { ...sent, key });
    // A replay is a text that was stored: of the resource as it was then, without the version that it has now.
    expect(headersIn(again)).toEqual(describedHeaders(name).filter((header) => header !== 'etag'));
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
      const [, seq, type, data = ''] =
        /^: follow\n\nid: (\d+)-[0-9a-f]{8}\nevent: (.*)\ndata: (.*)\n\n/.exec(stream) ?? [];
      const event: unknown = JSON.parse(data);
      expect(Compile(Event).Check(event), data).toBe(true);
      expect(event).toMatchObject({ seq: Number(seq), type });
    }
  });

  // What a request says to have done is not enough: whoever looks later must find it.
  test('leave on record who changed what, from where and why, for every route that changes something', async () => {
    const told = await store.owner.query(
      `select request_id, count(*)::int as events from usance.events
       where actor ~ '^key:' and ip = '127.0.0.1' and user_agent = 'examples/1'
         and (reason = 'example of ' || request_id or request_id = any ($1::text[]) and reason is null) group by 1`,
      [WITHOUT_REASON],
    );
    const recorded = new Set(told.map((row) => row['request_id']));
    const silent = routes.filter(([name, { method }]) => method !== 'GET' && !recorded.has(name)).map(([name]) => name);
    expect(silent).toEqual(CHANGE_NOTHING);
  });

  test('emit the events of the table of names, and no others', async () => {
    // The asset of the first example exists, and the other one finds no dead letter: the same requests, with something to do.
    const hold = { from: 'alice', to: 'bob', amount: 100, asset: 'USD', delay: '1h' };
    const id = (await store.send('POST /holds', { body: hold })).word('id');
    await store.send(`POST /payments/${id}/fail`, { body: { reason: 'to be retried' } });
    const send = (name: string, request: string, body: object) =>
      store.send(request, { body, headers: { 'x-request-id': name } });
    const done = [
      await send('assets.create', 'POST /assets', { asset: 'SEK/2' }),
      await send('deadLetters.retryMany', 'POST /dead-letters/retry', { filter: { code: 'FAILED_BY_OPERATOR' } }),
    ];
    await store.send(`POST /payments/${id}/fail`, { body: { reason: 'to be discarded' } });
    const filter = { code: 'FAILED_BY_OPERATOR' };
    done.push(await send('deadLetters.discardMany', 'POST /dead-letters/discard', { filter, reason: 'a test' }));
    expect(done.map(({ status }) => status)).toEqual([201, 200, 200]);

    // By the request only: one of the examples erases where an event came from, with its request.
    const told = await store.owner.query(
      `select request_id, array_agg(distinct type order by type)::text as types from usance.events
       where actor ~ '^key:' group by 1`,
    );
    const erased = new Set(
      (await store.owner.query('select type from usance.events where details is not null')).map((row) => row['type']),
    );
    const emitted = new Map(told.map((row) => [row['request_id'], String(row['types']).slice(1, -1).split(',')]));
    const wrong = routes.flatMap(([name]) => {
      const { events, also = [], own }: Names = NAMES[name];
      const types = emitted.get(name) ?? [];
      const known: readonly string[] = [...events, ...also];
      const isOwn = (type: string): boolean => own === true && !(type in EVENT_TYPES);
      const foreign = types.filter((type) => !known.includes(type) && !type.startsWith('sign_in.') && !isOwn(type));
      const found = events.some((type) => types.includes(type) || erased.has(type));
      const missing = events.length > 0 && !found ? events : [];
      return foreign.length + missing.length > 0 ? [{ name, foreign, missing }] : [];
    });
    expect(wrong).toEqual([]);
  });

  test('emit events that have TypeIDs and no UUID', async () => {
    // No example is approved by another person than the key that sends them.
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 1_000 });
    const order = { from: 'alice', to: 'bob', amount: 2_000, asset: 'USD', delay: '1h' };
    const asked = await store.send('POST /payments', { body: order });
    await store.tenant.rejectPayment(fromTypeId('payment', asked.word('id')), 'no longer wanted');
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: null });

    // Nor is an opening balance imported, an asset frozen or a wrong row found.
    await store.tenant.importOpeningBalances({
      name: 'opening',
      format: 'csv',
      open: async function* () {
        yield* ['account,asset,amount', 'zoe,USD/2,1'];
      },
    });
    const details = {
      account: newId(),
      payment: newId(),
      schedule: newId(),
      subscription: newId(),
      guardians: [newId()],
    };
    const offender = { tenantId: store.tenant.id, asset: 'SEK/2', details };
    const clock = liveAt(new Date());
    expect(await store.db.transaction((tx) => freezeAsset(tx, clock, 'planted', offender))).toBe(true);
    expect(await store.db.transaction((tx) => reportViolation(tx, clock, 'planted', offender))).toBe(true);

    await store.run('sequencer');
    const seen: EventSeen[] = [];
    for (let page = await eventsAfter(0); page.length > 0; page = await eventsAfter(seen.at(-1)?.seq ?? 0)) {
      seen.push(...page);
    }
    expect(seen.length).toBeGreaterThan(100);
    expect(JSON.stringify(seen.map(({ data }) => data))).toMatch(
      /"junior_id":"acct_.*"replaces":"key_.*"terms_by":\["key_/,
    );
    expect(seen.flatMap((event) => uuidsIn(event, 'event').map((place) => `${event.type} ${place}`))).toEqual([]);
    const types = new Set(seen.map(({ type }) => type));
    for (const type of ['asset.created', 'account.balances_imported', 'freeze.created', 'books.violation_found']) {
      expect(types, type).toContain(type);
    }
    expect(JSON.stringify(seen)).toMatch(/"guardians":\["acct_/);
  });

  test('are found by the TypeID or the UUID of their resource', async () => {
    const created = (await store.send('GET /events?type=asset.created')).word('data.0.resource_id');
    expect(created).toBe(toTypeId('tenant', store.tenant.id));
    for (const path of ['/events', '/audit-events']) {
      const byType = await store.send(`GET ${path}?resource_id=${created}`);
      const byUuid = await store.send(`GET ${path}?resource_id=${store.tenant.id}`);
      expect([byUuid.status, byUuid.body]).toEqual([200, byType.body]);
      expect(byUuid.list('data').length).toBeGreaterThan(0);
    }
  });

  test('have a resource with a TypeID, whichever they name', async () => {
    // The contract describes the default of the filter of that name; the demo appends events of an application.
    const source = (await readTree('src'))
      .filter(({ path }) => !path.includes('/contract/') && !path.includes('/demo-world/'))
      .map(({ text }) => text)
      .join('\n');
    const resources = new Set([...source.matchAll(/\bresource: '([a-z_]+)'/g)].map(([, name = '']) => name));
    expect(resources.size).toBeGreaterThan(12);
    expect([...resources].filter((name) => UUID.test(shownResourceId(name, newId())))).toEqual([]);
  });

  test('of a failed check name rows by fields that are shown as TypeIDs', async () => {
    const source = (await readTree('src'))
      .filter(({ path }) => path.endsWith('checks.ts'))
      .map(({ text }) => text)
      .join('\n');
    const named = [...source.matchAll(/'([\w ]+)', (?:\w+\.)?(?:id|\w+_id)\b(?! is )/g)].map(([, name = '']) => name);
    expect(named).toContain('payment');
    const shown = showIds(Object.fromEntries(named.map((name) => [name, newId()]))) as object;
    expect(uuidsIn(shown, 'details')).toEqual([]);
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

interface EventSeen {
  readonly seq: number;
  readonly type: string;
  readonly data: unknown;
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The places of a JSON value that show a UUID, with it; also inside a longer text. */
function uuidsIn(value: unknown, place = 'data'): string[] {
  if (typeof value === 'string') return UUID.test(value) ? [`${place}: ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => uuidsIn(field, `${place}.${name}`));
}

function misfits(route: Route, answer: unknown): unknown[] {
  const validator = Compile(route.answer);
  return validator.Check(answer) ? [] : [...validator.Errors(answer)];
}
