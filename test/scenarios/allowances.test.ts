// The document on allowances, told on a test clock: what happens at midnight, when the money is not there, when somebody
// stops it, when the calendar or the clocks are odd.
import { describe, expect, test } from 'vitest';
import { IDENTITIES } from '../../src/access/index.ts';
import { NO_SECRETS } from '../../src/secrets/index.ts';
import type { Row } from '../../src/db/index.ts';
import { LIBRARY } from '../../src/kernel/index.ts';
import type { VerbContext } from '../../src/ledger/index.ts';
import { DEFAULT_BOUNDS, processorLoop } from '../../src/payments/index.ts';
import type { AllowanceOrder } from '../../src/schedules/index.ts';
import { OWNER_RULES, allowanceVerbs, schedulerLoop } from '../../src/schedules/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, frozenTime } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, drive, runLoop, testTenant } from '../support/test-clock.ts';

const store = useUsance();
const TERMS = { asset: 'USD', amount: 500, frequency: 'DAILY', status: 'ON' } as const;

interface Family extends TestTenant {
  /** The allowance's id. */
  readonly id: string;
  credits(): Promise<string[]>;
  deposit(amount: number): Promise<unknown>;
}

/** Mum has that much, and Tim an allowance. */
async function family(now: string, order: Partial<AllowanceOrder> = {}, funds = 100_000): Promise<Family> {
  const world = await testTenant(store.usance, now);
  const { tenant } = world;
  await tenant.openAccount({ ref: 'mum' });
  await tenant.openAccount({ ref: 'tim', guardian: 'mum' });
  const deposit = (amount: number): Promise<unknown> =>
    tenant.deposit({ account: 'mum', asset: 'USD', amount, idempotencyKey: key() });
  if (funds > 0) await deposit(funds);
  const { id } = await tenant.createAllowance({ guardian: 'mum', junior: 'tim', ...TERMS, ...order });
  return { ...world, id, deposit, credits: () => credits(tenant.id) };
}

/** `2027-01-02 CREDITED 1`, oldest first: date, status, attempts. */
async function credits(tenantId: string): Promise<string[]> {
  const rows: Row[] = await store.db.query(
    `select to_char(run_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as run_at, status, attempts
     from (select * from usance_docs.allowance_credits union all select * from usance_docs_test.allowance_credits) c
     where tenant_id = $1::uuid order by run_at`,
    [tenantId],
  );
  return rows.map((row) =>
    `${String(row['run_at'])} ${String(row['status'])} ${String(row['attempts'])}`.replace(' 00:00', ''),
  );
}

/** `01-02T00:10 payment.attempt_failed`, of what happened to payments and schedules since it has a clock. */
async function story({ tenant }: Family, pattern: RegExp): Promise<string[]> {
  const events = await tenant.events({}, { after: 0n, limit: 1_000 });
  return events
    .filter(({ type }) => pattern.test(type))
    .map(({ type, occurredAt }) => `${occurredAt.toISOString().slice(5, 16)} ${type}`);
}

describe('an allowance whose guardian has no money', () => {
  test('is tried five times, ten minutes apart, rests as a dead letter, and goes on at the next midnight', async () => {
    const world = await family('2027-01-01T10:00:00Z', {}, 0);
    await advance(store.usance, world, '2027-01-02T12:00:00Z');
    expect(await story(world, /attempt_failed|payment\.failed/)).toEqual([
      '01-02T00:00 payment.attempt_failed',
      '01-02T00:10 payment.attempt_failed',
      '01-02T00:20 payment.attempt_failed',
      '01-02T00:30 payment.attempt_failed',
      '01-02T00:40 payment.failed',
    ]);
    const [letter] = await world.tenant.deadLetters();
    expect(letter).toMatchObject({ code: 'FUNDS_INSUFFICIENT' });
    expect((await world.tenant.allowance('mum', 'tim')).status).toBe('ON');
    await world.deposit(500);
    await advance(store.usance, world, '2027-01-03T12:00:00Z');
    expect(await world.credits()).toEqual(['2027-01-02 FAILED 5', '2027-01-03 CREDITED 1']);
    expect(await held(world.tenant, 'tim')).toEqual([500n, 0n]);
  });

  test('is paid as soon as there is some, once', async () => {
    const world = await family('2027-01-01T10:00:00Z', {}, 0);
    await advance(store.usance, world, '2027-01-02T00:15:00Z');
    await world.deposit(500);
    await advance(store.usance, world, '2027-01-02T12:00:00Z');
    expect((await story(world, /payment\.settled/)).map((line) => line.slice(0, 11))).toEqual(['01-02T00:15']);
    expect(await held(world.tenant, 'mum')).toEqual([0n, 0n]);
  });
});

