// Executions as they are read: those that wait or run (`execution_queue`) and those that ended (`executions`), in one order of ids, which is the
// order of their events. Both are read in one statement: an execution that moves from one to the other is seen once.
//
// A page scans at most 20,000 rows of each, and `reached` says how far. Every statement about history has bounds of ids, so that it is planned over the
// months between them: first the last month, then a year, then everything.
import type { Row, Sql, Value } from '../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asNumber, asRecord, asText, asTextOrNull } from '../db/index.ts';
import { isEventOf, newestEventIdsOf } from '../events/index.ts';
import type { Stretch, Uuid } from '../kernel/index.ts';
import { MAX_UUID, NIL_UUID, firstIdAt, idInstant, newId } from '../kernel/index.ts';
import type { Execution, ExecutionStatus, FailureCode, Invocation } from './execution.ts';
import { EXECUTION_STATUSES, executionIdOf, invocationIdOf } from './execution.ts';
import { listJobIds } from './job-store.ts';

export const SCANNED_EXECUTIONS = 20_000;
export const MOST_INVOCATIONS = 1_000;
/** Events of a resource whose executions are looked for. */
export const MOST_EVENTS_OF_RESOURCE = 100;
/** Ids that one page looks for. */
const MOST_PROBES = 20_000;
const DAY_MS = 86_400_000;
const WINDOWS_MS = [31 * DAY_MS, 366 * DAY_MS, Infinity];

/** While an attempt runs, `due_at` is its start by the tenant's clock. */
const QUEUED = `x.id, x.job_id, x.event_id, x.seq, case when x.worker_id is null then 'pending' else 'running' end as status,
  x.attempt, x.started_at, case when x.worker_id is null then null else x.due_at end as attempted_at, null::timestamptz as ended_at,
  case when x.worker_id is null and not x.blocked then x.due_at end as next_at, x.claimed_at, x.worker_id, x.last_code as code, x.last_error as error,
  null::jsonb as result, x.created_at`;
const ENDED = `x.id, x.job_id, x.event_id, x.seq, x.status, x.attempt, x.started_at, x.attempted_at, x.ended_at, null::timestamptz as next_at,
  null::timestamptz as claimed_at, x.worker_id, x.code, x.error, x.result, x.created_at`;

/** An execution, and the start of the attempt that is part of its row: the running one, or the one that ended it. Null if there is none. */
export interface StoredExecution extends Execution {
  readonly attemptedAt: Date | null;
}

function execution(tenantId: Uuid, row: Row): StoredExecution {
  const status = asText(row['status']) as ExecutionStatus;
  return {
    tenantId,
    id: asText(row['id']),
    jobId: asText(row['job_id']),
    eventId: asText(row['event_id']),
    seq: asBigInt(row['seq']),
    status,
    attemptNumber: asNumber(row['attempt']),
    startedAt: asDateOrNull(row['started_at']),
    completedAt: asDateOrNull(row['ended_at']),
    nextRetryAt: asDateOrNull(row['next_at']),
    createdAt: asDate(row['created_at']),
    lockedAt: asDateOrNull(row['claimed_at']),
    workerId: asTextOrNull(row['worker_id']),
    code: asTextOrNull(row['code']) as FailureCode | null,
    error: asTextOrNull(row['error']),
    result: row['result'] === null ? null : asRecord(row['result']),
    attemptedAt: asDateOrNull(row['attempted_at']),
  };
}

/** The execution as callers see it. */
export function shownExecution({ attemptedAt: _own, ...shown }: StoredExecution): Execution {
  return shown;
}

/** Those of the ids that exist, newest first. */
export async function readExecutions(sql: Sql, tenantId: Uuid, ids: readonly Uuid[]): Promise<StoredExecution[]> {
  const sorted = ids.toSorted();
  const rows = await sql.query(
    `select ${QUEUED} from usance.execution_queue x where x.tenant_id = $1::uuid and x.id = any ($2::uuid[])
     union all
     select ${ENDED} from usance.executions x
     where x.tenant_id = $1::uuid and x.id = any ($2::uuid[]) and x.id >= $3::uuid and x.id <= $4::uuid
     order by id desc`,
    [tenantId, ids, sorted[0] ?? NIL_UUID, sorted.at(-1) ?? NIL_UUID],
  );
  return rows.map((row) => execution(tenantId, row));
}

export async function findExecution(sql: Sql, tenantId: Uuid, id: Uuid): Promise<StoredExecution | null> {
  return (await readExecutions(sql, tenantId, [id]))[0] ?? null;
}

export interface ExecutionFilter {
  readonly jobId?: Uuid;
  readonly status?: ExecutionStatus;
  readonly eventId?: Uuid;
  /** Executions for the newest events of this resource: at most a hundred, fewer for a tenant with more than 200 jobs and webhook endpoints, deleted ones included. */
  readonly resourceId?: Uuid;
}

