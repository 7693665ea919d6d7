// Jobs and executions as an application sees them.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { Refusal, isUuid, oneOf, pageOf, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import type { CancelOptions } from './cancel-execution.ts';
import { cancelExecution } from './cancel-execution.ts';
import { createJob } from './create-job.ts';
import { deleteJob } from './delete-job.ts';
import type { Execution, Invocation } from './execution.ts';
import { EXECUTION_STATUSES } from './execution.ts';
import type { ExecutionFilter, StoredExecution } from './execution-store.ts';
import { findExecution, listExecutions, listInvocations, shownExecution } from './execution-store.ts';
import type { Job, JobChanges, JobParams, Processor } from './job.ts';
import type { JobFilter } from './job-store.ts';
import { findJob, findJobByName, listJobs, listProcessors } from './job-store.ts';
import { retryExecutions } from './retry-execution.ts';
import { updateJob } from './update-job.ts';

export interface PageRange {
  readonly limit?: number;
  readonly before?: Uuid;
}

export interface ExecutionPage {
  readonly executions: readonly Execution[];
  /** The id to continue from; null at the end. A page can be short, or empty, without being the last. */
  readonly next: Uuid | null;
}

export interface JobVerbs {
  createJob(params: JobParams): Promise<Job>;
  /** By id or name. */
  job(idOrName: string): Promise<Job>;
  /** Newest first. */
  jobs(filter?: JobFilter, page?: PageRange): Promise<Job[]>;
  /** Takes the lock that every change of the job takes. */
  lockJob(id: Uuid): Promise<void>;
  updateJob(id: Uuid, changes: JobChanges): Promise<Job>;
  deleteJob(id: Uuid): Promise<Job>;
  /** By name. */
  processors(): Promise<Processor[]>;
  execution(id: Uuid): Promise<Execution>;
  /** Newest first. */
  executions(filter?: ExecutionFilter, page?: PageRange): Promise<ExecutionPage>;
  /** By attempt. */
  invocations(executionId: Uuid): Promise<Invocation[]>;
  retryExecution(id: Uuid, options?: { readonly reason?: string }): Promise<Execution>;
  cancelExecution(id: Uuid, options?: CancelOptions): Promise<Execution>;
}

const PAGE = 100;

export function jobVerbs(context: VerbContext): JobVerbs {
  const { tenantId, caller, sql } = context;
  const maker = { tenantId, caller };
  const noJob = (job: string): never => refuse('JOB_NOT_FOUND', { job });
  const noExecution = (execution: Uuid): never => refuse('EXECUTION_NOT_FOUND', { execution });
  const jobId = (id: Uuid): Uuid => (isUuid(id) ? id : noJob(id));
  const executionId = (id: Uuid): Uuid => (isUuid(id) ? id : noExecution(id));
  const markOf = ({ before }: PageRange): Uuid | null => {
    if (before === undefined) return null;
    return isUuid(before) ? before : refuse('ID_INVALID/not_a_cursor', { param: 'before' });
  };
  const find = async (from: Sql, id: Uuid): Promise<StoredExecution> =>
    (await findExecution(from, tenantId, executionId(id))) ?? noExecution(id);

  return {
    createJob: (params) => context.run((tx, clock) => createJob(tx, clock, maker, params)),
    job: async (idOrName) =>
      (isUuid(idOrName) ? await findJob(sql, tenantId, idOrName) : null) ??
      (await findJobByName(sql, tenantId, idOrName)) ??
      noJob(idOrName),
    jobs: async (filter = {}, page = {}) =>
      listJobs(sql, tenantId, filter, { limit: page.limit ?? PAGE, before: markOf(page) }),
    lockJob: (id) =>
      context.runUntimed(async (tx) => {
        if (!(await findJob(tx, tenantId, jobId(id), 'for update'))) noJob(id);
      }),
    updateJob: (id, changes) => context.run((tx, clock) => updateJob(tx, clock, maker, jobId(id), changes)),
    deleteJob: (id) => context.run((tx, clock) => deleteJob(tx, clock, maker, jobId(id))),
    processors: () => listProcessors(sql, tenantId),

    execution: async (id) => shownExecution(await find(sql, id)),
    async executions(filter = {}, page = {}) {
      if (filter.status !== undefined) oneOf(filter.status, EXECUTION_STATUSES, 'status');
      // An id that is none finds nothing, as one of another tenant does.
      const isNone = [filter.jobId, filter.eventId, filter.resourceId].some((id) => id !== undefined && !isUuid(id));
      if (isNone) return { executions: [], next: null };
      const before = markOf(page);
      const { items, next } = await pageOf(
        page.limit ?? PAGE,
        (limit) => listExecutions(sql, tenantId, filter, { limit, before }),
        ({ id }) => id,
      );
      return { executions: items.map(shownExecution), next };
    },
    invocations: async (id) => listInvocations(sql, await find(sql, id)),
    retryExecution: (id, options) =>
      context.run(async (tx, clock) => {
        const [refused = null] = await retryExecutions(tx, clock, maker, [executionId(id)], options);
        if (refused) throw new Refusal(refused);
        return shownExecution(await find(tx, id));
      }),
    cancelExecution: (id, options) =>
      context.run(async (tx, clock) => {
        await cancelExecution(tx, clock, maker, executionId(id), options);
        return shownExecution(await find(tx, id));
      }),
  };
}
