// Money is a bigint of minor units; the asset beside it says what a unit is. PostgreSQL's bigint is the ceiling, so
// that every amount a verb accepts can be stored, and every sum of two that does not fit is refused, never wrapped.
import { refuse } from './errors/index.ts';

export const MAX_AMOUNT = 2n ** 63n - 1n;

const DECIMAL_INTEGER = /^(0|[1-9][0-9]*)$/;
const MOST_DIGITS = MAX_AMOUNT.toString().length;

/** An amount as it arrives over JSON or CSV: a decimal-integer string, or a JSON integer that lost nothing. */
export function parseAmount(input: unknown, param = 'amount'): bigint {
  if (typeof input === 'string' && DECIMAL_INTEGER.test(input)) {
    // Longer than any amount: refused by its length, because turning a megabyte of digits into a number takes a while.
    return input.length > MOST_DIGITS ? tooLarge(param) : withinRange(BigInt(input), param);
  }
  if (typeof input === 'number' && Number.isSafeInteger(input) && input >= 0) return BigInt(input);
  if (typeof input === 'bigint') return withinRange(input, param);
  return refuse('AMOUNT_INVALID/not_minor_units', { param });
}

/** The same, where nothing moves for zero. */
export function parsePositiveAmount(input: unknown, param = 'amount'): bigint {
  const amount = parseAmount(input, param);
  if (amount === 0n) return refuse('AMOUNT_NOT_POSITIVE/zero', { param });
  return amount;
}

const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * An amount as people write it, `"10.50"`, in minor units of a scale: 1050 with two decimals. Digits are moved, nothing is
 * calculated or rounded, and more decimals than the scale has are refused, zeros too.
 */
export function parseDecimal(input: unknown, scale: number, param = 'amount_decimal'): bigint {
  const match = typeof input === 'string' ? DECIMAL.exec(input) : null;
  if (!match) return refuse('AMOUNT_INVALID/not_decimal', { param });
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > scale) {
    return refuse('AMOUNT_INVALID/too_many_decimals', { param, given: fraction.length, scale });
  }
  // Without the zeros in front, which would count as digits: "0.05" is 5.
  const digits = (whole + fraction.padEnd(scale, '0')).replace(/^0+(?=[0-9])/, '');
  return parseAmount(digits, param);
}

/** The same, where nothing moves for zero. */
export function parsePositiveDecimal(input: unknown, scale: number, param = 'amount_decimal'): bigint {
  const amount = parseDecimal(input, scale, param);
  if (amount === 0n) return refuse('AMOUNT_NOT_POSITIVE/zero', { param });
  return amount;
}

function withinRange(amount: bigint, param: string): bigint {
  if (amount < 0n) return refuse('AMOUNT_NOT_POSITIVE/negative', { param });
  return amount > MAX_AMOUNT ? tooLarge(param) : amount;
}

function tooLarge(param: string): never {
  return refuse('AMOUNT_TOO_LARGE/one', { param, max: MAX_AMOUNT });
}
