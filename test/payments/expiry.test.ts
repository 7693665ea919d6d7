// A scheduled payment ends at `expires_at`, whatever is in its way: a pause, a freeze, an approval that nobody gave, processors that
// were all away. After it no money moves and no verb brings it back; what was set aside is free again.
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import type { Payment, PaymentOrder } from '../../src/payments/index.ts';
import { freeze, held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE, SECOND, testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';

const store = useUsance();
let people = 0;
const ahead = (ms: number) => new Date(Date.now() + ms);

/** Of 1.00, due in a minute and over in two, by a payer with 10.00. */
async function expiring(order: Partial<PaymentOrder> = {}): Promise<Payment & { payer: string }> {
  const payer = `payer-${(people += 1)}`;
  await open(store.tenant, { [payer]: 1_000 });
  const terms = { from: payer, to: 'shop', asset: 'USD', amount: 100, delay: 60, expiresAt: ahead(2 * MINUTE) };
  return { ...(await store.tenant.createPayment({ ...terms, ...order, idempotencyKey: key() })), payer };
}

const lastOf = async (tenant: TenantHandle, id: string) => (await tenant.timeline(id)).at(-1);
async function expectExpired({ id, payer }: { id: string; payer: string }, reason = 'expires_at'): Promise<void> {
  expect(await store.tenant.payment(id)).toMatchObject({ status: 'expired', captured: 0n });
  expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
  expect(await lastOf(store.tenant, id)).toMatchObject({ type: 'payment.expired', data: { reason } });
}

beforeAll(async () => {
  await open(store.tenant, { shop: 0 });
});

describe('a payment expires at its instant, and is not paid after it,', () => {
  test.each(['reserve', 'at_execution'] as const)(
    'where every processor was away until then, funded by %s',
    async (funding) => {
      const payment = await expiring({ funding });
      await testProcessor(store.db).drainAfter(HOUR);
      await expectExpired(payment);
    },
  );

  test('in a batch with others that are foreseen to settle', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => expiring()));
    const others = await Promise.all(Array.from({ length: 5 }, () => expiring({ expiresAt: ahead(DAY) })));
    await testProcessor(store.db).drainAfter(HOUR);
    for (const payment of made) await expectExpired(payment);
    for (const { id } of others) expect((await store.tenant.payment(id)).status).toBe('settled');
  });

  test('while outgoing payments are paused', async () => {
    const payment = await expiring();
    const processor = testProcessor(store.db);
    await store.tenant.pause('asset', 'USD/2', 'a look at it');
    await processor.drainAfter(MINUTE + 55 * SECOND);
    expect(await store.tenant.payment(payment.id)).toMatchObject({ status: 'scheduled', attempts: 0 });
    await processor.drainAfter(6 * SECOND);
    await expectExpired(payment);
    await store.tenant.liftPause('asset', 'USD/2');
    await processor.drainAfter(HOUR);
    await expectExpired(payment);
  });

  test('while its asset is frozen', async () => {
    await store.tenant.createAsset('EUR/2');
    await store.tenant.openAccount({ ref: 'frozen' });
    await store.tenant.deposit({ account: 'frozen', asset: 'EUR', amount: 1_000, idempotencyKey: key() });
    const order = { from: 'frozen', to: 'shop', asset: 'EUR', amount: 100, delay: 60, expiresAt: ahead(2 * MINUTE) };
    const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
    await freeze(store.owner, store.tenant.id, 'EUR/2');
    const processor = testProcessor(store.db);
    await processor.drainAfter(MINUTE + 50 * SECOND);
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0 });
    await processor.drainAfter(11 * SECOND);
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'expired' });
    expect(await held(store.tenant, 'frozen', 'EUR/2')).toEqual([1_000n, 0n]);
  });

  test('although it was to run now', async () => {
    const payment = await expiring();
    await store.tenant.runPaymentNow(payment.id);
    await testProcessor(store.db).drainAfter(HOUR);
    await expectExpired(payment);
  });
});

