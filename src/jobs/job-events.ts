// Events about jobs: created, updated, deleted.
import type { Transaction } from '../db/index.ts';
import type { EventVerb } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import type { Job } from './job.ts';
import type { JobTerms } from './parse-job.ts';

/** The fields of a job that its events have. */
export const termsInEvents = ({ retry, ...job }: JobTerms): Readonly<Record<string, unknown>> => ({
  name: job.name,
  description: job.description,
  eventPattern: job.eventPattern,
  processorName: job.processorName,
  enabled: job.enabled,
  retryConfig: retry,
  timeoutMs: job.timeoutMs,
  maxConcurrency: job.maxConcurrency,
  maxPerSecond: job.maxPerSecond,
});

export async function emitJobEvent(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  { tenantId, id }: Job,
  what: EventVerb<'job'>,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const about = { tenantId, resource: 'job', resourceId: id, occurredAt: clock.now };
  await appendEvents(tx, [{ ...caller, ...about, type: `job.${what}`, data }]);
}
