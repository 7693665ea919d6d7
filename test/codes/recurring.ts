// Codes of schedules, plans, subscriptions, allowances, outages and test clocks.
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import type { TestApi } from '../api/api.ts';
import { key, open } from '../support/books.ts';
import { addOutage } from '../support/schedules.ts';
import { START, advance, after, testTenant } from '../support/test-clock.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import type { Cause } from './world.ts';
import { fresh, made, nobodys, tokenOf } from './world.ts';

const SCHEDULE = {
  from: 'alice',
  to: 'bob',
  asset: 'USD/2',
  amount: '100',
  rule: { frequency: 'DAILY' },
  start: '2027-01-01T09:00',
};
const schedule =
  (change: object): Cause =>
  (store) =>
    store.send('POST /schedules', { body: { ...SCHEDULE, ...change } });

const PLAN = {
  name: 'Club',
  price: '100',
  asset: 'USD/2',
  receiver: 'bob',
  period: { frequency: 'MONTHLY' },
  months: 12,
};
const subscribe = async (tenant: TenantHandle): Promise<string> => {
  const plan = await tenant.createPlan({ ...PLAN, period: { frequency: 'MONTHLY' } });
  return (await tenant.subscribe({ plan: plan.id, payer: 'alice', idempotencyKey: key() })).id;
};

const ALLOWANCE = { amount: '500', frequency: 'WEEKLY', status: 'ON', asset: 'USD/2' };
/** A child of alice's. */
const child = async ({ tenant }: TestApi): Promise<string> => {
  const ref = fresh('child');
  await tenant.openAccount({ ref, guardian: 'alice' });
  return ref;
};

/** A test tenant's key, and its clock where it has one. */
const timeless = async (store: TestApi): Promise<string> =>
  (await store.send('POST /tenants', { body: { name: fresh('test'), kind: 'test' } })).word('key.secret');
const clocked = async (store: TestApi): Promise<{ secret: string; clock: string }> => {
  const secret = await timeless(store);
  const clock = await store.send('POST /test-clocks', { body: { name: 'clock', now: START }, secret });
  return { secret, clock: clock.word('id') };
};
const advanced =
  (...times: string[]): Cause =>
  async (store) => {
    const { secret, clock } = await clocked(store);
    const to = (time: string) => store.send(`POST /test-clocks/${clock}/advance`, { body: { to: time }, secret });
    for (const time of times.slice(0, -1)) await to(time);
    return to(times.at(-1) ?? '');
  };

