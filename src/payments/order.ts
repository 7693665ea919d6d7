// A wish for a payment, as it arrives, and what can be said of it without asking the database: form, sums, instants.
import type { Clock, RetryPolicy } from '../kernel/index.ts';
import {
  MAX_CALLER_JSON_LEVELS,
  RETRY_PRESETS,
  callerJsonText,
  eachTogether,
  isStorable,
  keptJson,
  parsePositiveAmount,
  parseRetryPolicy,
  refuse,
  together,
} from '../kernel/index.ts';
import { parseDelayMs, parseInstant } from './instant.ts';
import type { Funding, OwnerKind, Priority } from './payment.ts';
import { PRIORITIES, PRIORITY_NAMES } from './payment.ts';
import type { PayoutGuards } from './payout-guards.ts';
import type { ParsedPayout, PayoutChains, PayoutOrder } from './payout-terms.ts';
import { LEDGER, parsePayout } from './payout-terms.ts';

export interface PaymentOrder extends PayoutOrder {
  /** Id or ref. */
  readonly from: string;
  /** One payee … */
  readonly to?: string;
  /** … or up to ten, whose amounts add up to `amount`. */
  readonly legs?: readonly { readonly to: string; readonly amount: bigint | string | number }[];
  readonly asset: string;
  readonly amount: bigint | string | number;
  /** When it runs: an instant … */
  readonly executeAt?: Date | string;
  /** … or a delay from now: seconds, `48h` or `PT48H`. Neither: at once. */
  readonly delay?: string | number;
  readonly expiresAt?: Date | string;
  /** `reserve` (default): funds are set aside now. `at_execution`: they are looked for when it is due. */
  readonly funding?: Funding;
  readonly priority?: Priority;
  /** A preset's name, or fields of a policy over the preset `hold`. */
  readonly retry?: string | Partial<RetryPolicy>;
  /** The tenant's own name for it, unique. */
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ParsedOrder extends ParsedPayout {
  readonly from: string;
  readonly legs: readonly { readonly to: string; readonly amount: bigint }[];
  readonly asset: string;
  readonly amount: bigint;
  readonly executeAt: Date;
  readonly expiresAt: Date | null;
  readonly funding: Funding;
  readonly priority: number;
  readonly retry: RetryPolicy | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** Bounds of new payments. */
export interface OrderBounds {
  /** How far ahead a payment that reserves funds may be, in milliseconds; default seven days. */
  readonly maxHoldDelayMs: number;
  /** How long a payment awaits the approval of a second person before it expires. */
  readonly approvalWithinMs: number;
  /** Retry policies of payments whose owner has no policy. */
  readonly retries?: Readonly<Partial<Record<OwnerKind, RetryPolicy>>>;
  /** The chains of payouts; none: payouts are refused. */
  readonly payouts?: PayoutChains;
  /** What tenants allow their payouts; none: everything. */
  readonly payoutGuards?: PayoutGuards;
}

export const DEFAULT_BOUNDS: OrderBounds = {
  maxHoldDelayMs: 7 * 24 * 3_600_000,
  approvalWithinMs: 7 * 24 * 3_600_000,
  retries: { allowance: RETRY_PRESETS.allowance },
};
/** How far ahead any other may lie. */
const MAX_DELAY_MS = 5 * 366 * 24 * 3_600_000;
const MAX_LEGS = 10;
const MAX_METADATA = 16_384;
const MAX_REASON = 1_000;

export function parseOrder(order: PaymentOrder, clock: Clock, bounds: OrderBounds): ParsedOrder {
  // First each field by itself, then those that depend on others.
  const fields = together({
    amount: () => parsePositiveAmount(order.amount),
    funding: () => parseFunding(order.funding),
    executeAt: () => parseExecuteAt(order, clock),
    priority: () => parsePriority(order.priority),
    payout: () => parsePayout(order),
    retry: () => (order.retry === undefined ? null : parseRetryPolicy(order.retry, retryPresetOf(order))),
    reference: () => parseReference(order.reference),
    metadata: () => parseMetadata(order.metadata),
  });
  const { payout, ...own } = fields;
  const { amount, funding, executeAt } = fields;
  const { legs, expiresAt } = together({
    inRange: () => requireInRange(executeAt, clock, funding, bounds, order.delay === undefined ? 'executeAt' : 'delay'),
    legs: () => legsOf(order, payout, amount),
    expiresAt: () => parseExpiry(order.expiresAt, executeAt),
  });
  return { from: order.from, asset: order.asset, ...own, ...payout, legs, expiresAt };
}

/** The policy that fields of `retry` override. */
export const retryPresetOf = ({ rail, destinations }: Pick<PayoutOrder, 'rail' | 'destinations'>): RetryPolicy =>
  (rail ?? LEDGER) === LEDGER && destinations === undefined ? RETRY_PRESETS.hold : RETRY_PRESETS.payout;

/** What each payee gets, by the name that it was given; of a payout `world`. */
export function legsOf(
  order: Pick<PaymentOrder, 'to' | 'legs'>,
  { payout }: ParsedPayout,
  amount: bigint,
): { to: string; amount: bigint }[] {
  return payout ? parsePayoutLegs(order, amount) : parseLegs(order, amount);
}

/** In the ledger a payout is paid to `world`. */
function parsePayoutLegs(order: Pick<PaymentOrder, 'to' | 'legs'>, amount: bigint): { to: string; amount: bigint }[] {
  for (const param of ['to', 'legs'] as const)
    if (order[param] !== undefined) refuse('PAYOUT_INVALID/has_payees', { param });
  return [{ to: 'world', amount }];
}

function parseFunding(funding: Funding | undefined): Funding {
  if (funding === undefined || funding === 'reserve') return 'reserve';
  if (funding === 'at_execution') return funding;
  return refuse('FIELD_INVALID/one_of', { param: 'funding', allowed: ['reserve', 'at_execution'] });
}

/** The payees that a request names, and the field that names each. */
export function payeesOf({ to, legs }: Pick<PaymentOrder, 'to' | 'legs'>): { to: string; param: string }[] {
  if (legs === undefined) return to === undefined ? [] : [{ to, param: 'to' }];
  return legs.map((leg, index) => ({ to: leg.to, param: `legs[${index}].to` }));
}

function parseExecuteAt(order: PaymentOrder, clock: Clock): Date {
  if (order.executeAt !== undefined && order.delay !== undefined) {
    refuse('FIELD_INVALID/both_given', { param: 'delay', first: 'executeAt' });
  }
  if (order.executeAt !== undefined) return parseInstant(order.executeAt, 'executeAt');
  return new Date(clock.now.getTime() + (order.delay === undefined ? 0 : parseDelayMs(order.delay)));
}

/** A past instant is refused, save for the moment that a request takes to arrive. */
const ARRIVAL_MS = 60_000;

export function requireInRange(
  executeAt: Date,
  clock: Clock,
  funding: Funding,
  bounds: OrderBounds,
  param: 'executeAt' | 'delay' = 'executeAt',
): void {
  const delayMs = executeAt.getTime() - clock.now.getTime();
  if (delayMs < -ARRIVAL_MS) refuse('DELAY_OUT_OF_RANGE/in_past', { param, at: executeAt });
  // Written so that an instant beyond all dates, which compares with nothing, is refused too.
  if (!(delayMs <= mostAhead(funding, bounds))) {
    refuseTooFar(funding, bounds, param);
  }
}

const mostAhead = (funding: Funding, bounds: OrderBounds): number =>
  funding === 'reserve' ? bounds.maxHoldDelayMs : MAX_DELAY_MS;

function refuseTooFar(funding: Funding, bounds: OrderBounds, param: string): never {
  const reason = funding === 'reserve' ? 'hold_too_far' : 'too_far';
  return refuse(`DELAY_OUT_OF_RANGE/${reason}`, { param, max: lengthOf(mostAhead(funding, bounds)) });
}

/** "7 days", "36 hours", "90 seconds": in the largest unit that fits. */
function lengthOf(ms: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const;
  const [unitMs, name] = units.find(([length]) => ms >= length && ms % length === 0) ?? [1_000, 'second'];
  const count = Math.floor(ms / unitMs);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

export function parseExpiry(input: Date | string | undefined, executeAt: Date): Date | null {
  if (input === undefined) return null;
  const expiresAt = parseInstant(input, 'expiresAt');
  if (expiresAt <= executeAt) {
    refuse('EXPIRY_BEFORE_EXECUTION/before_execution', { param: 'expiresAt', executeAt });
  }
  return expiresAt;
}

export function parseLegs(order: Pick<PaymentOrder, 'to' | 'legs'>, amount: bigint): { to: string; amount: bigint }[] {
  if (order.legs === undefined) {
    if (order.to === undefined) refuse('FIELD_INVALID/none_given', { param: 'to', second: 'legs' });
    return [{ to: order.to, amount }];
  }
  if (order.to !== undefined) refuse('LEGS_INVALID/to_and_legs', { param: 'legs', to: 'to' });
  if (order.legs.length < 1 || order.legs.length > MAX_LEGS) {
    refuse('LEGS_INVALID/wrong_count', { param: 'legs', max: MAX_LEGS });
  }
  const legs = eachTogether(order.legs, (leg, index) => ({
    to: leg.to,
    amount: parsePositiveAmount(leg.amount, `legs[${index}].amount`),
  }));
  const sum = legs.reduce((total, leg) => total + leg.amount, 0n);
  if (sum !== amount) refuse('LEGS_INVALID/wrong_sum', { param: 'legs', sum, amount });
  return legs;
}

export function parsePriority(priority: Priority | undefined): number {
  if (priority === undefined) return PRIORITIES.normal;
  if (PRIORITY_NAMES.includes(priority)) return PRIORITIES[priority];
  return refuse('FIELD_INVALID/one_of', { param: 'priority', allowed: PRIORITY_NAMES });
}

export function parseReference(reference: string | undefined): string | null {
  if (reference === undefined) return null;
  if (/^[ -~]{1,255}$/.test(reference)) return reference;
  return refuse('FIELD_INVALID/not_printable', { param: 'reference', min: 1, max: 255 });
}

/** Returned as it will be read again: what JSON does not know is gone. */
export function parseMetadata(metadata: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> | null {
  if (metadata === undefined) return null;
  const text = callerJsonText(metadata);
  const kept = text.length > MAX_METADATA ? null : keptJson(metadata, text);
  if (kept) return kept;
  return refuse('FIELD_INVALID/not_json', {
    param: 'metadata',
    characters: MAX_METADATA,
    levels: MAX_CALLER_JSON_LEVELS,
  });
}

/** Why a person did something: kept on record. */
export function parseReason(reason: string | undefined): string | null {
  if (reason === undefined) return null;
  if (reason.length <= MAX_REASON && isStorable(reason)) return reason;
  return refuse('FIELD_INVALID/wrong_length', { param: 'reason', min: 0, max: MAX_REASON });
}
