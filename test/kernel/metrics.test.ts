import { describe, expect, test } from 'vitest';
import { MOST_SERIES, createRegistry } from '../../src/kernel/index.ts';
import { parseMetrics, valueOf } from '../support/prometheus.ts';

describe('a counter', () => {
  test('without labels is zero from the start', () => {
    const registry = createRegistry();
    const cell = registry.counter('things_total', 'Things.').cell();
    expect(registry.text()).toBe('# HELP things_total Things.\n# TYPE things_total counter\nthings_total 0\n');
    cell.add();
    cell.add(41);
    expect(valueOf(registry.text(), 'things_total')).toBe(42);
  });

  test('has a series for every set of label values, whatever is in them', () => {
    const registry = createRegistry();
    const things = registry.counter('things_total', 'Back\\slash\nand line.', ['kind', 'place']);
    const odd = 'a "quoted" \\ and\nbroken, {line}';
    things.cell(odd, '').add(2);
    things.cell('plain', 'x').add(3);
    things.cell('plain', 'x').add(1);
    expect(valueOf(registry.text(), 'things_total', { kind: odd, place: '' })).toBe(2);
    expect(valueOf(registry.text(), 'things_total', { kind: 'plain', place: 'x' })).toBe(4);
  });

  test('with labels without end keeps a bounded number of series and loses no count', () => {
    const registry = createRegistry();
    const things = registry.counter('things_total', 'Things.', ['kind']);
    for (let n = 0; n < MOST_SERIES * 3; n += 1) things.cell(`kind ${n}`).add();
    expect(things.series()).toHaveLength(MOST_SERIES + 1);
    expect(valueOf(registry.text(), 'things_total', { kind: 'other' })).toBe(MOST_SERIES * 2);
  });
});

test('a gauge is its last value, and nothing when nothing is known', () => {
  const registry = createRegistry();
  const depth = registry.gauge('depth', 'Depth.');
  expect(valueOf(registry.text(), 'depth')).toBeUndefined();
  depth.set(3);
  depth.set(-0.25);
  expect(valueOf(registry.text(), 'depth')).toBe(-0.25);
  for (const value of [Infinity, -Infinity, 1e21, 1e-7]) {
    depth.set(value);
    expect(valueOf(registry.text(), 'depth')).toBe(value);
  }
  depth.clear();
  expect(valueOf(registry.text(), 'depth')).toBeUndefined();
});

test('a histogram counts what is at most a bound, and everything in the last bucket', () => {
  const registry = createRegistry();
  const { cell } = registry.histogram('wait_seconds', 'Wait.', [0.1, 1], ['lane']);
  for (const value of [0, 0.1, 0.100_1, 1, 1.5]) cell('a').observe(value);
  cell('a').observe(7, 10);
  const bucket = (le: string) => valueOf(registry.text(), 'wait_seconds_bucket', { lane: 'a', le });
  expect([bucket('0.1'), bucket('1'), bucket('+Inf')]).toEqual([2, 4, 15]);
  expect(valueOf(registry.text(), 'wait_seconds_count', { lane: 'a' })).toBe(15);
  expect(valueOf(registry.text(), 'wait_seconds_sum', { lane: 'a' })).toBeCloseTo(72.7001, 9);
});

describe('the reader of these tests refuses', () => {
  const head = '# HELP a_total A.\n# TYPE a_total counter\n';
  test.each([
    ['a text that breaks off', `${head}a_total 1`],
    ['a family without help', '# TYPE a_total counter\na_total 1\n'],
    ['a family twice', `${head}${head}`],
    ['a series twice', `${head}a_total 1\na_total 2\n`],
    ['a sample of another family', `${head}b_total 1\n`],
    ['an unescaped label', `${head}a_total{b="c"d"} 1\n`],
    ['a label twice', `${head}a_total{b="c",b="d"} 1\n`],
    ['a comma at the end', `${head}a_total{b="c",} 1\n`],
    ['no number', `${head}a_total one\n`],
    ['a counter below zero', `${head}a_total -1\n`],
    ['an empty line', `${head}\na_total 1\n`],
    [
      'a histogram that shrinks',
      '# HELP h H.\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
    ],
    ['a histogram without its end', '# HELP h H.\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_sum 1\nh_count 2\n'],
  ])('%s', (_title, text) => {
    expect(() => parseMetrics(text)).toThrow(Error);
  });
});
