import type { Sql } from '../db/index.ts';
import { asDate, asNumber, asRecord, asText, asTextOrNull } from '../db/index.ts';
import type { Counts, Uuid } from '../kernel/index.ts';
import { firstIdAt } from '../kernel/index.ts';

export interface CronRun {
  readonly id: Uuid;
  readonly jobName: string;
  readonly status: 'SUCCESS' | 'FAILED';
  readonly processedCount: number;
  readonly counts: Counts;
  readonly errorMessage: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date;
}

/** It ended now, by the server's clock, and took so long. */
export async function insertCronRun(
  sql: Sql,
  run: Omit<CronRun, 'startedAt' | 'finishedAt'> & { readonly durationMs: number },
): Promise<void> {
  await sql.query(
    `insert into usance.cron_runs (id, job_name, status, processed_count, counts, error_message, started_at, finished_at)
     select $1::uuid, $2::text, $3::text, $4::int, $5::jsonb, $6::text, t - make_interval(secs => $7::float8 / 1000), t
     from clock_timestamp() t`,
    [run.id, run.jobName, run.status, run.processedCount, JSON.stringify(run.counts), run.errorMessage, run.durationMs],
  );
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
    finishedAt: asDate(row['finished_at']),
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
