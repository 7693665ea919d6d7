// What the document on subscriptions tells, as stories: its scheduler at midnight, its processor four times a day, and what
// happens where the two meet.
import { describe, expect, test } from 'vitest';
import { IDENTITIES } from '../../src/access/index.ts';
import { NO_SECRETS } from '../../src/secrets/index.ts';
import { DEFAULT_BOUNDS } from '../../src/payments/index.ts';
import { LIBRARY } from '../../src/kernel/index.ts';
import type { Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import type { Subscription, SubscriptionCrons, SubscriptionVerbs } from '../../src/schedules/index.ts';
import { schedulerLoop, subscriptionVerbs } from '../../src/schedules/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, MINUTE, frozenTime, testProcessor } from '../support/processor.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, testTenant } from '../support/test-clock.ts';

const store = useUsance();
let clubs = 0;

/** A day's ticks at given hours: the scheduler's at midnight, the processor's at a quarter past 0, 6, 12 and 18. */
interface Club {
  readonly verbs: SubscriptionVerbs;
  readonly payer: string;
  readonly receiver: string;
  subscribe(funds?: number): Promise<Subscription>;
  to(instant: string): void;
  schedule(): Promise<number>;
  process(): Promise<Readonly<Record<string, number>>>;
  /** Everything that the document's two crons do in so many days, from midnight on. */
  days(count: number): Promise<void>;
  /** `06:15 2`: when which attempt was made. */
  attempts(subscription: Subscription): Promise<string[]>;
}

function club(start: string): Club {
  const { db, tenant } = store;
  let now = Date.parse(start);
  const time = frozenTime(new Date(now));
  const advance = (ms: number): void => {
    now += ms;
    time.advance(ms);
  };
  const verbs = subscriptionVerbs(
    {
      tenantId: tenant.id,
      caller: LIBRARY,
      identities: IDENTITIES,
      secrets: NO_SECRETS,
      sql: db,
      run: (work) => db.transaction(async (tx) => work(tx, await time.readClock(tx))),
      runUntimed: (work) => db.transaction(work),
      moment: time.readClock,
    },
    DEFAULT_BOUNDS,
  );
  const scheduler = schedulerLoop(db, { readClock: time.readClock, bounds: DEFAULT_BOUNDS });
  const processor = testProcessor(db, { time });
  const [payer, receiver] = [`payer-${(clubs += 1)}`, `club-${clubs}`];
  const own: Club = {
    verbs,
    payer,
    receiver,
    async subscribe(funds = 0) {
      await open(tenant, { [payer]: funds, [receiver]: 0 });
      const terms = { name: 'Club', price: 1_000, asset: 'USD', receiver, months: 12 } as const;
      const { id } = await verbs.createPlan({ ...terms, period: { everySeconds: 86_400 } });
      return verbs.subscribe({ plan: id, payer, idempotencyKey: key() });
    },
    to: (instant) => advance(Date.parse(instant) - now),
    schedule: async () => (await scheduler.runOnce(new AbortController().signal, false)).counts['made'] ?? 0,
    process: () => processor.drain(),
    async days(count) {
      for (let hour = 0; hour < count * 24; hour += 1) {
        if (hour % 24 === 0) await own.schedule();
        advance(15 * MINUTE);
        if (hour % 6 === 0) await processor.drain();
        advance(HOUR - 15 * MINUTE);
      }
    },
    async attempts({ lastPaymentId }) {
      const told = await tenant.timeline(lastPaymentId ?? '');
      const tries = told.filter(({ type }) => /attempt_failed|\.failed|settled/.test(type));
      return tries.map(({ at }, index) => `${at.toISOString().slice(8, 16)} ${index + 1}`);
    },
  };
  return own;
}

describe('with the crons of the subscriptions design', () => {
  test('six attempts take thirty hours, across the next midnight, which makes no second charge', async () => {
    const own = club('2027-05-01T00:00:00Z');
    const made = await own.subscribe(0);
    await own.days(1);
    expect(await own.attempts(made)).toEqual(['01T00:15 1', '01T06:15 2', '01T12:15 3', '01T18:15 4']);
    // Its next charge is due, and waits for the open one.
    expect(await own.schedule()).toBe(0);
    expect(await own.verbs.subscription(made.id)).toMatchObject({ status: 'active', chargesMade: 1 });
    await own.days(1);
    expect((await own.attempts(made)).slice(4)).toEqual(['02T00:15 5', '02T06:15 6']);
    await own.days(1);
    expect(await own.verbs.subscription(made.id)).toMatchObject({
      status: 'expired',
      statusReason: 'payment_failed',
      chargesMade: 1,
      chargesPaid: 0,
    });
    expect(await store.tenant.payment(made.lastPaymentId ?? '')).toMatchObject({ status: 'failed', attempts: 6 });
  });

  test('funds that come meanwhile pay the open charge, and the next one follows', async () => {
    const own = club('2027-06-01T00:00:00Z');
    const made = await own.subscribe(0);
    await own.days(1);
    await store.tenant.deposit({ account: own.payer, asset: 'USD', amount: 2_000, idempotencyKey: key() });
    await own.days(2);
    const now = await own.verbs.subscription(made.id);
    expect(now).toMatchObject({ status: 'active', chargesPaid: 2, paid: 2_000n });
    await own.verbs.cancelSubscription(made.id);
  });
});

