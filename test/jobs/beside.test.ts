// Work beside the runs of a loop.
import { expect, test } from 'vitest';
import { Beside } from '../../src/jobs/beside.ts';
import { gate } from '../support/gate.ts';

const NONE = { done: 0 };

test('is begun without being waited for, never twice at once, and not before its time', async () => {
  const held = gate();
  let begun = 0;
  const work = async () => {
    begun += 1;
    await held.passed;
    return { done: 2 };
  };
  const beside = new Beside(work, 60_000, NONE);
  beside.begin();
  beside.begin();
  expect([begun, beside.taken()]).toEqual([1, { done: 0 }]);
  held.open();
  await beside.stop();
  expect(beside.taken()).toEqual({ done: 2 });
  expect(beside.taken()).toEqual({ done: 0 });
  beside.begin();
  expect(begun).toBe(1);
});

test('is waited for when it is asked for now, whenever it was done', async () => {
  let begun = 0;
  const beside = new Beside(async () => ({ done: (begun += 1) }), 60_000, NONE);
  await beside.now();
  await beside.now();
  expect([begun, beside.taken()]).toEqual([2, { done: 3 }]);
});

test('reports what it threw once, and goes on', async () => {
  let fails = true;
  const beside = new Beside(
    async () => {
      if (fails) throw new Error('the database is away');
      return { done: 1 };
    },
    60_000,
    NONE,
  );
  await beside.now();
  expect(() => beside.taken()).toThrow('the database is away');
  fails = false;
  await beside.now();
  expect(beside.taken()).toEqual({ done: 1 });
});

test('is asked to end when the loop stops, and does not begin again', async () => {
  const seen: boolean[] = [];
  const held = gate();
  const beside = new Beside(
    async (signal) => {
      await held.passed;
      seen.push(signal.aborted);
      return NONE;
    },
    0,
    NONE,
  );
  beside.begin();
  const stopped = beside.stop();
  held.open();
  await stopped;
  await beside.now();
  expect(seen).toEqual([true]);
});
