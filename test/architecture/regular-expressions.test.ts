import { expect, test } from 'vitest';
import { checkExpressions } from './regular-expressions.ts';
import { readTree } from './source.ts';

test.each(['/\\{\\{\\s*([^{}]{0,100}?)\\s*\\}\\}/g', '/<\\s*\\/?\\s*(script|iframe)\\b/i', '/\\s+$/'])(
  '%s is recognized as slow',
  (literal) => {
    expect(checkExpressions([{ path: 'src/x.ts', text: `export const x = ${literal};\n` }])).toEqual([
      expect.stringContaining('src/x.ts:1: '),
    ]);
  },
);

test('no regular expression of the source takes time that grows with the square of its input', async () => {
  expect(checkExpressions(await readTree('src'))).toEqual([]);
}, 120_000);
