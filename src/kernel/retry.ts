// One retry formula for everything: after failed attempt n wait min(initial × multiplier^(n−1), max), with optional
// jitter, and never less than a second; or the waits are given one by one. Attempts are counted when they are claimed, so that work that kills its worker still ends after N tries.
import { refuse } from './errors/index.ts';

export interface RetryPolicy {
  /** Tries in all, the first included. */
  readonly maxAttempts: number;
  readonly initialDelayMs: number;
  readonly multiplier: number;
  readonly maxDelayMs: number;
  /** Share of the wait that may be taken off at random, 0 to 1; spreads a crowd that failed together. */
  readonly jitter: number;
  /** The wait after attempt n, instead of the formula; there are `maxAttempts` - 1 of them. */
  readonly delaysMs?: readonly number[];
}

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The shortest wait between two attempts: a policy without one would spend its attempts, and the processor's time, within seconds. */
export const MIN_RETRY_DELAY_MS = 1_000;

export const RETRY_PRESETS = {
  hold: { maxAttempts: 5, initialDelayMs: MINUTE, multiplier: 2, maxDelayMs: 60 * MINUTE, jitter: 0 },
  subscription: { maxAttempts: 6, initialDelayMs: MINUTE, multiplier: 2, maxDelayMs: 60 * MINUTE, jitter: 0 },
  allowance: { maxAttempts: 5, initialDelayMs: 10 * MINUTE, multiplier: 1, maxDelayMs: 10 * MINUTE, jitter: 0 },
  payout: { maxAttempts: 3, initialDelayMs: 5 * SECOND, multiplier: 2, maxDelayMs: MINUTE, jitter: 0 },
} as const satisfies Record<string, RetryPolicy>;

export type RetryPreset = keyof typeof RETRY_PRESETS;

/** Waits one by one. The other fields say the same as far as they can, for readers that know nothing of `delaysMs`. */
function policyOf(delaysMs: readonly number[], jitter: number): RetryPolicy {
  const [initialDelayMs = MIN_RETRY_DELAY_MS] = delaysMs;
  const maxDelayMs = Math.max(initialDelayMs, ...delaysMs);
  return { maxAttempts: delaysMs.length + 1, initialDelayMs, multiplier: 1, maxDelayMs, jitter, delaysMs };
}

/** Policies of deliveries to webhook endpoints. They are not offered for payments. */
export const WEBHOOK_RETRY_PRESETS = {
  /** The schedule of Standard Webhooks: 10 attempts within three days and a few hours. */
  webhook: policyOf(
    [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
    0.1,
  ),
  'webhook-quick': policyOf([5 * SECOND, 5 * SECOND, 5 * SECOND, 5 * SECOND], 0),
} as const satisfies Record<string, RetryPolicy>;

export type WebhookRetryPreset = keyof typeof WEBHOOK_RETRY_PRESETS;

/** How long to wait after failed attempt n (1 is the first); null when it was the last. `random` is in [0, 1). */
export function delayAfterAttempt(policy: RetryPolicy, attempt: number, random = 0): number | null {
  if (attempt >= policy.maxAttempts) return null;
  const nominal = policy.delaysMs ? policy.delaysMs[attempt - 1] : formulaWait(policy, attempt);
  if (nominal === undefined) return null;
  return Math.max(MIN_RETRY_DELAY_MS, Math.round(nominal * (1 - policy.jitter * random)));
}

const formulaWait = ({ initialDelayMs, multiplier, maxDelayMs }: RetryPolicy, attempt: number): number =>
  Math.min(initialDelayMs * multiplier ** (attempt - 1), maxDelayMs);

/**
 * A preset by name, or a preset with some of its fields replaced. A given first wait raises a cap that was not given, and a given cap
 * lowers a first wait that was not given: neither is cut silently.
 */
export function parseRetryPolicy(input: unknown, base: RetryPolicy, param = 'retry'): RetryPolicy {
  if (input === undefined || input === null) return base;
  if (typeof input === 'string') {
    if (Object.hasOwn(RETRY_PRESETS, input)) return RETRY_PRESETS[input as RetryPreset];
    return refuseShape(param);
  }
  if (typeof input !== 'object') return refuseShape(param);
  const merged = fitted({ ...base, ...input }, input);
  for (const key of Object.keys(merged)) {
    if (!Object.hasOwn(base, key)) refuse('RETRY_INVALID/unknown_field', { param, name: key });
  }
  const whole = (value: unknown, min: number, max: number): boolean =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;
  // A single attempt waits for nothing.
  const shortest = merged.maxAttempts === 1 ? 0 : MIN_RETRY_DELAY_MS;
  const sound =
    whole(merged.maxAttempts, 1, 100) &&
    whole(merged.initialDelayMs, shortest, 30 * 24 * 60 * MINUTE) &&
    whole(merged.maxDelayMs, shortest, 30 * 24 * 60 * MINUTE) &&
    typeof merged.multiplier === 'number' &&
    merged.multiplier >= 1 &&
    merged.multiplier <= 100 &&
    typeof merged.jitter === 'number' &&
    merged.jitter >= 0 &&
    merged.jitter <= 1;
  if (!sound) return refuse('RETRY_INVALID/out_of_range', { param });
  const [first, cap] = [merged.initialDelayMs, merged.maxDelayMs];
  if (first > cap && merged.maxAttempts > 1) {
    return refuse('RETRY_INVALID/max_below_initial', { param, max: cap / 1_000, initial: first / 1_000 });
  }
  return merged;
}

const refuseShape = (param: string): never =>
  refuse('RETRY_INVALID/not_a_policy', { param, presets: Object.keys(RETRY_PRESETS) });

function fitted(merged: RetryPolicy, given: object): RetryPolicy {
  const { initialDelayMs: first, maxDelayMs: cap } = merged;
  if (!(first > cap)) return merged;
  if (!('maxDelayMs' in given)) return { ...merged, maxDelayMs: first };
  return 'initialDelayMs' in given ? merged : { ...merged, initialDelayMs: cap };
}
