// Payments against a second opinion. A small, fixed helping; `npm run proof` takes a large one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { liveAtOnce, liveOneByOne } from '../support/payments-model/harness.ts';
import { lives } from '../support/payments-model/steps.ts';

const SMALL = { seed: 20_260_101, numRuns: 12, endOnFailure: true };

describe('payments', () => {
  const store = useUsance({ poolSize: 20 });

  test('do to sixty random steps what the model does', async () => {
    const property = fc.asyncProperty(lives, async (steps) => {
      expect(await liveOneByOne(store.usance, steps)).toBeNull();
    });
    await expect(fc.assert(property, SMALL)).resolves.not.toThrow();
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('add up to what was acknowledged when eight people and two processors are at them', async () => {
    const property = fc.asyncProperty(lives, async (steps) => {
      expect(await liveAtOnce(store.usance, steps)).toBeNull();
    });
    await expect(fc.assert(property, SMALL)).resolves.not.toThrow();
    expect(await troubles(store.usance)).toEqual([]);
  });
});
