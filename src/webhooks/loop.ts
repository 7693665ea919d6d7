// The loop `webhooks`: a worker of jobs for the built-in processor, beside the loop `jobs` and with its own slots. It takes no lease until a
// tenant has an enabled endpoint. Every few seconds, beside its claims, it looks after endpoints that fail.
import type { Database } from '../db/index.ts';
import type { JobLoopOptions, JobWorker } from '../jobs/index.ts';
import { Beside, jobsLoop, withBeside } from '../jobs/index.ts';
import type { Outbound } from '../outbound/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { deliveryProcessor } from './deliver.ts';
import type { HealthCounts } from './health.ts';
import { healthPasses } from './health.ts';

export interface WebhookLoopOptions extends Omit<
  JobLoopOptions,
  'name' | 'waitsForJob' | 'processors' | 'host' | 'limits'
> {
  readonly secrets: Secrets;
  readonly outbound: Pick<Outbound, 'request'>;
  /** Deliveries that are sent at the same time, default 100. */
  readonly concurrency?: number | undefined;
  readonly drainMs?: number | undefined;
  /** How long one attempt may take; default ten seconds. */
  readonly timeoutMs?: number | undefined;
  readonly onTrouble: (endpointId: string, error: unknown) => void;
}

export const WEBHOOK_CONCURRENCY = 100;
const HEALTH_EVERY_MS = 5_000;
const NO_COUNTS: HealthCounts = { warned: 0, disabled: 0, secretsDeleted: 0 };

/** Without an encryption key, or a presenter, which makes the bodies, nothing is delivered. */
export function webhooksLoop(db: Database, options: WebhookLoopOptions): JobWorker {
  const {
    secrets,
    outbound,
    concurrency = WEBHOOK_CONCURRENCY,
    drainMs,
    timeoutMs,
    onTrouble,
    onNotice,
    ...loop
  } = options;
  const processor = deliveryProcessor({ sql: db, secrets, outbound, concurrency, timeoutMs, onNotice });
  const worker = jobsLoop(db, {
    ...loop,
    onNotice,
    name: 'webhooks',
    waitsForJob: true,
    processors: options.presenter && secrets.isEnabled ? [processor] : [],
    keptFree: Math.floor(concurrency / 5),
    limits: {
      concurrency,
      tenantConcurrency: Math.max(1, Math.floor(concurrency / 2)),
      ...(drainMs === undefined ? {} : { drainMs }),
    },
  });
  const health = new Beside(healthPasses(db, onTrouble), HEALTH_EVERY_MS, NO_COUNTS);
  return withBeside(worker, health);
}
