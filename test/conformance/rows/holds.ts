// Delayed payments: holds.
import type { Requirement } from './row.ts';
import { by, open, row, run, waits } from './row.ts';

const WALK = by('api/walk-through', 'works in $words');
const REFUSES = by('api/walk-through', 'refuses %s');
const HOURS = by('scenarios/holds', 'goes from PENDING to COMPLETED when they have passed, not before');
const CANCELLED = by('scenarios/holds', 'is CANCELLED while PENDING, and its money is available again');
const COLUMNS = by('conformance/holds-views', '%s has every column of the design');
const STATES = by('conformance/holds-views', 'payment_holds has a row of every status, in the words of the design');
const STANDING = by('conformance/holds-views', 'user_accounts and balance_reservations say how they stand');
const BALANCE = by('conformance/holds-views', 'the balance query of the design runs as written');
const LIFE = by('conformance/holds-views', 'hold_events list every step of a hold, and audit_events who paid whom');
const RESERVES = by('payments/create', 'a payment that reserves sets its funds aside at once');
const ONE_OF_TWENTY = by('ledger/at-once', 'of twenty payments that the payer can afford once, one is made');
const AUDIT = by('audit/list', 'names the key, the address, the program and the request, for a payment as for a pause');
const PARTITIONS = by('db/migrate', 'has a partition for this month and the next three in every table of history');
const EXACT = by('payments/claim', 'is ever taken before its instant, to the microsecond');
const TWO = by('payments/races', 'two processors: it is settled once');
const KILLED = by('faults/chaos', 'killing the server under load loses and doubles no payment');

