// Allowances of guardians for children.
import type { Requirement } from './row.ts';
import { by, interrupted, row, run, waits } from './row.ts';

const API = by('api/allowances', 'live from POST to DELETE for a guardian who is me');
const SHOWN = by('schedules/allowances', 'is shown with everything it was given, and listed only for its guardian');
const WRONG = by('schedules/allowances', 'is given by the guardian only, and what is wrong with it is said');
const NEEDED = by('api/allowances', 'without %s are refused by that field');
const TWICE = by('schedules/allowances', 'is refused twice for the same two, also to twenty at once');
const CREDITS = by(
  'conformance/allowances-views',
  'allowance_credits has a row of every status, and each date of an allowance once',
);
const SCHEDULES = by('conformance/allowances-views', 'allowance_schedules has those that are there, ON and OFF');
const COLUMNS = by('conformance/allowances-views', '%s has every column of the design');
const FIVE = by(
  'scenarios/allowances',
  'is tried five times, ten minutes apart, rests as a dead letter, and goes on at the next midnight',
);
const TWENTY = by('scenarios/allowances', 'twenty live schedulers and processors pay every child once');
const RUNS = by('conformance/cron-runs-view', 'cron_runs has the ticks that did something and those that failed');
const EVERY_LOOP = by(
  'ops/cron-runs',
  'every loop of the engine and of the API has a row of a run that it really made',
);
const MIDNIGHT = by(
  'schedules/allowances',
  'is paid at its midnight, and its row changes in no other way than by ending',
);
const UNREAD = by('cli/config', 'of the designs is named in one warning, with the replacement');
const VARIABLE = by('conformance/compatibility', 'the variable %s: %s');

