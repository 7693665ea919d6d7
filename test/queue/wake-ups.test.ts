// Wake-ups between processes, on a real server: here each engine stands for a process. Loops and streams poll once a minute, so that what
// is there within seconds was not found by a poll.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ApiOptions } from '../../src/api/index.ts';
import { createApi } from '../../src/api/index.ts';
import { createClient } from '../../src/client/index.ts';
import { createPool } from '../../src/db/index.ts';
import type { Engine, EngineOptions } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { createUsance } from '../../src/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { libraryOf } from '../../src/library/usance.ts';
import {
  WAKE_UPS,
  channelOf,
  createWakeUps,
  listenerName,
  noteDueSoon,
  readWakeUpNote,
} from '../../src/queue/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { addJob } from '../support/jobs.ts';
import { valueOf } from '../support/prometheus.ts';
import { startProxy } from '../support/proxy.ts';
import { endSessions } from '../support/sessions.ts';

const POLL_MS = 60_000;
const SOON = { timeout: 5_000, interval: 5 };

const store = useUsance();
beforeAll(() => open(store.tenant, { alice: 1_000_000, bob: 0 }));

/** Another process. */
async function start(loops: readonly string[], options: EngineOptions = {}): Promise<Engine> {
  const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, pollMs: POLL_MS, ...options });
  const end = engine.close;
  let ended: Promise<void> | null = null;
  onTestFinished(() => engine.close());
  engine.start(loops);
  return Object.assign(engine, { close: () => (ended ??= end()) });
}

/** A process whose wake-ups arrive. */
async function startListening(loops: readonly string[], options: EngineOptions = {}): Promise<Engine> {
  const engine = await start(loops, options);
  await expect.poll(() => engine.wakeUps.isListening, SOON).toBe(true);
  return engine;
}

const deposit = (account = 'alice', amount = 1) =>
  store.tenant.deposit({ account, asset: 'USD', amount, idempotencyKey: key() });
const pay = (more: object = {}) =>
  store.tenant.createPayment({ from: 'alice', to: 'bob', asset: 'USD', amount: 1, idempotencyKey: key(), ...more });
const statusOf = async (id: string): Promise<string | undefined> => (await store.tenant.payment(id)).status;

/** Sessions of the database that listen. */
async function listeners(): Promise<number[]> {
  const rows = await store.owner.query(
    'select pid from pg_stat_activity where datname = current_database() and application_name = $1::text',
    [listenerName('usance')],
  );
  return rows.map((row) => Number(row['pid']));
}

/** Hears the notifications of every process. */
async function hear(): Promise<string[]> {
  const heard: string[] = [];
  const client = new pg.Client(store.runtimeUrl);
  await client.connect();
  onTestFinished(() => client.end());
  client.on('notification', ({ channel, payload }) => heard.push(channel + (payload ?? '')));
  for (const kind of WAKE_UPS) await client.query(`listen ${channelOf('usance', kind)}`);
  return heard;
}

