// The loops that run executions: `jobs` for the processors of this process, and `webhooks` for deliveries.
import type { Database } from './db/index.ts';
import type { EngineOptions, EventReads } from './engine-types.ts';
import type { JobWorker } from './jobs/index.ts';
import { jobsLoop } from './jobs/index.ts';
import type { Outbound } from './outbound/index.ts';
import type { Secrets } from './secrets/index.ts';
import { webhooksLoop } from './webhooks/index.ts';

type JobsOptions = Parameters<typeof jobsLoop>[1];

export interface WorkerParts extends Pick<JobsOptions, 'host' | 'onEnded' | 'url'> {
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly reads: EventReads;
  readonly onTrouble: (endpointId: string, error: unknown) => void;
}

export function openWorkers(
  db: Database,
  options: EngineOptions,
  { host, onEnded, url, secrets, outbound, reads, onTrouble }: WorkerParts,
): { readonly worker: JobWorker; readonly deliveries: JobWorker } {
  const working = {
    schema: options.schema ?? 'usance',
    listenUrl: options.listenUrl ?? null,
    url,
    onNotice: options.onNotice,
    ...(onEnded ? { onEnded } : {}),
  };
  const worker = jobsLoop(db, {
    ...working,
    processors: options.processors,
    host: host ?? null,
    presenter: options.presenter?.(reads),
    limits: options.jobs,
  });
  const deliveries = webhooksLoop(db, {
    ...working,
    secrets,
    outbound,
    presenter: options.webhooks?.presenter?.(reads),
    concurrency: options.webhooks?.concurrency,
    drainMs: options.jobs?.drainMs,
    onTrouble,
  });
  return { worker, deliveries };
}
