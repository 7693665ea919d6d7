// Slots that could not become a payment, on the same desk as payments that gave up.
import { describe, expect, test } from 'vitest';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, testTenant } from '../support/test-clock.ts';
import { told } from '../schedules/world.ts';

const store = useUsance({ poolSize: 25 });

interface Desk extends TestTenant {
  readonly schedule: string;
  /** Of the payment that gave up between the two slots. */
  readonly payment: string;
  deposit(amount: number): Promise<unknown>;
  /** The slots on the desk, oldest first. */
  slots(): Promise<string[]>;
}

/** Two slots of a schedule whose payer had nothing to reserve, and between them a payment that was given up. */
async function desk(): Promise<Desk> {
  const own = await testTenant(store.usance, '2027-01-01T00:00:00Z');
  const { tenant } = own;
  await open(tenant, { poor: 0, rich: 100, payee: 0 });
  const { id: schedule } = await tenant.createSchedule({
    from: 'poor',
    to: 'payee',
    asset: 'USD',
    amount: 70,
    rule: { frequency: 'DAILY', time: '09:00' },
    funding: 'reserve',
    idempotencyKey: key(),
  });
  await advance(store.usance, own, '2027-01-01T12:00:00Z');
  const order = { from: 'rich', to: 'payee', asset: 'USD', amount: 30, delay: '1h', idempotencyKey: key() };
  const { id: payment } = await tenant.createPayment(order);
  await tenant.failPayment(payment, 'wrong payee');
  await advance(store.usance, own, '2027-01-02T12:00:00Z');
  return {
    ...own,
    schedule,
    payment,
    deposit: (amount) => tenant.deposit({ account: 'poor', asset: 'USD', amount, idempotencyKey: key() }),
    slots: async () => (await tenant.deadLetters({ kind: 'occurrence' })).map(({ id }) => id).toReversed(),
  };
}

const paymentsOf = async (schedule: string): Promise<number> => {
  const [row] = await store.owner.query(`select count(*)::int as made from usance.payments where owner_id = $1::uuid`, [
    schedule,
  ]);
  return Number(row?.['made']);
};

describe('the desk', () => {
  test('has payments and occurrences in one order, with cause, money at stake and age', async () => {
    const { tenant, schedule, payment } = await desk();
    const letters = await tenant.deadLetters();
    expect(letters).toMatchObject([
      { kind: 'occurrence', scheduleId: schedule, slot: '2027-01-02T09:00:00' },
      { kind: 'payment', id: payment, scheduleId: null, slot: null, code: 'FAILED_BY_OPERATOR' },
      {
        kind: 'occurrence',
        scheduleId: schedule,
        slot: '2027-01-01T09:00:00',
        code: 'FUNDS_INSUFFICIENT',
        asset: 'USD/2',
        amount: 70n,
        failedAt: new Date('2027-01-01T09:00:00Z'),
        ageMs: 27 * 3_600_000,
      },
    ]);
    const [newest] = letters;
    expect(await tenant.deadLetter(newest?.id ?? '')).toEqual(newest);
    expect((await tenant.overview()).deadLetters).toEqual([{ asset: 'USD/2', count: 3, amount: 170n }]);
  });

  test('is read in pages with one cursor, and by kind, cause, asset and time', async () => {
    const { tenant } = await desk();
    const all = (await tenant.deadLetters()).map(({ id }) => id);
    const seen: string[] = [];
    for (let before = {}; ; before = { before: seen.at(-1) }) {
      const page = await tenant.deadLetters({}, { limit: 1, ...before });
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
    }
    expect(seen).toEqual(all);
    const kinds = async (filter: object) => (await tenant.deadLetters(filter)).map(({ kind }) => kind);
    expect(await kinds({ kind: 'occurrence' })).toEqual(['occurrence', 'occurrence']);
    expect(await kinds({ kind: 'payment' })).toEqual(['payment']);
    expect(await kinds({ code: 'FUNDS_INSUFFICIENT' })).toEqual(['occurrence', 'occurrence']);
    expect(await kinds({ asset: 'USD', failedFrom: '2027-01-02T00:00:00Z' })).toEqual(['occurrence']);
    expect(await kinds({ failedBefore: '2027-01-01T10:00:00Z' })).toEqual(['occurrence']);
    expect(await kinds({ asset: 'EUR' })).toEqual([]);
  });

  test('is one tenant’s own, and is read while its clock is on the way', async () => {
    const { tenant, clock, slots } = await desk();
    const [slot = ''] = await slots();
    const other = await testTenant(store.usance);
    for (const act of [
      () => other.tenant.deadLetter(slot),
      () => other.tenant.retryDeadLetter(slot),
      () => other.tenant.discardDeadLetter(slot, 'not ours'),
    ])
      expect(await refusedUnchanged(store.owner, tenant.id, act)).toBe('DEAD_LETTER_NOT_FOUND');
    await tenant.advanceTestClock(clock, '2027-01-02T12:00:01Z');
    expect(await tenant.deadLetters()).toHaveLength(3);
    expect(await refusalOf(tenant.retryDeadLetter(slot))).toBe('CLOCK_ADVANCING');
    await advance(store.usance, other, '2027-01-01T00:00:00Z');
  });
});

