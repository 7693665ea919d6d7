// The matcher's statements. `joined_seq` is set only by a transaction that has the matcher's lock; match.ts says why that is enough.
import type { Sql } from '../db/index.ts';
import { asBigInt, asBoolean, asNumber, asText, only } from '../db/index.ts';
import { lastSeqsBefore } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { invariant } from '../kernel/index.ts';
import type { OrderKey } from './order-store.ts';
import { NEVER, noteOrder, openNext } from './order-store.ts';

/** A separate statement: the snapshot of the next one is then taken under the lock. */
export async function tryLockMatcher(tx: Sql): Promise<boolean> {
  const row = only(await tx.query(`select pg_try_advisory_xact_lock(hashtext('usance.matcher')) as got`));
  return asBoolean(row['got']);
}

export interface MatcherState {
  /** The position of the next event to match. */
  readonly position: bigint;
  /** Whether an enabled job was taken in, waits to be taken in, or has a gap to backfill. */
  readonly joined: boolean;
  readonly joining: boolean;
  readonly backfilling: boolean;
  /** Keys of ordered executions are noted (order-store.ts). */
  readonly noted: boolean;
}

const LIVE = 'enabled and deleted_at is null';

export async function readMatcher(sql: Sql): Promise<MatcherState> {
  const row = only(
    await sql.query(
      `select coalesce((select position from usance.job_matcher), 1) as position,
              exists (select from usance.jobs where ${LIVE} and joined_seq is not null) as joined,
              exists (select from usance.jobs where ${LIVE} and joined_seq is null) as joining,
              exists (select from usance.jobs where ${LIVE} and backfilled_seq < joined_seq) as backfilling,
              exists (select from usance.execution_order_notes) as noted`,
    ),
  );
  return {
    position: asBigInt(row['position']),
    joined: asBoolean(row['joined']),
    joining: asBoolean(row['joining']),
    backfilling: asBoolean(row['backfilling']),
    noted: asBoolean(row['noted']),
  };
}

/** The lock makes this one of one; the comparison would stop a second one that got past it. */
export async function movePosition(tx: Sql, from: bigint, to: bigint): Promise<void> {
  const rows = await tx.query(
    `insert into usance.job_matcher (position) values ($2::bigint)
     on conflict (is_only) do update set position = excluded.position where job_matcher.position = $1::bigint
     returning position`,
    [from, to],
  );
  invariant(rows.length === 1, 'the position of the matcher to be moved by one process at a time');
}

const JOINED_AT_ONCE = 1_000;

/** Takes in jobs at a position; returns whether there may be more. A job that a caller is changing is taken in later. Rides jobs_to_join. */
export async function joinJobs(tx: Sql, position: bigint): Promise<boolean> {
  const rows = await tx.query(
    `select tenant_id, id from usance.jobs where ${LIVE} and joined_seq is null
     order by tenant_id, id limit $1::int for no key update skip locked`,
    [JOINED_AT_ONCE],
  );
  const tenantIds = rows.map((row) => asText(row['tenant_id']));
  if (tenantIds.length === 0) return false;
  const passed = await lastSeqsBefore(tx, position, [...new Set(tenantIds)]);
  await tx.query(
    `update usance.jobs j set joined_seq = greatest(j.after_seq, v.seq)
     from unnest($1::uuid[], $2::uuid[], $3::bigint[]) v (tenant_id, id, seq) where j.tenant_id = v.tenant_id and j.id = v.id`,
    [tenantIds, rows.map((row) => asText(row['id'])), tenantIds.map((id) => passed.get(id) ?? 0n)],
  );
  return rows.length === JOINED_AT_ONCE;
}

/**
 * After the order lost its end: a job that begins, or joined, behind the end of its tenant's events would miss those that get the lost seqs.
 * It begins at that end. Seldom, and over all jobs.
 */
