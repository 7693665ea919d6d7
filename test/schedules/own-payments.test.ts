// What a schedule does about a payment of its own that is not finished, failed, or cannot even be made.
import { afterEach, describe, expect, test } from 'vitest';
import { held, key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { eventsOf, scheduleWorld, stopAll, told } from './world.ts';

const store = useUsance();
afterEach(() => stopAll(store.tenant));
const START = '2027-03-01T00:00:00Z';
const DAILY = { frequency: 'DAILY', time: '09:00' } as const;
const events = (id: string, type: string): Promise<unknown[]> => eventsOf(store.owner, id, type);

describe('a payment that is not finished', () => {
  /** The first payment waits for funds; the second slot is due. */
  const overlapping = async (terms: object) => {
    const world = scheduleWorld(store, START);
    const made = await world.schedule(
      { rule: DAILY, retry: { maxAttempts: 10, initialDelayMs: 30 * DAY, maxDelayMs: 30 * DAY }, ...terms },
      0,
    );
    world.time.advance(9 * HOUR);
    await world.tick();
    await world.processor.drain();
    world.time.advance(DAY);
    return { world, ...made, counts: await world.tick() };
  };

  test('is waited for, by default; then the slot is run', async () => {
    const { world, id, payer, counts } = await overlapping({});
    expect(counts).toMatchObject({ claimed: 1, made: 0, skipped: 0, waiting: 1 });
    await store.tenant.deposit({ account: payer, asset: 'USD', amount: 1_000, idempotencyKey: key() });
    await world.processor.drain();
    world.time.advance(2 * MINUTE);
    expect(await world.tick()).toMatchObject({ made: 1, late: 1 });
    expect(told(await world.verbs.occurrences(id))).toEqual([
      '2027-03-01T09:00:00 made',
      '2027-03-02T09:00:00 made late',
    ]);
  });

  test('makes the slot be skipped, where so configured', async () => {
    const { world, id, counts } = await overlapping({ overlap: 'skip' });
    expect(counts).toMatchObject({ made: 0, skipped: 1 });
    expect(told(await world.verbs.occurrences(id))).toEqual([
      '2027-03-01T09:00:00 made',
      '2027-03-02T09:00:00 skipped overlap',
    ]);
    expect(await events(id, 'schedule.occurrence_skipped')).toMatchObject([{ slots: 1, reason: 'overlap' }]);
  });

  test('is nobody’s business, where so configured', async () => {
    const { world, id, counts } = await overlapping({ overlap: 'allow' });
    expect(counts).toMatchObject({ made: 1 });
    expect(await world.verbs.occurrences(id)).toHaveLength(2);
  });
});

describe('a payment that failed for good', () => {
  const failing = async (terms: object) => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, retry: { maxAttempts: 1 }, ...terms }, 0);
    world.time.advance(9 * HOUR);
    await world.tick();
    await world.processor.drain();
    world.time.advance(2 * SECOND);
    return { world, id, counts: await world.tick() };
  };

  test('does not keep the next from being made, by default', async () => {
    const { world, id, counts } = await failing({});
    expect(counts).toMatchObject({ claimed: 0 });
    world.time.advance(DAY);
    expect(await world.tick()).toMatchObject({ made: 1 });
    expect(await world.verbs.schedule(id)).toMatchObject({ status: 'active' });
  });

  test.each([
    ['pause', 'paused'],
    ['expire', 'expired'],
  ] as const)('makes the schedule %s, where so configured, as soon as it is seen', async (afterFailure, status) => {
    const { world, id, counts } = await failing({ afterFailure });
    expect(counts).toMatchObject({ [status]: 1, made: 0 });
    expect(await world.verbs.schedule(id)).toMatchObject({ status, statusReason: 'payment_failed', next: null });
    expect(await events(id, `schedule.${status}`)).toMatchObject([{ reason: 'payment_failed' }]);
  });

  test('a schedule that was paused by it goes on when a person resumes it', async () => {
    const { world, id } = await failing({ afterFailure: 'pause' });
    await world.verbs.resumeSchedule(id);
    world.time.advance(DAY);
    expect(await world.tick()).toMatchObject({ made: 1, paused: 0 });
  });

  test('one that settles is watched no longer', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, afterFailure: 'expire' });
    world.time.advance(9 * HOUR);
    await world.tick();
    await world.processor.drain();
    world.time.advance(2 * SECOND);
    expect(await world.tick()).toMatchObject({ claimed: 1, made: 0, expired: 0 });
    world.time.advance(HOUR);
    expect(await world.tick()).toMatchObject({ claimed: 0 });
    expect(await world.verbs.schedule(id)).toMatchObject({ status: 'active' });
  });
});

