import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import type { Advance, ClockStatus, TestClock } from './clock.ts';

const COLUMNS = `tenant_id, id, timeline_id, name, stands_at, status, created_at, deleted_at, advance_from, advance_to, steps,
  requested_at, finished_at, began_event_id, ended_event_id, code, detail, cancelled`;

function clock(row: Row): TestClock {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    timelineId: asText(row['timeline_id']),
    name: asText(row['name']),
    now: asDate(row['stands_at']),
    status: asText(row['status']) as ClockStatus,
    createdAt: asDate(row['created_at']),
    deletedAt: asDateOrNull(row['deleted_at']),
    advance: row['advance_from'] === null ? null : advance(row),
  };
}

function advance(row: Row): Advance {
  return {
    from: asDate(row['advance_from']),
    to: asDate(row['advance_to']),
    steps: asNumber(row['steps']),
    requestedAt: asDate(row['requested_at']),
    finishedAt: asDateOrNull(row['finished_at']),
    beganEventId: asText(row['began_event_id']),
    endedEventId: asTextOrNull(row['ended_event_id']),
    code: asTextOrNull(row['code']),
    detail: asTextOrNull(row['detail']),
    cancelled: row['cancelled'] === true,
  };
}

/** Null when the tenant has one. */
export async function insertClock(
  sql: Sql,
  order: { tenantId: Uuid; id: Uuid; timelineId: Uuid; name: string; now: Date },
): Promise<TestClock | null> {
  const [row] = await sql.query(
    `insert into usance.test_clocks (tenant_id, id, timeline_id, name, stands_at)
     values ($1::uuid, $2::uuid, $3::uuid, $4::text, $5::timestamptz)
     on conflict (tenant_id) where deleted_at is null do nothing returning ${COLUMNS}`,
    [order.tenantId, order.id, order.timelineId, order.name, order.now],
  );
  return row ? clock(row) : null;
}

export async function findClock(sql: Sql, tenantId: Uuid): Promise<TestClock | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.test_clocks where tenant_id = $1::uuid and deleted_at is null`,
    [tenantId],
  );
  return row ? clock(row) : null;
}

const LAST = `select ${COLUMNS} from usance.test_clocks where tenant_id = $1::uuid
  order by deleted_at desc nulls first limit 1`;

/** The tenant's clock, or the one that was deleted last. */
export async function findLastClock(sql: Sql, tenantId: Uuid): Promise<TestClock | null> {
  const [row] = await sql.query(LAST, [tenantId]);
  return row ? clock(row) : null;
}

/** The time of each of these test tenants, whether or not its clock advances; those without a clock are left out. */
export async function presentTimes(sql: Sql, tenantIds: readonly Uuid[]): Promise<Map<Uuid, Date>> {
  const rows = await sql.query(
    `select t.tenant_id, c.stands_at from unnest($1::uuid[]) t (tenant_id)
     cross join lateral (
       select c.stands_at from usance.test_clocks c where c.tenant_id = t.tenant_id order by c.deleted_at desc nulls first limit 1
     ) c`,
    [tenantIds],
  );
  return new Map(rows.map((row) => [asText(row['tenant_id']), asDate(row['stands_at'])]));
}

/** Where the clocks of test tenants are or are passing, or were when they were deleted; nothing for a live tenant. For loops over tenants. */
export async function readClocks(
  sql: Sql,
  tenantIds: readonly Uuid[],
): Promise<Map<Uuid, Clock & { readonly clockId: Uuid }>> {
  const rows = await sql.query(
    `select distinct on (tenant_id) tenant_id, timeline_id, stands_at from usance.test_clocks
     where tenant_id = any ($1::uuid[]) order by tenant_id, deleted_at desc nulls first`,
    [tenantIds],
  );
  return new Map(
    rows.map((row) => [
      asText(row['tenant_id']),
      { clockId: asText(row['timeline_id']), now: asDate(row['stands_at']) },
    ]),
  );
}

/**
 * The clock that a new one would follow. Creates of one tenant take turns by the tenant's row; the clock's row is held against a
 * delete, so that the answer stays true until the new one is there.
 */
export async function holdLastClock(sql: Sql, tenantId: Uuid): Promise<TestClock | null> {
  await sql.query('select from usance.tenants where id = $1::uuid for no key update', [tenantId]);
  const [row] = await sql.query(`${LAST} for key share`, [tenantId]);
  return row ? clock(row) : null;
}

/**
 * One clock, deleted or not, locked. `for update` waits for every writer of the tenant; `for no key update` only for a step of an
 * advance.
 */
export async function lockClock(
  sql: Sql,
  { tenantId, id }: { readonly tenantId: Uuid; readonly id: Uuid },
  mode: 'update' | 'no key update',
): Promise<TestClock | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.test_clocks where tenant_id = $1::uuid and id = $2::uuid for ${mode}`,
    [tenantId, id],
  );
  return row ? clock(row) : null;
}

