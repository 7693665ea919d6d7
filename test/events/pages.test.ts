// What reading events costs after ten years: rows and partitions that a page, a cursor, a filter or a resource reads, with a hundred and
// twenty months of history, and with ten times the events in it.
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EventFilter } from '../../src/events/index.ts';
import type { TenantHandle, TenantVerbs } from '../../src/engine.ts';
import { firstIdAt } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';

const MONTHS = 120;
const store = useUsance();
const tenants: TenantHandle[] = [];

/** Rows that the work reads, and partitions of events that its plans lock. */
async function costOf(tenant: TenantHandle, work: (verbs: TenantVerbs) => Promise<unknown>) {
  const client = new pg.Client(store.ownerUrl);
  await client.connect();
  try {
    await client.query('begin');
    // Small tables would be scanned whole: what is asked is which rows the indexes lead to.
    await client.query(
      'set local max_parallel_workers_per_gather = 0; set local enable_seqscan = off; set local enable_bitmapscan = off',
    );
    await work(tenant.within(client));
    const { rows } = await client.query<{ read: string; partitions: string }>(
      `select (select sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid))
               from pg_class c where c.relnamespace = 'usance'::regnamespace) as read,
              (select count(distinct relation) from pg_locks l join pg_class c on c.oid = l.relation
               where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relname like 'events\\_%') as partitions`,
    );
    return { read: Number(rows[0]?.read), partitions: Number(rows[0]?.partitions) };
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  await store.owner.query(
    `select usance.ensure_partitions('events', (now() - interval '${MONTHS} months')::date, ${MONTHS})`,
  );
  let position = 1_000_000;
  for (const perMonth of [20, 200]) {
    const tenant = await store.usance.createTenant({ name: `years-${perMonth}` });
    tenants.push(tenant);
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       delete from usance.events where tenant_id = '${tenant.id}'; delete from usance.event_inbox;
       create temp table months on commit drop as
         select m, usance.block_of(usance.first_id_at(now() - (${MONTHS} - m) * interval '30 days')) as block_id from generate_series(1, ${MONTHS}) m;
       insert into usance.events (tenant_id, id, type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt)
       select '${tenant.id}', (left(block_id::text, 32) || lpad(to_hex(n), 4, '0'))::uuid,
              case when n % 10 = 0 then 'plan.created' else 'plan.updated' end, 1, 'plan', block_id, '{}', 'test', now(), now(), block_id
       from months, generate_series(0, ${perMonth - 1}) n;
       insert into usance.event_blocks (first_position, tenant_id, last_seq, number, block_id, events, recorded_at, digest, skip_seq, hash)
       select ${position} + (m - 1) * ${perMonth}, '${tenant.id}', m * ${perMonth}, m, block_id, ${perMonth}, now(), sha256('x'), 0,
              sha256(block_id::text::bytea) from months;
       commit`,
    );
    position += MONTHS * perMonth;
  }
  await store.owner.query('analyze usance.events; analyze usance.event_blocks');
});

const half = (perMonth: number): bigint => BigInt((MONTHS / 2) * perMonth);

test.each<[string, (verbs: TenantVerbs, perMonth: number) => Promise<unknown>, number, number]>([
  ['the last seq', (verbs) => verbs.lastEventSeq(), 10, 0],
  ['a cursor', (verbs, per) => verbs.requireEventCursor({ seq: half(per), hashPrefix: null }), 10, 0],
  [
    'a page',
    async (verbs, per) => expect((await verbs.eventsPage({}, { after: half(per), limit: 20 })).events).toHaveLength(20),
    250,
    6,
  ],
  [
    'a page of one type',
    async (verbs, per) =>
      expect((await verbs.eventsPage({ type: 'plan.created' }, { after: half(per), limit: 5 })).events).toHaveLength(5),
    3_000,
    60,
  ],
  ['the end', (verbs, per) => verbs.eventsPage({}, { after: BigInt(MONTHS * per) }), 10, 0],
])('%s costs the same at ten times the history', async (_, work, mostRows, mostPartitions) => {
  for (const [index, perMonth] of [20, 200].entries()) {
    const tenant = tenants[index] as TenantHandle;
    const { read, partitions } = await costOf(tenant, (verbs) => work(verbs, perMonth));
    expect(read).toBeLessThanOrEqual(mostRows);
    expect(partitions).toBeLessThanOrEqual(mostPartitions);
  }
});

test('the events of a resource are found in the months since it was made', async () => {
  const since = new Date(Date.now() - 40 * 24 * 3_600_000);
  const [row] = await store.owner.query(
    `select resource_id as id from usance.events where tenant_id = $1::uuid and resource_id > $2::uuid limit 1`,
    [tenants[0]?.id ?? '', firstIdAt(since)],
  );
  const { partitions, read } = await costOf(tenants[0] as TenantHandle, async (verbs) => {
    expect((await verbs.events({ resourceId: String(row?.['id']) })).length).toBe(20);
  });
  expect(partitions).toBeLessThanOrEqual(10);
  expect(read).toBeLessThanOrEqual(400);
});

describe('pages of blocks of one event', () => {
  /** One event a block, as one payment at a time makes them; all about one resource. */
  async function tenantWith(blocks: number): Promise<TenantHandle> {
    const tenant = await store.usance.createTenant({ name: `singles-${blocks}` });
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       delete from usance.events where tenant_id = '${tenant.id}'; delete from usance.event_inbox;
       create temp table singles on commit drop as
         select n, usance.block_of(usance.first_id_at(now() - (${blocks} - n) * interval '1 second')) as block_id from generate_series(1, ${blocks}) n;
       insert into usance.events (tenant_id, id, type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt)
       select '${tenant.id}', block_id, 'plan.updated', 1, 'plan', '${tenant.id}', '{}', 'test', now(), now(), block_id from singles;
       insert into usance.event_blocks (first_position, tenant_id, last_seq, number, block_id, events, recorded_at, digest, skip_seq, hash)
       select ${10_000_000 + blocks} + n, '${tenant.id}', n, n, block_id, 1, now(), sha256('x'), 0, sha256(block_id::text::bytea) from singles;
       commit`,
    );
    await store.owner.query('analyze usance.events; analyze usance.event_blocks');
    return tenant;
  }

  const sizes = [1_000, 20_000];
  const singles: TenantHandle[] = [];
  beforeAll(async () => {
    for (const blocks of sizes) singles.push(await tenantWith(blocks));
  });
  const page = (tenant: TenantHandle, limit: number, filter: EventFilter, after = 500n) =>
    costOf(tenant, async (verbs) =>
      expect((await verbs.eventsPage(filter, { after, limit })).events.map(({ seq }) => seq)).toEqual(
        Array.from({ length: limit }, (_, index) => after + BigInt(index) + 1n),
      ),
    );

  test('cost what they show, however many blocks follow', async () => {
    for (const tenant of singles) {
      expect((await page(tenant, 1, {})).read).toBeLessThanOrEqual(20);
      expect((await page(tenant, 100, {})).read).toBeLessThanOrEqual(1_000);
    }
  });

  test('cost the same for a resource with ten times the events', async () => {
    for (const [index, tenant] of singles.entries()) {
      const filter = { resourceId: tenant.id };
      expect((await page(tenant, 10, filter)).read).toBeLessThanOrEqual(10_000);
      expect((await page(tenant, 10, filter, BigInt((sizes[index] ?? 0) - 20))).read).toBeLessThanOrEqual(10_000);
    }
  });
});
