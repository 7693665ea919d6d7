// Every change of the books tells of itself, in the transaction that made it.
import { beforeAll, describe, expect, test } from 'vitest';
import type { SequencedEvent } from '../../src/engine.ts';
import { orderEvents } from '../../src/events/index.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

describe('events of the ledger', () => {
  const store = useUsance();
  const money = { asset: 'USD', amount: 100 };
  let last = 0n;

  /** What was told since the last time. */
  const told = async (): Promise<SequencedEvent[]> => {
    await orderEvents(store.usance.db);
    const events = await store.tenant.events({}, { after: last });
    last = events.at(-1)?.seq ?? last;
    return events;
  };
  const types = async (): Promise<string[]> => (await told()).map((event) => event.type);

  beforeAll(async () => {
    await store.tenant.openAccount({ ref: 'ann' });
    await store.tenant.openAccount({ ref: 'ben', guardian: 'ann', name: 'Ben', kind: 'merchant' });
  });

  test('a tenant, an asset and accounts tell that they were made, and nothing personal', async () => {
    const [tenant, asset, ann, ben] = await told();
    expect(tenant).toMatchObject({
      type: 'tenant.created',
      resourceId: store.tenant.id,
      data: { new: { name: 'shop' } },
    });
    expect(asset).toMatchObject({ type: 'asset.created', data: { new: { asset: 'USD/2', scale: 2 } } });
    expect(ann).toMatchObject({ type: 'account.created', data: { new: { kind: 'user', guardianId: null } } });
    expect(ben?.data).toEqual({
      new: { kind: 'merchant', status: 'active', guardianId: ann?.resourceId, guardianIds: [ann?.resourceId] },
    });
    expect(ben?.actor).toBe('library');
  });

  test('an asset that exists is not told again', async () => {
    await store.tenant.createAsset('USD/2');
    expect(await refusalOf(store.tenant.createAsset('USD/3'))).toBe('ASSET_EXISTS');
    expect(await types()).toEqual([]);
  });

  test('deposits, withdrawals and transfers are posted transfers', async () => {
    const { transfer } = await store.tenant.deposit({ ...money, account: 'ann', amount: 1_000, idempotencyKey: 'in' });
    await store.tenant.deposit({ ...money, account: 'ann', amount: 1_000, idempotencyKey: 'in' });
    await store.tenant.transfer({ ...money, from: 'ann', to: 'ben', idempotencyKey: 'across' });
    await store.tenant.withdraw({ ...money, account: 'ben', idempotencyKey: 'out' });
    const events = await told();
    expect(events.map((event) => [event.type, (event.data['new'] as { kind: string }).kind])).toEqual([
      ['transfer.posted', 'deposit'],
      ['transfer.posted', 'transfer'],
      ['transfer.posted', 'withdrawal'],
    ]);
    const { id: to } = await store.tenant.account('ann');
    expect(events[0]).toMatchObject({ resource: 'transfer', resourceId: transfer });
    expect(events[0]?.data['new']).toMatchObject({ to, asset: 'USD/2', amount: '1000' });
  });

  test('what is refused tells nothing', async () => {
    const order = { ...money, amount: 1_000_000 };
    await refusalOf(store.tenant.transfer({ ...order, from: 'ann', to: 'ben', idempotencyKey: 'too much' }));
    await refusalOf(store.tenant.reserve({ ...order, account: 'ann', idempotencyKey: 'too much, too' }));
    await refusalOf(store.tenant.openAccount({ ref: 'ann' }));
    expect(await types()).toEqual([]);
  });

  test('a reservation tells each part that was taken or given back', async () => {
    const { reservation } = await store.tenant.reserve({ ...money, account: 'ann', idempotencyKey: 'r' });
    await store.tenant.capture({ reservation, to: 'ben', amount: 60, idempotencyKey: 'c' });
    await store.tenant.release({ reservation, idempotencyKey: 'l' });
    const events = await told();
    expect(events.map(({ type, resourceId, data }) => [type, resourceId, data['amount']])).toEqual([
      ['reservation.created', reservation, '100'],
      ['reservation.captured', reservation, '60'],
      ['reservation.released', reservation, '40'],
    ]);
    expect(events[2]?.data['new']).toMatchObject({ captured: '60', released: '40' });
  });

  test('what runs a tenant is told too, once', async () => {
    await store.tenant.pause('asset', 'USD', 'an audit');
    await store.tenant.pause('asset', 'USD', 'the same again');
    await store.tenant.liftPause('asset', 'USD');
    await store.tenant.setDefaultAsset('USD');
    await store.tenant.setLimit({ asset: 'USD', account: 'ann', dailyAmount: 500 });
    expect(await types()).toEqual(['pause.created', 'pause.lifted', 'tenant.updated', 'limit.set']);
  });
});
