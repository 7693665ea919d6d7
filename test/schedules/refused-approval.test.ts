// What a payer has approved bounds every charge: each bound is refused with a reason, and with amounts as the payer knows them.
import { expect, test } from 'vitest';
import type { Approval } from '../../src/schedules/subscriptions/subscription.ts';
import { beyondApproval } from '../../src/schedules/subscriptions/subscription.ts';
import { parsePlanTerms } from '../../src/schedules/subscriptions/plan.ts';
import { refusedFor } from '../support/refusal.ts';

const APPROVED: Approval = { price: 1_000n, approved: 12_000n, made: 3_000n, charges: 12n, count: 3n, credit: 0n };

test.each<[string, Partial<Approval>, bigint, string]>([
  [
    'SUBSCRIPTION_APPROVAL_EXCEEDED/price',
    {},
    1_001n,
    'the payer approved 10.00 USD for each charge; this charge is 10.01 USD',
  ],
  ['SUBSCRIPTION_APPROVAL_EXCEEDED/charges', { count: 12n }, 1n, 'the payer approved 12 charges, and 12 were made'],
  [
    'SUBSCRIPTION_APPROVAL_EXCEEDED/total',
    { made: 11_500n },
    501n,
    'the payer approved 120.00 USD in all and 115.00 USD is charged; 5.01 USD more would exceed it',
  ],
])('%s', (key, change, amount, detail) => {
  const { code, reason, detail: said } = beyondApproval({ ...APPROVED, ...change }, amount, 'USD/2') ?? {};
  expect([`${code}/${reason}`, said]).toEqual([key, detail]);
});

test.each<[Partial<Approval>, bigint]>([
  [{}, 1_000n],
  [{ count: 11n, made: 11_000n }, 1_000n],
  [{ approved: null, charges: null, count: 5_000n }, 1_000n],
  [{ count: 12n }, 0n],
])('a charge within what was approved is not refused: %o, %s', (change, amount) => {
  expect(beyondApproval({ ...APPROVED, ...change }, amount, 'USD/2')).toBeNull();
});

test('a plan whose months reach beyond the calendar is refused', async () => {
  const terms = { name: 'Last', price: 1, period: { frequency: 'MONTHLY' }, months: 120 } as const;
  const work = (): unknown => parsePlanTerms(terms, new Date('2195-01-01T00:00:00Z'));
  expect(work).toThrow('months reaches beyond the year 2199');
  expect(await refusedFor(Promise.resolve().then(work))).toBe('PLAN_INVALID/too_far');
});