export const HOLDS: readonly Requirement[] = [
  row(
    'S4-01',
    'The API validates, limits rates, authenticates and authorizes',
    by('api/rate-limits', 'of one key are refused, with when to ask again; another’s are not'),
    by('api/auth', 'needs the scope of the route; a refusal names the missing one'),
    REFUSES,
  ),
  row('S4-02', 'Holds have states, a schedule and a cancellation', STATES, CANCELLED),
  row(
    'S4-03',
    'Transfers check the balance, are retried and are audited',
    by('payments/settle', 'is tried at the times the preset says, and then given up'),
    LIFE,
  ),
  row(
    'S4-04',
    'Accounts, balances and reservations; in one database, not in shards',
    COLUMNS,
    open('sharding by user'),
  ),
  row('S4-05', 'Holds, their events and their retries; history is partitioned by time', COLUMNS, PARTITIONS),
  row('S4-06', 'An audit log, logs and metrics', COLUMNS, AUDIT),
  row(
    'S4-07',
    'One name for each thing: balance_reservations, system_metrics, execute_at',
    COLUMNS,
    by('conformance/compatibility', 'the table %s has these columns'),
  ),
  row('S4-08', 'A delay queue; any delay is execute_at in PostgreSQL', HOURS, waits('brokers')),
  row(
    'S4-09',
    'Holds that are ready are processed at once',
    by('payments/claim', 'is late for the next due instant: the processor gets that instant'),
  ),
  row(
    'S4-10',
    'Failed holds are dead letters, with alerts',
    by('ops/dead-letters', 'say the cause, the money at stake and the age'),
    by('deploy/deploy', 'alert rules use metrics that are served, each as its type allows'),
  ),
  row('S4-11', 'A store for long delays; execute_at takes any length', HOURS, waits('brokers')),
  row(
    'S4-12',
    'Processors scale by a metric and report their health',
    by('deploy/deploy', 'processors are scaled by metrics that are served'),
    by('cli/monitor', 'reports its health and its work, and turns red before it ends'),
  ),
  row(
    'S4-13',
    'Operators retry payments and find causes',
    by('cli/payments', 'are listed with what is at stake, shown, discarded, and retried one by one or all'),
    by('payments/timeline', 'shows failed attempts with their causes and the time between them'),
  ),
  row('S4-14', 'user_accounts with ACTIVE, SUSPENDED and DELETED', COLUMNS, STANDING),
  row('S4-15', 'user_balances with available, reserved and total', COLUMNS, BALANCE),
  row('S4-16', 'The total is derived from available and reserved', BALANCE),
  row(
    'S4-17',
    'A balance has a version, which every change raises; concurrent changes never overwrite each other',
    by('conformance/holds-views', 'the version of a balance rises with every change of it'),
    ONE_OF_TWENTY,
    COLUMNS,
  ),
  row('S4-18', 'balance_reservations with its states', COLUMNS, STANDING),
  row('S4-19', 'A reservation stays after its end: CAPTURED or RELEASED', STANDING),
  row(
    'S4-20',
    'Funds are not released before the hold has ended',
    by('payments/scheduled', 'never expires before it runs'),
    by('payments/settle', 'gives back what it reserved when it expires'),
  ),
  row('S4-21', 'payment_holds with its columns', COLUMNS, STATES),
  row(
    'S4-22',
    'PENDING, COMPLETED, CANCELLED, FAILED; PROCESSING lasts one transaction',
    STATES,
    by('api/hold-events', 'a hold is created, scheduled, moved, processed, tried again and completed'),
  ),
  row('S4-23', 'completed_at and cancelled_at', STATES),
  row('S4-24', 'hold_events with its columns', COLUMNS, LIFE),
  row(
    'S4-25',
    'Event types of a whole life: SCHEDULED, PROCESSING, RELEASED, CANCELLED and retries included',
    LIFE,
    by('conformance/one-meaning', 'have the same names in hold_events, the timeline and the metrics'),
    by('api/hold-events', 'a hold is created, scheduled, moved, processed, tried again and completed'),
    by('api/hold-events', 'an end that gives back what was held says so'),
  ),
  row('S4-26', 'audit_events with actor, action, resource, address and program', COLUMNS, AUDIT),
  row('S4-27', 'The column is action_type', by('conformance/compatibility', 'the table %s has these columns')),
  row(
    'S4-28',
    'system_metrics with name, value, labels and time',
    COLUMNS,
    by('ops/metrics', 'sums up to what was counted, over processes and restarts'),
  ),
  row(
    'S4-29',
    'Create, reserve, execute: each has an event, in one transaction with its change',
    by('payments/walk-through', 'reserves now and moves money when due'),
    by('events/append', 'is gone with the transaction that appended it'),
  ),
  row(
    'S4-30',
    'Outcomes feed metrics and notifications',
    by('ops/metrics', 'as they end'),
    by('notifications/channels', 'goes to Slack about a dead letter, without text of a caller'),
  ),
  row(
    'S4-31',
    'POST /holds with to_user, amount and delay; the sender is the caller',
    WALK,
    by('access/own', 'pays out of their own account only, to people and not to the outside'),
  ),
  row(
    'S4-32',
    'The sender exists and is active',
    REFUSES,
    by('api/money', 'a suspended account neither pays nor is paid'),
  ),
  row(
    'S4-33',
    'The recipient exists and is active',
    REFUSES,
    by('api/money', 'a suspended account neither pays nor is paid'),
  ),
  row(
    'S4-34',
    'The amount is positive and within the daily limit of every user',
    REFUSES,
    by('scenarios/holds', 'applies to every user, over 24 hours, unless the user has their own'),
  ),
  row(
    'S4-35',
    'The delay is at most seven days, or as configured',
    REFUSES,
    by('payments/refused-orders', 'how far ahead a hold may lie can be set'),
  ),
  row('S4-36', 'The balance covers the amount: 250 covers 100', WALK, REFUSES),
  row('S4-37', 'Reserving moves available to reserved in one step', RESERVES, ONE_OF_TWENTY),
  row(
    'S4-38',
    'Reservation and hold are made in one transaction',
    RESERVES,
    by('faults/coverage', 'every verb of a tenant that writes is interrupted at every statement'),
  ),
  row('S4-39', 'A new hold is PENDING at now plus the delay', WALK),
  row('S4-40', 'A delay of 48 hours is kept', HOURS),
  row(
    'S4-41',
    'Due holds are looked for continuously',
    by('payments/claim', 'is late for the next due instant: the processor gets that instant'),
    by('kernel/loop', 'sleeps no longer than the run asks for, and no longer than its poll interval'),
  ),
  row('S4-42', 'execute_at in the database decides; no key can expire and be lost', HOURS, KILLED),
  row('S4-43', 'A hold becomes ready when its instant has come', EXACT, HOURS),
  row(
    'S4-44',
    'The processor reads the hold it executes',
    by('payments/walk-through', 'reserves now and moves money when due'),
  ),
  row('S4-45', 'Only a due, pending hold is executed, by one processor', TWO, EXACT),
  row('S4-46', 'The sender’s reserved balance decreases', WALK, HOURS),
  row('S4-47', 'The recipient’s available balance increases', WALK, HOURS),
  row('S4-48', 'The hold is COMPLETED with its time', HOURS, STATES),
  row(
    'S4-49',
    'All of it is one transaction of one database',
    KILLED,
    by('db/crash/kill', 'what was acknowledged before kill -9 of the server is there after it, once'),
  ),
  row('S4-50', 'PAYMENT_COMPLETED is audited with amount and recipient', LIFE, HOURS),
  row(
    'S4-51',
    'Both users are notified',
    by('notifications/email', 'is e-mailed to payer and payee, in text and HTML, with a link to unsubscribe'),
  ),
  row(
    'S4-52',
    'payments_completed_total counts it',
    by('ops/metrics', 'as they end'),
    by('conformance/compatibility', 'the word %s is that of a row: %s'),
  ),
  row(
    'S4-53',
    'Many API instances behind a load balancer, many processors',
    by('api/closing', 'turns /ready red first, and lets what is in flight finish'),
    by('api/address', 'is the caller’s, behind a proxy that is named'),
    by('payments/claim', 'settle each of two thousand payments exactly once'),
  ),
  row('S4-54', 'Shards by ranges of users', open('sharding: one database holds every user')),
  row(
    'S4-55',
    'A primary and read replicas',
    by('ledger/posting-order', 'a read-only server still answers, and says that nothing is known to be final'),
    open('routing of reads to replicas'),
  ),
  row('S4-56', 'PostgreSQL with transactions, partitions and JSONB', PARTITIONS, STATES),
  row('S4-57', 'Short and long delays take the same path', WALK, HOURS),
  row(
    'S4-58',
    'Never early; late by one poll at most',
    EXACT,
    by('payments/claim', 'is late for the next due instant: the processor gets that instant'),
  ),
  row('S4-59', 'Funds are reserved at once, so execution finds them', RESERVES),
  row(
    'S4-60',
    'Payments are strongly consistent; views read what is committed',
    by(
      'ledger/posting-order',
      'of accounts that pay each other in every way at once, every line is true and every final period stays',
    ),
    by('payments/model', 'add up to what was acknowledged when eight people and two processors are at them'),
  ),
  row('S4-61', 'Scale: many waiting holds do not slow the others', run('npm run bench')),
  row(
    'S4-62',
    'Cancel, failure, retries, dead letters and expiry are defined',
    CANCELLED,
    by('payments/settle', 'gives back what it reserved when it is given up'),
    by('payments/races', 'cancel and settle: one of them wins, and the caller gets the true outcome'),
  ),
];