describe('ON, OFF, ON', () => {
  test('pays nothing for the time in between', async () => {
    const world = await family('2027-01-01T10:00:00Z');
    await advance(store.usance, world, '2027-01-02T12:00:00Z');
    await world.tenant.editAllowance('mum', 'tim', { status: 'OFF' });
    await advance(store.usance, world, '2027-01-10T12:00:00Z');
    const on = await world.tenant.editAllowance('mum', 'tim', { status: 'ON' });
    expect(on.nextRunAt).toEqual(new Date('2027-01-11T00:00:00Z'));
    await advance(store.usance, world, '2027-01-11T12:00:00Z');
    expect(await world.credits()).toEqual(['2027-01-02 CREDITED 1', '2027-01-11 CREDITED 1']);
  });

  test('keeps the weekday it began on, and one that was made OFF begins when it is turned ON', async () => {
    const world = await family('2027-01-01T10:00:00Z', { frequency: 'WEEKLY', status: 'OFF' });
    await advance(store.usance, world, '2027-01-05T12:00:00Z');
    await world.tenant.editAllowance('mum', 'tim', { status: 'ON' });
    await advance(store.usance, world, '2027-01-17T12:00:00Z');
    // Saturdays, as the midnight after it was made.
    expect(await world.credits()).toEqual(['2027-01-09 CREDITED 1', '2027-01-16 CREDITED 1']);
  });

  test('turned OFF between two attempts stops the attempts', async () => {
    const world = await family('2027-01-01T10:00:00Z', {}, 0);
    await advance(store.usance, world, '2027-01-02T00:15:00Z');
    await world.tenant.editAllowance('mum', 'tim', { status: 'OFF' });
    await world.deposit(500);
    await advance(store.usance, world, '2027-01-03T12:00:00Z');
    expect(await world.credits()).toEqual(['2027-01-02 CANCELLED 2']);
    expect(await held(world.tenant, 'mum')).toEqual([500n, 0n]);
  });

  test('deleted between two attempts, and given anew, is paid from the next midnight', async () => {
    const world = await family('2027-01-01T10:00:00Z', {}, 0);
    await advance(store.usance, world, '2027-01-02T00:15:00Z');
    await world.tenant.deleteAllowance('mum', 'tim');
    await world.deposit(500);
    await world.tenant.createAllowance({ guardian: 'mum', junior: 'tim', ...TERMS });
    await advance(store.usance, world, '2027-01-03T12:00:00Z');
    expect(await world.credits()).toEqual(['2027-01-02 CANCELLED 2', '2027-01-03 CREDITED 1']);
  });
});

