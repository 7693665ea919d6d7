// The examples in the README of src/testing are test files of this folder, so that they run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const blocks = [...read('src/testing/README.md').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);

test.each(['example.test.ts', 'vitest.d.ts'])('%s is an example of the README', (file) => {
  const [, ...lines] = read(`test/testing/${file}`).split('\n');
  expect(blocks).toContain(lines.join('\n').replaceAll("'../../src/testing/index.ts'", "'usance/testing'"));
});
