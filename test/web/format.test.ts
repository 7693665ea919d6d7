// Money and times as the dashboard writes them.
import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import {
  formatAmount,
  formatDuration,
  formatLocal,
  formatRelative,
  formatSeconds,
  parseMinor,
  secondsOf,
} from '../../web/src/parts/format.ts';

test('an amount is written from its digits, without a float', () => {
  expect(formatAmount('123456789', 'USD/2')).toBe('1,234,567.89');
  expect(formatAmount('-5', 'USD/2')).toBe('−0.05');
  expect(formatAmount('0', 'USDC/6')).toBe('0.000000');
  expect(formatAmount('1234', 'ROBUX/0')).toBe('1,234');
  expect(formatAmount('9007199254740993000000001', 'USDC/6')).toBe('9,007,199,254,740,993,000.000001');
});

test('an amount that was typed is exact minor units, or refused', () => {
  expect(parseMinor('12.5', 'USD/2')).toBe('1250');
  expect(parseMinor('1,234.56', 'USD/2')).toBe('123456');
  for (const text of ['12.505', '', '1e3', '-1', '1.', 'twelve']) expect(parseMinor(text, 'USD/2'), text).toBeNull();
});

test('every amount that is written reads back as itself', () => {
  const minor = fc.bigInt({ min: 0n, max: 10n ** 24n - 1n });
  fc.assert(
    fc.property(minor, fc.integer({ min: 0, max: 9 }), (amount, scale) => {
      const asset = `X/${scale}`;
      expect(parseMinor(formatAmount(String(amount), asset), asset)).toBe(String(amount));
    }),
  );
});

test('durations of the API are written in two units at most', () => {
  expect(secondsOf('P1DT2H3M4.5S')).toBe(93_784.5);
  expect(formatDuration('PT0.0402S')).toBe('40 ms');
  expect(formatDuration('PT90S')).toBe('1 min 30 s');
  expect(formatSeconds(93_784)).toBe('1 d 2 h');
  expect(formatRelative('2026-01-01T00:00:10.000Z', Date.parse('2026-01-01T00:00:00.000Z'))).toBe('in 10 s');
});

test('a duration is rounded to its last unit, so that a day less a moment is a day', () => {
  expect(formatSeconds(86_399.7)).toBe('1 d');
  expect(formatSeconds(59.7)).toBe('1 min');
  expect(formatSeconds(3_599)).toBe('1 h');
  expect(formatSeconds(35_999)).toBe('10 h');
  expect(formatSeconds(23.4 * 3_600)).toBe('23 h');
  expect(formatSeconds(0.9997)).toBe('1 s');
  expect(formatSeconds(0)).toBe('0 s');
  for (const seconds of [1, 10, 60, 600, 3_600, 36_000, 86_400, 864_000])
    expect(formatSeconds(seconds - 0.000_1), String(seconds)).toBe(formatSeconds(seconds));
});

test('a local date-time of a schedule keeps its hour in every time zone of the browser', () => {
  expect(formatLocal('2026-12-31T09:00:00')).toBe('Thu 31 Dec 2026, 09:00');
});

test('an amount without a scale is refused, and a comma is only read where it groups thousands', () => {
  for (const asset of ['USD', '', 'USD/', 'USD/x']) expect(parseMinor('100', asset), asset).toBeNull();
  for (const text of ['1,50', '12,5', '1,2345', ',123', '1,,234']) expect(parseMinor(text, 'USD/2'), text).toBeNull();
  expect(parseMinor('1,500', 'USD/2')).toBe('150000');
  expect(parseMinor('1500', 'USD/2')).toBe('150000');
});
