// A payout from its creation to finality on the simulated chain, by a test clock.
import { describe, expect, test } from 'vitest';
import { held, key, troubles } from '../support/books.ts';
import { OTHER_PAYEE, PAYEE, USDC, usePayouts } from './world.ts';

const store = usePayouts();

describe('a payout', () => {
  test('reserves, is signed and sent, and settles at finality with the fee that the chain took', async () => {
    const world = await store.world();
    const payout = await world.pay();
    expect(payout).toMatchObject({
      status: 'scheduled',
      rail: 'sandbox',
      payout: { destinations: { sandbox: PAYEE } },
    });
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 10_000_000n]);
    await world.pass(1);
    expect(await world.read(payout)).toMatchObject({ status: 'submitted', attempts: 1, captured: 0n });
    expect(await world.tenant.whyPayment(payout.id)).toMatchObject({ code: 'submitted', also: [] });
    const [sent] = await world.attempts(payout);
    expect(sent).toMatchObject({ state: 'sent', number: 1, broadcasts: 1, lastSeen: 'accepted' });
    // Until finality the payer's reservation stays, and the wallet holds amount and fee.
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 10_000_000n]);
    expect(await held(world.tenant, 'wallet:sandbox', USDC)).toEqual([999_990_000_000n, 10_000_000n]);
    expect((await held(world.tenant, 'wallet:sandbox', 'SBX/9'))[1]).toBe(sent?.sent?.feeLimit);

    await world.pass(30);
    const settled = await world.read(payout);
    expect(settled).toMatchObject({ status: 'settled', captured: 10_000_000n, attempts: 1 });
    const [landed] = await world.landed();
    expect(landed).toMatchObject({ txId: sent?.sent?.signed.transactionId, recipient: PAYEE, units: 10_000_000n });
    const [finalized] = await world.attempts(payout);
    expect(finalized).toMatchObject({ state: 'finalized', fee: landed?.fee, height: landed?.includedHeight });
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 0n]);
    expect(await held(world.tenant, 'wallet:sandbox', USDC)).toEqual([999_990_000_000n, 0n]);
    expect(await held(world.tenant, 'wallet:sandbox', 'SBX/9')).toEqual([1_000_000_000_000n - (landed?.fee ?? 0n), 0n]);
    expect(await world.told(payout)).toEqual(['payment.created', 'payment.submitted', 'payment.settled']);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('that lacks funds waits for them, and is sent once they are there', async () => {
    const world = await store.world(0n);
    const payout = await world.pay({ funding: 'at_execution' });
    await world.pass(1);
    expect(await world.read(payout)).toMatchObject({ status: 'scheduled', lastCode: 'FUNDS_INSUFFICIENT' });
    await world.tenant.deposit({ account: 'alice', asset: USDC, amount: 10_000_000n, idempotencyKey: key() });
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', funding: 'reserve' });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('with a delay is not signed before its time', async () => {
    const world = await store.world();
    const payout = await world.pay({ delay: '1h' });
    await world.pass(3_599);
    expect(await world.read(payout)).toMatchObject({ status: 'scheduled', attempts: 0 });
    expect(await world.attempts(payout)).toEqual([]);
    await world.pass(2);
    expect(await world.read(payout)).toMatchObject({ status: 'submitted', attempts: 1 });
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled' });
  });

  test('takes a quote for five minutes by the clock of its tenant, and not after', async () => {
    const world = await store.world();
    const terms = { asset: USDC, amount: 10_000_000n, destinations: { sandbox: PAYEE } };
    const [soon, late] = [await world.tenant.createQuote(terms), await world.tenant.createQuote(terms)];
    await world.pass(299);
    const { id: quoteId } = await world.tenant.takeQuote(soon.id);
    const payout = await world.pay({ rail: 'any', destinations: terms.destinations, quoteId });
    await world.pass(2);
    await expect(world.tenant.takeQuote(late.id)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled' });
  });

  test('is looked at on its chain every 15 seconds', async () => {
    const world = await store.world();
    await world.faults({ delay: 1, delayBlocks: 58 });
    const payout = await world.pay();
    await world.pass(1);
    const checks = async (): Promise<number | undefined> => (await world.attempts(payout))[0]?.checks;
    for (const [seconds, expected] of [
      [13, 0],
      [2, 1],
      [13, 1],
      [2, 2],
    ] as const) {
      await world.pass(seconds);
      expect(await checks()).toBe(expected);
    }
  });

  test('pays whichever of its destinations a chain is there for', async () => {
    const world = await store.world();
    const payout = await world.pay({ rail: 'any', destinations: { sandbox: OTHER_PAYEE } });
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', rail: 'any' });
    expect(await world.landed()).toMatchObject([{ recipient: OTHER_PAYEE }]);
  });

  test('is never claimed by the processor of the ledger', async () => {
    const { tenant, usance } = store;
    await tenant.createAsset(USDC);
    await tenant.openAccount({ ref: 'payer' });
    await tenant.deposit({ account: 'payer', asset: USDC, amount: 100n, idempotencyKey: key() });
    const order = { from: 'payer', amount: 100n, asset: USDC, rail: 'sandbox', destination: PAYEE };
    const payout = await tenant.createPayment({ ...order, idempotencyKey: key() });
    const processor = usance.loops.find(({ name }) => name === 'processor');
    expect(await processor?.runOnce()).toMatchObject({ counts: { claimed: 0, settled: 0 } });
    expect(await tenant.payment(payout.id)).toMatchObject({ status: 'scheduled' });
    // The database refuses a due row that the processor would claim, and a payout that is settled without its chain.
    const due = `update usance.due set rail = 'ledger' where payment_id = '${payout.id}'`;
    await expect(store.owner.query(due)).rejects.toThrow('due_of_payouts_apart');
    const settled = `update usance.payments set status = 'settled', captured = amount, ended_at = now() where id = '${payout.id}'`;
    await expect(store.owner.query(settled)).rejects.toThrow('scheduled to settled');
  });
});

