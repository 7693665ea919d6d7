// `usance payouts`: what an operator sees of payments over chains, and does about one in review.
import { userInfo } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { walletKey } from '../../src/rails/index.ts';
import { key } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { payoutInReview } from '../support/payouts.ts';
import { usance, useFolder } from './cli.ts';

const folder = useFolder();
const world = useUsance({ chains: { sandbox: true, measureEveryMs: 3_600_000 } });
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
/** Whatever is printed has TypeIDs: the tables have UUIDs, and nothing else shows them. */
const run = async (args: readonly string[], sandbox = '1') => {
  const env = { DATABASE_URL: world.runtimeUrl, USANCE_SANDBOX: sandbox };
  const ran = await usance(folder, ['payouts', ...args], env);
  expect(ran.out + ran.err).not.toMatch(UUID);
  return ran;
};
const PAYEE = walletKey('payee').address;

let reviewed = '';
let waiting = '';
let inside = '';

beforeAll(async () => {
  const { tenant } = world;
  await tenant.createAsset('USDC/6');
  await tenant.openAccount({ ref: 'alice' });
  await tenant.deposit({ account: 'alice', asset: 'USDC/6', amount: 100_000_000n, idempotencyKey: key() });
  reviewed = await payoutInReview(world);
  const order = { from: 'alice', amount: 2_000_000n, asset: 'USDC/6', delay: '1h' };
  const payout = { ...order, destinations: { sandbox: PAYEE }, reference: 'bounty-1', idempotencyKey: key() };
  waiting = toTypeId('payment', (await tenant.createPayment(payout)).id);
  inside = toTypeId('payment', (await tenant.createPayment({ ...order, to: 'fees', idempotencyKey: key() })).id);
});

describe('payouts', () => {
  test('lists them with their chain, and nothing else', async () => {
    const { code, out } = await run([]);
    expect(code).toBe(0);
    expect(out).toMatch(/^id +status +amount +chain +to +execute at\n/);
    expect(out).toContain(`${waiting}  scheduled  2.000000 USDC  any`);
    expect(out).toContain(`${reviewed}  review`);
    expect(out).not.toContain(inside);
    expect((await run(['list', '--status', 'settled'])).out).toBe('No payout.\n');
    const found = (await run(['list', '--status', 'review', '--json'])).json<{ payouts: object[] }>();
    expect(found.payouts).toMatchObject([{ id: reviewed, status: 'review', attempt: { number: 1, state: 'sent' } }]);
  });

  test('get shows the attempts, and why it is not paid', async () => {
    const { code, out, err } = await run(['get', reviewed]);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toContain(`pays ${PAYEE} on sandbox\n`);
    expect(out).toMatch(/attempt 1 +sent +\S+ +sandbox [0-9a-f]{64}/);
    const shown = (await run(['get', waiting, '--json'])).json();
    expect(shown).toMatchObject({ id: waiting, attemptList: [], why: { code: 'not_due' } });
    const other = await run(['get', inside]);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('PAYMENT_NOT_FOUND')]);
  });

  test('route says why a payout takes its chain', async () => {
    const { code, out } = await run(['route', reviewed]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Chosen: sandbox, the highest score for low fee/);
    expect((await run(['route', reviewed, '--json'])).json()).toMatchObject({
      replays: true,
      routes: [{ chain: 'sandbox' }],
    });
    expect((await run(['route', waiting])).err).toContain('ROUTE_NOT_CHOSEN');
  });

  test('cancel cancels one of which no attempt has begun, first as a dry run', async () => {
    const args = ['cancel', waiting, '--reason', 'the address changed'];
    expect((await run([...args, '--dry-run'])).out).toMatch(/^Dry run, nothing was changed: .* is cancelled/);
    expect((await run(args)).out).toBe(`Done: ${waiting} is cancelled.\n`);
    expect((await run(args)).err).toContain('PAYMENT_STATE_CONFLICT');
    expect((await run(['cancel', reviewed])).err).toContain('PAYMENT_STATE_CONFLICT');
  });

  test('resolve asks the chain first, and records who resolved it', async () => {
    const args = ['resolve', reviewed, '--outcome', 'dead', '--reason', 'no explorer has it'];
    const blind = await run(args, '0');
    expect([blind.code, blind.err]).toEqual([1, expect.stringContaining('has no adapter of the chain sandbox')]);
    expect((await run(['resolve', reviewed, '--outcome', 'paid', '--reason', 'seen'])).code).toBe(1);
    expect((await run(['resolve', reviewed, '--outcome', 'lost', '--reason', 'x'])).code).toBe(2);
    expect((await run([...args, '--dry-run'])).out).toMatch(/^Dry run, nothing was changed: .* is scheduled/);
    const done = (await run([...args, '--json'])).json();
    expect(done).toMatchObject({ id: reviewed, status: 'scheduled', lastCode: 'PAYOUT_NOT_LANDED' });
    const after = (await run(['get', reviewed, '--json'])).json();
    expect(after).toMatchObject({
      attemptList: [{ state: 'dead', resolvedBy: `cli:${userInfo().username}`, code: 'PAYOUT_NOT_LANDED' }],
    });
    expect((await run(args)).err).toContain('PAYOUT_NOT_IN_REVIEW');
  });
});
