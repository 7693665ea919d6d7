// What the pages of the dashboard read: charts, what comes next, dead letters by cause, search, balances over time, the chain, settings.
import { beforeAll, describe, expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import type { DeadLettersDiscarded } from '../../src/client/index.ts';
import { createClient } from '../../src/client/index.ts';
import { open } from '../support/books.ts';
import { START, testTenant } from '../support/test-clock.ts';
import { freshKey, useApi } from './api.ts';
import { problemIn } from './problem.ts';

const store = useApi();
const USD = 'USD/2';
const pay = (change: object = {}) =>
  store.send('POST /payments', {
    body: { from: 'alice', to: 'bob', asset: USD, amount: '1000', delay: '0s', ...change },
  });
const settle = () => store.run('processor');

beforeAll(() => open(store.tenant, { alice: 1_000_000, bob: 0, poor: 0 }));

describe('the charts', () => {
  test('have every step of the period, and count what ended and what is behind', async () => {
    const before = await store.send('GET /overview/series?period=hour');
    expect(before.list('points')).toHaveLength(60);
    const last = (answer: typeof before): Record<string, unknown> =>
      (answer.list('points') as Record<string, unknown>[]).findLast(({ settled, failed, backlog }) =>
        [settled, failed, backlog].some((count) => count !== 0),
      ) ?? {};
    await pay();
    expect(last(await store.send('GET /overview/series?period=hour'))).toMatchObject({ settled: 0, backlog: 1 });
    await settle();
    const after = last(await store.send('GET /overview/series?period=hour'));
    expect(after).toMatchObject({ settled: 1, failed: 0, success_rate: 1, backlog: 0 });
    expect(after['late_longest']).toMatch(/^PT/);
    for (const [period, points, step] of [
      ['day', 96, 'PT900S'],
      ['week', 84, 'PT7200S'],
    ] as const) {
      const answer = await store.send(`GET /overview/series?period=${period}`);
      expect([answer.get('step'), answer.list('points').length, answer.get('counted_all')]).toEqual([
        step,
        points,
        true,
      ]);
    }
    expect(problemIn(await store.send('GET /overview/series?period=year')).code).toBe('FIELD_INVALID');
  });

  test('and what comes next say so if they count only the first 10,000 due payments', async () => {
    const tenant = await store.usance.createTenant({ name: 'many' });
    await tenant.createAsset(USD);
    await open(tenant, { alice: 0, bob: 0 });
    const { secret } = await tenant.createApiKey({ name: 'many', role: 'viewer' });
    const countedAll = async (path: string) => (await store.send(`GET ${path}`, { secret })).get('counted_all');
    const both = async () => [await countedAll('/overview/upcoming'), await countedAll('/overview/series?period=day')];
    const order = { from: 'alice', to: 'bob', asset: USD, amount: 1n, delay: '1h', funding: 'at_execution' } as const;
    expect(await both()).toEqual([true, true]);
    await tenant.createPayments(
      Array.from({ length: 10_000 }, () => order),
      { idempotencyKey: 'many' },
    );
    await store.owner.query(
      `update usance.payments set approval = 'awaited' where id = (select max(id::text)::uuid from usance.payments where tenant_id = $1::uuid)`,
      [tenant.id],
    );
    expect(await both()).toEqual([false, true]);
    await store.owner.query(`update usance.due set due_at = now() - interval '5 minutes' where tenant_id = $1::uuid`, [
      tenant.id,
    ]);
    expect(await both()).toEqual([true, false]);
  });

  test('show a backlog in the steps between the due instant and the settlement', async () => {
    const tenant = await store.usance.createTenant({ name: 'late' });
    await tenant.createAsset(USD);
    await open(tenant, { alice: 1_000, bob: 0 });
    const { id } = await tenant.createPayment({
      from: 'alice',
      to: 'bob',
      asset: USD,
      amount: 100n,
      delay: 0,
      idempotencyKey: 'late',
    });
    await store.owner.query(`update usance.due set due_at = now() - interval '5 minutes' where payment_id = $1::uuid`, [
      id,
    ]);
    await settle();
    const { points } = await tenant.series('hour');
    const behind = points.filter(({ backlog }) => backlog === 1).length;
    expect(behind).toBeGreaterThanOrEqual(4);
    expect(behind).toBeLessThanOrEqual(6);
    expect(points.at(-1)?.backlog).toBe(0);
  });
});

test('what comes next counts payments and runs of schedules for each hour, and names the first', async () => {
  const { word } = await pay({ delay: '90m', amount: '700' });
  const schedule = await store.send('POST /schedules', {
    body: { from: 'alice', to: 'bob', asset: USD, amount: '300', rule: { every_seconds: 7_200 }, zone: 'UTC' },
  });
  const answer = await store.send('GET /overview/upcoming?hours=24');
  expect(answer.list('hours')).toHaveLength(24);
  expect(answer.get('hours.1')).toMatchObject({ payments: 1 });
  expect(answer.list('next')).toContainEqual(
    expect.objectContaining({ kind: 'payment', id: word('id'), amount: '700', from_ref: 'alice', to_ref: 'bob' }),
  );
  if (schedule.status < 300) {
    const runs = (answer.list('hours') as { runs: number }[]).reduce((sum, hour) => sum + hour.runs, 0);
    expect(runs).toBeGreaterThanOrEqual(11);
  }
  expect(schedule.status, schedule.text).toBeLessThan(300);
});

describe('dead letters', () => {
  test('are grouped by cause with the money at stake, and are retried and discarded in parts', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const made = await pay({ from: 'poor', amount: '100', funding: 'at_execution', retry: { max_attempts: 1 } });
      ids.push(made.word('id'));
    }
    await settle();
    const groups = await store.send('GET /dead-letters/groups');
    expect(groups.list('data')).toMatchObject([
      { kind: 'payment', code: 'FUNDS_INSUFFICIENT', asset: USD, job: null, count: 5, amount: '500' },
    ]);
    expect(groups.word('data.0.detail')).toContain('1.00 USD is required');
    const filter = { code: 'FUNDS_INSUFFICIENT' };
    const retried = await store.send('POST /dead-letters/retry', { body: { filter, limit: 2, reason: 'a try' } });
    expect(retried.get('more')).toBe(true);
    expect([...retried.list('retried'), ...retried.list('refused')]).toHaveLength(2);
    await settle();
    const dry = await store.send('POST /dead-letters/discard', { body: { filter, reason: 'paid', dry_run: true } });
    expect(dry.status).toBe(200);
    const discarded = await store.send('POST /dead-letters/discard', { body: { filter, limit: 3, reason: 'paid' } });
    expect([discarded.list('discarded').length, discarded.get('more')]).toEqual([3, true]);
    const rest = await store.send('POST /dead-letters/discard', { body: { filter, reason: 'paid' } });
    expect([rest.list('discarded').length, rest.get('more')]).toEqual([2, false]);
    expect((await store.send('GET /dead-letters/groups')).list('data')).toEqual([]);
    expect((await store.send(`GET /payments/${ids[0]}`)).get('status')).toBe('failed');
    const viewer = (await store.tenant.createApiKey({ name: 'viewer', role: 'viewer' })).secret;
    const refused = await store.send('POST /dead-letters/discard', { secret: viewer, body: { filter, reason: 'x' } });
    expect(problemIn(refused).code).toBe('AUTH_SCOPE_MISSING');
  });

  test('behind more refused ones than a request takes are reached by the cursor, over HTTP and by the client', async () => {
    await open(store.tenant, { spent: 100 });
    const fail = (id: string) => store.send(`POST /payments/${id}/fail`, { body: { reason: 'given up' } });
    const failed = async (change: object): Promise<string> => {
      const id = (await pay({ amount: '100', delay: '1h', ...change })).word('id');
      await fail(id);
      return id;
    };
    const stuck = [await failed({ from: 'spent' }), await failed({ from: 'spent' }), await failed({ from: 'spent' })];
    await pay({ from: 'spent', amount: '100', delay: '1h' });
    const others = [await failed({}), await failed({})];
    const filter = { code: 'FAILED_BY_OPERATOR' };

    const body = { filter, limit: 2, reason: 'a try' };
    const first = await store.send('POST /dead-letters/retry', { body: { ...body, dry_run: true } });
    expect(first.list('result.refused')).toMatchObject(stuck.slice(0, 2).map((id) => ({ id })));
    const cursor = first.word('result.next_cursor');
    const key = freshKey();
    const second = await store.send('POST /dead-letters/retry', { body: { ...body, cursor }, key });
    expect(second.body).toMatchObject({ retried: [others[0]], refused: [{ id: stuck[2] }], more: true });
    const again = await store.send('POST /dead-letters/retry', { body: { ...body, cursor }, key });
    expect(again.body).toEqual(second.body);
    const other = await store.send('POST /dead-letters/retry', { body, key });
    expect(problemIn(other).code).toBe('IDEMPOTENCY_MISMATCH');

    const client = createClient({ url: store.url, key: store.secret });
    const last = await client.deadLetters.retryMany({ ...body, cursor: second.word('next_cursor') });
    expect(last).toEqual({ retried: [others[1]], refused: [], more: false, nextCursor: null });
    for (const id of others) await fail(id);

    const seen: string[] = [];
    let next: string | null = null;
    do {
      const part: DeadLettersDiscarded = await client.deadLetters.discardMany({
        ...body,
        ...(next === null ? {} : { cursor: next }),
      });
      seen.push(...part.discarded);
      next = part.nextCursor;
    } while (next !== null && seen.length < 9);
    expect(seen).toEqual([...stuck, ...others]);
    const wrong = await store.send('POST /dead-letters/retry', { body: { ...body, cursor: 'c' } });
    expect(problemIn(wrong).code).toBe('CURSOR_INVALID');
  });
});

