// An allowance: a schedule by which a guardian pays a child, in the words of the document that asked for it. ON is a
// schedule that is active, OFF one that is paused.
import type { RetryPolicy, Uuid } from '../../kernel/index.ts';
import { RETRY_PRESETS, oneOf, parseRetryPolicy } from '../../kernel/index.ts';
import { DAY, dayOf } from '../rules/local.ts';
import type { CalendarRule, Slot } from '../rules/index.ts';
import { formatLocal, zoneOf } from '../rules/index.ts';
import type { Schedule, ScheduleStatus } from '../schedule.ts';

export const ALLOWANCE_FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY'] as const;
export type AllowanceFrequency = (typeof ALLOWANCE_FREQUENCIES)[number];
export const ALLOWANCE_STATUSES = ['ON', 'OFF'] as const;
export type AllowanceStatus = (typeof ALLOWANCE_STATUSES)[number];

/** The states of a schedule that is an allowance; one that has ended is none any more. */
export const LIVE = ['active', 'paused'] as const satisfies readonly ScheduleStatus[];

export interface Allowance {
  readonly tenantId: Uuid;
  /** The schedule's. */
  readonly id: Uuid;
  /** Who pays. */
  readonly guardianId: Uuid;
  /** Who is paid. */
  readonly juniorId: Uuid;
  readonly status: AllowanceStatus;
  readonly amount: bigint;
  readonly asset: string;
  /** Null where its schedule was given a rule that is none of these. */
  readonly frequency: AllowanceFrequency | null;
  readonly zone: string;
  /** Null: the values of the deployment (AllowanceOptions), as they are when a credit is made. */
  readonly retry: RetryPolicy | null;
  /** The next date, also while the credit before is tried again. Null while it is OFF. */
  readonly nextRunAt: Date | null;
  /** The date of the last credit that was paid, however late; null until one is. */
  readonly lastRunAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * How often a credit is tried, and how long after each failure, if the allowance has no retry policy. A credit takes the
 * values of the process that makes it, so a change reaches every such allowance with its next credit.
 */
export interface AllowanceOptions {
  /** Attempts of one credit: 1 to 100, default 5. */
  readonly maxAttempts?: number;
  /** The wait after a failed attempt in milliseconds: a second to 30 days, default 10 minutes. */
  readonly retryDelayMs?: number;
}

export function allowanceRetry({ maxAttempts, retryDelayMs }: AllowanceOptions): RetryPolicy {
  const preset = RETRY_PRESETS.allowance;
  const delayMs = retryDelayMs ?? preset.initialDelayMs;
  const given = { maxAttempts: maxAttempts ?? preset.maxAttempts, initialDelayMs: delayMs, maxDelayMs: delayMs };
  return parseRetryPolicy(given, preset, 'allowances');
}

export function showAllowance(
  { schedule, next }: { readonly schedule: Schedule; readonly next: Slot | null },
  pair: Pair,
  lastRunAt: Date | null,
): Allowance {
  const { tenantId, id, amount, asset, timing, createdAt, updatedAt } = schedule;
  const rule = 'frequency' in timing.rule ? timing.rule.frequency : null;
  return {
    tenantId,
    id,
    guardianId: pair.guardianId,
    juniorId: pair.juniorId,
    status: schedule.status === 'active' ? 'ON' : 'OFF',
    amount,
    asset,
    frequency: ALLOWANCE_FREQUENCIES.find((each) => each === rule) ?? null,
    zone: timing.zone,
    retry: schedule.retry,
    nextRunAt: next && new Date(next.at),
    lastRunAt,
    createdAt,
    updatedAt,
  };
}

export type RetryInput = string | Partial<RetryPolicy>;

export interface Pair {
  readonly guardianId: Uuid;
  readonly juniorId: Uuid;
}

/** The anchor: the next midnight by the family's clocks. Weekday and day of the month follow from it. */
export function nextMidnight(zone: string, now: Date): string {
  return formatLocal((dayOf(zoneOf(zone).toLocal(now.getTime())) + 1) * DAY);
}

export function ruleOf(frequency: string): CalendarRule {
  return { frequency: parseFrequency(frequency), time: '00:00' };
}

const parseFrequency = (frequency: string): AllowanceFrequency => oneOf(frequency, ALLOWANCE_FREQUENCIES, 'frequency');

/** A preset, or fields of a policy over the preset `allowance`. */
export function parseRetry(retry: RetryInput): RetryPolicy {
  return parseRetryPolicy(retry, RETRY_PRESETS.allowance);
}

export const parseStatus = (status: string): AllowanceStatus => oneOf(status, ALLOWANCE_STATUSES, 'status');
