// Own events in the store: in the order and the chain of all events, counted, erased, and gone with the transaction of their caller.
import { describe, expect, test } from 'vitest';
import { verifyChains } from '../../src/audit/index.ts';
import { showEvents } from '../../src/contract/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { ownResourceId } from '../../src/events/index.ts';
import { idInstant, toTypeId } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { orderAll } from '../support/order.ts';
import { refusalOf } from '../support/refusal.ts';

const POST = { type: 'posts.created', resource: 'post', resourceId: 'post-1', data: { title: 'Hello' } };
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...POST, resourceId: `post-${n}` }));

describe('own events', () => {
  const store = useUsance();
  const shown = async (tenant: TenantHandle, filter: object = { type: 'posts.*' }) => {
    await orderAll(store.db);
    return showEvents(tenant, await tenant.events(filter, { limit: 5_000 }));
  };

  test('of one call are one block, in the order given, between the events of usance', async () => {
    await store.tenant.pause('asset', 'USD', 'before');
    const appended = await store.tenant.appendEvents(many(1_000));
    await store.tenant.liftPause('asset', 'USD');
    const events = await shown(store.tenant, {});
    const first = events.findIndex(({ source }) => source === 'application');
    expect(events[first - 1]).toMatchObject({ type: 'pause.created', source: 'usance' });
    expect(events.slice(first, first + 1_000).map(({ resource_id }) => resource_id)).toEqual(
      many(1_000).map(({ resourceId }) => resourceId),
    );
    expect(events[first + 1_000]).toMatchObject({ type: 'pause.lifted' });
    expect(new Set(appended.map(({ id }) => id)).size).toBe(1_000);
    const blocks = await store.owner.query('select events from usance.event_blocks where events = 1000');
    expect(blocks).toHaveLength(1);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('have their version, their caller, and the id that the call returned', async () => {
    const { id } = await store.tenant.from({ ip: '192.0.2.1', userAgent: 'cms/1', requestId: 'r-1' }).appendEvent({
      ...POST,
      resourceId: 'versioned',
      version: 7,
    });
    const [event] = await store.tenant.auditEvents({ action: 'POSTS_CREATED' }, { limit: 1 });
    expect(event).toMatchObject({ id, actor: 'library', resource: 'post', ip: '192.0.2.1', userAgent: 'cms/1' });
    const filter = { resourceId: ownResourceId(store.tenant.id, 'post', 'versioned') };
    expect(await shown(store.tenant, filter)).toMatchObject([{ version: 7, resource_id: 'versioned' }]);
  });

  test('of another tenant are not seen, also with the same resource and id', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    await other.appendEvent({ ...POST, resourceId: 'shared', data: { of: 'other' } });
    await store.tenant.appendEvent({ ...POST, resourceId: 'shared', data: { of: 'shop' } });
    const of = async (tenant: TenantHandle, filter: object) => (await shown(tenant, filter)).map(({ data }) => data);
    const id = (tenant: TenantHandle) => ({ resourceId: ownResourceId(tenant.id, 'post', 'shared') });
    expect(await of(other, id(other))).toEqual([{ of: 'other' }]);
    expect(await of(store.tenant, id(store.tenant))).toEqual([{ of: 'shop' }]);
    expect(await of(store.tenant, id(other))).toEqual([]);
  });

  test('in a transaction of their caller are there if that commits, and not if it rolls back', async () => {
    const rolledBack = new Error('changed my mind');
    const within = (resourceId: string, end: () => void) =>
      store.owner
        .transaction(async (tx) => {
          const client = {
            query: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values as never) }),
          };
          await store.tenant.within(client).appendEvent({ ...POST, resourceId });
          end();
        })
        .catch((error: unknown) => {
          if (error !== rolledBack) throw error;
        });
    await within('kept', () => undefined);
    await within('gone', () => {
      throw rolledBack;
    });
    const ids = (await shown(store.tenant)).map(({ resource_id }) => resource_id);
    expect(ids).toContain('kept');
    expect(ids).not.toContain('gone');
  });

  test('happen at the time of a test clock', async () => {
    const lab = await store.usance.createTenant({ name: 'lab', kind: 'test' });
    expect(await refusalOf(lab.appendEvent(POST))).toBe('CLOCK_MISSING');
    const now = new Date('2031-05-06T07:08:09.000Z');
    await lab.createTestClock({ name: 'clock', now });
    const { id, occurredAt } = await lab.appendEvent(POST);
    expect(occurredAt).toEqual(now);
    expect(Math.abs(idInstant(id).getTime() - Date.now())).toBeLessThan(60_000);
    expect(await shown(lab)).toMatchObject([{ occurred_at: now.toISOString() }]);
  });

  test('can be erased: the data and the text of the id go, the place in the order and in the chain stays', async () => {
    const { id } = await store.tenant.appendEvent({ ...POST, resourceId: 'jane.roe@example.com', data: { a: 1 } });
    const derived = ownResourceId(store.tenant.id, 'post', 'jane.roe@example.com');
    const [before] = await shown(store.tenant, { resourceId: derived });
    expect(before).toMatchObject({ resource_id: 'jane.roe@example.com', data: { a: 1 } });
    await store.tenant.eraseAuditEvent(id, 'asked for');
    const after = await shown(store.tenant, { resourceId: derived });
    expect(after).toEqual([{ ...before, resource_id: toTypeId('ownResource', derived), data: null }]);
    const rows = await store.owner.query(`select from usance.events where data::text like '%jane.roe%'`);
    expect(rows).toEqual([]);
    expect((await verifyChains(store.db)).flatMap(({ offenders }) => offenders)).toEqual([]);
  });

  test('are counted by metrics under one name, whatever their types', async () => {
    await store.tenant.appendEvent({ ...POST, type: 'a_type_of_nobody.else' });
    const text = await store.usance.monitoring.metrics();
    expect(text).toMatch(/usance_events_total\{type="own"\} \d+/);
    expect(text).not.toContain('a_type_of_nobody');
  });
});

