import { describe, expect, test } from 'vitest';
import { actionOf, pageOfAudit } from '../../src/audit/index.ts';
import { freshKey, useApi } from '../api/api.ts';
import { AUDIT_LOG_SCAN } from '../../src/events/index.ts';
import { open } from '../support/books.ts';

const REQUEST = { 'user-agent': 'till/7', 'x-request-id': 'till-42' };

describe('the audit log', () => {
  const store = useApi();
  const actionsOf = (answer: { list(path: string): unknown[] }): unknown[] =>
    answer.list('data').map((event) => (event as { action: string }).action);

  test('names the key, the address, the program and the request, for a payment as for a pause', async () => {
    await open(store.tenant, { alice: 1_000, bob: 0 });
    const body = { from: 'alice', to: 'bob', amount: 10, asset: 'USD', delay: 0 };
    const hold = await store.send('POST /holds', { body, headers: REQUEST });
    expect(hold.status).toBe(201);
    const pause = await store.send('POST /pauses', {
      body: { scope: 'asset', value: 'USD', reason: 'odd' },
      headers: REQUEST,
    });
    expect(pause.status).toBe(201);
    // Pausing what is paused changes nothing, and is not told.
    await store.send('POST /pauses', { body: { scope: 'asset', value: 'USD/2', reason: 'odd' }, headers: REQUEST });
    await store.send(`DELETE /pauses/${pause.word('id')}`);
    const found = await store.send('GET /audit-events?request_id=till-42');
    const origin = { actor: expect.stringMatching(/^key_/), ip: '127.0.0.1', user_agent: 'till/7' };
    expect(found.list('data')).toMatchObject([
      { ...origin, action: 'PAUSE_CREATED', details: { scope: 'asset', value: 'USD/2', reason: 'odd' } },
      { ...origin, action: 'PAYMENT_CREATED', resource_id: hold.word('id'), details: { new: { amount: '10' } } },
    ]);
  });

  test('shows a settlement as PAYMENT_COMPLETED, done by the engine and from nowhere', async () => {
    await store.run('processor');
    const found = await store.send('GET /audit-events?action=PAYMENT_COMPLETED');
    expect(found.list('data')).toMatchObject([
      {
        action: 'PAYMENT_COMPLETED',
        actor: 'system',
        resource: 'payment',
        ip: null,
        user_agent: null,
        request_id: null,
      },
    ]);
    const id = found.word('data.0.resource_id');
    expect(actionsOf(await store.send(`GET /audit-events?resource_id=${id}`))).toEqual([
      'PAYMENT_COMPLETED',
      'PAYMENT_CREATED',
    ]);
  });

  test('shows its link in the chain, once it is sealed', async () => {
    expect((await store.send('GET /audit-events?limit=1')).get('data.0.seal')).toBeNull();
    await store.run('sequencer');
    const { data } = (await store.send('GET /audit-events?limit=2')).body as { data: { seal: { seq: number } }[] };
    expect(data[0]?.seal).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(data[0]?.seal.seq).toBe((data[1]?.seal.seq ?? 0) + 1);
  });

  test('is filtered by actor, action, resource and time', async () => {
    const jo = await store.usance.tenant('shop', { actor: 'jo' });
    await jo.setExecutionCap(100);
    const between = String((await store.owner.query('select clock_timestamp() as now'))[0]?.['now']);
    await jo.setExecutionCap(null);
    await jo.setLimit({ asset: 'USD', maxAmount: 500 });
    await jo.setLimit({ asset: 'USD', maxAmount: null });
    const ask = (query: string) => store.send(`GET /audit-events?${query}`);
    expect(actionsOf(await ask('actor=jo'))).toEqual([
      'LIMIT_SET',
      'LIMIT_SET',
      'EXECUTION_CAP_SET',
      'EXECUTION_CAP_SET',
    ]);
    expect((await ask('actor=jo&action=LIMIT_SET')).list('data')).toMatchObject([
      { details: { asset: 'USD/2', old: { max_amount: '500' }, new: { max_amount: null } } },
      { details: { asset: 'USD/2', old: { max_amount: null }, new: { max_amount: '500' } } },
    ]);
    const since = encodeURIComponent(new Date(between).toISOString());
    expect((await ask(`actor=jo&resource=tenant&from=${since}`)).list('data')).toHaveLength(3);
    expect((await ask(`actor=jo&before=${since}`)).list('data')).toMatchObject([
      { details: { old: { executions_per_second: null }, new: { executions_per_second: 100 } } },
    ]);
    const key = await store.send('POST /api-keys', { body: { name: 'till', scopes: ['payments:write'] } });
    expect((await ask(`resource_id=${key.word('id')}`)).list('data')).toMatchObject([
      {
        action: 'API_KEY_CREATED',
        resource: 'api_key',
        details: { name: 'till', new: { scopes: ['payments:write'] } },
      },
    ]);
    const [{ actor }] = (await ask(`resource_id=${key.word('id')}`)).list('data') as [{ actor: string }];
    expect(actionsOf(await ask(`actor=${actor}&action=API_KEY_CREATED`))).toEqual(['API_KEY_CREATED']);
    expect((await ask('actor=nobody')).list('data')).toEqual([]);
  });

  test('goes on from page to page, each act on one of them', async () => {
    const whole = actionsOf(await store.send('GET /audit-events?limit=100'));
    expect(whole.length).toBeGreaterThan(6);
    expect(whole.at(-1)).toBe('TENANT_CREATED');
    const paged: unknown[] = [];
    for (let cursor = ''; ;) {
      const page = await store.send(`GET /audit-events?limit=3${cursor}`);
      paged.push(...actionsOf(page));
      if (page.get('next_cursor') === null) break;
      cursor = `&cursor=${page.word('next_cursor')}`;
    }
    expect(paged).toEqual(whole);
  });

  test('has what was done once, however often it was asked', async () => {
    const key = freshKey();
    const body = { from: 'alice', to: 'bob', amount: 1, asset: 'USD' };
    const first = await store.send('POST /holds', { body, key });
    await store.send('POST /holds', { body, key });
    expect(actionsOf(await store.send(`GET /audit-events?resource_id=${first.word('id')}`))).toEqual([
      'PAYMENT_CREATED',
    ]);
  });

  test('names what was erased as the outside knows it', async () => {
    const id = (await store.send('GET /audit-events?action=LIMIT_SET&limit=1')).word('data.0.id');
    expect((await store.send(`POST /audit-events/${id}/erase`, { body: { reason: 'asked for' } })).status).toBe(200);
    const erasing = await store.send('GET /audit-events?action=AUDIT_EVENT_ERASED');
    expect(erasing.get('data.0.details')).toEqual({ events: [id], reason: 'asked for', login: 'usance_app' });
  });

  test('of one tenant is not seen by another', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    expect(await other.auditEvents()).toMatchObject([{ action: 'TENANT_CREATED', actor: 'library' }]);
  });

  test('is read in bounded scans: a page may be empty, and its cursor continues behind the scan', async () => {
    await (await store.usance.tenant('shop', { actor: 'kim' })).setExecutionCap(7);
    await store.owner.query(
      `insert into usance.events (tenant_id, id, type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt)
       select $1::uuid, usance.first_id_at(now() + n * interval '1 millisecond'), 'payment.settled', 1, 'payment', $1::uuid, '{}', 'system',
              now(), now(), $1::uuid
       from generate_series(1, ${AUDIT_LOG_SCAN}) n`,
      [store.tenant.id],
    );
    const empty = await store.send('GET /audit-events?actor=kim');
    expect(empty.list('data')).toEqual([]);
    const rest = await store.send(`GET /audit-events?actor=kim&cursor=${empty.word('next_cursor')}`);
    expect(actionsOf(rest)).toEqual(['EXECUTION_CAP_SET']);
    expect(rest.get('next_cursor')).toBeNull();
    // By the library as if there were no stretches, and what is looked up needs none.
    expect(await store.tenant.auditEvents({ actor: 'kim' })).toMatchObject([{ action: 'EXECUTION_CAP_SET' }]);
    const lookedUp = await store.tenant.auditPage({ actor: 'kim', resourceId: store.tenant.id });
    expect(lookedUp).toMatchObject({ events: [{ action: 'EXECUTION_CAP_SET' }], next: null });
  });

  test('has an event once, though another is appended during a scan', async () => {
    // Before the newest, the last of a stretch is kim's.
    const [newest] = await store.tenant.auditEvents({}, { limit: 1 });
    const add = `insert into usance.events (tenant_id, id, type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt)
      select tenant_id, overlay(id::text placing 'f' from 36)::uuid, type, version, resource, resource_id, data, actor, occurred_at,
             recorded_at, salt
      from usance.events where tenant_id = $1::uuid and id < $2::uuid order by id desc limit 1`;
    let statements = 0;
    const db = store.pool({
      async onStatement() {
        if ((statements += 1) === 2) await store.owner.query(add, [store.tenant.id, newest?.id ?? '']);
      },
    });
    const seen: unknown[] = [];
    let before = newest?.id ?? null;
    do {
      const page = await pageOfAudit(db, store.tenant.id, { actors: ['kim'] }, before === null ? {} : { before });
      seen.push(...page.events.map(({ action }) => action));
      before = page.next;
    } while (before !== null);
    expect(statements).toBeGreaterThan(1);
    expect(seen).toEqual(['EXECUTION_CAP_SET']);
  });
});

test('an action is the type of its event, in capitals', () => {
  expect(actionOf('api_key.created')).toBe('API_KEY_CREATED');
  expect(actionOf('payment.settled')).toBe('PAYMENT_COMPLETED');
});
