// The loops that run executions: `jobs` for the processors of this process, `webhooks` for deliveries, `notifications` for channels and `emails`.
import type { Database } from './db/index.ts';
import type { EngineOptions, EventReads } from './engine-types.ts';
import type { JobWorker } from './jobs/index.ts';
import { jobsLoop } from './jobs/index.ts';
import { emailsLoop, notificationsLoop } from './notifications/index.ts';
import type { noticesTo } from './ops/index.ts';
import type { Outbound } from './outbound/index.ts';
import { createMailer } from './outbound/index.ts';
import type { Secrets } from './secrets/index.ts';
import { webhooksLoop } from './webhooks/index.ts';

type JobsOptions = Parameters<typeof jobsLoop>[1];

export interface WorkerParts extends Pick<JobsOptions, 'host' | 'onEnded' | 'url'> {
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly reads: EventReads;
  readonly setAside: ReturnType<typeof noticesTo>['setAside'];
}

export function openWorkers(
  db: Database,
  options: EngineOptions,
  { host, onEnded, url, secrets, outbound, reads, setAside }: WorkerParts,
): {
  readonly worker: JobWorker;
  /** Of built-in processors: `webhooks`, `notifications` and `emails`. */
  readonly builtIn: readonly JobWorker[];
} {
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
    timeoutMs: options.webhooks?.timeoutMs,
    drainMs: options.jobs?.drainMs,
    onTrouble: setAside('webhookEndpoint', 'the health of webhook endpoint'),
  });
  const notifications = notificationsLoop(db, {
    ...working,
    secrets,
    outbound,
    dashboardUrl: options.notifications?.dashboardUrl ?? null,
    drainMs: options.jobs?.drainMs,
    onTrouble: setAside('notificationChannel', 'the health of notification channel'),
  });
  const smtp = options.notifications?.smtp ?? null;
  const mailer = smtp && createMailer(smtp, outbound);
  const emails = emailsLoop(db, {
    ...working,
    secrets,
    smtp: smtp && mailer && { ...smtp, mailer },
    drainMs: options.jobs?.drainMs,
  });
  return { worker, builtIn: [deliveries, notifications, emails] };
}