describe('the quota', () => {
  const store = useUsance({ ownEventsPerDay: 10 });
  const tenantWith = async (name: string, appended: number): Promise<TenantHandle> => {
    const tenant = await store.usance.createTenant({ name });
    if (appended > 0) await tenant.appendEvents(many(appended));
    return tenant;
  };
  const eventsOf = async ({ id }: TenantHandle): Promise<number> =>
    (await store.owner.query(`select from usance.events where tenant_id = $1::uuid and type like 'posts.%'`, [id]))
      .length;

  test('refuses a call that exceeds it, whole, and says how much is left', async () => {
    const tenant = await tenantWith('full', 8);
    await expect(tenant.appendEvents(many(3))).rejects.toMatchObject({
      code: 'EVENTS_QUOTA_EXCEEDED',
      fields: { max: 10, left: 2, seconds: expect.any(Number) as number },
    });
    expect(await eventsOf(tenant)).toBe(8);
    await tenant.appendEvents(many(2));
    expect(await refusalOf(tenant.appendEvent(POST))).toBe('EVENTS_QUOTA_EXCEEDED');
    expect(await eventsOf(tenant)).toBe(10);
  });

  test('is of each tenant and of each day', async () => {
    const [one, other] = [await tenantWith('one', 10), await tenantWith('another', 0)];
    await other.appendEvents(many(10));
    expect(await refusalOf(one.appendEvent(POST))).toBe('EVENTS_QUOTA_EXCEEDED');
    await store.owner.query('update usance.own_event_counts set day = day - 1 where tenant_id = $1::uuid', [one.id]);
    await one.appendEvents(many(10));
    expect(await eventsOf(one)).toBe(20);
  });

  test('does not count dry runs, nor what was rolled back', async () => {
    const tenant = await tenantWith('dry', 0);
    for (let n = 0; n < 3; n += 1) {
      const run = await tenant.dryRun((dry) => dry.appendEvents(many(10)));
      expect(run.events).toEqual(many(10).map(({ type }) => type));
    }
    expect(await refusalOf(tenant.dryRun((dry) => dry.appendEvents(many(11))))).toBe('EVENTS_QUOTA_EXCEEDED');
    await tenant.appendEvents(many(10));
    expect(await eventsOf(tenant)).toBe(10);
  });

  test('is counted without waiting for a transaction that has appended and is still open', async () => {
    const tenant = await tenantWith('patient', 2);
    await store.owner.transaction(async (tx) => {
      const client = {
        query: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values as never) }),
      };
      const open = tenant.within(client);
      await open.appendEvents(many(3));
      await open.appendEvents(many(1));
      await tenant.appendEvents(many(4));
      await tenant.appendEvents(many(1));
      const slots = await store.db.query('select events from usance.own_event_counts where tenant_id = $1::uuid', [
        tenant.id,
      ]);
      expect(slots).toHaveLength(2);
    });
    expect(await refusalOf(tenant.appendEvent(POST))).toBe('EVENTS_QUOTA_EXCEEDED');
  });

  test('and the retention have to be numbers that make sense', async () => {
    const engine = (options: object) => createEngine({ databaseUrl: store.runtimeUrl, migrate: false, ...options });
    for (const ownEventsPerDay of [-1, 1.5, NaN])
      await expect(engine({ ownEventsPerDay })).rejects.toThrow('ownEventsPerDay must be a whole number from 0');
    for (const ownEventsMs of [0, -1, NaN])
      await expect(engine({ retention: { ownEventsMs } })).rejects.toThrow('retention.ownEventsMs must be positive');
  });

  test('of 0 is no quota', async () => {
    const free = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, ownEventsPerDay: 0 });
    try {
      const tenant = await free.createTenant({ name: 'free' });
      for (let n = 0; n < 3; n += 1) await tenant.appendEvents(many(10));
      expect(await eventsOf(tenant)).toBe(30);
    } finally {
      await free.close();
    }
  });
});

