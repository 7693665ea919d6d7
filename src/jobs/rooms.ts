// How many more executions of a tenant, and of a job, a worker may run: what it runs is counted in memory, so that this costs no statement.
import type { Uuid } from '../kernel/index.ts';
import type { ClaimRequest, ServedJob } from './claim.ts';
import type { RunnableProcessor } from './processor.ts';
import type { RunningInvocations } from './running.ts';

/** All but `roomOf` are absent where no processor limits its jobs. */
export type Rooms = Pick<ClaimRequest, 'roomOf' | 'roomOfJob' | 'kept' | 'chooseJobs' | 'reserveJob'>;

export interface SlotLimits {
  readonly concurrency: number;
  /** Slots of one tenant at most; default all of them. */
  readonly tenantConcurrency?: number | undefined;
  /** Slots kept for tenants that run at most a fifth of that many; default none. */
  readonly keptFree?: number | undefined;
}
const FEW = 5;

/** Whether any of them limits the executions of one job in a worker. */
export const limitsJobs = (processors: Iterable<RunnableProcessor>): boolean =>
  [...processors].some(({ concurrencyPerJob }) => concurrencyPerJob !== undefined);

export function roomsIn(
  running: Pick<RunningInvocations, 'ofTenant' | 'ofJob' | 'size'>,
  processors: ReadonlyMap<string, RunnableProcessor>,
  { concurrency, tenantConcurrency = concurrency, keptFree = 0 }: SlotLimits,
): Rooms {
  const roomOf = (tenantId: Uuid): number => tenantConcurrency - running.ofTenant(tenantId);
  const few = Math.ceil(keptFree / FEW);
  const kept = {
    general: concurrency - keptFree - running.size,
    ofKept: (tenantId: Uuid): number => Math.max(0, few - running.ofTenant(tenantId)),
  };
  const rooms = keptFree === 0 ? { roomOf } : { roomOf, kept };
  if (!limitsJobs(processors.values())) return rooms;
  return {
    ...rooms,
    roomOfJob: ({ jobId, processorName }) => {
      const limit = processors.get(processorName)?.concurrencyPerJob ?? Infinity;
      return (typeof limit === 'number' ? limit : limit(jobId)) - running.ofJob(jobId);
    },
    chooseJobs: (jobs) => chosenOf(jobs, processors),
    reserveJob: (job) => processors.get(job.processorName)?.reserveJob?.(job),
  };
}

/** Each processor chooses among its own jobs. */
function chosenOf<J extends ServedJob>(jobs: readonly J[], processors: ReadonlyMap<string, RunnableProcessor>): J[] {
  const chosen = new Map(
    [...Map.groupBy(jobs, ({ processorName }) => processorName)].map(([name, own]) => [
      name,
      processors.get(name)?.chooseJobs?.(own),
    ]),
  );
  return jobs.filter(({ processorName, jobId }) => chosen.get(processorName)?.has(jobId) ?? true);
}
