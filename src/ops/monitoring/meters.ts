// Everything that is measured, in one table: the counters of a process, and its readings of the store for a
// scrape. docs/operating/monitoring.md has the same list, with the meaning of each; a test compares the two.
//
// A process counts events as their transactions commit, runs of loops as they end, requests as they are answered. So
// counters start from zero with the process and are summed over all of them, as Prometheus does.
import type { Connections, Notes } from '../../db/index.ts';
import type { Counter, Counts, Histogram, LoopObserver, Registry, Series } from '../../kernel/index.ts';
import { createRegistry } from '../../kernel/index.ts';
import { PAYMENT_KINDS, readAttemptNote } from '../../payments/index.ts';
import type { WakeUpMeter } from '../../queue/index.ts';
import { WAKE_UPS, readWakeUpNote } from '../../queue/index.ts';
import { addProcessMeters } from './process-meters.ts';
import type { Readings } from './readings.ts';
import { READINGS } from './readings.ts';

export interface Answered {
  readonly method: string;
  /** The template, `/v1/holds/{id}`, never the path. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Whether it was rolled back because the request asked for that. */
  readonly isDryRun: boolean;
}

export interface Meters {
  readonly families: Registry['families'];
  /** Counts the events of a committed transaction. */
  noted(notes: Notes): void;
  readonly loops: Required<Pick<LoopObserver, 'ran' | 'failed' | 'failedAlone'>>;
  /** A row of `cron_runs` could not be written. */
  runNotRecorded(): void;
  /** A batch of due payments was settled. */
  settled(batch: { readonly claimed: number; readonly lateMs?: readonly number[] }, durationMs: number): void;
  answered(answer: Answered): void;
  /** An attempt of an execution ended. */
  executed(processor: string, outcome: string, durationMs: number): void;
  readonly wakeUps: WakeUpMeter;
  /** Everything, for Prometheus. `readings` are of the store; null when it did not answer. */
  text(readings: Readings | null, connections: Connections, isListening: boolean): string;
  /** The counters that are written to the store, with their current values. */
  counters(): { name: string; labels: Readonly<Record<string, string>>; value: number }[];
  /** How often each loop of this process succeeded. */
  loopRuns(): ReadonlyMap<string, number>;
}

/**
 * Each counts the committed events of its type, under the event's own name; a settled payment is `completed`, as in the views of
 * `usance_docs`. A rejected payment ends as cancelled, so that the two types share a counter.
 */
const COUNTED_EVENTS: Readonly<Record<string, readonly [name: string, help: string]>> = {
  'payment.created': ['payments_created_total', 'Payments and holds created.'],
  'payment.settled': ['payments_completed_total', 'Payments settled, whole or in part.'],
  'payment.attempt_failed': ['payments_attempt_failed_total', 'Failed attempts that are followed by another.'],
  'payment.failed': ['payments_failed_total', 'Payments that failed for good; each is a dead letter.'],
  'payment.expired': ['payments_expired_total', 'Payments that expired with nothing captured.'],
  'payment.cancelled': ['payments_cancelled_total', 'Payments cancelled or rejected with nothing captured.'],
  'payment.rejected': ['payments_cancelled_total', 'Payments cancelled or rejected with nothing captured.'],
  'payment.captured': ['payments_captured_total', 'Captures of a part of a hold.'],
  'payment.refunded': ['payments_refunded_total', 'Refunds of settled payments, whole or part.'],
  'payment.retried': ['payments_retried_total', 'Failed payments that an operator retried.'],
};

const HTTP_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const LATE_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];
const BATCH_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const BATCH_PAYMENTS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000];
const EXECUTION_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const LOOP_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

