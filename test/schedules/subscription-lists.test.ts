// Lists of subscriptions: a page looks through a bounded number of rows whatever its filter finds, and walking the pages shows
// every subscription once.
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Subscription, TenantHandle, TenantVerbs } from '../../src/engine.ts';
import { pageOfSubscriptions } from '../../src/schedules/subscriptions/list.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';

const store = useUsance();
const base = { asset: 'USD', receiver: 'club', price: 1_000, period: { frequency: 'MONTHLY' } } as const;
const plan = async (tenant: TenantHandle, name: string): Promise<string> =>
  (await tenant.createPlan({ ...base, name })).id;
const idsOf = (list: readonly Subscription[]): string[] => list.map(({ id }) => id);

describe('among many subscriptions', () => {
  const COPIES = 20_000;
  const state = { rare: '', common: '' };

  /** Rows of tables and entries of indexes that the work reads. */
  async function readBy(work: (tenant: TenantVerbs) => Promise<unknown>): Promise<number> {
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

  beforeAll(async () => {
    const { tenant } = store;
    await open(tenant, { ann: 1_000_000, ben: 1_000_000, eve: 0, club: 0 });
    state.rare = await plan(tenant, 'Rare');
    state.common = await plan(tenant, 'Common');
    await tenant.subscribe({ plan: state.rare, payer: 'ben', idempotencyKey: key() });
    const { id } = await tenant.subscribe({ plan: state.common, payer: 'ann', trialDays: 30, idempotencyKey: key() });
    await store.owner.query(`create table copies as select gen_random_uuid() as id from generate_series(1, ${COPIES})`);
    for (const [table, column] of [
      ['schedules', 'id'],
      ['subscriptions', 'schedule_id'],
      ['schedule_due', 'schedule_id'],
    ] as const) {
      const [columns] = await store.owner.query(
        `select string_agg(case attname when '${column}' then 'k.id' else 't.' || quote_ident(attname) end, ', ' order by attnum) as list
         from pg_attribute where attrelid = 'usance.${table}'::regclass and attnum > 0 and not attisdropped`,
      );
      await store.owner.query(
        `insert into usance.${table} select ${String(columns?.['list'])} from usance.${table} t, copies k where t.${column} = '${id}'`,
      );
      await store.owner.query(`analyze usance.${table}`);
    }
  });

  test('those of a plan are looked up', async () => {
    expect(await store.tenant.subscriptions({ plan: state.rare })).toHaveLength(1);
    expect(await readBy((tenant) => tenant.subscriptions({ plan: state.rare }))).toBeLessThan(300);
    expect(await readBy((tenant) => tenant.subscriptions({ plan: state.common }, { limit: 5 }))).toBeLessThan(500);
  });

  test('those of a plan that a change brought are looked up, and one that left is not shown', async () => {
    const another = await plan(store.tenant, 'Another');
    const { id } = await store.tenant.subscribe({ plan: state.rare, payer: 'ben', idempotencyKey: key() });
    await store.tenant.changeSubscriptionPlan(id, { plan: another, proration: 'none', idempotencyKey: key() });
    expect(idsOf(await store.tenant.subscriptions({ plan: another }))).toEqual([id]);
    expect(idsOf(await store.tenant.subscriptions({ plan: state.rare }))).not.toContain(id);
    expect(await readBy((tenant) => tenant.subscriptions({ plan: another }))).toBeLessThan(300);
  });

  test('those of a payer are looked up', async () => {
    expect(await readBy((tenant) => tenant.subscriptions({ payer: 'eve' }))).toBeLessThan(100);
    expect(await readBy((tenant) => tenant.subscriptions({ payer: 'ann' }, { limit: 5 }))).toBeLessThan(500);
  });

  test('a status that none has ends the page after a bounded scan, and the cursor goes on', async () => {
    const page = await store.tenant.subscriptionsPage({ status: 'past_due' });
    expect(page.subscriptions).toEqual([]);
    expect(page.next).not.toBeNull();
    expect(await readBy((tenant) => tenant.subscriptionsPage({ status: 'past_due' }))).toBeLessThan(60_000);
    expect(await store.tenant.subscriptions({ status: 'past_due' })).toEqual([]);
    expect(await readBy((tenant) => tenant.subscriptions({}, { limit: 5 }))).toBeLessThan(500);
  });
});

test('walking through pages shows every subscription of the filter once, newest first', async () => {
  const tenant = await store.usance.createTenant({ name: 'walked' });
  await tenant.createAsset('USD/2');
  await open(tenant, { ann: 100_000, ben: 100_000, club: 0 });
  const plans = [await plan(tenant, 'A'), await plan(tenant, 'B')] as const;
  const made: string[] = [];
  for (let n = 0; n < 15; n += 1) {
    const payer = n % 2 === 0 ? 'ann' : 'ben';
    const { id } = await tenant.subscribe({ plan: plans[n % 3 === 0 ? 1 : 0], payer, idempotencyKey: key() });
    made.push(id);
    if (n % 4 === 1) await tenant.cancelSubscription(id);
    // There and back again, some of them twice: more rows of changes than subscriptions.
    const way = n % 4 === 0 ? [1, 0, 1, 0] : n % 4 === 2 ? [0, 1, 0, 1] : [];
    for (const to of way)
      await tenant
        .changeSubscriptionPlan(id, { plan: plans[to] ?? '', proration: 'none', idempotencyKey: key() })
        .catch(() => undefined);
    if (n % 5 === 0)
      await tenant.createSchedule({
        from: payer,
        to: 'club',
        asset: 'USD',
        amount: 1,
        rule: { frequency: 'DAILY' },
        zone: 'UTC',
        idempotencyKey: key(),
      });
  }
  const all = await tenant.subscriptions({}, { limit: 1_000 });
  expect(idsOf(all)).toEqual(made.toReversed());
  const ann = (await tenant.account('ann')).id;
  const filters = [undefined, ['active'], ['cancelled'], ['past_due'], ['active', 'past_due', 'cancelled']].flatMap(
    (status) =>
      [undefined, ...plans].flatMap((planId) =>
        [undefined, ann].map((payerId) => ({
          ...(status === undefined ? {} : { status: status as readonly Subscription['status'][] }),
          ...(planId === undefined ? {} : { planId }),
          ...(payerId === undefined ? {} : { payerId }),
        })),
      ),
  );
  for (const filter of filters) {
    const expected = all.filter(
      (one) =>
        (filter.status ?? [one.status]).includes(one.status) &&
        (filter.planId ?? one.planId) === one.planId &&
        (filter.payerId ?? one.payerId) === one.payerId,
    );
    for (const [limit, scan] of [
      [1, 1],
      [2, 3],
      [50, 5],
      [50, 1_000],
    ] as const) {
      const found: string[] = [];
      let before: string | null = null;
      do {
        const { subscriptions, next } = await pageOfSubscriptions(store.db, tenant.id, filter, { limit, before }, scan);
        expect(subscriptions.length).toBeLessThanOrEqual(limit);
        found.push(...idsOf(subscriptions));
        before = next;
      } while (before !== null);
      expect(found, JSON.stringify({ filter, limit, scan })).toEqual(idsOf(expected));
    }
  }
});
