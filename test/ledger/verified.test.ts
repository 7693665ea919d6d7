// What `verify` claims, it sees: for every check there is, a planted violation is found, by a superuser past every trigger and
// constraint, and undone. docs/operating/verify.sql, which an auditor runs with psql, finds the same violations of money.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyChains } from '../../src/audit/index.ts';
import type { Database, Transaction } from '../../src/db/index.ts';
import { VERIFIED } from '../../src/engine.ts';
import { orderEvents } from '../../src/events/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { VERIFY_SETTINGS, verify } from '../../src/ledger/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { addExecution, addJob } from '../support/jobs.ts';
import { testProcessor } from '../support/processor.ts';
import { START, testTenant } from '../support/test-clock.ts';

const AUDITORS = readFileSync(join(import.meta.dirname, '../../docs/operating/verify.sql'), 'utf8');
const CHAIN = ['events-are-as-sealed', 'anchors-hold'];
const TRANSFER = `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, posted_at)
  values (:tenant, :fresh, :ann, :ben, 'USD/2', 0, 'x', now())`;
const EVENT = `(select id from usance.events where tenant_id = :tenant order by id limit 1)`;

/** For each check what only a superuser could do. Constraints that would refuse it are dropped by `without`. */
const PLANTED: Readonly<Record<string, { readonly sql: string; readonly without?: readonly string[] }>> = {
  'balances-not-negative': {
    sql: 'update usance.balances set available = -1 where account_id = :ben',
    without: ['balances balances_available_not_negative'],
  },
  'balances-equal-history': { sql: 'update usance.balances set available = available + 1 where account_id = :ben' },
  'reserved-equals-reservations': {
    sql: 'update usance.balances set available = available - 1, reserved = reserved + 1 where account_id = :ann',
  },
  'reservations-resolve-once': {
    sql: 'update usance.reservations set released = released + 1 where id = :resolved',
    without: ['reservations reservations_never_exceed', 'reservations reservations_resolve_when_used_up'],
  },
  'captures-equal-transfers': {
    sql: 'update usance.reservations set captured = captured - 1, released = released + 1 where id = :resolved',
  },
  'transfers-well-formed': { sql: TRANSFER, without: ['transfers transfers_amount_positive'] },
  'assets-sum-to-zero': {
    sql: `insert into usance.balances (tenant_id, account_id, asset, available) values (:tenant, :world, 'USD/2', 7)`,
  },
  'flags-follow-accounts': { sql: 'update usance.balances set may_credit = false where account_id = :ann' },
  'freezes-are-told': {
    sql: `insert into usance.freezes (tenant_id, id, asset, violation, details) values (:tenant, :fresh, 'USD/2', 'x', '{}')`,
  },
  'scheduled-payments-are-due': { sql: 'delete from usance.due where payment_id = :held' },
  'payments-pay-their-payees': { sql: 'update usance.transfers set credit_account_id = :cem where payment_id = :paid' },
  'refunds-equal-payments': { sql: 'delete from usance.refunds where payment_id = :back' },
  'payments-are-told': { sql: `delete from usance.events where resource_id = :paid and type = 'payment.settled'` },
  'waiting-payments-are-watched': { sql: 'update usance.balances set watched = false where account_id = :cem' },
  'dead-letters-have-failed': {
    sql: `insert into usance.payment_dead_letters (tenant_id, payment_id, asset, amount, code, detail, failed_at)
          values (:tenant, :held, 'USD/2', 1, 'X', 'x', now())`,
  },
  'references-are-unique': {
    sql: `insert into usance.archived_payments select * from usance.payments where id = :gone;
          delete from usance.payments where id = :gone;
          update usance.archived_payments set reference = 'once' where id = :gone;
          update usance.payments set reference = 'once' where id = :held`,
  },
  'daily-limits-are-counted': { sql: 'update usance.balances set limited = false where account_id = :limited' },
  'limits-are-told': { sql: 'update usance.payment_limits set max_amount = 7 where account_id = :limited' },
  'approvals-are-told': { sql: `update usance.payments set approval = 'given' where id = :awaiting` },
  'terms-are-told': {
    sql: `update usance.payments set execute_at = execute_at - interval '1 minute' where id = :edited`,
  },
  'payments-follow-their-clock': { sql: 'update usance.due set clock_id = gen_random_uuid() where payment_id = :held' },
  'payments-equal-transfers': { sql: `update usance.transfers set kind = 'x' where payment_id = :paid` },
  'payments-well-formed': { sql: 'update usance.payments set payee_id = gen_random_uuid() where id = :held' },
  'archived-payments-rest': {
    sql: 'insert into usance.archived_payments select * from usance.payments where id = :gone',
  },
  'payouts-have-their-attempt': {
    sql: `update usance.payments set rail = 'sandbox', payout = '{"destinations": {}}' where id = :paid`,
  },
  'payout-spend-is-counted': {
    sql: `insert into usance.payout_spend values (:tenant, 'USD/2', 'sandbox', date_trunc('hour', now()), 5)`,
  },
  'payout-policies-are-told': {
    sql: 'insert into usance.payout_policies (tenant_id, listed_only, updated_at) values (:tenant, true, now())',
  },
  'payout-caps-are-told': {
    sql: `insert into usance.payout_caps values (:tenant, 'USD/2', '', 5, null, now())`,
  },
  'payout-destinations-are-told': {
    sql: `insert into usance.payout_destinations (tenant_id, id, chain, address, added_by, added_at, usable_at)
          values (:tenant, :fresh, 'sandbox', 'sbx', 'x', now(), now())`,
  },
  'wallet-freezes-are-told': {
    sql: `insert into usance.payout_wallets (tenant_id, chain, account_id, address, fee_asset, created_at, frozen_at, frozen_reason)
          values (:tenant, 'sandbox', :ben, 'sbx', 'SBX/9', now(), now(), 'x')`,
  },
  'payouts-are-booked': {
    sql: `insert into usance.payout_attempts (tenant_id, payment_id, number, id, state, payer_id, asset, amount, chain, address, wallet_id, fee_asset,
            fee_limit, tx_id, signed, last_valid_height, claimed_at, sent_at, ended_at, fee, outflow_id)
          values (:tenant, :paid, 1, :fresh, 'finalized', :ann, 'USD/2', 10, 'sandbox', 'sbx', :ben, 'SBX/9', 0, 'tx', '', 1, now(), now(), now(), 0, :fresh)`,
  },
  'outflows-have-an-attempt': { sql: `update usance.transfers set kind = 'chain_outflow' where payment_id = :paid` },
  'attempts-are-of-their-payout': {
    sql: `insert into usance.payout_attempts (tenant_id, payment_id, number, id, state, payer_id, asset, amount, chain, address, wallet_id, fee_asset,
            fee_limit, tx_id, signed, last_valid_height, claimed_at, sent_at, ended_at)
          values (:tenant, :paid, 1, :fresh, 'dead', :ann, 'USD/2', 10, 'sandbox', 'sbx', :ben, 'SBX/9', 0, 'tx', '', 1, now(), now(), now())`,
  },
  'active-schedules-are-due': { sql: 'delete from usance.schedule_due where schedule_id = :subscription' },
  'schedules-follow-their-clock': {
    sql: 'update usance.schedule_due set clock_id = gen_random_uuid() where schedule_id = :subscription',
  },
  'slot-letters-have-failed': {
    sql: `insert into usance.occurrence_dead_letters
            select o.tenant_id, o.id, o.schedule_id, 'USD/2', 1, 'X', 'x', now() from usance.occurrences o
            where o.schedule_id = :subscription`,
  },
  'slots-are-paid-once': {
    sql: `delete from usance.occurrences where schedule_id = :subscription and status = 'made'`,
  },
  'positions-are-passed': {
    sql: `update usance.schedule_due set passed_slot = '2020-01-01' where schedule_id = :subscription`,
  },
  'charges-are-approved': { sql: 'update usance.occurrences set amount = 999999 where schedule_id = :subscription' },
  'credit-is-granted': {
    sql: `insert into usance.subscription_changes
            (tenant_id, schedule_id, version, plan_id, price, charges, approved, proration, ended_slot, credit, credit_paid, since, created_by,
             created_at)
          select u.tenant_id, u.schedule_id, 2, u.plan_id, u.price, u.charges, u.approved, 'charge', o.slot, 1, 1, '2099-01-01', 'x', now()
          from usance.subscriptions u join usance.occurrences o using (tenant_id, schedule_id) where u.schedule_id = :subscription;
          update usance.occurrences set amount = amount - 2 where schedule_id = :subscription`,
  },
  'charges-are-told': {
    sql: 'update usance.subscription_counts set charges_paid = charges_paid + 1 where schedule_id = :subscription',
  },
  'plan-changes-are-told': {
    sql: 'update usance.subscription_changes set approved = approved + 1 where schedule_id = :changed',
  },
  'cancellations-are-told': { sql: 'update usance.schedules set cancel_at = null where id = :leaving' },
  'subscriptions-are-as-agreed': { sql: 'update usance.schedules set amount = amount + 1 where id = :subscription' },
  'allowances-pay-the-child': { sql: 'update usance.schedules set payee_id = :ben where id = :allowance' },
  'allowances-are-paid-by-guardians': {
    sql: `update usance.accounts set guardian_ids = '{}' where id = (select junior_id from usance.allowances where schedule_id = :allowance)`,
  },
  'keys-are-told': { sql: `update usance.api_keys set revoked_at = now(), revoked_by = 'x' where id = :key` },
  'issuers-are-told': {
    sql: `insert into usance.token_issuers (tenant_id, id, issuer, audience, algorithm, keys, created_by, keyed_by)
          values (:tenant, :fresh, 'https://evil.example', 'usance', 'EdDSA', '[{}]', 'x', '{x}')`,
  },
  'revocations-are-told': { sql: 'delete from usance.token_revocations where account_id = :ann' },
  'pauses-are-told': { sql: `update usance.pauses set lifted_at = now(), lifted_by = 'x' where tenant_id = :tenant` },
  'accounts-are-told': { sql: 'update usance.accounts set guardian_ids = array[:ben]::uuid[] where id = :cem' },
  'executions-are-once': {
    sql: `insert into usance.execution_queue (tenant_id, id, job_id, event_id, seq, due_at, created_at)
          select tenant_id, id, job_id, event_id, seq, now(), created_at from usance.executions where id = :failed`,
  },
  'failed-executions-are-dead-letters': {
    sql: 'delete from usance.execution_dead_letters where execution_id = :failed',
  },
  'attempts-fit-the-policy': { sql: 'update usance.executions set attempt = 4 where id = :failed' },
  'waiting-executions-follow-their-clock': {
    sql: 'update usance.execution_queue set clock_id = gen_random_uuid() where id = :waiting',
  },
  'ordered-executions-take-turns': {
    sql: `update usance.execution_queue set order_key = id, blocked = true, due_at = '9999-12-31 00:00Z' where id = :waiting`,
  },
  'jobs-are-told': { sql: `update usance.jobs set event_pattern = '*' where id = :job` },
  'jobs-begin-in-the-order': { sql: 'update usance.jobs set joined_seq = 1000000 where id = :job' },
  'endpoints-own-their-jobs': {
    sql: `update usance.webhook_endpoints set disabled_reason = 'caller' where id = :endpoint`,
  },
  'channels-own-their-jobs': {
    sql: `update usance.notification_channels set disabled_reason = 'caller' where id = :channel`,
  },
  'email-settings-own-their-jobs': { sql: `delete from usance.email_settings where tenant_id = :tenant` },
  'events-are-ordered': {
    sql: `insert into usance.events (tenant_id, id, type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt)
          values (:tenant, :fresh, 'x.y', 1, 'x', :fresh, '{}', 'x', now(), now(), :fresh)`,
  },
  'order-has-no-gaps': { sql: 'delete from usance.event_blocks where number = 2 and tenant_id = :tenant' },
  'events-are-as-sealed': { sql: `update usance.events set actor = 'somebody else' where id = ${EVENT}` },
  'anchors-hold': { sql: `delete from usance.event_blocks where tenant_id = :tenant` },
};

