// Events about jobs and their executions. A completed execution emits none: its row in `executions` records it.
import { Type } from 'typebox';
import { event } from './define.ts';
import {
  change,
  created,
  given,
  id,
  integer,
  list,
  maybe,
  nullable,
  object,
  reason,
  reasonIfGiven,
  text,
} from './fields.ts';

const retryConfig = nullable(
  object(
    {
      max_attempts: integer('Attempts in all.', 5),
      initial_delay_ms: integer('The wait after the first failed attempt, in milliseconds.', 1_000),
      multiplier: Type.Number({ description: 'Each wait is this many times the previous wait.', examples: [2] }),
      max_delay_ms: integer('The longest wait, in milliseconds.', 60_000),
      jitter: Type.Number({ description: 'Random part of each wait, 0 to 1.', examples: [0] }),
      delays_ms: maybe(
        list(integer('Milliseconds.', 5_000), 'The wait after each attempt but the last, in milliseconds.'),
        'if the other fields say it all',
      ),
    },
    { title: 'EventJobRetry', description: 'How a failed execution is retried.' },
  ),
  'The retry policy; null: the default of 3 attempts.',
);
const limit = (description: string, example: number) =>
  nullable(integer(description, example), `${description} Null: no limit.`);

/** The terms of a job that a caller sets. */
const TERMS = {
  name: text('Its name, unique within the tenant.', 'send receipts'),
  description: text('A text for people; empty if none was given.', 'Sends a receipt for every settled payment.'),
  event_pattern: text('The events that it runs on.', 'payment.settled'),
  processor_name: text('The processor that it runs.', 'send-receipt'),
  enabled: Type.Boolean({ description: 'Whether it runs on new events.', examples: [true] }),
  retry_config: retryConfig,
  timeout_ms: integer('How long one attempt may take, in milliseconds.', 60_000),
  max_concurrency: limit('Executions that run at the same time at most.', 10),
  max_per_second: limit('Executions that start per second at most.', 50),
};

const EXECUTION = {
  job_id: id('job', 'The job.'),
  event_id: id('event', 'The event that it handles.'),
};

export const JOB_EVENTS = {
  'job.created': event(
    'A job was created.',
    created({ ...TERMS, after: integer('Only events with a larger `seq` are handled.', 17) }),
  ),
  'job.updated': event('A job was changed, enabled or disabled.', change(given(TERMS), given(TERMS)), {
    old: { enabled: true },
    new: { enabled: false },
  }),
  'job.deleted': event('A job was deleted. Executions that wait are cancelled.', {
    name: TERMS.name,
    event_pattern: TERMS.event_pattern,
    processor_name: TERMS.processor_name,
  }),
  'execution.failed': event('An execution used up its attempts, or cannot succeed.', {
    ...EXECUTION,
    attempt_number: integer('Attempts so far.', 3),
    code: text('Why the last attempt failed; the execution has the message.', 'PROCESSOR_FAILED'),
  }),
  'execution.retried': event('An execution that had ended was retried: it gets all its attempts again.', {
    ...EXECUTION,
    reason: reasonIfGiven,
  }),
  'execution.discarded': event(
    'A failed execution was discarded from the dead letters.',
    { ...EXECUTION, reason },
    { reason: 'the receipt was sent by hand' },
  ),
  'execution.cancel_requested': event(
    'The cancellation of a running execution was requested: it ends as cancelled, unless its attempt completes first.',
    { ...EXECUTION, reason: reasonIfGiven },
  ),
  'execution.cancelled': event('An execution was cancelled before it ended.', { ...EXECUTION, reason: reasonIfGiven }),
} as const;
