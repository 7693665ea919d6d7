// Workers and the processors that they announce. A worker's row is its lease: as long as the row is there, the worker has what it claimed.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { leaseEnd } from './heartbeat-store.ts';

export async function insertWorker(
  sql: Sql,
  worker: { readonly id: Uuid; readonly processors: readonly string[]; readonly leaseMs: number },
): Promise<void> {
  await sql.query(
    `insert into usance.job_workers (id, processors, has_lock, leased_until) values ($1::uuid, $2::text[], false, ${leaseEnd('$3::int')})`,
    [worker.id, worker.processors, worker.leaseMs],
  );
}

export async function setWorkerProcessors(sql: Sql, id: Uuid, processors: readonly string[]): Promise<void> {
  await sql.query('update usance.job_workers set processors = $2::text[] where id = $1::uuid', [id, processors]);
}

/** Ends a lease under which nothing runs. A worker that still has something is left to the rescuer. */
export async function deleteWorker(sql: Sql, id: Uuid): Promise<void> {
  await sql.query(
    `delete from usance.job_workers w where w.id = $1::uuid
       and not exists (select from usance.execution_queue q where q.worker_id = w.id)`,
    [id],
  );
}

/** Announces processors, or says that they are still there: a row that is younger than `freshMs` is left as it is. */
export async function upsertProcessors(
  sql: Sql,
  processors: readonly { readonly name: string; readonly description: string; readonly tenantId?: Uuid }[],
  freshMs: number,
): Promise<void> {
  const sorted = processors.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  await sql.query(
    `insert into usance.processors as p (name, description, tenant_id)
     select k.name, k.description, k.tenant_id
     from unnest($1::text[], $2::text[], $3::uuid[]) with ordinality k (name, description, tenant_id, n) order by k.n
     on conflict (name) do update
     set description = excluded.description, tenant_id = excluded.tenant_id, last_seen_at = clock_timestamp()
     where p.description <> excluded.description or p.tenant_id is distinct from excluded.tenant_id
       or p.last_seen_at < clock_timestamp() - make_interval(secs => $4::int / 1000.0)`,
    [
      sorted.map(({ name }) => name),
      sorted.map(({ description }) => description),
      sorted.map(({ tenantId = null }) => tenantId),
      freshMs,
    ],
  );
}
