// Recovers what a job did not do since an instant: its dead letters are retried, page by page, and events that it missed while it was disabled
// get executions. Both are by real time, also in a test tenant: ids of events and of executions are.
import type { Transaction } from '../db/index.ts';
import { lastSeqAt } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { firstIdAt } from '../kernel/index.ts';
import type { Missed } from './count-missed.ts';
import { countMissed } from './count-missed.ts';
import { lockRewind, rewindJob } from './job-store.ts';
import { listLettersOfJob } from './dead-letter-store.ts';
import type { TenantCaller } from './job.ts';
import { retryExecutions } from './retry-execution.ts';

export interface RecoverOrder {
  readonly jobId: Uuid;
  /** Only events from this instant on. History of executions that is no longer kept does not say that an event was handled. */
  readonly since: Date;
  /** No missed event from before this instant, such as the creation of an endpoint, is found. Default: as `since`. */
  readonly bornAt?: Date;
  /** `next` of the page before. Default: the first page, which also looks for missed events. */
  readonly after?: Uuid | null;
  /** Dead letters of a page, default 500. */
  readonly limit?: number;
  readonly reason?: string;
}

export interface RecoveredPage extends Missed {
  /** Dead letters that were retried. */
  readonly retried: number;
  /** The place where the next page begins; null after the last one. */
  readonly next: Uuid | null;
}

const PAGE = 500;
const NONE: Missed = { missed: 0, missedIsAtLeast: false };

export async function recoverJob(
  tx: Transaction,
  clock: Clock,
  act: TenantCaller,
  { jobId, since, bornAt = since, after = null, limit = PAGE, reason }: RecoverOrder,
): Promise<RecoveredPage> {
  const { tenantId } = act;
  // The job first, as every verb locks it. The backfill meets every event behind the seq, and makes no second execution of any.
  const missed = after === null ? await rewind(tx, tenantId, jobId, bornAt > since ? bornAt : since) : NONE;
  const ids = await listLettersOfJob(tx, tenantId, jobId, { from: firstIdAt(since), after, limit });
  const refused = await retryExecutions(tx, clock, act, ids, reason === undefined ? {} : { reason });
  return {
    ...missed,
    retried: refused.filter((one) => one === null).length,
    next: ids.length < limit ? null : (ids.at(-1) ?? null),
  };
}

async function rewind(tx: Transaction, tenantId: Uuid, jobId: Uuid, since: Date): Promise<Missed> {
  const seq = await lastSeqAt(tx, tenantId, since);
  const job = await lockRewind(tx, tenantId, jobId);
  if (job === null) return NONE;
  const missed = await countMissed(tx, job, seq);
  await rewindJob(tx, tenantId, jobId, seq);
  return missed;
}
