// A worker of built-in processors costs nothing until a tenant has a job for them: no lease, no thread, no connection; one small query a poll.
import type { Sql } from '../db/index.ts';
import { hasJobFor } from './job-store.ts';

/** Terms of a worker that is a second loop beside `jobs`. */
export interface LoopTerms {
  /** The name of the loop. Default `jobs`. */
  readonly name?: string;
  /** Begin only once there is an enabled job for one of the processors. Default false. */
  readonly waitsForJob?: boolean;
}

/** Whether a worker has to begin, or has begun. */
export async function isNeeded(
  sql: Sql,
  { waitsForJob = false }: LoopTerms,
  { hasLease, processors }: { readonly hasLease: boolean; readonly processors: readonly string[] },
): Promise<boolean> {
  if (processors.length === 0) return false;
  return !waitsForJob || hasLease || hasJobFor(sql, processors);
}
