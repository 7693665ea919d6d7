// What a tenant allows its payouts: listed addresses, caps of one payout and of a day, and pauses of chains. Asked at every step on the way to a
// signature, and counted where it is signed.
import { describe, expect, test } from 'vitest';
import type { CapOrder, Payment } from '../../src/engine.ts';
import { held, key, troubles } from '../support/books.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import type { PayoutWorld } from './world.ts';
import { OTHER_PAYEE, PAYEE, USDC, usePayouts } from './world.ts';

const store = usePayouts();
const HOUR = 3_600;
const usdc = (whole: number): bigint => BigInt(whole) * 1_000_000n;

const list = ({ tenant }: PayoutWorld, address = PAYEE) => tenant.addPayoutDestination({ chain: 'sandbox', address });
const cap = ({ tenant }: PayoutWorld, order: Omit<CapOrder, 'asset'>) => tenant.setPayoutCap({ asset: USDC, ...order });
const scheduled = ({ tenant }: PayoutWorld) =>
  tenant.createSchedule({
    from: 'alice',
    asset: USDC,
    amount: usdc(10),
    destinations: { sandbox: PAYEE },
    rule: { frequency: 'WEEKLY', weekdays: ['FR'], time: '09:00' },
    idempotencyKey: key(),
  });
const eventsOf = async ({ tenant }: PayoutWorld, type: string) =>
  (await tenant.events({ type })).map(({ data }) => data);

/** The largest sum of what landed in any 24 hours of the chain, by the blocks. */
async function mostInADay(world: PayoutWorld): Promise<bigint> {
  const landed = (await world.landed()).map(({ includedHeight, units }) => ({ at: Number(includedHeight), units }));
  const sums = landed.map(({ at }) =>
    landed.reduce((sum, other) => (other.at >= at && other.at < at + 24 * HOUR ? sum + other.units : sum), 0n),
  );
  return sums.reduce((most, sum) => (sum > most ? sum : most), 0n);
}

