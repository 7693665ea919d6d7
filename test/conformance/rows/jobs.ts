// Jobs that run processors on events.
import type { Requirement } from './row.ts';
import { by, row, run } from './row.ts';

const DEFAULTS = by('api/jobs', 'has a name, a pattern and a processor, and a default for everything else');
const GIVEN = by('api/jobs', 'shows everything that it was given');
const POLICY = by('api/jobs', 'has the rest of a retry policy from the default: 3 attempts, 1,000 ms, ×2, 60,000 ms');
const REFUSED = by('api/jobs', '%j is refused');
const STATES = by('api/executions', 'that is %s has the fields of the design');
const ATTEMPTS = by('api/executions', 'has every attempt, by its number');
const COLUMNS = by('conformance/compatibility', 'the table %s has these columns');
const WORDS = by('conformance/compatibility', 'the word %s is that of a row: %s');
const RECEIPT = by('testing/example', 'a receipt is sent for every settled payment, at the second attempt');
const GUIDE = by(
  'guides/run-code-when-a-payment-settles',
  'what the guide to jobs shows happens when it is pasted, beside a worker',
);
const VIEWS = by('conformance/jobs-views', '_execution_invocations has a row for every attempt, as the API shows it');
const MATCHED = by('jobs/match', 'gets one execution for each event behind its creation that its pattern names');
const FENCED = by('jobs/worker', 'writes nothing about an attempt that another worker has');
const RETRIED = by(
  'jobs/worker',
  'is retried after its policy when its processor throws, and is a dead letter after the last attempt',
);

export const JOBS: readonly Requirement[] = [
  row('S1-01', 'Events are processed in the background, with retries, locks and a history of executions', GUIDE),
  row('S1-02', 'A job is an event pattern and a processor', DEFAULTS),
  row('S1-03', 'Job.id is a UUID', DEFAULTS, COLUMNS),
  row('S1-04', 'Job.name is its display name, here unique within the tenant', DEFAULTS),
  row('S1-05', 'Job.description is a text for people', GIVEN),
  row('S1-06', 'Job.eventPattern is an exact type, posts.* or *', GIVEN, REFUSED, MATCHED),
  row('S1-07', 'Job.processorName names a registered processor', DEFAULTS, REFUSED),
  row('S1-08', 'Job.enabled says whether it is active', GIVEN),
  row('S1-09', 'Job.retryConfig is an object or null', POLICY),
  row('S1-10', 'Job.createdAt is ISO 8601', DEFAULTS),
  row('S1-11', 'Job.updatedAt is ISO 8601', DEFAULTS),
  row('S1-12', 'Processors are registered by name and run when an event matches', RECEIPT, GUIDE),
  row('S1-13', 'A processor takes the event and the execution, and returns an object or nothing', RECEIPT),
  row('S1-14', 'A processor is defined by name, description and function', RECEIPT),
  row(
    'S1-15',
    'The built-in processor webhook-delivery delivers events to endpoints',
    by('webhooks/deliver', 'is the event as the API shows it, signed so that the reference library verifies it'),
  ),
  row(
    'S1-16',
    'A match creates one execution, and never a second one for a job and an event',
    MATCHED,
    by('jobs/match', 'gets each event once if twenty processes match at the same time'),
  ),
  row('S1-17', 'Execution.id is a UUID, here made of the job and the event', STATES, COLUMNS),
  row('S1-18', 'Execution.jobId is the job', STATES),
  row('S1-19', 'Execution.eventId is the event', STATES),
  row('S1-20', 'Execution.status is pending, running, completed or failed; here also cancelled', STATES, WORDS),
  row('S1-21', 'Execution.attemptNumber is 0 before the first claim and 1 during the first attempt', STATES),
  row('S1-22', 'Execution.startedAt is the start of the first attempt, or null', STATES),
  row('S1-23', 'Execution.completedAt is the end, or null', STATES),
  row('S1-24', 'Execution.error is the last message, or null', STATES),
  row('S1-25', 'Execution.result is what the processor returned, or null', STATES, RECEIPT),
  row('S1-26', 'Execution.nextRetryAt is when the next attempt is due, or null', STATES),
  row('S1-27', 'Execution.locked is since when a worker has it, or null', STATES),
  row('S1-28', 'Execution.createdAt is ISO 8601', STATES),
  row(
    'S1-29',
    'pending becomes running, and running completed, or pending again for a retry',
    by('jobs/worker', 'completes with what its processor returned'),
    RETRIED,
  ),
  row(
    'S1-30',
    'An execution stays pending with nextRetryAt while attempts remain, and then fails for good; a failed try is an invocation',
    RETRIED,
    by('api/executions', 'that failed is retried: it waits with all its attempts, and is no dead letter any more'),
  ),
  row('S1-31', 'Three attempts by default', POLICY),
  row('S1-32', 'One second before the second attempt by default', POLICY),
  row('S1-33', 'Each wait is twice the previous one by default', POLICY),
  row('S1-34', 'A wait is at most a minute by default', POLICY),
  row('S1-35', 'The wait after attempt n is min(initial × multiplier to the power n−1, max)', RETRIED, GUIDE),
  row(
    'S1-36',
    'A retryConfig replaces the default field by field; backoffMultiplier is accepted',
    POLICY,
    by('api/jobs', 'takes backoff_multiplier for multiplier, and refuses both'),
  ),
  row('S1-37', 'A timestamp locks an execution while it is processed', STATES),
  row('S1-38', 'Only one worker holds an execution at a time', FENCED),
  row(
    'S1-39',
    'The lock is taken by an atomic check; here a conditional update, and a fence in every later write',
    FENCED,
  ),
  row(
    'S1-40',
    'No duplicate processing in distributed use; a worker that dies loses its lease, and the attempt has failed',
    by('jobs/rescue', 'has its attempts failed as lost, and tried again at once'),
    by('jobs/worker', 'aborts everything when its lease is lost, and begins again as another worker'),
  ),
  row('S1-41', 'An invocation is one attempt', ATTEMPTS),
  row('S1-42', 'Invocation.id is a UUID', ATTEMPTS, COLUMNS),
  row('S1-43', 'Invocation.executionId is the execution', ATTEMPTS),
  row('S1-44', 'Invocation.attemptNumber counts from 1', ATTEMPTS),
  row('S1-45', 'Invocation.startedAt is the start of the attempt', ATTEMPTS),
  row('S1-46', 'Invocation.completedAt is the end of the attempt, or null while it runs', ATTEMPTS),
  row('S1-47', 'Invocation.status is running, success or failed', ATTEMPTS, WORDS),
  row('S1-48', 'Invocation.error, result and createdAt', ATTEMPTS),
  row(
    'S1-49',
    'The tables _jobs, _job_executions and _execution_invocations',
    COLUMNS,
    VIEWS,
    run('usance executions'),
  ),
  row(
    'S1-50',
    'A disabled job creates no execution, and an unknown processor is refused at once',
    by('jobs/joining', 'begins at the end of the order of that moment'),
    REFUSED,
  ),
];