export const OF_WHAT_RECURS = {
  RULE_INVALID: schedule({ rule: { cron: '61 * * * *' } }),
  RULE_NEVER_FIRES: schedule({ rule: { cron: '0 0 30 2 *' } }),
  RULE_TOO_FREQUENT: schedule({ rule: { every_seconds: 1 } }),
  LOCAL_TIME_INVALID: schedule({ start: '2027-02-30' }),
  ZONE_UNKNOWN: schedule({ zone: 'Berlin' }),
  STEPS_INVALID: schedule({ steps: [3, 2].map((from) => ({ from, amount: '5' })) }),
  MISSED_INVALID: schedule({ missed_cap: 3 }),
  END_BEFORE_START: schedule({ until: '2026-12-31' }),
  async BACKFILL_TOO_LARGE(store) {
    const id = await made(store, 'POST /schedules', { ...SCHEDULE, start: '2020-01-01' });
    return store.send(`POST /schedules/${id}/backfill`, { body: { start: '2020-01-01', end: '2022-01-01' } });
  },
  SCHEDULE_NOT_FOUND: (store) => store.send(`GET /schedules/${nobodys('schedule')}`),
  async SCHEDULE_STATE_CONFLICT(store) {
    return store.send(`POST /schedules/${await made(store, 'POST /schedules', SCHEDULE)}/resume`, { body: {} });
  },
  OUTAGE_NOT_FOUND: (store) => store.send(`POST /outages/${nobodys('outage')}/release`, { body: {} }),
  async OUTAGE_STATE_CONFLICT(store) {
    const release = `POST /outages/${toTypeId('outage', await addOutage(store.owner, store.tenant.id))}/release`;
    await store.send(release, { body: {} });
    return store.send(release, { body: {} });
  },

  PLAN_INVALID: (store) => store.send('POST /plans', { body: { ...PLAN, charges: 12 } }),
  PLAN_NOT_FOUND: (store) => store.send(`GET /plans/${nobodys('plan')}`),
  SUBSCRIPTION_NOT_FOUND: (store) => store.send(`GET /subscriptions/${nobodys('subscription')}`),
  async SCHEDULE_OF_SUBSCRIPTION(store) {
    const id = toTypeId('schedule', await subscribe(store.tenant));
    return store.send(`POST /schedules/${id}/pause`, { body: {} });
  },
  /** What no program of ours would do: the approval is less than was agreed to. */
  async SUBSCRIPTION_APPROVAL_EXCEEDED({ usance, owner }) {
    const own = await testTenant(usance);
    await open(own.tenant, { alice: 10_000, bob: 0 });
    const id = await subscribe(own.tenant);
    await owner.query(
      `begin; set local session_replication_role = replica;
       update usance.subscriptions set approved = 199, price = 199, charges = 1 where schedule_id = '${id}'; commit`,
    );
    await advance(usance, own, after(32 * 86_400_000));
    return (await own.tenant.deadLetters({ kind: 'occurrence' }))[0]?.code ?? 'no dead letter';
  },

  'ALLOWANCE.NOT_GUARDIAN': (store) =>
    store.send('POST /guardians/me/allowances/bob', { body: ALLOWANCE, secret: tokenOf('alice') }),
  async 'ALLOWANCE.NOT_FOUND'(store) {
    return store.send(`GET /guardians/alice/allowances/${await child(store)}`);
  },
  async 'ALLOWANCE.ALREADY_EXISTS'(store) {
    const request = `POST /guardians/alice/allowances/${await child(store)}`;
    await store.send(request, { body: ALLOWANCE });
    return store.send(request, { body: ALLOWANCE });
  },

  CLOCK_TENANT_LIVE: (store) => store.send('POST /test-clocks', { body: { name: 'clock', now: START } }),
  CLOCK_NOT_FOUND: (store) => store.send(`GET /test-clocks/${nobodys('testClock')}`),
  async CLOCK_MISSING(store) {
    return store.send('POST /accounts', { body: { ref: 'early' }, secret: await timeless(store) });
  },
  async CLOCK_EXISTS(store) {
    const { secret } = await clocked(store);
    return store.send('POST /test-clocks', { body: { name: 'another', now: START }, secret });
  },
  CLOCK_BACKWARDS: advanced('2026-12-31T00:00:00Z'),
  CLOCK_TOO_FAR: advanced('2099-01-01T00:00:00Z'),
  CLOCK_ADVANCING: advanced('2027-01-02T00:00:00Z', '2027-01-03T00:00:00Z'),
  /** Three payments at three instants, and an advance that may take two steps. */
  async CLOCK_TOO_MANY_STEPS({ runtimeUrl }) {
    const usance = await createEngine({ databaseUrl: runtimeUrl, migrate: false, clocks: { maxSteps: 2 } });
    const own = await testTenant(usance);
    await open(own.tenant, { alice: 100, bob: 0 });
    for (const delay of ['1h', '2h', '3h'])
      await own.tenant.createPayment({
        from: 'alice',
        to: 'bob',
        asset: 'USD',
        amount: 1,
        delay,
        idempotencyKey: key(),
      });
    const { advance: way } = await advance(usance, own, after(86_400_000));
    await usance.close();
    return way?.code ?? 'it arrived';
  },
} satisfies Record<string, Cause>;
