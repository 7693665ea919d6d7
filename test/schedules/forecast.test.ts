// Looking ahead: what a forecast says is what happens when the clock is advanced, and who will lack money hears of it in time.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { MAX_AMOUNT, liveAt } from '../../src/kernel/index.ts';
import { forecastVerbs } from '../../src/schedules/forecast/index.ts';
import type { Forecast } from '../../src/schedules/index.ts';
import { pacesOf } from '../../src/schedules/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { START, advance, after, testTenant } from '../support/test-clock.ts';

const store = useUsance();
const USD = 'USD/2';
const DAYS = 10;

/** One thing that will move alice's money. */
const deed = fc.record({
  kind: fc.constantFrom('hold', 'payment', 'daily', 'weekly', 'subscription', 'allowance'),
  out: fc.boolean(),
  amount: fc.integer({ min: 1, max: 500 }),
  afterHours: fc.integer({ min: 1, max: 160 }),
});
type Deed = { kind: string; out: boolean; amount: number; afterHours: number };

async function arrange({ tenant }: TestTenant, { kind, out, amount, afterHours }: Deed, index: number): Promise<void> {
  const [from, to] = out ? ['alice', 'other'] : ['other', 'alice'];
  const executeAt = after(afterHours * HOUR);
  const order = { from, to, asset: USD, amount, idempotencyKey: key() };
  const time = `${String(afterHours % 24).padStart(2, '0')}:30`;
  if (kind === 'hold') await tenant.createPayment({ ...order, executeAt });
  else if (kind === 'payment') await tenant.createPayment({ ...order, executeAt, funding: 'at_execution' });
  else if (kind === 'daily')
    await tenant.createSchedule({ ...order, rule: { frequency: 'DAILY', time }, steps: [{ from: 4, amount: 7 }] });
  else if (kind === 'weekly')
    await tenant.createSchedule({ ...order, rule: { frequency: 'WEEKLY', weekdays: ['TU', 'FR'], time }, count: 2 });
  else if (kind === 'subscription') {
    const terms = { name: 'Club', price: amount, asset: USD, receiver: to, charges: 4 };
    const { id } = await tenant.createPlan({ ...terms, period: { everySeconds: 86_400 + afterHours * 60 } });
    await tenant.subscribe({ plan: id, payer: from, idempotencyKey: key() });
  } else {
    const junior = out ? `child-${index}` : 'alice';
    const guardian = out ? 'alice' : 'other';
    if (out) await tenant.openAccount({ ref: junior, guardian });
    const terms = { asset: USD, amount, frequency: 'DAILY', status: 'ON' } as const;
    // Of one parent alice has one allowance.
    await refusalOf(tenant.createAllowance({ guardian, junior, ...terms }));
  }
}

/** alice has some money, and everything that was decided ahead of her. */
async function world(deeds: readonly Deed[], funds: number): Promise<TestTenant> {
  const own = await testTenant(store.usance);
  await open(own.tenant, { other: 10_000_000 });
  await own.tenant.openAccount({ ref: 'alice', guardian: 'other' });
  const deposit = { account: 'alice', asset: USD, amount: 100_000 + funds, idempotencyKey: key() };
  await own.tenant.deposit(deposit);
  for (const [index, each] of deeds.entries()) await arrange(own, each, index);
  // Holds took what they needed; of the rest she keeps that much.
  const [available] = await held(own.tenant, 'alice');
  const rest = Number(available) - funds;
  if (rest > 0) await own.tenant.withdraw({ account: 'alice', asset: USD, amount: rest, idempotencyKey: key() });
  return own;
}

const give = (tenant: TenantHandle, amount: bigint): Promise<unknown> =>
  tenant.deposit({ account: 'alice', asset: USD, amount, idempotencyKey: key() });

/** `2027-01-02T00:30:00.000Z -500`, what moved since the forecast, in order. */
async function moved(tenant: TenantHandle): Promise<string[]> {
  const { id } = await tenant.account('alice');
  const transfers = await tenant.transfers(id, { limit: 100 });
  return transfers
    .filter(({ kind }) => kind === 'settlement')
    .map(
      ({ postedAt, amount, debitAccountId }) => `${postedAt.toISOString()} ${debitAccountId === id ? -amount : amount}`,
    )
    .toSorted();
}