export function createMeters(): Meters {
  const registry = createRegistry();
  const { counter, gauge, histogram } = registry;

  const payments = new Map(
    [...new Map(Object.values(COUNTED_EVENTS))].map(([name, help]) => [name, counter(name, help, ['kind'])]),
  );
  const ofPayments = new Map<string, { readonly type: string; readonly cell: ReturnType<Counter['cell']> }>();
  // There from the start: zero is an answer, and a rate needs it.
  for (const [type, [name]] of Object.entries(COUNTED_EVENTS))
    for (const kind of PAYMENT_KINDS)
      ofPayments.set(`${type}/${kind}`, { type, cell: payments.get(name)?.cell(kind) ?? noCell(name) });
  const attempts = histogram(
    'usance_attempt_seconds',
    'How long an attempt took, from the claim of its batch to the decision.',
    BATCH_SECONDS,
    ['kind'],
  );
  const events = counter('usance_events_total', 'Events of committed transactions.', ['type']);

  const late = histogram(
    'usance_payment_lateness_seconds',
    'Delay between the due instant of a payment and its claim.',
    LATE_SECONDS,
  ).cell();
  const batchPayments = histogram('usance_batch_payments', 'Payments in one transaction.', BATCH_PAYMENTS).cell();
  const batchSeconds = histogram('usance_batch_seconds', 'Duration of such a transaction.', BATCH_SECONDS).cell();
  const readStore = storeGauges(registry);

  const runs = counter('usance_loop_runs_total', 'Successful runs of a loop.', ['loop']);
  const failures = counter('usance_loop_failures_total', 'Runs of a loop that failed.', ['loop']);
  const notRecorded = counter('usance_cron_run_write_failures_total', 'Writes to cron_runs that failed.');
  const seconds = histogram('usance_loop_seconds', 'Duration of a run of a loop.', LOOP_SECONDS, ['loop']);
  const items = counter('usance_loop_items_total', 'Items that the runs of a loop processed, by kind.', [
    'loop',
    'kind',
  ]);
  const lastRun = gauge('usance_loop_last_run_timestamp_seconds', 'When a run of a loop last succeeded.', ['loop']);
  const violations = counter(
    'usance_integrity_violations_total',
    'Violations found by the checks of the books. Alert above zero.',
  );
  const lastPass = gauge(
    'usance_integrity_last_pass_timestamp_seconds',
    'When the last check of every account was completed.',
  );

  const requests = counter('usance_http_requests_total', 'Requests answered.', ['method', 'route', 'status']);
  const dryRuns = counter('usance_http_dry_runs_total', 'Dry runs answered.', ['method', 'route']);
  const latency = histogram('usance_http_request_seconds', 'Time from the first byte to the answer.', HTTP_SECONDS, [
    'method',
    'route',
  ]);

  // Found by what comes as it is: putting a key together for every request would cost more than counting it.
  const byRoute = new Map<string, Map<string, Route>>();

  const executionSeconds = histogram(
    'usance_execution_seconds',
    'Duration of an attempt of an execution, from its start to its end, by processor.',
    EXECUTION_SECONDS,
    ['processor'],
  );
  const executionAttempts = counter('usance_execution_attempts_total', 'Attempts of executions that ended.', [
    'processor',
    'outcome',
  ]);

  const pool = gauge('usance_pool_connections', 'Connections of this process to the database.', ['state']);
  const poolMost = gauge('usance_pool_connections_max', 'Maximum number of connections of this process.');
  const poolWaiting = gauge('usance_pool_waiting', 'Requests that wait for a connection.');
  const sent = counter('usance_wakeups_sent_total', 'Wake-ups sent to other processes.', ['kind']);
  const notSent = counter('usance_wakeup_send_failures_total', 'Wake-ups that could not be sent.');
  const received = counter('usance_wakeups_received_total', 'Wake-ups received over the listening connection.', [
    'kind',
  ]);
  for (const family of [sent, received]) for (const kind of WAKE_UPS) family.cell(kind);
  const listening = gauge('usance_wakeup_listener_up', 'Whether this process receives wake-ups of other processes.');
  const readProcess = addProcessMeters(registry);

  return {
    families: registry.families,
    noted(notes) {
      for (const [name, count] of notes) {
        if (readWakeUpNote(name)) continue;
        const attempt = readAttemptNote(name);
        if (attempt) {
          attempts.cell(attempt.kind).observe(attempt.durationMs / 1_000, count);
          continue;
        }
        const counted = ofPayments.get(name);
        counted?.cell.add(count);
        events.cell(counted?.type ?? name.split('/', 1)[0] ?? name).add(count);
      }
    },
    loops: {
      ran(loop, counts: Counts, durationMs) {
        runs.cell(loop).add();
        seconds.cell(loop).observe(durationMs / 1_000);
        lastRun.set(epochSeconds(), loop);
        for (const [kind, count] of Object.entries(counts)) if (count > 0) items.cell(loop, kind).add(count);
        if (loop !== 'integrity') return;
        violations.cell().add(counts['violations'] ?? 0);
        if (counts['passes']) lastPass.set(epochSeconds());
      },
      failed: (loop) => failures.cell(loop).add(),
      failedAlone: (loop) => failures.cell(loop).add(),
    },
    runNotRecorded: () => notRecorded.cell().add(),
    settled({ claimed, lateMs = [] }, durationMs) {
      batchPayments.observe(claimed);
      batchSeconds.observe(durationMs / 1_000);
      for (const ms of lateMs) late.observe(ms / 1_000);
    },
    answered({ method, route, status, durationMs, isDryRun }) {
      const methods = remembered(byRoute, route, () => new Map<string, Route>());
      const { seconds, answers } = remembered(methods, method, () => ({
        seconds: latency.cell(method, route),
        answers: new Map<number, ReturnType<Counter['cell']>>(),
      }));
      remembered(answers, status, () => requests.cell(method, route, String(status))).add();
      seconds.observe(durationMs / 1_000);
      if (isDryRun) dryRuns.cell(method, route).add();
    },
    executed(processor, outcome, durationMs) {
      executionSeconds.cell(processor).observe(durationMs / 1_000);
      executionAttempts.cell(processor, outcome).add();
    },
    wakeUps: {
      sent: (kind) => sent.cell(kind).add(),
      failed: () => notSent.cell().add(),
      received: (kind) => received.cell(kind).add(),
    },
    text(readings, connections, isListening) {
      readStore(readings);
      listening.set(isListening ? 1 : 0);
      pool.set(connections.inUse, 'in_use');
      pool.set(connections.idle, 'idle');
      poolMost.set(connections.most);
      poolWaiting.set(connections.waiting);
      readProcess();
      return registry.text();
    },
    counters: () => [
      ...[...payments.values()].flatMap(({ name, series }) => summedBy('kind', name, 0, series())),
      ...unlabelled(violations.name, violations.series()),
      ...summedBy('loop', failures.name, 0, failures.series()),
      ...summedBy('status', requests.name, 2, requests.series()),
    ],
    loopRuns: () => new Map(runs.series().map(({ labels, value }) => [labels[0] ?? '', value])),
  };
}

