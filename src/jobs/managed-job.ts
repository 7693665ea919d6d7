// Jobs of built-in processors. Their owner, such as a webhook endpoint, has the same UUID, checks who may do what, and emits its own events;
// `job.*` is emitted too. They need no worker that announced the processor: their executions wait for one.
import type { Transaction } from '../db/index.ts';
import type { Clock, RetryPolicy, Uuid } from '../kernel/index.ts';
import { invariant, refuse } from '../kernel/index.ts';
import { isBuiltIn } from './built-in.ts';
import type { BuiltInProcessor } from './built-in.ts';
import { addJob } from './create-job.ts';
import { removeJob } from './delete-job.ts';
import type { Job, JobParams, TenantCaller } from './job.ts';
import { findJob, lockAndCountJobs } from './job-store.ts';
import { parseJob } from './parse-job.ts';
import { changeJob } from './update-job.ts';

export interface ManagedJobParams extends Omit<JobParams, 'retryConfig' | 'processorName'> {
  /** The UUID of its owner. */
  readonly id: Uuid;
  readonly processorName: BuiltInProcessor;
  /** The whole policy; null: DEFAULT_JOB_RETRY. */
  readonly retry: RetryPolicy | null;
  /** Executions about one resource run one after the other. A change applies to events that are not matched yet. Default false. */
  readonly ordered?: boolean;
}

export type ManagedJobChanges = Partial<Omit<ManagedJobParams, 'id' | 'processorName' | 'after'>>;

export async function createManagedJob(
  tx: Transaction,
  clock: Clock,
  maker: TenantCaller,
  { id, after, retry, ordered = false, ...params }: ManagedJobParams,
): Promise<Job> {
  const terms = { ...parseJob(params), retry };
  invariant(isBuiltIn(terms.processorName), 'a managed job to run a built-in processor');
  return addJob(tx, clock, maker, terms, { id, managed: true, ordered, after });
}

/** A disabled one that is enabled begins at the end of the order, as any job does. */
export async function updateManagedJob(
  tx: Transaction,
  clock: Clock,
  maker: TenantCaller,
  id: Uuid,
  changes: ManagedJobChanges,
): Promise<Job> {
  if (changes.name !== undefined) await lockAndCountJobs(tx, maker.tenantId);
  const job = await holdManaged(tx, maker, id);
  const { retry = job.retry, ordered = job.ordered, ...given } = definedOf(changes);
  const { retry: _retry, ...kept } = job;
  return changeJob(tx, clock, maker, job, { ...parseJob({ ...kept, ...given }), retry }, ordered);
}

export async function deleteManagedJob(tx: Transaction, clock: Clock, maker: TenantCaller, id: Uuid): Promise<Job> {
  return removeJob(tx, clock, maker, await holdManaged(tx, maker, id));
}

async function holdManaged(tx: Transaction, { tenantId }: TenantCaller, id: Uuid): Promise<Job> {
  const job = await findJob(tx, tenantId, id, 'for update');
  if (!job) return refuse('JOB_NOT_FOUND', { job: id });
  invariant(job.managed, 'the job of an owner to be managed');
  return job;
}

const definedOf = (changes: ManagedJobChanges): ManagedJobChanges =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
