// Creates jobs.
import type { Transaction } from '../db/index.ts';
import { lastCursorOf } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import { refuseBuiltIn } from './built-in.ts';
import type { Job, JobParams, TenantCaller } from './job.ts';
import { MOST_JOBS } from './job.ts';
import { emitJobEvent, termsInEvents } from './job-events.ts';
import { insertJob, isAnnounced, isNameTaken, lockAndCountJobs } from './job-store.ts';
import type { JobTerms } from './parse-job.ts';
import { parseJob } from './parse-job.ts';

export async function createJob(tx: Transaction, clock: Clock, by: TenantCaller, params: JobParams): Promise<Job> {
  const terms = parseJob(params);
  // An enabled job begins where it is enabled: a seq for one that is not would be forgotten.
  if (!terms.enabled && params.after !== undefined)
    refuse('FIELD_INVALID/not_allowed_with', { param: 'after', other: 'enabled', value: 'false' });
  refuseBuiltIn(terms.processorName);
  await requireAnnounced(tx, by.tenantId, terms.processorName);
  return addJob(tx, clock, by, terms, { id: newId(), managed: false, ordered: false, after: params.after });
}

/** `after`: as a caller gives it. */
export async function addJob(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: TenantCaller,
  terms: JobTerms,
  { after, ...own }: Pick<Job, 'id' | 'managed' | 'ordered'> & { readonly after: bigint | undefined },
): Promise<Job> {
  const afterSeq = await parseAfter(tx, tenantId, after);
  if ((await lockAndCountJobs(tx, tenantId)) >= MOST_JOBS) refuse('JOBS_TOO_MANY', { max: MOST_JOBS });
  await requireNameFree(tx, tenantId, terms.name);
  const job: Job = {
    tenantId,
    ...own,
    ...terms,
    afterSeq,
    createdBy: caller.actor,
    createdAt: clock.now,
    updatedAt: clock.now,
  };
  await insertJob(tx, job);
  await emitJobEvent(tx, clock, caller, job, 'created', { new: { ...termsInEvents(job), after: Number(afterSeq) } });
  return job;
}

/** Under `lockAndCountJobs`. */
export async function requireNameFree(tx: Transaction, tenantId: Uuid, name: string): Promise<void> {
  if (await isNameTaken(tx, tenantId, name)) refuse('JOB_NAME_TAKEN', { param: 'name', name });
}

export async function requireAnnounced(tx: Transaction, tenantId: Uuid, processor: string): Promise<void> {
  if (await isAnnounced(tx, tenantId, processor)) return;
  refuse('JOB_PROCESSOR_UNKNOWN', { param: 'processorName', processor });
}

/** The seq behind which the job begins: that of the last event, or of an earlier one. */
async function parseAfter(tx: Transaction, tenantId: Uuid, after: unknown): Promise<bigint> {
  const { seq: end } = await lastCursorOf(tx, tenantId);
  if (after === undefined) return end;
  if (typeof after !== 'bigint' || after < 0n)
    return refuse('FIELD_INVALID/not_whole_number_from', { param: 'after', min: 0 });
  return after <= end
    ? after
    : refuse('CURSOR_DIVERGED/beyond_end', { param: 'after', seq: after.toString(), end: end.toString() });
}
