// A lock that is held elsewhere is no fault of the payment that needs it: the payment is tried again within seconds, and no attempt is
// counted, whichever of the statements of its batch met the lock.
import { beforeAll, describe, expect, test } from 'vitest';
import { asDate, asText, only } from '../../src/db/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';

/** The server would end a session that stands still before the processor has had enough. */
const STANDING = { idleLimitMs: 120_000 };

describe('a payment whose row is held elsewhere', () => {
  const notices: string[] = [];
  const store = useUsance({ onNotice: (notice) => void notices.push(notice) });
  beforeAll(() => open(store.tenant, { ann: 1_000, ben: 0, watched: 0 }));
  const runProcessor = async (): Promise<void> => {
    await store.usance.loops.find(({ name }) => name === 'processor')?.runOnce();
  };
  const deferredMs = async (id: string): Promise<number> => {
    const row = only(
      await store.owner.query('select due_at, clock_timestamp() as now from usance.due where payment_id = $1::uuid', [
        id,
      ]),
    );
    return asDate(row['due_at']).getTime() - asDate(row['now']).getTime();
  };

  test.each([
    ['a payee that nothing waits for', 'ben'],
    ['a payee whose credit funds another payment', 'watched'],
  ])('waits a second when it pays %s', async (_name, to) => {
    if (to === 'watched') {
      // Waits for funds: from now on a credit of its payer wakes it.
      await store.tenant.createPayment({
        from: 'watched',
        to: 'ben',
        asset: 'USD',
        amount: 900,
        funding: 'at_execution',
        idempotencyKey: key(),
      });
      await runProcessor();
    }
    const { id } = await store.tenant.createPayment({
      from: 'ann',
      to,
      asset: 'USD',
      amount: 100,
      idempotencyKey: key(),
    });
    const [locked, done] = [gate(), gate()];
    const holder = store.owner.transaction(async (tx) => {
      await tx.query('select from usance.payments where id = $1::uuid for update', [id]);
      locked.open();
      await done.passed;
    }, STANDING);
    await locked.passed;
    await runProcessor();
    done.open();
    await holder;
    expect(await deferredMs(id)).toBeLessThanOrEqual(1_000);
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0, lastCode: null });
    expect(notices).toEqual([]);
    await store.owner.query(`update usance.due set due_at = now() - interval '1 second' where payment_id = $1::uuid`, [
      id,
    ]);
    await runProcessor();
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'settled' });
  });

  test('is not blamed for deadlocks that do not end', async () => {
    const { id } = await store.tenant.createPayment({
      from: 'ann',
      to: 'ben',
      asset: 'USD',
      amount: 1,
      idempotencyKey: key(),
    });
    // As if each transaction that settles it lost a deadlock.
    await store.owner.query(`
      create function public.deadlock() returns trigger language plpgsql as
        $$ begin raise exception 'as if' using errcode = '40P01'; end $$;
      create trigger deadlock before update on usance.payments for each row execute function public.deadlock()`);
    await runProcessor();
    await store.owner.query('drop trigger deadlock on usance.payments');
    expect(asText((await store.tenant.payment(id)).status)).toBe('scheduled');
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0, lastCode: null });
    expect(notices).toEqual([]);
    expect(await deferredMs(id)).toBeLessThanOrEqual(1_000);
    await runProcessor();
  });
});
