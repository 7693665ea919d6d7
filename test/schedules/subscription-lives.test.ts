// Random lives of subscriptions on a test clock. Whatever is done to one, and whenever: no charge beyond what was approved, none more
// than the price, none twice for a slot, none after the end, and the books verify.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';

const store = useUsance();
const PRICE = 1_000n;
const DEARER = 2_500n;

const PLANS = fc.record({
  charges: fc.constantFrom(null, 1, 3, 6),
  trialDays: fc.constantFrom(0, 0, 10, 40),
  afterFailure: fc.constantFrom('expire', 'pause'),
  missed: fc.constantFrom('all', 'last', 'skip'),
  retry: fc.constantFrom(null, { maxAttempts: 2 }, { maxAttempts: 3, initialDelayMs: DAY / 4, maxDelayMs: DAY }),
} as const);

const STEPS = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ act: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 45 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        act: fc.constantFrom(
          'pause',
          'resume',
          'cancel at the end',
          'edit',
          'dearer, at once',
          'cheaper, at once',
          'dearer, later',
          'fund',
          'drain',
          'retry',
          'fail',
          'cancel',
        ),
      } as const),
    },
  ),
  { minLength: 4, maxLength: 12 },
);

type Step = typeof STEPS extends fc.Arbitrary<(infer S)[]> ? S : never;
type Tenant = Awaited<ReturnType<typeof testTenant>>['tenant'];

/** What may come of a step beside its success. */
const REFUSALS = [
  'not refused',
  'SCHEDULE_STATE_CONFLICT',
  'SUBSCRIPTION_APPROVAL_EXCEEDED',
  'RULE_NEVER_FIRES',
  'PAYMENT_STATE_CONFLICT',
  'PAYMENT_NOT_FOUND',
  'PAYMENT_OWNED',
  'BALANCE_INSUFFICIENT',
];

interface Life {
  readonly tenant: Tenant;
  readonly id: string;
  readonly dearer: string;
  readonly cheaper: string;
}

function doing({ tenant, id, dearer, cheaper }: Life, act: Exclude<Step['act'], 'wait'>): Promise<unknown> {
  const goOver = (plan: string, proration: 'none' | 'charge') =>
    tenant.changeSubscriptionPlan(id, { plan, proration, idempotencyKey: key() });
  const last = async (): Promise<string> => (await tenant.subscription(id)).lastPaymentId ?? '';
  const acts: Record<typeof act, () => Promise<unknown>> = {
    pause: () => tenant.pauseSubscription(id),
    resume: () => tenant.resumeSubscription(id),
    'cancel at the end': () => tenant.cancelSubscription(id, { at: 'period_end' }),
    cancel: () => tenant.cancelSubscription(id),
    edit: () => tenant.editSubscription(id, { priority: 'high', retry: { maxAttempts: 1 } }),
    'dearer, at once': () => goOver(dearer, 'charge'),
    'cheaper, at once': () => goOver(cheaper, 'charge'),
    'dearer, later': () => goOver(dearer, 'none'),
    fund: () => tenant.deposit({ account: 'ann', asset: 'USD', amount: 2_500, idempotencyKey: key() }),
    async drain() {
      const { balances } = await tenant.accountWithBalances('ann');
      const amount = balances[0]?.available ?? 0n;
      if (amount > 0n) await tenant.withdraw({ account: 'ann', asset: 'USD', amount, idempotencyKey: key() });
    },
    retry: async () => tenant.retryPayment(await last()),
    fail: async () => tenant.failPayment(await last(), 'by hand'),
  };
  return acts[act]();
}

test(
  'a subscription is never charged beyond what was approved, whatever happens in its life',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(PLANS, STEPS, async (terms, steps) => {
        const own = await testTenant(store.usance);
        const { tenant } = own;
        await open(tenant, { ann: 4_000, club: 0 });
        const order = {
          name: 'Club',
          price: PRICE,
          asset: 'USD',
          receiver: 'club',
          period: { frequency: 'MONTHLY' },
        } as const;
        const { id: plan } = await tenant.createPlan({ ...order, ...terms });
        const life = {
          tenant,
          dearer: (await tenant.createPlan({ ...order, price: DEARER, charges: 4 })).id,
          cheaper: (await tenant.createPlan({ ...order, price: 300 })).id,
          id: (await tenant.subscribe({ plan, payer: 'ann', idempotencyKey: key() })).id,
        };
        const { id } = life;
        let days = 0;
        let changes = 0;
        let ended: number | null = null;
        for (const step of steps) {
          if (step.act === 'wait') {
            days += step.days;
            await advance(store.usance, own, after(days * DAY));
          } else {
            const code = await refusalOf(doing(life, step.act));
            expect(REFUSALS).toContain(code);
            if (code === 'not refused' && /^(dearer|cheaper)/.test(step.act)) changes += 1;
          }
          const { status, chargesMade, chargesPaid, paid, approved, cancelAt } = await tenant.subscription(id);
          if (changes === 0) expect(paid).toBe(PRICE * BigInt(chargesPaid));
          if (approved !== null) expect(paid).toBeLessThanOrEqual(approved);
          // One that is cancelled, or past the instant at which it ends, is not charged again.
          if (ended !== null) expect([status, chargesMade]).toEqual(['cancelled', ended]);
          if (status === 'cancelled') ended = chargesMade;
          if (cancelAt !== null && status === 'active')
            expect(cancelAt.getTime()).toBeGreaterThan(after(days * DAY).getTime());
        }
        const made = await tenant.occurrences(id, { status: 'made' });
        const { approved } = await tenant.subscription(id);
        expect(new Set(made.map(({ slot }) => slot)).size).toBe(made.length);
        expect(made.every(({ amount }) => amount !== null && amount <= (changes === 0 ? PRICE : DEARER))).toBe(true);
        if (approved !== null)
          expect(made.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)).toBeLessThanOrEqual(approved);
        // At most one charge a month, and one for each change.
        expect(made.length).toBeLessThanOrEqual(Math.floor(days / 28) + 1 + changes);
        if (ended === null) await refusalOf(tenant.cancelSubscription(id));
      }),
      { numRuns: 12, endOnFailure: true },
    );
    expect(await troubles(store.usance)).toEqual([]);
  },
);
