// A plan: what is charged, how often, how many times, and to whom. A change of a plan is for who subscribes from then on;
// who has subscribed approved what it was.
import type { Uuid } from '../../kernel/index.ts';
import { parsePositiveAmount, refuse } from '../../kernel/index.ts';
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
  /** One of the two is null. */
  readonly charges: number | null;
  readonly months: number | null;
  readonly afterFailure: (typeof PLAN_AFTER_FAILURES)[number];
  readonly missed: (typeof PLAN_MISSED)[number];
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface PlanTerms {
  readonly name: string;
  readonly price: bigint | string | number;
  readonly period: Period;
  /** IANA name, default `UTC`. */
  readonly zone?: string;
  /** How long it is for: so many charges, or all that fall into so many months. */
  readonly charges?: number | null;
  readonly months?: number | null;
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
  'name' | 'price' | 'period' | 'zone' | 'charges' | 'months' | 'afterFailure' | 'missed'
>;

const LONGEST_NAME = 200;
export const MOST_CHARGES = 1_000;
const MOST_MONTHS = 120;

export function parsePlanTerms(terms: PlanTerms, now: Date): ParsedTerms {
  const { name, period, charges = null, months = null, afterFailure = 'expire', missed = 'last' } = terms;
  if (name.length < 1 || name.length > LONGEST_NAME) wrong(`name must have 1 to ${LONGEST_NAME} characters`, 'name');
  if ((charges === null) === (months === null)) wrong('give either charges or months', 'charges');
  if (charges !== null && !isWhole(charges, MOST_CHARGES)) wrong(`charges must be 1 to ${MOST_CHARGES}`, 'charges');
  if (months !== null && !isWhole(months, MOST_MONTHS)) wrong(`months must be 1 to ${MOST_MONTHS}`, 'months');
  if (!PLAN_AFTER_FAILURES.includes(afterFailure)) wrong('afterFailure must be expire or pause', 'afterFailure');
  if (!PLAN_MISSED.includes(missed)) wrong('missed must be all, last or skip', 'missed');
  const zone = 'everySeconds' in period ? 'UTC' : (terms.zone ?? 'UTC');
  const parsed = {
    name,
    price: parsePositiveAmount(terms.price, 'price'),
    period,
    zone,
    charges,
    months,
    afterFailure,
    missed,
  };
  // Whoever subscribes must find it sound: whatever is wrong is said now.
  agreed(parsed, now);
  return parsed;
}

export interface Agreed {
  readonly timing: TimingInput & { readonly count: number };
  readonly charges: number;
  readonly approved: bigint;
}

const LARGEST = 2n ** 63n - 1n;

/** What somebody agrees to who subscribes at an instant. The first slot is that instant. */
export function agreed(plan: Pick<Plan, 'price' | 'period' | 'zone' | 'charges' | 'months'>, now: Date): Agreed {
  const { period, zone } = plan;
  const rule: RuleInput = 'everySeconds' in period ? { everySeconds: period.everySeconds } : calendar(period);
  const start = formatLocal(zoneOf(zone).toLocal(now.getTime()));
  const timetable = new Timetable({ rule, zone, start });
  const charges = plan.charges ?? chargesWithin(timetable, plan.months ?? 1, { zone, start });
  if (charges > MOST_CHARGES) wrong(`that is ${charges} charges; there are at most ${MOST_CHARGES}`, 'months');
  const approved = plan.price * BigInt(charges);
  if (approved > LARGEST)
    refuse('AMOUNT_TOO_LARGE', 'all charges together are more than can be stored', { param: 'price' });
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
  return end ? timetable.placeAt(timetable.localAt(end.at) - 1).ordinal : wrong('months reach too far', 'months');
}

const isWhole = (value: number, most: number): boolean => Number.isSafeInteger(value) && value >= 1 && value <= most;

function wrong(detail: string, param: string): never {
  return refuse('PLAN_INVALID', detail, { param });
}
