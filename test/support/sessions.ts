// Ending sessions from outside.
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../src/db/index.ts';

/** Ends them, and returns when the server has let go of all they held. */
export async function endSessions(owner: Sql, pids: readonly number[]): Promise<void> {
  await owner.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids]);
  // The server would wait for them itself, but looks only every tenth of a second.
  const left = 'select 1 from pg_stat_activity where pid = any ($1::int[])';
  while ((await owner.query(left, [pids])).length > 0) await pause(1);
}