describe('resident, on a test clock', () => {
  const plan = { name: 'Club', price: 1_000, asset: 'USD', receiver: 'club', months: 12 } as const;
  const DOCUMENT = { scheduler: '0 0 * * *', processor: '15 0,6,12,18 * * *' };
  /** An engine that goes by crons, on the same store. */
  const paced = async (crons: SubscriptionCrons, work: (usance: Engine) => Promise<void>): Promise<void> => {
    const usance = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, subscriptionCrons: crons });
    await work(usance).finally(() => usance.close());
  };
  /** `01T00:15`: when each of its attempts was made. */
  const attemptsOf = async ({ tenant }: TestTenant, paymentId: string | null): Promise<string[]> => {
    const told = await tenant.timeline(paymentId ?? '');
    return told
      .filter(({ type }) => /attempt_failed|\.failed|settled/.test(type))
      .map(({ at }) => at.toISOString().slice(8, 16));
  };

  test.each([
    ['at their own time', {}, ['01T00:00', '01T00:01', '01T00:03', '01T00:07', '01T00:15', '01T00:31']],
    ['four times a day', DOCUMENT, ['01T00:15', '01T06:15', '01T12:15', '01T18:15', '02T00:15', '02T06:15']],
  ])('six attempts are made %s, then the subscription expires', async (_title, crons, times) => {
    await paced(crons, async (usance) => {
      const world = await testTenant(usance, '2027-05-01T00:00:00Z');
      const { tenant } = world;
      await open(tenant, { ann: 0, club: 0 });
      const { id } = await tenant.createPlan({ ...plan, period: { frequency: 'DAILY' } });
      const made = await tenant.subscribe({ plan: id, payer: 'ann', idempotencyKey: key() });
      await advance(usance, world, '2027-05-03T00:00:00Z');
      expect(await attemptsOf(world, made.lastPaymentId)).toEqual(times);
      // The midnight in between made no second charge.
      expect(await tenant.subscription(made.id)).toMatchObject({ status: 'expired', chargesMade: 1, chargesPaid: 0 });
    });
  });

  test('a charge that falls due at ten waits for midnight and a quarter past; nothing else does', async () => {
    await paced(DOCUMENT, async (usance) => {
      const world = await testTenant(usance, '2027-01-31T10:00:00Z');
      const { tenant } = world;
      await open(tenant, { ann: 100_000, club: 0 });
      const { id } = await tenant.createPlan({ ...plan, period: { frequency: 'MONTHLY' } });
      const made = await tenant.subscribe({ plan: id, payer: 'ann', idempotencyKey: key() });
      const order = { from: 'ann', to: 'club', asset: 'USD', amount: 5, funding: 'at_execution' } as const;
      const hold = await tenant.createPayment({
        ...order,
        executeAt: new Date('2027-01-31T13:00:00Z'),
        idempotencyKey: key(),
      });
      const rule = { frequency: 'DAILY', time: '14:00' } as const;
      const daily = await tenant.createSchedule({ ...order, rule, count: 1, idempotencyKey: key() });
      await advance(usance, world, '2027-02-01T00:00:00Z');
      expect(await attemptsOf(world, made.lastPaymentId)).toEqual(['31T12:15']);
      expect(await attemptsOf(world, hold.id)).toEqual(['31T13:00']);
      const [run] = await tenant.occurrences(daily.id);
      expect(await attemptsOf(world, run?.paymentId ?? null)).toEqual(['31T14:00']);
      await advance(usance, world, '2027-04-02T00:00:00Z');
      const charges = await tenant.occurrences(made.id);
      const times = await Promise.all(charges.map(({ paymentId }) => attemptsOf(world, paymentId)));
      // Due on the 28th of February and the 31st of March, at ten.
      expect(times.flat().toReversed()).toEqual(['31T12:15', '01T00:15', '01T00:15']);
      expect(await tenant.subscription(made.id)).toMatchObject({ status: 'active', chargesPaid: 3 });
    });
  });

  test('what no cron could mean is refused by name', async () => {
    const start = (crons: SubscriptionCrons): Promise<string> =>
      paced(crons, () => Promise.resolve()).then(
        () => 'it starts',
        (error: unknown) => String(error),
      );
    expect(await start({ scheduler: '61 0 * * *' })).toContain('SCHEDULER_CRON cannot be used: ');
    expect(await start({ processor: '0 0 30 2 *' })).toContain('PROCESSOR_CRON cannot be used: ');
  });
});

