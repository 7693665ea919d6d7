// A job as it is given and shown.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Job as EngineJob, JobChanges, JobParams, TenantVerbs } from '../../engine.ts';
import type { RetryPolicy } from '../../kernel/index.ts';
import { camelCase, idOrName, shownActor, toTypeId } from '../../kernel/index.ts';
import { Instant, closed, forCompatibility, idOf, nullable } from '../schemas.ts';
import { readEventCursor } from './events.ts';
import { refusedAs } from '../validate.ts';

/** A job in a path: its id, or its name. */
export const JobName = Type.String({
  description: 'A job: its id (`job_…`) or its name.',
  minLength: 1,
  maxLength: 100,
  examples: ['job_01k9ztm3v5x7z9b1d3f5h7k9n1'],
  'x-id': 'job',
});

/** The UUID of a job's TypeID; any other text is a name, or the UUID itself. */
export const jobKey = (text: string): string => idOrName('job', text);

const THIRTY_DAYS_MS = 2_592_000_000;
const delay = (wait: string, usual: string) =>
  Type.Integer({
    minimum: 0,
    maximum: THIRTY_DAYS_MS,
    description: `${wait}, in milliseconds: 1,000 to 2,592,000,000. Default ${usual}.`,
  });
const Multiplier = Type.Number({
  minimum: 1,
  maximum: 100,
  description: 'Each wait is this many times the previous wait, 1 to 100. Default 2.',
});

const RetryConfigIn = closed({
  max_attempts: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Attempts in all, 1 to 100. Default 3.' }),
  ),
  initial_delay_ms: Type.Optional(delay('Wait after the first failed attempt', '1,000')),
  multiplier: Type.Optional(Multiplier),
  backoff_multiplier: Type.Optional({
    ...Multiplier,
    ...forCompatibility('Another name for `multiplier`. Default: none.'),
  }),
  max_delay_ms: Type.Optional(delay('Longest wait', '60,000')),
  jitter: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Random part of each wait, 0 to 1. Default 0.' }),
  ),
});

/** One type, so that a wrong value is reported in one sentence. */
const RetryConfigOrNull = Type.Unsafe<Static<typeof RetryConfigIn> | null>({
  ...RetryConfigIn,
  type: ['object', 'null'],
  description:
    'How a failed execution is retried. Given fields replace those of the usual policy: 3 attempts, 1 and 2 seconds apart. Null: all of them are the usual ones.',
});

const RetryConfig = closed(
  {
    max_attempts: Type.Integer({ description: 'Attempts in all.' }),
    initial_delay_ms: Type.Integer({ description: 'Wait after the first failed attempt, in milliseconds.' }),
    multiplier: Type.Number({ description: 'Each wait is this many times the previous wait.' }),
    max_delay_ms: Type.Integer({ description: 'Longest wait, in milliseconds.' }),
    jitter: Type.Number({ description: 'Random part of each wait, 0 to 1.' }),
    delays_ms: Type.Optional(
      Type.Array(Type.Integer(), {
        description:
          'Waits after each attempt but the last, in milliseconds. Only managed jobs have them; absent if the other fields say it all.',
      }),
    ),
  },
  { title: 'RetryConfig' },
);

const limit = (maximum: number, description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum, description });

const TERMS = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'A name for people, unique within the tenant; 1 to 100 characters.',
    examples: ['send receipts'],
  }),
  description: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'A text for people, at most 1,000 characters.' }),
  ),
  event_pattern: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description:
      'The events that the job runs on: an exact type, `payment.*`, `*.settled` or `*`, or up to 20 of them separated by commas. A pattern with a star matches no event about jobs, executions, deliveries, webhook endpoints and notification channels.',
    examples: ['payment.settled'],
  }),
  processor_name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The processor that it runs: a name that a worker has announced. `processors.list` has them.',
    examples: ['send-receipt'],
  }),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether new events are handled and executions start.' })),
  retry_config: Type.Optional(RetryConfigOrNull),
  timeout_ms: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 86_400_000,
      description: 'How long one attempt may take, in milliseconds: 100 to 86,400,000.',
    }),
  ),
  max_concurrency: Type.Optional(
    limit(10_000, 'Executions that run at the same time at most, over all workers. Null: no limit.'),
  ),
  max_per_second: Type.Optional(
    limit(100_000, 'Executions that start per second at most, over all workers. Null: no limit.'),
  ),
};