export async function pullBackJobs(tx: Sql, end: bigint): Promise<void> {
  const rows = await tx.query('select distinct tenant_id from usance.jobs where deleted_at is null');
  const tenantIds = rows.map((row) => asText(row['tenant_id']));
  const ends = await lastSeqsBefore(tx, end, tenantIds);
  await tx.query(
    `update usance.jobs j
     set after_seq = least(j.after_seq, v.seq), joined_seq = least(j.joined_seq, v.seq), backfilled_seq = least(j.backfilled_seq, v.seq)
     from unnest($1::uuid[], $2::bigint[]) v (tenant_id, seq)
     where j.tenant_id = v.tenant_id and (j.after_seq > v.seq or j.joined_seq > v.seq)`,
    [tenantIds, tenantIds.map((id) => ends.get(id) ?? 0n)],
  );
}

export interface JoinedJob {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly eventPattern: string;
  readonly managed: boolean;
  readonly ordered: boolean;
  readonly joinedSeq: bigint;
}

/** The jobs of these tenants that were taken in. Rides jobs_matched. */
export async function joinedJobs(tx: Sql, tenantIds: readonly Uuid[]): Promise<JoinedJob[]> {
  const rows = await tx.query(
    `select tenant_id, id, event_pattern, managed, ordered, joined_seq from usance.jobs
     where tenant_id = any ($1::uuid[]) and ${LIVE} and joined_seq is not null order by tenant_id, id`,
    [tenantIds],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    eventPattern: asText(row['event_pattern']),
    managed: asBoolean(row['managed']),
    ordered: asBoolean(row['ordered']),
    joinedSeq: asBigInt(row['joined_seq']),
  }));
}

export interface NewExecution {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly jobId: Uuid;
  readonly eventId: Uuid;
  readonly seq: bigint;
  readonly clockId: Uuid | null;
  readonly dueAt: Date;
  /** The resource of its event, if the job is ordered: it is queued blocked. */
  readonly orderKey: Uuid | null;
}

const INSERT = `insert into usance.execution_queue (tenant_id, id, job_id, event_id, seq, clock_id, due_at, created_at)
  select v.* from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[], $6::uuid[], $7::timestamptz[], $8::timestamptz[])
  v (tenant_id, id, job_id, event_id, seq, clock_id, due_at, created_at)
  on conflict do nothing`;

const columnsOf = (rows: readonly NewExecution[]) => [
  rows.map((row) => row.tenantId),
  rows.map((row) => row.id),
  rows.map((row) => row.jobId),
  rows.map((row) => row.eventId),
  rows.map((row) => row.seq),
  rows.map((row) => row.clockId),
  rows.map((row) => row.dueAt),
  rows.map((row) => row.dueAt),
];

const INSERT_ORDERED = `insert into usance.execution_queue
    (tenant_id, id, job_id, event_id, seq, clock_id, due_at, created_at, order_key, blocked)
  select v.tenant_id, v.id, v.job_id, v.event_id, v.seq, v.clock_id, ${NEVER}, v.created_at, v.order_key, true
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[], $6::uuid[], $7::timestamptz[], $8::uuid[])
  v (tenant_id, id, job_id, event_id, seq, clock_id, created_at, order_key)
  on conflict do nothing`;

const orderedColumnsOf = (rows: readonly OrderedExecution[]) => [
  ...columnsOf(rows).slice(0, 7),
  rows.map((row) => row.orderKey),
];

export type OrderedExecution = NewExecution & OrderKey;

const isOrdered = (row: NewExecution): row is OrderedExecution => row.orderKey !== null;
const isFree = (row: NewExecution): boolean => row.orderKey === null;

/** Those of a key that has nothing open are opened. Under the matcher's lock. */
export async function insertExecutions(tx: Sql, rows: readonly NewExecution[]): Promise<void> {
  const ordered = rows.filter(isOrdered);
  const free = ordered.length === 0 ? rows : rows.filter(isFree);
  if (free.length > 0) await tx.query(INSERT, columnsOf(free));
  if (ordered.length === 0) return;
  await tx.query(INSERT_ORDERED, orderedColumnsOf(ordered));
  await openNext(tx, ordered);
}

