// Whether a value contains another: every field that is named has the value that is given. Arrays have the same items in the same order.
import { isDeepStrictEqual } from 'node:util';

/** `expect.any(String)` and the like, of vitest and jest. */
interface Asymmetric {
  asymmetricMatch(actual: unknown): boolean;
}

export function contains(actual: unknown, expected: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual);
  // Amounts are strings of minor units; a test may write them as it passes them.
  if (typeof expected === 'bigint') return actual === expected.toString() || actual === expected;
  if (expected instanceof Date) return contains(actual, expected.toISOString());
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => contains(actual[index], item))
    );
  if (!isObject(expected)) return isDeepStrictEqual(actual, expected);
  return isObject(actual) && Object.entries(expected).every(([name, field]) => contains(actual[name], field));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof value === 'object' &&
  value !== null &&
  'asymmetricMatch' in value &&
  typeof value.asymmetricMatch === 'function';
