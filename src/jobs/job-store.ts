// Jobs and processors. Changes of a job lock its row first; the matcher and the rescuer skip a row that is locked, so that a caller's long
// transaction delays only its own job.
import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asBoolean, asDate, asNumber, asNumberOrNull, asRecord, asText } from '../db/index.ts';
import type { RetryPolicy, Uuid } from '../kernel/index.ts';
import type { Job, Processor } from './job.ts';

const COLUMNS = `tenant_id, id, name, description, event_pattern, processor_name, enabled, retry::text as retry, timeout_ms,
  max_concurrency, max_per_second, after_seq, created_by, created_at, updated_at, managed, ordered`;

/** Executions that wait or run, for the statements of an owner. */
export const OPEN_EXECUTIONS = 'select tenant_id, id from usance.execution_queue';

/** The jobs of owners, for the statements of an owner. */
export const MANAGED_JOBS = `select tenant_id, id, name, event_pattern, processor_name, ordered, max_per_second, enabled, created_by, deleted_at
  from usance.jobs where managed`;

function job(row: Row): Job {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    name: asText(row['name']),
    description: asText(row['description']),
    eventPattern: asText(row['event_pattern']),
    processorName: asText(row['processor_name']),
    managed: asBoolean(row['managed']),
    ordered: asBoolean(row['ordered']),
    enabled: asBoolean(row['enabled']),
    retry: retryOf(row['retry']),
    timeoutMs: asNumber(row['timeout_ms']),
    maxConcurrency: asNumberOrNull(row['max_concurrency']),
    maxPerSecond: asNumberOrNull(row['max_per_second']),
    afterSeq: asBigInt(row['after_seq']),
    createdBy: asText(row['created_by']),
    createdAt: asDate(row['created_at']),
    updatedAt: asDate(row['updated_at']),
  };
}

/** A policy as it is stored: whole, or null for the default. */
export function retryOf(value: unknown): RetryPolicy | null {
  if (value === null) return null;
  const stored = asRecord(value);
  const { delaysMs } = stored;
  return {
    maxAttempts: asNumber(stored['maxAttempts']),
    initialDelayMs: asNumber(stored['initialDelayMs']),
    multiplier: asNumber(stored['multiplier']),
    maxDelayMs: asNumber(stored['maxDelayMs']),
    jitter: asNumber(stored['jitter']),
    ...(Array.isArray(delaysMs) ? { delaysMs: delaysMs.map(asNumber) } : {}),
  };
}

/**
 * The number of the tenant's jobs, exact until the transaction ends: creates and renames of one tenant take turns. Call it before any other
 * lock of a job.
 */
export async function lockAndCountJobs(sql: Sql, tenantId: Uuid): Promise<number> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('usance jobs ' || $1::text, 0))`, [tenantId]);
  const [row] = await sql.query(
    'select count(*)::int as jobs from usance.jobs where tenant_id = $1::uuid and deleted_at is null',
    [tenantId],
  );
  return asNumber(row?.['jobs']);
}

/** A live job of that name. Under `lockAndCountJobs` the answer stays true. */
export async function isNameTaken(sql: Sql, tenantId: Uuid, name: string): Promise<boolean> {
  const rows = await sql.query(
    'select from usance.jobs where tenant_id = $1::uuid and name = $2::text and deleted_at is null',
    [tenantId, name],
  );
  return rows.length > 0;
}

export async function insertJob(sql: Sql, made: Job): Promise<void> {
  await sql.query(
    `insert into usance.jobs
       (tenant_id, id, name, description, event_pattern, processor_name, enabled, retry, timeout_ms, max_concurrency, max_per_second,
        after_seq, backfilled_seq, created_by, created_at, updated_at, managed, ordered)
     values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::boolean, $8::jsonb, $9::int, $10::int, $11::int,
             $12::bigint, $12::bigint, $13::text, $14::timestamptz, $15::timestamptz, $16::boolean, $17::boolean)`,
    [
      made.tenantId,
      made.id,
      ...termsOf(made),
      made.afterSeq,
      made.createdBy,
      made.createdAt,
      made.updatedAt,
      made.managed,
      made.ordered,
    ],
  );
}

/** `again`: it was disabled, and begins again behind `afterSeq`; the matcher has to take it in again. */
export async function updateJobRow(sql: Sql, changed: Job, again: boolean): Promise<void> {
  await sql.query(
    `update usance.jobs
     set name = $3::text, description = $4::text, event_pattern = $5::text, processor_name = $6::text, enabled = $7::boolean,
         retry = $8::jsonb, timeout_ms = $9::int, max_concurrency = $10::int, max_per_second = $11::int, updated_at = $12::timestamptz,
         after_seq = case when $13::boolean then $14::bigint else after_seq end,
         joined_seq = case when $13::boolean then null else joined_seq end,
         backfilled_seq = case when $13::boolean then $14::bigint else backfilled_seq end, ordered = $15::boolean
     where tenant_id = $1::uuid and id = $2::uuid`,
    [changed.tenantId, changed.id, ...termsOf(changed), changed.updatedAt, again, changed.afterSeq, changed.ordered],
  );
}

const termsOf = (of: Job) =>
  [
    of.name,
    of.description,
    of.eventPattern,
    of.processorName,
    of.enabled,
    of.retry === null ? null : JSON.stringify(of.retry),
    of.timeoutMs,
    of.maxConcurrency,
    of.maxPerSecond,
  ] as const;

/**
 * An enabled job also gets the events behind a seq that it did not get: its backfill begins there. It makes executions only for events that
 * have none (insertUnended). A seq behind the beginning of the job changes nothing.
 */
export async function rewindJob(sql: Sql, tenantId: Uuid, id: Uuid, seq: bigint): Promise<void> {
  await sql.query(
    `update usance.jobs set after_seq = least(after_seq, $3::bigint), backfilled_seq = least(backfilled_seq, $3::bigint)
     where tenant_id = $1::uuid and id = $2::uuid and enabled and deleted_at is null`,
    [tenantId, id, seq],
  );
}

/** The events that a backfill of an enabled job from a seq on would look at: behind `after`, up to where takes began to match. */
export async function lockRewind(sql: Sql, tenantId: Uuid, id: Uuid): Promise<Rewind | null> {
  const [row] = await sql.query(
    `select event_pattern, managed, ordered, coalesce(joined_seq, after_seq) as up_to from usance.jobs
     where tenant_id = $1::uuid and id = $2::uuid and enabled and deleted_at is null for no key update`,
    [tenantId, id],
  );
  return row
    ? {
        id,
        tenantId,
        eventPattern: asText(row['event_pattern']),
        managed: asBoolean(row['managed']),
        ordered: asBoolean(row['ordered']),
        upTo: asBigInt(row['up_to']),
      }
    : null;
}

export type Rewind = Pick<Job, 'id' | 'tenantId' | 'eventPattern' | 'managed' | 'ordered'> & { readonly upTo: bigint };

export async function markJobDeleted(sql: Sql, { tenantId, id }: Job, at: Date): Promise<void> {
  await sql.query(
    `update usance.jobs set deleted_at = $3::timestamptz, updated_at = $3::timestamptz where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id, at],
  );
}

