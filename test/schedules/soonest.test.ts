// The first runs of many schedules: in order, asked for only as needed, and without keeping the process from others.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { soonest } from '../../src/schedules/soonest.ts';

const ascending = fc
  .array(fc.integer({ min: 0, max: 50 }), { maxLength: 20 })
  .map((list) => list.toSorted((a, b) => a - b).map((at) => ({ at })));

test('the first runs of many schedules are those of all of them, sorted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ascending, { maxLength: 12 }), fc.integer({ min: 0, max: 60 }), async (lists, most) => {
      const found = await soonest(
        lists.map((list) => list[Symbol.iterator]()),
        most,
      );
      expect(found).toEqual(
        lists
          .flat()
          .toSorted((a, b) => a.at - b.at)
          .slice(0, most),
      );
    }),
  );
});

test('a thousand schedules of every minute are not asked for all they have, and others are served meanwhile', async () => {
  let asked = 0;
  function* everyMinute(): Generator<{ at: number }, undefined> {
    for (let at = 0; at < 527_040; at += 1) {
      asked += 1;
      yield { at };
    }
  }
  let turns = 0;
  let running = true;
  const turn = (): void => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const found = await soonest(
    Array.from({ length: 1_000 }, () => everyMinute()),
    10_000,
  );
  running = false;
  expect(found.at(-1)).toEqual({ at: 9 });
  expect(asked).toBe(11_000);
  expect(turns).toBeGreaterThan(0);
});
