import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_DEPTH, parseStrictJson } from '../../src/api/strict-json.ts';
import { refusedWith } from '../support/refusal.ts';

const read = (text: string): unknown => parseStrictJson(new TextEncoder().encode(text));

test('what JSON.stringify writes is read as JSON.parse reads it', () => {
  const value = fc.jsonValue({ maxDepth: 8 });
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 2, '\t'), (json, indent) => {
      const text = JSON.stringify(json, null, indent);
      if (/\\u0000|\\ud[89a-f]/i.test(text)) return;
      const lossy = [...text.matchAll(/-?\d[\d.eE+-]*/g)].some(
        ([token]) => Number.isInteger(+token) && !Number.isSafeInteger(+token),
      );
      if (!lossy) expect(read(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 2_000 },
  );
});

test('a name that comes back is found, wherever it is', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue({ maxDepth: 3 }), (name, value) => {
      fc.pre(!name.includes('\0') && name.isWellFormed());
      const field = `${JSON.stringify(name)}: ${JSON.stringify(value)
        .replaceAll(/\\u0000|\\ud.../gi, '')
        .replaceAll(/\d[\d.eE+-]*/g, '1')}`;
      const twice = `{"before": [{}, {"inside": {${field}, "between": "}", ${field}}}]}`;
      const hidden = name === 'between' || refusedWith(() => read(twice)) === 'JSON_DUPLICATE_KEY';
      expect(hidden).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('the deepest that is read is 32', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(read(nested(MAX_DEPTH))).toBeDefined();
  expect(refusedWith(() => read(nested(MAX_DEPTH + 1)))).toBe('JSON_MALFORMED');
});

test('a message tells the place and not the text', () => {
  expect(() => read('{"password": "secret" "x"}')).toThrow('the JSON of the body breaks at 22');
});

test('names of objects that other programs trip over are names', () => {
  const value = read('{"__proto__": {"a": 1}, "constructor": 2}') as object;
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect('a' in value).toBe(false);
});