/** Ends the advance of a locked clock where it got to. The new fence keeps its advancer from going on, in a later advance too. */
export async function cancelAdvanceOf(sql: Sql, { tenantId, id }: TestClock, endedEventId: Uuid): Promise<TestClock> {
  const row = only(
    await sql.query(
      `update usance.test_clocks
       set status = 'ready', cancelled = true, fence = fence + 1, leased_until = null, detail = null, allows_writes = false,
           finished_at = clock_timestamp(), ended_event_id = $3::uuid
       where tenant_id = $1::uuid and id = $2::uuid and status = 'advancing' returning ${COLUMNS}`,
      [tenantId, id, endedEventId],
    ),
  );
  return clock(row);
}

export async function markClockDeleted(sql: Sql, { tenantId, id }: TestClock): Promise<TestClock> {
  const row = only(
    await sql.query(
      `update usance.test_clocks set deleted_at = clock_timestamp()
       where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null returning ${COLUMNS}`,
      [tenantId, id],
    ),
  );
  return clock(row);
}

/**
 * The time of a tenant that writes, unless its clock is advancing and does not wait for jobs. The lock is the weakest there is: writers do not wait for each
 * other, nor for a request for an advance. But an advancer skips a clock that is locked here, and a delete waits for it: a write at
 * the old instant has ended before the first step, and before the tenant's next clock.
 */
export async function holdStandingClock(sql: Sql, tenantId: Uuid): Promise<Clock | null> {
  const [row] = await sql.query(
    `select timeline_id, stands_at from usance.test_clocks
     where tenant_id = $1::uuid and deleted_at is null and (status <> 'advancing' or allows_writes) for key share`,
    [tenantId],
  );
  return row ? { clockId: asText(row['timeline_id']), now: asDate(row['stands_at']) } : null;
}

/** An advance waits at the present instant: the tenant can be written to, as if its clock were ready. In a transaction that moves the clock. */
export async function allowWrites(sql: Sql, tenantId: Uuid): Promise<void> {
  await sql.query(
    `update usance.test_clocks set allows_writes = true where tenant_id = $1::uuid and deleted_at is null and status = 'advancing'`,
    [tenantId],
  );
}

/** Whether an advance lets writes in. */
export async function areWritesAllowed(sql: Sql, tenantId: Uuid): Promise<boolean> {
  const rows = await sql.query('select from usance.test_clocks where tenant_id = $1::uuid and allows_writes', [
    tenantId,
  ]);
  return rows.length > 0;
}

/** Lets no more writes in. Waits for none. */
export async function refuseWrites(sql: Sql, tenantId: Uuid): Promise<void> {
  await sql.query('update usance.test_clocks set allows_writes = false where tenant_id = $1::uuid and allows_writes', [
    tenantId,
  ]);
}

/** Waits for the writes that were let in. */
export async function awaitWrites(sql: Sql, tenantId: Uuid): Promise<void> {
  await sql.query('select from usance.test_clocks where tenant_id = $1::uuid and deleted_at is null for update', [
    tenantId,
  ]);
}

/** The test tenant whose due rows carry this id. */
export async function tenantOfTimeline(sql: Sql, timelineId: Uuid): Promise<Uuid | null> {
  const [row] = await sql.query('select tenant_id from usance.test_clocks where timeline_id = $1::uuid limit 1', [
    timelineId,
  ]);
  return row ? asText(row['tenant_id']) : null;
}

