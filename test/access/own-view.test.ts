// What an end user sees of what is theirs: no reasons or notes of the tenant's people, no key, and of a shared payment their part.
import { beforeAll, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import { inSeconds, shared, token } from './tokens.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';
const WORDS = 'suspected of fraud';

const store = useUsance({ jwt: { secret: SECRET, audience: 'usance', issuer: null } });
let key: TenantHandle;
let keys = 0;
const next = (): string => `view ${(keys += 1)}`;

const as = async (sub: string): Promise<TenantHandle> => {
  const shown = await store.usance.authenticate(token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) }));
  if (!shown) throw new Error('expected somebody');
  return shown.handle;
};
const shownAs = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}` : field));

/** All that the handle shows of an account and its payments, as text. */
async function everythingOf(user: TenantHandle): Promise<string> {
  const me = user.subject ?? '';
  const payments = await user.payments();
  const paid = payments.filter(({ payerId }) => payerId === me);
  const period = { asset: 'USD', from: new Date('2020-01-01'), to: new Date(Date.now() + 60_000) };
  return shownAs([
    await user.account(me),
    await user.accounts(),
    await user.accountsPage(),
    await user.accountWithBalances(me),
    await user.transfers(me),
    await user.reservations(me),
    await user.statement(me, period),
    await user.forecast(me),
    await user.subscriptions(),
    await user.subscriptionsPage(),
    payments,
    await user.paymentsPage(),
    await Promise.all(payments.map(({ id }) => user.payment(id))),
    await Promise.all(paid.map(({ id }) => user.timeline(id))),
    await Promise.all(paid.map(({ id }) => user.whyPayment(id))),
  ]);
}

beforeAll(async () => {
  await open(store.tenant, { alice: 10_000, bob: 0, carol: 0 });
  const { secret } = await store.tenant.createApiKey({ name: 'backend', role: 'admin' });
  const shown = await store.usance.authenticate(secret);
  if (!shown) throw new Error('expected a key');
  key = shown.handle;
});

test('no reason, note or key of the tenant is shown to an end user', async () => {
  const order = { from: 'alice', to: 'bob', asset: 'USD', amount: 100, metadata: { note: WORDS }, reference: WORDS };
  const later = async (funding: 'reserve' | 'at_execution', reference: string): Promise<string> =>
    (await key.createPayment({ ...order, funding, reference, delay: '1h', idempotencyKey: next() })).id;
  const failed = await later('reserve', `${WORDS} 1`);
  await key.failPayment(failed, WORDS);
  await key.retryPayment(failed, { reason: WORDS });
  await key.failPayment(failed, WORDS);
  await key.cancelPayment(await later('at_execution', `${WORDS} 2`), { reason: WORDS });
  const paid = await later('reserve', `${WORDS} 3`);
  await key.capturePayment(paid, { idempotencyKey: next() });
  await key.refundPayment(paid, { reason: WORDS, idempotencyKey: next() });
  await key.setLimit({ asset: 'USD', approvalAbove: 500 });
  const asked = { ...order, amount: 600, reference: `${WORDS} 4`, delay: '1h', idempotencyKey: next() };
  const { id: awaited } = await key.createPayment(asked);
  await store.tenant.rejectPayment(awaited, WORDS);
  const { id: plan } = await key.createPlan({
    name: 'gold',
    receiver: 'bob',
    asset: 'USD',
    price: 1,
    charges: 2,
    period: { frequency: 'MONTHLY' },
  });
  const agreed = await key.subscribe({ plan, payer: 'alice', metadata: { note: WORDS }, idempotencyKey: next() });
  await key.cancelSubscription(agreed.id, { reason: WORDS });
  await key.suspendAccount('alice', WORDS);
  await key.suspendAccount('bob', WORDS);
  for (const name of ['alice', 'bob']) {
    const seen = await everythingOf(await as(name));
    expect(seen, name).not.toContain(WORDS);
    expect(seen, name).not.toMatch(/key:|library/);
    expect(seen, name).toContain('tenant');
  }
  await key.reactivateAccount('alice', WORDS);
  await key.reactivateAccount('bob', WORDS);
  const mine = await (await as('alice')).payment(failed);
  expect(mine).toMatchObject({ lastCode: 'FAILED_BY_OPERATOR', createdBy: 'tenant' });
});

test('an end user’s own words stay theirs', async () => {
  const alice = await as('alice');
  const own = { from: 'alice', to: 'bob', asset: 'USD', amount: 10, reference: 'mine', metadata: { for: 'lunch' } };
  const { id } = await alice.createPayment({ ...own, delay: '1h', idempotencyKey: next() });
  await alice.cancelPayment(id, { reason: 'not hungry' });
  expect(await alice.payment(id)).toMatchObject({ reference: 'mine', metadata: { for: 'lunch' } });
  const story = await alice.timeline(id);
  expect(story.map(({ actor, cause }) => [actor, cause])).toEqual([
    [`user:${alice.subject}`, null],
    [`user:${alice.subject}`, 'not hungry'],
  ]);
  expect(story[1]?.data).toMatchObject({ old: { status: 'scheduled' }, new: { status: 'cancelled' }, released: '10' });
});

test('a payee of several sees the amounts of their own leg, before and after it is paid and given back', async () => {
  const legs = [
    { to: 'bob', amount: 60 },
    { to: 'carol', amount: 40 },
  ];
  const order = { from: 'alice', asset: 'USD', amount: 100, legs, funding: 'reserve', delay: '1h' } as const;
  const { id } = await key.createPayment({ ...order, idempotencyKey: next() });
  const seen = async (name: string): Promise<bigint[]> => {
    const user = await as(name);
    const payment = await user.payment(id);
    expect((await user.payments()).find((each) => each.id === id)).toEqual(payment);
    expect(payment.legs).toEqual([{ accountId: user.subject, amount: payment.amount }]);
    return [payment.amount, payment.captured, payment.released, payment.refunded];
  };
  expect(await seen('bob')).toEqual([60n, 0n, 0n, 0n]);
  await key.capturePayment(id, { idempotencyKey: next() });
  expect(await seen('carol')).toEqual([40n, 40n, 0n, 0n]);
  await key.refundPayment(id, { from: 'bob', amount: 25, idempotencyKey: next() });
  expect([await seen('bob'), await seen('carol')]).toEqual([
    [60n, 60n, 0n, 25n],
    [40n, 40n, 0n, 0n],
  ]);
  await key.refundPayment(id, { idempotencyKey: next() });
  expect([await seen('bob'), await seen('carol')]).toEqual([
    [60n, 60n, 0n, 60n],
    [40n, 40n, 0n, 40n],
  ]);
  const { id: dropped } = await key.createPayment({ ...order, idempotencyKey: next() });
  await key.cancelPayment(dropped);
  expect(await (await as('carol')).payment(dropped)).toMatchObject({ amount: 40n, captured: 0n, released: 40n });
});

test('a payer is told why a payment waits, without words, actors and totals of the tenant', async () => {
  const order = { from: 'alice', to: 'bob', asset: 'USD', amount: 100, funding: 'at_execution' } as const;
  const { id } = await key.createPayment({ ...order, idempotencyKey: next() });
  await key.pause('tenant', '', WORDS);
  await key.setLimit({ asset: 'USD', tenantDailyAmount: 77 });
  await key.suspendAccount('bob', WORDS);
  const alice = await as('alice');
  const why = await alice.whyPayment(id);
  expect(why).toMatchObject({ code: 'paused', sentence: 'outgoing payments are paused', by: null, changes: [] });
  expect(why.also.map(({ sentence }) => sentence)).toEqual([
    '1.00 USD would exceed the daily total of the tenant',
    'the account of a payee is suspended',
  ]);
  expect(why.also[0]?.until).toBeNull();
  expect(shownAs(why)).not.toMatch(new RegExp(`${WORDS}|key:|0\\.77`));
  expect(shownAs(await key.whyPayment(id))).toMatch(new RegExp(`${WORDS}.*key:.*0\\.77`));
  await key.liftPause('tenant', '');
  await key.setLimit({ asset: 'USD', tenantDailyAmount: null });
  await key.reactivateAccount('bob', 'answered');
});

test('a payer is told of changes that an end user can make, and of no others', async () => {
  const order = { from: 'alice', to: 'bob', asset: 'USD', amount: 100, delay: '1h' } as const;
  const alice = await as('alice');
  const ofKey = (await key.createPayment({ ...order, idempotencyKey: next() })).id;
  const own = (await alice.createPayment({ ...order, idempotencyKey: next() })).id;
  const operations = async (user: TenantHandle, id: string) =>
    (await user.whyPayment(id)).changes.map(({ operation }) => operation);
  expect(await operations(key, own)).toEqual([null, 'payments.update', 'payments.runNow']);
  expect(await operations(alice, own)).toEqual([null, 'payments.update']);
  await alice.editPayment(own, { executeAt: new Date(Date.now() + 60_000) });
  // A payment that the tenant made is the tenant's to change.
  expect(await operations(alice, ofKey)).toEqual([null]);
  expect(await refusalOf(alice.editPayment(ofKey, { executeAt: new Date(Date.now() + 60_000) }))).toBe(
    'AUTH_FORBIDDEN',
  );
  expect(await refusalOf(alice.cancelPayment(ofKey))).toBe('AUTH_FORBIDDEN');
  for (const id of [own, ofKey]) {
    await key.cancelPayment(id);
    expect(await operations(key, id)).toEqual(['payments.create']);
    expect(await operations(alice, id)).toEqual(['holds.create']);
  }
});
