import { describe, expect, test } from 'vitest';
import { bisect } from '../../src/db/index.ts';

const items = [0, 1, 2, 3, 4, 5, 6];

/** Throws where one of `bad` is among the items. */
async function bisecting(bad: readonly number[], error: Error = new Error('broken')) {
  const [runs, culprits]: [number[][], number[]] = [[], []];
  const work = async (some: readonly number[]): Promise<readonly number[]> => {
    runs.push([...some]);
    if (some.some((item) => bad.includes(item))) throw error;
    return some;
  };
  const answers = await bisect(items, work, (item, cause) => {
    expect(cause).toBe(error);
    culprits.push(item);
  });
  return { answered: answers.flat(), culprits, runs };
}

describe('bisect', () => {
  test('runs once where nothing throws, and not at all on nothing', async () => {
    expect((await bisecting([])).runs).toEqual([items]);
    expect(await bisect([], () => Promise.reject(new Error('called')), expect.unreachable)).toEqual([]);
  });

  test.each([[[0]], [[3]], [[6]], [[2, 3]], [[0, 6]], [items]])(
    'finds the culprits %j and answers for the others',
    async (bad) => {
      const { answered, culprits } = await bisecting(bad);
      expect(culprits).toEqual(bad);
      expect(answered).toEqual(items.filter((item) => !bad.includes(item)));
    },
  );

  test.each(['55P03', '40P01', '08006'])('blames no item for %s', async (code) => {
    const error = Object.assign(new Error('for now'), { code });
    await expect(bisecting([3], error)).rejects.toBe(error);
  });
});
