// The ledger against a second opinion. A small, fixed helping; `npm run proof` takes a large one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { findings, liveAtOnce, liveOneByOne } from '../support/model/harness.ts';
import { BUGS, plant } from '../support/model/planted.ts';
import { lives } from '../support/model/steps.ts';

const SMALL = { seed: 20_260_101, numRuns: 25, endOnFailure: true };

describe('the ledger', () => {
  const store = useDatabase();

  test('does to fifty random verbs what the model does', async () => {
    const property = fc.asyncProperty(lives, async (steps) => {
      expect(await liveOneByOne(store.db, steps)).toBeNull();
    });
    await expect(fc.assert(property, SMALL)).resolves.not.toThrow();
    expect(await findings(store.db)).toEqual([]);
  });

  test('adds up to what it acknowledged when eight do them at once', async () => {
    const property = fc.asyncProperty(lives, async (steps) => {
      expect(await liveAtOnce(store.db, steps)).toBeNull();
    });
    await expect(fc.assert(property, SMALL)).resolves.not.toThrow();
    expect(await findings(store.db)).toEqual([]);
  });
});

describe('the model', () => {
  const store = useDatabase();

  test.each(Object.entries(BUGS))('catches %s', async (_name, bug) => {
    const buggy = plant(store.db, bug);
    const property = fc.asyncProperty(lives, async (steps) => (await liveOneByOne(buggy, steps)) === null);
    expect(await fc.check(property, SMALL)).toMatchObject({ failed: true });
  });

  test.each(Object.entries(BUGS))('catches %s among eight at once', async (_name, bug) => {
    const buggy = plant(store.db, bug);
    const property = fc.asyncProperty(lives, async (steps) => (await liveAtOnce(buggy, steps)) === null);
    expect(await fc.check(property, SMALL)).toMatchObject({ failed: true });
  });
});
