// An approval names the terms that the approver saw: whatever changed since, it does not approve.
import { beforeAll, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/index.ts';
import type { Payment, PaymentOrder } from '../../src/payments/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { HOUR } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';

describe('an approval', () => {
  const store = useUsance();
  const people: Record<string, TenantHandle> = {};
  const person = (name: string): TenantHandle => people[name] ?? store.tenant;
  const create = (order: Partial<PaymentOrder> = {}): Promise<Payment> =>
    person('jo').createPayment({
      from: 'ann',
      to: 'ben',
      asset: 'USD',
      amount: 501,
      delay: '1h',
      expiresAt: new Date(Date.now() + 9 * HOUR),
      ...order,
      idempotencyKey: key(),
    });
  const approve = (id: string, version: number) => person('kim').approvePayment(id, { termsVersion: version });
  const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, store.tenant.id, work);

  beforeAll(async () => {
    await open(store.tenant, { ann: 100_000_000, ben: 0 });
    for (const name of ['jo', 'kim', 'lee']) people[name] = await store.usance.tenant('shop', { actor: `cli:${name}` });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
  });

  const CHANGES: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'a higher amount': (id) => person('jo').editPayment(id, { amount: 900_000 }),
    'a lower amount': (id) => person('jo').editPayment(id, { amount: 1 }),
    'another instant': (id) => person('jo').editPayment(id, { executeAt: new Date(Date.now() + 2 * HOUR) }),
    'another expiry': (id) => person('jo').extendPayment(id, new Date(Date.now() + 20 * HOUR)),
  };
  test.each(Object.entries(CHANGES))('does not cover %s', async (_name, change) => {
    const { id, termsVersion } = await create();
    expect(termsVersion).toBe(1);
    await change(id);
    expect(await store.tenant.payment(id)).toMatchObject({ termsVersion: 2, approval: 'awaited' });
    expect(await refused(() => approve(id, 1))).toBe('APPROVAL_TERMS_CHANGED');
    expect(await approve(id, 2)).toMatchObject({ approval: 'given', termsVersion: 2 });
  });

  test('survives a change of metadata', async () => {
    const { id } = await create();
    await person('jo').editPayment(id, { metadata: { seen: true } });
    await person('jo').editPayment(id, { amount: 501 });
    expect(await approve(id, 1)).toMatchObject({ approval: 'given', termsVersion: 1, termsBy: [] });
    const captured = await person('jo').capturePayment(id, { amount: 1, idempotencyKey: key() });
    expect(captured).toMatchObject({ termsVersion: 1 });
  });

  test.each([0, -1, 1.5, Number.NaN, undefined as never])('names a version: %s is none', async (version) => {
    const { id } = await create();
    expect(await refused(() => approve(id, version))).toBe('FIELD_INVALID');
    await expect(approve(id, version)).rejects.toMatchObject({ param: 'termsVersion' });
  });

  test('of a version that is to come is refused', async () => {
    const { id } = await create();
    expect(await refused(() => approve(id, 2))).toBe('APPROVAL_TERMS_CHANGED');
  });

  test('of one instant does not hold for another', async () => {
    const { id } = await create();
    await approve(id, 1);
    const executeAt = new Date(Date.now() + 3 * HOUR);
    expect(await person('jo').editPayment(id, { executeAt })).toMatchObject({ approval: 'awaited', termsVersion: 2 });
    expect(await person('lee').approvePayment(id, { termsVersion: 2 })).toMatchObject({ approval: 'given', executeAt });
  });

  test('is not for any of those who changed the terms, however many came after', async () => {
    const { id } = await create({ amount: 100 });
    await person('kim').editPayment(id, { amount: 200 });
    await person('lee').extendPayment(id, new Date(Date.now() + 20 * HOUR));
    await person('jo').editPayment(id, { amount: 600 });
    expect(await store.tenant.payment(id)).toMatchObject({ termsVersion: 4, termsBy: ['cli:kim', 'cli:lee'] });
    for (const name of ['jo', 'kim', 'lee']) {
      expect(await refused(() => person(name).approvePayment(id, { termsVersion: 4 }))).toBe('APPROVAL_NEEDS_ANOTHER');
      expect(await refused(() => person(name).rejectPayment(id, 'no'))).toBe('APPROVAL_NEEDS_ANOTHER');
    }
    expect(await store.tenant.approvePayment(id, { termsVersion: 4 })).toMatchObject({ approval: 'given' });
  });

  test('at the same time as an edit approves only the terms it names', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await create();
      const edit = () => person('jo').editPayment(id, { amount: 900_000 });
      const works = round % 2 === 0 ? [edit, () => approve(id, 1)] : [() => approve(id, 1), edit];
      const outcomes = await Promise.all(works.map((work) => refusalOf(work())));
      expect(['not refused', 'APPROVAL_TERMS_CHANGED']).toContain(outcomes[round % 2 === 0 ? 1 : 0]);
      expect(await store.tenant.payment(id)).toMatchObject({ amount: 900_000n, approval: 'awaited', termsVersion: 2 });
    }
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is on record with the terms that it was of', async () => {
    const { id } = await create();
    await approve(id, 1);
    const [event] = await store.tenant.auditEvents({ resourceId: id, action: 'PAYMENT_APPROVED' });
    expect(event?.details).toMatchObject({ amount: '501', termsVersion: 1, termsBy: ['cli:jo'] });
  });
});
