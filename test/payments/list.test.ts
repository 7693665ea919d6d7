// Lists of payments: whatever is asked for is found, and no question looks through more than a stretch of them.
import { beforeAll, describe, expect, test } from 'vitest';
import { findPayments, pageOfPayments } from '../../src/payments/list.ts';
import type { PaymentFilter } from '../../src/payments/list-store.ts';
import { PAYMENT_STRETCH, listPayments } from '../../src/payments/list-store.ts';
import type { Payment } from '../../src/payments/index.ts';
import { useApi } from '../api/api.ts';
import { key, open } from '../support/books.ts';

const store = useApi();
const USD = 'USD/2';

describe('a list of payments', () => {
  const made: Payment[] = [];
  beforeAll(async () => {
    await open(store.tenant, { ann: 10_000, ben: 10_000, cem: 0 });
    await store.tenant.setLimit({ account: 'ben', asset: 'USD', approvalAbove: 50 });
    const pay = (order: object): Promise<Payment> =>
      store.tenant.createPayment({ from: 'ann', asset: USD, amount: 10, idempotencyKey: key(), ...order });
    const legs = ['ben', 'cem'].map((to) => ({ to, amount: 5 }));
    for (const n of [1, 2, 3]) {
      const settled = await pay({ to: 'ben' });
      const failed = await pay({ to: 'cem', delay: `${n}h`, reference: `order ${n}` });
      const shared = await pay({ legs, delay: `${n}h`, funding: 'at_execution' });
      const cancelled = await pay({ from: 'ben', to: 'ann', delay: '1h' });
      const awaiting = await pay({ from: 'ben', to: 'cem', amount: 100, delay: '1h' });
      made.push(settled, failed, shared, cancelled, awaiting);
      await store.tenant.failPayment(failed.id, 'never shipped');
      await store.tenant.cancelPayment(cancelled.id);
      if (n === 1)
        await (await store.usance.tenant('shop', { actor: 'kim' })).approvePayment(awaiting.id, { termsVersion: 1 });
    }
    await store.run('processor');
    for (const [index, { id }] of made.entries()) made[index] = await store.tenant.payment(id);
  });

  const accountId = async (ref: string): Promise<string> => (await store.tenant.account(ref)).id;
  const fits = (filter: PaymentFilter, { payerId, legs, executeAt, ...payment }: Payment): boolean => {
    const parties = [payerId, ...legs.map((leg) => leg.accountId)];
    const { accountId: party, payerId: payer, executeFrom, executeBefore, reference, status, ...same } = filter;
    return (
      (party === undefined || parties.includes(party)) &&
      (payer === undefined || payerId === payer) &&
      (reference === undefined || payment.reference === reference.text) &&
      (status === undefined || [status].flat().includes(payment.status)) &&
      (executeFrom === undefined || executeAt >= executeFrom) &&
      (executeBefore === undefined || executeAt < executeBefore) &&
      Object.entries(same).every(([name, value]) => payment[name as keyof typeof payment] === value)
    );
  };

  test('has what fits, once and in order, however short the stretches and the pages are', async () => {
    const [ann, ben, cem] = [await accountId('ann'), await accountId('ben'), await accountId('cem')];
    const soon = new Date(Date.now() + 90 * 60_000);
    const parties: PaymentFilter[] = [{}, { accountId: ann }, { accountId: ben }, { accountId: cem }, { payerId: ben }];
    const others: PaymentFilter[] = [
      {},
      { status: 'settled' },
      { status: 'scheduled' },
      { status: 'expired' },
      { status: ['settled', 'failed'] },
      { status: ['scheduled', 'cancelled'] },
      { status: 'failed', funding: 'reserve' },
      { approval: 'awaited' },
      { approval: 'given' },
      { reference: { namespace: '', text: 'order 2' } },
      { funding: 'at_execution', executeFrom: soon },
      { status: 'scheduled', executeBefore: soon },
    ];
    for (const filter of parties.flatMap((party) => others.map((other) => ({ ...party, ...other })))) {
      const expected = made.filter((payment) => fits(filter, payment)).map(({ id }) => id);
      const walked: string[] = [];
      let before: string | null = null;
      do {
        const page = await pageOfPayments(store.db, store.tenant.id, filter, { limit: 2, before }, 3);
        expect(page.payments.length).toBeLessThanOrEqual(2);
        walked.push(...page.payments.map(({ id }) => id));
        before = page.next;
      } while (before !== null);
      expect(walked, JSON.stringify(filter)).toEqual(expected.toReversed());
      const found = await findPayments(store.db, store.tenant.id, filter, { limit: 100, before: null }, 3);
      expect(
        found.map(({ id }) => id),
        JSON.stringify(filter),
      ).toEqual(walked);
    }
  });

  /** The plans of the statements that a list sends. */
  const planOf = async (filter: PaymentFilter): Promise<string> => {
    const plans: string[] = [];
    const explained = {
      query: async (text: string, values: Parameters<typeof store.db.query>[1]) => {
        plans.push(JSON.stringify(await store.db.query(`explain ${text}`, values)));
        return [];
      },
    } as unknown as typeof store.db;
    await listPayments(explained, store.tenant.id, filter, { limit: 10 });
    return plans.join();
  };

  test('of a payer is looked up by the payer, not among everything that is due', async () => {
    const plan = await planOf({ payerId: await accountId('ben'), status: 'scheduled' });
    expect(plan).toMatch(/ on payments p/);
    expect(plan).not.toMatch(/ on due d/);
  });

  test('in states that only payouts have are looked for among payouts', async () => {
    const among = / payments_payouts\b/;
    expect(await planOf({ status: 'review' })).toMatch(among);
    expect(await planOf({ status: ['processing', 'submitted', 'review'] })).toMatch(among);
    expect(await planOf({ status: ['review', 'failed'] })).not.toMatch(among);
    // An account has its own index.
    expect(await planOf({ status: 'review', accountId: await accountId('ben') })).not.toMatch(among);
  });

  test('looks through a stretch of them at most, and its cursor goes on behind it', async () => {
    const cancelled = made.filter(({ status }) => status === 'cancelled');
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       insert into usance.payments select (jsonb_populate_record(p, jsonb_build_object('id',
         usance.first_id_at(now() + n * interval '1 millisecond')))).*
       from usance.payments p, generate_series(1, ${PAYMENT_STRETCH}) n where p.id = '${made[0]?.id}'; commit`,
    );
    const empty = await store.send('GET /payments?status=cancelled');
    expect(empty.list('data')).toEqual([]);
    const rest = await store.send(`GET /payments?status=cancelled&cursor=${empty.word('next_cursor')}`);
    expect(rest.list('data')).toHaveLength(cancelled.length);
    expect(rest.get('next_cursor')).toBeNull();
    // By the library as if there were no stretches, and what is looked up needs none.
    expect(await store.tenant.payments({ status: 'cancelled' })).toHaveLength(cancelled.length);
    for (const query of ['reference=order%202', 'approval=awaited', 'account=cem', 'status=scheduled'])
      expect((await store.send(`GET /payments?${query}`)).list('data').length, query).toBeGreaterThan(0);
  });
});