describe('verify', () => {
  const store = useUsance();
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const { tenant, usance } = store;
    await open(tenant, { ann: 1_000, ben: 50, cem: 0, limited: 100 });
    const pay = async (order: object): Promise<string> => {
      const whole = { from: 'ann', to: 'ben', asset: 'USD', amount: 10, ...order, idempotencyKey: key() };
      return (await tenant.createPayment(whole)).id;
    };
    Object.assign(ids, { tenant: tenant.id, fresh: newId() });
    for (const ref of ['ann', 'ben', 'cem', 'limited', 'world']) ids[ref] = (await tenant.account(ref)).id;
    Object.assign(ids, { paid: await pay({}), back: await pay({}) });
    await pay({ to: undefined, legs: ['ben', 'cem'].map((to) => ({ to, amount: 5 })) });
    await pay({ from: 'cem', amount: 500, funding: 'at_execution' });
    await testProcessor(store.db).drain();
    await tenant.refundPayment(ids['back'] ?? '', { amount: 4, idempotencyKey: key() });
    Object.assign(ids, { held: await pay({ delay: '1h' }), gone: await pay({ delay: '1h' }) });
    await tenant.cancelPayment(ids['gone'] ?? '');
    await tenant.setLimit({ account: 'limited', asset: 'USD', dailyAmount: 50 });
    ids['edited'] = await pay({ delay: '1h' });
    await tenant.editPayment(ids['edited'], { amount: 9 });
    await tenant.setLimit({ asset: 'USD', approvalAbove: 20 });
    ids['awaiting'] = await pay({ amount: 21, delay: '1h' });
    await tenant.revokeTokens('ann');
    await tenant.pause('rail', 'sandbox', 'audit');
    const reserved = { account: 'ann', asset: 'USD', amount: 10, idempotencyKey: key() };
    ids['resolved'] = (await tenant.reserve(reserved)).reservation;
    await tenant.capture({ reservation: ids['resolved'], to: 'ben', amount: 8, idempotencyKey: key() });
    await tenant.release({ reservation: ids['resolved'], idempotencyKey: key() });
    ids['key'] = (await tenant.createApiKey({ name: 'till', role: 'viewer' })).key.id;

    const { tenant: other } = await testTenant(usance, START);
    await open(other, { payer: 10_000, club: 0, parent: 10_000 });
    await other.openAccount({ ref: 'child', guardian: 'parent' });
    const terms = { name: 'Club', price: 100, asset: 'USD', receiver: 'club', months: 12 } as const;
    const plan = await other.createPlan({ ...terms, period: { frequency: 'MONTHLY' } });
    ids['subscription'] = (await other.subscribe({ plan: plan.id, payer: 'payer', idempotencyKey: key() })).id;
    ids['changed'] = (await other.subscribe({ plan: plan.id, payer: 'payer', idempotencyKey: key() })).id;
    const dearer = await other.createPlan({ ...terms, price: 200, period: { frequency: 'MONTHLY' } });
    await other.changeSubscriptionPlan(ids['changed'], { plan: dearer.id, idempotencyKey: key() });
    ids['leaving'] = (await other.subscribe({ plan: plan.id, payer: 'payer', idempotencyKey: key() })).id;
    await other.cancelSubscription(ids['leaving'], { at: 'period_end' });
    const weekly = { asset: 'USD', amount: 5, frequency: 'WEEKLY', status: 'ON' } as const;
    ids['allowance'] = (await other.createAllowance({ guardian: 'parent', junior: 'child', ...weekly })).id;
    const job = await addJob(store.owner, tenant);
    Object.assign(ids, {
      job: job.id,
      failed: await addExecution(store.owner, job, 'failed'),
      waiting: await addExecution(store.owner, job, 'pending'),
      channel: (
        await tenant.createNotificationChannel({ name: 'on call', kind: 'slack', url: 'https://hooks.slack.com/x' })
      ).channel.id,
      endpoint: (await tenant.createWebhookEndpoint({ url: 'https://shop.example.com', eventPattern: '*' })).endpoint
        .id,
    });
    await tenant.updateEmailSettings({ locale: 'de' });
    await orderEvents(store.db);
  });

  /** The checks that find something, and the invariants that the auditor's file prints, after some damage that is undone. */
  const lookAfter = async (
    sql: string,
    without: readonly string[] = [],
  ): Promise<{ checks: string[]; file: string[] }> => {
    const seen: { checks: string[]; file: string[] } = { checks: [], file: [] };
    const anchors = await store.usance.anchors();
    await store.owner
      .transaction(async (tx) => {
        for (const constraint of without) {
          const [table = '', name = ''] = constraint.split(' ');
          await tx.query(`alter table usance.${table} drop constraint ${name}`);
        }
        const filled = sql.replaceAll(/:([a-z]+)\b/g, (all, name: string) => (name in ids ? `'${ids[name]}'` : all));
        if (filled !== '') await tx.query(`set local session_replication_role = replica; ${filled}`);
        const same = { ...tx, transaction: (work: (inner: Transaction) => Promise<unknown>) => work(tx) } as unknown;
        const db = same as Database;
        const results = [...(await verify(db, VERIFIED)), ...(await verifyChains(db, { anchors }))];
        seen.checks = results.filter(({ offenders }) => offenders.length > 0).map(({ name }) => name);
        seen.file = (await tx.query(AUDITORS)).map((row) => String(row['invariant']));
        throw new Error('undone');
      })
      .catch((error: unknown) => expect(error).toMatchObject({ message: 'undone' }));
    return seen;
  };
  const isMoney = new Map(VERIFIED.map(({ name, kind }) => [name, kind === 'money']));

  test('finds nothing in books that are right, and neither does the file', async () => {
    expect(await lookAfter('')).toEqual({ checks: [], file: [] });
  });

  test('needs only select for the file, as it says', async () => {
    await store.owner.transaction(async (tx) => {
      await tx.query('create role usance_auditor_of_tests nologin');
      await tx.query('grant usage on schema usance to usance_auditor_of_tests');
      await tx.query('grant select on all tables in schema usance to usance_auditor_of_tests');
      await tx.query('set local role usance_auditor_of_tests');
      expect(await tx.query(AUDITORS)).toEqual([]);
      await tx.query('reset role');
      await tx.query('drop owned by usance_auditor_of_tests');
      await tx.query('drop role usance_auditor_of_tests');
    });
  });

  test('joins by hash: a merge by tenant alone compares every event of a tenant with every block of it', async () => {
    const plans = await store.owner.transaction(async (tx) => {
      for (const setting of VERIFY_SETTINGS) await tx.query(setting);
      const lines: string[] = [];
      for (const { name, offenders } of VERIFIED)
        for (const row of await tx.query(`explain ${offenders.replaceAll('$1::uuid[]', 'null::uuid[]')}`))
          lines.push(`${name}: ${String(row['QUERY PLAN'])}`);
      return lines;
    });
    expect(plans.length).toBeGreaterThan(VERIFIED.length);
    expect(plans.filter((line) => /Merge (?:[A-Z]\w+ )*Join/.test(line))).toEqual([]);
  });

  test('has a planted violation for every check', () => {
    expect(Object.keys(PLANTED).toSorted()).toEqual([...VERIFIED.map(({ name }) => name), ...CHAIN].toSorted());
  });

  test.each(Object.entries(PLANTED))('%s finds its violation, and the file agrees', async (check, { sql, without }) => {
    const { checks, file } = await lookAfter(sql, without);
    expect(checks).toContain(check);
    expect(file.toSorted()).toEqual(checks.filter((name) => isMoney.get(name)).toSorted());
  });
});
