// Readings of the store for metrics: a few bounded counts, made at most every few seconds however often metrics are requested, and
// abandoned if the database takes too long. A scrape never hangs, and never adds load to a struggling database.
import type { Database } from '../../db/index.ts';
import { countUnordered } from '../../events/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { countExecutionLetters, dueSince, executionBacklog } from '../../jobs/index.ts';
import { listFreezes } from '../../ledger/index.ts';
import { readChannelHealth } from '../../notifications/index.ts';
import { backlog, countResting } from '../../payments/index.ts';
import { countUnhealthyChains } from '../../rails/index.ts';
import { countOccurrenceLetters, scheduleBacklog } from '../../schedules/index.ts';
import { readEndpointHealth } from '../../webhooks/index.ts';
import { countOpenAlerts } from '../alerts/index.ts';

export interface Readings {
  readonly due: number;
  readonly dueOldestSeconds: number;
  readonly dueSchedules: number;
  readonly dueSchedulesOldestSeconds: number;
  readonly underfunded: number;
  readonly deadLetters: number;
  readonly unordered: number;
  readonly unorderedOldestSeconds: number;
  readonly executionsPending: number;
  readonly executionsRunning: number;
  readonly executionsOldestSeconds: number;
  readonly unmatched: number;
  readonly deliveriesOldestSeconds: number;
  readonly failingEndpoints: number;
  readonly disabledEndpoints: number;
  readonly failingChannels: number;
  readonly disabledChannels: number;
  readonly frozenAssets: number;
  readonly unhealthyChains: number;
  readonly openAlerts: number;
}

/** Under which names they are shown and kept. */
export const READINGS: Readonly<Record<keyof Readings, readonly [name: string, help: string]>> = {
  due: ['usance_due_payments', 'Payments that are due now; counted up to 100,000 per tenant and priority.'],
  dueOldestSeconds: ['usance_due_oldest_seconds', 'How long the oldest due payment has been due; 0 without one.'],
  dueSchedules: ['usance_due_schedules', 'Schedules with a slot that is due now; counted up to 100,000 per tenant.'],
  dueSchedulesOldestSeconds: [
    'usance_due_schedules_oldest_seconds',
    'How long the oldest due payment has been due; 0 without one.',
  ],
  underfunded: ['usance_underfunded_payments', 'Payments that lacked funds and wait for a credit.'],
  deadLetters: [
    'usance_dead_letters',
    'Dead letters: payments, occurrences and executions that failed and were not retried or discarded; each counted up to 100,000.',
  ],
  unordered: [
    'usance_events_unordered',
    'Committed events that are not ordered yet, of the first 10,000 calls that appended.',
  ],
  unorderedOldestSeconds: [
    'usance_events_unordered_oldest_seconds',
    'How long the oldest unordered event has waited; 0 without one.',
  ],
  executionsPending: [
    'usance_executions_pending',
    'Executions that wait for a worker or for their next attempt, of live tenants; counted up to 100,000.',
  ],
  executionsRunning: ['usance_executions_running', 'Executions that a worker runs; counted up to 100,000.'],
  executionsOldestSeconds: [
    'usance_executions_oldest_seconds',
    'How long the oldest waiting execution has been due; 0 without one.',
  ],
  unmatched: ['usance_events_unmatched', 'Ordered events that were not compared with the patterns of jobs yet.'],
  deliveriesOldestSeconds: [
    'usance_deliveries_oldest_seconds',
    'How long the oldest delivery to a webhook endpoint that does not fail has been due; 0 without one.',
  ],
  failingEndpoints: [
    'usance_webhook_endpoints_failing',
    'Webhook endpoints whose deliveries fail, and that are not disabled.',
  ],
  disabledEndpoints: [
    'usance_webhook_endpoints_disabled',
    'Webhook endpoints that were disabled because they answered 410, or because their failures without a success span five days.',
  ],
  failingChannels: [
    'usance_notification_channels_failing',
    'Notification channels whose messages fail, and that are not disabled.',
  ],
  disabledChannels: [
    'usance_notification_channels_disabled',
    'Notification channels that were disabled because their URL is gone or their failures without a success span five days.',
  ],
  frozenAssets: ['usance_frozen_assets', 'Assets frozen because their books did not add up.'],
  unhealthyChains: [
    'usance_chains_unhealthy',
    'Chains that count as unhealthy, also because their health was not measured recently.',
  ],
  openAlerts: ['usance_alerts_open', 'Open alerts of all tenants; counted up to 10,000.'],
};

const FRESH_FOR_MS = 3_000;
const PATIENCE_MS = 2_000;

/** Null when the store did not answer in time. */
export function createReader(db: Database, readClock: () => Promise<Clock>): () => Promise<Readings | null> {
  let latest: Promise<Readings | null> | null = null;
  let untilMs = -Infinity;
  return () => {
    if (latest === null || performance.now() > untilMs) {
      untilMs = performance.now() + FRESH_FOR_MS;
      latest = inTime(readStore(db, readClock), PATIENCE_MS);
    }
    return latest;
  };
}

/** The readings if they arrived in time, or null. */
export async function inTime<T>(work: Promise<T>, patienceMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs);
  });
  return Promise.race([work.catch(() => null), late]).finally(() => clearTimeout(timer));
}

async function readStore(db: Database, readClock: () => Promise<Clock>): Promise<Readings> {
  const { now } = await readClock();
  const sinceSeconds = (instant: Date | null): number =>
    instant === null ? 0 : Math.max(0, now.getTime() - instant.getTime()) / 1_000;
  // One after the other: a scrape takes one connection, not four.
  const { due, oldest } = await backlog(db, now);
  const schedules = await scheduleBacklog(db, now);
  const { underfunded, deadLetters } = await countResting(db);
  const occurrences = await countOccurrenceLetters(db);
  const failedExecutions = await countExecutionLetters(db);
  const unordered = await countUnordered(db);
  const executions = await executionBacklog(db, now);
  const endpoints = await readEndpointHealth(db);
  const deliveriesSince = await dueSince(db, now, 'webhook-delivery', endpoints.failing);
  const channels = await readChannelHealth(db);
  const frozen = await listFreezes(db, { activeOnly: true });
  const unhealthyChains = await countUnhealthyChains(db);
  const openAlerts = await countOpenAlerts(db, 10_000);
  return {
    due,
    dueOldestSeconds: sinceSeconds(oldest),
    dueSchedules: schedules.due,
    dueSchedulesOldestSeconds: sinceSeconds(schedules.oldest),
    underfunded,
    deadLetters: deadLetters + occurrences + failedExecutions,
    unordered: unordered.count,
    unorderedOldestSeconds: sinceSeconds(unordered.oldest),
    executionsPending: executions.pending,
    executionsRunning: executions.running,
    executionsOldestSeconds: sinceSeconds(executions.oldest),
    unmatched: executions.unmatched,
    deliveriesOldestSeconds: sinceSeconds(deliveriesSince),
    failingEndpoints: endpoints.failing.length,
    disabledEndpoints: endpoints.disabled,
    failingChannels: channels.failing,
    disabledChannels: channels.disabled,
    frozenAssets: frozen.length,
    unhealthyChains,
    openAlerts,
  };
}
