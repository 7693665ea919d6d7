// Results and errors of processors as they are stored, whatever a processor returns or throws.
import { describe, expect, test } from 'vitest';
import { errorText, isPermanent, storableResult, storableText } from '../../src/jobs/result.ts';

const KIB = 1_024;
const hostile = {
  get message(): string {
    throw new Error('no message');
  },
  get retryable(): boolean {
    throw new Error('no property');
  },
};

describe('a result', () => {
  test.each([
    ['nothing', undefined, null],
    ['an object', { receipt: 'R-1' }, '{"receipt":"R-1"}'],
    ['a number, as a field', 7, '{"value":7}'],
    ['a list, as a field', [1], '{"value":[1]}'],
    ['a bigint, as text', { amount: 5n }, '{"amount":"5"}'],
    ['an object whose toJSON returns a text', { toJSON: () => 'text' }, null],
    ['U+0000, replaced', { text: 'a\0b' }, '{"text":"a\\ufffdb"}'],
    ['half of a surrogate pair, replaced', { text: 'a\ud800' }, '{"text":"a\\ufffd"}'],
    ['a backslash before u0000, kept', { text: '\\u0000' }, '{"text":"\\\\u0000"}'],
  ])('is stored: %s', (_what, value, stored) => {
    expect(storableResult(value)).toBe(stored);
  });

  test('of more than 64 KiB is replaced by its length', () => {
    const fits = { text: 'é'.repeat(32 * KIB - 6) };
    expect(JSON.parse(storableResult(fits) ?? '')).toEqual(fits);
    expect(storableResult({ text: 'é'.repeat(32 * KIB) })).toBe(`{"truncated":true,"bytes":${64 * KIB + 11}}`);
  });

  test('without JSON is replaced by a note', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect(storableResult(circular)).toBe('{"truncated":true,"bytes":null}');
  });
});

describe('an error', () => {
  test.each([
    ['its message', new Error('no answer'), 'no answer'],
    ['its name, without a message', new TypeError(), 'TypeError'],
    ['a text that was thrown', 'no answer', 'no answer'],
    ['anything else as JSON', { code: 7 }, 'threw {"code":7}'],
    ['nothing', undefined, 'threw undefined'],
  ])('is stored as text: %s', (_what, error, text) => {
    expect(errorText(error)).toBe(text);
  });

  test('of which nothing can be read is stored all the same', () => {
    const error = Object.create(Error.prototype, Object.getOwnPropertyDescriptors(hostile)) as unknown;
    expect(errorText(error)).toBe('threw something that cannot be shown');
    expect(isPermanent(error)).toBe(false);
  });

  test('is permanent only if it says `retryable: false`', () => {
    const errors = [{ retryable: false }, { retryable: true }, { retryable: 0 }, new Error('x'), null, 'retryable'];
    expect(errors.map(isPermanent)).toEqual([true, false, false, false, false, false]);
  });

  test('is cut to 8 KiB, and not inside a character', () => {
    expect(storableText('x'.repeat(8 * KIB))).toHaveLength(8 * KIB);
    for (const shift of ['', 'a', 'ab', 'abc']) {
      const text = storableText(shift + '🧾'.repeat(4 * KIB));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8 * KIB);
      expect(text).toMatch(/^a?b?c?(🧾)+…$/u);
    }
  });
});
