// Where several refusals apply, one order decides which is given (docs/reference/verbs.md): external money, state, owner, expiry,
// approval, pause or freeze, funds.
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Payment } from '../../src/payments/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';

describe('of two refusals that apply at once', () => {
  const store = useUsance();
  const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, store.tenant.id, work);

  beforeAll(async () => {
    await open(store.tenant, { ann: 100_000, ben: 0 });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
  });

  const hold = (amount: number): Promise<Payment> =>
    store.tenant.createPayment({ from: 'ann', to: 'ben', asset: 'USD', amount, delay: '1h', idempotencyKey: key() });
  const plant = ({ id }: Payment, set: string): Promise<unknown> =>
    store.owner.query(
      `begin; set local session_replication_role = replica;
       update usance.payments set ${set} where id = '${id}'; commit`,
    );
  const owned = (payment: Payment) => plant(payment, `owner_kind = 'subscription', owner_id = gen_random_uuid()`);
  const pastExpiry = (payment: Payment) =>
    plant(payment, `execute_at = now() - interval '2 h', expires_at = now() - interval '1 h'`);
  const cancelled = ({ id }: Payment) => store.tenant.cancelPayment(id);
  const paused = async () => {
    await store.tenant.pause('asset', 'USD/2', 'test');
    onTestFinished(() => store.tenant.liftPause('asset', 'USD/2'));
  };
  const more = ({ id }: Payment) => store.tenant.editPayment(id, { amount: 600 });
  const capture = ({ id }: Payment, amount?: number) =>
    store.tenant.capturePayment(id, { ...(amount === undefined ? {} : { amount }), idempotencyKey: key() });

  test.each<{
    first: string;
    second: string;
    amount: number;
    set: readonly ((payment: Payment) => Promise<unknown>)[];
    verb: (payment: Payment) => Promise<unknown>;
    code: string;
  }>([
    {
      first: 'state',
      second: 'owner',
      amount: 10,
      set: [owned, cancelled],
      verb: more,
      code: 'PAYMENT_STATE_CONFLICT',
    },
    { first: 'owner', second: 'expiry', amount: 10, set: [owned, pastExpiry], verb: more, code: 'PAYMENT_OWNED' },
    {
      first: 'expiry',
      second: 'approval',
      amount: 501,
      set: [pastExpiry],
      verb: capture,
      code: 'PAYMENT_STATE_CONFLICT',
    },
    {
      first: 'expiry',
      second: 'pause',
      amount: 1,
      set: [pastExpiry, paused],
      verb: capture,
      code: 'PAYMENT_STATE_CONFLICT',
    },
    { first: 'approval', second: 'pause', amount: 501, set: [paused], verb: capture, code: 'APPROVAL_AWAITED' },
    { first: 'pause', second: 'amount', amount: 10, set: [paused], verb: (own) => capture(own, 11), code: 'PAUSED' },
  ])('$first comes before $second', async ({ amount, set, verb, code }) => {
    const payment = await hold(amount);
    for (const each of set) await each(payment);
    expect(await refused(() => verb(payment))).toBe(code);
  });
});
