// Random lives of payments: sixty steps among four accounts, most of them possible, many of them refused.
import fc from 'fast-check';
import type { Funding, Step } from './model.ts';

export const REFS = ['a', 'b', 'c', 'd'] as const;
export const STEPS = 60;
const MINUTE = 60;

const account = fc.constantFrom(...REFS);
const amount = fc.integer({ min: 2, max: 40 });
const slot = fc.nat({ max: 11 });
const delay = fc.constantFrom(0, 0, 0, MINUTE, 5 * MINUTE, 30 * MINUTE);
/** Half a minute off everything else, so that nothing is decided by the moments that a test takes. */
const expires = fc.constantFrom(0.5 * MINUTE, 1.5 * MINUTE, 10.5 * MINUTE);
const of = <V extends Step['verb']>(...verbs: V[]): fc.Arbitrary<V> => fc.constantFrom(...verbs);

const create = fc.record({
  verb: of('create'),
  from: account,
  to: fc.oneof(
    { weight: 5, arbitrary: account.map((payee) => [payee]) },
    { weight: 1, arbitrary: fc.shuffledSubarray([...REFS], { minLength: 2, maxLength: 3 }) },
  ),
  amount: fc.integer({ min: 3, max: 40 }),
  funding: fc.constantFrom<Funding>('reserve', 'at_execution'),
  delay,
  expires: fc.option(expires, { freq: 2 }),
  priority: fc.nat({ max: 2 }),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 16, arbitrary: create },
  { weight: 5, arbitrary: fc.record({ verb: of('deposit', 'withdraw'), account, amount }) },
  { weight: 5, arbitrary: fc.record({ verb: of('deposit'), account, amount }) },
  { weight: 6, arbitrary: fc.record({ verb: of('cancel', 'retry', 'run now', 'fail'), slot }) },
  { weight: 4, arbitrary: fc.record({ verb: of('capture'), slot, amount: fc.option(amount) }) },
  { weight: 4, arbitrary: fc.record({ verb: of('edit'), slot, amount: fc.option(amount), delay: fc.option(delay) }) },
  { weight: 2, arbitrary: fc.record({ verb: of('extend'), slot, expires }) },
  {
    weight: 4,
    arbitrary: fc.record({ verb: of('refund'), slot, amount: fc.option(amount), leg: fc.option(fc.nat({ max: 2 })) }),
  },
  { weight: 2, arbitrary: fc.record({ verb: of('retry'), slot }) },
  { weight: 2, arbitrary: fc.record({ verb: of('suspend', 'reactivate', 'reactivate'), account }) },
  { weight: 2, arbitrary: fc.record({ verb: of('pause', 'lift', 'lift', 'lift') }) },
  {
    weight: 10,
    arbitrary: fc.record({ verb: of('process'), seconds: fc.constantFrom(0, MINUTE, MINUTE, 4 * MINUTE) }),
  },
);

export const lives: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: STEPS, maxLength: STEPS });