describe('with listed addresses only', () => {
  test('a payout to another address is refused at creation, and one to a listed address is paid', async () => {
    const world = await store.world();
    const before = await world.pay();
    await world.tenant.setPayoutPolicy({ listedOnly: true });
    expect(await refusalOf(world.pay())).toBe('PAYOUT_DESTINATION_NOT_ALLOWED');
    expect(await refusalOf(scheduled(world))).toBe('PAYOUT_DESTINATION_NOT_ALLOWED');
    await list(world, OTHER_PAYEE);
    const paid = await world.pay({ destination: OTHER_PAYEE });
    // A payout that names one address that is not listed could be sent there.
    await world.pass(60);
    expect(await world.read(paid)).toMatchObject({ status: 'settled' });
    // What was created before fails when it is due, and its funds are released; nothing was signed.
    expect(await world.read(before)).toMatchObject({ status: 'failed', lastCode: 'PAYOUT_DESTINATION_NOT_ALLOWED' });
    expect(await world.attempts(before)).toMatchObject([{ state: 'abandoned', sent: null }]);
    expect(await world.landed()).toMatchObject([{ recipient: OTHER_PAYEE }]);
    // A replay asks again.
    expect(await refusalOf(world.tenant.retryPayment(before.id))).toBe('PAYOUT_DESTINATION_NOT_ALLOWED');
    await list(world);
    await world.tenant.retryPayment(before.id);
    await world.pass(60);
    expect(await world.read(before)).toMatchObject({ status: 'settled' });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('an address that is removed is not paid by a payout that waits, a schedule, a trigger or a replay of its slot', async () => {
    const world = await store.world();
    await world.tenant.setPayoutPolicy({ listedOnly: true });
    const { id } = await list(world);
    const waits = await world.pay({ delay: '1h' });
    const schedule = await scheduled(world);
    expect(await refusalOf(world.tenant.removePayoutDestination(id, ' '))).toBe('FIELD_INVALID');
    await world.tenant.removePayoutDestination(id, 'the wallet was stolen');
    expect(await refusalOf(world.tenant.editPayment(waits.id, { amount: usdc(11) }))).toBe(
      'PAYOUT_DESTINATION_NOT_ALLOWED',
    );
    expect(await refusalOf(world.tenant.triggerSchedule(schedule.id, { idempotencyKey: key() }))).toBe(
      'PAYOUT_DESTINATION_NOT_ALLOWED',
    );
    await world.pass(10 * HOUR);
    expect(await world.read(waits)).toMatchObject({ status: 'failed', lastCode: 'PAYOUT_DESTINATION_NOT_ALLOWED' });
    const [slot] = await world.tenant.occurrences(schedule.id);
    expect(slot).toMatchObject({ status: 'failed', reason: 'PAYOUT_DESTINATION_NOT_ALLOWED' });
    const letters = await world.tenant.deadLetters({ kind: 'occurrence' });
    expect(await refusalOf(world.tenant.retryDeadLetter(letters[0]?.id ?? ''))).toBe('PAYOUT_DESTINATION_NOT_ALLOWED');
    expect(await world.landed()).toEqual([]);
    expect(await eventsOf(world, 'payout_destination.removed')).toMatchObject([{ reason: 'the wallet was stolen' }]);
    expect(await refusalOf(world.tenant.removePayoutDestination(id, 'again'))).toBe('PAYOUT_DESTINATION_NOT_FOUND');
  });

  test('a new address waits for its time, and for a second person', async () => {
    const world = await store.world();
    await world.tenant.setPayoutPolicy({ listedOnly: true, wait: '24h', secondPerson: true });
    const as = (actor: string) => store.usance.tenant(world.tenant.name, { actor });
    const [ann, ben] = [await as('cli:ann'), await as('cli:ben')];
    const { id, usableAt } = await ann.addPayoutDestination({ chain: 'sandbox', address: PAYEE, label: 'Ana' });
    expect(usableAt).toBeNull();
    expect(await refusalOf(world.pay())).toBe('PAYOUT_DESTINATION_NOT_ALLOWED');
    expect(await refusalOf(ann.approvePayoutDestination(id))).toBe('APPROVAL_NEEDS_ANOTHER');
    const approved = await ben.approvePayoutDestination(id);
    expect(approved).toMatchObject({
      approvedBy: 'cli:ben',
      usableAt: new Date(world.clock().now.getTime() + 24 * HOUR * 1_000),
    });
    expect(await refusalOf(ben.approvePayoutDestination(id))).toBe('PAYOUT_DESTINATION_APPROVED');
    expect(await refusalOf(world.pay())).toBe('PAYOUT_DESTINATION_NOT_ALLOWED');
    // One that is due when the address may be paid is fine.
    const later = await world.pay({ delay: '25h' });
    await world.pass(26 * HOUR);
    expect(await world.read(later)).toMatchObject({ status: 'settled' });
    expect(await eventsOf(world, 'payout_destination.approved')).toHaveLength(1);
    // A looser policy is not for addresses that await approval already.
    const { id: other } = await ann.addPayoutDestination({ chain: 'sandbox', address: OTHER_PAYEE });
    await world.tenant.setPayoutPolicy({ secondPerson: false, wait: 0 });
    expect(await world.tenant.payoutDestination(other)).toMatchObject({ usableAt: null });
  });

  test('an address is listed once, in the form of its chain, and never changes', async () => {
    const world = await store.world();
    const { id } = await list(world);
    expect(await refusalOf(list(world))).toBe('PAYOUT_DESTINATION_EXISTS');
    expect(await refusalOf(list(world, '0x52908400098527886E0F7030069857D2E4169EE7'))).toBe('DESTINATION_INVALID');
    expect(await refusalOf(world.tenant.addPayoutDestination({ chain: 'solana', address: PAYEE }))).toBe(
      'CHAIN_NOT_AVAILABLE',
    );
    const change = (set: string) =>
      store.owner.query(`update usance.payout_destinations set ${set} where id = '${id}'`);
    await expect(change(`address = '${OTHER_PAYEE}'`)).rejects.toThrow(id);
    await expect(change(`usable_at = usable_at - interval '1 hour'`)).rejects.toThrow(id);
    await expect(store.owner.query(`delete from usance.payout_destinations where id = '${id}'`)).rejects.toThrow(
      'payout_destinations',
    );
    // Another tenant sees none of it.
    const stranger = await store.world();
    expect(await stranger.tenant.payoutDestinations()).toEqual([]);
    expect(await refusalOf(stranger.tenant.removePayoutDestination(id, 'mine now'))).toBe(
      'PAYOUT_DESTINATION_NOT_FOUND',
    );
    expect(await refusalOf(stranger.tenant.approvePayoutDestination(id))).toBe('PAYOUT_DESTINATION_NOT_FOUND');
  });
});

describe('a cap', () => {
  test('of one payout is asked at creation, at an edit, at a retry and before it is signed', async () => {
    const world = await store.world();
    const before = await world.pay({ amount: usdc(20), delay: '1h' });
    await cap(world, { chain: 'sandbox', maxAmount: usdc(15) });
    expect(await refusalOf(world.pay({ amount: usdc(16) }))).toBe('PAYOUT_CAP_EXCEEDED');
    const small = await world.pay({ amount: usdc(15), delay: '1h' });
    expect(await refusalOf(world.tenant.editPayment(small.id, { amount: usdc(16) }))).toBe('PAYOUT_CAP_EXCEEDED');
    await world.pass(2 * HOUR);
    expect(await world.read(small)).toMatchObject({ status: 'settled' });
    expect(await world.read(before)).toMatchObject({ status: 'failed', lastCode: 'PAYOUT_CAP_EXCEEDED' });
    expect(await refusalOf(world.tenant.retryPayment(before.id))).toBe('PAYOUT_CAP_EXCEEDED');
    await cap(world, { chain: 'sandbox', maxAmount: null });
    await cap(world, { maxAmount: usdc(19) });
    expect(await refusalOf(world.tenant.retryPayment(before.id))).toBe('PAYOUT_CAP_EXCEEDED');
    await cap(world, { maxAmount: usdc(20) });
    await world.tenant.retryPayment(before.id);
    await world.pass(60);
    expect(await world.read(before)).toMatchObject({ status: 'settled' });
    expect(await eventsOf(world, 'payout_cap.set')).toHaveLength(4);
  });

  test('of a day is never exceeded in any 24 hours, and what waits for it is paid later', async () => {
    const world = await store.world();
    // Signed before there was a cap: it counts.
    await world.pay({ amount: usdc(10) });
    await world.pass(60);
    await cap(world, { dailyAmount: usdc(30) });
    const payouts: Payment[] = [];
    for (let count = 0; count < 8; count += 1) payouts.push(await world.pay({ amount: usdc(10) }));
    await world.pass(60);
    const statuses = async () =>
      (await Promise.all(payouts.map((each) => world.read(each)))).map(({ status }) => status);
    expect((await statuses()).filter((status) => status === 'settled')).toHaveLength(2);
    const waiting = await world.read(payouts.at(-1) ?? expect.fail('there are payouts'));
    expect(waiting).toMatchObject({ status: 'scheduled', lastCode: 'PAYOUT_CAP_EXCEEDED', attempts: 0 });
    expect(await world.attempts(waiting)).toEqual([]);
    await world.pass(4 * 26 * HOUR);
    expect((await statuses()).filter((status) => status === 'settled')).toHaveLength(8);
    expect(await mostInADay(world)).toBe(usdc(30));
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('of a day gives back what has ended without paying, and what was never signed counts nothing', async () => {
    const world = await store.world();
    await cap(world, { chain: 'sandbox', dailyAmount: usdc(10) });
    const cancelled = await world.pay({ delay: '1h' });
    await world.tenant.cancelPayment(cancelled.id);
    await world.faults({ expire: 1 });
    const failing = await world.pay({ retry: { maxAttempts: 1 } });
    await world.pass(1);
    const next = await world.pay();
    await world.pass(30);
    expect(await world.read(next)).toMatchObject({ status: 'scheduled', lastCode: 'PAYOUT_CAP_EXCEEDED' });
    await world.faults({ expire: 0 });
    await world.pass(HOUR + 60);
    expect(await world.read(failing)).toMatchObject({ status: 'failed' });
    expect(await world.read(next)).toMatchObject({ status: 'settled' });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('that a payout exceeds by itself refuses it at once', async () => {
    const world = await store.world();
    await cap(world, { dailyAmount: usdc(5) });
    expect(await refusalOf(world.pay())).toBe('PAYOUT_CAP_EXCEEDED');
    expect(await refusalOf(cap(world, { chain: 'solana', dailyAmount: 1n }))).toBe('CHAIN_NOT_AVAILABLE');
    expect(await refusalOf(cap(world, { dailyAmount: 0n }))).toBe('AMOUNT_NOT_POSITIVE');
    expect(await cap(world, { dailyAmount: null })).toEqual([]);
  });
});

describe('while a chain is paused', () => {
  test('nothing is signed or sent over it, also what was signed before, and what was sent is watched', async () => {
    const world = await store.world();
    await world.faults({ drop: 1 });
    const sent = await world.pay();
    const waits = await world.pay({ rail: 'any', destinations: { sandbox: PAYEE }, delay: 10 });
    await world.pass(1);
    const [attempt] = await world.attempts(sent);
    await world.tenant.pause('rail', 'sandbox', 'the chain is changed');
    expect(await refusalOf(world.pay({ rail: 'any', destinations: { sandbox: PAYEE } }))).toBe('PAUSED');
    await world.faults({ drop: 0 });
    await world.pass(45);
    const [paused] = await world.attempts(sent);
    expect(paused).toMatchObject({ state: 'sent', broadcasts: attempt?.broadcasts });
    expect(await world.attempts(waits)).toEqual([]);
    expect(await world.landed()).toEqual([]);
    expect(await held(world.tenant, 'alice', USDC)).toEqual([usdc(980), usdc(20)]);
    await world.tenant.liftPause('rail', 'sandbox');
    await world.pass(120);
    expect(await world.read(sent)).toMatchObject({ status: 'settled' });
    expect(await world.read(waits)).toMatchObject({ status: 'settled' });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('what was sent before settles', async () => {
    const world = await store.world();
    const sent = await world.pay();
    await world.pass(1);
    await world.tenant.pause('rail', 'sandbox', 'the chain is changed');
    await world.pass(60);
    expect(await world.read(sent)).toMatchObject({ status: 'settled' });
  });
});

test('a policy or a cap that names nothing to change is refused, and null removes a cap', async () => {
  const world = await store.world();
  expect(await refusedFor(world.tenant.setPayoutPolicy({}))).toBe('FIELD_INVALID/none_of_given');
  expect(await refusedFor(cap(world, {}))).toBe('FIELD_INVALID/none_given');
  expect(await eventsOf(world, 'payout_cap.set')).toEqual([]);
  await cap(world, { maxAmount: 5n });
  expect(await cap(world, { maxAmount: null })).toEqual([]);
});
