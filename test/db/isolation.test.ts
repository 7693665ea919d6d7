// The isolation level is ours, whatever the database or the role is set to: every lock is taken before what it protects is read, which is
// right under `read committed`, and would be a serialization failure for the second of two payments of one payer under the others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantHandle, Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { held, open, troubles } from '../support/books.ts';
import { useDatabase } from '../support/database.ts';

describe.each(['repeatable read', 'serializable'])('in a database whose default is %s', (level) => {
  const store = useDatabase();
  const state: { usance?: Engine; tenant?: TenantHandle } = {};
  const usance = (): Engine => state.usance ?? expect.fail('not open');
  const tenant = (): TenantHandle => state.tenant ?? expect.fail('not open');
  beforeAll(async () => {
    await store.owner.query(
      `do $$ begin execute format('alter database %I set default_transaction_isolation = ''${level}''', current_database()); end $$`,
    );
    state.usance = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false });
    state.tenant = await usance().createTenant({ name: 'shop' });
    await tenant().createAsset('USD/2');
    await open(tenant(), { ann: 1_000, ben: 0 });
  });
  afterAll(() => state.usance?.close());

  test('the setting reaches connections', async () => {
    expect(await usance().db.query('show transaction_isolation')).toEqual([{ transaction_isolation: level }]);
  });

  test('200 payments of one payer at once are all created and all settled', async () => {
    const order = { from: 'ann', to: 'ben', asset: 'USD', amount: 1 };
    const created = Array.from({ length: 200 }, (_, n) =>
      n % 2 === 0
        ? tenant().createPayment({ ...order, idempotencyKey: `alone ${n}` })
        : tenant().createPaymentGrouped({ key: `grouped ${n}`, fingerprint: 'x' }, order, ({ id }) => id),
    );
    await Promise.all(created);
    expect(await held(tenant(), 'ann')).toEqual([800n, 200n]);
    // Beside the processor, so that both touch the same balances.
    const processor = usance().loops.find(({ name }) => name === 'processor');
    const beside = Array.from({ length: 50 }, (_, n) => tenant().transfer({ ...order, idempotencyKey: `beside ${n}` }));
    await Promise.all([processor?.runOnce(), ...beside]);
    await processor?.runOnce();
    expect(await held(tenant(), 'ann')).toEqual([750n, 0n]);
    expect(await held(tenant(), 'ben')).toEqual([250n, 0n]);
    expect(await troubles(usance())).toEqual([]);
  });

  test('single statements that write one row at once all write it', async () => {
    await store.owner.query(
      'create table public.counted (n int); insert into public.counted values (0); grant all on public.counted to public',
    );
    const add = () => usance().db.query('update public.counted set n = n + 1');
    await Promise.all(Array.from({ length: 4 }, add));
    expect(await store.owner.query('select n from public.counted')).toEqual([{ n: 4 }]);
  });
});