describe('search', () => {
  const hits = async (q: string, secret = store.secret) =>
    (await store.send(`GET /search?q=${encodeURIComponent(q)}`, { secret })).list('data');

  test('finds a payment by id and reference, and an account by ref and id', async () => {
    const payment = await pay({ delay: '1h', reference: 'order-7/x' });
    const found = { kind: 'payment', id: payment.word('id'), title: '10.00 USD', detail: 'alice → bob, scheduled' };
    expect(await hits(payment.word('id'))).toEqual([{ ...found, matched: 'id' }]);
    expect(await hits(' order-7/x ')).toEqual([{ ...found, matched: 'reference' }]);
    const { id } = await store.tenant.account('alice');
    expect(await hits('alice')).toMatchObject([{ kind: 'account', id: toTypeId('account', id), matched: 'ref' }]);
    expect(await hits(id)).toMatchObject([{ kind: 'account', title: 'alice', matched: 'id' }]);
    expect(await hits(`'; drop table usance.payments; --`)).toEqual([]);
  });

  test('finds nothing of another tenant, and nothing that the key may not read', async () => {
    const other = await store.usance.createTenant({ name: 'elsewhere' });
    const { id } = await other.openAccount({ ref: 'hidden' });
    expect(await hits('hidden')).toEqual([]);
    expect(await hits(toTypeId('account', id))).toEqual([]);
    expect(await hits(id)).toEqual([]);
    const payment = await pay({ delay: '1h', reference: 'order-8' });
    const { secret } = await store.tenant.createApiKey({ name: 'operations', scopes: ['ops:read'] });
    for (const q of ['order-8', payment.word('id'), 'alice']) expect(await hits(q, secret)).toEqual([]);
    const { secret: payments } = await store.tenant.createApiKey({ name: 'p', scopes: ['ops:read', 'payments:read'] });
    expect(await hits('order-8', payments)).toHaveLength(1);
    expect(await hits('alice', payments)).toEqual([]);
  });
});

