// What is left of a period that was paid, when the plan changes before it is over. Pure.
//
// The unused part is the value of the period times the time left, divided by its whole length, in minor units. A fraction is rounded
// down: rounded up, a payer who changes plans again and again would pay for less time than the period has.

export interface PaidPeriod {
  /** What was paid for it, and what was taken off a credit. */
  readonly value: bigint;
  readonly startMs: number;
  readonly endMs: number;
}

export function unusedOf({ value, startMs, endMs }: PaidPeriod, nowMs: number): bigint {
  const length = BigInt(endMs - startMs);
  const left = BigInt(Math.min(Math.max(endMs - nowMs, 0), endMs - startMs));
  return length <= 0n || value <= 0n ? 0n : (value * left) / length;
}
