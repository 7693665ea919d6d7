// The statements of a worker's heartbeat. They are all that its thread loads of usance: this file imports nothing that runs, so that the start
// of a worker does not cost loading the engine a second time.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

/**
 * The advisory lock that the heartbeat of a worker holds, as SQL over its id. The server frees it as soon as the process is gone: another process that
 * gets it knows that.
 */
export const workerLock = (id: string): string => `hashtextextended('usance worker ' || (${id})::text, 0)`;

/** The end of a lease, as SQL over its length in milliseconds. */
export const leaseEnd = (ms: string): string => `clock_timestamp() + make_interval(secs => ${ms} / 1000.0)`;

/** False: the row is gone, and with it everything that the worker had claimed. A lost renewal costs nothing: the server need not wait for the disk. */
export async function renewLease(sql: Sql, id: Uuid, hasLock: boolean, leaseMs: number): Promise<boolean> {
  const rows = await sql.query(
    `update usance.job_workers w set heartbeat_at = clock_timestamp(), has_lock = $2::boolean, leased_until = ${leaseEnd('$3::int')}
     from (select set_config('synchronous_commit', 'off', true) as commits) s
     where w.id = $1::uuid and s.commits is not null returning 1 as renewed`,
    [id, hasLock, leaseMs],
  );
  return rows.length === 1;
}

/** For the length of the session: only over a connection that is not from a pool. */
export async function lockWorker(sql: Sql, id: Uuid): Promise<boolean> {
  const [row] = await sql.query(`select pg_try_advisory_lock(${workerLock('$1::uuid')}) as locked`, [id]);
  return row?.['locked'] === true;
}

export async function unlockWorker(sql: Sql, id: Uuid): Promise<void> {
  await sql.query(`select pg_advisory_unlock(${workerLock('$1::uuid')})`, [id]);
}
