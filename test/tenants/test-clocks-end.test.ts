// What an advance counts, an advance that is cancelled, and a clock that is deleted.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClockReport } from '../../src/engine.ts';
import type { Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { callerOf } from '../../src/kernel/index.ts';
import { freeze, held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { changedBy, refusedUnchanged } from '../support/digest.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { doneOrWaiting, runRace, stopper } from '../support/race.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { START, advance, after, drive, runLoop, testTenant } from '../support/test-clock.ts';

const store = useUsance({ poolSize: 20 });
const pay = { from: 'payer', to: 'payee', asset: 'USD', amount: 100 };

/** A tenant with payments due after so many hours. */
async function withPayments(...hours: number[]): Promise<TestTenant> {
  const of = await testTenant(store.usance);
  await open(of.tenant, { payer: 1_000, payee: 0 });
  for (const each of hours) await of.tenant.createPayment({ ...pay, delay: `${each}h`, idempotencyKey: key() });
  return of;
}

const typesOf = async ({ tenant }: TestTenant): Promise<string[]> =>
  (await tenant.events({ type: 'test_clock.*' })).map((event) => event.type);

describe('an advance', () => {
  test('counts the events of its clock, and the same calls give the same count whatever else happens in real time', async () => {
    // Long ago, so that what it paid can be archived.
    const start = Date.UTC(2001, 0, 1);
    const counted = async (meanwhile: (of: TestTenant) => Promise<unknown>): Promise<ClockReport> => {
      const of = await testTenant(store.usance, new Date(start));
      await open(of.tenant, { payer: 1_000, payee: 0 });
      for (const delay of ['1h', '2h', '30h']) await of.tenant.createPayment({ ...pay, delay, idempotencyKey: key() });
      await advance(store.usance, of, new Date(start + HOUR));
      await of.tenant.advanceTestClock(of.clock, new Date(start + DAY));
      await meanwhile(of);
      await drive(store.usance);
      return of.tenant.testClock(of.clock);
    };
    const quiet = await counted(() => Promise.resolve());
    const busy = await counted(async ({ tenant }) => {
      const { key: made } = await tenant.createApiKey({ name: 'meanwhile', role: 'admin' });
      await tenant.rotateApiKey(made.id);
      const about = { tenantId: tenant.id, resource: 'api_key', resourceId: made.id } as const;
      const origin = { ip: null, userAgent: null, requestId: null };
      await store.usance.recordSignIns(
        [{ ...about, ...origin, actor: `key:${made.id}` }],
        [{ ...about, ...origin, reason: 'expired', times: 3 }],
      );
      await tenant.revokeApiKey(made.id);
      await store.usance.archive({ olderThanMs: 0, caller: callerOf({ actor: 'jo' }) });
      await freeze(store.owner, tenant.id, 'USD/2');
      await store.owner.query('delete from usance.freezes where tenant_id = $1::uuid', [tenant.id]);
      await drive(store.usance);
      const types = (await tenant.events({}, { limit: 1_000 })).map(({ type }) => type);
      expect(types).toEqual(
        expect.arrayContaining(['sign_in.accepted', 'sign_in.refused', 'api_key.rotated', 'payments.archived']),
      );
      expect(types).toContain('freeze.created');
    });
    const { count, byType, firstAt, lastAt } = quiet.happened ?? {};
    expect({ count, byType }).toEqual({ count: 1, byType: { 'payment.settled': 1 } });
    expect(busy.happened).toMatchObject({ count, byType, firstAt, lastAt });
  });
});

describe('a cancelled advance', () => {
  const stop = stopper();
  const state: { engine?: Engine } = {};
  /** The engine that is stopped. */
  const second = (): Engine => {
    if (!state.engine) throw new Error('the engine exists inside tests only');
    return state.engine;
  };
  beforeAll(async () => {
    state.engine = await createEngine({ databaseUrl: store.runtimeUrl, poolSize: 5, onStatement: stop.onStatement });
  });
  afterAll(() => state.engine?.close());

  test('that no process has taken up leaves the clock where it stood, ready for writes and the next advance', async () => {
    const of = await withPayments(1);
    await of.tenant.advanceTestClock(of.clock, after(DAY));
    expect(await of.tenant.cancelAdvance(of.clock)).toMatchObject({
      status: 'ready',
      now: new Date(START),
      advance: { from: new Date(START), to: after(DAY), cancelled: true, steps: 0, finishedAt: expect.any(Date) },
    });
    expect(await changedBy(store.owner, of.tenant.id, () => runLoop(store.usance, 'clocks'))).toEqual([]);
    await of.tenant.createPayment({ ...pay, delay: '2h', idempotencyKey: key() });
    expect(await advance(store.usance, of, after(DAY))).toMatchObject({
      status: 'ready',
      now: after(DAY),
      advance: { cancelled: false },
      happened: { byType: { 'payment.settled': 2 } },
    });
    expect(await typesOf(of)).toEqual([
      'test_clock.created',
      'test_clock.advance_requested',
      'test_clock.advance_cancelled',
      'test_clock.advance_requested',
      'test_clock.advanced',
    ]);
  });

  test('is cancelled once: again, and where nothing advances, a cancel changes nothing', async () => {
    const of = await withPayments();
    const unchanged = async () =>
      expect(await changedBy(store.owner, of.tenant.id, () => of.tenant.cancelAdvance(of.clock))).toEqual([]);
    await unchanged();
    await of.tenant.advanceTestClock(of.clock, after(DAY));
    await of.tenant.cancelAdvance(of.clock);
    await unchanged();
    await advance(store.usance, of, after(DAY));
    await unchanged();
    const cancelled = await store.owner.query(
      `select actor, data from usance.events where tenant_id = $1::uuid and type = 'test_clock.advance_cancelled'`,
      [of.tenant.id],
    );
    const data = { from: START, to: after(DAY).toISOString(), now: START };
    expect(cancelled).toEqual([{ actor: 'library', data }]);
    const refused = (id: string) => refusedUnchanged(store.owner, of.tenant.id, () => of.tenant.cancelAdvance(id));
    expect(await refused(of.tenant.id)).toBe('CLOCK_NOT_FOUND');
    expect(await refusalOf(store.tenant.cancelAdvance(of.clock))).toBe('CLOCK_NOT_FOUND');
  });

  test('stops at any statement of its advancer: what was paid stays paid, and the next advance is done by the next lease', async () => {
    const seen = new Set<string>();
    const runs = await runRace<TestTenant>(store.owner, stop, {
      arrange: async () => {
        const of = await withPayments(1);
        await of.tenant.advanceTestClock(of.clock, after(DAY));
        return of;
      },
      stopped: async () => String(await runLoop(second(), 'clocks')),
      async other({ tenant, clock }) {
        const { now, advance: last } = await tenant.cancelAdvance(clock);
        const settled = (await tenant.payments()).filter(({ status }) => status === 'settled');
        // Everything up to where it stands has happened, and nothing after it.
        expect(settled.every(({ executeAt }) => executeAt <= now)).toBe(true);
        const due = (await tenant.payments()).filter(({ executeAt }) => executeAt <= now);
        expect(due.length - settled.length, now.toISOString()).toBe(0);
        if (!last?.cancelled) return 'arrived';
        await drive(store.usance);
        expect((await tenant.testClock(clock)).happened).toMatchObject({ count: settled.length });
        // Sooner than what the stopped advancer has in mind.
        await tenant.createPayment({ ...pay, delay: '30m', idempotencyKey: key() });
        await tenant.advanceTestClock(clock, after(2 * DAY));
        return now.toISOString();
      },
      async judge({ tenant, clock }, _, stoodAt) {
        seen.add(stoodAt);
        await drive(store.usance);
        expect(await tenant.testClock(clock)).toMatchObject({ status: 'ready' });
        for (const payment of await tenant.payments())
          expect(payment).toMatchObject({ status: 'settled', endedAt: payment.executeAt });
      },
    });
    expect(runs).toBeGreaterThan(10);
    expect([...seen].toSorted()).toEqual([START, after(HOUR).toISOString(), 'arrived']);
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('a deleted clock', () => {
  const rule = { frequency: 'DAILY', time: '05:00' } as const;

  test('stops the time of its tenant: what waits stays, reserved and unpaid, until the next clock', async () => {
    const of = await withPayments(1, 2);
    const { tenant, clock } = of;
    const schedule = await tenant.createSchedule({ ...pay, amount: 5, rule, idempotencyKey: key() });
    await advance(store.usance, of, after(30 * MINUTE));
    const deleted = await tenant.deleteTestClock(clock);
    expect(deleted).toMatchObject({ id: clock, now: after(30 * MINUTE), deletedAt: expect.any(Date) });

    expect(await tenant.testClocks()).toEqual([]);
    expect(await refusalOf(tenant.testClock(clock))).toBe('CLOCK_NOT_FOUND');
    const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, tenant.id, work);
    expect(await refused(() => tenant.advanceTestClock(clock, after(DAY)))).toBe('CLOCK_NOT_FOUND');
    expect(await refused(() => tenant.cancelAdvance(clock))).toBe('CLOCK_NOT_FOUND');
    expect(await refused(() => tenant.createPayment({ ...pay, idempotencyKey: key() }))).toBe('CLOCK_MISSING');
    const [first, last] = (await tenant.payments()).toSorted((a, b) => a.executeAt.getTime() - b.executeAt.getTime());
    expect(await refused(() => tenant.cancelPayment(first?.id ?? ''))).toBe('CLOCK_MISSING');
    const again = async () => expect(await tenant.deleteTestClock(clock)).toEqual(deleted);
    expect(await changedBy(store.owner, tenant.id, again)).toEqual([]);
    expect(await refusalOf(store.tenant.deleteTestClock(clock))).toBe('CLOCK_NOT_FOUND');

    // Reads go on at the instant where the clock stood.
    expect(await held(tenant, 'payer')).toEqual([800n, 200n]);
    expect((await tenant.upcoming(schedule.id, 1)).map(({ at }) => at)).toEqual([after(5 * HOUR)]);
    const everyLoop = async () => {
      for (const name of ['processor', 'scheduler', 'forecast', 'clocks'])
        await store.usance.loops.find((loop) => loop.name === name)?.runOnce();
    };
    expect(await changedBy(store.owner, tenant.id, everyLoop)).toEqual([]);
    expect((await tenant.payments()).map(({ status }) => status)).toEqual(['scheduled', 'scheduled']);
    expect(await troubles(store.usance)).toEqual([]);

    const create = (now: Date) => tenant.createTestClock({ name: 'next', now });
    expect(await refused(() => create(after(30 * MINUTE - 1)))).toBe('CLOCK_BACKWARDS');
    const next = await create(after(30 * MINUTE));
    expect(next.id).not.toBe(clock);
    expect(await tenant.testClocks()).toMatchObject([{ id: next.id, status: 'ready', advance: null, deletedAt: null }]);
    await tenant.cancelPayment(first?.id ?? '');
    expect(await held(tenant, 'payer')).toEqual([900n, 100n]);
    expect(await advance(store.usance, { tenant, clock: next.id }, after(6 * HOUR))).toMatchObject({
      status: 'ready',
      happened: { byType: { 'payment.settled': 2, 'payment.created': 1 } },
    });
    expect(await tenant.payment(last?.id ?? '')).toMatchObject({ status: 'settled', endedAt: after(2 * HOUR) });
    expect(await typesOf(of)).toEqual([
      'test_clock.created',
      'test_clock.advance_requested',
      'test_clock.advanced',
      'test_clock.deleted',
      'test_clock.created',
      'test_clock.advance_requested',
      'test_clock.advanced',
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is followed by clocks without end, which share its time', async () => {
    const of = await withPayments(1, 100);
    let { clock } = of;
    for (let n = 1; n <= 3; n += 1) {
      await of.tenant.deleteTestClock(clock);
      // What fell due while there was no clock runs late, at the first advance of the next one.
      clock = (await of.tenant.createTestClock({ name: `${n}`, now: after(n * DAY) })).id;
      await of.tenant.createPayment({ ...pay, delay: '1h', idempotencyKey: key() });
    }
    await advance(store.usance, { ...of, clock }, after(5 * DAY));
    const ends = (await of.tenant.payments())
      .map(({ executeAt, endedAt }) => [executeAt, endedAt])
      .toSorted(([one], [other]) => Number(one) - Number(other));
    expect(ends).toEqual([
      [after(HOUR), after(3 * DAY)],
      [after(DAY + HOUR), after(3 * DAY)],
      [after(2 * DAY + HOUR), after(3 * DAY)],
      [after(3 * DAY + HOUR), after(3 * DAY + HOUR)],
      [after(100 * HOUR), after(100 * HOUR)],
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('was not advancing: that is refused until the advance is cancelled', async () => {
    const of = await withPayments(1);
    await of.tenant.advanceTestClock(of.clock, after(DAY));
    const remove = () => of.tenant.deleteTestClock(of.clock);
    expect(await refusedUnchanged(store.owner, of.tenant.id, remove)).toBe('CLOCK_ADVANCING');
    await of.tenant.cancelAdvance(of.clock);
    expect(await remove()).toMatchObject({ now: new Date(START), advance: { cancelled: true } });
  });

  test('waits for a transaction that writes at its instant, which is then paid on time', async () => {
    const of = await withPayments();
    const client = new pg.Client(store.runtimeUrl);
    await client.connect();
    await client.query('begin');
    const { id } = await of.tenant.within(client).createPayment({ ...pay, delay: '1h', idempotencyKey: key() });
    const next = of.tenant
      .deleteTestClock(of.clock)
      .then(() => of.tenant.createTestClock({ name: 'next', now: after(30 * MINUTE) }))
      .then((made) => advance(store.usance, { ...of, clock: made.id }, after(DAY)));
    await doneOrWaiting(store.owner, next);
    await client.query('commit');
    await client.end();
    expect(await next).toMatchObject({ status: 'ready', now: after(DAY) });
    expect(await of.tenant.payment(id)).toMatchObject({ status: 'settled', endedAt: after(HOUR) });
  });

  test('stays deleted, and time does not go back, even for the owner of the database', async () => {
    const of = await withPayments();
    await advance(store.usance, of, after(HOUR));
    await of.tenant.deleteTestClock(of.clock);
    for (const change of ['deleted_at = null', `name = 'x'`, 'fence = fence + 1']) {
      const changed = store.owner.query(`update usance.test_clocks set ${change} where id = $1::uuid`, [of.clock]);
      await expect(changed, change).rejects.toThrow(/would not go forward/);
    }
    const insert = (timeline: string, at: Date) =>
      store.owner.query(
        `insert into usance.test_clocks (tenant_id, id, timeline_id, name, stands_at)
         values ($1::uuid, gen_random_uuid(), $2::uuid, 'x', $3::timestamptz)`,
        [of.tenant.id, timeline, at],
      );
    await expect(insert(of.clock, new Date(START))).rejects.toThrow(/would not follow/);
    await expect(insert(of.tenant.id, after(HOUR))).rejects.toThrow(/would not follow/);
    await insert(of.clock, after(HOUR));
    await expect(insert(of.clock, after(HOUR))).rejects.toMatchObject({ constraint: 'test_clocks_one_a_tenant' });
  });
});

describe('twenty at once', () => {
  test('advance, cancel, delete and create: each is done or refused, and every advance ends once', async () => {
    const codes = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      const of = await withPayments(1, 2);
      const { tenant, clock } = of;
      const ways = [
        () => tenant.advanceTestClock(clock, after(DAY)),
        () => tenant.cancelAdvance(clock),
        () => tenant.deleteTestClock(clock),
        () => runLoop(store.usance, 'clocks'),
        () => tenant.createTestClock({ name: 'next', now: after(DAY) }),
      ];
      const asked = await Promise.all(
        Array.from({ length: 20 }, (_, n) => refusalOf(Promise.resolve(ways[(n * 3 + round) % ways.length]?.()))),
      );
      for (const code of asked) codes.add(code);
      await drive(store.usance);
      const counts = Object.groupBy(await typesOf(of), (type) => type);
      const count = (type: string): number => counts[`test_clock.${type}`]?.length ?? 0;
      expect(count('advance_requested')).toBe(count('advanced') + count('advance_cancelled'));
      expect(count('created') - count('deleted')).toBe((await tenant.testClocks()).length);
      const now = (await tenant.testClocks())[0]?.now ?? after(DAY);
      for (const { executeAt, endedAt } of await tenant.payments())
        if (endedAt !== null) expect([executeAt <= now, executeAt <= endedAt]).toEqual([true, true]);
    }
    const expected = ['not refused', 'CLOCK_ADVANCING', 'CLOCK_EXISTS', 'CLOCK_NOT_FOUND'];
    expect([...codes].filter((code) => !expected.includes(code))).toEqual([]);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