describe('retention', () => {
  const notices: string[] = [];
  const store = useUsance({ retention: { ownEventsMs: 1 }, onNotice: (line) => notices.push(line) });
  const retain = async (): Promise<Record<string, number>> =>
    (await store.usance.loops.find((loop) => loop.name === 'retention')?.runOnce())?.counts ?? {};
  const left = async (): Promise<number> =>
    (await store.owner.query(`select from usance.events where type like 'posts.%' and salt is not null`)).length;
  /** Ids are of real time: until the last of them is in the past. */
  const past = async (): Promise<void> => {
    const now = Date.now();
    await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(now + 2);
  };

  test('erases the data of old own events in batches, and nothing of usance', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    await store.tenant.pause('asset', 'USD', 'kept');
    await store.tenant.appendEvents(many(700));
    await other.appendEvents(many(20));
    await past();
    const runs: number[] = [];
    while ((await left()) > 0 && runs.length < 10) runs.push((await retain())['erased'] ?? 0);
    expect(runs).toEqual([500, 220]);
    await orderAll(store.db);
    expect((await store.tenant.events({ type: 'pause.created' }))[0]?.data).toMatchObject({ reason: 'kept' });
    expect(await troubles(store.usance)).toEqual([]);
    const records = await store.tenant.auditEvents({ action: 'AUDIT_EVENT_ERASED' });
    expect(records).toMatchObject([{ actor: 'system' }, { actor: 'system' }]);
    expect(await retain()).toMatchObject({ erased: 0 });
  });

  test('in a test tenant is recorded at the time of its clock', async () => {
    const lab = await store.usance.createTenant({ name: 'lab', kind: 'test' });
    const now = new Date('2031-05-06T07:08:09.000Z');
    await lab.createTestClock({ name: 'clock', now });
    await lab.appendEvent(POST);
    await past();
    expect(await retain()).toMatchObject({ erased: 1 });
    await orderAll(store.db);
    expect(await lab.events({ type: 'audit_event.erased' })).toMatchObject([{ occurredAt: now }]);
  });

  test('by a role that may not erase says so, and the rest of retention goes on', async () => {
    await store.tenant.appendEvent(POST);
    await past();
    const signature = 'usance.lock_erasable(uuid, uuid[])';
    await store.owner.query(`revoke execute on function ${signature} from usance_eraser`);
    try {
      expect(await retain()).toMatchObject({ erased: 0, keys: 0 });
      expect(notices.at(-1)).toMatch(/^the erasure of event evt_\w+ was set aside: .*AUTH_FORBIDDEN/);
    } finally {
      await store.owner.query(`grant execute on function ${signature} to usance_eraser`);
    }
    expect(await retain()).toMatchObject({ erased: 1 });
  });

  test('forgets how many were appended two days ago', async () => {
    await store.owner.query('update usance.own_event_counts set day = day - 2');
    expect((await retain())['ownCounts']).toBeGreaterThan(0);
    expect(await store.owner.query('select from usance.own_event_counts')).toEqual([]);
  });
});
