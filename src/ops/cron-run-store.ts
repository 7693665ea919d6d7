import type { Sql } from '../db/index.ts';
import { asDate, asDateOrNull, asNumber, asRecord, asText, asTextOrNull } from '../db/index.ts';
import type { Counts, Uuid } from '../kernel/index.ts';
import { firstIdAt } from '../kernel/index.ts';

export const RUN_STATUSES = ['RUNNING', 'SUCCESS', 'FAILED'] as const;

export interface CronRun {
  readonly id: Uuid;
  /** The loop. */
  readonly jobName: string;
  readonly status: (typeof RUN_STATUSES)[number];
  readonly processedCount: number;
  readonly counts: Counts;
  /** A code and a sentence, for a failed run. */
  readonly errorMessage: string | null;
  readonly startedAt: Date;
  /** Null while it runs. */
  readonly finishedAt: Date | null;
}

export interface RunNote extends Omit<CronRun, 'startedAt' | 'finishedAt'> {
  /** Seconds since it started, and since its last work ended: the server's clock says when that was. */
  readonly ageSeconds: number;
  readonly restSeconds: number;
}

/** Inserts runs, or says how they stand now; each call is a sign of life. */
export async function writeCronRuns(sql: Sql, runs: readonly RunNote[]): Promise<void> {
  await sql.query(
    `insert into usance.cron_runs as r
       (id, job_name, status, processed_count, counts, error_message, started_at, seen_at, finished_at)
     select n.id, n.job_name, n.status, n.processed, n.counts, n.error, t - make_interval(secs => n.age), t,
       case when n.status <> 'RUNNING' then t - make_interval(secs => least(n.rest, n.age)) end
     from clock_timestamp() t, unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::jsonb[], $6::text[], $7::float8[],
       $8::float8[]) n (id, job_name, status, processed, counts, error, age, rest)
     on conflict (id) do update set status = excluded.status, processed_count = excluded.processed_count,
       counts = excluded.counts, error_message = excluded.error_message, seen_at = greatest(r.seen_at, excluded.seen_at),
       finished_at = case when excluded.finished_at is not null then greatest(r.started_at, excluded.finished_at) end`,
    [
      runs.map((run) => run.id),
      runs.map((run) => run.jobName),
      runs.map((run) => run.status),
      runs.map((run) => run.processedCount),
      runs.map((run) => JSON.stringify(run.counts)),
      runs.map((run) => run.errorMessage),
      runs.map((run) => run.ageSeconds),
      runs.map((run) => run.restSeconds),
    ],
  );
}

/** Ends runs without a recent sign of life as failed, at their last one; how many. Rides cron_runs_running. */
export async function endLostRuns(sql: Sql, silentSeconds: number, message: string): Promise<number> {
  const rows = await sql.query(
    `update usance.cron_runs set status = 'FAILED', error_message = $2::text, finished_at = seen_at
     where id = any (array(
       select id from usance.cron_runs
       where status = 'RUNNING' and seen_at < clock_timestamp() - make_interval(secs => $1::float8)
       for update skip locked))
     returning 1 as ended`,
    [silentSeconds, message],
  );
  return rows.length;
}

/** Newest first; `before` is the id to go on from. */
export async function listCronRuns(
  sql: Sql,
  filter: { readonly jobName?: string; readonly status?: CronRun['status'] },
  page: { readonly limit: number; readonly before?: Uuid },
): Promise<CronRun[]> {
  const rows = await sql.query(
    `select id, job_name, status, processed_count, counts::text as counts, error_message, started_at, finished_at
     from usance.cron_runs
     where ($1::text is null or job_name = $1::text) and ($2::text is null or status = $2::text)
       and ($3::uuid is null or id < $3::uuid)
     order by id desc limit $4::int`,
    [filter.jobName ?? null, filter.status ?? null, page.before ?? null, page.limit],
  );
  return rows.map((row) => ({
    id: asText(row['id']),
    jobName: asText(row['job_name']),
    status: asText(row['status']) as CronRun['status'],
    processedCount: asNumber(row['processed_count']),
    counts: asRecord(row['counts']) as Counts,
    errorMessage: asTextOrNull(row['error_message']),
    startedAt: asDate(row['started_at']),
    finishedAt: asDateOrNull(row['finished_at']),
  }));
}

/** The oldest first, by the primary key: ids are of real time. */
export async function deleteCronRunsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from usance.cron_runs where id = any (array(
       select id from usance.cron_runs where id < $1::uuid order by id limit $2::int))
     returning 1 as gone`,
    [firstIdAt(before), limit],
  );
  return rows.length;
}