/** With an event or a resource: only executions of these jobs. */
export interface AmongJobs {
  readonly jobIds?: readonly Uuid[];
}

export interface ExecutionRange {
  readonly limit: number;
  /** Only older ones. */
  readonly before: Uuid | null;
}

/** Newest first. */
export async function listExecutions(
  sql: Sql,
  tenantId: Uuid,
  filter: ExecutionFilter & AmongJobs,
  range: ExecutionRange,
  scanned = SCANNED_EXECUTIONS,
): Promise<Stretch<StoredExecution, Uuid>> {
  if (filter.eventId !== undefined || filter.resourceId !== undefined)
    return executionsOfEvents(sql, tenantId, filter, range);
  const found: StoredExecution[] = [];
  let upper = range.before ?? MAX_UUID;
  for (const windowMs of WINDOWS_MS) {
    const from = upper === MAX_UUID ? newId() : upper;
    const lower = windowMs === Infinity ? NIL_UUID : firstIdAt(new Date(idInstant(from).getTime() - windowMs));
    const limit = range.limit - found.length;
    const { items, reached } = await scan(sql, tenantId, filter, { upper, lower, limit, scanned });
    found.push(...items);
    if (reached !== null || found.length >= range.limit) return { items: found, reached };
    upper = lower;
  }
  return { items: found, reached: null };
}

/**
 * The id of an execution is made of its job and its event: one probe for each job that the tenant has or had, and each event. Ids are looked for
 * without their rows, which can have 64 KiB of result each; only the rows of the page are read.
 */
async function executionsOfEvents(
  sql: Sql,
  tenantId: Uuid,
  { jobId, jobIds, status, eventId, resourceId }: ExecutionFilter & AmongJobs,
  { limit, before }: ExecutionRange,
): Promise<Stretch<StoredExecution, Uuid>> {
  const jobs = jobId === undefined ? (jobIds ?? (await listJobIds(sql, tenantId))) : [jobId];
  if (jobs.length === 0) return { items: [], reached: null };
  const events = await eventIdsOf(sql, tenantId, { eventId, resourceId }, eventsFor(jobs.length));
  const ids = events.flatMap((event) => jobs.map((job) => executionIdOf(job, event)));
  const page = await newestIdsAmong(sql, tenantId, before === null ? ids : ids.filter((id) => id < before), {
    limit,
    status: status ?? null,
  });
  return { items: page.length === 0 ? [] : await readExecutions(sql, tenantId, page), reached: null };
}

/** The event, or the newest events of the resource. The event only if it is one of the resource, if both are given. */
async function eventIdsOf(
  sql: Sql,
  tenantId: Uuid,
  { eventId, resourceId }: { readonly eventId: Uuid | undefined; readonly resourceId: Uuid | undefined },
  most: number,
): Promise<readonly Uuid[]> {
  if (eventId === undefined) return newestEventIdsOf(sql, tenantId, resourceId ?? NIL_UUID, most);
  if (resourceId === undefined) return [eventId];
  return (await isEventOf(sql, tenantId, eventId, resourceId)) ? [eventId] : [];
}

const eventsFor = (jobs: number): number =>
  Math.min(MOST_EVENTS_OF_RESOURCE, Math.max(1, Math.floor(MOST_PROBES / jobs)));

/** The newest of the ids that exist, by their primary keys. */
async function newestIdsAmong(
  sql: Sql,
  tenantId: Uuid,
  ids: readonly Uuid[],
  { limit, status }: { readonly limit: number; readonly status: ExecutionStatus | null },
): Promise<Uuid[]> {
  if (ids.length === 0) return [];
  const sorted = ids.toSorted();
  const bounds = `x.tenant_id = $1::uuid and x.id = any ($2::uuid[])`;
  const rows = await sql.query(
    `select id from (
       select x.id, case when x.worker_id is null then 'pending' else 'running' end as status
       from usance.execution_queue x where ${bounds}
       union all
       select x.id, x.status from usance.executions x where ${bounds} and x.id >= $3::uuid and x.id <= $4::uuid
     ) x
     where $5::text is null or status = $5::text order by id desc limit $6::int`,
    [tenantId, ids, sorted[0] ?? NIL_UUID, sorted.at(-1) ?? NIL_UUID, status, limit],
  );
  return rows.map((row) => asText(row['id']));
}

interface Window {
  readonly upper: Uuid;
  readonly lower: Uuid;
  readonly limit: number;
  readonly scanned: number;
}

const IN_QUEUE: readonly (ExecutionStatus | undefined)[] = ['pending', 'running', undefined];
const IN_HISTORY: readonly (ExecutionStatus | undefined)[] = [...EXECUTION_STATUSES.slice(2), undefined];

