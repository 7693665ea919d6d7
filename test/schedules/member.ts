// One subscription on a test clock, and the verbs that its tests use.
import type { Engine } from '../../src/engine.ts';
import type { PlanOrder, Subscription } from '../../src/schedules/index.ts';
import { key, open } from '../support/books.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { START, advance, testTenant } from '../support/test-clock.ts';

const BASIC = {
  name: 'Basic',
  price: 1_000,
  asset: 'USD',
  receiver: 'club',
  period: { frequency: 'MONTHLY' },
} as const;

export interface Member extends TestTenant {
  readonly id: string;
  now(): Promise<Subscription>;
  to(ms: number): Promise<void>;
  plan(terms: Partial<PlanOrder>): Promise<string>;
  change(plan: string, proration?: 'none' | 'charge'): Promise<Subscription>;
  /** What was charged, oldest first. */
  charged(): Promise<string[]>;
}

/** A payer, ann, who subscribed to a plan of 10.00 a month, on a test clock. */
export async function memberOf(
  usance: Engine,
  terms: Partial<PlanOrder> = {},
  start = START,
  funds = 1_000_000,
): Promise<Member> {
  const own = await testTenant(usance, start);
  const { tenant } = own;
  await open(tenant, { ann: funds, club: 0, other: 0 });
  const plan = async (more: Partial<PlanOrder>): Promise<string> => (await tenant.createPlan({ ...BASIC, ...more })).id;
  const { id } = await tenant.subscribe({ plan: await plan(terms), payer: 'ann', idempotencyKey: key() });
  return {
    ...own,
    id,
    plan,
    now: () => tenant.subscription(id),
    to: async (ms) => void (await advance(usance, own, new Date(Date.parse(start) + ms))),
    change: (to, proration) =>
      tenant.changeSubscriptionPlan(id, { plan: to, ...(proration ? { proration } : {}), idempotencyKey: key() }),
    async charged() {
      const made = await tenant.occurrences(id, { status: 'made' });
      return made.toReversed().map(({ runAt, amount }) => `${runAt.toISOString().slice(0, 10)} ${amount}`);
    },
  };
}
