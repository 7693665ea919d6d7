// Payments broken on purpose, by a superuser past every trigger and constraint: for each check, what only it can see. `verify`
// finds it and names the payment; put back, the books are right again.
import { beforeAll, describe, expect, test } from 'vitest';
import { PAYMENT_CHECKS } from '../../src/payments/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, testProcessor } from '../support/processor.ts';

interface Break {
  readonly check: string;
  readonly by: string;
  /** :waits, :held, :paid, :split, :back, :gone, :asked and :again are payments; :ann, :ben, :cem and :limited accounts; :tenant ours. */
  readonly sql: string;
  /** Checks that see the same damage. */
  readonly also?: readonly string[];
}

const BREAKS: readonly Break[] = [
  {
    check: 'scheduled-payments-are-due',
    by: 'a payment that nobody would ever run',
    sql: 'delete from usance.due where payment_id = :held',
  },
  {
    check: 'scheduled-payments-are-due',
    by: 'a payment put where no claim comes, though nobody has to agree',
    sql: `update usance.due set due_at = '9999-12-31T00:00:00Z' where payment_id = :held`,
  },
  {
    check: 'scheduled-payments-are-due',
    by: 'a due row of a level that is not its payment’s',
    sql: 'update usance.due set priority = 9 where payment_id = :held',
  },
  {
    check: 'scheduled-payments-are-due',
    by: 'a due row of no payment',
    sql: `insert into usance.due (tenant_id, payment_id, priority, due_at) values (:tenant, gen_random_uuid(), 1, now())`,
  },
  {
    check: 'payments-follow-their-clock',
    by: 'a live payment that waits for a test clock',
    sql: 'update usance.due set clock_id = gen_random_uuid() where payment_id = :held',
  },
  {
    check: 'payments-equal-transfers',
    by: 'a payment that says it refunded what it did not',
    sql: `update usance.payments set refunded = refunded + 1 where id = :back;
          insert into usance.refunds (tenant_id, id, payment_id, account_id, amount, created_at)
            values (:tenant, gen_random_uuid(), :back, :ben, 1, now())`,
  },
  {
    check: 'payments-pay-their-payees',
    by: 'a settlement that went to somebody else',
    sql: `update usance.transfers set credit_account_id = :cem where payment_id = :paid;
          update usance.balances set available = available - 10 where account_id = :ben;
          update usance.balances set available = available + 10 where account_id = :cem`,
  },
  {
    check: 'payments-pay-their-payees',
    by: 'a payee that got another’s share',
    sql: `update usance.transfers set amount = 6 where payment_id = :split and credit_account_id = :ben;
          update usance.transfers set amount = 4 where payment_id = :split and credit_account_id = :cem;
          update usance.balances set available = available - 1 where account_id = :ben;
          update usance.balances set available = available + 1 where account_id = :cem`,
  },
  {
    check: 'refunds-equal-payments',
    by: 'a refund that is forgotten, and could be had again',
    sql: 'delete from usance.refunds where payment_id = :back',
  },
  {
    check: 'refunds-equal-payments',
    by: 'a refund in the name of who was not paid',
    sql: 'update usance.refunds set account_id = :cem where payment_id = :back',
  },
  {
    check: 'payments-are-told',
    by: 'a settlement that nobody was told of',
    sql: `create table usance.taken as select * from usance.events where resource_id = :paid and type = 'payment.settled';
          delete from usance.events where id = (select id from usance.taken);
          delete from usance.event_inbox where usance.block_of((select id from usance.taken)) = any (block_ids); drop table usance.taken`,
  },
  {
    check: 'payments-well-formed',
    by: 'a hold that ended with a part unaccounted for',
    sql: 'update usance.payments set released = released - 1 where id = :gone',
  },
  {
    check: 'payments-well-formed',
    by: 'legs that do not make up the amount',
    sql: `update usance.payments set legs = jsonb_set(legs, '{0,amount}', '"8"') where id = :split`,
    also: ['payments-pay-their-payees'],
  },
  {
    check: 'payments-well-formed',
    by: 'a payee that its tenant does not have',
    sql: 'update usance.payments set payee_id = gen_random_uuid() where id = :held',
  },
  {
    check: 'archived-payments-rest',
    by: 'an archived payment that is among the others too',
    sql: 'insert into usance.archived_payments select * from usance.payments where id = :gone',
  },
  {
    check: 'waiting-payments-are-watched',
    by: 'a payment that waits for a credit that would wake nobody',
    sql: 'update usance.balances set watched = false where account_id = :cem',
  },
  {
    check: 'waiting-payments-are-watched',
    by: 'a payment that waits for somebody else’s credit',
    sql: 'update usance.waiting set account_id = :ben where payment_id = :waits',
  },
  {
    check: 'dead-letters-have-failed',
    by: 'a dead letter of a payment that is alive',
    sql: `insert into usance.payment_dead_letters (tenant_id, payment_id, asset, amount, code, detail, failed_at)
          values (:tenant, :held, 'USD/2', 1, 'X', 'x', now())`,
  },
  {
    check: 'references-are-unique',
    by: 'a reference that an archived payment has',
    sql: `insert into usance.archived_payments select * from usance.payments where id = :gone;
          delete from usance.payments where id = :gone;
          update usance.archived_payments set reference = 'once' where id = :gone;
          update usance.payments set reference = 'once' where id = :held`,
  },
  {
    check: 'daily-limits-are-counted',
    by: 'a daily limit that its balance does not know of',
    sql: 'update usance.balances set limited = false where account_id = :limited',
  },
  {
    check: 'approvals-are-told',
    by: 'an approval that no event tells of',
    sql: `update usance.payments set approval = 'given' where id = :asked`,
  },
  {
    check: 'approvals-are-told',
    by: 'an approval of terms that changed since, for which approval was asked anew',
    sql: `update usance.payments set approval = 'given' where id = :again`,
  },
  {
    check: 'terms-are-told',
    by: 'a payment whose instant was changed with its version, and without an event',
    sql: `update usance.payments set execute_at = execute_at - interval '1 minute', terms_version = 2 where id = :held`,
  },
  {
    check: 'terms-are-told',
    by: 'a payment whose instant is not that of its last edit',
    sql: `update usance.payments set execute_at = execute_at - interval '1 minute' where id = :again`,
  },
  {
    check: 'limits-are-told',
    by: 'a limit that no event set',
    sql: 'update usance.payment_limits set max_amount = 7 where account_id = :limited',
  },
];