describe('an event', () => {
  /** The types of the events that a process streams, as they arrive. */
  async function stream(options: Partial<ApiOptions> = {}): Promise<string[]> {
    const engine = await start([]);
    const api = createApi(engine, { host: '127.0.0.1', port: 0, stream: { pollMs: POLL_MS }, ...options });
    const { url } = await api.listen();
    const { secret } = await store.tenant.createApiKey({ name: key(), role: 'admin' });
    const seen: string[] = [];
    const leave = new AbortController();
    onTestFinished(async () => {
      leave.abort();
      await api.close();
    });
    const client = createClient({ url, key: secret });
    const after = Number(await store.tenant.lastEventSeq());
    void (async () => {
      for await (const event of client.events.follow({ after }, { signal: leave.signal })) seen.push(event.type);
    })().catch(() => undefined);
    await expect.poll(() => engine.wakeUps.isListening, SOON).toBe(true);
    return seen;
  }

  test('that one process appends, and another orders, is streamed by a third within moments', async () => {
    await startListening(['sequencer']);
    const seen = await stream();
    await deposit();
    await expect.poll(() => seen, SOON).toContain('transfer.posted');
  });

  test('is streamed after the connections of the listeners were ended', async () => {
    const sequencer = await startListening(['sequencer']);
    const seen = await stream();
    await endSessions(store.owner, await listeners());
    await deposit();
    await expect.poll(() => seen, SOON).toContain('transfer.posted');
    await expect.poll(() => sequencer.wakeUps.isListening, SOON).toBe(true);
    const before = seen.length;
    await deposit();
    await expect.poll(() => seen.length, SOON).toBeGreaterThan(before);
  });

  test('is matched with a job within moments, and workers and followers of every process hear of it', async () => {
    await startListening(['sequencer', 'matcher']);
    const heard = await hear();
    const { id } = await addJob(store.owner, store.tenant, { eventPattern: 'transfer.posted' });
    await deposit();
    await expect.poll(async () => (await store.tenant.executions({ jobId: id })).executions, SOON).toHaveLength(1);
    for (const kind of ['events_ordered', 'executions_due'] as const)
      await expect.poll(() => heard, SOON).toContain(channelOf('usance', kind));
    await store.tenant.deleteJob(id);
  });

  test('is found by the poll if no wake-up arrives', async () => {
    const sequencer = await start(['sequencer'], { listenUrl: 'none', pollMs: 20 });
    const usance = await createUsance({ databaseUrl: store.runtimeUrl, migrate: false, listenUrl: 'none' });
    onTestFinished(() => usance.close());
    const shop = await usance.tenant('shop');
    const after = Number(await store.tenant.lastEventSeq());
    await deposit();
    for await (const event of shop.events.follow({ after })) {
      expect(event.type).toBeDefined();
      break;
    }
    expect(sequencer.wakeUps.isListening).toBe(false);
    expect(await listeners()).toEqual([]);
  });

  test('reaches a caller of the library that follows events in the process that appends and orders them', async () => {
    const options = { databaseUrl: store.runtimeUrl, migrate: false, listenUrl: 'none', pollMs: POLL_MS };
    const usance = libraryOf(await createEngine(options));
    onTestFinished(() => usance.close());
    usance.start(['sequencer']);
    const shop = await usance.tenant('shop');
    const after = Number(await store.tenant.lastEventSeq());
    await shop.accounts.deposit('alice', { asset: 'USD', amount: '1' }, { idempotencyKey: key() });
    for await (const event of shop.events.follow(
      { after, type: 'transfer.*' },
      { signal: AbortSignal.timeout(5_000) },
    )) {
      expect(event.type).toBe('transfer.posted');
      return;
    }
    expect.unreachable('the event was not ordered in time');
  });
});

describe('a processor that sleeps for a minute', () => {
  test('settles at once what another process makes due', async () => {
    const { id: later } = await pay({ delay: '1h' });
    const { id: unfunded } = await pay({ from: 'bob', to: 'alice', amount: 900_000, funding: 'at_execution' });
    await startListening(['processor']);
    await expect.poll(() => store.tenant.payment(unfunded).then((payment) => payment.attempts), SOON).toBe(1);

    const { id: now } = await pay();
    await expect.poll(() => statusOf(now), SOON).toBe('settled');
    const { id: soon } = await pay({ executeAt: new Date(Date.now() + 300) });
    await expect.poll(() => statusOf(soon), SOON).toBe('settled');
    await store.tenant.runPaymentNow(later);
    await expect.poll(() => statusOf(later), SOON).toBe('settled');
    await deposit('bob', 900_000);
    await expect.poll(() => statusOf(unfunded), SOON).toBe('settled');
  });

  test('settles at once the first payment of a tenant that it has never seen', async () => {
    await startListening(['processor']);
    const shop = await store.usance.createTenant({ name: 'new' });
    await shop.createAsset('USD/2');
    await open(shop, { alice: 100, bob: 0 });
    const { id } = await shop.createPayment({
      from: 'alice',
      to: 'bob',
      asset: 'USD',
      amount: 1,
      idempotencyKey: key(),
    });
    await expect.poll(async () => (await shop.payment(id)).status, SOON).toBe('settled');
  });

  test('settles at once what a scheduler that sleeps for a minute makes', async () => {
    await startListening(['scheduler']);
    await startListening(['processor']);
    // Its first slot is the next full second, not less than 0.4 s ahead.
    while (Date.now() % 1_000 > 600) await pause(10);
    const start = new Date(Math.ceil(Date.now() / 1_000) * 1_000).toISOString().slice(0, 19);
    await store.tenant.createSchedule({
      from: 'alice',
      to: 'bob',
      asset: 'USD',
      amount: 7,
      rule: { everySeconds: 3_600 },
      start,
      idempotencyKey: key(),
    });
    const settled = async (): Promise<number> =>
      (await store.owner.query(`select 1 from usance.payments where amount = 7 and status = 'settled'`)).length;
    await expect.poll(settled, SOON).toBe(1);
  });
});

