// Following events over HTTP: everything once, in order, from where one was.
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import type { Event } from '../../src/client/index.ts';
import { UsanceProblem, createClient } from '../../src/client/index.ts';
import { fromWire } from '../../src/client/inner.ts';
import { formatCursor } from '../../src/engine.ts';
import { appendEvents } from '../../src/events/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { key, open } from '../support/books.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

const NONE = { status: 'active', guardianId: null, guardianIds: [] };

describe('the stream of events', () => {
  const store = useApi({ api: { stream: { pollMs: 10, heartbeatMs: 20, most: 3 } } });
  const deposit = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        store.tenant.deposit({ account: 'alice', asset: 'USD', amount: 1, idempotencyKey: key() }),
      ),
    );
  const client = (url = store.url, secret = store.secret) => createClient({ url, key: secret, retryDelayMs: 1 });
  const end = () => store.tenant.lastEventSeq();
  /** Reads so many, and leaves. */
  const take = async (events: AsyncIterable<Event>, count: number): Promise<Event[]> => {
    const taken: Event[] = [];
    if (count === 0) return taken;
    for await (const event of events) if (taken.push(event) === count) break;
    return taken;
  };
  const raw = async (headers: Record<string, string> = {}, query = '') => {
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    return fetch(`${store.url}/v1/events/stream${query}`, {
      headers: { authorization: `Bearer ${store.secret}`, ...headers },
      signal: leave.signal,
    });
  };

  beforeAll(async () => {
    await open(store.tenant, { alice: 100, bob: 0 });
    await store.run('sequencer');
  });

  test('is the list, and then what happens next, in order and once', async () => {
    const listed = (await store.send('GET /events?limit=100')).list('data') as Event[];
    const reading = take(client().events.follow(), listed.length + 30);
    for (let round = 0; round < 3; round += 1) {
      await deposit(10);
      await store.run('sequencer');
    }
    const read = await reading;
    expect(read.slice(0, listed.length)).toEqual(fromWire(listed));
    const places = read.map((event) => event.seq);
    expect(new Set(places).size).toBe(places.length);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(read.at(-1)).toMatchObject({ type: 'transfer.posted', data: { new: { kind: 'deposit', amount: '1' } } });
  });

  test('takes the filters of the list', async () => {
    const after = Number(await end());
    const reading = take(client().events.follow({ type: 'account.*', after }), 2);
    await deposit(3);
    await store.tenant.openAccount({ ref: 'carol' });
    await deposit(3);
    await store.tenant.suspendAccount('carol', 'asked for');
    await store.run('sequencer');
    expect((await reading).map((event) => event.type)).toEqual(['account.created', 'account.suspended']);
  });

  test('goes on behind Last-Event-ID, which wins over `after`', async () => {
    await deposit(2);
    await store.run('sequencer');
    const last = await end();
    const answer = await raw({ 'last-event-id': String(last - 1n) }, '?after=0');
    const reader = answer.body?.getReader();
    let text = '';
    while (!text.includes('data: ')) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(/^id: (\d+)-[0-9a-f]{8}$/m.exec(text)?.[1]).toBe(String(last));
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('begins with the next event after `latest`, and says first where that is', async () => {
    await deposit(2);
    await store.run('sequencer');
    const place = formatCursor(await store.tenant.lastEventCursor());
    const answer = await raw({}, '?after=latest');
    const reader = answer.body?.getReader();
    let text = '';
    const more = async () => (text += new TextDecoder().decode((await reader?.read())?.value));
    while (!text.includes('id: ')) await more();
    expect(text).toBe(`: follow\nid: ${place}\n\n`);
    await store.tenant.openAccount({ ref: 'late' });
    await store.run('sequencer');
    while (!text.includes('data: ')) await more();
    expect(/^event: (.+)$/m.exec(text)?.[1]).toBe('account.created');

    // A cut connection goes on at its own place, not at the newest event of that moment.
    const again = await raw({ 'last-event-id': place }, '?after=latest');
    const other = again.body?.getReader();
    let repeated = '';
    while (!repeated.includes('data: ')) repeated += new TextDecoder().decode((await other?.read())?.value);
    expect(repeated).not.toContain(`id: ${place}`);
    expect(/^event: (.+)$/m.exec(repeated)?.[1]).toBe('account.created');
  });

  test('says now and then that it is still there', async () => {
    const answer = await raw({ 'last-event-id': String(await end()) });
    const reader = answer.body?.getReader();
    let text = '';
    const said = `: still here\nid: ${formatCursor(await store.tenant.lastEventCursor())}\n\n`;
    while (!text.includes(said + said)) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(text).not.toContain('data:');
  });

  test('goes on behind the last event that the server read, although the filter took none', async () => {
    const after = Number(await end());
    await deposit(3);
    await store.run('sequencer');
    const [sent, stop] = [[] as (string | null)[], new AbortController()];
    /** The first connection breaks after the server has said how far it is. */
    const broken: typeof fetch = async (input, init) => {
      sent.push(new Headers(init?.headers).get('last-event-id'));
      if (sent.length > 1) stop.abort();
      const answer = await fetch(input, init);
      const reader = answer.body?.getReader();
      let text = '';
      while (!text.includes('still here')) text += new TextDecoder().decode((await reader?.read())?.value);
      return new Response(text);
    };
    const following = createClient({ url: store.url, key: store.secret, retryDelayMs: 1, fetch: broken });
    for await (const event of following.events.follow({ type: 'plan.*', after }, { signal: stop.signal }))
      expect.fail(event.type);
    expect(sent).toEqual([String(after), formatCursor(await store.tenant.lastEventCursor())]);
  });

  test('refuses what it does not understand, and whoever may not', async () => {
    expect(problemIn(await store.send('GET /events/stream?tpye=x')).code).toBe('FIELD_UNKNOWN');
    expect(problemIn(await store.send('GET /events/stream?resource_id=7')).code).toBe('ID_INVALID');
    expect(problemIn(await store.send('POST /events/stream')).code).toBe('METHOD_NOT_ALLOWED');
    const headers = { 'last-event-id': 'yesterday' };
    expect(problemIn(await store.send('GET /events/stream', { headers })).param).toBe('Last-Event-ID');
    expect(problemIn(await store.send('GET /events/stream', { secret: null })).code).toBe('AUTH_REQUIRED');
    const { secret } = await store.tenant.createApiKey({ name: 'till', scopes: ['payments:write'] });
    const refused = take(client(store.url, secret).events.follow(), 1).catch((error: unknown) => error);
    expect(await refused).toBeInstanceOf(UsanceProblem);
  });

  test('is open so many times and no more; who leaves makes room', async () => {
    const readers: Response[] = [];
    for (let answer = await raw(); answer.status === 200; answer = await raw()) readers.push(answer);
    // Those of the tests before may not have left yet.
    expect(readers.length).toBeLessThanOrEqual(3);
    expect(problemIn(await store.send('GET /events/stream')).code).toBe('SERVICE_UNAVAILABLE');
    await readers[0]?.body?.cancel();
    const after = Number(await end());
    await deposit(1);
    await store.run('sequencer');
    // Asks again until there is room.
    expect(await take(client().events.follow({ after }), 1)).toHaveLength(1);
  });

  test('ends when the server stops, and the client goes on with the next one, missing nothing', async () => {
    const options = { host: '127.0.0.1', stream: { pollMs: 10 } };
    const first = createApi(store.usance, { ...options, port: 0 });
    const { url } = await first.listen();
    const after = Number(await end());
    // A server that stops also tells who came to it.
    const type = 'transfer.posted';
    const seen: Event[] = [];
    const some = Promise.withResolvers<void>();
    const reading = (async () => {
      for await (const event of client(url).events.follow({ after, type })) {
        if (seen.push(event) === 5) some.resolve();
        if (seen.length === 10) break;
      }
    })();
    await deposit(5);
    await store.run('sequencer');
    await some.promise;
    await first.close();
    await deposit(5);
    await store.run('sequencer');
    const second = createApi(store.usance, { ...options, port: Number(new URL(url).port) });
    await second.listen();
    onTestFinished(() => second.close());
    await reading;
    const listed = (await store.send(`GET /events?after=${after}&type=${type}&limit=100`)).list('data') as Event[];
    expect(seen).toEqual(fromWire(listed));
  });

  test('ends its loop when the signal aborts', async () => {
    const stop = new AbortController();
    const after = Number(await end());
    const events: Event[] = [];
    const reading = (async () => {
      for await (const event of client().events.follow({ after }, { signal: stop.signal })) events.push(event);
    })();
    stop.abort();
    await reading;
    expect(events).toEqual([]);
  });

  test('ends when its key is revoked, within the five seconds of every other request', async () => {
    const { key: own, secret } = await store.tenant.createApiKey({ name: 'follower', role: 'viewer' });
    const after = await end();
    const following = take(client(store.url, secret).events.follow({ after: Number(after) }), 2);
    following.catch(() => undefined);
    const answer = await raw({ authorization: `Bearer ${secret}`, 'last-event-id': String(after) });
    expect(answer.status).toBe(200);
    await store.tenant.revokeApiKey(own.id);
    const start = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => start + 5_000);
    onTestFinished(() => clock.mockRestore());
    // Reads to the end: there is one.
    expect(await answer.text()).not.toContain('data:');
    await expect(following).rejects.toMatchObject({ code: 'AUTH_INVALID' });
  });

  test('closes the connection of a client that stops reading, without waiting for it', async () => {
    const stream = { pollMs: 10, patienceMs: 100, most: 1 };
    const api = createApi(store.usance, { host: '127.0.0.1', port: 0, stream });
    const { url } = await api.listen();
    onTestFinished(() => api.close());
    const after = await end();
    // More than the buffers of two sockets hold.
    const large = {
      tenantId: store.tenant.id,
      type: 'account.updated' as const,
      resource: 'account',
      resourceId: newId(),
      data: { old: NONE, new: NONE, reason: 'x'.repeat(100_000), changed: [] },
      actor: 'test',
      occurredAt: new Date(),
    };
    await store.db.transaction((tx) =>
      appendEvents(
        tx,
        Array.from({ length: 200 }, () => large),
      ),
    );
    await store.run('sequencer');

    const idle = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void idle.destroy());
    idle.on('error', () => undefined);
    idle.write(
      `GET /v1/events/stream?after=${after} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${store.secret}\r\n\r\n`,
    );
    await once(idle, 'readable');
    expect(String(idle.read(12))).toBe('HTTP/1.1 200');
    // There is one place here, and it is free again although the reader is still there.
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    const headers = { authorization: `Bearer ${store.secret}` };
    const place = () => fetch(`${url}/v1/events/stream?after=${after}`, { headers, signal: leave.signal });
    await expect.poll(async () => (await place()).status, { timeout: 30_000 }).toBe(200);
    // It was cut off: what comes of the rest is what was on the way, and no end.
    let heard = '';
    idle.on('data', (chunk: Buffer) => (heard = heard.slice(-10) + chunk.toString('latin1')));
    if (!idle.closed) await once(idle, 'close');
    expect(heard.endsWith('0\r\n\r\n')).toBe(false);
  });
});
