// Options that take one of a few words. Types keep a TypeScript caller from a typo; a JavaScript caller is refused, never taken for the
// default: `cancelSubscription(id, { at: 'end_of_period' })` must not cancel at once.
import { beforeAll, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';

const store = useUsance();
const WRONG = 'end_of_period' as never;
const PLAN = { name: 'Club', price: 100, asset: 'USD', receiver: 'ben', period: { frequency: 'MONTHLY' } } as const;
const PAYMENT = { from: 'ann', to: 'ben', asset: 'USD', amount: 1 } as const;
const SCHEDULE = { ...PAYMENT, rule: { frequency: 'MONTHLY' } } as const;
const ALLOWANCE = {
  guardian: 'ann',
  junior: 'kid',
  asset: 'USD',
  amount: 5,
  frequency: 'WEEKLY',
  status: 'ON',
} as const;

const ids = { plan: '', subscription: '', payment: '', schedule: '' };

beforeAll(async () => {
  const { tenant } = store;
  await open(tenant, { ann: 10_000, ben: 0 });
  await tenant.openAccount({ ref: 'kid', guardian: 'ann' });
  ids.plan = (await tenant.createPlan(PLAN)).id;
  ids.subscription = (await tenant.subscribe({ plan: ids.plan, payer: 'ann', idempotencyKey: key() })).id;
  ids.payment = (await tenant.createPayment({ ...PAYMENT, delay: '1h', idempotencyKey: key() })).id;
  ids.schedule = (await tenant.createSchedule({ ...SCHEDULE, idempotencyKey: key() })).id;
});

const plan = (more: object) => (tenant: TenantHandle) => tenant.createPlan({ ...PLAN, ...more });
const schedule = (more: object) => (tenant: TenantHandle) =>
  tenant.createSchedule({ ...SCHEDULE, ...more, idempotencyKey: key() });
const payment = (more: object) => (tenant: TenantHandle) =>
  tenant.createPayment({ ...PAYMENT, ...more, idempotencyKey: key() });
const allowance = (more: object) => (tenant: TenantHandle) => tenant.createAllowance({ ...ALLOWANCE, ...more });

const OPTIONS: Readonly<Record<string, (tenant: TenantHandle) => Promise<unknown>>> = {
  'cancelSubscription at': (tenant) => tenant.cancelSubscription(ids.subscription, { at: WRONG }),
  'changeSubscriptionPlan proration': (tenant) =>
    tenant.changeSubscriptionPlan(ids.subscription, { plan: ids.plan, proration: WRONG, idempotencyKey: key() }),
  'editSubscription priority': (tenant) => tenant.editSubscription(ids.subscription, { priority: WRONG }),
  'editSubscription retry': (tenant) => tenant.editSubscription(ids.subscription, { retry: WRONG }),
  'subscribe priority': (tenant) =>
    tenant.subscribe({ plan: ids.plan, payer: 'ann', priority: WRONG, idempotencyKey: key() }),
  'subscriptions status': (tenant) => tenant.subscriptions({ status: WRONG }),
  'createPlan afterFailure': plan({ afterFailure: WRONG }),
  'createPlan missed': plan({ missed: WRONG }),
  'createPlan priority': plan({ priority: WRONG }),
  'createPlan retry': plan({ retry: WRONG }),
  'createPlan frequency': plan({ period: { frequency: WRONG } }),
  'createSchedule missed': schedule({ missed: WRONG }),
  'createSchedule overlap': schedule({ overlap: WRONG }),
  'createSchedule afterFailure': schedule({ afterFailure: WRONG }),
  'createSchedule funding': schedule({ funding: WRONG }),
  'createSchedule priority': schedule({ priority: WRONG }),
  'createSchedule retry': schedule({ retry: WRONG }),
  'createSchedule monthEnd': schedule({ monthEnd: WRONG }),
  'createSchedule shift': schedule({ businessDays: { shift: WRONG } }),
  'createSchedule frequency': schedule({ rule: { frequency: WRONG } }),
  'editSchedule overlap': (tenant) => tenant.editSchedule(ids.schedule, { overlap: WRONG }),
  'schedules status': (tenant) => tenant.schedules({ status: WRONG }),
  'occurrences status': (tenant) => tenant.occurrences(ids.schedule, { status: WRONG }),
  'createAllowance frequency': allowance({ frequency: WRONG }),
  'createAllowance status': allowance({ status: WRONG }),
  'createPayment funding': payment({ funding: WRONG }),
  'createPayment priority': payment({ priority: WRONG }),
  'createPayment retry': payment({ retry: WRONG }),
  'payments status': (tenant) => tenant.payments({ status: WRONG }),
  'payments approval': (tenant) => tenant.payments({ approval: WRONG }),
  'runPaymentsNow kind': (tenant) => tenant.runPaymentsNow({ kind: WRONG }, { limit: 1, reason: 'test' }),
  'deadLetters kind': (tenant) => tenant.deadLetters({ kind: WRONG }),
  'pause scope': (tenant) => tenant.pause(WRONG, '', 'test'),
};

test.each(Object.entries(OPTIONS))('%s takes no unknown word', async (_, ask) => {
  await expect(ask(store.tenant)).rejects.toMatchObject({
    name: 'Refusal',
    code: expect.stringMatching(/^(FIELD|PLAN|RETRY|RULE|PRIORITY|FUNDING)_INVALID$/),
  });
});