/**
 * The same for events of one job that may have been matched before. The second statement sees what ended before the first one added its rows, and a row
 * that is not committed cannot end: none that is in history stays in the queue. In the other order, one that ended in between would run again.
 */
export async function insertUnended(tx: Sql, tenantId: Uuid, rows: readonly NewExecution[]): Promise<number> {
  if (rows.length === 0) return 0;
  const ordered = rows.filter(isOrdered);
  const inserted = await (ordered.length > 0
    ? tx.query(`${INSERT_ORDERED} returning id`, orderedColumnsOf(ordered))
    : tx.query(`${INSERT} returning id`, columnsOf(rows)));
  const added = inserted.map((row) => asText(row['id']));
  // Beside takes, which open keys under the matcher's lock: the lock's next holder looks at them.
  await noteOrder(tx, ordered);
  const sorted = added.toSorted();
  const ended = await tx.query(
    `delete from usance.execution_queue q using usance.executions e
     where q.tenant_id = $1::uuid and q.id = any ($2::uuid[]) and e.tenant_id = $1::uuid and e.id = q.id
       and e.id >= $3::uuid and e.id <= $4::uuid
     returning q.id`,
    [tenantId, added, sorted[0] ?? null, sorted.at(-1) ?? null],
  );
  return added.length - ended.length;
}

/** How many of the executions are queued or in history. */
export async function countKnown(sql: Sql, tenantId: Uuid, ids: readonly Uuid[]): Promise<number> {
  const sorted = ids.toSorted();
  const row = only(
    await sql.query(
      `select count(*)::int as known from unnest($2::uuid[]) v (id)
       where exists (select from usance.execution_queue q where q.tenant_id = $1::uuid and q.id = v.id)
          or exists (select from usance.executions e where e.tenant_id = $1::uuid and e.id = v.id and e.id >= $3::uuid and e.id <= $4::uuid)`,
      [tenantId, ids, sorted[0] ?? null, sorted.at(-1) ?? null],
    ),
  );
  return asNumber(row['known']);
}

export interface Gap extends Omit<JoinedJob, 'joinedSeq'> {
  readonly after: bigint;
  readonly upTo: bigint;
}

/**
 * The rest of a backfill: of the next tenant behind `after`, its job with the shortest rest. The job is locked, so that two processes do not
 * read the same page; a job that a caller is changing is passed over. Rides jobs_to_join.
 */
export async function lockGapIfFree(tx: Sql, after: Uuid): Promise<Gap | null> {
  const [row] = await tx.query(
    `select tenant_id, id, event_pattern, managed, ordered, backfilled_seq, joined_seq from usance.jobs
     where ${LIVE} and backfilled_seq < joined_seq and tenant_id > $1::uuid
     order by tenant_id, joined_seq - backfilled_seq, id limit 1 for no key update skip locked`,
    [after],
  );
  return row
    ? {
        tenantId: asText(row['tenant_id']),
        id: asText(row['id']),
        eventPattern: asText(row['event_pattern']),
        managed: asBoolean(row['managed']),
        ordered: asBoolean(row['ordered']),
        after: asBigInt(row['backfilled_seq']),
        upTo: asBigInt(row['joined_seq']),
      }
    : null;
}

export async function markBackfilled(tx: Sql, { tenantId, id }: Gap, seq: bigint): Promise<void> {
  await tx.query('update usance.jobs set backfilled_seq = $3::bigint where tenant_id = $1::uuid and id = $2::uuid', [
    tenantId,
    id,
    seq,
  ]);
}

/** Events of the order that are not matched yet, if any job is. */
export async function countUnmatched(sql: Sql, end: bigint): Promise<number> {
  const { position, joined } = await readMatcher(sql);
  return joined && end > position ? asNumber(end - position) : 0;
}
