// The large helping of test/payments/model.test.ts: hundreds of random lives, a tenant each. Every hundred gets a database
// of its own, because processors look at all tenants of a database.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { liveAtOnce, liveOneByOne } from '../support/payments-model/harness.ts';
import { STEPS, lives } from '../support/payments-model/steps.ts';
import { SEED, banner } from './banner.ts';

const LIVES = 100;
const HELPINGS = [1, 2, 3, 4, 5].map((helping) => [helping, (SEED + helping) % 2 ** 31] as const);

describe.each(HELPINGS)('helping %d, seed %d', (_helping, seed) => {
  const store = useUsance({ poolSize: 20 });
  const size = { seed, numRuns: LIVES, endOnFailure: true };

  test(`${LIVES} lives of ${STEPS} steps go as the model says`, async () => {
    banner('payments against model, one by one', { seed, lives: LIVES, steps: LIVES * STEPS });
    const property = fc.asyncProperty(lives, async (steps) => {
      expect(await liveOneByOne(store.usance, steps)).toBeNull();
    });
    await expect(fc.assert(property, size)).resolves.not.toThrow();
    expect(await troubles(store.usance)).toEqual([]);
  });

  test(`${LIVES} lives of ${STEPS} steps by eight people and two processors add up to what was acknowledged`, async () => {
    banner('payments against model, eight and two at once', { seed, lives: LIVES, steps: LIVES * STEPS });
    const property = fc.asyncProperty(lives, async (steps) => {
      expect(await liveAtOnce(store.usance, steps)).toBeNull();
    });
    await expect(fc.assert(property, size)).resolves.not.toThrow();
    expect(await troubles(store.usance)).toEqual([]);
  });
});
