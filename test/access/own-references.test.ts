// References of an end user are a namespace of their own: nothing of the tenant's, or of another end user, is taken or found by one.
import { beforeAll, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { LIBRARY } from '../../src/kernel/index.ts';
import { open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import { inSeconds, shared, token } from './tokens.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';
const store = useUsance({
  jwt: { secret: SECRET, audience: 'usance', issuer: null },
  retention: { paymentsMs: -60_000 },
});
beforeAll(() => open(store.tenant, { alice: 10_000, bob: 10_000 }));

const as = async (sub: string): Promise<TenantHandle> => {
  const shown = await store.usance.authenticate(token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) }));
  if (!shown) throw new Error('expected somebody');
  return shown.handle;
};
let keys = 0;
const pay = async (by: TenantHandle, from: string, reference: string): Promise<string> => {
  const to = from === 'alice' ? 'bob' : 'alice';
  const order = { from, to, asset: 'USD', amount: 1, delay: '1h', reference };
  return (await by.createPayment({ ...order, idempotencyKey: `ref ${(keys += 1)}` })).id;
};
const found = async (by: TenantHandle, reference: string): Promise<string[]> =>
  (await by.payments({ reference })).map(({ id }) => id);

test('an end user takes no reference of the tenant or another end user, and is not told that there is one', async () => {
  const [alice, bob] = [await as('alice'), await as('bob')];
  // The same reference three times, whoever is first.
  const theirs = await pay(store.tenant, 'alice', 'order-1');
  const [hers, his] = [await pay(alice, 'alice', 'order-1'), await pay(bob, 'bob', 'order-1')];
  const squatted = await pay(alice, 'alice', 'order-2');
  const made = await pay(store.tenant, 'alice', 'order-2');
  expect(await found(store.tenant, 'order-1')).toEqual([theirs]);
  expect(await found(store.tenant, 'order-2')).toEqual([made]);
  expect([await found(alice, 'order-1'), await found(alice, 'order-2')]).toEqual([[hers], [squatted]]);
  expect([await found(bob, 'order-1'), await found(bob, 'order-2')]).toEqual([[his], []]);
  for (const [by, from] of [[store.tenant, 'alice'] as const, [alice, 'alice'] as const, [bob, 'bob'] as const]) {
    expect(await refusalOf(pay(by, from, 'order-1'))).toBe('REFERENCE_EXISTS');
  }
});

test('a batch tells the namespaces apart, and an archived payment keeps its reference in its own', async () => {
  const alice = await as('alice');
  const order = { from: 'alice', to: 'bob', asset: 'USD', amount: 1, delay: '1h', reference: 'order-3' };
  const made = await pay(alice, 'alice', 'order-3');
  const results = await store.tenant.createPayments([order, order], { idempotencyKey: 'two' });
  expect(results.map((result) => ('refused' in result ? result.refused.code : 'made'))).toEqual([
    'made',
    'REFERENCE_EXISTS',
  ]);
  await alice.cancelPayment(made);
  expect(await store.usance.archive({ olderThanMs: -60_000, caller: LIBRARY })).toBe(1);
  expect(await refusalOf(pay(alice, 'alice', 'order-3'))).toBe('REFERENCE_EXISTS');
  expect(await found(alice, 'order-3')).toEqual([made]);
});