describe('broken payments', () => {
  const store = useUsance();
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    await open(store.tenant, { ann: 1_000, ben: 0, cem: 0, limited: 100 });
    const pay = async (order: object): Promise<string> => {
      const whole = { from: 'ann', to: 'ben', asset: 'USD', amount: 10, ...order, idempotencyKey: key() };
      return (await store.tenant.createPayment(whole)).id;
    };
    ids['tenant'] = store.tenant.id;
    for (const ref of ['ann', 'ben', 'cem', 'limited']) ids[ref] = (await store.tenant.account(ref)).id;
    ids['paid'] = await pay({});
    ids['back'] = await pay({});
    const legs = [
      { to: 'ben', amount: 7 },
      { to: 'cem', amount: 3 },
    ];
    ids['split'] = await pay({ to: undefined, legs });
    ids['waits'] = await pay({ from: 'cem', amount: 500, funding: 'at_execution' });
    await testProcessor(store.db).drain();
    await store.tenant.refundPayment(ids['back'], { amount: 4, idempotencyKey: key() });
    ids['held'] = await pay({ delay: '1h' });
    ids['gone'] = await pay({ delay: '1h' });
    await store.tenant.cancelPayment(ids['gone']);
    await store.tenant.setLimit({ account: 'limited', asset: 'USD', dailyAmount: 50 });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 400 });
    ids['asked'] = await pay({ amount: 401 });
    ids['again'] = await pay({ amount: 401, delay: '1h' });
    const second = await store.usance.tenant('shop', { actor: 'cli:kim' });
    await second.approvePayment(ids['again'], { termsVersion: 1 });
    await second.editPayment(ids['again'], { executeAt: new Date(Date.now() + 2 * HOUR) });
    for (const [table, constraint] of [
      ['payments', 'payments_ended_whole'],
      ['archived_payments', 'payments_ended_whole'],
    ]) {
      await store.owner.query(`alter table usance.${table} drop constraint if exists ${constraint}`);
    }
  });

  test('are right before anybody broke them', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('are what every check is tried with', () => {
    expect(new Set(BREAKS.map((item) => item.check))).toEqual(new Set(PAYMENT_CHECKS.map((check) => check.name)));
  });

  test.each(BREAKS)('$check: finds $by', async ({ check, sql, also = [] }) => {
    const statements = sql.replaceAll(/:([a-z]+)\b/g, (whole, name: string) =>
      name in ids ? `'${ids[name]}'` : whole,
    );
    // Looked at by who did it, and undone.
    const found = new Set<string>();
    await store.owner
      .transaction(async (tx) => {
        await tx.query(`set local session_replication_role = replica; ${statements}`);
        for (const { name, offenders } of PAYMENT_CHECKS) {
          if ((await tx.query(`select from (${offenders}) o`, [null])).length > 0) found.add(name);
        }
        throw new Error('undone');
      })
      .catch((error: unknown) => expect(error).toMatchObject({ message: 'undone' }));
    expect([...found].toSorted()).toEqual([check, ...also].toSorted());
    // A slice of the continuous check asks the same of some payers alone, and finds nothing that is not there.
    for (const { offenders } of PAYMENT_CHECKS)
      expect(await store.owner.query(`select from (${offenders}) o`, [[ids['ann'] ?? '']])).toEqual([]);
  });

  test('are found through verify', async () => {
    await store.owner.query(`update usance.due set priority = 9 where payment_id = $1::uuid`, [ids['held'] ?? '']);
    expect((await troubles(store.usance)).map((line) => line.split(':')[0])).toEqual(['scheduled-payments-are-due']);
    await store.owner.query(`update usance.due set priority = 1 where payment_id = $1::uuid`, [ids['held'] ?? '']);
    await testProcessor(store.db).drainAfter(HOUR);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
