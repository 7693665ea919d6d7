// When each loop last ended well, in any process: written by the loop that keeps metrics, read by the doctor.
import type { Sql } from '../db/index.ts';
import { asBigInt, asDate, asText } from '../db/index.ts';

/** In order of their names, so that two processes never wait for each other in a circle. */
export async function noteLoopRuns(sql: Sql, names: readonly string[]): Promise<void> {
  await sql.query(
    `insert into usance.loop_runs as l (name, last_run_at)
     select name, clock_timestamp() from unnest($1::text[]) name
     on conflict (name) do update set last_run_at = greatest(l.last_run_at, excluded.last_run_at)`,
    [names.toSorted()],
  );
}

export async function readLoops(sql: Sql): Promise<Map<string, Date>> {
  const rows = await sql.query('select name, last_run_at from usance.loop_runs');
  return new Map(rows.map((row) => [asText(row['name']), asDate(row['last_run_at'])]));
}

/** How long ago the loop last ended well in any process, in milliseconds by the database's clock; null where it never did. */
export async function loopIdleMs(sql: Sql, name: string): Promise<number | null> {
  const [row] = await sql.query(
    `select (extract(epoch from clock_timestamp() - last_run_at) * 1000)::bigint as idle_ms
     from usance.loop_runs where name = $1::text`,
    [name],
  );
  return row ? Number(asBigInt(row['idle_ms'])) : null;
}

/** When the loop that checks the books last ended well; recent: within ten minutes. */
export async function readIntegrity(sql: Sql): Promise<{ readonly at: Date | null; readonly isRecent: boolean }> {
  const [row] = await sql.query(
    `select last_run_at, last_run_at > clock_timestamp() - interval '10 minutes' as is_recent
     from usance.loop_runs where name = 'integrity'`,
  );
  return row ? { at: asDate(row['last_run_at']), isRecent: row['is_recent'] === true } : { at: null, isRecent: false };
}
