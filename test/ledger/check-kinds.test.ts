// What the continuous check does with what it finds: a violation of money freezes the asset, one of bookkeeping is reported.
import { describe, expect, test } from 'vitest';
import { isOwnResourceId, listEventsOf } from '../../src/events/index.ts';
import { violationId } from '../../src/ledger/freeze.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

describe('the continuous check', () => {
  const store = useUsance();
  const pay = (): Promise<string> =>
    refusalOf(store.tenant.transfer({ from: 'ann', to: 'ben', asset: 'USD', amount: 1, idempotencyKey: key() }));
  const run = async (): Promise<Readonly<Record<string, number>> | undefined> =>
    (await store.usance.loops.find(({ name }) => name === 'integrity')?.runOnce())?.counts;

  test('reports a violation of bookkeeping once a day, and freezes nothing', async () => {
    await open(store.tenant, { ann: 1_000, ben: 0 });
    const order = { from: 'ann', to: 'ben', asset: 'USD', amount: 10, delay: '1h', idempotencyKey: key() };
    const { id } = await store.tenant.createPayment(order);
    await store.owner.query('delete from usance.due where payment_id = $1::uuid', [id]);
    expect(await run()).toMatchObject({ violations: 1, frozen: 0, reported: 1 });
    expect(await run()).toMatchObject({ violations: 1, frozen: 0, reported: 0 });
    expect(await store.usance.freezes()).toEqual([]);
    expect(await pay()).toBe('not refused');
    const told = await store.tenant.auditEvents({ action: 'BOOKS_VIOLATION_FOUND' });
    expect(told).toMatchObject([
      {
        actor: 'system',
        details: { violation: 'scheduled-payments-are-due', asset: 'USD/2', details: { payment: id } },
      },
    ]);
    await store.owner.query(
      `insert into usance.due (tenant_id, payment_id, priority, due_at) values ($1::uuid, $2::uuid, 1, now())`,
      [store.tenant.id, id],
    );
    expect(await run()).toMatchObject({ violations: 0, reported: 0 });
  });

  test('freezes the asset for a violation of money', async () => {
    await store.owner.query(`update usance.balances set available = available + 1 where available > 0`);
    expect(await run()).toMatchObject({ reported: 0, frozen: 1 });
    const [freeze] = await store.usance.freezes();
    expect(freeze).toMatchObject({ asset: 'USD/2', violation: 'balances-equal-history' });
    expect(await listEventsOf(store.db, store.tenant.id, freeze?.id ?? '')).toMatchObject([{ type: 'freeze.created' }]);
    expect(await pay()).toBe('ASSET_FROZEN');
  });
});

test('no violation has the id of a resource of an application, whatever its digest', () => {
  const ids = Array.from({ length: 2_000 }, (_, n) => violationId(['scheduled-payments-are-due', String(n)]));
  expect(ids.filter(isOwnResourceId)).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
