// An advance that is raced, robbed, broken and repeated: it does what one quiet advance does, once.
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TenantHandle, TenantVerbs, Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { runRace, stopper } from '../support/race.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { START, advance, after, drive, fillYear, normalised, runLoop, testTenant } from '../support/test-clock.ts';

type Work = <T>(work: (verbs: TenantVerbs) => Promise<T>) => Promise<T>;

/** Everything a payment can meet, made through the verbs that the driver hands in. */
async function fill(within: Work): Promise<void> {
  await within((verbs) => open(verbs as TenantHandle, { rich: 10_000, poor: 0, payee: 0 }));
  const at = { funding: 'at_execution' } as const;
  await within((verbs) => verbs.setLimit({ account: 'rich', asset: 'USD', dailyAmount: 600 }));
  const orders = [
    { from: 'rich', to: 'payee', amount: 100, delay: '1h' },
    { from: 'rich', to: 'payee', amount: 100, delay: '1h', priority: 'high' as const },
    {
      from: 'rich',
      legs: [
        { to: 'payee', amount: 70 },
        { to: 'fees', amount: 30 },
      ],
      amount: 100,
      delay: '2h',
    },
    { from: 'poor', to: 'payee', amount: 50, delay: '30m', ...at, retry: { jitter: 1 } },
    { from: 'rich', to: 'poor', amount: 60, delay: '40m' },
    { from: 'poor', to: 'payee', amount: 500, delay: '3h', ...at },
    { from: 'poor', to: 'payee', amount: 500, delay: '3h', ...at, expiresAt: after(3 * HOUR + 2 * MINUTE) },
    { from: 'rich', to: 'payee', amount: 300, delay: '4h', ...at },
  ];
  for (const order of orders)
    await within((verbs) => verbs.createPayment({ ...order, asset: 'USD', idempotencyKey: key() }));
  const daily = { to: 'poor', asset: 'USD', amount: 5 };
  const schedules = [
    { ...daily, from: 'payee', rule: { frequency: 'DAILY', time: '05:00' } as const },
    { ...daily, from: 'payee', rule: { cron: '30 */6 * * *' }, zone: 'Asia/Kolkata' },
    { ...daily, from: 'poor', to: 'payee', amount: 5_000, rule: { everySeconds: 40_000 }, funding: 'reserve' } as const,
  ];
  for (const order of schedules) await within((verbs) => verbs.createSchedule({ ...order, idempotencyKey: key() }));
}

