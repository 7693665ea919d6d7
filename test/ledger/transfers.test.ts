import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/index.ts';
import { useUsance } from '../support/database.ts';

describe('transfers', () => {
  const store = useUsance();

  test('a deposit is there, once, however often it is asked for', async () => {
    await store.tenant.openAccount({ ref: 'alice' });
    const order = { account: 'alice', asset: 'USD', amount: '1000', idempotencyKey: 'd1' };
    const first = await store.tenant.deposit(order);
    const second = await store.tenant.deposit(order);
    expect(second).toEqual({ transfer: first.transfer, replayed: true });
    expect(await store.tenant.balances('alice')).toMatchObject([{ asset: 'USD/2', available: 1000n, reserved: 0n }]);
    expect(await store.tenant.balances('world')).toMatchObject([{ available: -1000n }]);
  });

  test('the same key for another deposit is refused', async () => {
    const order = { account: 'alice', asset: 'USD', amount: '2000', idempotencyKey: 'd1' };
    await expect(store.tenant.deposit(order)).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    await expect(store.tenant.deposit(order)).rejects.toBeInstanceOf(Refusal);
  });
});