const forecastOf = ({ lines }: Forecast): string[] =>
  lines.map(({ at, amount }) => `${new Date(at).toISOString()} ${amount}`).toSorted();

/** When payments of hers lacked money, and none came in the same instant. */
async function lacking(tenant: TenantHandle): Promise<string[]> {
  const { id } = await tenant.account('alice');
  const events = await tenant.events({ type: 'payment.attempt_failed' }, { after: 0n, limit: 1_000 });
  const found: string[] = [];
  for (const { resourceId, occurredAt } of events) {
    const { payerId, endedAt } = await tenant.payment(resourceId);
    if (payerId === id && endedAt?.getTime() !== occurredAt.getTime()) found.push(occurredAt.toISOString());
  }
  return found.toSorted();
}

describe('what is forecast', () => {
  test('is what happens: with what is needed all of it, with a unit less the shortfall at its instant', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(deed, { minLength: 3, maxLength: 8 }),
        fc.integer({ min: 0, max: 800 }),
        async (deeds, funds) => {
          const rich = await world(deeds, funds);
          const poor = await world(deeds, funds);
          const asked = await rich.tenant.forecast('alice', { days: DAYS });
          const needed = asked.assets[0]?.needed ?? 0n;
          if (needed > 0n) await give(rich.tenant, needed);
          const forecast = await rich.tenant.forecast('alice', { days: DAYS });
          expect(forecast.assets[0]).toMatchObject({ shortfall: null, needed: 0n });
          expect(forecastOf(forecast)).toEqual(forecastOf(asked));
          await advance(store.usance, rich, after(DAYS * DAY - 1));
          expect(await moved(rich.tenant)).toEqual(forecastOf(forecast));
          const { available, reserved } = forecast.assets[0]?.ends ?? { available: 0n, reserved: 0n };
          expect(await held(rich.tenant, 'alice')).toEqual([available, reserved]);
          expect(await lacking(rich.tenant)).toEqual([]);

          if (needed === 0n) return;
          if (needed > 1n) await give(poor.tenant, needed - 1n);
          const short = (await poor.tenant.forecast('alice', { days: DAYS })).assets[0]?.shortfall;
          expect(short?.missing).toBe(1n);
          const at = new Date(short?.line.at ?? 0);
          await advance(store.usance, poor, new Date(at.getTime() + 1));
          expect((await lacking(poor.tenant)).at(0)).toBe(at.toISOString());
        },
      ),
      { numRuns: 3, seed: 2027, endOnFailure: true },
    );
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('names the payment or schedule that cannot be covered, and goes on below zero', async () => {
    const own = await testTenant(store.usance);
    const { tenant } = own;
    await open(tenant, { alice: 500, bob: 1_000, shop: 0 });
    const order = { asset: USD, idempotencyKey: key() };
    await tenant.createPayment({ ...order, from: 'alice', to: 'shop', amount: 100, executeAt: after(HOUR) });
    const rent = {
      from: 'alice',
      to: 'shop',
      asset: USD,
      amount: 300,
      rule: { frequency: 'DAILY', time: '09:00' },
    } as const;
    const { id } = await tenant.createSchedule({ ...rent, idempotencyKey: key() });
    const gift = {
      from: 'bob',
      to: 'alice',
      asset: USD,
      amount: 150,
      executeAt: after(2 * HOUR),
      idempotencyKey: key(),
    };
    await tenant.createPayment(gift);
    const { lines, assets, truncated, until } = await tenant.forecast('alice', { days: 3 });
    expect(lines.map(({ amount, held: reserved, available }) => [amount, reserved, available])).toEqual([
      [-100n, true, 400n],
      [150n, false, 550n],
      [-300n, false, 250n],
      [-300n, false, -50n],
      [-300n, false, -350n],
    ]);
    expect(assets).toMatchObject([
      {
        asset: USD,
        available: 400n,
        reserved: 100n,
        needed: 350n,
        shortfall: {
          missing: 50n,
          line: { scheduleId: id, at: after(33 * HOUR).getTime(), slot: '2027-01-02T09:00:00' },
        },
        ends: { available: -350n, reserved: 0n },
      },
    ]);
    expect({ truncated, until }).toEqual({ truncated: false, until: after(3 * DAY) });
  });

  test('stops where there is more than it shows, and says so', async () => {
    const { tenant } = await testTenant(store.usance);
    await open(tenant, { alice: 0, bob: 0 });
    const order = { from: 'bob', to: 'alice', asset: USD, amount: 1, idempotencyKey: key() };
    await tenant.createSchedule({ ...order, rule: { everySeconds: 600 } });
    const { lines, truncated, until } = await tenant.forecast('alice', { days: 30 });
    expect(lines).toHaveLength(1_000);
    expect(truncated).toBe(true);
    // What lies before its end is all there is.
    expect(until.getTime()).toBe((lines.at(-1)?.at ?? 0) + 10 * MINUTE);
  });

  test('says so where older payments or schedules are left out, on whichever side of them the account is', async () => {
    const { tenant } = await testTenant(store.usance);
    const refs = ['payer', 'payee', 'third'];
    await open(tenant, { payer: 100, payee: 0, third: 0 });
    const legs = ['payee', 'third'].map((to) => ({ to, amount: 5 }));
    const order = { from: 'payer', legs, asset: USD, amount: 10 };
    for (const day of [1, 2]) {
      await tenant.createPayment({ ...order, executeAt: after(day * DAY), idempotencyKey: key() });
      await tenant.createSchedule({ ...order, rule: { frequency: 'MONTHLY' }, idempotencyKey: key() });
    }
    const truncated = async (payments: number, schedules: number): Promise<boolean[]> => {
      const context = { tenantId: tenant.id, sql: store.db, moment: () => Promise.resolve(liveAt(after(0))) };
      const { forecast } = forecastVerbs(context, pacesOf({}), { payments, schedules, lines: 10 });
      return Promise.all(refs.map(async (ref) => (await forecast(ref, { days: 20 })).truncated));
    };
    expect(await truncated(2, 2)).toEqual([false, false, false]);
    expect(await truncated(2, 1)).toEqual([true, true, true]);
    expect(await truncated(1, 2)).toEqual([true, true, true]);
  });

  test('is asked for by whose account it is, for 1 to 366 days, and not of the outside', async () => {
    const { tenant } = store;
    await tenant.openAccount({ ref: 'quiet' });
    expect(await tenant.forecast('quiet')).toMatchObject({ lines: [], assets: [], truncated: false });
    for (const days of [0, 367, 1.5, NaN])
      expect(await refusalOf(tenant.forecast('quiet', { days }))).toBe('FIELD_INVALID');
    expect(await refusalOf(tenant.forecast('nobody'))).toBe('ACCOUNT_NOT_FOUND');
    expect(await refusalOf(tenant.forecast('world'))).toBe('ACCOUNT_STATE_CONFLICT');
  });

  test('knows the crons that pace subscriptions', async () => {
    const crons = { scheduler: '0 0 * * *', processor: '15 0,6,12,18 * * *' };
    const usance = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, subscriptionCrons: crons });
    const own = await testTenant(usance);
    await open(own.tenant, { alice: 10_000, club: 0 });
    const terms = { name: 'Club', price: 100, asset: USD, receiver: 'club', charges: 3 };
    const { id } = await own.tenant.createPlan({ ...terms, period: { everySeconds: 100_000 } });
    await own.tenant.subscribe({ plan: id, payer: 'alice', idempotencyKey: key() });
    await advance(usance, own, after(HOUR));
    const forecast = await own.tenant.forecast('alice', { days: DAYS });
    expect(forecastOf(forecast)).toEqual(['2027-01-03T00:15:00.000Z -100', '2027-01-04T00:15:00.000Z -100']);
    await advance(usance, own, after(DAYS * DAY));
    expect((await moved(own.tenant)).slice(1)).toEqual(forecastOf(forecast));
    await usance.close();
  });
});

