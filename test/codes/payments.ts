// Codes of payments, and of what keeps them from being made, changed or executed.
import { BulkRefusal } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { key } from '../support/books.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestApi } from '../api/api.ts';
import type { Cause } from './world.ts';
import { HOLD, fresh, funded, hold, made, nobodys, tried } from './world.ts';

const limited = async (store: TestApi, limit: object): Promise<string> => {
  const account = await funded(store);
  await store.send('POST /limits', { body: { account, asset: 'USD', ...limit } });
  return account;
};
/** A payment that needs a second person. */
const awaiting = async (store: TestApi): Promise<string> =>
  made(store, 'POST /payments', { ...HOLD, from: await limited(store, { approval_above: '1' }) });

const lastCode = async (store: TestApi, id: string): Promise<string> =>
  (await store.send(`GET /payments/${id}`)).word('last_error.code');

export const OF_PAYMENTS = {
  DELAY_INVALID: hold({ delay: 'tomorrow' }),
  DELAY_OUT_OF_RANGE: hold({ delay: '999999999d' }),
  EXPIRY_BEFORE_EXECUTION: hold({ expires_at: '2001-01-01T00:00:00Z' }),
  LEGS_INVALID: (store) =>
    store.send('POST /payments', { body: { ...HOLD, to: undefined, legs: [{ to: 'bob', amount: 1 }] } }),
  RECEIPT_ANCHOR_UNKNOWN: async (store) => {
    const id = await made(store, 'POST /payments', HOLD);
    return store.send(`GET /payments/${id}/receipt?anchor=999999`);
  },
  RETRY_INVALID: (store) => store.send('POST /payments', { body: { ...HOLD, retry: 'never' } }),
  BULK_TOO_LARGE: (store) => store.send('POST /payments/bulk', { body: { payments: [] } }),
  /** What is told of the one that was fit, where all or none are made. */
  async BATCH_ABORTED({ tenant }) {
    const { delay } = HOLD;
    const orders = ['bob', 'nobody'].map((to) => ({ from: 'alice', to, asset: 'USD', amount: 1, delay }));
    const error: unknown = await tenant
      .createPayments(orders, { idempotencyKey: key(), atomic: true })
      .catch((thrown: unknown) => thrown);
    const [first] = error instanceof BulkRefusal ? error.results : [];
    return first && 'refused' in first ? first.refused.code : 'not refused';
  },
  async REFERENCE_EXISTS(store) {
    await store.send('POST /holds', { body: { ...HOLD, reference: 'invoice' } });
    return store.send('POST /holds', { body: { ...HOLD, reference: 'invoice' } });
  },
  PAYMENT_NOT_FOUND: (store) => store.send(`GET /payments/${nobodys('payment')}`),
  async PAYMENT_OWNED(store) {
    const plan = { name: 'Club', price: '100', asset: 'USD', receiver: 'bob', months: 12 };
    const { id } = await store.tenant.createPlan({ ...plan, period: { frequency: 'MONTHLY' } });
    const { lastPaymentId } = await store.tenant.subscribe({ plan: id, payer: 'alice', idempotencyKey: key() });
    return store.send(`PATCH /payments/${toTypeId('payment', lastPaymentId ?? '')}`, { body: { amount: '1' } });
  },
  DEAD_LETTER_NOT_FOUND: (store) => store.send(`GET /dead-letters/${nobodys('payment')}`),
  async PAYMENT_STATE_CONFLICT(store) {
    return store.send(`POST /payments/${await tried(store)}/cancel`, { body: {} });
  },
  async PAYMENT_COUNT_MISMATCH(store) {
    await made(store, 'POST /holds', { ...HOLD, reference: 'one of them' });
    return store.send('POST /payments/run-now', { body: { filter: { reference: 'one of them' }, expect: 2 } });
  },
  async REFUND_EXCEEDS_PAYMENT(store) {
    return store.send(`POST /payments/${await tried(store)}/refund`, { body: { amount: '101' } });
  },
  async CAPTURE_EXCEEDS_HOLD(store) {
    return store.send(`POST /holds/${await made(store, 'POST /holds', HOLD)}/capture`, { body: { amount: '101' } });
  },

  async LIMIT_AMOUNT_EXCEEDED(store) {
    return store.send('POST /holds', { body: { ...HOLD, from: await limited(store, { max_amount: '99' }) } });
  },
  async LIMIT_DAILY_EXCEEDED(store) {
    return store.send('POST /holds', { body: { ...HOLD, from: await limited(store, { daily_amount: '99' }) } });
  },
  PAUSE_NOT_FOUND: (store) => store.send(`DELETE /pauses/${nobodys('pause')}`),
  async PAUSED(store) {
    await store.tenant.createAsset('EUR/2');
    await store.send('POST /pauses', { body: { scope: 'asset', value: 'EUR/2', reason: 'looked at' } });
    return store.send('POST /holds', { body: { ...HOLD, asset: 'EUR/2' } });
  },
  async APPROVAL_REQUIRED(store) {
    const from = await limited(store, { approval_above: '99' });
    return store.send(`POST /accounts/${from}/withdraw`, { body: { amount: '100', asset: 'USD' } });
  },
  async PAUSES_TOO_MANY(store) {
    const tenant = await store.usance.createTenant({ name: fresh('paused') });
    for (let n = 0; n < 100; n += 1) await tenant.pause('rail', `rail-${n}`, 'looked at');
    return refusalOf(tenant.pause('rail', 'rail-100', 'looked at'));
  },
  async APPROVAL_NEEDS_ANOTHER(store) {
    return store.send(`POST /payments/${await awaiting(store)}/approve`, { body: { terms_version: 1 } });
  },
  async APPROVAL_TERMS_CHANGED(store) {
    const id = await awaiting(store);
    const { secret } = await store.tenant.createApiKey({ name: 'second person', role: 'operator' });
    return store.send(`POST /payments/${id}/approve`, { body: { terms_version: 2 }, secret });
  },
  async APPROVAL_AWAITED(store) {
    return store.send(`POST /payments/${await awaiting(store)}/run-now`);
  },

  // Why an attempt failed: no answer to a request, but what is told of the payment.
  async FAILED_BY_OPERATOR(store) {
    const id = await made(store, 'POST /payments', HOLD);
    await store.send(`POST /payments/${id}/fail`, { body: { reason: 'never shipped' } });
    return lastCode(store, id);
  },
  async SIMULATED_FAILURE(store) {
    const failing = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, simulateFailures: 1 });
    const id = await made(store, 'POST /payments', { ...HOLD, delay: '0s' });
    await failing.loops.find(({ name }) => name === 'processor')?.runOnce();
    await failing.close();
    return lastCode(store, id);
  },
  /** The database refuses what the program was sure of. */
  async UNEXPECTED(store) {
    await store.owner.query(
      `create function public.poison() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$;
       create trigger poison before insert on usance.transfers for each row when (new.amount = 666)
       execute function public.poison()`,
    );
    return lastCode(store, await tried(store, { amount: '666' }));
  },
} satisfies Record<string, Cause>;