describe('when the chain', () => {
  test('drops a transaction, the same bytes are sent again and land once', async () => {
    const world = await store.world();
    await world.faults({ drop: 1 });
    const payout = await world.pay();
    await world.pass(20);
    expect(await world.read(payout)).toMatchObject({ status: 'submitted' });
    await world.faults({});
    await world.pass(60);
    expect(await world.read(payout)).toMatchObject({ status: 'settled', attempts: 1 });
    expect(await world.landed()).toHaveLength(1);
    const [attempt] = await world.attempts(payout);
    expect(attempt?.broadcasts).toBeGreaterThan(1);
  });

  test('lets a transaction expire, another attempt follows while the funds stay reserved, and the third is the last', async () => {
    const world = await store.world();
    await world.faults({ expire: 1 });
    const payout = await world.pay();
    await world.pass(80);
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 10_000_000n]);
    await world.pass(400);
    expect(await world.read(payout)).toMatchObject({ status: 'failed', lastCode: 'PAYOUT_NOT_LANDED', attempts: 3 });
    expect((await world.attempts(payout)).map(({ state }) => state)).toEqual(['dead', 'dead', 'dead']);
    expect(await held(world.tenant, 'alice', USDC)).toEqual([1_000_000_000n, 0n]);
    expect((await held(world.tenant, 'wallet:sandbox', USDC))[1]).toBe(0n);
    expect(await world.told(payout)).toEqual([
      'payment.created',
      'payment.submitted',
      'payment.attempt_failed',
      'payment.submitted',
      'payment.attempt_failed',
      'payment.submitted',
      'payment.attempt_failed',
      'payment.failed',
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('does not answer for ten minutes, the payout goes to review once, keeps its funds, and settles when it is seen', async () => {
    const world = await store.world();
    const payout = await world.pay();
    await world.pass(1);
    await world.faults({ silent: 1 });
    await world.pass(900);
    expect(await world.read(payout)).toMatchObject({ status: 'review', lastCode: 'PAYOUT_UNCONFIRMED', captured: 0n });
    expect(await world.tenant.whyPayment(payout.id)).toMatchObject({
      code: 'review',
      sentence: expect.stringMatching(/^it is not known yet whether the payout landed: transaction [0-9a-f]+ /),
      changes: [{ operation: 'testClocks.advance' }, { operation: 'payments.resolve' }],
    });
    expect((await world.tenant.whyPayment(payout.id, { audience: 'payer' })).sentence).not.toContain('transaction');
    expect(await held(world.tenant, 'alice', USDC)).toEqual([990_000_000n, 10_000_000n]);
    expect(await troubles(store.usance)).toEqual([]);
    await world.faults({});
    await world.pass(30);
    expect(await world.read(payout)).toMatchObject({ status: 'settled' });
    expect(await world.landed()).toHaveLength(1);
    const told = await world.told(payout);
    expect(told.filter((type) => type === 'payment.manual_review')).toHaveLength(1);
    expect(told.at(-1)).toBe('payment.settled');
  });
});
