// The life of an execution in the queue: claimed, completed, failed, given back. Every statement works on a set, and every write about a
// running attempt has its fence (attempt.ts): an attempt that the worker no longer has is not changed.
//
// While an attempt runs, `due_at` is its start by the tenant's clock, and `claimed_at` the same instant by the server's.
// Lock order: rows of the queue by (tenant, id); completions lock by place, and wait for no row that
// moved. Claims skip locked rows.
import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asBoolean, asDate, asDateOrNull, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import type { Attempt } from './attempt.ts';
import { FENCE, fenceColumns, inLockOrder } from './attempt.ts';
import type { QueueMark } from './claim-store.ts';
import type { JobKey } from './job.ts';

/** A range to claim from: one job, from its first execution or from beyond a mark. */
export interface ClaimRange extends JobKey {
  /** As the job had them when it was found; if they are others by now, the claim takes nothing. */
  readonly processorName: string;
  readonly timeoutMs: number;
  /** The clock of a test tenant. */
  readonly clockId: Uuid | null;
  /** The tenant's time. */
  readonly now: Date;
  readonly mark: QueueMark | null;
  readonly limit: number;
  /** This transaction has the lock of the job, so that its running executions can be counted. */
  readonly isLocked: boolean;
  /** `limit` was granted by the job's rate. */
  readonly isRated: boolean;
}

export interface ClaimedExecution extends Attempt {
  readonly workerId: Uuid;
  readonly jobId: Uuid;
  readonly eventId: Uuid;
  readonly seq: bigint;
  readonly clockId: Uuid | null;
  readonly processorName: string;
  readonly timeoutMs: number;
  /** Start of the first attempt, and of this one, by the tenant's clock. */
  readonly startedAt: Date;
  readonly attemptedAt: Date;
  /** By the server's clock. */
  readonly claimedAt: Date;
  /** When it was due, by the tenant's clock. */
  readonly dueAt: Date;
  /** Why the attempt before this one failed. */
  readonly lastCode: string | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  /** The resource that its job takes in turns; null if the job is not ordered. */
  readonly orderKey: Uuid | null;
  /** The place of its row (ctid). A change of the row, such as the request of a cancel, moves it. */
  readonly place: string;
}

const OF_LIVE_TENANTS = `q.clock_id is null and q.tenant_id = r.tenant_id and q.job_id = r.job_id
  and (q.due_at, q.id) > (r.mark_at, r.mark_id)`;
// The tenant rides no index: before statistics exist the planner might otherwise read all that the tenant has.
const OF_TEST_TENANTS =
  'q.clock_id = r.clock_id and q.job_id = r.job_id and q.tenant_id is not distinct from r.tenant_id';

/**
 * Claims executions for a worker, oldest first in each range, except those that another transaction has. The attempt is counted here.
 * A job that is disabled, deleted or given to another processor by now gives none; a job with a limit only what is left of it; a worker
 * whose row is gone gets nothing. The row is locked against the rescuer, which takes back what it finds and then deletes the row.
 * Rides execution_queue_due from the mark on, so that deleted rows that an old snapshot keeps alive are not stepped over; or
 * execution_queue_clock.
 */
export async function claimExecutions(
  sql: Sql,
  workerId: Uuid,
  ranges: readonly ClaimRange[],
  claimedAt: Date,
): Promise<ClaimedExecution[]> {
  const live = ranges.filter(({ clockId }) => clockId === null);
  const test = ranges.filter(({ clockId }) => clockId !== null);
  const claimed: ClaimedExecution[] = [];
  for (const [some, predicate] of [[live, OF_LIVE_TENANTS] as const, [test, OF_TEST_TENANTS] as const]) {
    if (some.length > 0) claimed.push(...(await claimIn(sql, workerId, some, claimedAt, predicate)));
  }
  return claimed;
}