describe('a payment that cannot even be made', () => {
  test('is a dead letter of its slot, and the next slot comes', async () => {
    const world = scheduleWorld(store, START);
    const { id, payee } = await world.schedule({ rule: DAILY });
    await store.tenant.closeAccount(payee, 'moved away');
    world.time.advance(9 * HOUR);
    expect(await world.tick()).toMatchObject({ made: 0, failed: 1 });
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-01T09:00:00 failed ACCOUNT_NOT_ACTIVE']);
    const letter = (await store.tenant.deadLetters({ kind: 'occurrence' })).find((each) => each.scheduleId === id);
    expect(letter).toMatchObject({ code: 'ACCOUNT_NOT_ACTIVE', amount: 100n, asset: 'USD/2' });
    world.time.advance(DAY);
    expect(await world.tick()).toMatchObject({ made: 0, failed: 1 });
    expect(await events(id, 'schedule.occurrence_failed')).toHaveLength(2);
    expect(await world.verbs.schedule(id)).toMatchObject({ status: 'active' });
  });

  test('is made while an account is suspended: its attempts wait for the account to be back', async () => {
    const world = scheduleWorld(store, START);
    const { id, payer, payee } = await world.schedule({ rule: DAILY });
    await store.tenant.suspendAccount(payer, 'under review');
    await store.tenant.suspendAccount(payee, 'under review');
    world.time.advance(9 * HOUR);
    expect(await world.tick()).toMatchObject({ made: 1, failed: 0 });
    await world.processor.drain();
    const [made] = await world.verbs.occurrences(id);
    expect(await store.tenant.payment(made?.paymentId ?? '')).toMatchObject({
      status: 'scheduled',
      attempts: 1,
      lastCode: 'ACCOUNT_NOT_ACTIVE',
    });
    await store.tenant.reactivateAccount(payer, 'it is fine');
    await store.tenant.reactivateAccount(payee, 'it is fine');
    world.time.advance(2 * MINUTE);
    await world.processor.drain();
    expect(await held(store.tenant, payee)).toEqual([100n, 0n]);
  });

  test('is told from one that can, where a tenant has closed more accounts than are looked at one by one', async () => {
    const world = scheduleWorld(store, START);
    const bad = await world.schedule({ rule: DAILY });
    const good = await world.schedule({ rule: DAILY });
    await store.tenant.closeAccount(bad.payee, 'moved away');
    for (let n = 1; n <= 101; n++) {
      await store.tenant.openAccount({ ref: `gone-${n}` });
      await store.tenant.closeAccount(`gone-${n}`, 'moved away');
    }
    world.time.advance(9 * HOUR);
    expect(await world.tick()).toMatchObject({ made: 1, failed: 1 });
    expect(told(await world.verbs.occurrences(bad.id))).toEqual(['2027-03-01T09:00:00 failed ACCOUNT_NOT_ACTIVE']);
    expect(told(await world.verbs.occurrences(good.id))).toEqual(['2027-03-01T09:00:00 made']);
  });

  test('is refused to a person who asks while an account is suspended', async () => {
    const world = scheduleWorld(store, START);
    const { id, payee } = await world.schedule({ rule: DAILY });
    await store.tenant.suspendAccount(payee, 'under review');
    expect(await refusalOf(world.verbs.triggerSchedule(id, { idempotencyKey: key() }))).toBe('ACCOUNT_NOT_ACTIVE');
  });

  test('spoils no other of its batch', async () => {
    const world = scheduleWorld(store, START);
    const bad = await world.schedule({ rule: DAILY, funding: 'reserve' }, 0);
    const good = await world.schedule({ rule: DAILY, funding: 'reserve' });
    world.time.advance(9 * HOUR);
    expect(await world.tick()).toMatchObject({ made: 1, failed: 1 });
    expect(told(await world.verbs.occurrences(bad.id))).toEqual(['2027-03-01T09:00:00 failed FUNDS_INSUFFICIENT']);
    expect(told(await world.verbs.occurrences(good.id))).toEqual(['2027-03-01T09:00:00 made']);
  });

  test('counts as a final failure', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, funding: 'reserve', afterFailure: 'expire' }, 0);
    world.time.advance(9 * HOUR);
    expect(await world.tick()).toMatchObject({ failed: 1, expired: 1 });
    expect(await world.verbs.schedule(id)).toMatchObject({ status: 'expired' });
  });

  test('while outgoing payments are paused the slot waits, and nothing is lost', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    await store.tenant.pause('tenant', '', 'a look at the books');
    world.time.advance(9 * HOUR);
    expect(await world.tick()).toMatchObject({ made: 0, failed: 0, waiting: 1 });
    await store.tenant.liftPause('tenant', '');
    world.time.advance(MINUTE);
    expect(await world.tick()).toMatchObject({ made: 1 });
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-01T09:00:00 made']);
  });
});

test('the books add up after all of it', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
