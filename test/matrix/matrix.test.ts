// Every pair of values of the axes in as few cells as cover them. `npm run proof matrix` runs every reachable cell.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verbsReference } from '../../scripts/verbs-reference.ts';
import { useApi } from '../api/api.ts';
import { troubles } from '../support/books.ts';
import type { Cell, Resource } from './axes.ts';
import { RESOURCES } from './axes.ts';
import { PairIds, pairwise } from './pairs.ts';
import { unreachable } from './reachable.ts';
import { runCells } from './run.ts';
import { groundOf } from './world.ts';
import { cellsOf } from './verbs.ts';

const SEED = 12;
const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');

const reachableOf = (resource: Resource): Cell[] => [...cellsOf(resource)].filter((cell) => unreachable(cell) === null);

test('docs/reference/verbs.md is current: npm run docs:verbs', () => {
  expect(readFileSync(join(ROOT, 'docs/reference/verbs.md'), 'utf8')).toBe(verbsReference());
});

test('the oracle imports nothing of the program but types', () => {
  const files = [
    'axes.ts',
    'verbs.ts',
    'reachable.ts',
    ...readdirSync(join(HERE, 'oracle')).map((name) => `oracle/${name}`),
  ];
  for (const file of files) {
    const imports = readFileSync(join(HERE, file), 'utf8').matchAll(/^import\s+(type\s)?[^;]*?from\s+'([^']+)'/gm);
    for (const [line, isType, from = ''] of imports) {
      const inside = /^\.{1,2}\/(?!.*src\/)/.test(from) && files.includes(join(file, '..', from));
      expect(isType !== undefined || inside, `${file}: ${line}`).toBe(true);
    }
  }
});

test('a few cells hold every pair of values that any reachable cell holds', () => {
  const reachable = reachableOf('schedule');
  const all = new PairIds();
  const wanted = new Set(reachable.flatMap((cell) => all.of(cell)));
  const chosen = pairwise(reachable, SEED);
  expect(new Set(chosen.flatMap((cell) => all.of(cell)))).toEqual(wanted);
  expect(chosen.length).toBeLessThan(reachable.length / 20);
  expect(pairwise(reachable, SEED)).toEqual(chosen);
});

describe('the matrix, all pairs', () => {
  const store = useApi();

  test.each(Object.keys(RESOURCES) as Resource[])(
    'verbs on rows of kind %s answer as the oracle says',
    async (resource) => {
      const { differences } = await runCells([groundOf(store)], pairwise(reachableOf(resource), SEED));
      expect(differences).toEqual([]);
    },
  );

  test('the books verify afterwards', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
