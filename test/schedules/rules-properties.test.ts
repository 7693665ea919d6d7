// A fixed seed here, so that a change is judged by the same rules every time; `npm run proof` takes a new one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RULE_PROPERTIES } from './rule-properties.ts';

test.each(RULE_PROPERTIES)('for every rule: %s', (_, property) => {
  expect(fc.check(property, { seed: 5545, numRuns: 100 })).toMatchObject({ failed: false });
});
