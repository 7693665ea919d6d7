// Filters of lists: by creation, metadata and several statuses, the same over HTTP, in the client and in the library.
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TenantVerbs } from '../../src/engine.ts';
import { PAYMENT_STRETCH } from '../../src/payments/list-store.ts';
import { AUDIENCE, ISSUER, claimsOf, pair, token } from '../access/tokens.ts';
import { key, open } from '../support/books.ts';
import { at } from './api.ts';
import { problemIn } from './problem.ts';
import { all, useSurfaces } from './surfaces.ts';

const surfaces = useSurfaces();
const { store } = surfaces;
const BASE = { from: 'ann', to: 'ben', asset: 'USD/2', amount: '10', delay: '1h' };

beforeAll(() => open(store.tenant, { ann: 100_000, ben: 100_000, cem: 0 }));

const idsIn = async (request: string): Promise<unknown[]> => {
  const answer = await store.send(request);
  expect(answer.status, answer.text).toBe(200);
  return answer.list('data').map((item) => at(item, 'id'));
};
const made = async (path: string, body: object): Promise<{ id: string; createdAt: string }> => {
  const answer = await store.send(`POST ${path}`, { body });
  expect(answer.status, answer.text).toBe(201);
  return { id: answer.word('id'), createdAt: answer.word('created_at') };
};
/** Ids are made by a process, created_at by the database: the next millisecond at the earliest. */
const later = async (): Promise<void> => {
  await store.owner.query('select pg_sleep(0.002)');
};

