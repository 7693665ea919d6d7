// The large helping of test/ledger/model.test.ts: thousands of random lives, one server, a tenant each.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { findings, liveAtOnce, liveOneByOne } from '../support/model/harness.ts';
import { BUGS, plant } from '../support/model/planted.ts';
import { STEPS, lives } from '../support/model/steps.ts';
import { SEED, banner } from './banner.ts';

const LIVES = 1_000;
const SEEDS = [
  ['a fixed seed', 20_260_101],
  ['a random seed', SEED],
] as const;

describe.each(SEEDS)('with %s', (_which, seed) => {
  const store = useDatabase();
  const broken = useDatabase();
  const size = { seed, numRuns: LIVES, endOnFailure: true };

  test(`${LIVES} lives of ${STEPS} verbs go as the model says`, async () => {
    banner('ledger against model, one by one', { seed, lives: LIVES, verbs: LIVES * STEPS });
    const property = fc.asyncProperty(lives, async (steps) => {
      expect(await liveOneByOne(store.db, steps)).toBeNull();
    });
    await expect(fc.assert(property, size)).resolves.not.toThrow();
    expect(await findings(store.db)).toEqual([]);
  });

  test(`${LIVES} lives of ${STEPS} verbs by eight at once add up to what was acknowledged`, async () => {
    banner('ledger against model, eight at once', { seed, lives: LIVES, verbs: LIVES * STEPS });
    const property = fc.asyncProperty(lives, async (steps) => {
      expect(await liveAtOnce(store.db, steps)).toBeNull();
    });
    await expect(fc.assert(property, size)).resolves.not.toThrow();
    expect(await findings(store.db)).toEqual([]);
  });

  test.each(Object.entries(BUGS))('the model catches %s', async (name, bug) => {
    const buggy = plant(broken.db, bug);
    const property = fc.asyncProperty(lives, async (steps) => (await liveOneByOne(buggy, steps)) === null);
    const found = await fc.check(property, size);
    banner(`caught ${name}`, { seed, lives: found.numRuns });
    expect(found).toMatchObject({ failed: true });
  });
});
