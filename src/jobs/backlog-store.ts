// How much waits, for metrics and the doctor. Executions of live tenants.
import type { Sql } from '../db/index.ts';
import { asDate, asDateOrNull, asNumber, asText, only } from '../db/index.ts';
import { readOrderEnd } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import { waitingPairs } from './claim-store.ts';
import { countUnmatched } from './match-store.ts';

export interface ExecutionBacklog {
  /** Executions that wait, also for a retry in the future; counted up to 100,000. */
  readonly pending: number;
  readonly running: number;
  /** When the first of those that could start was due; null if none is. Deliveries and executions of disabled jobs are left out. */
  readonly oldest: Date | null;
  /** Ordered events that the matcher has not read. */
  readonly unmatched: number;
}

const MOST_COUNTED = 100_000;
/** Jobs with something waiting that are looked at. */
const JOBS_A_LOOK = 5_000;

const PAIRS = waitingPairs(`'${NIL_UUID}'::uuid, '${NIL_UUID}'::uuid`, String(JOBS_A_LOOK));

export async function executionBacklog(sql: Sql, now: Date): Promise<ExecutionBacklog> {
  const row = only(
    await sql.query(
      `${PAIRS}
       select (select count(*)::int from (
                 select from usance.execution_queue q where q.worker_id is null and q.clock_id is null limit ${MOST_COUNTED}) w) as pending,
         (select count(*)::int from (
            select from usance.execution_queue q where q.worker_id is not null limit ${MOST_COUNTED}) r) as running,
         (select min(p.due_at) from pair p join usance.jobs j on j.tenant_id = p.tenant_id and j.id = p.job_id
          where p.due_at <= $1::timestamptz and j.enabled and j.deleted_at is null and j.processor_name <> 'webhook-delivery') as oldest`,
      [now],
    ),
  );
  const { position } = await readOrderEnd(sql);
  return {
    pending: asNumber(row['pending']),
    running: asNumber(row['running']),
    oldest: asDateOrNull(row['oldest']),
    unmatched: await countUnmatched(sql, position),
  };
}

/** Since when the first execution of a processor is due, leaving out some of its jobs; null if none is. */
export async function dueSince(
  sql: Sql,
  now: Date,
  processorName: string,
  except: readonly Uuid[],
): Promise<Date | null> {
  const row = only(
    await sql.query(
      `${PAIRS}
       select min(p.due_at) as due_since from pair p join usance.jobs j on j.tenant_id = p.tenant_id and j.id = p.job_id
       where p.due_at <= $1::timestamptz and j.enabled and j.deleted_at is null and j.processor_name = $2::text
         and j.id <> all ($3::uuid[])`,
      [now, processorName, except],
    ),
  );
  return asDateOrNull(row['due_since']);
}

export interface UnservedProcessor {
  readonly name: string;
  /** Since when its first execution is due. */
  readonly dueSince: Date;
}

export interface Workforce {
  /** Workers with a lease. */
  readonly workers: number;
  /** Enabled jobs of all tenants. */
  readonly jobs: number;
  /** Processors that no such worker has, and whose executions are due. */
  readonly unserved: readonly UnservedProcessor[];
}

export async function readWorkforce(sql: Sql, now: Date): Promise<Workforce> {
  const unserved = await sql.query(
    `${PAIRS}
     select j.processor_name, min(p.due_at) as due_since
     from pair p join usance.jobs j on j.tenant_id = p.tenant_id and j.id = p.job_id
     where p.due_at <= $1::timestamptz and j.enabled and j.deleted_at is null and not exists (
       select from usance.job_workers w where w.leased_until > clock_timestamp() and j.processor_name = any (w.processors))
     group by j.processor_name order by j.processor_name`,
    [now],
  );
  const row = only(
    await sql.query(
      `select (select count(*)::int from usance.job_workers where leased_until > clock_timestamp()) as workers,
         (select count(*)::int from usance.jobs where enabled and deleted_at is null) as jobs`,
    ),
  );
  return {
    workers: asNumber(row['workers']),
    jobs: asNumber(row['jobs']),
    unserved: unserved.map((one) => ({ name: asText(one['processor_name']), dueSince: asDate(one['due_since']) })),
  };
}
