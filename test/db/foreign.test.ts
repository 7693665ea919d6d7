// A caller's own transaction, handed in. The order and the money commit or vanish together, whatever driver began it,
// and a refusal leaves the caller free to go on.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ForeignTransaction } from '../../src/db/index.ts';
import { adoptTransaction } from '../../src/db/index.ts';
import { useUsance } from '../support/database.ts';
import type { Driver } from '../support/drivers.ts';
import { DRIVERS, Undo } from '../support/drivers.ts';
import { refusalOf } from '../support/refusal.ts';

describe.each(DRIVERS)('inside a transaction of $name', (driver) => {
  const store = useUsance();
  let caller: Awaited<ReturnType<Driver['open']>>;
  beforeAll(async () => {
    await store.owner.query('create table public.orders (n int primary key)');
    await store.tenant.openAccount({ ref: 'alice' });
    await store.tenant.openAccount({ ref: 'bob' });
    await store.tenant.deposit({ account: 'alice', asset: 'USD', amount: 1_000, idempotencyKey: 'seed' });
    caller = await driver.open(store.ownerUrl);
  });
  afterAll(() => caller.close());

  const orders = async (): Promise<unknown[]> =>
    (await store.owner.query('select n from public.orders order by n')).map((row) => row['n']);
  const available = async (ref: string): Promise<bigint> => (await store.tenant.balances(ref))[0]?.available ?? 0n;
  const pay = (key: string, amount: number) => ({
    from: 'alice',
    to: 'bob',
    asset: 'USD',
    amount,
    idempotencyKey: key,
  });

  test('an order and its transfer commit together', async () => {
    await caller.transaction(async (tx, run) => {
      await run('insert into public.orders values (1)');
      await store.tenant.within(tx).transfer(pay('order 1', 100));
      // Nobody else sees either yet.
      expect([await orders(), await available('bob')]).toEqual([[], 0n]);
    });
    expect([await orders(), await available('alice'), await available('bob')]).toEqual([[1], 900n, 100n]);
  });

  test('an order and its transfer vanish together', async () => {
    await caller.transaction(async (tx, run) => {
      await run('insert into public.orders values (2)');
      await store.tenant.within(tx).transfer(pay('order 2', 100));
      throw new Undo();
    });
    expect([await orders(), await available('alice'), await available('bob')]).toEqual([[1], 900n, 100n]);
    // The key was forgotten with them: asked again, it moves.
    expect(await store.tenant.transfer(pay('order 2', 1))).toMatchObject({ replayed: false });
  });

  test('a refusal leaves the transaction usable', async () => {
    await caller.transaction(async (tx, run) => {
      const mine = store.tenant.within(tx);
      await run('insert into public.orders values (3)');
      expect(await refusalOf(mine.transfer(pay('order 3', 1_000_000)))).toBe('FUNDS_INSUFFICIENT');
      expect(await refusalOf(mine.deposit({ ...pay('x', 1), account: 'nobody' }))).toBe('ACCOUNT_NOT_FOUND');
      expect(await refusalOf(mine.account('nobody'))).toBe('ACCOUNT_NOT_FOUND');
      expect(await refusalOf(mine.reservation('no id at all'))).toBe('RESERVATION_NOT_FOUND');
      await run('insert into public.orders values (4)');
      await mine.transfer(pay('order 4', 10));
    });
    expect(await orders()).toEqual([1, 3, 4]);
    expect(await available('bob')).toBe(111n);
  });

  test('every verb sees what the transaction has done so far', async () => {
    await caller.transaction(async (tx) => {
      const mine = store.tenant.within(tx);
      await mine.createAsset('EUR/2');
      await mine.openAccount({ ref: 'carol', contact: { email: 'carol@example.org' }, guardian: 'alice' });
      await mine.deposit({ account: 'carol', asset: 'EUR', amount: '500', idempotencyKey: 'c1' });
      const { reservation } = await mine.reserve({
        account: 'carol',
        asset: 'EUR',
        amount: 300n,
        idempotencyKey: 'c2',
      });
      await mine.capture({
        reservation,
        to: 'bob',
        amount: 100,
        idempotencyKey: 'c3',
        description: 'it’s "quoted" \\ 💶',
      });
      await mine.release({ reservation, idempotencyKey: 'c4' });
      await mine.suspendAccount('carol', 'looked at');
      expect(await mine.account('carol')).toMatchObject({
        status: 'suspended',
        contact: { email: 'carol@example.org' },
      });
      expect(await mine.reservation(reservation)).toMatchObject({ captured: 100n, released: 200n });
      expect(await mine.balances('carol')).toMatchObject([{ asset: 'EUR/2', available: 400n, reserved: 0n }]);
      expect(await mine.transfers('carol')).toMatchObject([
        { kind: 'capture', description: 'it’s "quoted" \\ 💶' },
        { kind: 'deposit' },
      ]);
    });
    expect(await store.tenant.account('carol')).toMatchObject({ status: 'suspended' });
    const found = await store.usance.verify();
    expect(found.flatMap((check) => check.offenders)).toEqual([]);
  });

  test('an idempotency key is shared with transactions of our own', async () => {
    const [before] = await store.tenant.transfers('alice', { limit: 1 });
    await caller.transaction(async (tx) => {
      expect(await store.tenant.within(tx).transfer(pay('order 4', 10))).toEqual({
        transfer: before?.id,
        replayed: true,
      });
    });
  });
});

test('what is neither is said to be neither', () => {
  const nothing = {} as ForeignTransaction;
  expect(() => adoptTransaction(nothing)).toThrow('neither a pg client nor a postgres.js transaction');
});