describe('the same calls', () => {
  const store = useUsance();
  const ways: Record<string, (tenant: TenantHandle) => Work> = {
    'by the library': (tenant) => (work) => work(tenant),
    'by the library again': (tenant) => (work) => work(tenant),
    'in transactions of pg': (tenant) => async (work) => {
      const client = new pg.Client(store.runtimeUrl);
      await client.connect();
      try {
        await client.query('begin');
        const done = await work(tenant.within(client));
        await client.query('commit');
        return done;
      } finally {
        await client.end();
      }
    },
    'in transactions of postgres.js': (tenant) => async (work) => {
      const sql = postgres(store.runtimeUrl, { onnotice: () => undefined });
      try {
        return (await sql.begin((tx) => work(tenant.within(tx)))) as Awaited<ReturnType<typeof work>>;
      } finally {
        await sql.end();
      }
    },
  };

  test('give the same events, whoever makes them', async () => {
    const stories: Record<string, string[]> = {};
    for (const [name, way] of Object.entries(ways)) {
      const of = await testTenant(store.usance);
      await fill(way(of.tenant));
      for (const to of [after(35 * MINUTE), after(2 * HOUR), after(2 * DAY)]) await advance(store.usance, of, to);
      stories[name] = await normalised(of.tenant);
    }
    const [first = [], ...others] = Object.values(stories);
    expect(first.length).toBeGreaterThan(40);
    for (const type of ['payment.expired', 'schedule.occurrence_failed', 'payment.settled'])
      expect(first.join('\n')).toContain(type);
    for (const other of others) expect(other).toEqual(first);
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('at once', () => {
  const store = useUsance({ poolSize: 20 });
  const stop = stopper();
  const state: { engine?: Engine; story?: string[] } = {};
  /** The engine that is stopped. */
  const second = (): Engine => {
    if (!state.engine) throw new Error('the engine exists inside tests only');
    return state.engine;
  };

  /** A tenant that is full of work, and its clock on its way through all of it. */
  const sent = async (): Promise<TestTenant> => {
    const of = await testTenant(store.usance);
    await fill((work) => work(of.tenant));
    await of.tenant.advanceTestClock(of.clock, after(2 * DAY));
    return of;
  };
  /** As if the time of every lease were over, save where its holder is in the middle of a step. */
  const expire = (): Promise<unknown> =>
    store.owner.query(
      `update usance.test_clocks set leased_until = now() - interval '1 s'
       where id in (select id from usance.test_clocks where leased_until is not null for update skip locked)`,
    );

  beforeAll(async () => {
    state.engine = await createEngine({ databaseUrl: store.runtimeUrl, poolSize: 5, onStatement: stop.onStatement });
    const of = await sent();
    await drive(store.usance);
    state.story = await normalised(of.tenant);
  });
  afterAll(() => state.engine?.close());

  test('twenty advancers and live processors do what one quiet advancer does', async () => {
    const clocks = [await sent(), await sent(), await sent()];
    await open(store.tenant, { payer: 100, payee: 0 });
    const order = { from: 'payer', to: 'payee', asset: 'USD', amount: 1 };
    await store.tenant.createPayments(
      Array.from({ length: 100 }, () => order),
      { idempotencyKey: key() },
    );
    const advancers = Array.from({ length: 20 }, () => drive(store.usance));
    const processor = store.usance.loops.find((loop) => loop.name === 'processor');
    const processors = Array.from({ length: 5 }, async () => {
      while ((await processor?.runOnce())?.more);
    });
    await Promise.all([...advancers, ...processors]);
    await drive(store.usance);
    for (const of of clocks) expect(await normalised(of.tenant)).toEqual(state.story);
    expect(await held(store.tenant, 'payee')).toEqual([100n, 0n]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('an advancer that was taken for dead, at any statement, does nothing more when it wakes', async () => {
    const order = { to: 'payee', asset: 'USD', amount: 100, delay: '1h' };
    const unfunded = { from: 'poor', funding: 'at_execution', retry: { maxAttempts: 1 } } as const;
    const small = async (): Promise<TestTenant> => {
      const of = await testTenant(store.usance);
      await open(of.tenant, { rich: 100, poor: 0, payee: 0 });
      for (const payer of [{ from: 'rich' }, unfunded])
        await of.tenant.createPayment({ ...order, ...payer, idempotencyKey: key() });
      await of.tenant.advanceTestClock(of.clock, after(DAY));
      return of;
    };
    const quiet = await small();
    await drive(store.usance);
    const story = await normalised(quiet.tenant);
    for (let n = 1; ; n += 3) {
      const of = await small();
      const { arrived, go } = stop.stopBefore(n);
      const first = runLoop(second(), 'clocks');
      const stopped = await Promise.race([arrived.then(() => true), first.then(() => false)]);
      await expire();
      // Where the sleeper holds the clock's row this one finds nothing to do, and the sleeper goes on.
      await drive(store.usance);
      go();
      await first;
      await drive(store.usance);
      expect(await normalised(of.tenant), `stopped before statement ${n}`).toEqual(story);
      if (!stopped) break;
    }
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('a create beside an advance is of the old instant or refused, and then paid on time', async () => {
    const order = { from: 'payer', to: 'payee', asset: 'USD', amount: 100, delay: '1h' };
    const seen = new Set<string>();
    const runs = await runRace<TestTenant>(store.owner, stop, {
      async arrange() {
        const of = await testTenant(store.usance);
        await open(of.tenant, { payer: 100, payee: 0 });
        return of;
      },
      stopped: async ({ tenant }) =>
        refusalOf((await second().tenant(tenant.id)).createPayment({ ...order, idempotencyKey: key() })),
      async other({ tenant, clock }) {
        await tenant.advanceTestClock(clock, after(DAY));
        await runLoop(store.usance, 'clocks');
        return 'asked';
      },
      async judge({ tenant, clock }, created) {
        seen.add(created);
        await drive(store.usance);
        expect(await tenant.testClock(clock)).toMatchObject({ status: 'ready', now: after(DAY) });
        const [payment] = await tenant.payments();
        if (created === 'CLOCK_ADVANCING') expect(payment).toBeUndefined();
        // Refused by nothing else; made after the whole advance where it had not yet asked for the time.
        else if (payment?.createdAt.getTime() === Date.parse(START))
          expect(payment).toMatchObject({ status: 'settled', endedAt: after(HOUR) });
        else
          expect(payment).toMatchObject({ status: 'scheduled', createdAt: after(DAY), executeAt: after(DAY + HOUR) });
      },
    });
    expect(runs).toBeGreaterThan(5);
    expect([...seen].filter((code) => !['not refused', 'CLOCK_ADVANCING'].includes(code))).toEqual([]);
  });

  test('a transaction of the application that is left open holds the advance up, and nothing else', async () => {
    const of = await testTenant(store.usance);
    await open(of.tenant, { payer: 100, payee: 0 });
    const client = new pg.Client(store.runtimeUrl);
    await client.connect();
    await client.query('begin');
    const order = { from: 'payer', to: 'payee', asset: 'USD', amount: 100, delay: '1h' };
    await of.tenant.within(client).createPayment({ ...order, idempotencyKey: key() });
    await of.tenant.advanceTestClock(of.clock, after(DAY));
    await drive(store.usance);
    expect(await of.tenant.testClock(of.clock)).toMatchObject({ status: 'advancing', now: new Date(START) });
    expect(await refusalOf(of.tenant.openAccount({ ref: 'other' }))).toBe('CLOCK_ADVANCING');
    await client.query('commit');
    await client.end();
    await drive(store.usance);
    expect(await of.tenant.payments()).toMatchObject([{ status: 'settled', endedAt: after(HOUR) }]);
  });
});

describe('an advance', () => {
  const store = useUsance({ bounds: { maxHoldDelayMs: 400 * DAY } });
  const order = { from: 'payer', to: 'payee', asset: 'USD', amount: 1 };

  test('of a year does everything of that year', async () => {
    const of = await testTenant(store.usance);
    const times = await fillYear(of, 14);
    const { happened } = await advance(store.usance, of, after(365 * DAY));
    expect(happened?.byType).toEqual({
      'payment.settled': times,
      'payment.failed': times,
      'payment.expired': times,
      'payment.attempt_failed': (4 + 2) * times,
    });
    expect(await held(of.tenant, 'payee')).toEqual([BigInt(10 * times), 0n]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('of more steps than it may have stands where it got to, and goes on when asked again', async () => {
    const usance = await createEngine({ databaseUrl: store.runtimeUrl, clocks: { maxSteps: 3 } });
    onTestFinished(() => usance.close());
    const of = await testTenant(usance);
    await open(of.tenant, { payer: 100, payee: 0 });
    for (const hours of [1, 2, 3, 4, 5])
      await of.tenant.createPayment({ ...order, delay: `${hours}h`, idempotencyKey: key() });
    expect(await advance(usance, of, after(DAY))).toMatchObject({
      status: 'failed',
      now: after(3 * HOUR),
      advance: { code: 'CLOCK_TOO_MANY_STEPS', detail: expect.stringContaining('advance again from here') },
      happened: { byType: { 'payment.settled': 3 } },
    });
    await of.tenant.openAccount({ ref: 'meanwhile' });
    expect(await advance(usance, of, after(DAY))).toMatchObject({
      status: 'ready',
      now: after(DAY),
      advance: { from: after(3 * HOUR), code: null },
      happened: { byType: { 'payment.settled': 2 } },
    });
  });

  test('whose steps throw is tried a few times, fails with the reason, and can be asked for again', async () => {
    const of = await testTenant(store.usance);
    await open(of.tenant, { payer: 100, payee: 0 });
    const { id } = await of.tenant.createPayment({ ...order, delay: '1h', idempotencyKey: key() });
    await store.owner.query('revoke select on usance.balance_wakes from usance_runtime');
    await of.tenant.advanceTestClock(of.clock, after(DAY));
    for (let tries = 0; tries < 5; tries += 1)
      await expect(runLoop(store.usance, 'clocks')).rejects.toThrow('permission denied');
    await drive(store.usance);
    await store.owner.query('grant select on usance.balance_wakes to usance_runtime');
    expect(await of.tenant.testClock(of.clock)).toMatchObject({
      status: 'failed',
      now: new Date(START),
      advance: { code: 'UNEXPECTED', detail: expect.stringMatching(/^5 tries without a step: INTERNAL_ERROR: [^:]+$/) },
    });
    expect(await advance(store.usance, of, after(DAY))).toMatchObject({ status: 'ready' });
    expect(await of.tenant.payment(id)).toMatchObject({ status: 'settled', endedAt: after(HOUR) });
  });

  test('past a payment that cannot be executed gives that one up, at its own instants', async () => {
    const of = await testTenant(store.usance);
    await open(of.tenant, { payer: 2_000, payee: 0 });
    await store.owner.query(`
      create or replace function public.refuse_poison() returns trigger language plpgsql as
        $$ begin raise exception 'poison'; end $$;
      create or replace trigger poison before insert on usance.transfers for each row when (new.amount = 666)
        execute function public.refuse_poison();`);
    const poison = await of.tenant.createPayment({ ...order, amount: 666, delay: '1h', idempotencyKey: key() });
    const sound = await of.tenant.createPayment({ ...order, delay: '1h', idempotencyKey: key() });
    expect(await advance(store.usance, of, after(DAY))).toMatchObject({ status: 'ready' });
    expect(await of.tenant.payment(sound.id)).toMatchObject({ status: 'settled', endedAt: after(HOUR) });
    expect(await of.tenant.payment(poison.id)).toMatchObject({
      status: 'failed',
      lastCode: 'UNEXPECTED',
      attempts: 5,
      endedAt: after(HOUR + 15 * MINUTE),
    });
    expect(await troubles(store.usance)).toEqual([]);
  });
});
