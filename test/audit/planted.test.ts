// What a runtime process that was taken over can plant among the events: nothing that it appends hides behind a sealed block, comes twice, or
// keeps the events of anybody from being read and verified.
import { beforeAll, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { pageOfEvents } from '../../src/events/index.ts';
import type { Uuid } from '../../src/kernel/index.ts';
import { eventIdAt, newBlockId, newId, ordinalOf } from '../../src/kernel/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { orderAll } from '../support/order.ts';
import { testProcessor } from '../support/processor.ts';

const store = useUsance();
let payment = '';
const seal = (): Promise<void> => orderAll(store.db);
/** The findings of `usance verify`, by check and tenant. */
const found = async (): Promise<string[]> =>
  (await store.usance.verify()).flatMap(({ name, offenders }) => offenders.map((one) => `${name} ${one.tenantId}`));
const typesOf = async (id: string): Promise<string[]> =>
  (await store.tenant.events({ resourceId: id })).map(({ type }) => type);

/** With the rights of the runtime role, as every statement of this file. */
async function plant(tenant: TenantHandle, id: Uuid, type: string, resourceId: Uuid, data: string): Promise<void> {
  await store.db.query(
    `insert into usance.events (tenant_id, id, type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt)
     values ($1::uuid, $2::uuid, $3::text, 1, 'payment', $4::uuid, $5::json, 'key:forged', now(), now(), $6::uuid)`,
    [tenant.id, id, type, resourceId, data, newId()],
  );
}

const enter = (tenant: TenantHandle, blockId: Uuid, events: number): Promise<unknown> =>
  store.db.query(
    `insert into usance.event_inbox (tenant_ids, block_ids, counts, digests, recorded_at)
     values (array[$1]::uuid[], array[$2]::uuid[], array[$3]::int[], sha256('x'), now())`,
    [tenant.id, blockId, events],
  );

beforeAll(async () => {
  await open(store.tenant, { alice: 1_000, bob: 0 });
  const order = { from: 'alice', to: 'bob', asset: 'USD', amount: 100 };
  payment = (await store.tenant.createPayment({ ...order, idempotencyKey: key() })).id;
  await testProcessor(store.db).drain();
  await seal();
});

describe('planted by the runtime role', () => {
  test('a block that was ordered is not ordered again', async () => {
    const before = await store.tenant.lastEventSeq();
    for (const times of [1, 2])
      await store.db.query(
        `insert into usance.event_inbox (tenant_ids, block_ids, counts, digests, recorded_at)
         select array[tenant_id], array[block_id], array[events], digest, recorded_at from usance.event_blocks
         where tenant_id = $1::uuid and $2::int > 0`,
        [store.tenant.id, times],
      );
    await seal();
    expect(await store.tenant.lastEventSeq()).toBe(before);
    expect(await typesOf(payment)).toEqual(['payment.created', 'payment.settled']);
    expect(await found()).toEqual([]);
  });

  test('a block that comes twice in one take is ordered once', async () => {
    const tenant = await store.usance.createTenant({ name: 'twice' });
    await store.db.query(
      `insert into usance.event_inbox (tenant_ids, block_ids, counts, digests, recorded_at)
       select tenant_ids, block_ids, counts, digests, recorded_at from usance.event_inbox`,
    );
    await seal();
    const ids = (await tenant.events()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await found()).toEqual([]);
  });

  test('an event in an old block is not shown, not sealed and in no receipt, and verify finds it', async () => {
    const settled = (await store.tenant.events({ resourceId: payment })).at(-1);
    const id = eventIdAt(settled?.id ?? '', ordinalOf(settled?.id ?? '') + 1);
    await plant(store.tenant, id, 'payment.refunded', payment, '{}');
    expect(await typesOf(payment)).toEqual(['payment.created', 'payment.settled']);
    expect((await store.tenant.events({}, { limit: 1_000 })).map((event) => event.id)).not.toContain(id);
    expect((await store.tenant.auditEvents({ resourceId: payment })).map(({ action }) => action)).toEqual([
      'PAYMENT_COMPLETED',
      'PAYMENT_CREATED',
    ]);
    expect((await store.tenant.timeline(payment)).map(({ type }) => type)).not.toContain('payment.refunded');
    expect((await store.tenant.paymentReceipt(payment)).events).toHaveLength(2);
    expect(await found()).toEqual([`events-are-as-sealed ${store.tenant.id}`]);
  });

  test('blocks without their events are passed by the feed in bounded steps, and verify finds them', async () => {
    const tenant = await store.usance.createTenant({ name: 'phantoms' });
    await seal();
    const after = await tenant.lastEventSeq();
    for (let n = 0; n < 4; n += 1) await enter(tenant, newBlockId(), 8_192);
    await seal();
    await tenant.createAsset('USD/2');
    await seal();
    const page = await pageOfEvents(store.db, tenant.id, {}, { after, limit: 10 });
    expect(page).toMatchObject({ events: [], next: { seq: after + 20_000n } });
    const rest = await pageOfEvents(store.db, tenant.id, {}, { after: page.next?.seq ?? 0n, limit: 10 });
    expect(rest.events.map(({ type }) => type)).toEqual(['asset.created']);
    expect(await found()).toContain(`events-are-as-sealed ${tenant.id}`);
  });

  test('data that jsonb refuses keeps verify from finding nothing of others', async () => {
    const other = await store.usance.createTenant({ name: 'victim' });
    await other.createAsset('USD/2');
    await other.setLimit({ asset: 'USD', maxAmount: 500 });
    for (const data of [String.raw`{"asset": "\u0000"}`, '{"maxAmount": 1e999999}', String.raw`{"x": "\ud800"}`])
      await plant(store.tenant, newBlockId(), 'limit.set', store.tenant.id, data);
    await store.db.query(`update usance.payment_limits set max_amount = 999999 where tenant_id = $1::uuid`, [other.id]);
    expect(await found()).toContain(`limits-are-told ${other.id}`);
  });
});
