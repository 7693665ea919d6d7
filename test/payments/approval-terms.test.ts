// An approval names the terms that the approver saw: whatever changed since, it does not approve.
import { beforeAll, describe, expect, test } from 'vitest';
import { asDate } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import type { Payment, PaymentOrder } from '../../src/payments/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { HOUR } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { advance, testTenant } from '../support/test-clock.ts';

describe('an approval', () => {
  const store = useUsance();
  const people: Record<string, TenantHandle> = {};
  const person = (name: string): TenantHandle => people[name] ?? store.tenant;
  const ORDER = { from: 'ann', to: 'ben', asset: 'USD', amount: 501 };
  const inNineHours = () => ({ delay: '1h', expiresAt: new Date(Date.now() + 9 * HOUR) });
  const create = (order: Partial<PaymentOrder> = {}): Promise<Payment> =>
    person('jo').createPayment({ ...ORDER, ...inNineHours(), ...order, idempotencyKey: key() });
  let payees = 0;
  const approve = (id: string, version: number) => person('kim').approvePayment(id, { termsVersion: version });
  const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, store.tenant.id, work);

  beforeAll(async () => {
    await open(store.tenant, { ann: 100_000_000, ben: 0, cas: 100 });
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
    const captured = await person('kim').capturePayment(id, { amount: 1, idempotencyKey: key() });
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

  const KINDS: Readonly<Record<string, () => Promise<Payment>>> = {
    'a hold': () => create(),
    'a payment with legs': async () => {
      await open(store.tenant, { [`cas-${(payees += 1)}`]: 0 });
      const legs = [
        { to: 'ben', amount: 300 },
        { to: `cas-${payees}`, amount: 301 },
      ];
      const { to: _to, ...order } = { ...ORDER, amount: 601, legs };
      return person('jo').createPayment({ ...order, ...inNineHours(), idempotencyKey: key() });
    },
    'a payment that looks for its funds at execution': () => create({ funding: 'at_execution' }),
  };

  describe.each(Object.entries(KINDS))('of %s', (_kind, make) => {
    test('does not hold for a later expiry', async () => {
      const { id } = await make();
      await approve(id, 1);
      const expiresAt = new Date(Date.now() + 20 * HOUR);
      expect(await person('jo').extendPayment(id, expiresAt)).toMatchObject({ approval: 'awaited', termsVersion: 2 });
      expect(await refused(() => person('jo').approvePayment(id, { termsVersion: 2 }))).toBe('APPROVAL_NEEDS_ANOTHER');
      expect(await person('kim').approvePayment(id, { termsVersion: 2 })).toMatchObject({
        approval: 'given',
        expiresAt,
      });
    });

    test('holds for a sooner expiry, and for the same', async () => {
      const { id, expiresAt } = await make();
      await approve(id, 1);
      expect(await person('jo').extendPayment(id, expiresAt ?? '')).toMatchObject({
        approval: 'given',
        termsVersion: 1,
      });
      const sooner = new Date(Date.now() + 2 * HOUR);
      expect(await person('jo').extendPayment(id, sooner)).toMatchObject({ approval: 'given', termsVersion: 2 });
    });

    test('does not let those who decided its terms run it early', async () => {
      const { id } = await make();
      await person('lee').editPayment(id, { executeAt: new Date(Date.now() + 2 * HOUR) });
      await approve(id, 2);
      for (const name of ['jo', 'lee']) {
        expect(await refused(() => person(name).runPaymentNow(id))).toBe('APPROVAL_NEEDS_ANOTHER');
        const many = await person(name).runPaymentsNow(
          { executeFrom: new Date(Date.now() + HOUR * 1.5) },
          { limit: 1_000 },
        );
        expect(many.payments.map((payment) => payment.id)).not.toContain(id);
      }
      expect(await person('kim').runPaymentNow(id)).toMatchObject({ approval: 'given' });
    });

    test('is that of a retry, which is of the same terms', async () => {
      const { id, amount, executeAt } = await make();
      await approve(id, 1);
      await person('kim').failPayment(id, 'a mistake');
      const again = await person('jo').retryPayment(id);
      expect(again).toMatchObject({ approval: 'given', termsVersion: 1, amount, executeAt });
      expect(await refused(() => person('jo').runPaymentNow(id))).toBe('APPROVAL_NEEDS_ANOTHER');
      const [due] = await store.owner.query('select due_at from usance.due where payment_id = $1::uuid', [id]);
      expect(asDate(due?.['due_at'])).toEqual(executeAt);
    });
  });

  test('does not let those who decided the terms of a hold capture it early, in whole or in part', async () => {
    const { id } = await create();
    await approve(id, 1);
    const capture = (name: string, amount?: number) =>
      person(name).capturePayment(id, { ...(amount ? { amount } : {}), idempotencyKey: key() });
    expect(await refused(() => capture('jo'))).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await refused(() => capture('jo', 1))).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await capture('kim', 1)).toMatchObject({ captured: 1n });
    const later = new Date(Date.now() + 20 * HOUR);
    expect(await person('jo').extendPayment(id, later)).toMatchObject({ approval: 'awaited', captured: 1n });
  });

  test.each<[string, (id: string) => Promise<Payment>]>([
    ['its maker cancels', (id) => person('jo').cancelPayment(id)],
    ['another person rejects', (id) => person('kim').rejectPayment(id, 'no longer wanted')],
  ])('that is awaited anew for the rest of a hold leaves books that add up when %s it', async (_name, end) => {
    const { id } = await create();
    await approve(id, 1);
    await person('kim').capturePayment(id, { amount: 1, idempotencyKey: key() });
    await person('jo').extendPayment(id, new Date(Date.now() + 20 * HOUR));
    expect(await end(id)).toMatchObject({ status: 'settled', approval: 'awaited', captured: 1n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is compared with what was asked for by the version of the terms, whatever the server’s clock said', async () => {
    const { id } = await create();
    // As a server whose clock was set back by 20 seconds writes events and inbox.
    await store.owner.query(
      `create function public.set_back() returns trigger language plpgsql as
       $$ begin new.recorded_at := new.recorded_at - interval '20 seconds'; return new; end $$;
       create trigger set_back before insert on usance.events for each row execute function public.set_back();
       create trigger set_back before insert on usance.event_inbox for each row execute function public.set_back()`,
    );
    await approve(id, 1);
    await store.owner.query('drop function public.set_back() cascade');
    expect(await store.tenant.payment(id)).toMatchObject({ approval: 'given' });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('lets those who decided the terms run and capture from the instant on', async () => {
    const own = await testTenant(store.usance, '2027-03-01T00:00:00Z');
    await open(own.tenant, { ann: 100_000, ben: 0 });
    await own.tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    const [jo, kim] = await Promise.all(
      ['cli:jo', 'cli:kim'].map((actor) => store.usance.tenant(own.tenant.name, { actor })),
    );
    const made = async () => {
      const order = { ...ORDER, executeAt: new Date('2027-03-01T01:00:00Z'), idempotencyKey: key() };
      const payment = await (jo ?? own.tenant).createPayment(order);
      await own.tenant.pause('tenant', '', 'so that it is not paid at its instant');
      await kim?.approvePayment(payment.id, { termsVersion: 1 });
      return payment.id;
    };
    const id = await made();
    await advance(store.usance, own, '2027-03-01T01:00:00Z');
    await jo?.runPaymentNow(id);
    await own.tenant.liftPause('tenant', '');
    expect(await jo?.capturePayment(id, { idempotencyKey: key() })).toMatchObject({ status: 'settled' });
  });

  test('is not asked for where none was needed: the maker runs and extends', async () => {
    const { id } = await create({ amount: 1, from: 'cas' });
    expect(await person('jo').extendPayment(id, new Date(Date.now() + 20 * HOUR))).toMatchObject({ approval: null });
    expect(await person('jo').runPaymentNow(id)).toMatchObject({ approval: null });
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
