import { describe, expect, test } from 'vitest';
import { newId } from '../../src/kernel/index.ts';
import { held, key, open, refusedWhole, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';

describe('a reservation', () => {
  const store = useUsance();
  const refused = (work: () => Promise<unknown>): Promise<string> => refusedWhole(store.owner, work);
  const reserve = async (account: string, amount: number): Promise<string> =>
    (await store.tenant.reserve({ account, asset: 'USD', amount, idempotencyKey: key() })).reservation;
  const newest = async (): Promise<string> => (await store.tenant.reservations('buyer'))[0]?.id ?? '';
  const capture = (reservation: string, amount: number, to = 'shop') =>
    store.tenant.capture({ reservation, to, amount, idempotencyKey: key() });
  const release = (reservation: string, amount?: number) =>
    store.tenant.release({ reservation, idempotencyKey: key(), ...(amount === undefined ? {} : { amount }) });

  test('sets money aside: it is still the account’s, and cannot be spent', async () => {
    await open(store.tenant, { buyer: 100, shop: 0 });
    const reservation = await reserve('buyer', 60);
    expect(await held(store.tenant, 'buyer')).toEqual([40n, 60n]);
    expect(await store.tenant.reservation(reservation)).toMatchObject({
      amount: 60n,
      captured: 0n,
      released: 0n,
      resolvedAt: null,
    });
    const spend = { from: 'buyer', to: 'shop', asset: 'USD', amount: 41, idempotencyKey: key() };
    expect(await refused(() => store.tenant.transfer(spend))).toBe('FUNDS_INSUFFICIENT');
    expect(await refused(() => reserve('buyer', 41))).toBe('FUNDS_INSUFFICIENT');
  });

  test('is captured in parts, each a transfer, and released for the rest', async () => {
    const id = await newest();
    await capture(id, 10);
    await capture(id, 20);
    await release(id, 5);
    expect(await store.tenant.reservation(id)).toMatchObject({ captured: 30n, released: 5n, resolvedAt: null });
    expect(await refused(() => capture(id, 26))).toBe('RESERVATION_TOO_SMALL');
    expect(await refused(() => release(id, 26))).toBe('RESERVATION_TOO_SMALL');
    await release(id);
    expect(await store.tenant.reservation(id)).toMatchObject({
      captured: 30n,
      released: 30n,
      resolvedAt: expect.any(Date) as Date,
    });
    expect(await held(store.tenant, 'buyer')).toEqual([70n, 0n]);
    expect(await held(store.tenant, 'shop')).toEqual([30n, 0n]);
    const transfers = await store.tenant.transfers('shop');
    expect(transfers.map((transfer) => [transfer.amount, transfer.reservationId, transfer.kind])).toEqual([
      [20n, id, 'capture'],
      [10n, id, 'capture'],
    ]);
  });

  test('resolves once', async () => {
    const id = await newest();
    expect(await refused(() => capture(id, 1))).toBe('RESERVATION_RESOLVED');
    expect(await refused(() => release(id))).toBe('RESERVATION_RESOLVED');
    expect(await refused(() => release(id, 1))).toBe('RESERVATION_RESOLVED');
    const whole = await reserve('buyer', 70);
    await capture(whole, 70);
    expect(await refused(() => release(whole))).toBe('RESERVATION_RESOLVED');
  });

  test('captured under a key that was used is captured once', async () => {
    await store.tenant.deposit({ account: 'buyer', asset: 'USD', amount: 50, idempotencyKey: key() });
    const reservation = await reserve('buyer', 50);
    const order = { reservation, to: 'shop', amount: 20, idempotencyKey: 'capture once' };
    expect(await store.tenant.capture(order)).toEqual({ replayed: false });
    expect(await store.tenant.capture(order)).toEqual({ replayed: true });
    const back = { reservation, amount: 10, idempotencyKey: 'release once' };
    expect(await store.tenant.release(back)).toEqual({ replayed: false });
    expect(await store.tenant.release(back)).toEqual({ replayed: true });
    expect(await store.tenant.reservation(reservation)).toMatchObject({ captured: 20n, released: 10n });
  });

  test('is not found by a wrong id, nor by another tenant', async () => {
    const id = await newest();
    const other = await store.usance.createTenant({ name: 'other' });
    await other.openAccount({ ref: 'shop' });
    for (const wrong of [newId(), 'nonsense', '']) {
      expect(await refused(() => store.tenant.reservation(wrong))).toBe('RESERVATION_NOT_FOUND');
      expect(await refused(() => capture(wrong, 1))).toBe('RESERVATION_NOT_FOUND');
      expect(await refused(() => release(wrong))).toBe('RESERVATION_NOT_FOUND');
    }
    const theirs = { reservation: id, to: 'shop', amount: 1, idempotencyKey: key() };
    expect(await refused(() => other.capture(theirs))).toBe('RESERVATION_NOT_FOUND');
    expect(await refused(() => other.release(theirs))).toBe('RESERVATION_NOT_FOUND');
    expect(await refused(() => other.reservation(id))).toBe('RESERVATION_NOT_FOUND');
  });

  test('is not captured to the account that made it, nor to one that does not exist', async () => {
    const id = await newest();
    expect(await refused(() => capture(id, 1, 'buyer'))).toBe('SELF_TRANSFER');
    expect(await refused(() => capture(id, 1, 'nobody'))).toBe('ACCOUNT_NOT_FOUND');
  });

  test('may be captured to the outside and to fees, which hold no balance row', async () => {
    const reservation = await newest();
    await capture(reservation, 1, 'world');
    await capture(reservation, 2, 'fees');
    expect((await held(store.tenant, 'fees'))[0]).toBe(2n);
  });

  test.each(['world', 'fees'])('cannot be made on %s, which has no balance to reserve from', async (account) => {
    expect(await refused(() => reserve(account, 1))).toBe('ACCOUNT_STATE_CONFLICT');
  });

  test('is listed with its account, newest first, in pages', async () => {
    const all = await store.tenant.reservations('buyer');
    expect(all).toHaveLength(3);
    const [first] = await store.tenant.reservations('buyer', { limit: 1 });
    const rest = await store.tenant.reservations('buyer', { before: first?.id ?? '' });
    expect([first, ...rest]).toEqual(all);
    expect(all.map((item) => item.id)).toEqual(
      all
        .map((item) => item.id)
        .toSorted()
        .toReversed(),
    );
  });

  test('leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
