import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount, parseExactJson } from '../../src/kernel/index.ts';
import { refusedWith } from '../support/refusal.ts';

describe('JSON from outside', () => {
  test('is read as JSON.parse reads it, where that loses nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const whole = JSON.stringify(value, (_key, item: unknown) =>
          typeof item === 'number' ? Math.trunc(item % 1e9) + 0 : item,
        );
        expect(parseExactJson(whole)).toEqual(JSON.parse(whole));
      }),
    );
  });

  test.each(['1.5', '1.0', '1e3', '-0', '9007199254740991.4', '1E400', '0.1'])(
    'keeps the number %s as its text, so that it is no amount',
    (text) => {
      const { amount } = parseExactJson(`{"amount":${text}}`) as { amount: unknown };
      expect(amount).toBe(text);
    },
  );

  test('has amounts that are refused unless they are exact', () => {
    const amount = (text: string): string => refusedWith(() => parseAmount((parseExactJson(text) as { a: unknown }).a));
    expect(amount('{"a":9007199254740991}')).toBe('not refused');
    expect(amount('{"a":9007199254740993}')).toBe('AMOUNT_INVALID');
    expect(amount('{"a":1e3}')).toBe('AMOUNT_INVALID');
    expect(amount('{"a":4503599627370497.1}')).toBe('AMOUNT_INVALID');
  });

  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"b":[{"a":1,"c":"}\\"{","a":1}]}}',
    '{"":1,"":1}',
    '{"a" :1, "a" : 1}',
  ])('with a key twice is refused: %s', (text) => {
    expect(() => parseExactJson(text)).toThrow('is there twice');
  });

  test.each(['{"a":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"a\\":","b":":"}', '{"a":["a","a"],"b":"a"}'])(
    'with a key in two objects is fine: %s',
    (text) => {
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    },
  );

  test.each(['', '{', '{"a":}', "{'a':1}", 'undefined', '{"a":1}x'])('that is none is a SyntaxError: %o', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});
