// The people who decided a plan's terms decided those of its charges: they cannot approve a charge, and charges count for them.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiKeyOrder } from '../../src/access/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import type { PlanEdit, PlanOrder, Subscription } from '../../src/schedules/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { allRefused, refusedUnchanged } from '../support/digest.ts';
import { DAY } from '../support/processor.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { START, advance, testTenant } from '../support/test-clock.ts';

const DAILY = { asset: 'USD', receiver: 'club', period: { everySeconds: 86_400 } } as const;
const HEADER = 'reference,plan,payer,next_due_at,started_at,charges_made,paid,status';

async function* linesOf(...lines: readonly string[]): AsyncGenerator<string> {
  yield* await Promise.resolve(lines);
}

describe('a charge of a subscription', () => {
  const store = useUsance();
  const secrets = new Map<string, string>();
  let own: TestTenant;
  let tenant: TenantHandle;
  let now = Date.parse(START);
  let payers = 0;
  let payer = '';

  const handle = async (name: string): Promise<TenantHandle> => {
    const found = await store.usance.authenticate(secrets.get(name) ?? '');
    if (!found) throw new Error(`expected the key ${name}`);
    return found.handle;
  };
  const make = async (name: string, by: TenantHandle, order: Partial<ApiKeyOrder> = {}): Promise<void> => {
    const scopes = ['payments:read', 'payments:write', 'ops:write', 'keys:write'] as const;
    secrets.set(name, (await by.createApiKey({ name, scopes, ...order })).secret);
  };
  const idOf = async (name: string): Promise<string> =>
    (await tenant.apiKeys()).find((each) => each.name === name)?.id ?? '';

  beforeAll(async () => {
    own = await testTenant(store.usance, START);
    ({ tenant } = own);
    await open(tenant, { club: 0 });
    await tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    await make('root', tenant, { role: 'admin' });
    const root = await handle('root');
    for (const name of ['maker', 'colleague', 'another']) await make(name, root);
    for (const name of ['jo’s till', 'jo’s desk']) await make(name, root, { person: 'Jo' });
    const maker = await handle('maker');
    await make('child', maker);
    await make('sibling', maker);
    secrets.set('rotated', (await maker.rotateApiKey(await idOf('maker'))).secret);
  });

  beforeEach(async () => {
    payer = `payer-${(payers += 1)}`;
    await open(tenant, { [payer]: 100_000 });
  });

  // So that the clock does not charge them in later tests.
  afterEach(async () => {
    for (const { id } of await tenant.subscriptions({ payer })) await tenant.cancelSubscription(id);
  });

  const dayLater = async (): Promise<void> => void (await advance(store.usance, own, new Date((now += DAY))));
  const planned = async (by: string, price: number, more: Partial<PlanOrder> = {}): Promise<string> =>
    (await (await handle(by)).createPlan({ ...DAILY, name: key(), price, ...more })).id;
  const subscribed = async (plan: string): Promise<Subscription> =>
    (await handle('colleague')).subscribe({ plan, payer, idempotencyKey: key() });
  const change = async (id: string, plan: string, proration: 'none' | 'charge'): Promise<Subscription> =>
    (await handle('colleague')).changeSubscriptionPlan(id, { plan, proration, idempotencyKey: key() });

  /** The last charge of a subscription that a colleague makes, and whose price `by` decided. */
  const WAYS: readonly (readonly [way: string, charge: (by: string, price: number) => Promise<string | null>])[] = [
    ['created the plan', async (by, price) => (await subscribed(await planned(by, price))).lastPaymentId],
    [
      'changed the price of the plan',
      async (by, price) => {
        const plan = await planned('colleague', 1);
        await (await handle(by)).editPlan(plan, { price });
        return (await subscribed(plan)).lastPaymentId;
      },
    ],
    [
      'created the plan that the subscription goes over to with its next charge',
      async (by, price) => {
        const { id } = await subscribed(await planned('colleague', 1));
        await change(id, await planned(by, price), 'none');
        await dayLater();
        return (await tenant.subscription(id)).lastPaymentId;
      },
    ],
    [
      'created the plan that the subscription goes over to at once',
      async (by, price) => {
        const { id } = await subscribed(await planned('colleague', 1));
        await dayLater();
        // So late that the rest of the period is worth less than half a unit.
        await advance(store.usance, own, new Date((now += 0.75 * DAY)));
        return (await change(id, await planned(by, price), 'charge')).lastPaymentId;
      },
    ],
    [
      'changed the price of the plan that the subscription goes over to',
      async (by, price) => {
        const { id } = await subscribed(await planned('colleague', 1));
        const plan = await planned('colleague', 1);
        await (await handle(by)).editPlan(plan, { price });
        await change(id, plan, 'none');
        await dayLater();
        return (await tenant.subscription(id)).lastPaymentId;
      },
    ],
    [
      'created the plan of an imported subscription',
      async (by, price) => {
        const reference = key();
        const row = `${reference},${await planned(by, price)},${payer},${new Date(now).toISOString()},,,,`;
        const lines = { format: 'csv', open: () => linesOf(HEADER, row) } as const;
        expect(await (await handle('colleague')).importSubscriptions(lines)).toMatchObject({ created: 1 });
        await advance(store.usance, own, new Date((now += 1_000)));
        const imported = await tenant.subscriptions({ payer });
        return imported[0]?.lastPaymentId ?? null;
      },
    ],
  ];

  const PERSONS: readonly (readonly [person: string, maker: string, deciders: readonly string[]])[] = [
    ['a key, its rotation or its child', 'maker', ['maker', 'rotated', 'child']],
    ['the parent or a sibling of a key', 'child', ['rotated', 'sibling']],
    ['another key of the person', 'jo’s till', ['jo’s desk']],
  ];
  const CASES = WAYS.flatMap(([way, charge]) => PERSONS.map(([who, ...keys]) => [who, way, charge, ...keys] as const));

  test.each(CASES)('is not decided by %s that %s', async (_who, _way, charge, maker, deciders) => {
    const id = (await charge(maker, 600)) ?? '';
    expect(await tenant.payment(id)).toMatchObject({ amount: 600n, approval: 'awaited' });
    for (const decider of deciders) {
      const by = await handle(decider);
      const codes = await allRefused(store.owner, tenant.id, [
        () => by.approvePayment(id, { termsVersion: 1 }),
        () => by.rejectPayment(id, 'no'),
      ]);
      expect([decider, ...codes]).toEqual([decider, 'APPROVAL_NEEDS_ANOTHER', 'APPROVAL_NEEDS_ANOTHER']);
    }
    const another = await handle('another');
    expect(await another.approvePayment(id, { termsVersion: 1 })).toMatchObject({ approval: 'given' });
  });

  const pay = async (by: string, amount: number): Promise<unknown> => {
    const order = { from: payer, to: 'club', asset: 'USD', amount, delay: '1h', idempotencyKey: key() };
    return (await (await handle(by)).createPayment(order)).approval;
  };

  test.each(WAYS)('counts for the person who %s', async (_way, charge) => {
    expect(await tenant.payment((await charge('child', 300)) ?? '')).toMatchObject({ approval: null });
    expect([await pay('maker', 201), await pay('colleague', 201)]).toEqual(['awaited', 'awaited']);
    expect(await pay('another', 500)).toBeNull();
  });

  test.each<[what: string, edit: PlanEdit]>([
    ['price', { price: 601 }],
    ['period', { period: { everySeconds: 172_800 } }],
    ['calendar', { period: { frequency: 'DAILY' } }],
    ['number of charges', { charges: 3 }],
    ['months', { months: 3 }],
    ['trial', { trialDays: 1 }],
    ['treatment of missed charges', { missed: 'all' }],
  ])('is not decided by the person who changed the %s of the plan', async (_what, edit) => {
    const plan = await planned('colleague', 600);
    await (await handle('child')).editPlan(plan, edit);
    expect((await tenant.plan(plan)).changedBy).toHaveLength(1);
    const { id } = await subscribed(plan);
    if (edit.trialDays) await dayLater();
    const charge = (await tenant.subscription(id)).lastPaymentId ?? '';
    const approve = async (name: string) => (await handle(name)).approvePayment(charge, { termsVersion: 1 });
    expect(await refusedUnchanged(store.owner, tenant.id, () => approve('maker'))).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await approve('another')).toMatchObject({ approval: 'given' });
  });

  test.each<[what: string, edit: PlanEdit]>([
    ['the name', { name: 'x' }],
    ['the priority', { priority: 'high' }],
    ['the end after a failure', { afterFailure: 'pause' }],
    ['nothing', { price: 600 }],
  ])('is decided by a person who changed %s of the plan', async (_what, edit) => {
    const plan = await planned('colleague', 600);
    await (await handle('child')).editPlan(plan, edit);
    expect((await tenant.plan(plan)).changedBy).toEqual([]);
    const { lastPaymentId } = await subscribed(plan);
    const approve = (await handle('maker')).approvePayment(lastPaymentId ?? '', { termsVersion: 1 });
    expect(await approve).toMatchObject({ approval: 'given' });
  });

  test('is decided by a person who changed the plan after the payer agreed to it', async () => {
    const plan = await planned('colleague', 600);
    const { lastPaymentId } = await subscribed(plan);
    const maker = await handle('maker');
    await maker.editPlan(plan, { price: 700 });
    expect(await maker.approvePayment(lastPaymentId ?? '', { termsVersion: 1 })).toMatchObject({ approval: 'given' });
  });
});
