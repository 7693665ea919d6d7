// Bulk reset of retries: by filter, told first, confirmed by number, each payment answered and on record.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Payment, TenantHandle } from '../../src/engine.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { changedBy } from '../support/digest.ts';

describe('resetting retries', () => {
  const store = useUsance();
  const order = { asset: 'USD', amount: 50, funding: 'at_execution', to: 'shop' } as const;
  const create = (fields: object): Promise<Payment> =>
    store.tenant.createPayment({ from: 'poor', ...order, ...fields, idempotencyKey: key() });
  const failing: Payment[] = [];
  const idsOf = (payments: readonly Payment[]): string[] => payments.map(({ id }) => id).toSorted();

  beforeAll(async () => {
    await open(store.tenant, { poor: 10, poorer: 5, rich: 1_000, shop: 0 });
    for (const from of ['poor', 'poor', 'poorer']) failing.push(await create({ from }));
    await create({ from: 'rich', delay: '1h' });
    await testProcessor(store.db).run();
  });

  test('finds by payer, error code, kind and age those that failed and wait', async () => {
    const found = async (filter: object): Promise<number> =>
      (await store.tenant.runPaymentsNow(filter, { dryRun: true })).payments.length;
    expect(await found({ retries: true })).toBe(3);
    expect(await found({ retries: true, from: 'poor' })).toBe(2);
    expect(await found({ code: 'FUNDS_INSUFFICIENT' })).toBe(3);
    expect(await found({ code: 'ACCOUNT_NOT_ACTIVE' })).toBe(0);
    expect(await found({ kind: 'payment', retries: true })).toBe(3);
    expect(await found({ kind: 'hold' })).toBe(0);
    expect(await found({ kind: 'charge' })).toBe(0);
    expect(await found({ retries: true, executeBefore: new Date(Date.now() + 60_000) })).toBe(3);
    expect(await found({ retries: true, executeBefore: '2020-01-01T00:00:00Z' })).toBe(0);
    expect(await refusalOf(store.tenant.runPaymentsNow({ kind: 'gift' as 'hold' }, { dryRun: true }))).toBe(
      'FIELD_INVALID',
    );
  });

  test('needs a dry run, the number or a limit, and another number changes nothing', async () => {
    const refused = (options: object): Promise<string | null> =>
      refusalOf(store.tenant.runPaymentsNow({ retries: true }, options));
    const changed = await changedBy(store.owner, store.tenant.id, async () => {
      expect(await refused({})).toBe('FIELD_INVALID');
      expect(await refused({ expect: 2 })).toBe('PAYMENT_COUNT_MISMATCH');
      expect(await refused({ expect: 4 })).toBe('PAYMENT_COUNT_MISMATCH');
      for (const wrong of [{ expect: -1 }, { expect: 1.5 }, { limit: 0 }, { limit: 1_001 }, { limit: NaN }])
        expect(await refused(wrong), JSON.stringify(wrong)).toBe('FIELD_INVALID');
      expect(await refused({ expect: 3, reason: 'x'.repeat(2_000) })).toBe('FIELD_INVALID');
    });
    expect(changed).toEqual([]);
  });

  test('takes so many as the limit says, then the rest, and nothing twice', async () => {
    const first = await store.tenant.runPaymentsNow({ retries: true }, { limit: 1 });
    expect([first.payments.length, first.remaining]).toEqual([1, 2]);
    const jo = await store.usance.tenant('shop', { actor: 'jo' });
    const rest = await jo.runPaymentsNow({ retries: true }, { expect: 2, reason: 'the bank answers again' });
    expect(idsOf([...first.payments, ...rest.payments])).toEqual(idsOf(failing));
    expect(rest).toMatchObject({ refused: [], remaining: 0 });
    for (const { id } of rest.payments)
      expect((await store.tenant.timeline(id)).at(-1)).toMatchObject({
        type: 'payment.run_now',
        actor: 'jo',
        data: { reason: 'the bank answers again' },
      });
    const again = await changedBy(store.owner, store.tenant.id, () =>
      store.tenant.runPaymentsNow({ retries: true }, { expect: 0 }),
    );
    expect(again).toEqual([]);
    await testProcessor(store.db).run();
    for (const { id } of failing) expect(await store.tenant.payment(id)).toMatchObject({ attempts: 2 });
  });

  test('answers for each payment, those that cannot run with the reason', async () => {
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 100 });
    const jo = await store.usance.tenant('shop', { actor: 'jo' });
    const kim = await store.usance.tenant('shop', { actor: 'kim' });
    const large = { from: 'rich', to: 'shop', asset: 'USD', amount: 200, delay: '2h', reference: 'large' };
    const { id, termsVersion } = await jo.createPayment({ ...large, idempotencyKey: key() });
    await kim.approvePayment(id, { termsVersion });
    const ran = await jo.runPaymentsNow({ from: 'rich' }, { expect: 2 });
    expect(ran.payments).toHaveLength(1);
    expect(ran.refused).toMatchObject([{ id, code: 'APPROVAL_NEEDS_ANOTHER' }]);
  });

  test('names every payment that the caller may not hurry, in a dry run too, after those that run', async () => {
    const tenant = await store.usance.createTenant({ name: 'hurry' });
    await tenant.createAsset('USD/2');
    await open(tenant, { ann: 10_000, bob: 0 });
    await tenant.setLimit({ asset: 'USD', approvalAbove: 100 });
    const person = (actor: string): Promise<TenantHandle> => store.usance.tenant('hurry', { actor });
    const [jo, kim] = [await person('jo'), await person('kim')];
    const make = (amount: number, hours: number): Promise<Payment> =>
      jo.createPayment({ from: 'ann', to: 'bob', asset: 'USD', amount, delay: `${hours}h`, idempotencyKey: key() });
    const [awaiting, approved, small] = [await make(300, 1), await make(200, 2), await make(50, 3)];
    await kim.approvePayment(approved.id, { termsVersion: 1 });
    const named = [
      { id: approved.id, code: 'APPROVAL_NEEDS_ANOTHER' },
      { id: awaiting.id, code: 'APPROVAL_AWAITED' },
    ];
    const changed = await changedBy(store.owner, tenant.id, async () => {
      const dry = await jo.runPaymentsNow({ from: 'ann' }, { dryRun: true });
      expect(dry).toMatchObject({ refused: named, found: 3, remaining: 0 });
      expect(idsOf(dry.payments)).toEqual([small.id]);
      const another = await kim.runPaymentsNow({ from: 'ann' }, { dryRun: true });
      expect(another).toMatchObject({ refused: named.slice(1), found: 3 });
      expect(idsOf(another.payments)).toEqual(idsOf([approved, small]));
    });
    expect(changed).toEqual([]);
    const bounded = await jo.runPaymentsNow({ from: 'ann' }, { limit: 1 });
    expect(bounded).toMatchObject({ payments: [{ id: small.id }], refused: [], found: 3, remaining: 2 });
    expect(await jo.runPaymentsNow({ from: 'ann' }, { expect: 2 })).toMatchObject({ payments: [], refused: named });
  });
});
