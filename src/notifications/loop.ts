// The loop `notifications`: a worker of jobs for the built-in processor, beside the loop `jobs` and with its own slots. It takes no lease until
// a tenant has an enabled channel. Every few seconds it looks after channels that fail.
import type { Database } from '../db/index.ts';
import type { JobLoopOptions, JobWorker } from '../jobs/index.ts';
import { jobsLoop } from '../jobs/index.ts';
import { disableUnhealthy } from './health.ts';
import type { NotificationOptions } from './processor.ts';
import { notificationProcessor } from './processor.ts';

export interface NotificationLoopOptions
  extends
    Omit<JobLoopOptions, 'name' | 'waitsForJob' | 'processors' | 'host' | 'limits' | 'presenter'>,
    Omit<NotificationOptions, 'db' | 'concurrency' | 'onNotice'> {
  readonly drainMs?: number | undefined;
  readonly onTrouble: (channelId: string, error: unknown) => void;
}

const CONCURRENCY = 40;
/** Channels of one tenant hold at most this many slots, whatever they do. */
const OF_A_TENANT = 20;
const HEALTH_EVERY_MS = 5_000;

export function notificationsLoop(db: Database, options: NotificationLoopOptions): JobWorker {
  const { secrets, outbound, dashboardUrl, drainMs, onTrouble, onNotice, ...loop } = options;
  const worker = jobsLoop(db, {
    ...loop,
    onNotice,
    name: 'notifications',
    waitsForJob: true,
    processors: [notificationProcessor({ db, secrets, outbound, dashboardUrl, concurrency: CONCURRENCY, onNotice })],
    limits: {
      concurrency: CONCURRENCY,
      tenantConcurrency: OF_A_TENANT,
      ...(drainMs === undefined ? {} : { drainMs }),
    },
  });
  let lookedAtMs = -Infinity;
  return {
    name: worker.name,
    pollMs: worker.pollMs,
    stop: () => worker.stop?.() ?? Promise.resolve(),
    add: (one) => worker.add(one),
    announce: () => worker.announce(),
    get processors() {
      return worker.processors;
    },
    async runOnce(signal, resident, woken) {
      const isTime = !resident || performance.now() - lookedAtMs >= HEALTH_EVERY_MS;
      if (isTime) lookedAtMs = performance.now();
      const run = await worker.runOnce(signal, resident, woken);
      // After the messages of a single run: they may have made a channel unhealthy.
      const disabled = isTime ? await disableUnhealthy(db, onTrouble) : 0;
      return { ...run, counts: { ...run.counts, disabled } };
    },
  };
}