describe('an occurrence that is retried', () => {
  test('is paid, once', async () => {
    const world = await desk();
    const { tenant, schedule } = world;
    const [slot = ''] = await world.slots();
    const retry = () => tenant.retryDeadLetter(slot, { reason: 'funds arrived' });
    expect(await refusedUnchanged(store.owner, tenant.id, retry)).toBe('FUNDS_INSUFFICIENT');
    await world.deposit(100);
    await retry();
    expect(await refusedUnchanged(store.owner, tenant.id, retry)).toBe('DEAD_LETTER_NOT_FOUND');
    expect(told(await tenant.occurrences(schedule))).toEqual([
      '2027-01-01T09:00:00 made late',
      '2027-01-02T09:00:00 failed FUNDS_INSUFFICIENT',
    ]);
    await advance(store.usance, world, '2027-01-02T12:30:00Z');
    const [, made] = await tenant.occurrences(schedule);
    expect(await tenant.payment(made?.paymentId ?? '')).toMatchObject({ status: 'settled', amount: 70n });
  });

  test('by twenty at once is paid once', async () => {
    const world = await desk();
    await world.deposit(1_000);
    const [slot = ''] = await world.slots();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(world.tenant.retryDeadLetter(slot))));
    expect(outcomes.filter((code) => code === 'not refused')).toHaveLength(1);
    expect(await paymentsOf(world.schedule)).toBe(1);
  });

  test('while somebody backfills its day is paid by one of the two', async () => {
    const world = await desk();
    const { tenant, schedule } = world;
    await world.deposit(1_000);
    const [slot = ''] = await world.slots();
    const day = { start: '2027-01-01', end: '2027-01-01' };
    await Promise.all([
      ...Array.from({ length: 5 }, () => tenant.backfillSchedule(schedule, { ...day, idempotencyKey: key() })),
      ...Array.from({ length: 5 }, () => refusalOf(tenant.retryDeadLetter(slot))),
    ]);
    expect(await paymentsOf(schedule)).toBe(1);
    expect(await world.slots()).toHaveLength(1);
  });

  test('with all that a filter finds: what cannot be stays, and says why', async () => {
    const world = await desk();
    const { tenant, schedule, payment } = world;
    const [first, second] = await world.slots();
    await world.deposit(100);
    expect(await tenant.retryDeadLetters({}, { reason: 'funds arrived' })).toMatchObject({
      retried: [
        { kind: 'occurrence', id: first },
        { kind: 'payment', id: payment },
      ],
      refused: [{ kind: 'occurrence', id: second, code: 'FUNDS_INSUFFICIENT' }],
      next: null,
    });
    expect(await world.slots()).toEqual([second]);
    expect(await paymentsOf(schedule)).toBe(1);
  });
});

describe('an occurrence that is discarded', () => {
  test('stays failed, with the reason on record; with a reason, and once', async () => {
    const world = await desk();
    const { tenant, schedule } = world;
    const [slot = ''] = await world.slots();
    const discard = (reason: string) => () => tenant.discardDeadLetter(slot, reason);
    expect(await refusedUnchanged(store.owner, tenant.id, discard(' '))).toBe('FIELD_INVALID');
    await discard('paid in cash')();
    expect(await refusedUnchanged(store.owner, tenant.id, discard('again'))).toBe('DEAD_LETTER_NOT_FOUND');
    expect(told(await tenant.occurrences(schedule))[0]).toBe('2027-01-01T09:00:00 failed FUNDS_INSUFFICIENT');
    const [row] = await store.owner.query(
      `select actor, data from usance.events where resource_id = $1::uuid and type = 'schedule.occurrence_discarded'`,
      [schedule],
    );
    expect(row).toMatchObject({
      actor: 'library',
      data: { slot: '2027-01-01T09:00:00', code: 'FUNDS_INSUFFICIENT', reason: 'paid in cash' },
    });
  });
});

test('all of it leaves the books right', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
