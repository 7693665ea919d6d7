// The one reader of JSON from outside: bodies, tokens, import files.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_DEPTH, isStorable, parseAmount, parseStrictJson } from '../../src/kernel/index.ts';
import { refusedWith } from '../support/refusal.ts';

const always = { seed: 1_115, numRuns: 500 };
const text = fc.string({ unit: 'binary' }).filter(isStorable);
/** What there is to say in JSON that can be kept: any text, numbers that are exact. */
const { any } = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(fc.constant(null), fc.boolean(), fc.maxSafeInteger(), fc.double({ noInteger: true, noNaN: true }), text),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
}));

describe('JSON from outside', () => {
  test('is read as JSON.parse reads it, as text and as bytes, where that loses nothing', () => {
    const indents = fc.constantFrom(undefined, 2, '\t');
    fc.assert(
      fc.property(any, indents, (value, indent) => {
        const written = JSON.stringify(value, null, indent);
        const read: unknown = JSON.parse(written);
        expect(parseStrictJson(written)).toEqual(read);
        expect(parseStrictJson(new TextEncoder().encode(written))).toEqual(read);
      }),
      always,
    );
  });

  test('with a name twice is refused, wherever it is', () => {
    fc.assert(
      fc.property(text, any, any, (name, first, second) => {
        const [key, ...values] = [name, first, second].map((value) => JSON.stringify(value));
        const twice = `{"before": [{}, {"inside": {${key}: ${values[0]}, "}": "}", ${key}: ${values[1]}}}]}`;
        expect(refusedWith(() => parseStrictJson(twice))).toBe('JSON_DUPLICATE_KEY');
      }),
      always,
    );
  });

  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"x":{"b":[{"a":1,"c":"}\\"{","a":1}]}}', 'x.b[0].a'],
    ['{"a" :1, "a" : 1}', 'a'],
    ['{"\\\\":1,"\\\\":1}', '\\'],
  ])('names what is there twice: %s', (source, place) => {
    expect(() => parseStrictJson(source)).toThrow(`${JSON.stringify(place)} is given twice; give it once`);
  });

  test.each([
    '{"a":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a\\":","b":":"}',
    '{"a":["a","a"],"b":"a"}',
    '{"a":"b","b":"\\\\"}',
  ])('with a name in two objects is fine: %s', (source) => {
    expect(parseStrictJson(source)).toEqual(JSON.parse(source));
  });

  test.each([
    '9007199254740993',
    '-9007199254740992',
    '9.007199254740993e15',
    '4503599627370497.1',
    '9007199254740991.4',
    '1.00000000000000000001',
    '1e-400',
    '0.1000000000000000055',
    '-1.7976931348623157e-320',
    '3.14159265358979323846',
    '1E400',
    '-1e400',
  ])('with the number %s, which would be rounded, is refused', (number) => {
    expect(refusedWith(() => parseStrictJson(`[0, {"amount": ${number}}]`))).toBe('JSON_INTEGER_UNSAFE');
    expect(() => parseStrictJson(`[0, {"amount": ${number}}]`)).toThrow('[1].amount is a number that');
  });

  test.each([
    '0',
    '-0',
    '0.0',
    '0e-5',
    '9007199254740991',
    '1.0',
    '1e3',
    '12.50e1',
    '1200e-2',
    '1.5',
    '0.1',
    '1.10',
    '-0.250',
    '1e-7',
    '5e-324',
  ])('with the number %s is read', (number) => {
    expect(parseStrictJson(number)).toBe(JSON.parse(number));
  });

  test('has amounts that are whole, or refused', () => {
    const amount = (number: string): string => refusedWith(() => parseAmount(parseStrictJson(number)));
    expect([amount('9007199254740991'), amount('1e3'), amount('1.5')]).toEqual([
      'not refused',
      'not refused',
      'AMOUNT_INVALID',
    ]);
  });

  test.each([
    ['', 'the JSON ends too early'],
    ['{"password": "secret"', 'the JSON breaks at character 21'],
    ['{"password": "secret" "x"}', 'the JSON breaks at character 22'],
    ['secret', 'the text is not JSON'],
    ['{"a":1}secret', 'the JSON breaks at character 7'],
  ])('that is none is told the place and not the text: %o', (source, says) => {
    expect(refusedWith(() => parseStrictJson(source))).toBe('JSON_MALFORMED');
    expect(() => parseStrictJson(source)).toThrow(new RegExp(`^${says}$`));
  });

  test('that is no UTF-8 is refused, and does not spoil the next', () => {
    expect(refusedWith(() => parseStrictJson(new Uint8Array([0x22, 0xc3])))).toBe('JSON_MALFORMED');
    expect(parseStrictJson(new TextEncoder().encode('"ü"'))).toBe('ü');
  });

  test.each(['\\u0000', '\\ud800', '\\udc00\\ud800'])('with %s, which cannot be stored, is refused', (character) => {
    expect(refusedWith(() => parseStrictJson(`"${character}"`))).toBe('FIELD_INVALID');
    expect(refusedWith(() => parseStrictJson(`{"${character}": 1}`))).toBe('FIELD_INVALID');
  });

  test('is read 32 deep and no deeper', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseStrictJson(nested(MAX_DEPTH))).toBeDefined();
    expect(refusedWith(() => parseStrictJson(nested(MAX_DEPTH + 1)))).toBe('JSON_MALFORMED');
  });

  test('has names that other programs trip over', () => {
    const value = parseStrictJson('{"__proto__": {"a": 1}, "constructor": 2}') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect('a' in value).toBe(false);
  });
});
