// Creates jobs.
import type { Transaction } from '../db/index.ts';
import type { EventVerb } from '../events/index.ts';
import { appendEvents, lastCursorOf } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import { refuseBuiltIn } from './built-in.ts';
import type { Job, JobParams } from './job.ts';
import { MOST_JOBS } from './job.ts';
import { holdJobsOf, insertJob, isAnnounced, isNameTaken } from './job-store.ts';
import type { JobTerms } from './parse-job.ts';
import { parseJob } from './parse-job.ts';

export interface JobMaker {
  readonly tenantId: Uuid;
  readonly caller: Caller;
}

export async function createJob(tx: Transaction, clock: Clock, maker: JobMaker, params: JobParams): Promise<Job> {
  const terms = parseJob(params);
  // An enabled job begins where it is enabled: a seq for one that is not would be forgotten.
  if (!terms.enabled && params.after !== undefined)
    refuse('FIELD_INVALID/not_allowed_with', { param: 'after', other: 'enabled', value: 'false' });
  refuseBuiltIn(terms.processorName);
  await requireAnnounced(tx, terms.processorName);
  return addJob(tx, clock, maker, terms, { id: newId(), managed: false, ordered: false, after: params.after });
}

/** `after`: as a caller gives it. */
export async function addJob(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: JobMaker,
  terms: JobTerms,
  { after, ...own }: Pick<Job, 'id' | 'managed' | 'ordered'> & { readonly after: bigint | undefined },
): Promise<Job> {
  const afterSeq = await parseAfter(tx, tenantId, after);
  if ((await holdJobsOf(tx, tenantId)) >= MOST_JOBS) refuse('JOBS_TOO_MANY', { max: MOST_JOBS });
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
  await emitJobEvent(tx, clock, caller, job, 'created', { new: { ...shownTerms(job), after: Number(afterSeq) } });
  return job;
}

/** Under `holdJobsOf`. */
export async function requireNameFree(tx: Transaction, tenantId: Uuid, name: string): Promise<void> {
  if (await isNameTaken(tx, tenantId, name)) refuse('JOB_NAME_TAKEN', { param: 'name', name });
}

export async function requireAnnounced(tx: Transaction, processor: string): Promise<void> {
  if (!(await isAnnounced(tx, processor))) refuse('JOB_PROCESSOR_UNKNOWN', { param: 'processorName', processor });
}

/** Where the job begins: behind the end of the order, or behind an earlier event. */
async function parseAfter(tx: Transaction, tenantId: Uuid, after: unknown): Promise<bigint> {
  const { seq: end } = await lastCursorOf(tx, tenantId);
  if (after === undefined) return end;
  if (typeof after !== 'bigint' || after < 0n)
    return refuse('FIELD_INVALID/not_whole_number_from', { param: 'after', min: 0 });
  return after <= end
    ? after
    : refuse('CURSOR_DIVERGED/beyond_end', { param: 'after', seq: after.toString(), end: end.toString() });
}

/** What its events show of it. */
export const shownTerms = ({ retry, ...job }: JobTerms): Readonly<Record<string, unknown>> => ({
  name: job.name,
  description: job.description,
  eventPattern: job.eventPattern,
  processorName: job.processorName,
  enabled: job.enabled,
  retryConfig: retry,
  timeoutMs: job.timeoutMs,
  maxConcurrency: job.maxConcurrency,
  maxPerSecond: job.maxPerSecond,
});

export async function emitJobEvent(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  { tenantId, id }: Job,
  what: EventVerb<'job'>,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const about = { tenantId, resource: 'job', resourceId: id, occurredAt: clock.now };
  await appendEvents(tx, [{ ...caller, ...about, type: `job.${what}`, data }]);
}