test('rows that are due before their loop looks raise a wake-up, and those of test clocks do not', async () => {
  const raised: string[] = [];
  const db = createPool({ url: store.runtimeUrl, onNotes: (notes) => raised.push(...notes.keys()) });
  onTestFinished(() => db.close());
  const inMs = (ms: number, clockId: string | null = null) => ({ clockId, dueAt: new Date(Date.now() + ms) });
  const raises = async (rows: Parameters<typeof noteDueSoon>[2]): Promise<boolean> => {
    raised.length = 0;
    await db.transaction(async (tx) => noteDueSoon(tx, 'payments_due', rows));
    return raised.some((name) => readWakeUpNote(name) === 'payments_due');
  };
  expect(await raises([inMs(3_600_000), inMs(-3_600_000)])).toBe(true);
  expect(await raises([inMs(300)])).toBe(true);
  expect(await raises([inMs(60_000)])).toBe(false);
  expect(await raises([inMs(-1_000, newId())])).toBe(false);
  expect(await raises([])).toBe(false);
});

describe('notifications', () => {
  test('are at most 20 a second, whatever a process commits', async () => {
    const engine = await start([]);
    const heard = await hear();
    const startedMs = performance.now();
    const commit = () => engine.db.transaction(async (tx) => tx.note('test.done', 1));
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let n = 0; n < 1_000; n += 1) await commit();
      }),
    );
    const seconds = (performance.now() - startedMs) / 1_000;
    await engine.close();
    await expect.poll(() => heard.length).toBeGreaterThan(1);
    expect(new Set(heard)).toEqual(new Set(['usance_events_appended']));
    // The first and the last one are outside of the intervals of 50 ms.
    expect(heard.length).toBeLessThanOrEqual(Math.ceil(seconds * 20) + 2);
  });

  test('are never sent within a transaction of work', async () => {
    const open = new Set<number>();
    const sent: boolean[] = [];
    const proxy = await startProxy(store.runtimeUrl, {
      onStatement(text, connection) {
        if (/^begin\b/.test(text)) open.add(connection);
        if (/^(commit|rollback)$/.test(text)) open.delete(connection);
        if (/\bnotify\b|pg_notify/i.test(text)) sent.push(open.has(connection));
      },
    });
    onTestFinished(() => proxy.close());
    const engine = await createEngine({ databaseUrl: proxy.url, migrate: false, poolSize: 3 });
    const shop = await engine.tenant('shop');
    const order = { from: 'alice', to: 'bob', asset: 'USD', amount: 1 };
    await Promise.all(Array.from({ length: 30 }, () => shop.createPayment({ ...order, idempotencyKey: key() })));
    await engine.close();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent).not.toContain(true);
  });

  test('are not sent by what is rolled back, nor before a caller has committed', async () => {
    const engine = await start([]);
    const heard = await hear();
    const undone = engine.db.transaction((tx) => {
      tx.note('test.done', 1);
      return Promise.reject(new Error('changed my mind'));
    });
    await expect(undone).rejects.toThrow('changed my mind');
    const client = new pg.Client(store.runtimeUrl);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    const shop = (await engine.tenant('shop')).within(client);
    await shop.deposit({ account: 'alice', asset: 'USD', amount: 1, idempotencyKey: key() });
    await client.query('commit');
    // Sends what waits.
    await engine.close();
    await client.query('select 1');
    expect(heard).toEqual([]);
  });

  test('are not sent for a loop that runs in the same process', async () => {
    const engine = await start(['sequencer', 'processor'], { listenUrl: 'none' });
    const heard = await hear();
    const shop = await engine.tenant('shop');
    const order = { from: 'alice', to: 'bob', asset: 'USD', amount: 1, idempotencyKey: key() };
    const { id } = await shop.createPayment(order);
    await expect.poll(() => statusOf(id), SOON).toBe('settled');
    await expect.poll(() => heard, SOON).toContain('usance_events_ordered');
    await engine.close();
    expect(new Set(heard)).toEqual(new Set(['usance_events_ordered']));
  });

  test('are counted, sent and received', async () => {
    const engine = await startListening(['processor']);
    await pay();
    const count = async (of: Engine, name: string): Promise<number | undefined> =>
      valueOf(await of.monitoring.metrics(), name, { kind: 'payments_due' });
    await expect.poll(() => count(engine, 'usance_wakeups_received_total'), SOON).toBeGreaterThan(0);
    expect(await count(store.usance, 'usance_wakeups_sent_total')).toBeGreaterThan(0);
    expect(valueOf(await engine.monitoring.metrics(), 'usance_wakeup_listener_up', {})).toBe(1);
    expect(valueOf(await store.usance.monitoring.metrics(), 'usance_wakeup_listener_up', {})).toBe(0);
  });

  test('of two schemas in one database do not meet, however long their names are', () => {
    const long = 'a'.repeat(62);
    const channels = [long, `${long}b`, 'usance', 'other'].flatMap((schema) =>
      WAKE_UPS.map((kind) => channelOf(schema, kind)),
    );
    expect(new Set(channels).size).toBe(channels.length);
    expect(Math.max(...channels.map((channel) => channel.length))).toBeLessThanOrEqual(63);
    expect(channelOf('usance', 'payments_due')).toBe('usance_payments_due');
  });
});

