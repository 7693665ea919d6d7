// Payments against a second opinion. A small, fixed helping; `npm run proof` takes a large one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { liveAtOnce, liveOneByOne } from '../support/payments-model/harness.ts';
import type { Step } from '../support/payments-model/model.ts';
import { lives } from '../support/payments-model/steps.ts';

const SMALL = { seed: 20_260_101, numRuns: 12, endOnFailure: true };

const create = {
  verb: 'create',
  from: 'c',
  to: ['b'],
  amount: 30,
  funding: 'at_execution',
  delay: 1_800,
  expires: null,
  priority: 1,
} as const;
const elapse = (seconds: number): Step => ({ verb: 'process', seconds });
const runEarly: readonly Step[] = [create, { verb: 'run now', slot: 0 }, elapse(0)];
const credit: Step = { verb: 'deposit', account: 'c', amount: 40 };

/** Short forms of random lives in which engine and model once differed, and which the few lives of the next test do not reach. */
const FOUND: readonly { readonly life: string; readonly steps: readonly Step[] }[] = [
  {
    life: 'legs to the payer and a suspended one',
    steps: [
      { verb: 'suspend', account: 'a' },
      ...[['d', 'a'], ['a', 'd'], ['d']].map((to) => ({ ...create, from: 'd', to })),
    ],
  },
  { life: 'the retries of an unfunded run-now', steps: [...runEarly, elapse(60), elapse(240), elapse(1_500)] },
  { life: 'a credit after an unfunded run-now', steps: [...runEarly, credit, elapse(0), elapse(1_800)] },
  { life: 'a credit after its instant', steps: [...runEarly, elapse(1_800), credit, elapse(0)] },
];

describe('payments', () => {
  const store = useUsance({ poolSize: 20 });

  test.each(FOUND)('do to $life what the model does', async ({ steps }) => {
    expect(await liveOneByOne(store.usance, steps)).toBeNull();
  });

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
