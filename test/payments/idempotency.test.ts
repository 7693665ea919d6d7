// The same key is the same request: it is done once, and answered again. A key for another request is a mistake.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { Refusal } from '../../src/kernel/index.ts';
import { BulkRefusal } from '../../src/payments/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { changedBy, refusedUnchanged } from '../support/digest.ts';
import { gate } from '../support/gate.ts';
import { testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';

describe('an idempotency key', () => {
  const store = useUsance({ poolSize: 20 });
  const order = (from: string, amount = 10) => ({ from, to: 'payee', asset: 'USD', amount, delay: '1h' });
  const unchanged = (work: () => Promise<unknown>) => changedBy(store.owner, store.tenant.id, work);
  const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, store.tenant.id, work);
  const settledPayment = async (from: string, amount: number) => {
    const { id } = await store.tenant.createPayment({ ...order(from, amount), idempotencyKey: key() });
    await store.tenant.runPaymentNow(id);
    await testProcessor(store.db).drain();
    return id;
  };

  test('creates one payment, however often it is sent', async () => {
    await open(store.tenant, { payee: 0, creator: 100 });
    const create = () => store.tenant.createPayment({ ...order('creator'), idempotencyKey: 'create' });
    const first = await create();
    let again: unknown;
    expect(await unchanged(async () => (again = await create()))).toEqual([]);
    expect(again).toEqual(first);
    expect(await held(store.tenant, 'creator')).toEqual([90n, 10n]);
  });

  test('answers with the payment as it is now', async () => {
    const create = () => store.tenant.createPayment({ ...order('creator'), idempotencyKey: 'as it is' });
    const { id } = await create();
    await store.tenant.cancelPayment(id);
    expect(await create()).toMatchObject({ id, status: 'cancelled' });
  });

  test.each<[string, (tenant: TenantHandle) => Promise<unknown>]>([
    ['another amount', (tenant) => tenant.createPayment({ ...order('creator', 11), idempotencyKey: 'create' })],
    ['another verb', (tenant) => tenant.createPayments([order('creator')], { idempotencyKey: 'create' })],
    [
      'more detail',
      (tenant) => tenant.createPayment({ ...order('creator'), metadata: { a: 1 }, idempotencyKey: 'create' }),
    ],
    [
      'a deposit',
      (tenant) => tenant.deposit({ account: 'creator', asset: 'USD', amount: 1, idempotencyKey: 'create' }),
    ],
  ])('is refused for %s', async (_other, work) => {
    expect(await refused(() => work(store.tenant))).toBe('IDEMPOTENCY_MISMATCH');
  });

  test('of a refused request is free: only what was done is remembered', async () => {
    await open(store.tenant, { broke: 0 });
    const create = () => store.tenant.createPayment({ ...order('broke'), idempotencyKey: 'broke' });
    expect(await refused(create)).toBe('FUNDS_INSUFFICIENT');
    await store.tenant.deposit({ account: 'broke', asset: 'USD', amount: 10, idempotencyKey: key() });
    expect(await create()).toMatchObject({ status: 'scheduled' });
  });

  test("of one actor is not another's", async () => {
    const other = await store.usance.tenant('shop', { actor: 'somebody else' });
    const [mine, theirs] = [
      await store.tenant.createPayment({ ...order('creator'), idempotencyKey: 'shared' }),
      await other.createPayment({ ...order('creator'), idempotencyKey: 'shared' }),
    ];
    expect(theirs.id).not.toBe(mine.id);
  });

  test('repeats a bulk answer, refusals and all', async () => {
    await open(store.tenant, { bulk: 15 });
    const bulk = () => store.tenant.createPayments([order('bulk'), order('bulk')], { idempotencyKey: 'bulk' });
    const first = await bulk();
    expect(first).toMatchObject([{ payment: { amount: 10n } }, { refused: { code: 'FUNDS_INSUFFICIENT' } }]);
    await store.tenant.deposit({ account: 'bulk', asset: 'USD', amount: 100, idempotencyKey: key() });
    let again: unknown;
    expect(await unchanged(async () => (again = await bulk()))).toEqual([]);
    expect(again).toEqual(first);
    const other = () => store.tenant.createPayments([order('bulk'), order('bulk', 11)], { idempotencyKey: 'bulk' });
    expect(await refused(other)).toBe('IDEMPOTENCY_MISMATCH');
  });

  test('repeats the amounts of a refusal in a bulk answer', async () => {
    await open(store.tenant, { bound: 100 });
    await store.tenant.setLimit({ account: 'bound', asset: 'USD', maxAmount: 9 });
    const bulk = () => store.tenant.createPayments([order('bound')], { idempotencyKey: 'bound' });
    const first = await bulk();
    const fields = { max: { amount: 9n, asset: 'USD/2' }, amount: { amount: 10n, asset: 'USD/2' } };
    expect(first).toMatchObject([{ refused: { code: 'LIMIT_AMOUNT_EXCEEDED', fields } }]);
    expect(await bulk()).toEqual(first);
  });

  test('captures once', async () => {
    await open(store.tenant, { captor: 100 });
    const { id } = await store.tenant.createPayment({ ...order('captor', 100), idempotencyKey: key() });
    const capture = (amount: number) => store.tenant.capturePayment(id, { amount, idempotencyKey: 'capture' });
    const first = await capture(30);
    let again: unknown;
    expect(await unchanged(async () => (again = await capture(30)))).toEqual([]);
    expect(again).toEqual(first);
    expect(await refused(() => capture(31))).toBe('IDEMPOTENCY_MISMATCH');
    expect(await held(store.tenant, 'captor')).toEqual([0n, 70n]);
  });

  test('refunds once, and tells of the same refund again', async () => {
    await open(store.tenant, { refunder: 100 });
    const id = await settledPayment('refunder', 100);
    const refund = (amount: number) => store.tenant.refundPayment(id, { amount, idempotencyKey: 'refund' });
    const first = await refund(30);
    let again: unknown;
    expect(await unchanged(async () => (again = await refund(30)))).toEqual([]);
    expect(again).toEqual(first);
    await store.tenant.refundPayment(id, { amount: 5, idempotencyKey: key() });
    expect(await refund(30)).toMatchObject({ payment: { refunded: 35n }, refunds: [{ amount: 30n }] });
    expect(await refused(() => refund(31))).toBe('IDEMPOTENCY_MISMATCH');
    expect(await held(store.tenant, 'refunder')).toEqual([35n, 0n]);
  });

  /** Twenty at once, each asking again while its twin is running. */
  const twenty = <T>(work: () => Promise<T>): Promise<T[]> =>
    Promise.all(
      Array.from({ length: 20 }, async () => {
        for (;;) {
          try {
            return await work();
          } catch (error) {
            if (!(error instanceof Refusal && error.code === 'IDEMPOTENCY_RUNNING')) throw error;
          }
        }
      }),
    );

  test('does it once when twenty send it at once', async () => {
    await open(store.tenant, { crowd: 1_000 });
    const one = { ...order('crowd'), idempotencyKey: 'crowd create' };
    const created = await twenty(() => store.tenant.createPayment(one));
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    const bulk = await twenty(() => store.tenant.createPayments([order('crowd')], { idempotencyKey: 'crowd bulk' }));
    expect(
      new Set(bulk.map(([answer]) => JSON.stringify(answer && 'payment' in answer && answer.payment.id))).size,
    ).toBe(1);
    const id = created[0]?.id ?? '';
    await twenty(() => store.tenant.capturePayment(id, { amount: 4, idempotencyKey: 'crowd capture' }));
    expect(await held(store.tenant, 'crowd')).toEqual([980n, 16n]);
    await store.tenant.capturePayment(id, { idempotencyKey: key() });
    const refunds = await twenty(() => store.tenant.refundPayment(id, { amount: 3, idempotencyKey: 'crowd refund' }));
    expect(new Set(refunds.map(({ refunds: [refund] }) => refund?.id)).size).toBe(1);
    expect(await held(store.tenant, 'crowd')).toEqual([983n, 10n]);
  });

  test('whose request is still running is refused for now', async () => {
    const [arrived, go] = [gate(), gate()];
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      async onStatement(text) {
        if (!text.includes('insert into usance.payments')) return;
        arrived.open();
        await go.passed;
      },
    });
    onTestFinished(() => engine.close());
    const slow = await engine.tenant('shop');
    const one = { ...order('crowd'), idempotencyKey: 'slow' };
    const first = slow.createPayment(one);
    await arrived.passed;
    expect(await refusalOf(store.tenant.createPayment(one))).toBe('IDEMPOTENCY_RUNNING');
    go.open();
    const made = await first;
    expect(await store.tenant.createPayment(one)).toEqual(made);
  });

  test('keeps nothing of a request in which something was refused, though its work went on', async () => {
    await open(store.tenant, { careless: 100 });
    const work = () =>
      store.tenant.idempotently({ key: 'careless', fingerprint: 'f' }, async (verbs) => {
        const orders = [order('careless', 10), order('careless', 1_000)];
        await verbs.createPayments(orders, { idempotencyKey: 'request', atomic: true }).catch(() => undefined);
        return 'done';
      });
    expect(await changedBy(store.owner, store.tenant.id, () => work().catch(() => undefined))).toEqual([]);
    await expect(work()).rejects.toThrow(BulkRefusal);
  });

  test('answers a bulk with what is there, where its first try was undone and somebody else was quicker', async () => {
    await open(store.tenant, { undone: 100 });
    const bulk = (tenant: TenantHandle) => tenant.createPayments([order('undone')], { idempotencyKey: 'undone' });
    const ids = (created: Awaited<ReturnType<typeof bulk>>) =>
      created.map((one) => ('payment' in one ? one.payment.id : one.refused.code));
    let step: 'commit' | 'begin' | null = null;
    const other: { ids: string[] | undefined } = { ids: undefined };
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      async onStatement(text) {
        if (step === null || !text.startsWith(step)) return;
        const lost = step === 'commit';
        step = lost ? 'begin' : null;
        if (lost) throw Object.assign(new Error('could not serialize access'), { code: '40001' });
        [other.ids] = (await twenty(() => bulk(store.tenant))).map(ids);
      },
    });
    onTestFinished(() => engine.close());
    const unlucky = await engine.tenant('shop');
    step = 'commit';
    expect(ids(await bulk(unlucky))).toEqual(other.ids);
    expect(await held(store.tenant, 'undone')).toEqual([90n, 10n]);
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