/** Null when another advance is under way, or the clock was deleted. Of many requests at once the first is let through. */
export async function beginAdvance(
  sql: Sql,
  order: { tenantId: Uuid; id: Uuid; to: Date; beganEventId: Uuid },
): Promise<TestClock | null> {
  const [row] = await sql.query(
    `update usance.test_clocks
     set status = 'advancing', advance_from = stands_at, advance_to = $3::timestamptz, began_event_id = $4::uuid,
         requested_at = clock_timestamp(), finished_at = null, ended_event_id = null, steps = 0, tries = 0,
         code = null, detail = null, cancelled = false, allows_writes = false
     where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null and status <> 'advancing' and stands_at <= $3::timestamptz
     returning ${COLUMNS}`,
    [order.tenantId, order.id, order.to, order.beganEventId],
  );
  return row ? clock(row) : null;
}

/** The right to advance a clock: worth something as long as the row has this fence. */
export interface Lease {
  readonly clock: TestClock;
  readonly fence: bigint;
  /** Claims since the last step that was committed, this one included. */
  readonly tries: number;
}

/**
 * Takes up an advance that nobody works on and whose tenant has no writer left; rides test_clocks_advancing. One that waits for jobs goes on
 * letting writes in: a processor that runs may be about to write.
 */
export async function claimAdvance(sql: Sql, leaseMs: number): Promise<Lease | null> {
  const [row] = await sql.query(
    `with free as (
       select tenant_id as of_tenant, id as free_id from usance.test_clocks
       where status = 'advancing' and (leased_until is null or leased_until < clock_timestamp())
       order by fence, id limit 1 for update skip locked
     )
     update usance.test_clocks
     set fence = fence + 1, tries = tries + 1, leased_until = clock_timestamp() + make_interval(secs => $1::int / 1000.0)
     from free where tenant_id = of_tenant and id = free_id
     returning ${COLUMNS}, fence, tries`,
    [leaseMs],
  );
  return row ? { clock: clock(row), fence: asBigInt(row['fence']), tries: asNumber(row['tries']) } : null;
}

const HELD = `tenant_id = $1::uuid and id = $2::uuid and fence = $3::bigint and status = 'advancing'`;
const held = ({ clock: { tenantId, id }, fence }: Lease): [Uuid, Uuid, bigint] => [tenantId, id, fence];

/** A step: the clock goes to the instant, and stays ours. Null when it is ours no more. */
export async function moveClock(sql: Sql, lease: Lease, to: Date, leaseMs: number): Promise<Date | null> {
  const [row] = await sql.query(
    `update usance.test_clocks
     set stands_at = greatest(stands_at, $4::timestamptz), steps = steps + 1, tries = 0, detail = null,
         leased_until = clock_timestamp() + make_interval(secs => $5::int / 1000.0)
     where ${HELD} returning stands_at`,
    [...held(lease), to, leaseMs],
  );
  return row ? asDate(row['stands_at']) : null;
}

/** Hands an advance back for anybody to go on with. `trouble` is what this try ran into, if it did. */
export async function releaseAdvance(sql: Sql, lease: Lease, trouble: string | null): Promise<void> {
  await sql.query(
    `update usance.test_clocks
     set leased_until = null, tries = case when $4::text is null then 0 else tries end, detail = $4::text
     where ${HELD}`,
    [...held(lease), trouble],
  );
}

/** Arrived; or given up where it stands, for a reason. False when it is ours no more. */
export async function endAdvance(
  sql: Sql,
  lease: Lease,
  end: { endedEventId: Uuid; failure: { code: string; detail: string } | null },
): Promise<TestClock | null> {
  const { failure } = end;
  const [row] = await sql.query(
    `update usance.test_clocks
     set status = case when $5::text is null then 'ready' else 'failed' end,
         stands_at = case when $5::text is null then advance_to else stands_at end,
         finished_at = clock_timestamp(), ended_event_id = $4::uuid, code = $5::text, detail = $6::text, leased_until = null,
         allows_writes = false
     where ${HELD} returning ${COLUMNS}`,
    [...held(lease), end.endedEventId, failure?.code ?? null, failure?.detail ?? null],
  );
  return row ? clock(row) : null;
}
