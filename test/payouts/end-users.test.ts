// What an end user learns of the treasury and of what the tenant allows its payouts: nothing. The payouts themselves are theirs to see.
import { beforeAll, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { key, open } from '../support/books.ts';
import { refusedFor } from '../support/refusal.ts';
import { PAYEE, USDC, usePayouts } from './world.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';
const store = usePayouts({ jwt: { secret: SECRET, audience: 'usance', issuer: null } });

const as = async (sub: string): Promise<TenantHandle> => {
  const shown = await store.usance.authenticate(token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) }));
  return shown?.handle ?? expect.fail('the token is valid');
};
const pay = (from: string) =>
  store.tenant.createPayment({
    from,
    asset: USDC,
    amount: 10n,
    destination: PAYEE,
    rail: 'sandbox',
    idempotencyKey: key(),
  });
const work = (): Promise<unknown> =>
  store.usance.loops.find(({ name }) => name === 'payouts')?.runOnce() ?? expect.fail('the loop is there');

beforeAll(async () => {
  await store.tenant.createAsset(USDC);
  await open(store.tenant, { alice: 100, bob: 100 }, USDC);
  await store.tenant.setPayoutCap({ asset: USDC, dailyAmount: 17n });
  await pay('bob');
  await work();
});

test('an end user does not see caps, what others were paid, or the wallet, in why a payout waits', async () => {
  const { id } = await pay('alice');
  await work();
  const waits = await store.tenant.payment(id);
  expect(waits).toMatchObject({ status: 'scheduled', lastCode: 'PAYOUT_CAP_EXCEEDED' });
  expect(waits.lastDetail).toMatch(/0\.000017 USDC .* 0\.000010 USDC are signed/);
  const alice = await as('alice');
  const seen = await alice.payment(id);
  expect(seen).toMatchObject({ lastCode: 'PAYOUT_CAP_EXCEEDED', lastDetail: 'The payout exceeds a cap of the tenant' });
  const all = [seen, await alice.payments(), await alice.timeline(id), await alice.whyPayment(id)];
  const text = JSON.stringify(all, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  expect(text).not.toContain('0.000017');
  expect(text).not.toMatch(/are signed/);
});

test('a token with the ref of a wallet is not the treasury', async () => {
  expect((await store.tenant.account('wallet:sandbox')).kind).toBe('treasury');
  expect(await refusedFor(as('wallet:sandbox'))).toBe('AUTH_INVALID/account_not_open');
});
