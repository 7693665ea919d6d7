// A wish for a schedule, as it arrives, and what can be said of it without asking the database.
import type { RetryPolicy } from '../kernel/index.ts';
import { oneOf, parsePositiveAmount, parseRetryPolicy, refuse, together } from '../kernel/index.ts';
import type { Funding, PaymentOrder, PayoutOrder, Priority } from '../payments/index.ts';
import {
  legsOf,
  parseDelayMs,
  parseMetadata,
  parsePayout,
  parsePriority,
  parseReference,
  retryPresetOf,
} from '../payments/index.ts';
import type { TimingInput } from './rules/index.ts';
import type { AfterFailure, Missed, Overlap, Schedule, Step } from './schedule.ts';
import { AFTER_FAILURES, MISSED, OVERLAPS } from './schedule.ts';

type Amount = bigint | string | number;

/** What each payment of a schedule is, and what to do when things go wrong. */
export interface Terms {
  readonly amount: Amount;
  /** Other amounts from an ordinal on: the first slot has the ordinal 1. */
  readonly steps?: readonly { readonly from: number; readonly amount: Amount }[];
  /** `at_execution` (default): funds are looked for when the payment is made, and again by the retry policy. */
  readonly funding?: Funding;
  readonly priority?: Priority;
  readonly retry?: string | Partial<RetryPolicy>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** When several slots are due at once: run the `last` of them (default), `skip` them, or run `all`. */
  readonly missed?: Missed;
  /** Of `all`: how many of the missed at most, default 100. */
  readonly missedCap?: number;
  /** Of `all`: how old the oldest may be: seconds, `48h` or `PT48H`. Default: any age. */
  readonly missedWindow?: string | number;
  /** More slots than this due at once: it pauses, and a person decides. Default: no such bound. */
  readonly guardCount?: number;
  /** The same, for what they come to together. */
  readonly guardAmount?: Amount;
  /** When the payment before is not finished: `wait` (default), `skip` the slot, or `allow` both. */
  readonly overlap?: Overlap;
  /** When a payment failed for good: `continue` with the next slot (default), `pause`, or `expire`. */
  readonly afterFailure?: AfterFailure;
}

/** Where each payment of a schedule goes over a chain. Each is routed when it is due, so none has a quote. */
export type RecurringPayout = Omit<PayoutOrder, 'quoteId'>;

export interface ScheduleOrder
  extends Terms, TimingInput, RecurringPayout, Pick<PaymentOrder, 'from' | 'to' | 'legs' | 'asset'> {
  /** The tenant's own name for it, unique. */
  readonly reference?: string;
}

export type ParsedTerms = Pick<
  Schedule,
  | 'amount'
  | 'steps'
  | 'funding'
  | 'priority'
  | 'retry'
  | 'metadata'
  | 'missed'
  | 'missedCap'
  | 'missedWindowMs'
  | 'guardCount'
  | 'guardAmount'
  | 'overlap'
  | 'afterFailure'
>;

const MOST_STEPS = 100;
/** More slots than there are minutes from 1970 to 2199. */
const MOST_ORDINAL = 1_000_000_000;
const DEFAULT_CAP = 100;
const MOST_CAP = 1_000;
const MOST_GUARDED = 1_000_000;

export function parseTerms(terms: Terms & RecurringPayout): ParsedTerms {
  const { missed, ...fields } = together({
    missed: () => parseMissed(terms),
    amount: () => parsePositiveAmount(terms.amount),
    steps: () => parseSteps(terms.steps ?? []),
    funding: () => oneOf(terms.funding ?? 'at_execution', ['reserve', 'at_execution'], 'funding'),
    priority: () => parsePriority(terms.priority),
    retry: () => (terms.retry === undefined ? null : parseRetryPolicy(terms.retry, retryPresetOf(terms))),
    metadata: () => parseMetadata(terms.metadata),
    guardCount: () => parseGuardCount(terms.guardCount),
    guardAmount: () => (terms.guardAmount === undefined ? null : parsePositiveAmount(terms.guardAmount, 'guardAmount')),
    overlap: () => oneOf(terms.overlap ?? 'wait', OVERLAPS, 'overlap'),
    afterFailure: () => oneOf(terms.afterFailure ?? 'continue', AFTER_FAILURES, 'afterFailure'),
  });
  return { ...fields, ...missed };
}

function parseMissed(terms: Terms): Pick<ParsedTerms, 'missed' | 'missedCap' | 'missedWindowMs'> {
  const missed = oneOf(terms.missed ?? 'last', MISSED, 'missed');
  if (missed !== 'all' && (terms.missedCap ?? terms.missedWindow) !== undefined) {
    refuse('MISSED_INVALID/not_with', { cap: 'missedCap', window: 'missedWindow', param: 'missed' });
  }
  const cap = terms.missedCap ?? DEFAULT_CAP;
  if (!Number.isSafeInteger(cap) || cap < 1 || cap > MOST_CAP) {
    refuse('MISSED_INVALID/not_whole_number', { param: 'missedCap', min: 1, max: MOST_CAP });
  }
  const windowMs = terms.missedWindow === undefined ? null : parseDelayMs(terms.missedWindow, 'missedWindow');
  if (windowMs === 0) refuse('MISSED_INVALID/zero', { param: 'missedWindow' });
  return { missed, missedCap: missed === 'all' ? cap : null, missedWindowMs: windowMs };
}

function parseGuardCount(count: number | undefined): number | null {
  if (count === undefined) return null;
  if (Number.isSafeInteger(count) && count >= 1 && count <= MOST_GUARDED) return count;
  return refuse('FIELD_INVALID/not_whole_number', { param: 'guardCount', min: 1, max: MOST_GUARDED });
}

/** Payees as they were named; their amounts add up. */
export function parsePayees(order: ScheduleOrder, amount: bigint): ReturnType<typeof legsOf> {
  if (order.legs && order.steps?.length) refuse('STEPS_INVALID/with_legs', { param: 'steps' });
  return legsOf(order, parsePayout(order), amount);
}

export function parseScheduleReference(reference: string | undefined): string | null {
  return parseReference(reference);
}

function parseSteps(input: NonNullable<Terms['steps']>): Step[] {
  if (input.length > MOST_STEPS) refuse('STEPS_INVALID/too_many', { param: 'steps', max: MOST_STEPS });
  return input.map((step, index) => {
    const before = input[index - 1]?.from ?? 1;
    if (!Number.isSafeInteger(step.from) || step.from <= before || step.from > MOST_ORDINAL) {
      refuse('STEPS_INVALID/not_ascending', { param: `steps[${index}].from`, min: before + 1, max: MOST_ORDINAL });
    }
    return { from: step.from, amount: parsePositiveAmount(step.amount, `steps[${index}].amount`) };
  });
}
