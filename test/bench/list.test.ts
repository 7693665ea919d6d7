// The README of the benches names every bench that the command runs, and no other.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const BENCH = join(import.meta.dirname, '../../bench');

test('bench/README.md has a row for every bench, and no other', () => {
  const listed = execFileSync(process.execPath, [join(BENCH, 'run.ts'), '--list'], { encoding: 'utf8' });
  const names = listed
    .trim()
    .split('\n')
    .flatMap((line) => line.split(':').slice(0, 1));
  const rows = readFileSync(join(BENCH, 'README.md'), 'utf8').matchAll(/^\| `([a-z]+)` \| [^|]+ \| [^|]+ \|$/gm);
  expect(names).toContain('payouts');
  expect([...rows].flatMap(([, name]) => name ?? [])).toEqual(names);
});