describe('account.shortfall_expected', () => {
  const told = async ({ tenant }: TestTenant): Promise<unknown[]> => {
    const events = await tenant.events({ type: 'account.shortfall_expected' }, { after: 0n, limit: 100 });
    return events.map(({ data, occurredAt }) => [occurredAt.toISOString().slice(0, 16), data['at'], data['missing']]);
  };
  const daily = (tenant: TenantHandle, amount: number): Promise<{ id: string }> => {
    const order = { from: 'alice', to: 'shop', asset: USD, amount, idempotencyKey: key() };
    return tenant.createSchedule({ ...order, rule: { frequency: 'DAILY', time: '09:00' } });
  };

  test('is told once, three days ahead; again when it was averted, or another comes', async () => {
    const own = await testTenant(store.usance);
    const { tenant } = own;
    await open(tenant, { alice: 500, shop: 0 });
    const { id } = await daily(tenant, 200);
    await advance(store.usance, own, START);
    await advance(store.usance, own, after(HOUR));
    const first = ['2027-01-01T00:00', '2027-01-03T09:00:00.000Z', '100'];
    expect(await told(own)).toEqual([first]);
    await give(tenant, 100n);
    await advance(store.usance, own, after(8 * HOUR));
    expect(await told(own)).toEqual([first]);
    // The next one comes inside the horizon an hour later.
    await advance(store.usance, own, after(10 * HOUR));
    const second = ['2027-01-01T10:00', '2027-01-04T09:00:00.000Z', '200'];
    expect(await told(own)).toEqual([first, second]);
    await tenant.withdraw({ account: 'alice', asset: USD, amount: 100, idempotencyKey: key() });
    await advance(store.usance, own, after(11 * HOUR));
    expect((await told(own)).at(-1)).toEqual(['2027-01-01T11:00', '2027-01-03T09:00:00.000Z', '100']);
    const [event] = await tenant.events({ type: 'account.shortfall_expected' }, { after: 0n, limit: 1 });
    expect(event).toMatchObject({ resource: 'account', data: { asset: USD, amount: '200', scheduleId: id } });
  });

  test('is told of more than an amount can be, and holds up no clock by it', async () => {
    const own = await testTenant(store.usance);
    await open(own.tenant, { poor: 1, other: 0 });
    const order = { from: 'poor', to: 'other', asset: USD, amount: MAX_AMOUNT, executeAt: after(DAY) };
    for (let n = 0; n < 2; n += 1)
      await own.tenant.createPayment({ ...order, funding: 'at_execution', idempotencyKey: key() });
    expect(await advance(store.usance, own, after(HOUR))).toMatchObject({ status: 'ready' });
    expect(await told(own)).toHaveLength(1);
  });

  test('is told once by two who look at once, live, of payments too, and never of what is reserved', async () => {
    const { tenant } = store;
    await open(tenant, { ann: 100, ben: 100, cat: 100, till: 0 });
    const pay = (from: string, amount: number, funding: 'reserve' | 'at_execution') =>
      tenant.createPayment({ from, to: 'till', asset: USD, amount, funding, delay: '48h', idempotencyKey: key() });
    await pay('ann', 130, 'at_execution');
    await pay('ben', 100, 'at_execution');
    await pay('cat', 100, 'reserve');
    const other = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false });
    const pass = async ({ loops }: Pick<typeof other, 'loops'>): Promise<void> => {
      const loop = loops.find(({ name }) => name === 'forecast');
      while ((await loop?.runOnce())?.counts['passes'] === 0);
    };
    await Promise.all([pass(store.usance), pass(other), pass(store.usance), pass(other)]);
    await other.close();
    const sequencer = store.usance.loops.find(({ name }) => name === 'sequencer');
    while ((await sequencer?.runOnce())?.more);
    const events = await tenant.events({ type: 'account.shortfall_expected' });
    expect(events).toHaveLength(1);
    const { id } = await tenant.account('ann');
    expect(events[0]).toMatchObject({ resourceId: id, data: { missing: '30', amount: '130' } });
  });
});
