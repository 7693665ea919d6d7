// How many more executions of a tenant, and of a job, a worker may run: what it runs is counted in memory, so that this costs no statement.
import type { Uuid } from '../kernel/index.ts';
import type { RunnableProcessor } from './processor.ts';
import type { RunningInvocations } from './running.ts';

export interface Rooms {
  readonly roomOf: (tenantId: Uuid) => number;
  /** Absent where no processor limits its jobs. */
  readonly roomOfJob?: (job: { readonly jobId: Uuid; readonly processorName: string }) => number;
}

/** Whether any of them limits the executions of one job in a worker. */
export const limitsJobs = (processors: Iterable<RunnableProcessor>): boolean =>
  [...processors].some(({ concurrencyPerJob }) => concurrencyPerJob !== undefined);

export function roomsIn(
  running: Pick<RunningInvocations, 'ofTenant' | 'ofJob'>,
  processors: ReadonlyMap<string, RunnableProcessor>,
  tenantConcurrency: number,
): Rooms {
  const roomOf = (tenantId: Uuid): number => tenantConcurrency - running.ofTenant(tenantId);
  if (!limitsJobs(processors.values())) return { roomOf };
  return {
    roomOf,
    roomOfJob: ({ jobId, processorName }) => {
      const limit = processors.get(processorName)?.concurrencyPerJob ?? Infinity;
      return (typeof limit === 'number' ? limit : limit(jobId)) - running.ofJob(jobId);
    },
  };
}
