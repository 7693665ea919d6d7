// Changes jobs. A changed pattern, processor or limit applies to events that are not matched and attempts that are not claimed yet; a
// changed retry policy from the next failed attempt on.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../db/index.ts';
import { lastCursorOf } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { refuseBuiltIn } from './built-in.ts';
import { requireAnnounced, requireNameFree } from './create-job.ts';
import type { Job, JobChanges, TenantCaller } from './job.ts';
import { emitJobEvent, termsInEvents } from './job-events.ts';
import { findJob, lockAndCountJobs, updateJobRow } from './job-store.ts';
import type { JobTerms } from './parse-job.ts';
import { parseJob } from './parse-job.ts';

export async function updateJob(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  id: Uuid,
  changes: JobChanges,
): Promise<Job> {
  const { tenantId } = by;
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as JobChanges;
  // Before the job's own lock, as a create takes it.
  if (given.name !== undefined) await lockAndCountJobs(tx, tenantId);
  const job = await findJob(tx, tenantId, id, 'for update');
  if (!job) return refuse('JOB_NOT_FOUND', { job: id });
  if (job.managed) return refuse('JOB_MANAGED', { job: id, processor: job.processorName });
  const { retry, ...kept } = job;
  const terms = parseJob({ ...kept, retryConfig: retry, ...given });
  refuseBuiltIn(terms.processorName);
  return changeJob(tx, clock, by, job, terms);
}

/** The job is locked, and if it gets another name the names of the tenant are (`lockAndCountJobs`). */
export async function changeJob(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: TenantCaller,
  job: Job,
  terms: JobTerms,
  ordered = job.ordered,
): Promise<Job> {
  if (terms.name !== job.name) await requireNameFree(tx, tenantId, terms.name);
  if (terms.processorName !== job.processorName) await requireAnnounced(tx, tenantId, terms.processorName);
  const [before, after] = [termsInEvents(job), termsInEvents(terms)];
  const changed = Object.keys(after).filter((field) => !isDeepStrictEqual(before[field], after[field]));
  if (changed.length === 0 && ordered === job.ordered) return job;
  // Events of the time while it was disabled are not the job's.
  const again = terms.enabled && !job.enabled;
  const afterSeq = again ? (await lastCursorOf(tx, tenantId)).seq : job.afterSeq;
  const updated: Job = { ...job, ...terms, ordered, afterSeq, updatedAt: clock.now };
  await updateJobRow(tx, updated, again);
  const pick = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(changed.map((name) => [name, from[name]]));
  if (changed.length > 0)
    await emitJobEvent(tx, clock, caller, updated, 'updated', { old: pick(before), new: pick(after) });
  return updated;
}
