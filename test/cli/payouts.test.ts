// `usance payouts`: what an operator sees of payments over chains, and does about one in review.
import { userInfo } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { walletKey } from '../../src/rails/index.ts';
import { key } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { payoutInReview } from '../support/payouts.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance({ chains: { sandbox: true, measureEveryMs: 3_600_000 } });
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
/** Whatever is printed has TypeIDs: the tables have UUIDs, and nothing else shows them. */
const run = async (args: readonly string[], sandbox = '1') => {
  const env = { DATABASE_URL: world.runtimeUrl, USANCE_SANDBOX: sandbox };
  const ran = await usanceHere(folder, ['payouts', ...args], env);
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
    expect((await run(['list', '--status', 'settled'])).out).toBe('No payout in the tenant shop.\n');
    const found = (await run(['list', '--status', 'review', '--json'])).json<{ payouts: object[] }>();
    expect(found.payouts).toMatchObject([{ id: reviewed, status: 'review', attempt: { number: 1, state: 'sent' } }]);
  });

  test('get shows the attempts, and why it is not paid', async () => {
    const { code, out, err } = await run(['get', reviewed]);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toContain(`pays ${PAYEE} on sandbox\n`);
    expect(out).toMatch(/attempt 1 +sent +\S+ +sandbox [0-9a-f]{64}/);
    expect(out).toContain('\n  → Resolve the review, if you know the outcome.\n');
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
    expect((await run(['cancel', reviewed])).err).toContain(
      'has the status "review" and cannot be cancelled: from "processing" on its chain decides; one in review can be resolved (PAYMENT_STATE_CONFLICT)',
    );
  });

  test('resolve asks the chain first, and records who resolved it', async () => {
    const args = ['resolve', reviewed, '--outcome', 'dead', '--reason', 'no explorer has it'];
    const blind = await run(args, '0');
    expect([blind.code, blind.err]).toEqual([1, expect.stringContaining('has no adapter of the chain sandbox')]);
    const bare = await run(['resolve', reviewed, '--outcome', 'paid', '--reason', 'seen']);
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining('--outcome paid needs --transaction')]);
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

describe('what a tenant allows its payouts', () => {
  const by = `cli:${userInfo().username}`;
  const eventsOf = async (type: string) => {
    await world.usance.loops.find(({ name }) => name === 'sequencer')?.runOnce();
    return (await world.tenant.events({ type })).map(({ actor, data }) => ({ actor, data }));
  };

  test('policy shows and changes what addresses may be paid, first as a dry run', async () => {
    expect((await run(['policy'])).out).toBe(
      'payouts go to any address; a new address may be paid at once; no second person approves it.\n',
    );
    const args = ['policy', 'set', '--listed-only', '--wait', '24h', '--second-person'];
    const after = 'payouts go to listed addresses only; a new address may be paid after PT86400S; a second person';
    expect((await run([...args, '--dry-run'])).out).toContain(`Dry run, nothing was changed: ${after}`);
    expect(await world.tenant.payoutPolicy()).toMatchObject({ listedOnly: false, waitMs: 0, secondPerson: false });
    expect((await run(args)).out).toContain(`Done: ${after}`);
    expect(await eventsOf('payout_policy.set')).toMatchObject([{ actor: by, data: { new: { listedOnly: true } } }]);
    const nothing = await run(['policy', 'set']);
    expect([nothing.code, nothing.err]).toEqual([
      2,
      'usance: say what to set: --listed-only, --wait or --second-person\n',
    ]);
    const back = (await run(['policy', 'set', '--no-listed-only', '--json'])).json();
    expect(back).toEqual({ listedOnly: false, wait: 'PT86400S', secondPerson: true });
  });

  test('destinations are added, approved by another person, listed and removed', async () => {
    const add = ['destinations', 'add', 'sandbox', PAYEE, '--label', 'Ana'];
    const { id } = (await run([...add, '--json'])).json<{ id: string }>();
    expect((await run(['destinations'])).out).toMatch(
      /^id +chain +address +label +may be paid +added by\npdst_\S+ +sandbox +sbx\S+ +Ana +awaits approval +cli:/,
    );
    expect((await run(['destinations', 'approve', id])).err).toContain('APPROVAL_NEEDS_ANOTHER');
    const other = await world.tenant.addPayoutDestination({ chain: 'sandbox', address: walletKey('other').address });
    const otherId = toTypeId('payoutDestination', other.id);
    expect((await run(['destinations', 'approve', otherId, '--json'])).json()).toMatchObject({ approvedBy: by });
    const remove = ['destinations', 'remove', id, '--reason', 'Ana has left'];
    expect((await run([...remove, '--dry-run'])).out).toContain(`${PAYEE} on sandbox is removed.`);
    expect((await run(remove)).out).toBe(`Done: ${PAYEE} on sandbox is removed.\n`);
    expect((await run(['destinations', 'get', id])).err).toContain('PAYOUT_DESTINATION_NOT_FOUND');
    expect(await eventsOf('payout_destination.removed')).toMatchObject([
      { actor: by, data: { reason: 'Ana has left' } },
    ]);
  });

  test('caps are set, listed and removed by asset and chain', async () => {
    const set = ['caps', 'set', '--asset', 'USDC/6', '--max-amount', '500000000'];
    expect((await run(['caps', 'set', '--asset', 'USDC/6'])).code).toBe(2);
    expect((await run([...set, '--dry-run'])).out).toMatch(/Dry run, nothing was changed: asset +chain +one payout/);
    expect((await run(set)).code).toBe(0);
    await run(['caps', 'set', '--asset', 'USDC/6', '--chain', 'sandbox', '--daily-amount', '2000000000']);
    const { out } = await run(['caps']);
    expect(out).toMatch(/USDC\/6 +all chains together +500\.000000 USDC +–/);
    expect(out).toMatch(/USDC\/6 +sandbox +– +2000\.000000 USDC/);
    const removed = await run(['caps', 'remove', '--asset', 'USDC/6', '--json']);
    expect(removed.json()).toMatchObject({ caps: [{ asset: 'USDC/6', chain: 'sandbox', dailyAmount: '2000000000' }] });
    expect(await eventsOf('payout_cap.set')).toHaveLength(3);
  });
});
