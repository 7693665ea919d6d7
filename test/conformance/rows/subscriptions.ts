// The subscription scheduler and processor.
import type { Requirement } from './row.ts';
import { by, interrupted, row, run, waits } from './row.ts';

const LINES = by('cli/scheduler', 'has these lines of a scheduler and a processor: attempt n of 6, retry n of 5');
const RETRIES = by(
  'schedules/subscriptions',
  'is tried six times, after 1, 2, 4, 8 and 16 minutes, and the subscription expires',
);
const THIRTY_HOURS = by(
  'scenarios/subscriptions',
  'six attempts take thirty hours, across the next midnight, which makes no second charge',
);
const ONCE = by('scenarios/subscriptions', 'a tick that comes twice, or from two workers at once, charges once');
const JOBS = by('conformance/subscriptions-views', 'relayer_jobs has a row of every status');
const JOB = by(
  'conformance/subscriptions-views',
  'a job names its subscription, is due at an instant from its start on, and says the last error',
);
const COLUMNS = by('conformance/compatibility', 'the table %s has these columns');
const STARTS = by('cli/config', 'starts %s with the variables of the subscriptions design');
const RAILWAY = by('deploy/deploy', 'Railway runs %s by "%s"');
const WORKFLOW = by('deploy/deploy', 'the workflow of the %s migrates first, and its paths exist');
const CRONS = by('scenarios/subscriptions', 'six attempts are made %s, then the subscription expires');
const VARIABLE = by('conformance/compatibility', 'the variable %s: %s');

