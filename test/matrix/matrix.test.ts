// Every pair of values of the axes in as few cells as cover them. `npm run proof matrix` runs every reachable cell.
import { describe, expect, test } from 'vitest';
import { useApi } from '../api/api.ts';
import { troubles } from '../support/books.ts';
import type { Resource } from './axes.ts';
import { RESOURCES } from './axes.ts';
import { pending } from './pending.ts';
import { pairwise } from './pairs.ts';
import { unreachable } from './reachable.ts';
import { runCells } from './run.ts';
import { groundOf } from './world.ts';
import { cellsOf } from './verbs.ts';

const SEED = 12;

describe('the matrix, all pairs', () => {
  const store = useApi();

  test.each(Object.keys(RESOURCES) as Resource[])(
    'verbs on rows of kind %s answer as the oracle says',
    async (resource) => {
      const reachable = [...cellsOf(resource)].filter((cell) => unreachable(cell) === null && pending(cell) === null);
      const { differences } = await runCells(groundOf(store), pairwise(reachable, SEED));
      expect(differences).toEqual([]);
    },
  );

  test('the books verify afterwards', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