describe('a payment that awaits approval', () => {
  const awaiting = async (order: Partial<PaymentOrder> = {}) => {
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 50 });
    const payment = await expiring(order);
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: null });
    expect(payment).toMatchObject({ approval: 'awaited' });
    return payment;
  };
  const other = () => store.usance.tenant('shop', { actor: 'cli:kim' });

  test('expires at its instant', async () => {
    const payment = await awaiting();
    await testProcessor(store.db).drainAfter(2 * MINUTE);
    await expectExpired(payment);
  });

  test('expires after seven days where it has no other end, and its funds are free again', async () => {
    const payer = `payer-${(people += 1)}`;
    await open(store.tenant, { [payer]: 1_000 });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 50 });
    const order = { from: payer, to: 'shop', asset: 'USD', amount: 100 };
    const payment = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: null });
    expect(payment.approvalUntil).toEqual(new Date(payment.createdAt.getTime() + 7 * DAY));
    const processor = testProcessor(store.db);
    await processor.drainAfter(7 * DAY - MINUTE);
    expect(await store.tenant.payment(payment.id)).toMatchObject({ status: 'scheduled', approval: 'awaited' });
    await processor.drainAfter(2 * MINUTE);
    await expectExpired({ ...payment, payer }, 'approval_not_given');
  });

  test('awaits it as long as the engine is told', async () => {
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, approvalWithinMs: HOUR });
    onTestFinished(() => engine.close());
    const tenant = await engine.tenant('shop');
    await tenant.setLimit({ asset: 'USD', approvalAbove: 50 });
    await open(tenant, { hurried: 1_000 });
    const order = { from: 'hurried', to: 'shop', asset: 'USD', amount: 100, delay: '2h' };
    const { id } = await tenant.createPayment({ ...order, idempotencyKey: key() });
    await tenant.setLimit({ asset: 'USD', approvalAbove: null });
    await testProcessor(store.db).drainAfter(HOUR + MINUTE);
    await expectExpired({ id, payer: 'hurried' }, 'approval_not_given');
  });

  test('approved in time does not end with the time for approval', async () => {
    const payment = await awaiting({ expiresAt: ahead(30 * DAY) });
    await (await other()).approvePayment(payment.id, { termsVersion: payment.termsVersion });
    await testProcessor(store.db).drainAfter(8 * DAY);
    expect((await store.tenant.payment(payment.id)).status).toBe('settled');
  });

  test('is not approved after it ended, although no processor has come by', async () => {
    const payment = await awaiting({ expiresAt: ahead(MINUTE + SECOND) });
    await passed(payment.id);
    const approved = (await other()).approvePayment(payment.id, { termsVersion: payment.termsVersion });
    expect(await refusalOf(approved)).toBe('PAYMENT_STATE_CONFLICT');
    await testProcessor(store.db).drain();
    expect((await store.tenant.payment(payment.id)).status).toBe('expired');
  });
});

/** Puts the instants of a payment an hour back, as if nobody had come by for that long. */
async function passed(id: string): Promise<void> {
  await store.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.payments set execute_at = execute_at - interval '1 hour', expires_at = expires_at - interval '1 hour'
     where id = '${id}';
     update usance.due set due_at = due_at - interval '1 hour' where payment_id = '${id}'; commit`,
  );
}

describe('after its end, and before a processor comes by, a payment', () => {
  test.each([
    ['run now', (id: string) => store.tenant.runPaymentNow(id)],
    ['captured', (id: string) => store.tenant.capturePayment(id, { idempotencyKey: key() })],
    ['edited', (id: string) => store.tenant.editPayment(id, { amount: 50 })],
    ['given other metadata', (id: string) => store.tenant.editPayment(id, { metadata: { late: true } })],
    ['moved', (id: string) => store.tenant.editPayment(id, { executeAt: ahead(HOUR) })],
    ['extended', (id: string) => store.tenant.extendPayment(id, ahead(HOUR))],
  ])('cannot be %s', async (_, verb) => {
    const payment = await expiring();
    await passed(payment.id);
    expect(await refusalOf(verb(payment.id))).toBe('PAYMENT_STATE_CONFLICT');
    await testProcessor(store.db).drain();
    await expectExpired(payment);
  });

  test('is left out by a run of all that a filter finds', async () => {
    const payment = await expiring();
    await passed(payment.id);
    expect(await store.tenant.runPaymentsNow({ account: payment.payer }, { expect: 0 })).toEqual({
      payments: [],
      refused: [],
      found: 0,
      remaining: 0,
    });
  });

  test('can be given up', async () => {
    const [one, two] = [await expiring(), await expiring()];
    await passed(one.id);
    await passed(two.id);
    expect(await store.tenant.cancelPayment(one.id)).toMatchObject({ status: 'cancelled' });
    expect(await store.tenant.failPayment(two.id, 'late')).toMatchObject({ status: 'failed' });
    expect(await refusalOf(store.tenant.retryPayment(two.id))).toBe('PAYMENT_STATE_CONFLICT');
    expect(await refusalOf(store.tenant.retryDeadLetter(two.id))).toBe('PAYMENT_STATE_CONFLICT');
  });
});

test('by a test clock a payment expires at its instant while paused and while it awaits approval', async () => {
  const own = await testTenant(store.usance);
  const { tenant } = own;
  await open(tenant, { ann: 1_000, shop: 0 });
  const order = { from: 'ann', to: 'shop', asset: 'USD', amount: 100, executeAt: after(HOUR), expiresAt: after(DAY) };
  const paused = await tenant.createPayment({ ...order, idempotencyKey: key() });
  await tenant.setLimit({ asset: 'USD', approvalAbove: 50 });
  const awaited = await tenant.createPayment({ ...order, idempotencyKey: key() });
  const endless = await tenant.createPayment({
    from: 'ann',
    to: 'shop',
    asset: 'USD',
    amount: 100,
    idempotencyKey: key(),
  });
  await tenant.pause('asset', 'USD/2', 'a look at it');
  await advance(store.usance, own, after(8 * DAY));
  const ends = await Promise.all([paused, awaited, endless].map(({ id }) => lastOf(tenant, id)));
  expect(ends).toMatchObject([
    { type: 'payment.expired', at: after(DAY), data: { reason: 'expires_at' } },
    { type: 'payment.expired', at: after(DAY), data: { reason: 'expires_at' } },
    { type: 'payment.expired', at: after(7 * DAY), data: { reason: 'approval_not_given' } },
  ]);
  expect(await held(tenant, 'ann')).toEqual([1_000n, 0n]);
});

test('the books are right after all of it', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
