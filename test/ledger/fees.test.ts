import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { held, key, open, refusedWhole, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

describe('fees', () => {
  const store = useUsance();
  const order = (amount: number) => ({ asset: 'USD', amount, idempotencyKey: key() });

  test('are earned without a balance row, and paid out up to what they hold', async () => {
    await open(store.tenant, { alice: 100, owner: 0 });
    await store.tenant.transfer({ ...order(7), from: 'alice', to: 'fees', kind: 'fee' });
    await store.tenant.transfer({ ...order(5), from: 'alice', to: 'fees', kind: 'fee' });
    expect(await held(store.tenant, 'fees')).toEqual([12n, 0n]);
    expect(
      await refusedWhole(store.owner, () => store.tenant.transfer({ ...order(13), from: 'fees', to: 'owner' })),
    ).toBe('FUNDS_INSUFFICIENT');
    await store.tenant.transfer({ ...order(10), from: 'fees', to: 'owner' });
    await store.tenant.withdraw({ ...order(2), account: 'fees' });
    expect(await held(store.tenant, 'fees')).toEqual([0n, 0n]);
    expect(await refusedWhole(store.owner, () => store.tenant.withdraw({ ...order(1), account: 'fees' }))).toBe(
      'FUNDS_INSUFFICIENT',
    );
    expect(
      await store.owner.query(
        `select from usance.balances b join usance.accounts a on a.id = b.account_id where a.ref = 'fees'`,
      ),
    ).toEqual([]);
  });

  test('are never paid out twice, however many try at once', async () => {
    await store.tenant.transfer({ ...order(30), from: 'alice', to: 'fees' });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => refusalOf(store.tenant.transfer({ ...order(10), from: 'fees', to: 'owner' }))),
    );
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'FUNDS_INSUFFICIENT')).toHaveLength(17);
    expect(await held(store.tenant, 'fees')).toEqual([0n, 0n]);
  });

  test('are not paid from a snapshot of yesterday', async () => {
    await store.tenant.transfer({ ...order(10), from: 'alice', to: 'fees' });
    const client = new pg.Client(store.runtimeUrl);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin isolation level repeatable read');
    await client.query('select 1 from usance.transfers limit 1');
    await store.tenant.transfer({ ...order(10), from: 'fees', to: 'owner' });
    const again = store.tenant.within(client).withdraw({ ...order(10), account: 'fees' });
    await expect(again).rejects.toThrow('read committed');
    await client.query('commit');
    expect(await held(store.tenant, 'fees')).toEqual([0n, 0n]);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