export const ALLOWANCES: readonly Requirement[] = [
  row('S2-01', 'A guardian gives a child a recurring allowance', API),
  row('S2-02', 'The child is credited without further action', MIDNIGHT),
  row('S2-03', 'Any number of workers credit each date once', TWENTY),
  row(
    'S2-04',
    'The scheduler only enqueues; transfers run elsewhere',
    by('cli/scheduler', 'makes what is due, says so, keeps a record of it, and the processor settles it'),
    waits('brokers'),
  ),
  row(
    'S2-05',
    'No user interface and no analytics; weekdays and other rules are plain schedules',
    by('guides/allowance-every-friday', 'what the guide to allowances shows happens when it is pasted'),
  ),
  row('S2-06', 'Created over HTTP, enqueued when due, credited by workers, once by the database', API, TWENTY),
  row('S2-07', 'The table allowance_schedules', COLUMNS, SCHEDULES),
  row('S2-08', 'guardian_id pays, junior_id receives', SCHEDULES),
  row('S2-09', 'amount, in minor units', SCHEDULES),
  row(
    'S2-10',
    'frequency: DAILY, WEEKLY or MONTHLY',
    by('conformance/compatibility', 'the word %s is that of a row: %s'),
  ),
  row(
    'S2-11',
    'status: ON or OFF',
    SCHEDULES,
    by('schedules/allowances', 'that is turned off or on twice stays as it is'),
  ),
  row(
    'S2-12',
    'next_run_at and last_run_at',
    by('conformance/one-meaning', 'has the last run that was paid and the next slot, in the view as over HTTP'),
  ),
  row(
    'S2-13',
    'One allowance for each pair of guardian and child',
    TWICE,
    by('schedules/guardians', 'is paid one allowance by each, which only that guardian sees and changes'),
  ),
  row('S2-14', 'The table allowance_credits: audit log and guard against duplicates', COLUMNS, CREDITS),
  row('S2-15', 'A credit names its allowance', CREDITS),
  row('S2-16', 'A credit names its transfer once it is paid', CREDITS),
  row('S2-17', 'A credit has its amount, its date and when it was paid', COLUMNS, CREDITS),
  row(
    'S2-18',
    'An allowance and a date are unique; the date is the slot, not the clock',
    CREDITS,
    by('schedules/races', 'make each slot once'),
  ),
  row('S2-19', 'The table cron_runs has the runs of all loops', EVERY_LOOP),
  row('S2-20', 'job_name is the loop; many rows share it', RUNS),
  row(
    'S2-21',
    'A run ends as SUCCESS or FAILED; RUNNING until then',
    RUNS,
    by('cli/one-shot', 'a run that was killed is FAILED once the next one has come'),
  ),
  row('S2-22', 'processed_count is what the run made or paid', RUNS),
  row(
    'S2-23',
    'error_message, started_at and finished_at',
    RUNS,
    by('ops/cron-runs', 'a failed run shows a code and a sentence, never the text of an exception'),
  ),
  row('S2-24', 'POST /guardians/me/allowances/:juniorId', API),
  row(
    'S2-25',
    'The amount is required, a number and positive',
    WRONG,
    NEEDED,
    by('api/decimal-amounts', 'is taken by deposits, schedules, plans and allowances, and by their edits'),
  ),
  row('S2-26', 'The frequency is required, one of three', WRONG, NEEDED),
  row('S2-27', 'The status is required, one of two', WRONG, NEEDED),
  row('S2-28', 'The answer has every field of the allowance', SHOWN),
  row(
    'S2-29',
    'The child belongs to the guardian; another’s is refused',
    by('api/allowances', 'of another guardian’s child are refused, as those of an unknown child are'),
  ),
  row(
    'S2-30',
    'A second one for the same pair is ALLOWANCE.ALREADY_EXISTS',
    TWICE,
    by('guides/allowance-every-friday', 'what the guide to allowances shows happens when it is pasted'),
  ),
  row('S2-31', 'Allowances are also read, changed, turned off and deleted', API),
  row(
    'S2-32',
    'The cron of five minutes: one run makes what is due; a resident scheduler is exact',
    by('cli/scheduler', 'makes what is due, says so, keeps a record of it, and the processor settles it'),
    MIDNIGHT,
  ),
  row(
    'S2-33',
    'Due schedules are taken in batches',
    by('schedules/scheduler', 'what is due in one instant is made in batches'),
    by(
      'schedules/allowance-retries',
      'a batch of no row, of a part or of too many is refused before anything is opened',
    ),
  ),
  row(
    'S2-34',
    'Reading is stable: no schedule twice, none left out',
    by('schedules/scheduler', 'lets no slot be made twice, and no schedule go back'),
    by('schedules/races', 'make each slot once'),
  ),
  row(
    'S2-35',
    'Each due schedule is enqueued: here it becomes a payment',
    by('schedules/policies', 'makes its payment when due, not before, and moves on'),
  ),
  row('S2-36', 'Several instances are safe; rows are claimed, so no lock keeps the second one out', TWENTY),
  row(
    'S2-37',
    'Every run is in cron_runs',
    EVERY_LOOP,
    by('ops/cron-runs', 'of a one-shot run is there from its start, RUNNING and without an end, then SUCCESS'),
  ),
  row('S2-38', 'The publisher asserts the queue and the exchanges for retries and dead letters', waits('brokers')),
  row('S2-39', 'A message has an id: allowance and date', waits('brokers')),
  row('S2-40', 'Queues for work, retries and dead letters', waits('brokers')),
  row(
    'S2-41',
    'Workers consume the queue',
    by('scenarios/allowances', 'several workers at once pay every child once'),
    waits('brokers'),
  ),
  row(
    'S2-42',
    'A credit is paid only while the allowance is due and ON',
    by('scenarios/allowances', 'turned OFF between two attempts stops the attempts'),
  ),
  row(
    'S2-43',
    'The credit is written before money moves',
    by('schedules/scheduler', 'verify finds a payment without its slot, and a schedule without its due row'),
    interrupted('run one due schedule'),
  ),
  row(
    'S2-44',
    'The transfer changes both balances and is a transaction',
    CREDITS,
    by('scenarios/allowances', 'all of it leaves the books right'),
  ),
  row(
    'S2-45',
    'A credit sets the last run and the next one',
    by('conformance/one-meaning', 'has the last run that was paid and the next slot, in the view as over HTTP'),
  ),
  row(
    'S2-46',
    'The database refuses a second credit of a date',
    by('schedules/scheduler', 'lets no slot be made twice, and no schedule go back'),
    CREDITS,
  ),
  row(
    'S2-47',
    'A failed credit keeps its row with its state; credit and schedule change in one transaction',
    CREDITS,
    FIVE,
    interrupted('run due schedules with every outcome'),
  ),
  row('S2-48', 'A failed credit is tried again ten minutes later', FIVE, waits('brokers')),
  row('S2-49', 'The fifth failed attempt is the last', FIVE),
  row('S2-50', 'A credit that gave up is a dead letter before it leaves the queue', FIVE, waits('brokers')),
  row(
    'S2-51',
    'Dead letters end the attempts and are inspected by hand',
    by('cli/payments', 'are of slots of schedules too'),
    by('ops/occurrence-letters', 'has payments and occurrences in one order, with cause, money at stake and age'),
  ),
  row(
    'S2-52',
    'A date that is tried again, or gave up, is not enqueued once more',
    FIVE,
    by('scenarios/allowances', 'a tick too many changes nothing'),
  ),
  row(
    'S2-53',
    'A crashed instance holds nothing up: claims end with their transaction',
    by('faults/chaos', 'killing processors loses and doubles no payment'),
    by(
      'ops/cron-runs',
      'of a process that died is ended as FAILED by the next run; those of living processes are kept',
    ),
  ),
  row('S2-54', 'The exchange, queue and binding of retries', waits('brokers')),
  row('S2-55', 'The exchange, queue and binding of dead letters', waits('brokers')),
  row('S2-56', 'Enqueue, consume, retry, give up: the whole flow', FIVE, waits('brokers')),
  row('S2-57', 'RABBITMQ_URL', UNREAD, waits('brokers')),
  row('S2-58', 'ALLOWANCE_QUEUE_NAME names all queues', VARIABLE, waits('brokers')),
  row(
    'S2-59',
    'ALLOWANCE_MAX_RETRIES, 5 by default',
    VARIABLE,
    by('cli/config', 'everything has a value that is fit for trying out'),
  ),
  row(
    'S2-60',
    'ALLOWANCE_RETRY_DELAY_MS, 600000 by default',
    VARIABLE,
    by('cli/config', 'everything has a value that is fit for trying out'),
    by(
      'schedules/allowance-retries',
      'follows changed values of the deployment with its next credit, unless it has its own',
    ),
  ),
  row('S2-61', 'The delay is the same after every attempt, and configurable', FIVE, VARIABLE),
  row('S2-62', 'The example environment is accepted', UNREAD, waits('brokers')),
  row(
    'S2-63',
    'Operators check that workers run and watch the dead letters',
    by('cli/doctor', 'warns where the documented services run, and nothing seals or checks'),
    run('usance doctor'),
  ),
  row('S2-64', 'Manual test: create', API),
  row('S2-65', 'Manual test: a duplicate is refused by its code', TWICE),
  row(
    'S2-66',
    'Manual test: the cron enqueues, by waiting or by hand',
    by('cli/scheduler', 'makes what is due, says so, keeps a record of it, and the processor settles it'),
    run('usance scheduler --once'),
  ),
  row('S2-67', 'Manual test: the worker transfers and the credit is there', CREDITS),
  row(
    'S2-68',
    'Manual test: a failed transfer is retried and gives up in the end',
    FIVE,
    by('cli/processor', 'fails on purpose where it is asked to'),
  ),
  row(
    'S2-69',
    'Workers scale out, and the backlog and the dead letters are measured',
    by('ops/metrics', 'for what is due and since when, by every tenant and priority, and not for what is later'),
    by('ops/metrics', 'for events without a place, dead letters, who waits for funds, and frozen assets'),
    by(
      'payments/attempt-duration',
      'payments and their attempts are counted by kind: hold, charge, allowance, schedule and payment',
    ),
  ),
  row(
    'S2-70',
    'Limits: one for a pair, no weekdays, a fixed delay; schedules have none of them',
    TWICE,
    by('guides/allowance-every-friday', 'what the guide to allowances shows happens when it is pasted'),
  ),
  row(
    'S2-71',
    'Every part has its own place in the source',
    by('architecture/architecture', 'has a README and a door in every module'),
  ),
  row(
    'S2-72',
    'First run, month end, time zones, clock changes and missed dates have one rule each',
    by('scenarios/allowances', 'pays the 31st on the last day of a shorter month'),
    by('scenarios/allowances', 'pays at midnight of the family, through the change of their clocks'),
    by('scenarios/allowances', 'pays nothing for the time in between'),
  ),
];
