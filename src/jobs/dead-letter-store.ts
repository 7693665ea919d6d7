// Dead letters: executions that failed for good and that no operator has dealt with. They are a narrow table, which rows leave by a retry or
// a discard.
import type { LetterGroup, Sql } from '../db/index.ts';
import { asDate, asNumber, asText, only, groupLetters } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';

/** Its id is that of the execution. */
export interface ExecutionLetter {
  readonly id: Uuid;
  readonly jobId: Uuid;
  readonly code: string;
  readonly detail: string;
  readonly failedAt: Date;
}

export interface ExecutionLetterFilter {
  readonly id?: Uuid;
  readonly jobId?: Uuid;
  readonly code?: string;
  readonly failedFrom?: Date;
  readonly failedBefore?: Date;
}

/** By id, newest first unless said otherwise; `mark` is the id to go on from. Rides the primary key. */
export async function listExecutionLetters(
  sql: Sql,
  tenantId: Uuid,
  filter: ExecutionLetterFilter,
  page: { readonly limit: number; readonly mark?: Uuid | null; readonly oldestFirst?: boolean },
): Promise<ExecutionLetter[]> {
  const [beyond, direction] = page.oldestFirst ? ['>', 'asc'] : ['<', 'desc'];
  const rows = await sql.query(
    `select execution_id, job_id, code, detail, failed_at from usance.execution_dead_letters
     where tenant_id = $1::uuid and ($2::uuid is null or execution_id ${beyond} $2::uuid)
       and ($4::uuid is null or execution_id = $4::uuid) and ($5::uuid is null or job_id = $5::uuid)
       and ($6::text is null or code = $6::text)
       and ($7::timestamptz is null or failed_at >= $7::timestamptz) and ($8::timestamptz is null or failed_at < $8::timestamptz)
     order by execution_id ${direction} limit $3::int`,
    [
      tenantId,
      page.mark ?? null,
      page.limit,
      filter.id ?? null,
      filter.jobId ?? null,
      filter.code ?? null,
      filter.failedFrom ?? null,
      filter.failedBefore ?? null,
    ],
  );
  return rows.map((row) => ({
    id: asText(row['execution_id']),
    jobId: asText(row['job_id']),
    code: asText(row['code']),
    detail: asText(row['detail']),
    failedAt: asDate(row['failed_at']),
  }));
}

/**
 * Failed executions go back to the queue, due at the instant, with all their attempts; if `completed` is asked for, completed ones too.
 * Returns those that went back.
 */
export async function requeueExecutions(
  tx: Sql,
  tenantId: Uuid,
  ids: readonly Uuid[],
  { clockId, dueAt, completed }: { readonly clockId: Uuid | null; readonly dueAt: Date; readonly completed: boolean },
): Promise<Set<Uuid>> {
  const rows = await tx.query(
    'select usance.requeue_executions($1::uuid, $2::uuid[], $3::uuid, $4::timestamptz, $5::boolean) as id',
    [tenantId, ids, clockId, dueAt, completed],
  );
  return new Set(rows.map((row) => asText(row['id'])));
}

/** Dead letters of a job from an id on, oldest first. Rides execution_dead_letters_job. */
export async function listLettersOfJob(
  sql: Sql,
  tenantId: Uuid,
  jobId: Uuid,
  { from, after, limit }: { readonly from: Uuid; readonly after: Uuid | null; readonly limit: number },
): Promise<Uuid[]> {
  const rows = await sql.query(
    `select execution_id from usance.execution_dead_letters
     where tenant_id = $1::uuid and job_id = $2::uuid and execution_id >= $3::uuid and execution_id > $4::uuid
     order by execution_id limit $5::int`,
    [tenantId, jobId, from, after ?? NIL_UUID, limit],
  );
  return rows.map((row) => asText(row['execution_id']));
}

/** False if it was not there: retried or discarded before. */
export async function deleteExecutionLetter(tx: Sql, tenantId: Uuid, executionId: Uuid): Promise<boolean> {
  const rows = await tx.query(
    'delete from usance.execution_dead_letters where tenant_id = $1::uuid and execution_id = $2::uuid returning 1 as gone',
    [tenantId, executionId],
  );
  return rows.length > 0;
}

/** By cause and job. */
export const groupExecutionLetters = (sql: Sql, tenantId: Uuid): Promise<LetterGroup[]> =>
  groupLetters(sql, tenantId, {
    table: 'usance.execution_dead_letters',
    id: 'execution_id',
    asset: 'null',
    amount: 'null',
    job: 'job_id',
  });

const COUNTED_UP_TO = 100_000;

/** For one tenant, or for all of them; for metrics and overviews. */
export async function countExecutionLetters(sql: Sql, tenantId: Uuid | null = null): Promise<number> {
  const row = only(
    await sql.query(
      `select count(*)::int as letters
       from (select from usance.execution_dead_letters where $2::uuid is null or tenant_id = $2::uuid limit $1::int) l`,
      [COUNTED_UP_TO, tenantId],
    ),
  );
  return asNumber(row['letters']);
}
