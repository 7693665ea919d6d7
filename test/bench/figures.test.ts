// The README quotes no figure of a bench but the recorded ones.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimHolds, claimsOf } from '../../bench/bench.ts';
import type { RecordedBench } from '../../bench/figures.ts';
import { readFigures, withFigures } from '../../bench/figures.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

const RECORDED: RecordedBench = {
  commit: 'abc1234',
  machine: { cores: 2, processor: 'a processor', memoryGb: 8, platform: 'linux x64', node: 'v26.0.0' },
  durability: 'fsync on',
  peer: 'graphile-worker 1.2.3; plain tables: 16 jobs at once',
  claims: [
    { what: 'all in ÷ plain tables', is: 3.456, atLeast: 2.6 },
    { what: 'all in ÷ alone', is: 1.1, atMost: 1.2 },
    { what: 'late', is: 0.12, atLeast: 0.5 },
    { what: 'payments/s', is: 12_345 },
  ],
};

test('the figures of the README are the recorded ones (npm run docs:figures)', () => {
  expect(withFigures(README, readFigures())).toBe(README);
});

test('every recorded figure is shown with its bound, commit, machine and peer, and a second writing changes nothing', () => {
  const written = withFigures(README, { settle: RECORDED });
  for (const line of [
    '| `settle` | all in ÷ plain tables | 3.46 | at least 2.6 |',
    '| `settle` | all in ÷ alone | 1.1 | at most 1.2 |',
    '| `settle` | late | 0.12 | at least 0.5: **missed** |',
    '| `settle` | payments/s | 12,345 |  |',
    'Measured at commit abc1234 on 2 cores (a processor), 8 GB, Node v26.0.0; fsync on (`settle`).',
    'Peer of `settle`: graphile-worker 1.2.3; plain tables: 16 jobs at once.',
  ])
    expect(written.split('\n')).toContain(line);
  expect(withFigures(written, { settle: RECORDED })).toBe(written);
  expect(withFigures(written, {})).toBe(withFigures(README, {}));
});

test('a README without the marks is refused', () => {
  expect(() => withFigures('# usance\n', {})).toThrow('the README has no');
});

test('a bound holds up to its value, and never for a number that could not be measured', () => {
  expect(claimHolds({ what: '', is: 2.6, atLeast: 2.6 })).toBe(true);
  expect(claimHolds({ what: '', is: 2.59, atLeast: 2.6 })).toBe(false);
  expect(claimHolds({ what: '', is: 1.21, atMost: 1.2 })).toBe(false);
  expect(claimHolds({ what: '', is: NaN, atLeast: 0 })).toBe(false);
  expect(claimHolds({ what: '', is: NaN, atMost: 1 })).toBe(false);
  const result = { ratio: null, atLeast: 2, table: [], details: {}, troubles: [] };
  expect(claimsOf('of a peer that was left out', result)).toEqual([]);
});