describe('the calendar', () => {
  test('pays the 31st on the last day of a shorter month', async () => {
    const world = await family('2027-01-30T10:00:00Z', { frequency: 'MONTHLY' });
    await advance(store.usance, world, '2027-06-01T12:00:00Z');
    expect((await world.credits()).map((line) => line.slice(5, 10))).toEqual([
      '01-31',
      '02-28',
      '03-31',
      '04-30',
      '05-31',
    ]);
  });

  test('pays at midnight of the family, through the change of their clocks', async () => {
    const world = await family('2027-03-26T10:00:00Z', { zone: 'Europe/Berlin' });
    await advance(store.usance, world, '2027-03-29T12:00:00Z');
    expect(await world.credits()).toEqual([
      '2027-03-26 23:00 CREDITED 1',
      '2027-03-27 23:00 CREDITED 1',
      '2027-03-28 22:00 CREDITED 1',
    ]);
  });

  test('pays a midnight that the clocks go over as much later, and one that comes twice once', async () => {
    // On the Azores the clocks go forward at midnight, and back at one.
    const spring = await family('2027-03-26T10:00:00Z', { zone: 'Atlantic/Azores' });
    await advance(store.usance, spring, '2027-03-29T12:00:00Z');
    expect(await spring.credits()).toEqual([
      '2027-03-27 01:00 CREDITED 1',
      '2027-03-28 01:00 CREDITED 1',
      '2027-03-29 CREDITED 1',
    ]);
    const autumn = await family('2027-10-29T10:00:00Z', { zone: 'Atlantic/Azores' });
    await advance(store.usance, autumn, '2027-11-01T12:00:00Z');
    expect(await autumn.credits()).toEqual([
      '2027-10-30 CREDITED 1',
      '2027-10-31 CREDITED 1',
      '2027-11-01 01:00 CREDITED 1',
    ]);
  });
});

describe('somebody who is not there any more', () => {
  test('a child whose account was closed is paid nothing, and each date is on record', async () => {
    const world = await family('2027-01-01T10:00:00Z');
    await world.tenant.closeAccount('tim', 'moved out');
    await advance(store.usance, world, '2027-01-03T12:00:00Z');
    expect(await world.credits()).toEqual(['2027-01-02 FAILED 0', '2027-01-03 FAILED 0']);
    expect(await held(world.tenant, 'mum')).toEqual([100_000n, 0n]);
    await world.tenant.deleteAllowance('mum', 'tim');
    await advance(store.usance, world, '2027-01-05T12:00:00Z');
    expect(await world.credits()).toHaveLength(2);
  });

  test('a child who is closed between two attempts is not tried again', async () => {
    const world = await family('2027-01-01T10:00:00Z', {}, 0);
    await advance(store.usance, world, '2027-01-02T00:05:00Z');
    await world.tenant.closeAccount('tim', 'moved out');
    await world.deposit(500);
    await advance(store.usance, world, '2027-01-02T12:00:00Z');
    expect(await held(world.tenant, 'mum')).toEqual([500n, 0n]);
    expect(await world.credits()).toEqual(['2027-01-02 FAILED 2']);
  });

  test('a child that is another’s now is no longer paid by its former guardian, and its new guardian gives their own', async () => {
    const world = await family('2027-01-01T10:00:00Z');
    const { tenant } = world;
    await advance(store.usance, world, '2027-01-02T12:00:00Z');
    await open(tenant, { gran: 100_000 });
    await tenant.editAccount('tim', { guardian: 'gran' });
    await tenant.createAllowance({ guardian: 'gran', junior: 'tim', ...TERMS, amount: 70 });
    await advance(store.usance, world, '2027-01-03T12:00:00Z');
    expect(await held(tenant, 'tim')).toEqual([500n + 70n, 0n]);
    expect(await tenant.allowance('mum', 'tim')).toMatchObject({ status: 'OFF' });
    expect(await refusalOf(tenant.editAllowance('mum', 'tim', { amount: 900 }))).toBe('ALLOWANCE.NOT_GUARDIAN');
    await tenant.deleteAllowance('mum', 'tim');
    expect(await refusalOf(tenant.createAllowance({ guardian: 'mum', junior: 'tim', ...TERMS }))).toBe(
      'ALLOWANCE.NOT_GUARDIAN',
    );
    await advance(store.usance, world, '2027-01-04T12:00:00Z');
    expect(await held(tenant, 'tim')).toEqual([500n + 70n + 70n, 0n]);
  });

  test('a guardian who is suspended pays nothing until they are back, and nothing for the time between', async () => {
    const world = await family('2027-01-01T10:00:00Z');
    await world.tenant.suspendAccount('mum', 'under review');
    await advance(store.usance, world, '2027-01-03T12:00:00Z');
    await world.tenant.reactivateAccount('mum', 'cleared');
    await advance(store.usance, world, '2027-01-04T12:00:00Z');
    expect(await world.credits()).toEqual(['2027-01-02 FAILED 5', '2027-01-03 FAILED 5', '2027-01-04 CREDITED 1']);
    expect(await world.tenant.deadLetters()).toMatchObject([
      { kind: 'payment', code: 'ACCOUNT_NOT_ACTIVE' },
      { kind: 'payment', code: 'ACCOUNT_NOT_ACTIVE' },
    ]);
  });
});

