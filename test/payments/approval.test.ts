// Above a set amount nothing moves before a second person agrees.
import { beforeAll, describe, expect, test } from 'vitest';
import { asDate } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { HOUR, MINUTE, testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';

describe('a payment above the amount that needs approval', () => {
  const store = useUsance();
  const people: { jo?: TenantHandle; kim?: TenantHandle } = {};
  const person = (name: 'jo' | 'kim'): TenantHandle => people[name] ?? store.tenant;
  const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, store.tenant.id, work);
  const create = (order: Partial<PaymentOrder> = {}) =>
    person('jo').createPayment({ from: 'ann', to: 'ben', asset: 'USD', amount: 501, ...order, idempotencyKey: key() });
  const types = async (id: string) => (await store.tenant.timeline(id)).map((entry) => entry.type);
  /** Of its due row. */
  const dueAt = async (id: string): Promise<Date> => {
    const [row] = await store.owner.query(`select due_at from usance.due where payment_id = $1::uuid`, [id]);
    return asDate(row?.['due_at']);
  };
  const fund = (amount: number) =>
    store.tenant.deposit({ account: 'ann', asset: 'USD', amount, idempotencyKey: key() });

  beforeAll(async () => {
    await open(store.tenant, { ann: 100_000, ben: 0, cem: 0, poor: 0 });
    people.jo = await store.usance.tenant('shop', { actor: 'cli:jo' });
    people.kim = await store.usance.tenant('shop', { actor: 'cli:kim' });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
  });

  test('waits with its funds set aside, and runs once it is approved', async () => {
    const before = await held(store.tenant, 'ben');
    const payment = await create();
    expect(payment).toMatchObject({ status: 'scheduled', approval: 'awaited', termsVersion: 1, termsBy: [] });
    const processor = testProcessor(store.db);
    processor.advance(150 * HOUR);
    await processor.drain();
    expect(await store.tenant.payment(payment.id)).toMatchObject({ status: 'scheduled', attempts: 0 });

    expect(await person('kim').approvePayment(payment.id, { termsVersion: 1, reason: 'seen the bill' })).toMatchObject({
      approval: 'given',
    });
    await testProcessor(store.db).drain();
    expect(await store.tenant.payment(payment.id)).toMatchObject({ status: 'settled', attempts: 1 });
    expect(await held(store.tenant, 'ben')).toEqual([before[0] + 501n, 0n]);
    expect(await types(payment.id)).toEqual([
      'payment.created',
      'payment.approval_requested',
      'payment.approved',
      'payment.settled',
    ]);
    expect((await store.tenant.timeline(payment.id))[2]).toMatchObject({ actor: 'cli:kim', cause: 'seen the bill' });
  });

  test('up to that amount needs nobody', async () => {
    expect(await create({ amount: 500 })).toMatchObject({ approval: null });
  });

  test('is not decided by its creator', async () => {
    const { id } = await create();
    expect(await refused(() => person('jo').approvePayment(id, { termsVersion: 1 }))).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await refused(() => person('jo').rejectPayment(id, 'no'))).toBe('APPROVAL_NEEDS_ANOTHER');
    await person('jo').cancelPayment(id);
    expect(await refused(() => person('kim').approvePayment(id, { termsVersion: 1 }))).toBe('PAYMENT_STATE_CONFLICT');
  });

  test('rejected is cancelled, and its funds are free again', async () => {
    const [available] = await held(store.tenant, 'ann');
    const { id } = await create();
    expect(await refused(() => person('kim').rejectPayment(id, '  '))).toBe('FIELD_INVALID');
    expect(await person('kim').rejectPayment(id, 'who is that?')).toMatchObject({
      status: 'cancelled',
      released: 501n,
    });
    expect((await held(store.tenant, 'ann'))[0]).toBe(available);
    expect(await types(id)).toEqual(['payment.created', 'payment.approval_requested', 'payment.rejected']);
  });

  test('is not captured or run early meanwhile', async () => {
    const { id } = await create({ delay: '1h' });
    expect(await refused(() => store.tenant.capturePayment(id, { idempotencyKey: key() }))).toBe('APPROVAL_AWAITED');
    expect(await refused(() => store.tenant.runPaymentNow(id))).toBe('APPROVAL_AWAITED');
    const dry = await store.tenant.runPaymentsNow({ account: 'ann' }, { dryRun: true });
    expect(dry.payments.map((payment) => payment.id)).not.toContain(id);
    expect(dry.refused).toContainEqual(expect.objectContaining({ id, code: 'APPROVAL_AWAITED' }));
    await person('kim').approvePayment(id, { termsVersion: 1 });
    expect(await person('kim').capturePayment(id, { idempotencyKey: key() })).toMatchObject({ status: 'settled' });
  });

  test('keeps its instant when it is approved before it', async () => {
    const { id } = await create({ delay: '1h' });
    await person('kim').approvePayment(id, { termsVersion: 1 });
    const processor = testProcessor(store.db);
    await processor.drain();
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0 });
    processor.advance(HOUR);
    await processor.drain();
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled' });
  });

  test('is what an edit makes of a smaller one, and of one that was approved', async () => {
    const { id } = await create({ amount: 400, delay: '1h' });
    expect(await person('kim').editPayment(id, { amount: 600 })).toMatchObject({ approval: 'awaited' });
    expect(await refused(() => person('kim').approvePayment(id, { termsVersion: 1 }))).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await refused(() => person('jo').approvePayment(id, { termsVersion: 1 }))).toBe('APPROVAL_NEEDS_ANOTHER');
    await store.tenant.approvePayment(id, { termsVersion: 2 });
    expect(await person('kim').editPayment(id, { amount: 550 })).toMatchObject({ approval: 'given' });
    expect(await person('kim').editPayment(id, { amount: 551 })).toMatchObject({ approval: 'awaited' });
  });

  test('is not decided by who raised it, though somebody else changed its metadata since', async () => {
    const { id } = await create({ amount: 400, delay: '1h' });
    await person('kim').editPayment(id, { amount: 600 });
    const noted = await store.tenant.editPayment(id, { metadata: { seen: 'by the shop' } });
    expect(noted).toMatchObject({
      approval: 'awaited',
      termsVersion: 2,
      termsBy: ['cli:kim'],
      metadata: { seen: 'by the shop' },
    });
    expect(await refused(() => person('kim').approvePayment(id, { termsVersion: 1 }))).toBe('APPROVAL_NEEDS_ANOTHER');
    await store.tenant.approvePayment(id, { termsVersion: 2 });
  });

  test('waits again after it failed unapproved and was retried', async () => {
    const { id } = await create();
    await store.tenant.failPayment(id, 'by mistake');
    expect(await store.tenant.retryPayment(id)).toMatchObject({ status: 'scheduled', approval: 'awaited' });
    await testProcessor(store.db).drain();
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0 });
  });

  test('is not woken by a credit', async () => {
    const order = { from: 'poor', amount: 100, funding: 'at_execution' as const };
    const { id } = await create(order);
    await testProcessor(store.db).drain();
    expect(await store.tenant.payment(id)).toMatchObject({ lastCode: 'FUNDS_INSUFFICIENT' });
    await person('jo').editPayment(id, { amount: 600 });
    await store.tenant.deposit({ account: 'poor', asset: 'USD', amount: 5_000, idempotencyKey: key() });
    const processor = testProcessor(store.db);
    processor.advance(HOUR);
    await processor.drain();
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', approval: 'awaited', attempts: 1 });
  });

  test('stays out of reach of a wake that had seen it waiting before it was asked for', async () => {
    await open(store.tenant, { woken: 0 });
    const { id, payerId } = await create({ from: 'woken', funding: 'at_execution' });
    await store.owner.query(
      `insert into usance.waiting (tenant_id, payment_id, account_id, asset, amount)
       values ($1::uuid, $2::uuid, $3::uuid, 'USD/2', 501)`,
      [store.tenant.id, id, payerId],
    );
    await store.owner.query(
      `insert into usance.balances (tenant_id, account_id, asset, watched) values ($1::uuid, $2::uuid, 'USD/2', true)
       on conflict (account_id, asset, tenant_id) do update set watched = true`,
      [store.tenant.id, payerId],
    );
    await store.tenant.deposit({ account: 'woken', asset: 'USD', amount: 5_000, idempotencyKey: key() });
    await testProcessor(store.db).drain();
    expect(await dueAt(id)).toEqual((await store.tenant.payment(id)).approvalUntil);
    await store.tenant.cancelPayment(id);
    await store.owner.query(`delete from usance.waiting where payment_id = $1::uuid`, [id]);
  });

  test('is due to expire where its expiry is moved to, and no later than it is awaited', async () => {
    const { id } = await create({ from: 'poor', amount: 100_000, funding: 'at_execution', delay: 1 });
    await store.tenant.approvePayment(id, { termsVersion: 1 });
    await testProcessor(store.db).drainAfter(2 * MINUTE);
    await person('jo').editPayment(id, { amount: 100_001 });
    const soon = new Date(Date.now() + HOUR);
    await store.tenant.extendPayment(id, soon);
    expect(await dueAt(id)).toEqual(soon);
    const { approvalUntil } = await store.tenant.extendPayment(id, new Date(Date.now() + 1_000 * HOUR));
    expect(await dueAt(id)).toEqual(approvalUntil);
  });

  test('is settled by no statement, not even one of ours', async () => {
    const { id } = await create();
    const settle = store.owner.query(
      `update usance.payments set status = 'settled', captured = amount, ended_at = now() where id = $1::uuid`,
      [id],
    );
    await expect(settle).rejects.toThrow('payments_settled_was_approved');
  });

  test('approved by many at once is approved once, and paid once', async () => {
    const before = (await held(store.tenant, 'cem'))[0];
    const { id } = await create({ to: 'cem' });
    const said = await Promise.all(
      Array.from({ length: 20 }, () => refusalOf(person('kim').approvePayment(id, { termsVersion: 1 }))),
    );
    expect(said.toSorted()).toEqual(
      ['not refused', ...Array.from({ length: 19 }, () => 'PAYMENT_STATE_CONFLICT')].toSorted(),
    );
    await testProcessor(store.db).drain();
    expect((await held(store.tenant, 'cem'))[0]).toBe(before + 501n);
  });

  test('is found by asking for what is awaited; a limit of an account counts too', async () => {
    await store.tenant.setLimit({ asset: 'USD', account: 'ann', approvalAbove: 100 });
    const { id } = await create({ amount: 101 });
    const awaited = await store.tenant.payments({ approval: 'awaited', status: 'scheduled' });
    expect(awaited[0]?.id).toBe(id);
    expect(await store.tenant.limits()).toMatchObject([
      { accountId: null, approvalAbove: 500n },
      { approvalAbove: 100n },
    ]);
    await store.tenant.setLimit({ asset: 'USD', account: 'ann', approvalAbove: null });
    const free = { from: 'ann', to: 'ben', asset: 'USD', amount: 101, idempotencyKey: key() };
    expect(await store.tenant.createPayment(free)).toMatchObject({ approval: null });
    await fund(1);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