describe('the listening connection', () => {
  const timing = { heartbeatMs: 20, answerMs: 100, probeMs: 200, firstPauseMs: 10 };

  test('is not opened while nothing waits, and closed with the engine', async () => {
    const engine = await start([]);
    await engine.tenants();
    expect(await listeners()).toEqual([]);
    engine.start(['processor']);
    await expect.poll(listeners, SOON).toHaveLength(1);
    await engine.close();
    await expect.poll(listeners, SOON).toEqual([]);
  });

  test('has no transaction open', async () => {
    await startListening(['processor', 'sequencer']);
    const rows = await store.owner.query(
      `select state, xact_start, backend_xmin from pg_stat_activity where pid = any ($1::int[])`,
      [await listeners()],
    );
    expect(rows).toEqual([{ state: 'idle', xact_start: null, backend_xmin: null }]);
  });

  test('that no longer answers is replaced', async () => {
    const proxy = await startProxy(store.runtimeUrl);
    onTestFinished(() => proxy.close());
    const wakeUps = createWakeUps({ listenUrl: proxy.url, timing });
    onTestFinished(() => wakeUps.close());
    wakeUps.connect({ db: store.db, url: store.runtimeUrl });
    const follower = wakeUps.follow('events_ordered');
    await expect.poll(() => wakeUps.isListening, SOON).toBe(true);
    const before = proxy.connections;
    proxy.freeze();
    await expect.poll(() => proxy.connections, SOON).toBeGreaterThan(before);
    await expect.poll(() => wakeUps.isListening, SOON).toBe(true);
    const woken = follower.wait(POLL_MS, AbortSignal.timeout(5_000));
    await store.db.notify([channelOf('usance', 'events_ordered')]);
    await woken;
  });

  test('over which nothing arrives is given up, with a notice', async () => {
    const notices: string[] = [];
    const listenUrl = Object.assign(new URL(store.runtimeUrl), { pathname: '/postgres' }).href;
    const wakeUps = createWakeUps({ listenUrl, timing, onNotice: (line) => notices.push(line) });
    onTestFinished(() => wakeUps.close());
    wakeUps.connect({ db: store.db, url: store.runtimeUrl });
    wakeUps.follow('events_ordered');
    await expect.poll(() => notices, SOON).toEqual([expect.stringContaining('do not arrive over USANCE_LISTEN_URL')]);
    expect(wakeUps.isListening).toBe(false);
  });

  test('to a server that is away is tried again, with one notice, and does not delay the end', async () => {
    const notices: string[] = [];
    const proxy = await startProxy(store.runtimeUrl);
    await proxy.close();
    const wakeUps = createWakeUps({ listenUrl: proxy.url, timing, onNotice: (line) => notices.push(line) });
    wakeUps.connect({ db: store.db, url: store.runtimeUrl });
    const follower = wakeUps.follow('events_ordered');
    await expect.poll(() => notices, SOON).toHaveLength(1);
    await follower.wait(100);
    expect(notices).toEqual([expect.stringMatching(/wake-ups was lost, loops poll: .*ECONNREFUSED/)]);
    await wakeUps.close();
  });
});