/** One bounded scan of both tables; complete down to `reached`, or to the lower end of the window. */
async function scan(
  sql: Sql,
  tenantId: Uuid,
  { jobId, status }: ExecutionFilter,
  { upper, lower, limit, scanned }: Window,
): Promise<Stretch<StoredExecution, Uuid>> {
  const bounds = 'x.tenant_id = $1::uuid and x.id < $2::uuid and x.id >= $3::uuid';
  const wanted = `($4::uuid is null or x.job_id = $4::uuid) and ($5::text is null or x.status = $5::text)`;
  const rows = (columns: string, from: string): string =>
    `select * from (select ${columns} from ${from} order by x.id desc limit $6::int) x where ${wanted} order by x.id desc limit $7::int`;
  const end = (from: string): string => `select x.id from ${from} order by x.id desc offset $6::int - 1 limit 1`;
  const queue = `usance.execution_queue x where ${bounds} and ${String(IN_QUEUE.includes(status))}`;
  // The executions of a job have an index: only they are scanned.
  const ofJob = jobId === undefined ? '' : 'and x.job_id = $4::uuid';
  const history = `usance.executions x where ${bounds} ${ofJob} and ${String(IN_HISTORY.includes(status))}`;
  const short = (page: string, ends: string): string =>
    `case when (select count(*) from ${page}) < $7::int then (${ends}) end`;
  const values: Value[] = [tenantId, upper, lower, jobId ?? null, status ?? null, scanned, limit];
  const answer = await sql.query(
    `with queued as (${rows(QUEUED, queue)}), ended as (${rows(ENDED, history)})
     select x.*, r.queued_end, r.ended_end
     from (select ${short('queued', end(queue))} as queued_end, ${short('ended', end(history))} as ended_end) r
     left join (select * from queued union all select * from ended) x on true
     order by x.id desc`,
    values,
  );
  const [first] = answer;
  const ends = [asTextOrNull(first?.['queued_end']), asTextOrNull(first?.['ended_end'])];
  // If a scan of one of the two tables ended early, its rows below are not known: the page ends there.
  const reached = ends.reduce((most, one) => (one !== null && (most === null || one > most) ? one : most), null);
  const items = answer
    .filter((row) => row['id'] !== null && (reached === null || asText(row['id']) >= reached))
    .map((row) => execution(tenantId, row))
    .slice(0, limit);
  return { items, reached: items.length < limit ? reached : null };
}

/** The last attempts, by attempt: a dead letter can be retried any number of times. Ids are made of the execution and the number: one probe each. */
export async function listInvocations(sql: Sql, of: StoredExecution): Promise<Invocation[]> {
  const first = Math.max(1, of.attemptNumber - MOST_INVOCATIONS + 1);
  const ids = Array.from({ length: of.attemptNumber - first + 1 }, (_, index) => invocationIdOf(of.id, first + index));
  const sorted = ids.toSorted();
  const rows = await sql.query(
    `select id, attempt, worker_id, started_at, ended_at, code, error, result from usance.invocations
     where tenant_id = $1::uuid and id = any ($2::uuid[]) and id >= $3::uuid and id <= $4::uuid order by attempt`,
    [of.tenantId, ids, sorted[0] ?? NIL_UUID, sorted.at(-1) ?? NIL_UUID],
  );
  const before = rows.map((row): Invocation => ({
    id: asText(row['id']),
    executionId: of.id,
    attemptNumber: asNumber(row['attempt']),
    // A completed execution that was retried: its attempt has no code.
    status: row['code'] === '' ? 'success' : 'failed',
    workerId: asTextOrNull(row['worker_id']),
    startedAt: asDate(row['started_at']),
    completedAt: asDate(row['ended_at']),
    code: row['code'] === '' ? null : (asText(row['code']) as FailureCode),
    error: row['code'] === '' ? null : asText(row['error']),
    result: row['result'] === null ? null : asRecord(row['result']),
  }));
  const last = lastInvocation(of);
  return last ? [...before, last] : before;
}

/** The attempt that is part of the execution's row: the running one, or the one that ended it. */
function lastInvocation(of: StoredExecution): Invocation | null {
  if (of.attemptedAt === null) return null;
  const isRunning = of.status === 'running';
  return {
    id: invocationIdOf(of.id, of.attemptNumber),
    executionId: of.id,
    attemptNumber: of.attemptNumber,
    status: isRunning ? 'running' : of.status === 'completed' ? 'success' : 'failed',
    workerId: of.workerId,
    startedAt: of.attemptedAt,
    completedAt: of.completedAt,
    // In the row of a running attempt these are of the attempt before.
    code: isRunning ? null : of.code,
    error: isRunning ? null : of.error,
    result: of.result,
  };
}