export const JobCreateParams = closed(
  {
    ...TERMS,
    after: Type.Optional(
      Type.Unsafe<string | number>({
        type: ['string', 'integer'],
        pattern: '^[0-9]{1,15}(-[0-9a-f]{8})?$',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'The `cursor` or the `seq` of an event: the job handles only later events. 0: all events that are kept. Default: the newest event.',
        examples: ['17-5f0c2a9e'],
        ...refusedAs('FIELD_INVALID/not_an_event_id'),
      }),
    ),
  },
  { title: 'JobCreateParams' },
);

export const JobUpdateParams = Type.Partial(closed(TERMS), {
  title: 'JobUpdateParams',
  minProperties: 1,
  additionalProperties: false,
});

export const Job = closed(
  {
    id: idOf('job'),
    name: Type.String({ description: 'A name for people, unique within the tenant.' }),
    description: Type.String({ description: 'A text for people; empty if none was given.' }),
    event_pattern: Type.String({ description: 'The events that the job runs on.', examples: ['payment.settled'] }),
    processor_name: Type.String({ description: 'The processor that it runs.', examples: ['send-receipt'] }),
    managed: Type.Boolean({
      description:
        'Whether the processor is built in: the job belongs to another resource, such as a webhook endpoint, and cannot be changed or deleted here.',
    }),
    enabled: Type.Boolean({ description: 'Whether new events are handled and executions start.' }),
    retry_config: nullable(RetryConfig, {
      description: 'How a failed execution is retried. Null: 3 attempts, 1 and 2 seconds apart.',
    }),
    timeout_ms: Type.Integer({ description: 'How long one attempt may take, in milliseconds.' }),
    max_concurrency: nullable(Type.Integer(), {
      description: 'Executions that run at the same time at most, over all workers; null: no limit.',
    }),
    max_per_second: nullable(Type.Integer(), {
      description: 'Executions that start per second at most, over all workers; null: no limit.',
    }),
    after: Type.Integer({ description: 'The job handles only events with a larger `seq`.' }),
    created_by: Type.String(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Job' },
);

const showRetry = (retry: RetryPolicy): Static<typeof RetryConfig> => ({
  max_attempts: retry.maxAttempts,
  initial_delay_ms: retry.initialDelayMs,
  multiplier: retry.multiplier,
  max_delay_ms: retry.maxDelayMs,
  jitter: retry.jitter,
  ...(retry.delaysMs ? { delays_ms: [...retry.delaysMs] } : {}),
});

export const showJob = (job: EngineJob): Static<typeof Job> => ({
  id: toTypeId('job', job.id),
  name: job.name,
  description: job.description,
  event_pattern: job.eventPattern,
  processor_name: job.processorName,
  managed: job.managed,
  enabled: job.enabled,
  retry_config: job.retry === null ? null : showRetry(job.retry),
  timeout_ms: job.timeoutMs,
  max_concurrency: job.maxConcurrency,
  max_per_second: job.maxPerSecond,
  after: Number(job.afterSeq),
  created_by: shownActor(job.createdBy),
  created_at: job.createdAt.toISOString(),
  updated_at: job.updatedAt.toISOString(),
});

/** The verb merges it with the usual policy, and refuses two names for one field. */
function readRetry(given: Static<typeof RetryConfigIn>): object {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [camelCase(name), value]));
}

export function readJobChanges(body: Static<typeof JobUpdateParams>): JobChanges {
  const { retry_config: retry } = body;
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.event_pattern === undefined ? {} : { eventPattern: body.event_pattern }),
    ...(body.processor_name === undefined ? {} : { processorName: body.processor_name }),
    ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
    ...(retry === undefined ? {} : { retryConfig: retry && readRetry(retry) }),
    ...(body.timeout_ms === undefined ? {} : { timeoutMs: body.timeout_ms }),
    ...(body.max_concurrency === undefined ? {} : { maxConcurrency: body.max_concurrency }),
    ...(body.max_per_second === undefined ? {} : { maxPerSecond: body.max_per_second }),
  };
}

/** A cursor of another history is refused: the job would begin at another event than its caller means. */
export async function readJobParams(
  tenant: Pick<TenantVerbs, 'requireEventCursor'>,
  body: Static<typeof JobCreateParams>,
): Promise<JobParams> {
  const { name, event_pattern, processor_name, after } = body;
  const params = { ...readJobChanges(body), name, eventPattern: event_pattern, processorName: processor_name };
  if (after === undefined) return params;
  const { seq } = await tenant.requireEventCursor(readEventCursor(after, 'after'));
  return { ...params, after: seq };
}