export type JobLock = 'for update' | 'for share' | '';

export async function findJob(sql: Sql, tenantId: Uuid, id: Uuid, lock: JobLock = ''): Promise<Job | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.jobs where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null ${lock}`,
    [tenantId, id],
  );
  return row ? job(row) : null;
}

/** False if another transaction has it locked, or it is deleted. Waits for no one. */
export async function lockJobIfFree(sql: Sql, tenantId: Uuid, id: Uuid): Promise<boolean> {
  const rows = await sql.query(
    `select from usance.jobs where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null for update skip locked`,
    [tenantId, id],
  );
  return rows.length > 0;
}

export async function findJobByName(sql: Sql, tenantId: Uuid, name: string): Promise<Job | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.jobs where tenant_id = $1::uuid and name = $2::text and deleted_at is null`,
    [tenantId, name],
  );
  return row ? job(row) : null;
}

/** Those of the ids that are live, held against a delete until the transaction ends. */
export async function lockLiveJobs(sql: Sql, tenantId: Uuid, ids: readonly Uuid[]): Promise<Set<Uuid>> {
  const rows = await sql.query(
    `select id from usance.jobs where tenant_id = $1::uuid and id = any ($2::uuid[]) and deleted_at is null order by id for share`,
    [tenantId, ids],
  );
  return new Set(rows.map((row) => asText(row['id'])));
}

export interface JobFilter {
  readonly enabled?: boolean;
  readonly processorName?: string;
}

/** Newest first; a tenant has at most MOST_JOBS of them. */
export async function listJobs(
  sql: Sql,
  tenantId: Uuid,
  filter: JobFilter,
  { limit, before }: { readonly limit: number; readonly before: Uuid | null },
): Promise<Job[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.jobs
     where tenant_id = $1::uuid and deleted_at is null and ($2::uuid is null or id < $2::uuid)
       and ($3::boolean is null or enabled = $3::boolean) and ($4::text is null or processor_name = $4::text)
     order by id desc limit $5::int`,
    [tenantId, before, filter.enabled ?? null, filter.processorName ?? null, limit],
  );
  return rows.map(job);
}

/** Ids of every job that the tenant has or had, the newest 20,000: an execution is looked up by its job and its event. */
export async function listJobIds(sql: Sql, tenantId: Uuid): Promise<Uuid[]> {
  const rows = await sql.query('select id from usance.jobs where tenant_id = $1::uuid order by id desc limit 20000', [
    tenantId,
  ]);
  return rows.map((row) => asText(row['id']));
}

/** Whether any tenant has an enabled job for one of the processors. Rides jobs_processor. */
export async function hasJobFor(sql: Sql, processors: readonly string[]): Promise<boolean> {
  const rows = await sql.query(
    'select from usance.jobs where enabled and deleted_at is null and processor_name = any ($1::text[]) limit 1',
    [processors],
  );
  return rows.length > 0;
}

/** A subscription is a processor of one tenant: to others it is not there. */
const FOR_TENANT = '(tenant_id is null or tenant_id = $1::uuid)';

export async function isAnnounced(sql: Sql, tenantId: Uuid, processorName: string): Promise<boolean> {
  const rows = await sql.query(`select from usance.processors where ${FOR_TENANT} and name = $2::text`, [
    tenantId,
    processorName,
  ]);
  return rows.length > 0;
}

export async function listProcessors(sql: Sql, tenantId: Uuid): Promise<Processor[]> {
  const rows = await sql.query(
    `select name, description, announced_at, last_seen_at from usance.processors where ${FOR_TENANT} order by name`,
    [tenantId],
  );
  return rows.map((row) => ({
    name: asText(row['name']),
    description: asText(row['description']),
    announcedAt: asDate(row['announced_at']),
    lastSeenAt: asDate(row['last_seen_at']),
  }));
}
