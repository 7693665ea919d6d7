// A plan: what is charged, how often, how many times, and to whom. A change applies to later subscriptions; earlier ones keep the
// terms that their payer agreed to.
import type { RetryPolicy, Uuid } from '../../kernel/index.ts';
import { RETRY_PRESETS, parsePositiveAmount, parseRetryPolicy, refuse } from '../../kernel/index.ts';
import type { Priority } from '../../payments/index.ts';
import { parsePriority } from '../../payments/index.ts';
import type { Frequency, RuleInput, TimingInput } from '../rules/index.ts';
import { Timetable, formatLocal, zoneOf } from '../rules/index.ts';

/** From charge to charge: by the calendar, from the day somebody subscribes, or always as many seconds. */
export type Period = { readonly frequency: Frequency; readonly every?: number } | { readonly everySeconds: number };

/** After a charge that failed for good: it ends, or it waits for a person as PAST_DUE. */
export const PLAN_AFTER_FAILURES = ['expire', 'pause'] as const;

/** Of charges that were missed in an outage longer than a period: each is made, the newest alone, or none. */
export const PLAN_MISSED = ['all', 'last', 'skip'] as const;

export interface Plan {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly name: string;
  readonly payeeId: Uuid;
  readonly asset: string;
  readonly price: bigint;
  readonly period: Period;
  /** Of whose calendar the period is; of fixed seconds UTC. */
  readonly zone: string;
  /** At most one of the two is set; neither: subscriptions are open-ended. */
  readonly charges: number | null;
  readonly months: number | null;
  /** Days before the first charge; 0: it is made at once. */
  readonly trialDays: number;
  /** Of the charges: 0 high, 1 normal, 2 low. */
  readonly priority: number;
  /** Null: the preset `subscription`. */
  readonly retry: RetryPolicy | null;
  readonly afterFailure: (typeof PLAN_AFTER_FAILURES)[number];
  readonly missed: (typeof PLAN_MISSED)[number];
  readonly createdBy: string;
  /** Every actor that changed what its charges are, in order. */
  readonly changedBy: readonly string[];
  /** The names (`Caller.countsFor`) of everyone who decided its terms: approval thresholds count its charges under each. */
  readonly countsFor: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface PlanTerms {
  readonly name: string;
  readonly price: bigint | string | number;
  readonly period: Period;
  /** IANA name, default `UTC`. */
  readonly zone?: string;
  /** How long it is for: so many charges, or all that fall into so many months. Neither: until it is cancelled. */
  readonly charges?: number | null;
  readonly months?: number | null;
  /** Days before the first charge, 0 (default) to 730. */
  readonly trialDays?: number;
  /** Of the charges: `high`, `normal` (default) or `low`. */
  readonly priority?: Priority;
  /** How often a charge is tried and how long between: a preset, or some fields of one. Null: six attempts, 1, 2, 4, 8 and 16 minutes apart. */
  readonly retry?: string | Partial<RetryPolicy> | null;
  /** Default `expire`. */
  readonly afterFailure?: Plan['afterFailure'];
  /** Default `last`. A charge that is skipped counts as one of the charges. */
  readonly missed?: Plan['missed'];
}

export interface PlanOrder extends PlanTerms {
  readonly asset: string;
  /** Who is paid: an account's id or ref. */
  readonly receiver: string;
}

export type ParsedTerms = Pick<
  Plan,
  | 'name'
  | 'price'
  | 'period'
  | 'zone'
  | 'charges'
  | 'months'
  | 'trialDays'
  | 'priority'
  | 'retry'
  | 'afterFailure'
  | 'missed'
>;

const LONGEST_NAME = 200;
export const MOST_CHARGES = 1_000;
const MOST_MONTHS = 120;
const MOST_TRIAL_DAYS = 730;
const DAY_MS = 86_400_000;
/** Every charge of a subscription is read when it is shown: one without an end may not pile them up by the minute. */
const SHORTEST_OPEN_ENDED_S = 86_400;

export function parsePlanTerms(terms: PlanTerms, now: Date): ParsedTerms {
  const { name, period, charges = null, months = null, trialDays = 0 } = terms;
  const { afterFailure = 'expire', missed = 'last', retry = null } = terms;
  if (name.length < 1 || name.length > LONGEST_NAME)
    refuse('PLAN_INVALID/wrong_length', { param: 'name', min: 1, max: LONGEST_NAME });
  if (charges !== null && months !== null) refuse('PLAN_INVALID/charges_and_months', { param: 'charges' });
  if (charges === null && months === null && 'everySeconds' in period && period.everySeconds < SHORTEST_OPEN_ENDED_S)
    refuse('PLAN_INVALID/too_often', { param: 'period' });
  if (charges !== null) requireWhole(charges, { min: 1, max: MOST_CHARGES }, 'charges');
  if (months !== null) requireWhole(months, { min: 1, max: MOST_MONTHS }, 'months');
  parseTrialDays(trialDays);
  if (!PLAN_AFTER_FAILURES.includes(afterFailure))
    refuse('PLAN_INVALID/one_of', { param: 'afterFailure', allowed: PLAN_AFTER_FAILURES });
  if (!PLAN_MISSED.includes(missed)) refuse('PLAN_INVALID/one_of', { param: 'missed', allowed: PLAN_MISSED });
  const zone = 'everySeconds' in period ? 'UTC' : (terms.zone ?? 'UTC');
  const parsed = {
    name,
    price: parsePositiveAmount(terms.price, 'price'),
    period,
    zone,
    charges,
    months,
    trialDays,
    priority: parsePriority(terms.priority),
    retry: retry === null ? null : parseRetryPolicy(retry, RETRY_PRESETS.subscription),
    afterFailure,
    missed,
  };
  // A plan that is accepted can be subscribed to: everything wrong with it is refused now.
  agreed(parsed, now);
  return parsed;
}

export function parseTrialDays(days: number): number {
  requireWhole(days, { min: 0, max: MOST_TRIAL_DAYS }, 'trialDays');
  return days;
}

export interface Agreed {
  readonly timing: TimingInput;
  /** Both null: open-ended. */
  readonly charges: number | null;
  readonly approved: bigint | null;
}

const LARGEST = 2n ** 63n - 1n;

/** What a payer agrees to who subscribes at an instant. The first slot is that instant, or as many days later as the trial has. */
export function agreed(
  plan: Pick<Plan, 'price' | 'period' | 'zone' | 'charges' | 'months' | 'trialDays'>,
  now: Date,
): Agreed {
  const { period, zone } = plan;
  const rule: RuleInput = 'everySeconds' in period ? { everySeconds: period.everySeconds } : calendar(period);
  const start = formatLocal(zoneOf(zone).toLocal(now.getTime()) + plan.trialDays * DAY_MS);
  const timetable = new Timetable({ rule, zone, start });
  if (plan.charges === null && plan.months === null)
    return { timing: { rule, zone, start }, charges: null, approved: null };
  const charges = plan.charges ?? chargesWithin(timetable, plan.months ?? 1, { zone, start });
  if (charges > MOST_CHARGES) refuse('PLAN_INVALID/too_many_charges', { charges, max: MOST_CHARGES, param: 'months' });
  const approved = plan.price * BigInt(charges);
  if (approved > LARGEST) refuse('AMOUNT_TOO_LARGE/sum', { max: LARGEST, param: 'price' });
  return { timing: { rule, zone, start, count: charges }, charges, approved };
}

/** Nothing that would put the first charge elsewhere than now. */
function calendar({ frequency, every }: Extract<Period, { frequency: Frequency }>): RuleInput {
  return { frequency, ...(every === undefined ? {} : { every }) };
}

/** The last day is the one before so many months are over: a year of months has twelve, a year of 30 days thirteen. */
function chargesWithin(timetable: Timetable, months: number, place: { zone: string; start: string }): number {
  const term = new Timetable({ rule: { frequency: 'MONTHLY', every: months }, ...place });
  const first = term.first();
  const end = first && term.next(first);
  return end
    ? timetable.placeAt(timetable.localAt(end.at) - 1).ordinal
    : refuse('PLAN_INVALID/too_far', { param: 'months' });
}

function requireWhole(value: number, { min, max }: { min: number; max: number }, param: string): void {
  if (!Number.isSafeInteger(value) || value < min || value > max)
    refuse('PLAN_INVALID/not_whole_number', { param, min, max });
}
