// The executions of a test tenant, for the assertions of a test.
import { isTypeId } from '../engine.ts';
import type { Execution, Invocation, TenantHandle } from '../library/index.ts';

/** The executions of a test tenant's jobs. */
export interface JobRecorder {
  /** Oldest first; with the id or name of a job, only its executions. */
  executions(job?: string): Promise<Execution[]>;
  /** The attempts of an execution, the first one first. */
  invocations(execution: Execution | string): Promise<Invocation[]>;
}

export function createJobRecorder(shop: TenantHandle): JobRecorder {
  return {
    async executions(job) {
      // A deleted job has no name any more, and is found by its id.
      const jobId = job === undefined || isTypeId('job', job) ? job : (await shop.jobs.get(job)).id;
      const filter = jobId === undefined ? {} : { jobId };
      const found: Execution[] = [];
      for await (const execution of shop.executions.list({ ...filter, limit: PAGE })) found.push(execution);
      return found.toReversed();
    },
    async invocations(execution) {
      const found: Invocation[] = [];
      const id = typeof execution === 'string' ? execution : execution.id;
      for await (const invocation of shop.executions.listInvocations(id)) found.push(invocation);
      return found;
    },
  };
}

const PAGE = 100;