describe('many at work', () => {
  test('a tick too many changes nothing', async () => {
    const world = await family('2027-01-01T10:00:00Z');
    await advance(store.usance, world, '2027-01-02T00:00:00Z');
    for (let ticks = 0; ticks < 3; ticks += 1) await advance(store.usance, world, '2027-01-02T00:00:00Z');
    expect(await world.credits()).toEqual(['2027-01-02 CREDITED 1']);
  });

  test('twenty live schedulers and processors pay every child once', async () => {
    const { db, tenant } = store;
    const time = frozenTime(new Date('2027-01-01T10:00:00Z'));
    const context: VerbContext = {
      tenantId: tenant.id,
      caller: LIBRARY,
      identities: IDENTITIES,
      secrets: NO_SECRETS,
      sql: db,
      run: (work) => db.transaction(async (tx) => work(tx, await time.readClock(tx))),
      runUntimed: (work) => db.transaction(work),
      moment: time.readClock,
    };
    const verbs = allowanceVerbs(context);
    await open(tenant, { dad: 100_000 });
    const children = Array.from({ length: 25 }, (_, index) => `child-${index}`);
    for (const ref of children) {
      await tenant.openAccount({ ref, guardian: 'dad' });
      await verbs.createAllowance({ guardian: 'dad', junior: ref, ...TERMS });
    }
    time.advance(20 * HOUR);
    const signal = new AbortController().signal;
    const scheduler = () => schedulerLoop(db, { readClock: time.readClock, bounds: DEFAULT_BOUNDS, batchSize: 4 });
    const loops = [
      ...Array.from({ length: 10 }, scheduler),
      ...Array.from({ length: 10 }, () =>
        processorLoop(db, { readClock: time.readClock, simulateFailures: 0, ownerRules: OWNER_RULES }),
      ),
    ];
    await Promise.all(loops.map((loop) => loop.runOnce(signal, false)));
    for (const loop of loops) while ((await loop.runOnce(signal, false)).more);
    const rows = await credits(tenant.id);
    expect(rows).toHaveLength(25);
    expect(new Set(rows)).toEqual(new Set(['2027-01-02 CREDITED 1']));
    expect(await held(tenant, 'dad')).toEqual([100_000n - 25n * 500n, 0n]);
  });

  test('several workers at once pay every child once', async () => {
    const worlds: Family[] = [];
    for (let count = 0; count < 5; count += 1) worlds.push(await family('2027-01-01T10:00:00Z'));
    for (const { tenant, clock } of worlds) await tenant.advanceTestClock(clock, '2027-01-03T12:00:00Z');
    await Promise.all(Array.from({ length: 4 }, () => runLoop(store.usance, 'clocks')));
    await drive(store.usance);
    for (const world of worlds) {
      expect(await world.credits()).toEqual(['2027-01-02 CREDITED 1', '2027-01-03 CREDITED 1']);
      expect(await held(world.tenant, 'tim')).toEqual([1_000n, 0n]);
    }
  });
});

test('all of it leaves the books right', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
