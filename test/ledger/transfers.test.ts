import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT } from '../../src/kernel/index.ts';
import { booksOf, held, key, open, refusedWhole, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

describe('money', () => {
  const store = useUsance();
  const refused = (work: () => Promise<unknown>): Promise<string> => refusedWhole(store.owner, work);
  const order = (amount: bigint | number | string = 1) => ({ asset: 'USD', amount, idempotencyKey: key() });

  test('deposited is there, once, however often it is asked for', async () => {
    await store.tenant.openAccount({ ref: 'alice' });
    const deposit = { account: 'alice', asset: 'USD', amount: '1000', idempotencyKey: 'd1' };
    const first = await store.tenant.deposit(deposit);
    const second = await store.tenant.deposit(deposit);
    expect(second).toEqual({ transfer: first.transfer, replayed: true });
    expect(await held(store.tenant, 'alice')).toEqual([1000n, 0n]);
    expect(await held(store.tenant, 'world')).toEqual([-1000n, 0n]);
    // The same request in other words is the same request.
    expect(await store.tenant.deposit({ ...deposit, amount: 1000n })).toMatchObject({ replayed: true });
  });

  test('is not moved by a key that moved something else', async () => {
    const deposit = { account: 'alice', asset: 'USD', amount: '1000', idempotencyKey: 'd1' };
    expect(await refused(() => store.tenant.deposit({ ...deposit, amount: '2000' }))).toBe('IDEMPOTENCY_MISMATCH');
    expect(await refused(() => store.tenant.withdraw(deposit))).toBe('IDEMPOTENCY_MISMATCH');
    expect(await refused(() => store.tenant.deposit({ ...deposit, description: 'x' }))).toBe('IDEMPOTENCY_MISMATCH');
  });

  test('goes from account to account and out of the door', async () => {
    await store.tenant.openAccount({ ref: 'bob' });
    const sent = await store.tenant.transfer({
      ...order(300),
      from: 'alice',
      to: 'bob',
      kind: 'gift',
      description: '🎁',
    });
    await store.tenant.withdraw({ ...order(100), account: 'bob' });
    expect(await held(store.tenant, 'alice')).toEqual([700n, 0n]);
    expect(await held(store.tenant, 'bob')).toEqual([200n, 0n]);
    expect(await held(store.tenant, 'world')).toEqual([-900n, 0n]);
    const listed = await store.tenant.transfers('bob');
    expect(listed).toMatchObject([
      { kind: 'withdrawal', amount: 100n },
      { id: sent.transfer, kind: 'gift', amount: 300n, description: '🎁', reservationId: null },
    ]);
    expect(await store.tenant.transfers('bob', { limit: 1, before: listed[0]?.id ?? '' })).toEqual(listed.slice(1));
  });

  test.each([
    ['AMOUNT_NOT_POSITIVE', 0],
    ['AMOUNT_NOT_POSITIVE', -1n],
    ['AMOUNT_INVALID', -1],
    ['AMOUNT_INVALID', 1.5],
    ['AMOUNT_INVALID', '1.50'],
    ['AMOUNT_TOO_LARGE', MAX_AMOUNT + 1n],
  ])('is refused with %s for an amount of %o', async (code, amount) => {
    expect(await refused(() => store.tenant.deposit({ ...order(amount), account: 'alice' }))).toBe(code);
    expect(await refused(() => store.tenant.withdraw({ ...order(amount), account: 'alice' }))).toBe(code);
    expect(await refused(() => store.tenant.transfer({ ...order(amount), from: 'alice', to: 'bob' }))).toBe(code);
    expect(await refused(() => store.tenant.reserve({ ...order(amount), account: 'alice' }))).toBe(code);
  });

  test('is refused in an asset that the tenant does not have', async () => {
    const other = await store.usance.createTenant({ name: 'yen-shop' });
    await other.createAsset('JPY/0');
    for (const asset of ['JPY', 'JPY/0', 'USD/4', 'usd', '']) {
      expect(await refused(() => store.tenant.deposit({ ...order(), account: 'alice', asset }))).toBe(
        'ASSET_NOT_FOUND',
      );
      expect(await refused(() => store.tenant.reserve({ ...order(), account: 'alice', asset }))).toBe(
        'ASSET_NOT_FOUND',
      );
    }
  });

  test('is refused to who does not hold it', async () => {
    await store.tenant.createAsset('EUR/2');
    expect(await refused(() => store.tenant.transfer({ ...order(701), from: 'alice', to: 'bob' }))).toBe(
      'FUNDS_INSUFFICIENT',
    );
    expect(await refused(() => store.tenant.withdraw({ ...order(701), account: 'alice' }))).toBe('FUNDS_INSUFFICIENT');
    expect(await refused(() => store.tenant.transfer({ ...order(), asset: 'EUR', from: 'alice', to: 'bob' }))).toBe(
      'FUNDS_INSUFFICIENT',
    );
    await store.tenant.transfer({ ...order(700), from: 'alice', to: 'bob' });
    expect(await held(store.tenant, 'alice')).toEqual([0n, 0n]);
    await store.tenant.transfer({ ...order(700), from: 'bob', to: 'alice' });
  });

  test('does not go from an account to itself', async () => {
    expect(await refused(() => store.tenant.transfer({ ...order(), from: 'alice', to: 'alice' }))).toBe(
      'SELF_TRANSFER',
    );
    expect(await refused(() => store.tenant.deposit({ ...order(), account: 'world' }))).toBe('SELF_TRANSFER');
  });

  test('of which more would be held than can be stored is refused, reserved or not', async () => {
    await store.tenant.createAsset('MAX/0');
    const max = (amount: bigint | number) => ({ ...order(amount), asset: 'MAX' });
    await store.tenant.openAccount({ ref: 'hoard' });
    await store.tenant.openAccount({ ref: 'more' });
    await store.tenant.deposit({ ...max(MAX_AMOUNT), account: 'hoard' });
    await store.tenant.deposit({ ...max(1), account: 'more' });
    expect(await refused(() => store.tenant.deposit({ ...max(1), account: 'hoard' }))).toBe('BALANCE_OVERFLOW');
    const { reservation } = await store.tenant.reserve({ ...max(MAX_AMOUNT), account: 'hoard' });
    expect(await refused(() => store.tenant.transfer({ ...max(1), from: 'more', to: 'hoard' }))).toBe(
      'BALANCE_OVERFLOW',
    );
    expect(
      await refused(() => store.tenant.capture({ reservation, to: 'more', amount: MAX_AMOUNT, idempotencyKey: key() })),
    ).toBe('BALANCE_OVERFLOW');
    await store.tenant.release({ reservation, idempotencyKey: key() });
    expect(await held(store.tenant, 'hoard', 'MAX/0')).toEqual([MAX_AMOUNT, 0n]);
    expect(await held(store.tenant, 'world', 'MAX/0')).toEqual([-MAX_AMOUNT - 1n, 0n]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each(['', 'x'.repeat(256), 'naïve', 'line\nbreak'])(
    'is not moved under the idempotency key %o',
    async (idempotencyKey) => {
      expect(await refused(() => store.tenant.deposit({ ...order(), idempotencyKey, account: 'alice' }))).toBe(
        'IDEMPOTENCY_KEY_INVALID',
      );
    },
  );

  test('refused under a key may be asked for again under it', async () => {
    await open(store.tenant, { later: 0 });
    const pay = { ...order(50), from: 'later', to: 'bob' };
    expect(await refused(() => store.tenant.transfer(pay))).toBe('FUNDS_INSUFFICIENT');
    await store.tenant.deposit({ ...order(50), account: 'later' });
    expect(await store.tenant.transfer(pay)).toMatchObject({ replayed: false });
    expect(await store.tenant.transfer(pay)).toMatchObject({ replayed: true });
  });
});

describe('an asset', () => {
  const store = useUsance();

  test('made again is the same, and at another scale is refused', async () => {
    expect(await store.tenant.createAsset('USD/2')).toEqual({ name: 'USD/2', code: 'USD', scale: 2 });
    const before = await booksOf(store.owner);
    expect(await refusalOf(store.tenant.createAsset('USD/6'))).toBe('ASSET_EXISTS');
    expect(await refusalOf(store.tenant.createAsset('usd/2'))).toBe('ASSET_INVALID');
    expect(await booksOf(store.owner)).toEqual(before);
    expect(await store.tenant.assets()).toEqual([{ name: 'USD/2', code: 'USD', scale: 2 }]);
  });

  test('of one tenant may have another scale with the next', async () => {
    const other = await store.usance.createTenant({ name: 'six-digits' });
    expect(await other.createAsset('USD/6')).toMatchObject({ scale: 6 });
  });

  test('made by twenty at once is made once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refusalOf(store.tenant.createAsset(`NEW/${index % 2}`))),
    );
    expect(outcomes.filter((outcome) => outcome === 'ASSET_EXISTS')).toHaveLength(10);
    expect(await store.tenant.assets()).toHaveLength(2);
  });
});