async function claimIn(
  sql: Sql,
  workerId: Uuid,
  ranges: readonly ClaimRange[],
  claimedAt: Date,
  predicate: string,
): Promise<ClaimedExecution[]> {
  const rows = await sql.query(
    // A row has what differs within a range: a claim of 500 is read in half the time.
    `with me as materialized (select w.id from usance.job_workers w where w.id = $1::uuid for key share),
     taken as materialized (
       select q.queue_ctid, q.id, q.due_at, r.now, r.n
       from me cross join
         unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::timestamptz[], $8::uuid[], $9::int[], $10::boolean[], $11::boolean[],
                $12::text[], $13::int[])
         with ordinality r (tenant_id, job_id, clock_id, now, mark_at, mark_id, most, is_locked, is_rated, processor_name, timeout_ms, n)
       cross join lateral (
         select j.max_concurrency, j.max_per_second from usance.jobs j
         where j.tenant_id = r.tenant_id and j.id = r.job_id and j.enabled and j.deleted_at is null
           and j.processor_name = r.processor_name and j.timeout_ms = r.timeout_ms
         offset 0
       ) j
       cross join lateral (
         select case
           when j.max_per_second is not null and not r.is_rated then 0
           when j.max_concurrency is null then r.most
           when not r.is_locked then 0
           else greatest(0, least(r.most, j.max_concurrency - (
             select coalesce(sum(u.running), 0)::int from usance.job_workers w
             cross join lateral (
               select count(*) as running from usance.execution_queue u where u.worker_id = w.id and u.job_id = r.job_id
             ) u)))
         end as most
       ) m
       cross join lateral (
         select q.ctid as queue_ctid, q.id, q.due_at from usance.execution_queue q
         where q.worker_id is null and ${predicate} and q.due_at <= r.now
         order by q.due_at, q.id limit m.most
         for update skip locked
       ) q
     )
     update usance.execution_queue q
     set worker_id = $1::uuid, attempt = q.attempt + 1, claimed_at = $2::timestamptz,
         started_at = coalesce(q.started_at, t.now), due_at = t.now
     from taken t where q.ctid = t.queue_ctid and q.id = t.id
     returning t.n, q.id, q.event_id, q.seq, q.attempt, t.due_at, nullif(q.created_at, t.due_at) as created_at,
       nullif(q.started_at, t.now) as started_at, q.last_code, q.last_error, q.order_key, q.ctid as place`,
    [
      workerId,
      claimedAt,
      ranges.map((range) => range.tenantId),
      ranges.map((range) => range.jobId),
      ranges.map((range) => range.clockId),
      ranges.map((range) => range.now),
      ranges.map((range) => range.mark?.dueAt ?? '-infinity'),
      ranges.map((range) => range.mark?.id ?? NIL_UUID),
      ranges.map((range) => range.limit),
      ranges.map((range) => range.isLocked),
      ranges.map((range) => range.isRated),
      ranges.map((range) => range.processorName),
      ranges.map((range) => range.timeoutMs),
    ],
  );
  return rows.map((row) => claimedExecution(row, ranges[asNumber(row['n']) - 1] as ClaimRange, workerId, claimedAt));
}

function claimedExecution(row: Row, range: ClaimRange, workerId: Uuid, claimedAt: Date): ClaimedExecution {
  const { tenantId, jobId, clockId, processorName, timeoutMs, now } = range;
  const dueAt = asDate(row['due_at']);
  return {
    tenantId,
    executionId: asText(row['id']),
    workerId,
    attempt: asNumber(row['attempt']),
    jobId,
    eventId: asText(row['event_id']),
    seq: asBigInt(row['seq']),
    clockId,
    processorName,
    timeoutMs,
    startedAt: asDateOrNull(row['started_at']) ?? now,
    attemptedAt: now,
    claimedAt,
    dueAt,
    lastCode: asTextOrNull(row['last_code']),
    lastError: asTextOrNull(row['last_error']),
    createdAt: asDateOrNull(row['created_at']) ?? dueAt,
    orderKey: asTextOrNull(row['order_key']),
    place: asText(row['place']),
  };
}

export interface CompletedAttempt extends Attempt {
  /** The place of its row after the claim. */
  readonly place: string;
  /** JSON of the result; null if there is none. */
  readonly result: string | null;
  /** By the tenant's clock. Left out: the present time of the server, as for every live tenant. */
  readonly endedAt?: Date | null;
}

/**
 * Moves completed executions from the queue to history. The result of an attempt whose event was erased while it ran is not kept
 * (erase_executions marks the row): it may repeat the data of the event. Returns the ids of those that were still held by their workers.
 *
 * A row is almost always where the claim left it, and is found there without an index: that is a third of what a completion costs. A row that was
 * changed since (the request of a cancel, an erasure) is not there any more and is found by its key. The others are locked by then, so this
 * lock is not waited for, which would be out of order: if another transaction has it, all is refused with a lock timeout.
 */
export async function completeAttempts(sql: Sql, done: readonly CompletedAttempt[]): Promise<ReadonlySet<Uuid>> {
  if (done.length === 0) return new Set();
  const rows = inLockOrder(done);
  const atPlace = await complete(
    sql,
    rows,
    rows.map(({ place }) => place),
  );
  const moved = rows.filter(({ executionId }) => !atPlace.has(executionId));
  if (moved.length === 0) return atPlace;
  const locked = await sql.query(
    `select q.id from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) k (tenant_id, id, worker_id, attempt)
     join usance.execution_queue q on ${FENCE}
     for update of q nowait`,
    fenceColumns(moved),
  );
  if (locked.length === 0) return atPlace;
  return new Set([...atPlace, ...(await complete(sql, moved, null))]);
}

