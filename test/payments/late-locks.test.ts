// A verb reads the clock before it waits for locks, and may wait long. What counts is the instant under the locks, the one that its
// transfers are posted at: a payment that ends meanwhile is not paid, and a daily limit counts in the hour of the posting. Here the
// clock of each verb is half an hour behind the server, as if it had waited that long.
import { beforeAll, describe, expect, test } from 'vitest';
import { IDENTITIES } from '../../src/access/index.ts';
import { callerOf, liveAt } from '../../src/kernel/index.ts';
import { DEFAULT_BOUNDS, cancelPayments, createPayments } from '../../src/payments/index.ts';
import type { Funding } from '../../src/payments/index.ts';
import { capturePayments } from '../../src/payments/scheduled.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, MINUTE, testProcessor } from '../support/processor.ts';

const store = useUsance();
const WAITED = 30 * MINUTE;
const caller = callerOf({ actor: 'library' });
let people = 0;

/** Due an hour ago and over since a minute: not yet over by the clock that a verb read before it waited. */
async function justOver(funding: Funding): Promise<{ id: string; tenantId: string; payer: string }> {
  const payer = `payer-${(people += 1)}`;
  await open(store.tenant, { [payer]: 1_000 });
  const terms = { from: payer, to: 'shop', asset: 'USD', amount: 100, funding, delay: '1h' };
  const expiresAt = new Date(Date.now() + 2 * HOUR);
  const { id } = await store.tenant.createPayment({ ...terms, expiresAt, idempotencyKey: key() });
  await store.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.payments set execute_at = date_trunc('milliseconds', now() - interval '1 hour'),
       expires_at = date_trunc('milliseconds', now() - interval '1 minute') where id = '${id}'; commit`,
  );
  await store.owner.query(`update usance.due set due_at = now() - interval '1 hour' where payment_id = $1::uuid`, [id]);
  return { id, tenantId: store.tenant.id, payer };
}

const behind = () => {
  const processor = testProcessor(store.db);
  processor.advance(-WAITED);
  return processor;
};

beforeAll(() => open(store.tenant, { shop: 0 }));

describe('a payment that ends while a verb waits for locks', () => {
  test.each(['reserve', 'at_execution'] as const)(
    'expires and is not paid, in a batch of one, funded by %s',
    async (funding) => {
      const { id, payer } = await justOver(funding);
      await behind().drain();
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'expired', captured: 0n });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    },
  );

  test.each([
    ['all reserved', ['reserve', 'reserve', 'reserve']],
    ['none reserved', ['at_execution', 'at_execution', 'at_execution']],
    ['some reserved', ['reserve', 'reserve', 'at_execution']],
  ] as const)('expires and is not paid in a batch that is foreseen to settle, %s', async (_, fundings) => {
    const made = [];
    for (const funding of fundings) made.push(await justOver(funding));
    await behind().drain();
    for (const { id, payer } of made) {
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'expired', captured: 0n });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    }
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('expires and is not paid in a batch of which a part is foreseen', async () => {
    const made = [await justOver('reserve'), await justOver('reserve')];
    // Nothing is foreseen of what comes from outside.
    const outside = { from: 'world', to: 'shop', asset: 'USD', amount: 5, funding: 'at_execution' } as const;
    const deposit = await store.tenant.createPayment({ ...outside, idempotencyKey: key() });
    await store.owner.query(`update usance.due set due_at = now() - interval '1 hour' where payment_id = $1::uuid`, [
      deposit.id,
    ]);
    await behind().drain();
    for (const { id, payer } of made) {
      expect(await store.tenant.payment(id)).toMatchObject({ status: 'expired', captured: 0n });
      expect(await held(store.tenant, payer)).toEqual([1_000n, 0n]);
    }
    expect(await store.tenant.payment(deposit.id)).toMatchObject({ status: 'settled' });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('cannot be captured', async () => {
    const payment = await justOver('reserve');
    const [answer] = await store.db.transaction((tx) =>
      capturePayments(tx, liveAt(new Date(Date.now() - WAITED)), caller, [payment], IDENTITIES),
    );
    expect(answer).toMatchObject({ refused: { code: 'PAYMENT_STATE_CONFLICT' } });
    await testProcessor(store.db).drain();
    expect(await held(store.tenant, payment.payer)).toEqual([1_000n, 0n]);
  });
});

test('a daily limit counts a hold in the hour in which its balance was locked, and gives it back there', async () => {
  await open(store.tenant, { spender: 1_000 });
  await store.tenant.setLimit({ account: 'spender', asset: 'USD', dailyAmount: 500 });
  const order = { from: 'spender', to: 'shop', asset: 'USD', amount: 100, delay: '4h' };
  const began = liveAt(new Date(Date.now() - 2 * HOUR));
  const tenantId = store.tenant.id;
  const [made] = await store.db.transaction((tx) =>
    createPayments(tx, began, [{ tenantId, caller, order }], DEFAULT_BOUNDS),
  );
  const buckets = () =>
    store.owner.query(
      `select b.amount::text, b.hour >= date_trunc('hour', now() - interval '1 minute') as current
       from usance.spend_buckets b join usance.accounts a on a.id = b.account_id where a.ref = 'spender'`,
    );
  expect(await buckets()).toEqual([{ amount: '100', current: true }]);
  if (!made || !('payment' in made)) throw new Error('expected a payment');
  await store.db.transaction((tx) => cancelPayments(tx, liveAt(new Date()), caller, [made.payment]));
  expect(await buckets()).toEqual([{ amount: '0', current: true }]);
});
