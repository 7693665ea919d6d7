import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDecimal, toMinorUnits } from '../../src/kernel/index.ts';
import {
  MAX_AMOUNT,
  formatAmount,
  formatDecimal,
  parseAmount,
  parseAsset,
  parseDecimal,
  parsePositiveAmount,
  parsePositiveDecimal,
} from '../../src/kernel/index.ts';
import { refusedWith } from '../support/refusal.ts';

describe('an amount', () => {
  test.each([
    ['0', 0n],
    ['1250', 1250n],
    ['9223372036854775807', MAX_AMOUNT],
    [0, 0n],
    [1250, 1250n],
    [Number.MAX_SAFE_INTEGER, 9007199254740991n],
    [5n, 5n],
    [MAX_AMOUNT, MAX_AMOUNT],
  ])('%o is read as %o minor units', (input, amount) => {
    expect(parseAmount(input)).toBe(amount);
  });

  test.each([
    '12.5',
    '12.0',
    '1e3',
    '1E3',
    '0x10',
    '007',
    '00',
    '+5',
    '-5',
    ' 5',
    '5 ',
    '5\n',
    '1_000',
    '1,000',
    '١٢',
    '',
    'NaN',
    'Infinity',
    12.5,
    0.1 + 0.2,
    -1,
    NaN,
    Infinity,
    Number.MAX_SAFE_INTEGER + 1,
    1e21,
    null,
    undefined,
    true,
    {},
    [5],
    new Date(5),
  ])('%o is not a whole number of minor units', (input) => {
    expect(refusedWith(() => parseAmount(input))).toBe('AMOUNT_INVALID');
  });

  test.each(['9223372036854775808', '9'.repeat(19), '1' + '0'.repeat(19), '9'.repeat(5000), MAX_AMOUNT + 1n])(
    'above 2^63 − 1 is too large, however many digits it has',
    (input) => {
      expect(refusedWith(() => parseAmount(input))).toBe('AMOUNT_TOO_LARGE');
    },
  );

  test('of zero is an amount, but nothing moves for it', () => {
    for (const zero of ['0', 0, -0, 0n]) {
      expect(parseAmount(zero)).toBe(0n);
      expect(refusedWith(() => parsePositiveAmount(zero))).toBe('AMOUNT_NOT_POSITIVE');
    }
    expect(refusedWith(() => parsePositiveAmount(-1n))).toBe('AMOUNT_NOT_POSITIVE');
    expect(parsePositiveAmount('1')).toBe(1n);
  });

  test('names the field to mend', () => {
    expect(() => parseAmount('x', 'legs[2].amount')).toThrow(
      expect.objectContaining({ param: 'legs[2].amount', message: expect.stringContaining('legs[2].amount') }),
    );
  });

  test('survives being written and read again, whatever it is', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_AMOUNT }), (amount) => {
        expect(parseAmount(amount.toString())).toBe(amount);
      }),
    );
  });

  test('is never taken from text that JavaScript would only read approximately', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double().map(String), fc.string()), (text) => {
        const reading = refusedWith(() => parseAmount(text));
        expect(reading === 'not refused' ? parseAmount(text).toString() : text).toBe(text);
      }),
    );
  });
});

describe('a decimal amount', () => {
  const scales = fc.integer({ min: 0, max: 18 });

  test('and its minor units are read from each other at every scale', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_AMOUNT }), scales, (amount, scale) => {
        const written = formatDecimal(amount, scale);
        expect(written).toMatch(scale === 0 ? /^[0-9]+$/ : new RegExp(`^[0-9]+[.][0-9]{${scale}}$`));
        expect(parseDecimal(written, scale)).toBe(amount);
      }),
      { numRuns: 1_000 },
    );
  });

  test('may leave out decimals, and is refused with one more than the asset has', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999n }), scales, fc.nat(18), (whole, scale, given) => {
        const text = given === 0 ? `${whole}` : `${whole}.${'7'.repeat(given)}`;
        const amount = BigInt(`${whole}${'7'.repeat(given)}${'0'.repeat(Math.max(scale - given, 0))}`);
        const refused = given > scale ? 'AMOUNT_INVALID' : amount > MAX_AMOUNT ? 'AMOUNT_TOO_LARGE' : null;
        expect(refused ? refusedWith(() => parseDecimal(text, scale)) : parseDecimal(text, scale)).toBe(
          refused ?? amount,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    '10.',
    '.5',
    '10,50',
    '1e3',
    '007.1',
    '+1',
    '-1.00',
    ' 1',
    '1.0\n',
    '1_0',
    '',
    '.',
    '1.2.3',
    '１.5',
    10.5,
    10n,
    null,
  ])('%o is refused', (input) => {
    expect(refusedWith(() => parseDecimal(input, 2))).toBe('AMOUNT_INVALID');
  });

  test('of too many digits is refused by their number, and zero moves nothing', () => {
    expect(refusedWith(() => parseDecimal('9'.repeat(5_000), 2))).toBe('AMOUNT_TOO_LARGE');
    expect(parseDecimal('92233720368547758.07', 2)).toBe(MAX_AMOUNT);
    expect(refusedWith(() => parseDecimal('92233720368547758.08', 2))).toBe('AMOUNT_TOO_LARGE');
    expect(parseDecimal('0.00', 2)).toBe(0n);
    expect(refusedWith(() => parsePositiveDecimal('0.00', 2))).toBe('AMOUNT_NOT_POSITIVE');
  });

  test('is what the library turns into minor units and back', () => {
    expect(toMinorUnits('10.5', 'USD/2')).toBe(1_050n);
    expect(toDecimal(1_050n, 'USD/2')).toBe('10.50');
    expect(refusedWith(() => toMinorUnits('10.505', 'USD/2'))).toBe('AMOUNT_INVALID');
    expect(refusedWith(() => toMinorUnits('10.5', 'USD'))).toBe('ASSET_INVALID');
  });
});

describe('an asset', () => {
  test.each([
    ['USD/2', { name: 'USD/2', code: 'USD', scale: 2 }],
    ['ROBUX/0', { name: 'ROBUX/0', code: 'ROBUX', scale: 0 }],
    ['A1/9', { name: 'A1/9', code: 'A1', scale: 9 }],
    ['ABCDEFGHIJKLMNOP/6', { name: 'ABCDEFGHIJKLMNOP/6', code: 'ABCDEFGHIJKLMNOP', scale: 6 }],
  ])('%s is a code and a scale', (text, asset) => {
    expect(parseAsset(text)).toEqual(asset);
  });

  test.each([
    'USD',
    'usd/2',
    'U/2',
    '1USD/2',
    'USD/10',
    'USD/-1',
    'USD/',
    '/2',
    'US D/2',
    'USD/2 ',
    'ABCDEFGHIJKLMNOPQ/2',
    'USD/2\n',
    '',
    2,
    null,
    undefined,
  ])('%o is refused', (input) => {
    expect(refusedWith(() => parseAsset(input))).toBe('ASSET_INVALID');
  });

  test.each([
    [1250n, 'USD/2', '12.50 USD'],
    [5n, 'USD/2', '0.05 USD'],
    [-5n, 'USD/2', '-0.05 USD'],
    [7n, 'ROBUX/0', '7 ROBUX'],
    [1n, 'GWEI/9', '0.000000001 GWEI'],
    [MAX_AMOUNT, 'USDC/6', '9223372036854.775807 USDC'],
  ])('%d of %s is shown as %s', (amount, asset, shown) => {
    expect(formatAmount(amount, asset)).toBe(shown);
  });
});