test('a plan that is changed is another’s: who subscribed is charged what they agreed to', async () => {
  const world = await testTenant(store.usance, '2027-01-31T10:00:00Z');
  const { tenant } = world;
  await open(tenant, { ann: 100_000, ben: 100_000, club: 0 });
  const terms = { name: 'Club', price: 1_000, asset: 'USD', receiver: 'club', charges: 3 } as const;
  const { id } = await tenant.createPlan({ ...terms, period: { frequency: 'MONTHLY' } });
  const subscribe = (payer: string) => tenant.subscribe({ plan: id, payer, idempotencyKey: key() });
  const before = await subscribe('ann');
  await tenant.editPlan(id, { price: 5_000, charges: 1 });
  const later = await subscribe('ben');
  await advance(store.usance, world, '2027-06-01T00:00:00Z');
  expect(await tenant.subscription(before.id)).toMatchObject({ approved: 3_000n, paid: 3_000n, chargesPaid: 3 });
  expect(await tenant.subscription(later.id)).toMatchObject({ approved: 5_000n, paid: 5_000n, chargesPaid: 1 });
});

test('waiting charges are run now by a filter, and a dry run only lists them', async () => {
  const world = await testTenant(store.usance, '2027-05-01T00:00:00Z');
  const { tenant } = world;
  await open(tenant, { ann: 0, ben: 0, rich: 50, club: 0, shop: 0 });
  const terms = { name: 'Club', price: 1_000, asset: 'USD', receiver: 'club', months: 12 } as const;
  const { id } = await tenant.createPlan({ ...terms, period: { frequency: 'MONTHLY' } });
  const jobs: string[] = [];
  for (const payer of ['ann', 'ben'])
    jobs.push((await tenant.subscribe({ plan: id, payer, idempotencyKey: key() })).lastPaymentId ?? '');
  const order = { from: 'rich', to: 'shop', asset: 'USD', amount: 50, delay: '1h', idempotencyKey: key() };
  const other = await tenant.createPayment(order);
  await advance(store.usance, world, '2027-05-01T00:00:30Z');
  const due = async (payment: string): Promise<unknown> => {
    const sql = 'select due_at from usance.due where payment_id = $1::uuid';
    return (await store.db.query(sql, [payment]))[0]?.['due_at'];
  };
  const before = await Promise.all(jobs.map(due));
  const told = await tenant.runPaymentsNow({ account: 'club' }, { dryRun: true });
  expect(told.payments.map((payment) => payment.id).toSorted()).toEqual(jobs.toSorted());
  expect(await Promise.all(jobs.map(due))).toEqual(before);
  await tenant.runPaymentsNow({ account: 'club' }, { expect: told.payments.length });
  await advance(store.usance, world, '2027-05-01T00:00:30Z');
  for (const job of jobs) {
    expect(await tenant.payment(job)).toMatchObject({ attempts: 2, lastCode: 'FUNDS_INSUFFICIENT' });
    expect((await tenant.timeline(job)).map(({ type }) => type)).toContain('payment.run_now');
  }
  expect(await tenant.payment(other.id)).toMatchObject({ status: 'scheduled', attempts: 0 });
});

test('a tick that comes twice, or from two workers at once, charges once', async () => {
  const own = club('2027-07-01T00:00:00Z');
  const made = await own.subscribe(10_000);
  await own.process();
  own.to('2027-07-02T00:00:00Z');
  const second = club('2027-07-02T00:00:00Z');
  await Promise.all([own.schedule(), second.schedule(), own.schedule(), second.schedule()]);
  expect(await own.schedule()).toBe(0);
  await Promise.all([own.process(), second.process()]);
  await own.process();
  expect(await own.verbs.subscription(made.id)).toMatchObject({ chargesMade: 2, chargesPaid: 2 });
  expect(await held(store.tenant, own.receiver)).toEqual([2_000n, 0n]);
  await own.verbs.cancelSubscription(made.id);
});

test('repairs by an operator are audited: a charge that is failed, and one that is run now', async () => {
  const own = club('2027-08-01T00:00:00Z');
  const made = await own.subscribe(0);
  await own.process();
  const id = made.lastPaymentId ?? '';
  await store.tenant.runPaymentNow(id);
  await store.tenant.failPayment(id, 'the card was reported stolen');
  const told = await store.tenant.timeline(id);
  expect(told.map(({ type }) => type)).toEqual([
    'payment.created',
    'payment.attempt_failed',
    'payment.run_now',
    'payment.failed',
  ]);
  expect(told.at(-1)).toMatchObject({ actor: 'library', cause: expect.stringContaining('stolen') as string });
  own.to('2027-08-01T00:05:00Z');
  await own.schedule();
  expect(await own.verbs.subscription(made.id)).toMatchObject({ status: 'expired' });
});

test('leave the books right', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