/** At their places, or by their keys. Returns the ids of those that were held. */
async function complete(
  sql: Sql,
  rows: readonly CompletedAttempt[],
  places: readonly string[] | null,
): Promise<ReadonlySet<Uuid>> {
  const kept = only(
    await sql.query(
      // If all were held, as almost always, their ids are not sent back.
      `with done as (
         delete from usance.execution_queue q
         using unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::jsonb[], $6::timestamptz[]${places ? ', $7::tid[]' : ''})
           k (tenant_id, id, worker_id, attempt, result, ended_at${places ? ', place' : ''})
         where ${places ? 'q.ctid = k.place and' : ''} ${FENCE}
         returning q.tenant_id, q.id, q.job_id, q.event_id, q.seq, q.attempt, q.worker_id, q.started_at, q.due_at, q.created_at,
           case when q.last_code = 'EVENT_ERASED' then null else k.result end as result, coalesce(k.ended_at, statement_timestamp()) as ended_at
       ), kept as (
         insert into usance.executions (tenant_id, id, job_id, event_id, seq, status, attempt, worker_id, started_at, attempted_at, ended_at,
           result, created_at)
         select tenant_id, id, job_id, event_id, seq, 'completed', attempt, worker_id, started_at, due_at, greatest(ended_at, due_at), result,
           created_at
         from done returning id
       )
       select case when count(*) < cardinality($1::uuid[]) then coalesce(json_agg(id), '[]')::text end as ids from kept`,
      [
        ...fenceColumns(rows),
        rows.map((attempt) => attempt.result),
        rows.map((attempt) => attempt.endedAt ?? null),
        ...(places ? [places] : []),
      ],
    ),
  )['ids'];
  return new Set(kept === null ? rows.map(({ executionId }) => executionId) : (JSON.parse(asText(kept)) as Uuid[]));
}

export interface GivenBack extends Attempt {
  /** When it was claimed, by the server's clock: with the attempt not counted, the next claim of this worker has the same number. */
  readonly claimedAt: Date;
  /** Why, if the process of the processor ended: the next attempt then runs by itself. */
  readonly suspected: string | null;
}

/** Lets executions wait again as if they had not been claimed, due since the instant of their claim. Returns how many were still held. Not those to cancel. */
export async function giveBackAttempts(sql: Sql, attempts: readonly GivenBack[]): Promise<number> {
  if (attempts.length === 0) return 0;
  const rows = inLockOrder(attempts);
  const given = await sql.query(
    `update usance.execution_queue q
     set worker_id = null, claimed_at = null, attempt = q.attempt - 1,
         started_at = case when q.attempt = 1 then null else q.started_at end,
         last_code = case when k.suspected is null then q.last_code else 'PROCESSOR_EXITED' end,
         last_error = coalesce(k.suspected, q.last_error)
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::timestamptz[], $6::text[])
       k (tenant_id, id, worker_id, attempt, claimed_at, suspected)
     where ${FENCE} and q.claimed_at = k.claimed_at and not q.cancel_requested
     returning 1 as given`,
    [...fenceColumns(rows), rows.map((attempt) => attempt.claimedAt), rows.map((attempt) => attempt.suspected)],
  );
  return given.length;
}

/** Locks those of the attempts to give back that are still held and whose cancel was requested. */
export async function lockCancelled(sql: Sql, attempts: readonly GivenBack[]): Promise<Attempt[]> {
  const rows = await sql.query(
    `select q.tenant_id, q.id, q.worker_id, q.attempt
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::timestamptz[]) k (tenant_id, id, worker_id, attempt, claimed_at)
     join usance.execution_queue q
       on ${FENCE}
     where q.claimed_at = k.claimed_at and q.cancel_requested order by q.tenant_id, q.id for update of q`,
    [...fenceColumns(attempts), attempts.map((attempt) => attempt.claimedAt)],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    executionId: asText(row['id']),
    workerId: asTextOrNull(row['worker_id']),
    attempt: asNumber(row['attempt']),
  }));
}

/** Whether the row of each attempt that is still held is free of other transactions; free ones are locked. Never waits. */
export async function lockFree(sql: Sql, attempts: readonly Attempt[]): Promise<Map<Uuid, boolean>> {
  const held = `join usance.execution_queue q
       on ${FENCE}`;
  const rows = await sql.query(
    `with k as materialized (
       select k.* from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) k (tenant_id, id, worker_id, attempt)
     ), free as materialized (select q.id from k ${held} for update of q skip locked)
     select q.id, q.id in (select f.id from free f) as free from k ${held}`,
    fenceColumns(attempts),
  );
  return new Map(rows.map((row) => [asText(row['id']), asBoolean(row['free'])]));
}

/** The running attempts whose cancel was requested, and those that the worker no longer has. By primary key. */
export async function readAttemptNews(
  sql: Sql,
  attempts: readonly Attempt[],
): Promise<Map<Uuid, 'cancelled' | 'lost'>> {
  const rows = await sql.query(
    `select k.id, q.id is null as is_lost
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) k (tenant_id, id, worker_id, attempt)
     left join usance.execution_queue q
       on ${FENCE}
     where q.id is null or q.cancel_requested`,
    fenceColumns(attempts),
  );
  return new Map(rows.map((row) => [asText(row['id']), asBoolean(row['is_lost']) ? 'lost' : 'cancelled']));
}

/** Everything that a worker has claimed. Rides execution_queue_running. */
export async function listHeld(sql: Sql, workerId: Uuid): Promise<(Attempt & { readonly claimedAt: Date })[]> {
  const rows = await sql.query(
    'select tenant_id, id, attempt, claimed_at from usance.execution_queue where worker_id = $1::uuid',
    [workerId],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    executionId: asText(row['id']),
    workerId,
    attempt: asNumber(row['attempt']),
    claimedAt: asDate(row['claimed_at']),
  }));
}
