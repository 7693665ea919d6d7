// Random lives of a small ledger: fifty verbs over four accounts, most of them possible, many of them refused.
import fc from 'fast-check';
import type { Step } from './model.ts';

export const REFS = ['a', 'b', 'c', 'd'] as const;
export const STEPS = 50;

const account = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...REFS) },
  { weight: 1, arbitrary: fc.constant('nobody') },
);
const amount = fc.integer({ min: 1, max: 40 });
const slot = fc.nat({ max: 7 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('open' as const), account: fc.constantFrom(...REFS) }) },
  { weight: 4, arbitrary: fc.record({ verb: fc.constant('deposit' as const), account, amount }) },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant('withdraw' as const), account, amount }) },
  { weight: 6, arbitrary: fc.record({ verb: fc.constant('transfer' as const), from: account, to: account, amount }) },
  { weight: 6, arbitrary: fc.record({ verb: fc.constant('reserve' as const), account, amount }) },
  { weight: 6, arbitrary: fc.record({ verb: fc.constant('capture' as const), slot, to: account, amount }) },
  { weight: 5, arbitrary: fc.record({ verb: fc.constant('release' as const), slot, amount: fc.option(amount) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('suspend' as const), account }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('reactivate' as const), account }) },
);

/** So that most of what follows is possible. */
export const BEGINNING: readonly Step[] = [
  { verb: 'open', account: 'a' },
  { verb: 'open', account: 'b' },
  { verb: 'deposit', account: 'a', amount: 60 },
  { verb: 'deposit', account: 'b', amount: 60 },
];

export const lives: fc.Arbitrary<readonly Step[]> = fc
  .array(step, { minLength: STEPS - BEGINNING.length, maxLength: STEPS - BEGINNING.length })
  .map((rest) => [...BEGINNING, ...rest]);
