// Jobs and executions as an application sees them.
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import type { Execution, ExecutionStatus, Invocation } from './execution.ts';
import type { Job, JobChanges, JobParams, Processor } from './job.ts';

export interface JobFilter {
  readonly enabled?: boolean;
  readonly processorName?: string;
}

export interface ExecutionFilter {
  readonly jobId?: Uuid;
  readonly status?: ExecutionStatus;
  readonly eventId?: Uuid;
}

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
  cancelExecution(id: Uuid, options?: { readonly reason?: string }): Promise<Execution>;
}

/** A placeholder until the module is built: there is no job, and none can be created. */
export function jobVerbs(_context: VerbContext): JobVerbs {
  const noJob = async (job: string): Promise<never> => refuse('JOB_NOT_FOUND', { job });
  const noExecution = async (execution: Uuid): Promise<never> => refuse('EXECUTION_NOT_FOUND', { execution });
  return {
    createJob: async ({ processorName }) =>
      refuse('JOB_PROCESSOR_UNKNOWN', { param: 'processorName', processor: processorName }),
    job: noJob,
    jobs: async () => [],
    lockJob: noJob,
    updateJob: noJob,
    deleteJob: noJob,
    processors: async () => [],
    execution: noExecution,
    executions: async () => ({ executions: [], next: null }),
    invocations: noExecution,
    retryExecution: noExecution,
    cancelExecution: noExecution,
  };
}