export const SUBSCRIPTIONS: readonly Requirement[] = [
  row('S0-01', 'A scheduler makes jobs of due subscriptions; a processor executes and retries them', LINES),
  row(
    'S0-02',
    'The two scale, fail and are observed separately',
    by('cli/monitor', 'a worker and a scheduler have the same'),
    by('faults/chaos', 'killing processors loses and doubles no payment'),
  ),
  row(
    'S0-03',
    'The scheduler is a separate command that a cron runs to its end',
    by('cli/scheduler', 'makes what is due, says so, keeps a record of it, and the processor settles it'),
    run('npm run scheduler'),
  ),
  row(
    'S0-04',
    'Due: active, and the next due instant has come',
    by('schedules/subscriptions', 'is charged at once, and again one period later'),
  ),
  row('S0-05', 'A new job is PENDING, due at once, with no retries', JOBS, JOB),
  row(
    'S0-06',
    'A due instant becomes one job: unique by subscription and instant, and one open job a subscription',
    ONCE,
    by('schedules/races', 'make each slot once'),
  ),
  row('S0-07', 'The scheduler logs how many jobs it made', LINES),
  row(
    'S0-08',
    'The processor is a separate command that a cron runs several times a day',
    by('cli/processor', 'settles what is due, leaves what is not, orders the events, and says so'),
    run('npm run processor'),
  ),
  row(
    'S0-09',
    'The processor takes due jobs; here it claims them atomically, oldest first, in batches',
    by('payments/claim', 'takes the oldest first'),
    by('payments/races', 'two processors: it is settled once'),
  ),
  row(
    'S0-10',
    'One payment a job; a job that fails affects no other of its batch',
    by('payments/poisoned', 'fails after its attempts, while the others of its batch settle'),
  ),
  row('S0-11', 'A paid job is SUCCESS with its execution time', JOBS),
  row(
    'S0-12',
    'A charge moves the next due instant on by a period in the same transaction',
    by('schedules/subscriptions', 'is charged at once, and again one period later'),
    by('schedules/scheduler', 'lets no slot be made twice, and no schedule go back'),
    interrupted('run one due schedule'),
  ),
  row('S0-13', 'A failed job is retried with exponential backoff', RETRIES),
  row('S0-14', 'A job without retries left is FAILED with its execution time', JOBS),
  row('S0-15', 'The processor logs what it processed, by outcome', LINES),
  row(
    'S0-16',
    'The scheduler runs daily at midnight UTC',
    RAILWAY,
    by(
      'cli/scheduler',
      'scheduler keeps running, creates due payments, those of subscriptions at its cron, and stops on request',
    ),
  ),
  row('S0-17', 'The processor runs at 00:15, 06:15, 12:15 and 18:15', RAILWAY, CRONS),
  row(
    'S0-18',
    'The processor runs a quarter of an hour after the scheduler',
    by(
      'scenarios/subscriptions',
      'a charge that falls due at ten waits for midnight and a quarter past; nothing else does',
    ),
  ),
  row('S0-19', 'Each run takes new jobs and the retries that are due', THIRTY_HOURS),
  row('S0-20', 'A failure counts and sets the next attempt, the last one ends the job', RETRIES),
  row(
    'S0-21',
    'Five retries by default; a plan or a subscription sets its own number of attempts',
    RETRIES,
    by('schedules/subscription-terms', 'of a plan are those of its charges'),
    by('schedules/subscription-terms', 'of a subscription can be changed, from its next charge on'),
  ),
  row(
    'S0-22',
    'One minute before the first retry by default; a plan or a subscription sets its own',
    by('schedules/subscription-terms', 'are normal and six attempts where nothing is said'),
    by('schedules/subscription-terms', 'of a subscription take the place of the plan’s, field by field'),
  ),
  row(
    'S0-23',
    'The formula as written is not usable; here the wait after failure n is the base times 2 to the power n−1',
    by('kernel/retry', '%s waits as the designs say, then gives up'),
  ),
  row(
    'S0-24',
    'The next attempt is the failure plus the wait',
    by('payments/settle', 'is tried at the times the preset says, and then given up'),
  ),
  row('S0-25', 'Attempts at 0, 1, 3, 7, 15 and 31 minutes', CRONS),
  row('S0-26', 'Failure n waits 2 to the power n−1 minutes; the failure of attempt 6 is final', RETRIES),
  row('S0-27', 'One attempt and five retries: logs say attempt n/6 and retry n/5', LINES),
  row(
    'S0-28',
    'With four runs a day the six attempts take 30 hours; a resident processor keeps the minutes',
    THIRTY_HOURS,
    CRONS,
  ),
  row(
    'S0-29',
    'A job has a UUID as its id',
    COLUMNS,
    by('conformance/ids', 'type_id and uuid_of say what the program says, in both schemas'),
  ),
  row('S0-30', 'A job names its subscription', JOB),
  row(
    'S0-31',
    'next_retry_at is always set: the job is not taken before it',
    JOB,
    by('payments/claim', 'is ever taken before its instant, to the microsecond'),
  ),
  row('S0-32', 'executed_at is set when the job has ended, paid or failed', JOBS),
  row('S0-33', 'A job starts as PENDING', JOBS),
  row(
    'S0-34',
    'retry_count counts from 0 to 5',
    by('conformance/one-meaning', 'retry_count is the number of failed attempts that another follows, in both views'),
  ),
  row('S0-35', 'error_message is the last error', JOB),
  row('S0-36', 'The table relayer_jobs, joined to subscriptions', COLUMNS, JOB),
  row(
    'S0-37',
    'PENDING, SUCCESS and FAILED; a claim of a job is a row lock of the transaction that pays it',
    JOBS,
    by('payments/races', 'two processors: it is settled once'),
  ),
  row('S0-38', 'Three Railway services: scheduler, processor and an API that stays', RAILWAY),
  row('S0-39', 'DATABASE_URL names the database', VARIABLE, STARTS),
  row(
    'S0-40',
    'JWT_SECRET has at least 32 characters',
    VARIABLE,
    by('cli/config-security', 'two secrets are taken while one replaces the other, and neither is short'),
  ),
  row('S0-41', 'NODE_ENV is production', VARIABLE, by('cli/config', 'refuses simulated failures and the demo')),
  row(
    'S0-42',
    'PORT, 3001 by default',
    VARIABLE,
    by('cli/config', 'everything has a value that is fit for trying out'),
  ),
  row(
    'S0-43',
    'FRONTEND_URL is the CORS origin',
    VARIABLE,
    by('api/browser', 'of FRONTEND_URL may read its answers, refusals too'),
  ),
  row(
    'S0-44',
    'SOLANA_NETWORK chooses the chain',
    by('cli/config', 'of the designs is named in one warning, with the replacement'),
    waits('chains'),
  ),
  row(
    'S0-45',
    'Every service starts with the six variables; each requires only those it reads',
    STARTS,
    by('cli/config', 'refuses to start api without a secret for end-user tokens; other commands start'),
  ),
  row(
    'S0-46',
    'A workflow deploys the API on any change but the other services’ commands',
    WORKFLOW,
    by('deploy/deploy', 'a change of the scheduler’s or the processor’s command deploys only that service'),
  ),
  row(
    'S0-47',
    'A workflow deploys the scheduler on a change of anything it loads',
    WORKFLOW,
    by('deploy/deploy', 'a change of anything that the %s loads deploys it'),
  ),
  row(
    'S0-48',
    'A workflow deploys the processor on a change of anything it loads',
    WORKFLOW,
    by('deploy/deploy', 'a change of anything that the %s loads deploys it'),
  ),
  row(
    'S0-49',
    'A service is deployed by hand with railway up',
    RAILWAY,
    by('deploy/deploy', 'a platform that replaces the entry point of the image finds the command by its name'),
  ),
  row(
    'S0-50',
    'Each service has its own log, on stdout',
    by('cli/processor', 'logs for machines, an object a line'),
    LINES,
  ),
  row('S0-51', 'The five lines of the scheduler’s log, in order', LINES),
  row('S0-52', 'The lines of the processor’s log, with a summary by outcome', LINES),
  row(
    'S0-53',
    'A line for a permanent failure',
    by('cli/scheduler', 'has a line for one that failed for good; machines get the words without pictures, and fields'),
  ),
  row('S0-54', 'The logged retry time is that of the attempt plus the wait', LINES),
  row(
    'S0-55',
    'The reason of a failure, such as a timeout, is logged and stored',
    LINES,
    by('payments/timeline', 'shows failed attempts with their causes and the time between them'),
  ),
  row(
    'S0-56',
    'Query of pending jobs by next attempt',
    by('conformance/subscriptions-views', 'its query of pending jobs runs as written'),
  ),
  row(
    'S0-57',
    'Query of failed jobs, newest first',
    by('conformance/subscriptions-views', 'its query of failed jobs runs as written'),
  ),
  row(
    'S0-58',
    'Query of pending jobs with retries',
    by('conformance/subscriptions-views', 'its query of jobs with retries runs as written'),
  ),
  row(
    'S0-59',
    'Query of counts and percentages by status; beside it the rate of ended jobs',
    by('conformance/subscriptions-views', 'its success rate runs as written'),
    by('conformance/subscriptions-views', 'its success rate is also given for ended jobs only'),
  ),
  row(
    'S0-60',
    'API, scheduler and processor run in three terminals',
    by('cli/dev', 'share the embedded server: what the API takes, the scheduler makes and the processor pays'),
  ),
  row(
    'S0-61',
    'Subscriptions with a past due date are charged by one run of each service; existing ones are imported with their due date',
    by('cli/scheduler', 'has these lines of a scheduler and a processor: attempt n of 6, retry n of 5'),
    by(
      'schedules/import-subscriptions',
      'one that is past due is charged once by the next run, by the plan’s policy; later charges follow its due date',
    ),
    by('cli/import', 'is reported by a dry run, then made, and skipped when it is run again'),
  ),
  row(
    'S0-62',
    'Failures are simulated by a switch, which production refuses',
    by('cli/processor', 'fails on purpose where it is asked to'),
    by('cli/config', 'refuses simulated failures and the demo'),
  ),
  row('S0-63', 'Charges are executed on Solana', waits('chains')),
  row(
    'S0-64',
    'Slack or Discord is notified of failed jobs',
    by('notifications/channels', 'goes to Slack about a dead letter, without text of a caller'),
    by('notifications/channels', 'goes to Discord as an embed'),
  ),
  row('S0-65', 'A dashboard shows jobs', waits('dashboard')),
  row(
    'S0-66',
    'Metrics for a monitoring service',
    by('api/metrics', 'metrics are text that Prometheus reads'),
    by('cli/one-shot', 'metrics of a one-shot command are pushed to a gateway by PUT, with the login of its address'),
  ),
  row(
    'S0-67',
    'Permanently failed jobs are in a dead-letter queue',
    by('ops/dead-letters', 'say the cause, the money at stake and the age'),
    by('cli/payments', 'are listed with what is at stake, shown, discarded, and retried one by one or all'),
  ),
  row(
    'S0-68',
    'A failed job is retried by request',
    by('payments/ended', 'reserves again, leaves the dead letters and is due at its instant'),
    by('schedules/subscription-revival', 'can be retried, within the approved total'),
  ),
  row(
    'S0-69',
    'Jobs have a priority, set by a plan or a subscription',
    by('schedules/subscription-terms', 'of a plan are those of its charges'),
    by('payments/claim', 'gives each priority its share, and the whole batch to a priority without competition'),
  ),
  row(
    'S0-70',
    'Executions a second are capped, by route, command and variable',
    by('api/execution-cap', 'is the default of the deployment until the tenant has its own'),
    by('api/execution-cap', 'holds the processor back by the default, and the tenant’s own lifts it'),
    by('payments/claim', 'holds over all processors together'),
    by('cli/execution-cap', 'usance execution-cap shows, sets and removes the cap of a tenant'),
  ),
  row(
    'S0-71',
    'Work starts by events instead of polling; LISTEN/NOTIFY wakes processors',
    by('payments/claim', 'is late for the next due instant: the processor gets that instant'),
    by('queue/wake-ups', 'settles at once what another process makes due'),
    waits('brokers'),
  ),
  row(
    'S0-72',
    'Any number of processors share the work',
    by('payments/claim', 'settle each of two thousand payments exactly once'),
  ),
  row(
    'S0-73',
    'The duration of every attempt is kept',
    by('payments/attempt-duration', 'every attempt has its duration, whatever its outcome, and no other event has one'),
    by('payments/attempt-duration', 'the views have the duration of each attempt, and of the last attempt of a job'),
  ),
  row(
    'S0-74',
    'Payments are executed in batches',
    by('payments/one-by-one', 'does what executing its payments one by one would do'),
    by('ops/metrics', 'batches are measured: their size, their time, and how late each payment of them was'),
  ),
  row(
    'S0-75',
    'Jobs are not created: the doctor says why',
    by('ops/judgements', 'warns of schedules whose slots no scheduler creates'),
    run('usance doctor'),
  ),
  row(
    'S0-76',
    'Jobs are not processed: the doctor says why',
    by('ops/judgements', 'warns of payments that are late, and not of those that are due'),
    run('usance doctor'),
  ),
  row(
    'S0-77',
    'A pending job is failed by an operator, with caller and reason audited',
    by('cli/payments', 'are failed with a reason and retried, audited as the logged-in user'),
    by(
      'scenarios/subscriptions',
      'repairs by an operator are audited: a charge that is failed, and one that is run now',
    ),
  ),
  row(
    'S0-78',
    'A waiting job is run now, one or those of a filter, with a dry run and a confirmed number',
    by('payments/reset-retries', 'needs a dry run, the number or a limit, and another number changes nothing'),
    by('cli/payments', 'run now by a filter, which a dry run only shows'),
    by('scenarios/subscriptions', 'waiting charges are run now by a filter, and a dry run only lists them'),
  ),
  row(
    'S0-79',
    'Support starts with the documentation, the logs and the state of the database',
    by('cli/doctor', 'finds an embedded store well'),
    run('usance doctor'),
  ),
  row('S0-80', 'The program says its version', by('cli/help', 'the version is the package’s')),
  row(
    'S0-81',
    'A charge that failed for good expires the subscription, or leaves it past due where the plan says so',
    by('schedules/subscriptions', 'leaves it past due where the plan says so, until a person lets it go on'),
    RETRIES,
  ),
  row('S0-82', 'Retries that last past the next midnight cause no second charge', THIRTY_HOURS),
];