test('a balance over time ends with the balance of now, and follows deposits, reservations and captures', async () => {
  await open(store.tenant, { carol: 10_000 });
  const start = new Date(Date.now() - 60_000).toISOString();
  const hold = await store.send('POST /holds', {
    body: { from: 'carol', to: 'bob', asset: USD, amount: '4000', delay: '1h' },
  });
  await store.send(`POST /holds/${hold.word('id')}/capture`, { body: { amount: '1500' } });
  const answer = await store.send(`GET /accounts/carol/balance-history?asset=${USD}&from=${start}&points=4`);
  const points = answer.list('points');
  expect(points).toHaveLength(4);
  expect(points[0]).toMatchObject({ available: '0', reserved: '0', total: '0' });
  expect(points[3]).toMatchObject({ available: '6000', reserved: '2500', total: '8500' });
  await store.send(`POST /holds/${hold.word('id')}/cancel`, { body: {} });
  const later = await store.send(`GET /accounts/carol/balance-history?points=2&from=${start}&asset=${USD}`);
  expect(later.get('points.1')).toMatchObject({ available: '8500', reserved: '0', total: '8500' });
  const wrong = await store.send(
    `GET /accounts/carol/balance-history?asset=${USD}&from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z`,
  );
  expect(problemIn(wrong).code).toBe('FIELD_INVALID');
});

test('the chain ends with the newest sealed event, and the settings are those of the tenant', async () => {
  await store.run('sequencer');
  const chain = await store.send('GET /audit-events/chain');
  expect(chain.get('hash')).toMatch(/^[0-9a-f]{64}$/);
  expect(chain.get('unsealed')).toBe(0);
  expect(BigInt(chain.word('seq'))).toBe(await store.tenant.lastEventSeq());
  const settings = await store.send('GET /settings');
  expect(settings.body).toMatchObject({
    tenant: { id: toTypeId('tenant', store.tenant.id), kind: 'live' },
    test_clock: null,
    follows_real_time: true,
    approval_within: 'PT604800S',
    database: expect.stringMatching(/^\d+/),
  });
  expect(Math.abs(Date.parse(settings.word('now')) - Date.now())).toBeLessThan(60_000);
});

test('the settings of a test tenant have the time of its clock, also after that was deleted', async () => {
  const { tenant, clock } = await testTenant(store.usance);
  const { secret } = await tenant.createApiKey({ name: 'test', role: 'viewer' });
  const settings = async (): Promise<unknown> => (await store.send('GET /settings', { secret })).body;
  expect(await settings()).toMatchObject({
    test_clock: toTypeId('testClock', clock),
    now: START,
    follows_real_time: false,
  });
  await tenant.deleteTestClock(clock);
  expect(await settings()).toMatchObject({ test_clock: null, now: START, follows_real_time: false });
  const without = await store.usance.createTenant({ name: 'without-clock', kind: 'test' });
  const other = (await without.createApiKey({ name: 'test', role: 'viewer' })).secret;
  expect((await store.send('GET /settings', { secret: other })).body).toMatchObject({ follows_real_time: true });
});

test('the overview has the light of the books, and what is due for each asset', async () => {
  const answer = await store.send('GET /overview');
  expect(['ok', 'unknown']).toContain(answer.get('integrity.state'));
  expect(answer.get('due.amounts')).toEqual([]);
  await pay({ amount: '250' });
  expect((await store.send('GET /overview')).get('due.amounts')).toEqual([{ asset: USD, count: 1, amount: '250' }]);
  await settle();
});
