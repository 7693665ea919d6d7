// The loop `notifications`: a worker of jobs for the built-in processor, beside the loop `jobs` and with its own slots. It takes no lease until
// a tenant has an enabled channel. Every few seconds, beside its claims, it looks after channels that fail.
import type { Database } from '../db/index.ts';
import type { JobLoopOptions, JobWorker } from '../jobs/index.ts';
import { Beside, jobsLoop, withBeside } from '../jobs/index.ts';
import { healthPasses } from './health.ts';
import type { NotificationOptions } from './processor.ts';
import { notificationProcessor } from './processor.ts';

export interface NotificationLoopOptions
  extends
    Omit<JobLoopOptions, 'name' | 'waitsForJob' | 'processors' | 'host' | 'limits' | 'presenter'>,
    Omit<NotificationOptions, 'db' | 'concurrency' | 'onNotice' | 'onSummarized'> {
  readonly drainMs?: number | undefined;
  readonly onTrouble: (channelId: string, error: unknown) => void;
}

const CONCURRENCY = 40;
/** Channels of one tenant hold at most this many slots, whatever they do. */
const OF_A_TENANT = 20;
/** For tenants that send little: two tenants with slow channels cannot have every slot. */
const KEPT_FREE = 8;
const HEALTH_EVERY_MS = 5_000;

export function notificationsLoop(db: Database, options: NotificationLoopOptions): JobWorker {
  const { secrets, outbound, dashboardUrl, drainMs, onTrouble, onNotice, ...loop } = options;
  let summarized = 0;
  const processor = notificationProcessor({
    db,
    secrets,
    outbound,
    dashboardUrl,
    concurrency: CONCURRENCY,
    onNotice,
    onSummarized: (executions) => (summarized += executions),
  });
  const worker = jobsLoop(db, {
    ...loop,
    onNotice,
    name: 'notifications',
    waitsForJob: true,
    processors: [processor],
    keptFree: KEPT_FREE,
    limits: {
      concurrency: CONCURRENCY,
      tenantConcurrency: OF_A_TENANT,
      ...(drainMs === undefined ? {} : { drainMs }),
    },
  });
  const health = new Beside(healthPasses(db, onTrouble), HEALTH_EVERY_MS, { disabled: 0 });
  return withBeside(worker, health, () => {
    const counts = { summarized };
    summarized = 0;
    return counts;
  });
}
