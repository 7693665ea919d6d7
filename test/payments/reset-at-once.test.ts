// Bulk resets of retries that run at the same time: each payment is made due once and has one event, and no call makes a payment due that
// the processor tried after the call had found it.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Payment, TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import type { RanNow } from '../../src/payments/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import type { Gate } from '../support/gate.ts';
import { gate } from '../support/gate.ts';
import { testProcessor } from '../support/processor.ts';

describe('bulk resets at once', () => {
  const store = useUsance();
  const order = { asset: 'USD', amount: 50, funding: 'at_execution', to: 'shop' } as const;

  let payers = 0;

  beforeAll(async () => {
    await open(store.tenant, { shop: 0 });
  });

  /** Payments that have failed once and are tried again later. */
  async function failing(count: number): Promise<Payment[]> {
    const from = `payer-${(payers += 1)}`;
    await open(store.tenant, { [from]: 0 });
    const made: Payment[] = [];
    for (let n = 0; n < count; n += 1)
      made.push(await store.tenant.createPayment({ ...order, from, idempotencyKey: key() }));
    await testProcessor(store.db).run();
    return made;
  }

  const runNowOf = async ({ id }: Payment): Promise<number> =>
    (await store.tenant.timeline(id)).filter(({ type }) => type === 'payment.run_now').length;

  /** A bulk reset that has found its payments and stops before it locks them; meanwhile `other` runs. */
  async function whileStopped(filter: object, other: () => Promise<unknown>): Promise<RanNow> {
    const arrived: Gate = gate();
    const go: Gate = gate();
    const usance = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      async onStatement(text) {
        if (!/usance\.due d.*for update of d/s.test(text)) return;
        arrived.open();
        await go.passed;
      },
    });
    try {
      const tenant: TenantHandle = await usance.tenant('shop');
      const stopped = tenant.runPaymentsNow(filter, { limit: 100 });
      await arrived.passed;
      await other();
      go.open();
      return await stopped;
    } finally {
      await usance.close();
    }
  }

  test('tell of each payment once that it was made due', async () => {
    const payments = await failing(3);
    const filter = { retries: true, from: payments[0]?.payerId ?? '' };
    const second = await whileStopped(filter, () => store.tenant.runPaymentsNow(filter, { expect: 3 }));
    expect(second).toMatchObject({ refused: [], found: 3 });
    expect(second.payments).toHaveLength(3);
    for (const payment of payments) expect(await runNowOf(payment)).toBe(1);
  });

  test('do not make a payment due again that the processor tried meanwhile', async () => {
    const payments = await failing(2);
    const filter = { retries: true, from: payments[0]?.payerId ?? '' };
    const second = await whileStopped(filter, async () => {
      await store.tenant.runPaymentsNow(filter, { expect: 2 });
      await testProcessor(store.db).run();
    });
    expect(second.payments).toEqual([]);
    expect(second.refused.map(({ id, code }) => ({ id, code }))).toEqual(
      payments.map(({ id }) => ({ id, code: 'PAYMENT_STATE_CONFLICT' })),
    );
    await testProcessor(store.db).run();
    for (const payment of payments) {
      expect(await store.tenant.payment(payment.id)).toMatchObject({ attempts: 2 });
      expect(await runNowOf(payment)).toBe(1);
    }
  });

  test('leave a payment alone that the filter no longer finds', async () => {
    const [payment] = (await failing(1)) as [Payment];
    const filter = { retries: true, from: payment.payerId, executeBefore: new Date(Date.now() + 60_000) };
    const executeAt = new Date(Date.now() + 3_600_000);
    const second = await whileStopped(filter, () => store.tenant.editPayment(payment.id, { executeAt }));
    expect(second).toMatchObject({ payments: [], refused: [{ id: payment.id, code: 'PAYMENT_STATE_CONFLICT' }] });
    expect(await runNowOf(payment)).toBe(0);
  });

  test('a payment that is due already is run now without a second event', async () => {
    const [payment] = (await failing(1)) as [Payment];
    await store.tenant.runPaymentNow(payment.id);
    await store.tenant.runPaymentNow(payment.id);
    expect(await runNowOf(payment)).toBe(1);
  });
});