describe('payments', () => {
  const payments: { id: string; createdAt: string }[] = [];
  beforeAll(async () => {
    for (const order of ['A-1', 'A-2', 'A-3']) {
      payments.push(await made('/payments', { ...BASE, metadata: { order, shop: 'x', n: 7, deep: { a: 1 } } }));
      await later();
    }
    await store.send(`POST /payments/${payments[0]?.id}/cancel`);
    await store.send(`POST /payments/${payments[1]?.id}/fail`, { body: { reason: 'never shipped' } });
  });
  const ids = (...which: number[]): unknown[] => which.map((index) => payments[index]?.id);

  test('are found by several statuses, separated by commas or repeated', async () => {
    expect(await idsIn('GET /payments?status=cancelled,failed')).toEqual(ids(1, 0));
    expect(await idsIn('GET /payments?status=cancelled&status=failed')).toEqual(ids(1, 0));
    expect(await idsIn('GET /payments?status=scheduled')).toEqual(ids(2));
    expect(await idsIn('GET /payments?status=scheduled,failed&account=ann')).toEqual(ids(2, 1));
    // A hold's status also in the product document's words.
    expect(await idsIn('GET /holds?status=PENDING,FAILED')).toEqual(ids(2, 1));
    for (const source of [surfaces.client, surfaces.library]) {
      const status = ['cancelled', 'failed'] as const;
      expect((await all(source.payments.list({ status }))).map(({ id }) => id)).toEqual(ids(1, 0));
      expect((await all(source.payments.list({ status: 'cancelled' }))).map(({ id }) => id)).toEqual(ids(0));
    }
    for (const status of ['settled,gone', '', 'settled,,failed'])
      expect(problemIn(await store.send(`GET /payments?status=${status}`)), status).toMatchObject({
        code: 'FIELD_INVALID',
        param: 'status',
      });
  });

  test('are found by when they were created', async () => {
    const [first, second, third] = payments.map(({ createdAt }) => createdAt);
    expect(await idsIn(`GET /payments?created_from=${second}`)).toEqual(ids(2, 1));
    expect(await idsIn(`GET /payments?created_before=${second}`)).toEqual(ids(0));
    expect(await idsIn(`GET /payments?created_from=${first}&created_before=${third}`)).toEqual(ids(1, 0));
    expect(await idsIn('GET /payments?created_before=1970-01-01T00:00:00Z')).toEqual([]);
    expect(await idsIn('GET /payments?created_from=9999-01-01T00:00:00Z')).toEqual([]);
    const range = { createdFrom: new Date(second ?? ''), createdBefore: third ?? '' };
    for (const source of [surfaces.client, surfaces.library])
      expect((await all(source.payments.list(range))).map(({ id }) => id)).toEqual(ids(1));
    for (const [name, at] of [
      ['created_from', '9999-12-31T00:00:01Z'],
      ['created_before', '1969-12-31T23:59:59Z'],
    ]) {
      const refused = await store.send(`GET /payments?${name}=${at}`);
      expect(problemIn(refused)).toMatchObject({ code: 'FIELD_INVALID', param: name });
      expect(refused.get('reason')).toBe('instant_out_of_range');
    }
    expect(problemIn(await store.send('GET /payments?created_from=yesterday'))).toMatchObject({
      code: 'DELAY_INVALID',
      param: 'created_from',
    });
  });

  test('are found by metadata: every pair, values that are not text by their JSON', async () => {
    expect(await idsIn('GET /payments?metadata[order]=A-2')).toEqual(ids(1));
    expect(await idsIn('GET /payments?metadata%5Border%5D=A-2')).toEqual(ids(1));
    expect(await idsIn('GET /payments?metadata[shop]=x&metadata[n]=7')).toEqual(ids(2, 1, 0));
    expect(await idsIn('GET /payments?metadata[shop]=x&metadata[order]=B')).toEqual([]);
    expect(await idsIn('GET /payments?metadata[missing]=')).toEqual([]);
    expect(await idsIn('GET /payments?metadata[shop]=x&status=failed&account=ben')).toEqual(ids(1));
    for (const source of [surfaces.client, surfaces.library])
      expect((await all(source.payments.list({ metadata: { order: 'A-3', shop: 'x' } }))).map(({ id }) => id)).toEqual(
        ids(2),
      );
    const six = [1, 2, 3, 4, 5, 6].map((n) => `metadata[k${n}]=v`).join('&');
    for (const query of [six, `metadata[k]=${'v'.repeat(501)}`, `metadata[${'k'.repeat(101)}]=v`, 'metadata=x'])
      expect(problemIn(await store.send(`GET /payments?${query}`)), query).toMatchObject({ code: 'FIELD_INVALID' });
    for (const query of ['metadata[k]=1&metadata[k]=2', 'meta[k]=1', 'metadata[]=1'])
      expect((await store.send(`GET /payments?${query}`)).status, query).toBe(400);
  });

  test('are not found by metadata that an end user does not see', async () => {
    const { signer, jwk } = pair('EdDSA');
    await store.tenant.createTokenIssuer({
      issuer: ISSUER,
      audience: AUDIENCE,
      algorithm: 'EdDSA',
      jwks: { keys: [jwk] },
    });
    const secret = token(signer, claimsOf('ann'));
    for (const path of ['payments', 'holds', 'subscriptions'])
      expect(problemIn(await store.send(`GET /${path}?metadata[order]=A-1`, { secret }))).toMatchObject({
        code: 'AUTH_FORBIDDEN',
        param: 'metadata',
      });
    expect((await store.send('GET /payments?status=cancelled,failed', { secret })).list('data')).toHaveLength(2);
    expect((await store.send('GET /accounts?status=suspended', { secret })).list('data')).toEqual([]);
    expect((await store.send('GET /accounts?status=suspended,active', { secret })).list('data')).toHaveLength(1);
  });

  test('are read a bounded number at a time, whatever the metadata', async () => {
    const [payment] = await store.tenant.payments({ metadata: { order: 'A-1' } });
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       insert into usance.payments select (jsonb_populate_record(p, jsonb_build_object('metadata', '{"order": "other"}'::jsonb, 'id',
         usance.first_id_at(now() + interval '1 day' + n * interval '1 millisecond')))).*
       from usance.payments p, generate_series(1, ${PAYMENT_STRETCH}) n where p.id = '${payment?.id}'; commit`,
    );
    const empty = await store.send('GET /payments?metadata[order]=A-1');
    expect(empty.list('data')).toEqual([]);
    expect(await idsIn(`GET /payments?metadata[order]=A-1&cursor=${empty.word('next_cursor')}`)).toEqual(ids(0));
    // Both the page and the end of its scan are read.
    const read = await rowsRead((tenant) => tenant.paymentsPage({ metadata: { order: 'none' } }));
    expect(read).toBeGreaterThan(PAYMENT_STRETCH);
    expect(read).toBeLessThan(6 * PAYMENT_STRETCH);
    // A range of creation is looked up by id: the copies, whose ids are newer by a day, are not read.
    const before = new Date(Date.now() + 60_000);
    expect(
      await rowsRead((tenant) => tenant.paymentsPage({ createdBefore: before, status: 'cancelled' })),
    ).toBeLessThan(100);
  });
});

/** Rows of tables and entries of indexes that the work reads. */
async function rowsRead(work: (tenant: TenantVerbs) => Promise<unknown>): Promise<number> {
  const client = new pg.Client(store.ownerUrl);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local max_parallel_workers_per_gather = 0');
    await work(store.tenant.within(client));
    const { rows } = await client.query<{ read: string }>(
      `select sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid)) as read
       from pg_class c where c.relnamespace = 'usance'::regnamespace`,
    );
    return Number(rows[0]?.read);
  } finally {
    await client.end();
  }
}

test('by a test clock, payments are found by the time of the clock', async () => {
  const tenant = await store.usance.createTenant({ name: 'past', kind: 'test' });
  await tenant.createTestClock({ name: 'past', now: '2030-01-01T00:00:00Z' });
  await tenant.createAsset('USD/2');
  await open(tenant, { ann: 1_000, ben: 0 });
  const { id } = await tenant.createPayment({ ...BASE, idempotencyKey: key() });
  const found = async (filter: object): Promise<string[]> => (await tenant.payments(filter)).map((each) => each.id);
  expect(await found({ createdFrom: '2029-12-31T00:00:00Z', createdBefore: '2030-01-02T00:00:00Z' })).toEqual([id]);
  expect(await found({ createdBefore: '2029-12-31T00:00:00Z' })).toEqual([]);
});

describe('schedules', () => {
  const RULE = { rule: { frequency: 'DAILY' }, zone: 'UTC' };
  test('are found by status, creation and metadata, and a page looks through a bounded number', async () => {
    const first = await made('/schedules', { ...BASE, delay: undefined, ...RULE, metadata: { team: 'a' } });
    await later();
    const second = await made('/schedules', { ...BASE, delay: undefined, ...RULE, metadata: { team: 'b' } });
    await store.send(`POST /schedules/${first.id}/pause`);
    expect(await idsIn('GET /schedules?status=paused,cancelled')).toEqual([first.id]);
    expect(await idsIn('GET /schedules?status=paused,active')).toEqual([second.id, first.id]);
    expect(await idsIn('GET /schedules?metadata[team]=a')).toEqual([first.id]);
    expect(await idsIn('GET /schedules?metadata[team]=a&account=ben')).toEqual([first.id]);
    expect(await idsIn(`GET /schedules?created_from=${second.createdAt}`)).toEqual([second.id]);
    expect(await idsIn(`GET /schedules?created_before=${second.createdAt}`)).toEqual([first.id]);
    for (const source of [surfaces.client, surfaces.library])
      expect((await all(source.schedules.list({ metadata: { team: 'b' } }))).map(({ id }) => id)).toEqual([second.id]);
    const [columns] = await store.owner.query(
      `select string_agg(case attname when 'id' then 'gen_random_uuid()' else 't.' || quote_ident(attname) end, ', ' order by attnum) as list
       from pg_attribute where attrelid = 'usance.schedules'::regclass and attnum > 0 and not attisdropped`,
    );
    const [paused] = await store.tenant.schedules({ status: 'paused' });
    await store.owner.query(
      `insert into usance.schedules select ${String(columns?.['list'])} from usance.schedules t, generate_series(1, 6000)
       where t.id = '${paused?.id}'`,
    );
    const page = await store.tenant.schedulesPage({ metadata: { team: 'nobody' } });
    expect(page).toMatchObject({ schedules: [], next: expect.any(String) });
    expect(await rowsRead((tenant) => tenant.schedulesPage({ metadata: { team: 'nobody' } }))).toBeLessThan(40_000);
    expect(await rowsRead((tenant) => tenant.schedulesPage({}, { limit: 5 }))).toBeLessThan(200);
    // A walk shows every one of them once.
    const ids = (await store.tenant.schedules({ account: 'ann', status: ['paused', 'active'] }, { limit: 10_000 })).map(
      ({ id }) => id,
    );
    expect(ids).toHaveLength(6_002);
    expect(new Set(ids).size).toBe(6_002);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });
});

test('subscriptions are found by status, creation and metadata', async () => {
  const plan = await made('/plans', {
    name: 'P',
    receiver: 'cem',
    asset: 'USD/2',
    price: '5',
    period: { frequency: 'MONTHLY' },
  });
  const first = await made('/subscriptions', { plan: plan.id, payer: 'ann', metadata: { seat: '1' } });
  await later();
  const second = await made('/subscriptions', { plan: plan.id, payer: 'ben', metadata: { seat: '2' } });
  await store.send(`POST /subscriptions/${first.id}/cancel`);
  expect(await idsIn('GET /subscriptions?status=cancelled,paused')).toEqual([first.id]);
  expect(await idsIn('GET /subscriptions?status=cancelled,active')).toEqual([second.id, first.id]);
  expect(await idsIn('GET /subscriptions?metadata[seat]=2')).toEqual([second.id]);
  expect(await idsIn(`GET /subscriptions?created_before=${second.createdAt}`)).toEqual([first.id]);
  expect(await idsIn(`GET /subscriptions?created_from=${second.createdAt}&plan=${plan.id}`)).toEqual([second.id]);
  for (const source of [surfaces.client, surfaces.library])
    expect((await all(source.subscriptions.list({ metadata: { seat: '1' } }))).map(({ id }) => id)).toEqual([first.id]);
});

test('accounts are found by status, kind and creation, and a page looks through a bounded number', async () => {
  const dan = await made('/accounts', { ref: 'dan', kind: 'merchant' });
  await later();
  const eve = await made('/accounts', { ref: 'eve' });
  await store.send('POST /accounts/eve/suspend', { body: { reason: 'asked for' } });
  expect(await idsIn('GET /accounts?kind=merchant')).toEqual([dan.id]);
  expect(await idsIn('GET /accounts?status=suspended,closed')).toEqual([eve.id]);
  expect(await idsIn(`GET /accounts?created_from=${dan.createdAt}`)).toEqual([dan.id, eve.id]);
  expect(await idsIn(`GET /accounts?created_from=${dan.createdAt}&created_before=${eve.createdAt}`)).toEqual([dan.id]);
  expect(await idsIn('GET /accounts?kind=user,merchant&status=active,suspended&limit=100')).toHaveLength(5);
  for (const source of [surfaces.client, surfaces.library])
    expect((await all(source.accounts.list({ status: ['suspended'], kind: 'user' }))).map(({ ref }) => ref)).toEqual([
      'eve',
    ]);
  await store.owner.query(
    `insert into usance.accounts (tenant_id, id, ref, kind, created_at, updated_at)
     select tenant_id, gen_random_uuid(), 'copy-' || n, 'user', created_at, created_at
     from usance.accounts, generate_series(1, 21000) n where ref = 'dan'`,
  );
  const page = await store.tenant.accountsPage({ kind: ['treasury'] });
  expect(page).toMatchObject({ accounts: [], next: expect.any(String) });
  expect(await rowsRead((tenant) => tenant.accountsPage({ kind: ['treasury'] }))).toBeLessThan(130_000);
  expect(await rowsRead((tenant) => tenant.accountsPage({ status: ['suspended'] }))).toBeLessThan(200);
  const walked = await all(surfaces.library.accounts.list({ kind: 'user', status: 'active', limit: 100 }));
  expect(walked).toHaveLength(21_003);
});