function noCell(name: string): never {
  throw new Error(`expected a counter named ${name}`);
}

interface Route {
  readonly seconds: ReturnType<Histogram['cell']>;
  readonly answers: Map<number, ReturnType<Counter['cell']>>;
}

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

/** Readings of the whole store: every process shows the same values, so a dashboard takes the maximum and not the sum. */
function storeGauges({ gauge }: Registry): (readings: Readings | null) => void {
  const up = gauge('usance_database_up', 'Whether the database answered the last reading: 1 or 0.');
  const shown = Object.entries(READINGS).map(([field, [name, help]]) => ({
    field: field as keyof Readings,
    gauge: gauge(name, help),
  }));
  return (readings) => {
    up.set(readings === null ? 0 : 1);
    for (const { field, gauge } of shown) {
      if (readings === null) gauge.clear();
      else gauge.set(readings[field]);
    }
  };
}

type Kept = ReturnType<Meters['counters']>;

const unlabelled = (name: string, series: readonly Series[]): Kept =>
  series.map(({ value }) => ({ name, labels: {}, value }));

/** Summed over every label but one: what is kept in the store stays few rows. */
function summedBy(label: string, name: string, index: number, series: readonly Series[]): Kept {
  const sums = new Map<string, number>();
  for (const { labels, value } of series) {
    const of = labels[index] ?? '';
    sums.set(of, (sums.get(of) ?? 0) + value);
  }
  return [...sums].map(([of, value]) => ({ name, labels: { [label]: of }, value }));
}

/** Readings of this process, with the instant at which they were made. */
function epochSeconds(): number {
  return (performance.timeOrigin + performance.now()) / 1_000;
}
