// No money moves before `execute_at`, whatever happened to the payment before: a failed attempt, an edit, a credit of its payer, an
// operator's fail and retry, a dead letter's retry. Run-now and capture are the exceptions, and each is somebody's explicit wish.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Payment } from '../../src/payments/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE, testProcessor } from '../support/processor.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';

const store = useUsance();
let people = 0;

/** A payment of a payer without funds that failed once. */
async function failedOnce(): Promise<Payment & { payer: string }> {
  const payer = `payer-${(people += 1)}`;
  await open(store.tenant, { [payer]: 0 });
  const order = { from: payer, to: 'shop', asset: 'USD', amount: 100, funding: 'at_execution' } as const;
  const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
  await testProcessor(store.db).drain();
  const payment = await store.tenant.payment(id);
  expect(payment).toMatchObject({ status: 'scheduled', attempts: 1, lastCode: 'FUNDS_INSUFFICIENT' });
  return { ...payment, payer };
}

const fund = (account: string) => store.tenant.deposit({ account, asset: 'USD', amount: 1_000, idempotencyKey: key() });
const statusOf = async (id: string) => (await store.tenant.payment(id)).status;
const ahead = (ms: number) => new Date(Date.now() + ms);

beforeAll(() => open(store.tenant, { shop: 0, rich: 1_000_000 }));

describe('a payment edited after a failed attempt', () => {
  test('does not run before its new instant, though its old retry comes', async () => {
    const { id, payer } = await failedOnce();
    const processor = testProcessor(store.db);
    await store.tenant.editPayment(id, { executeAt: ahead(DAY) });
    await fund(payer);
    processor.advance(HOUR);
    await processor.drain();
    expect(await statusOf(id)).toBe('scheduled');
    processor.advance(DAY);
    await processor.drain();
    expect(await statusOf(id)).toBe('settled');
  });

  test('is not woken before its new instant by a credit, and is by one after it', async () => {
    const { id, payer } = await failedOnce();
    await store.tenant.editPayment(id, { executeAt: ahead(DAY) });
    await fund(payer);
    await testProcessor(store.db).drain();
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 1 });
    await store.tenant.withdraw({ account: payer, asset: 'USD', amount: 1_000, idempotencyKey: key() });
    const processor = testProcessor(store.db);
    processor.advance(DAY + MINUTE);
    await processor.drain();
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 2 });
    await fund(payer);
    await processor.drain();
    expect(await statusOf(id)).toBe('settled');
  });

  test('keeps its retry where only its amount was edited', async () => {
    const { id, payer } = await failedOnce();
    await store.tenant.editPayment(id, { amount: 50 });
    await fund(payer);
    await testProcessor(store.db).drain();
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled', captured: 50n });
  });

  test('runs at once where its new instant is now', async () => {
    const { id, payer } = await failedOnce();
    await fund(payer);
    await store.tenant.editPayment(id, { executeAt: ahead(0) });
    await testProcessor(store.db).drain();
    expect(await statusOf(id)).toBe('settled');
  });
});

describe('a payment that an operator gave up on before its instant', () => {
  test.each([
    ['retried', (id: string) => store.tenant.retryPayment(id)],
    ['retried as a dead letter', (id: string) => store.tenant.retryDeadLetter(id)],
    ['retried with all others', () => store.tenant.retryDeadLetters({ code: 'FAILED_BY_OPERATOR' })],
  ])('and %s waits for its instant', async (_, again) => {
    const order = { from: 'rich', to: 'shop', asset: 'USD', amount: 100, delay: '1d' };
    const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
    await store.tenant.failPayment(id, 'by mistake');
    await again(id);
    const processor = testProcessor(store.db);
    await processor.drain();
    expect(await statusOf(id)).toBe('scheduled');
    processor.advance(DAY + MINUTE);
    await processor.drain();
    expect(await statusOf(id)).toBe('settled');
  });

  test('after it was run now, and retried, waits for its instant', async () => {
    const order = { from: 'rich', to: 'shop', asset: 'USD', amount: 100, delay: '1d' };
    const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
    await store.tenant.runPaymentNow(id);
    await store.tenant.failPayment(id, 'after all not');
    await store.tenant.retryPayment(id);
    await testProcessor(store.db).drain();
    expect(await statusOf(id)).toBe('scheduled');
  });

  test('after its instant, and retried, runs at once', async () => {
    const { id, payer } = await failedOnce();
    await store.tenant.failPayment(id, 'given up');
    await fund(payer);
    await store.tenant.retryPayment(id);
    await testProcessor(store.db).drain();
    expect(await statusOf(id)).toBe('settled');
  });
});

test('a payment that was run now without success waits for its instant, whatever its retries and credits', async () => {
  await open(store.tenant, { hasty: 0 });
  const order = {
    from: 'hasty',
    to: 'shop',
    asset: 'USD',
    amount: 100,
    funding: 'at_execution',
    delay: '10h',
  } as const;
  const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
  await store.tenant.runPaymentNow(id);
  const processor = testProcessor(store.db);
  await processor.drain();
  expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 1 });
  await processor.drainAfter(HOUR);
  expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 1 });
  await fund('hasty');
  await processor.drain();
  expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 1 });
  await processor.drainAfter(9 * HOUR + MINUTE);
  expect(await statusOf(id)).toBe('settled');
});

test('by a test clock neither an edited nor a retried payment runs before its instant', async () => {
  const own = await testTenant(store.usance);
  const { tenant } = own;
  await open(tenant, { ann: 0, ben: 1_000, shop: 0 });
  const order = { to: 'shop', asset: 'USD', amount: 100 } as const;
  const edited = await tenant.createPayment({ ...order, from: 'ann', funding: 'at_execution', idempotencyKey: key() });
  await advance(store.usance, own, after(MINUTE));
  await tenant.editPayment(edited.id, { executeAt: after(DAY) });
  const retried = await tenant.createPayment({ ...order, from: 'ben', executeAt: after(DAY), idempotencyKey: key() });
  await tenant.failPayment(retried.id, 'by mistake');
  await tenant.retryPayment(retried.id);
  await tenant.deposit({ account: 'ann', asset: 'USD', amount: 1_000, idempotencyKey: key() });
  const statuses = () => Promise.all([edited, retried].map(async ({ id }) => (await tenant.payment(id)).status));
  await advance(store.usance, own, after(DAY - 1));
  expect(await statuses()).toEqual(['scheduled', 'scheduled']);
  await advance(store.usance, own, after(DAY));
  expect(await statuses()).toEqual(['settled', 'settled']);
});

test('the books are right after all of it', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
