// Which verb may be used in which state: every pair is tried, and what is not allowed changes nothing.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { PAYMENT_MOVES } from '../../src/payments/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { DAY, HOUR, testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';

type Verb = (tenant: TenantHandle, id: string) => Promise<unknown>;

const VERBS: Record<string, Verb> = {
  cancel: (tenant, id) => tenant.cancelPayment(id),
  capture: (tenant, id) => tenant.capturePayment(id, { amount: 1, idempotencyKey: key() }),
  edit: (tenant, id) => tenant.editPayment(id, { amount: 5 }),
  extend: (tenant, id) => tenant.extendPayment(id, new Date(Date.now() + 2 * DAY)),
  'run now': (tenant, id) => tenant.runPaymentNow(id),
  fail: (tenant, id) => tenant.failPayment(id, 'a reason'),
  refund: (tenant, id) => tenant.refundPayment(id, { amount: 1, idempotencyKey: key() }),
  retry: (tenant, id) => tenant.retryPayment(id),
};

const ALLOWED: Record<string, readonly string[]> = {
  scheduled: ['cancel', 'capture', 'edit', 'extend', 'run now', 'fail'],
  settled: ['refund'],
  failed: ['retry'],
  cancelled: [],
  expired: [],
};

describe('in each state', () => {
  const store = useUsance();

  /** A payment that has come to the state. */
  const bring = async (state: string): Promise<string> => {
    const { tenant } = store;
    const order = { from: 'payer', to: 'payee', asset: 'USD', amount: 10, delay: '1h', idempotencyKey: key() };
    if (state === 'expired') {
      const { id } = await tenant.createPayment({
        ...order,
        amount: 10_000,
        funding: 'at_execution',
        expiresAt: soon(),
      });
      await testProcessor(store.db).drainAfter(5 * HOUR);
      return id;
    }
    const { id } = await tenant.createPayment(order);
    if (state === 'settled') await tenant.capturePayment(id, { idempotencyKey: key() });
    if (state === 'failed') await tenant.failPayment(id, 'for the test');
    if (state === 'cancelled') await tenant.cancelPayment(id);
    return id;
  };
  const soon = (): Date => new Date(Date.now() + 2 * HOUR);

  test.each(Object.keys(ALLOWED))('%s: every verb is allowed or refused', async (state) => {
    if (state === 'scheduled') await open(store.tenant, { payer: 1_000, payee: 1_000 });
    for (const [name, verb] of Object.entries(VERBS)) {
      const id = await bring(state);
      expect(await store.tenant.payment(id)).toMatchObject({ status: state });
      const outcome = ALLOWED[state]?.includes(name)
        ? await refusalOf(verb(store.tenant, id))
        : await refusedUnchanged(store.owner, store.tenant.id, () => verb(store.tenant, id));
      expect(outcome, `${name} of a ${state} payment`).toBe(
        ALLOWED[state]?.includes(name) ? 'not refused' : 'PAYMENT_STATE_CONFLICT',
      );
    }
  });

  test.each(Object.keys(VERBS))('%s of a payment that does not exist is refused', async (name) => {
    const other = await store.usance.createTenant({ name: `other-${name.replace(' ', '')}` });
    const elsewhere = await bring('scheduled');
    const verb = VERBS[name] ?? (() => Promise.resolve());
    const refused = (tenant: TenantHandle, id: string) =>
      refusedUnchanged(store.owner, store.tenant.id, () => verb(tenant, id));
    expect(await refused(store.tenant, '01a0ffff-0000-7000-8000-000000000000')).toBe('PAYMENT_NOT_FOUND');
    expect(await refused(store.tenant, 'nonsense')).toBe('PAYMENT_NOT_FOUND');
    expect(await refused(other, elsewhere)).toBe('PAYMENT_NOT_FOUND');
  });

  test('refunding or retrying what is scheduled locks no balance: a settlement may have it', async () => {
    const seen: string[] = [];
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, onStatement: (text) => void seen.push(text) });
    onTestFinished(() => engine.close());
    const tenant = await engine.tenant('shop');
    const id = await bring('scheduled');
    for (const name of ['refund', 'retry']) await refusalOf(VERBS[name]?.(tenant, id) ?? Promise.resolve());
    expect(seen.filter((text) => text.includes('usance.payments'))).toHaveLength(2);
    expect(seen.filter((text) => text.includes('usance.balances'))).toEqual([]);
  });

  test('the table of moves is the same in the database', async () => {
    const rows = await store.db.query('select from_status, to_status from usance.payment_moves');
    const stored = rows.map((row) => `${String(row['from_status'])} ${String(row['to_status'])}`).toSorted();
    const own = Object.entries(PAYMENT_MOVES).flatMap(([from, moves]) => moves.map((to) => `${from} ${to}`));
    expect(stored).toEqual(own.toSorted());
  });

  test('the database refuses every other move, and other terms of a payment that ended', async () => {
    const [settled, cancelled] = [await bring('settled'), await bring('cancelled')];
    const change = (id: string, set: string) =>
      store.db.query(`update usance.payments set ${set} where id = $1::uuid`, [id]).then(
        () => 'changed',
        (error: { code?: string }) => error.code,
      );
    expect(await change(cancelled, `status = 'scheduled', ended_at = null, released = 0`)).toBe('23001');
    expect(await change(settled, `status = 'failed'`)).toBe('23001');
    expect(await change(settled, `amount = amount + 1, released = 1`)).toBe('23001');
    expect(await change(settled, `captured = captured - 1, released = 1`)).toBe('23001');
    expect(await change(settled, `payer_id = payee_id, payee_id = payer_id`)).toBe('23001');
    expect(await change(settled, `refunded = captured + 1`)).toBe('23514');
    await expect(store.owner.query(`delete from usance.payments`)).rejects.toMatchObject({ code: '23001' });
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
