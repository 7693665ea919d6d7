// Underfunded payments wait for their payer: the next credit wakes those that it covers, oldest first, and no others.
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../src/engine.ts';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import { MINUTE, testProcessor } from '../support/processor.ts';

describe('an underfunded payment', () => {
  const store = useUsance();
  beforeAll(() => open(store.tenant, { payee: 0 }));
  const drain = () => testProcessor(store.db).drain();
  const wanting = async (from: string, amount: number, fields: Partial<PaymentOrder> = {}) => {
    const order = { from, to: 'payee', asset: 'USD', amount, funding: 'at_execution' as const, ...fields };
    return (await store.tenant.createPayment({ ...order, idempotencyKey: key() })).id;
  };
  const deposit = (account: string, amount: number) =>
    store.tenant.deposit({ account, asset: 'USD', amount, idempotencyKey: key() });
  const story = (ids: readonly string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const { status, attempts } = await store.tenant.payment(id);
        return `${status} after ${attempts}`;
      }),
    );

  test('is tried again as soon as its payer is credited enough', async () => {
    await open(store.tenant, { saver: 10 });
    const id = await wanting('saver', 100);
    await drain();
    expect(await story([id])).toEqual(['scheduled after 1']);
    await deposit('saver', 89);
    await drain();
    expect(await story([id]), 'not for too little').toEqual(['scheduled after 1']);
    await deposit('saver', 1);
    expect(await drain()).toMatchObject({ woken: 1, settled: 1 });
    expect(await story([id])).toEqual(['settled after 2']);
    expect(await held(store.tenant, 'saver')).toEqual([0n, 0n]);
  });

  test('is found behind a thousand older ones that the credit does not cover', async () => {
    await open(store.tenant, { throng: 0 });
    const order = { from: 'throng', to: 'payee', asset: 'USD', amount: 1_000, funding: 'at_execution' as const };
    await store.tenant.createPayments(
      Array.from({ length: 1_001 }, () => order),
      { idempotencyKey: key(), atomic: true },
    );
    const small = await wanting('throng', 10);
    await drain();
    expect(await story([small])).toEqual(['scheduled after 1']);
    await deposit('throng', 10);
    expect(await drain()).toMatchObject({ woken: 1, settled: 1 });
    expect(await story([small])).toEqual(['settled after 2']);
  });

  test('is watched when an edit puts it back on the waiting list', async () => {
    await open(store.tenant, { edited: 0 });
    const id = await wanting('edited', 100);
    await drain();
    // Off the list, and nobody else is on it, so that the balance is no longer watched after the next credit.
    await store.tenant.editPayment(id, { executeAt: new Date(Date.now() + 1_000) });
    await deposit('edited', 1);
    await drain();
    await store.tenant.editPayment(id, { executeAt: new Date() });
    await store.tenant.editPayment(id, { amount: 90 });
    expect(await troubles(store.usance)).toEqual([]);
    await deposit('edited', 100);
    await drain();
    expect((await store.tenant.payment(id)).status).toBe('settled');
  });

  test('is woken by the first money its payer ever has', async () => {
    await open(store.tenant, { newcomer: 0 });
    const id = await wanting('newcomer', 100);
    await drain();
    await deposit('newcomer', 100);
    expect(await drain()).toMatchObject({ woken: 1, settled: 1 });
    expect(await story([id])).toEqual(['settled after 2']);
  });

  test.each<[string, (from: string) => Promise<unknown>]>([
    [
      'a transfer',
      (to) => store.tenant.transfer({ from: 'rich', to, asset: 'USD', amount: 100, idempotencyKey: key() }),
    ],
    [
      'a payment that settles',
      (to) => store.tenant.createPayment({ from: 'rich', to, asset: 'USD', amount: 100, idempotencyKey: key() }),
    ],
    [
      'a hold that is cancelled',
      async (from) => {
        const hold = await store.tenant.payments({ account: from, status: 'scheduled', reference: `${from} hold` });
        await store.tenant.cancelPayment(hold[0]?.id ?? '');
      },
    ],
    [
      'a refund',
      async (from) => {
        const [paid] = await store.tenant.payments({ account: from, status: 'settled' });
        await store.tenant.refundPayment(paid?.id ?? '', { amount: 100, idempotencyKey: key() });
      },
    ],
  ])('is woken by %s', async (name, credit) => {
    const payer = `by-${name.replaceAll(' ', '-')}`;
    await open(store.tenant, { [payer]: 200, ...(name === 'a transfer' ? { rich: 10_000 } : {}) });
    const spend = { from: payer, to: 'payee', asset: 'USD', amount: 100 };
    await store.tenant.createPayment({ ...spend, idempotencyKey: key() });
    await store.tenant.createPayment({ ...spend, delay: '1h', reference: `${payer} hold`, idempotencyKey: key() });
    await drain();
    const id = await wanting(payer, 100);
    await drain();
    expect(await story([id])).toEqual(['scheduled after 1']);
    await credit(payer);
    await drain();
    expect(await story([id])).toEqual(['settled after 2']);
  });

  test('is woken only as far as the credit covers, oldest first', async () => {
    await open(store.tenant, { many: 0 });
    const ids = [];
    for (const amount of [30, 30, 50, 20, 30]) ids.push(await wanting('many', amount));
    await drain();
    await deposit('many', 85);
    expect(await drain()).toMatchObject({ woken: 3, settled: 3, retrying: 0 });
    expect(await story(ids)).toEqual([
      'settled after 2',
      'settled after 2',
      'scheduled after 1',
      'settled after 2',
      'scheduled after 1',
    ]);
    await deposit('many', 25);
    expect(await drain()).toMatchObject({ woken: 1, settled: 1 });
    await deposit('many', 50);
    expect(await drain()).toMatchObject({ woken: 1, settled: 1 });
    expect(await held(store.tenant, 'many')).toEqual([0n, 0n]);
  });

  test('of a thousand, a credit for one wakes one', async () => {
    await open(store.tenant, { crowd: 0 });
    const order = { from: 'crowd', to: 'payee', asset: 'USD', amount: 10, funding: 'at_execution' as const };
    await store.tenant.createPayments(
      Array.from({ length: 1_000 }, () => ({ ...order })),
      { idempotencyKey: key() },
    );
    await drain();
    await deposit('crowd', 15);
    expect(await drain()).toMatchObject({ woken: 1, settled: 1, claimed: 1 });
  });

  test('is not woken by a credit of another asset or another account', async () => {
    await store.tenant.createAsset('EUR/2');
    await open(store.tenant, { patient: 0, neighbour: 0 });
    const id = await wanting('patient', 10);
    await drain();
    await store.tenant.deposit({ account: 'patient', asset: 'EUR', amount: 100, idempotencyKey: key() });
    await deposit('neighbour', 100);
    expect(await drain()).toMatchObject({ woken: 0, claimed: 0 });
    expect(await story([id])).toEqual(['scheduled after 1']);
  });

  test('that was edited to less is woken by less', async () => {
    await open(store.tenant, { modest: 0 });
    const id = await wanting('modest', 100);
    await drain();
    await store.tenant.editPayment(id, { amount: 40 });
    await deposit('modest', 40);
    expect(await drain()).toMatchObject({ woken: 1, settled: 1 });
    expect(await story([id])).toEqual(['settled after 2']);
  });

  test('that meanwhile fails for another reason is not woken for nothing', async () => {
    await open(store.tenant, { payer: 0, shut: 0 });
    const id = await wanting('payer', 10, { to: 'shut' });
    const time = testProcessor(store.db);
    await time.drain();
    await store.tenant.suspendAccount('shut', 'look into it');
    await deposit('payer', 10);
    await time.drain();
    expect(await store.tenant.payment(id)).toMatchObject({ attempts: 2, lastCode: 'ACCOUNT_NOT_ACTIVE' });
    await deposit('payer', 10);
    expect(await time.drain()).toMatchObject({ woken: 0, claimed: 0 });
    await store.tenant.reactivateAccount('shut', 'fine');
    await time.drainAfter(2 * MINUTE);
    expect(await story([id])).toEqual(['settled after 3']);
  });

  test('that is cancelled or failed leaves the list', async () => {
    await open(store.tenant, { fickle: 0 });
    const ids = [await wanting('fickle', 10), await wanting('fickle', 10)];
    await drain();
    await store.tenant.cancelPayment(ids[0] ?? '');
    await store.tenant.failPayment(ids[1] ?? '', 'no');
    await deposit('fickle', 100);
    expect(await drain()).toMatchObject({ woken: 0, claimed: 0 });
    const waiting = await store.owner.query('select 1 from usance.waiting where payment_id = any ($1::uuid[])', [ids]);
    expect(waiting).toEqual([]);
  });

  test('is woken by a credit that commits while an earlier one is being looked at', async () => {
    await open(store.tenant, { slow: 0 });
    const id = await wanting('slow', 100);
    await drain();
    const [arrived, go] = [gate(), gate()];
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      async onStatement(text) {
        if (text !== 'commit') return;
        arrived.open();
        await go.passed;
      },
    });
    onTestFinished(() => engine.close());
    await deposit('slow', 50);
    const second = (await engine.tenant('shop')).deposit({
      account: 'slow',
      asset: 'USD',
      amount: 50,
      idempotencyKey: key(),
    });
    await arrived.passed;
    await drain();
    go.open();
    await second;
    expect(await drain()).toMatchObject({ woken: 1, settled: 1 });
    expect(await story([id])).toEqual(['settled after 2']);
  });

  test('stops watching when nobody waits any more', async () => {
    const { id } = await store.tenant.account('saver');
    const watched = () => store.owner.query('select watched from usance.balances where account_id = $1::uuid', [id]);
    expect(await watched()).toEqual([{ watched: true }]);
    await deposit('saver', 1);
    await drain();
    expect(await watched()).toEqual([{ watched: false }]);
    expect(await store.owner.query('select 1 from usance.balance_wakes')).toEqual([]);
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
