// What the document on subscriptions tells, as stories: its scheduler at midnight, its processor four times a day, and what
// happens where the two meet.
import { describe, expect, test } from 'vitest';
import { DEFAULT_BOUNDS } from '../../src/payments/index.ts';
import { LIBRARY } from '../../src/kernel/index.ts';
import type { Subscription, SubscriptionVerbs } from '../../src/schedules/index.ts';
import { schedulerLoop, subscriptionVerbs } from '../../src/schedules/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, MINUTE, frozenTime, testProcessor } from '../support/processor.ts';

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

describe("with the document's crons", () => {
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

test('what an operator repairs by hand is on record: a charge given up on, and one run now', async () => {
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
    'payment.expedited',
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
