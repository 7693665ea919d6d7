// Callers without types: a verb that needs an idempotency key refuses an order without one, and changes nothing.
import { beforeAll, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';

const PAYMENT = { from: 'ann', to: 'ben', asset: 'USD', amount: 5 } as const;
const MONEY = { asset: 'USD', amount: 5 } as const;
const TERMS = { name: 'Gym', price: 5, asset: 'USD', receiver: 'ben', period: { frequency: 'MONTHLY' } } as const;
/** Orders as they come without a key. */
const unkeyed = <T>(order: T): T & { idempotencyKey: string } => order as T & { idempotencyKey: string };

type Verb = (tenant: TenantHandle, ids: Readonly<Record<string, string>>) => Promise<unknown>;
const VERBS: Readonly<Record<string, Verb>> = {
  deposit: (tenant) => tenant.deposit(unkeyed({ account: 'ann', ...MONEY })),
  withdraw: (tenant) => tenant.withdraw(unkeyed({ account: 'ann', ...MONEY })),
  transfer: (tenant) => tenant.transfer(unkeyed({ from: 'ann', to: 'ben', ...MONEY })),
  reserve: (tenant) => tenant.reserve(unkeyed({ account: 'ann', ...MONEY })),
  capture: (tenant, { reservation = '' }) => tenant.capture(unkeyed({ reservation, to: 'ben', amount: 1 })),
  release: (tenant, { reservation = '' }) => tenant.release(unkeyed({ reservation })),
  createPayment: (tenant) => tenant.createPayment(unkeyed(PAYMENT)),
  createPayments: (tenant) => tenant.createPayments([PAYMENT], unkeyed({})),
  capturePayment: (tenant, { held = '' }) => tenant.capturePayment(held, unkeyed({})),
  refundPayment: (tenant, { held = '' }) => tenant.refundPayment(held, unkeyed({})),
  createSchedule: (tenant) => tenant.createSchedule(unkeyed({ ...PAYMENT, rule: { frequency: 'DAILY' } })),
  triggerSchedule: (tenant, { schedule = '' }) => tenant.triggerSchedule(schedule, unkeyed({})),
  backfillSchedule: (tenant, { schedule = '' }) =>
    tenant.backfillSchedule(schedule, unkeyed({ start: '2020-01-01', end: '2020-01-02' })),
  subscribe: (tenant, { plan = '' }) => tenant.subscribe(unkeyed({ plan, payer: 'ann' })),
  changeSubscriptionPlan: (tenant, { plan = '', subscription = '' }) =>
    tenant.changeSubscriptionPlan(subscription, unkeyed({ plan })),
  idempotently: (tenant) =>
    tenant.idempotently({ fingerprint: 'f' } as { key: string; fingerprint: string }, async () => null),
  createPaymentGrouped: (tenant) =>
    tenant.createPaymentGrouped({ fingerprint: 'f' } as { key: string; fingerprint: string }, PAYMENT, () => null),
};

describe('without an idempotency key', () => {
  const store = useUsance();
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const { tenant } = store;
    await open(tenant, { ann: 1_000, ben: 0 });
    const idempotencyKey = key();
    ids['held'] = (await tenant.createPayment({ ...PAYMENT, delay: '1h', idempotencyKey })).id;
    ids['reservation'] = (await tenant.reserve({ account: 'ann', ...MONEY, idempotencyKey: key() })).reservation;
    const rule = { frequency: 'DAILY' } as const;
    ids['schedule'] = (await tenant.createSchedule({ ...PAYMENT, rule, idempotencyKey: key() })).id;
    ids['plan'] = (await tenant.createPlan(TERMS)).id;
    const order = { plan: ids['plan'], payer: 'ann', idempotencyKey: key() };
    ids['subscription'] = (await tenant.subscribe(order)).id;
  });

  test.each(Object.entries(VERBS))('%s is refused, and says which field is missing', async (_name, verb) => {
    const { tenant } = store;
    await expect(verb(tenant, ids)).rejects.toMatchObject({
      name: 'Refusal',
      code: 'IDEMPOTENCY_KEY_MISSING',
      param: 'idempotencyKey',
    });
    expect(await refusedUnchanged(store.owner, tenant.id, () => verb(tenant, ids))).toBe('IDEMPOTENCY_KEY_MISSING');
  });
});
