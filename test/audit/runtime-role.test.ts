// What a runtime process that was taken over can do to the audit log, credentials, approvals, terms, pauses and accounts: each attempt is refused, or found by
// `verify`. Run as the role itself, with nothing but its rights.
import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Transaction } from '../../src/db/index.ts';
import { readLiveClock } from '../../src/db/index.ts';
import { VERIFIED } from '../../src/engine.ts';
import type { Fact } from '../../src/events/index.ts';
import { appendEvents } from '../../src/events/index.ts';
import { SYSTEM, newBlockId, newId } from '../../src/kernel/index.ts';
import { emitWalletEvent } from '../../src/payouts/treasury/loop.ts';
import { freezeWallet } from '../../src/payouts/treasury/store.ts';
import { findWallet } from '../../src/payouts/wallet-store.ts';
import { walletKey } from '../../src/rails/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { orderAll } from '../support/order.ts';
import { HOUR } from '../support/processor.ts';
import { unchecked } from '../support/event-check.ts';

// An attacker appends what it likes.
unchecked();

/** Erases what a record names. */
const ERASE = (record: string): string => `select usance.erase_events(:tenant, ${record})`;
const KEY = `insert into usance.api_keys (tenant_id, id, lineage_id, name, prefix, digest, scopes, role)
  values (:tenant, :fresh, :fresh, 'backdoor', 'usk_x', 'digest', '{}', 'admin')`;

/** One more event of a new block, with its row in the inbox. */
const INBOX = ({ block = ':block', events = '1', recorded = 'now()' }): string =>
  `insert into usance.event_inbox (tenant_ids, block_ids, counts, digests, recorded_at)
   values (array[:tenant]::uuid[], array[${block}]::uuid[], array[${events}], sha256('x'), ${recorded})`;
const APPEND = (data: string, at = 'now()'): string =>
  `insert into usance.events (tenant_id, id, type, version, resource, resource_id, data, actor, occurred_at, recorded_at, salt)
   values (:tenant, :block, 'limit.set', 1, 'limit', :tenant, '${data}', 'x', ${at}, now(), :fresh); ${INBOX({})}`;
/** Behind the last block of the order, with its fields or others. */
const BLOCK = ({ block = 'block_id', seq = 'last_seq + 1' }): string =>
  `insert into usance.event_blocks (first_position, tenant_id, last_seq, number, block_id, events, recorded_at, skip_seq, digest, hash)
   select first_position + events, tenant_id, ${seq}, number + 1, ${block}, 1, now(), 0, digest, hash
   from usance.event_blocks order by first_position desc limit 1`;

interface Attack {
  readonly what: string;
  readonly sql: string;
  /** The SQLSTATE of a refusal, or the check that finds it. */
  readonly refused?: string;
  readonly found?: string;
}

const ATTACKS: readonly Attack[] = [
  { what: 'erases events', sql: ERASE(':event'), refused: '42501' },
  {
    what: 'locks events against erasing',
    sql: 'select usance.lock_erasable(:tenant, array[:event]::uuid[])',
    refused: '42501',
  },
  {
    what: 'erases texts of payments',
    sql: 'select usance.erase_payment_texts(:tenant, :tenant, array[:later]::uuid[])',
    refused: '42501',
  },
  {
    what: 'erases results of executions',
    sql: 'select usance.erase_executions(:tenant, array[:event]::uuid[])',
    refused: '42501',
  },
  {
    what: 'changes what an event told',
    sql: `update usance.events set data = '{}' where id = :event`,
    refused: '42501',
  },
  { what: 'deletes an event', sql: 'delete from usance.events where id = :event', refused: '42501' },
  { what: 'truncates the events', sql: 'truncate usance.events', refused: '42501' },
  { what: 'changes what waits to be ordered', sql: 'update usance.event_inbox set counts = counts', refused: '42501' },
  { what: 'forgets the salts', sql: 'update usance.events set salt = null', refused: '42501' },
  { what: 'rewrites links of the chain', sql: 'update usance.event_blocks set hash = digest', refused: '42501' },
  { what: 'removes links of the chain', sql: 'delete from usance.event_blocks', refused: '42501' },
  { what: 'changes a transfer', sql: 'update usance.transfers set amount = 1', refused: '42501' },
  { what: 'grants itself the right to erase', sql: 'grant usance_eraser to usance_runtime', refused: '42501' },
  { what: 'takes a trigger off', sql: 'alter table usance.events disable trigger all', refused: '42501' },
  { what: 'tells what is no object', sql: APPEND('null'), refused: '23514' },
  { what: 'tells of the year 294276', sql: APPEND('{}', `timestamptz '294276-12-31'`), refused: '23514' },
  {
    what: 'waits since the year 294276',
    sql: INBOX({ recorded: `'294276-12-31'` }),
    refused: '23514',
  },
  { what: 'orders more events than a block has', sql: INBOX({ events: '8193' }), refused: '23514' },
  {
    what: 'orders the events of a block by another id',
    sql: INBOX({ block: `(left(:event::text, 32) || '0001')::uuid` }),
    refused: '23514',
  },
  { what: 'orders a block again', sql: BLOCK({}), refused: '23505' },
  { what: 'orders a block of no order', sql: BLOCK({ block: ':fresh' }), refused: '23514' },
  {
    what: 'gives the last number there is',
    sql: BLOCK({ block: ':block', seq: '9223372036854775807' }),
    refused: '23514',
  },
  { what: 'numbers a block twice', sql: BLOCK({ block: ':block', seq: 'last_seq' }), refused: '23514' },
  {
    what: 'makes tables without end',
    sql: 'select usance.ensure_block_partitions(1::bigint << 40, 8)',
    refused: 'P0001',
  },
  { what: 'inserts an admin key without an event', sql: KEY, found: 'keys-are-told' },
  {
    what: 'gives a key more scopes',
    sql: `update usance.api_keys set role = 'admin' where id = :key`,
    refused: '23001',
  },
  {
    what: 'exchanges the secret of a key',
    sql: `update usance.api_keys set digest = 'x' where id = :key`,
    refused: '23001',
  },
  { what: 'prolongs a key', sql: 'update usance.api_keys set expires_at = null where id = :ending', refused: '23001' },
  {
    what: 'revives a revoked key',
    sql: 'update usance.api_keys set revoked_at = null where id = :revoked',
    refused: '23001',
  },
  {
    what: 'revokes a key without an event',
    sql: `update usance.api_keys set revoked_at = now(), revoked_by = 'x' where id = :key`,
    found: 'keys-are-told',
  },
  {
    what: 'inserts a token issuer without an event',
    sql: `insert into usance.token_issuers (tenant_id, id, issuer, audience, algorithm, keys, created_by, keyed_by)
          values (:tenant, :fresh, 'https://evil.example', 'usance', 'EdDSA', '[{}]', 'x', '{x}')`,
    found: 'issuers-are-told',
  },
  {
    what: 'inserts a limit without an event',
    sql: `insert into usance.payment_limits (tenant_id, asset, max_amount) values (:tenant, 'EUR/2', 1)`,
    found: 'limits-are-told',
  },
  {
    what: 'raises a limit without an event',
    sql: `update usance.payment_limits set max_amount = 999999 where tenant_id = :tenant`,
    found: 'limits-are-told',
  },
  {
    what: 'removes a limit without an event',
    sql: `delete from usance.payment_limits where tenant_id = :tenant`,
    found: 'limits-are-told',
  },
  {
    what: 'makes a freeze without an event',
    sql: `insert into usance.freezes (tenant_id, id, asset, violation, details) values (:tenant, :fresh, 'EUR/2', 'x', '{}')`,
    found: 'freezes-are-told',
  },
  {
    what: 'lifts a freeze without an event',
    sql: `update usance.freezes set lifted_at = now(), lifted_by = 'x', lift_reason = 'x' where tenant_id = :tenant`,
    found: 'freezes-are-told',
  },
  {
    what: 'exchanges the keys of a token issuer',
    sql: `update usance.token_issuers set keys = '[{"kty": "OKP", "crv": "Ed25519", "x": "evil"}]' where id = :issuer`,
    found: 'issuers-are-told',
  },
  {
    what: 'gives a token issuer another URL for its keys',
    sql: `update usance.token_issuers set jwks_url = 'https://evil.example/' where id = :issuer`,
    found: 'issuers-are-told',
  },
  { what: 'makes revoked tokens good again', sql: 'delete from usance.token_revocations', refused: '42501' },
  {
    what: 'makes some revoked tokens good again',
    sql: `update usance.token_revocations set revoked_at = revoked_at - interval '1 minute'`,
    refused: '23001',
  },
  {
    what: 'revokes tokens without an event',
    sql: `insert into usance.token_revocations (tenant_id, account_id, revoked_at, revoked_by)
          values (:tenant, :bob, now(), 'x')`,
    found: 'revocations-are-told',
  },
  {
    what: 'approves a payment without an event',
    sql: `update usance.payments set approval = 'given' where id = :awaiting`,
    found: 'approvals-are-told',
  },
  {
    what: 'approves what awaits approval again',
    sql: `update usance.payments set approval = 'given' where id = :again`,
    found: 'approvals-are-told',
  },
  {
    what: 'forgets that a payment needs approval',
    sql: 'update usance.payments set approval = null where id = :awaiting',
    refused: '23001',
  },
  {
    what: 'forgets who decided on a payment',
    sql: 'update usance.payments set terms_by = null where id = :again',
    refused: '23001',
  },
  {
    what: 'changes who made a payment',
    sql: `update usance.payments set created_by = 'key:x' where id = :awaiting`,
    refused: '23001',
  },
  {
    what: 'raises the amount of a payment',
    sql: 'update usance.payments set amount = amount + 1 where id = :later',
    refused: '23001',
  },
  {
    what: 'lets a payment run sooner',
    sql: `update usance.payments set execute_at = execute_at - interval '1 minute' where id = :later`,
    refused: '23001',
  },
  {
    what: 'moves a payment with a new version',
    sql: `update usance.payments set execute_at = execute_at - interval '1 minute', terms_version = terms_version + 1
          where id = :later`,
    found: 'terms-are-told',
  },
  {
    what: 'takes the end of a payment away',
    sql: `update usance.payments set expires_at = null, terms_version = terms_version + 1 where id = :later`,
    found: 'terms-are-told',
  },
  {
    what: 'sets the version of changed terms back',
    sql: 'update usance.payments set terms_version = 1 where id = :again',
    refused: '23001',
  },
  {
    what: 'exchanges the payees of the legs',
    sql: `update usance.payments set legs = jsonb_set(legs, '{1,account}', to_jsonb(:bob::text)) where id = :legs`,
    refused: '23001',
  },
  {
    what: 'exchanges the reference of a payment',
    sql: `update usance.payments set reference = 'other' where id = :later`,
    refused: '23001',
  },
  {
    what: 'changes who created a schedule',
    sql: `update usance.schedules set created_by = 'key:x' where id = :schedule`,
    refused: '23001',
  },
  {
    what: 'forgets who changed a schedule',
    sql: 'update usance.schedules set changed_by = null where id = :schedule',
    refused: '23001',
  },
  {
    what: 'exchanges who changed a schedule',
    sql: `update usance.schedules set changed_by = '["key:x"]' where id = :schedule`,
    refused: '23001',
  },
  {
    what: 'lets a schedule count for others',
    sql: `update usance.schedules set counts_for = '["key:x"]' where id = :schedule`,
    refused: '23001',
  },
  {
    what: 'lets a schedule count for fewer',
    sql: 'update usance.schedules set counts_for = counts_for - 0 where id = :schedule',
    refused: '23001',
  },
  {
    what: 'changes who created a plan',
    sql: `update usance.plans set created_by = 'key:x' where id = :plan`,
    refused: '23001',
  },
  {
    what: 'changes the receiver of a plan',
    sql: `update usance.plans set payee_id = :ann where id = :plan`,
    refused: '23001',
  },
  {
    what: 'forgets who changed a plan',
    sql: 'update usance.plans set changed_by = null where id = :plan',
    refused: '23001',
  },
  {
    what: 'lets a plan count for others',
    sql: `update usance.plans set counts_for = '["key:x"]' where id = :plan`,
    refused: '23001',
  },
  {
    what: 'raises the price of a subscription',
    sql: `insert into usance.subscription_changes
            select tenant_id, schedule_id, version + 1, plan_id, 900000, charges, 10800000, proration, null, 0, 0, since, created_by, now()
            from usance.subscription_changes where schedule_id = :subscription;
          update usance.schedules set amount = 900000 where id = :subscription`,
    found: 'plan-changes-are-told',
  },
  {
    what: 'gives a subscription a credit',
    sql: `insert into usance.subscription_changes
            select tenant_id, schedule_id, version + 1, plan_id, price, charges, approved, 'charge', now(), 999999, 0, since, created_by, now()
            from usance.subscription_changes where schedule_id = :subscription`,
    found: 'plan-changes-are-told',
  },
  {
    what: 'takes back the cancellation of a subscription',
    sql: 'update usance.schedules set cancel_at = null where id = :leaving',
    found: 'cancellations-are-told',
  },
  {
    what: 'puts off the cancellation of a subscription',
    sql: `update usance.schedules set cancel_at = cancel_at + interval '1 year' where id = :leaving`,
    found: 'cancellations-are-told',
  },
  {
    what: 'cancels a subscription at the end of its period without an event',
    sql: `update usance.schedules set cancel_at = now() where id = :subscription`,
    found: 'cancellations-are-told',
  },
  {
    what: 'lifts a pause without an event',
    sql: `update usance.pauses set lifted_at = now(), lifted_by = 'x' where tenant_id = :tenant`,
    found: 'pauses-are-told',
  },
  { what: 'removes a pause', sql: 'delete from usance.pauses where tenant_id = :tenant', refused: '42501' },
  {
    what: 'changes what a pause stops',
    sql: `update usance.pauses set value = 'JPY/0' where tenant_id = :tenant`,
    refused: '23001',
  },
  {
    what: 'pauses without an event',
    sql: `insert into usance.pauses (tenant_id, id, scope, value, reason, paused_by)
          values (:tenant, :fresh, 'tenant', '', 'x', 'x')`,
    found: 'pauses-are-told',
  },
  {
    what: 'lets payouts go to addresses that are not listed',
    sql: `update usance.payout_policies set listed_only = false where tenant_id = :tenant`,
    found: 'payout-policies-are-told',
  },
  {
    what: 'removes the policy about addresses of payouts',
    sql: 'delete from usance.payout_policies where tenant_id = :tenant',
    refused: '42501',
  },
  {
    what: 'lists an address without an event',
    sql: `insert into usance.payout_destinations (tenant_id, id, chain, address, added_by, added_at, usable_at)
          values (:tenant, :fresh, 'sandbox', 'sbxevil', 'x', now(), now())`,
    found: 'payout-destinations-are-told',
  },
  {
    what: 'approves an address without an event',
    sql: `update usance.payout_destinations set approved_by = 'y', approved_at = now(), usable_at = now() where id = :listed`,
    found: 'payout-destinations-are-told',
  },
  {
    what: 'removes an address without an event',
    sql: `update usance.payout_destinations set removed_by = 'y', removed_at = now() where id = :listed`,
    found: 'payout-destinations-are-told',
  },
  {
    what: 'raises a cap of payouts without an event',
    sql: 'update usance.payout_caps set daily_amount = 999999 where tenant_id = :tenant',
    found: 'payout-caps-are-told',
  },
  {
    what: 'removes a cap of payouts without an event',
    sql: 'delete from usance.payout_caps where tenant_id = :tenant',
    found: 'payout-caps-are-told',
  },
  {
    what: 'unfreezes a wallet without an event',
    sql: 'update usance.payout_wallets set frozen_at = null, frozen_reason = null where tenant_id = :tenant',
    found: 'wallet-freezes-are-told',
  },
  {
    what: 'gives a wallet another address',
    sql: `update usance.payout_wallets set address = 'sbxevil' where tenant_id = :tenant`,
    refused: '23001',
  },
  { what: 'removes a wallet', sql: 'delete from usance.payout_wallets where tenant_id = :tenant', refused: '42501' },
  {
    what: 'removes the quote of a payout',
    sql: 'delete from usance.quotes where tenant_id = :tenant and used_at is not null',
    refused: '23001',
  },
  {
    what: 'removes the route of a payout',
    sql: 'delete from usance.payout_routes where tenant_id = :tenant',
    refused: '23001',
  },
  {
    what: 'changes why a payout took its chain',
    sql: `update usance.payout_routes set inputs = '{}' where tenant_id = :tenant`,
    refused: '42501',
  },
  {
    what: 'makes another tenant the first',
    sql: 'update usance.tenants set is_first = not is_first where id = :tenant',
    refused: '23001',
  },
  {
    what: 'exchanges the ref of an account',
    sql: `update usance.accounts set ref = 'ann-2' where id = :ann`,
    refused: '23001',
  },
  {
    what: 'gives an account a guardian',
    sql: 'update usance.accounts set guardian_ids = array[:ann]::uuid[] where id = :bob',
    found: 'accounts-are-told',
  },
  {
    what: 'reactivates a suspended account',
    sql: `update usance.accounts set status = 'active' where id = :suspended`,
    found: 'accounts-are-told',
  },
];

describe('the runtime role', () => {
  const store = useUsance({ chains: { sandbox: true } });
  const ids: Record<string, string> = {};
  const fill = (text: string): string =>
    text.replaceAll(/:([a-z]+)\b/g, (whole, name: string) => (name in ids ? `'${ids[name]}'` : whole));
  const asRuntime = (tx: Transaction, sql: string): Promise<unknown> =>
    tx.query(`set local role usance_runtime; ${fill(sql)}; reset role`);

  beforeAll(async () => {
    const { tenant } = store;
    await tenant.createAsset('EUR/2');
    await open(tenant, { ann: 100 });
    const make = async (name: string): Promise<string> => (await tenant.createApiKey({ name, role: 'viewer' })).key.id;
    Object.assign(ids, { tenant: tenant.id, fresh: newId(), key: await make('plain'), revoked: await make('old') });
    await tenant.revokeApiKey(ids['revoked'] ?? '');
    const ends = new Date(Date.now() + 3_600_000);
    ids['ending'] = (await tenant.createApiKey({ name: 'ends', role: 'viewer', expiresAt: ends })).key.id;
    await tenant.setLimit({ asset: 'USD', maxAmount: 50_000 });
    await makeTargets();
    await payOut();
    ids['event'] = (await tenant.auditEvents())[0]?.id ?? '';
    ids['block'] = newBlockId();
    await orderAll(store.owner);
    await store.owner.query(
      `update usance.balances set available = available + 1 where tenant_id = $1::uuid and asset = 'USD/2'`,
      [tenant.id],
    );
    await store.usance.loops.find(({ name }) => name === 'integrity')?.runOnce();
    await store.owner.query(
      `update usance.balances set available = available - 1 where tenant_id = $1::uuid and asset = 'USD/2'`,
      [tenant.id],
    );
    await tenant.deposit({ account: 'ann', asset: 'USD', amount: 1, idempotencyKey: key() });
  });

  /** What the attacks on payments, pauses, issuers and accounts are about. */
  async function makeTargets(): Promise<void> {
    const { tenant } = store;
    for (const ref of ['bob', 'suspended']) ids[ref] = (await tenant.openAccount({ ref })).id;
    ids['ann'] = (await tenant.account('ann')).id;
    await tenant.suspendAccount('suspended', 'lost phone');
    await tenant.revokeTokens('ann');
    ids['issuer'] = (
      await tenant.createTokenIssuer({
        issuer: 'https://login.example',
        audience: 'shop',
        algorithm: 'EdDSA',
        publicKey: generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }),
      })
    ).id;
    await tenant.pause('asset', 'EUR', 'audit');
    const pay = async (more: object = {}): Promise<string> => {
      const order = { from: 'ann', to: 'bob', asset: 'USD', amount: 1, delay: '1h', idempotencyKey: key() };
      return (await tenant.createPayment({ ...order, ...more })).id;
    };
    const legs = ['bob', 'world'].map((to) => ({ to, amount: 1 }));
    ids['later'] = await pay({ reference: 'own', expiresAt: new Date(Date.now() + 9 * HOUR) });
    ids['legs'] = await pay({ to: undefined, amount: 2, legs });
    await tenant.setLimit({ asset: 'USD', maxAmount: 50_000, approvalAbove: 2 });
    ids['awaiting'] = await pay({ amount: 3 });
    ids['again'] = await pay({ amount: 3 });
    const second = await store.usance.tenant('shop', { actor: 'cli:kim' });
    await second.approvePayment(ids['again'], { termsVersion: 1 });
    await second.editPayment(ids['again'], { executeAt: new Date(Date.now() + 2 * HOUR) });
    const rule = { frequency: 'MONTHLY' } as const;
    const monthly = { from: 'ann', to: 'bob', asset: 'USD', amount: 1, rule, idempotencyKey: key() };
    ids['schedule'] = (await tenant.createSchedule(monthly)).id;
    await second.editSchedule(ids['schedule'], { amount: 2 });
    const club = { name: 'Club', asset: 'USD', receiver: 'bob', months: 12, trialDays: 9, period: rule };
    const [cheap, dearer] = [
      await tenant.createPlan({ ...club, price: 1 }),
      await tenant.createPlan({ ...club, price: 2 }),
    ];
    const subscribe = async (): Promise<string> =>
      (await tenant.subscribe({ plan: cheap.id, payer: 'ann', idempotencyKey: key() })).id;
    Object.assign(ids, { subscription: await subscribe(), leaving: await subscribe() });
    await tenant.changeSubscriptionPlan(ids['subscription'] ?? '', { plan: dearer.id, idempotencyKey: key() });
    await tenant.cancelSubscription(ids['leaving'] ?? '', { at: 'period_end' });
    await tenant.resumeSubscription(ids['leaving'] ?? '');
    await tenant.cancelSubscription(ids['leaving'] ?? '', { at: 'period_end' });
    const plan = { name: 'Basic', price: 1, asset: 'USD', receiver: 'bob', period: rule } as const;
    ids['plan'] = (await tenant.createPlan(plan)).id;
    await second.editPlan(ids['plan'], { price: 2 });
  }

  /** A payout that was signed by its quote, a frozen wallet, and what the tenant allows its payouts. */
  async function payOut(): Promise<void> {
    const { tenant, usance } = store;
    const run = (name: string) => usance.loops.find((loop) => loop.name === name)?.runOnce();
    await run('health');
    await tenant.createAsset('USDC/6');
    await open(tenant, { payer: 100 }, 'USDC/6');
    const destinations = { sandbox: walletKey('payee').address };
    const { id: quoteId } = await tenant.createQuote({ asset: 'USDC/6', amount: 10, destinations });
    await tenant.takeQuote(quoteId);
    const order = { from: 'payer', asset: 'USDC/6', amount: 10, destinations, quoteId, idempotencyKey: key() };
    await tenant.createPayment(order);
    await run('payouts');
    await store.db.transaction(async (tx) => {
      const wallet = (await findWallet(tx, tenant.id, 'sandbox')) ?? expect.fail('the payout opened it');
      await freezeWallet(tx, wallet, new Date(), 'it differs');
      const differences = [{ asset: 'USDC/6', onChain: '1', expected: '2', difference: '-1' }];
      const clock = await readLiveClock(tx);
      await emitWalletEvent(tx, clock, SYSTEM, wallet, 'treasury_wallet.frozen', { chain: 'sandbox', differences });
    });
    await tenant.setPayoutPolicy({ listedOnly: true, wait: '36h', secondPerson: true });
    await tenant.setPayoutCap({ asset: 'USDC', chain: 'sandbox', maxAmount: 50, dailyAmount: 90 });
    await tenant.setPayoutCap({ asset: 'USDC', dailyAmount: 90 });
    await tenant.setPayoutCap({ asset: 'USDC', dailyAmount: null });
    const list = async (name: string): Promise<string> =>
      (await tenant.addPayoutDestination({ chain: 'sandbox', address: walletKey(name).address })).id;
    const second = await usance.tenant('shop', { actor: 'cli:kim' });
    await second.approvePayoutDestination(await list('approved'));
    await tenant.removePayoutDestination(await list('removed'), 'left');
    ids['listed'] = await list('waiting');
  }

  test('leaves nothing to find before it does anything', async () => {
    expect(await troubles(store.usance)).toEqual([]);
    expect(await store.usance.freezes()).toHaveLength(1);
  });

  test.each(ATTACKS)('$what: refused, or found', async ({ sql, refused, found }) => {
    let outcome: string | undefined;
    await store.owner
      .transaction(async (tx) => {
        await asRuntime(tx, sql);
        const wrong: string[] = [];
        for (const { name, offenders } of VERIFIED)
          if ((await tx.query(`select from (${offenders}) o`, [null])).length > 0) wrong.push(name);
        outcome = wrong.join(', ');
        throw new Error('undone');
      })
      .catch((error: Error & { code?: string }) => {
        if (error.message !== 'undone') outcome = error.code;
      });
    expect(outcome).toBe(refused ?? found);
  });

  test('runs no function that was not granted to it, and nobody else runs any', async () => {
    const anybodys = await store.owner.query(
      `select p.proname from pg_proc p where p.pronamespace = 'usance'::regnamespace
         and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee = 0)`,
    );
    expect(anybodys).toEqual([]);
    const [right] = await store.owner.query(
      `select bool_or(has_function_privilege('usance_runtime', p.oid, 'execute')) as erases
       from pg_proc p where p.pronamespace = 'usance'::regnamespace and p.proname in ('erase_events', 'erase_payment_texts')`,
    );
    expect(right).toEqual({ erases: false });
  });

  describe('a login that may erase', () => {
    const LOGIN = 'usance_app';
    /** Appends a record and asks for what it names to be erased, in one transaction. */
    const erase = (data: Record<string, unknown>, more: Partial<Fact> = {}): Promise<unknown> =>
      store.db.transaction(async (tx) => {
        const id = newBlockId();
        const about = {
          tenantId: store.tenant.id,
          resource: 'tenant',
          resourceId: store.tenant.id,
          occurredAt: new Date(),
        };
        const type = 'audit_event.erased' as const;
        await appendEvents(tx, [{ ...about, id, type, actor: 'key:nobody', data, ...more }]);
        await tx.query('select usance.erase_events($1::uuid, $2::uuid)', [store.tenant.id, id]);
      });
    const some = (count: number): string[] => Array.from({ length: count }, () => newId());

    test.each([
      ['more than 500 events', { events: some(501), reason: 'tidying up', login: LOGIN }, {}, '54000'],
      ['without a reason', { events: some(1), reason: ' ', login: LOGIN }, {}, '23514'],
      ['in the name of another login', { events: some(1), reason: 'tidying up', login: 'usance_owner' }, {}, '23514'],
      [
        'by an event of another type',
        { events: some(1), reason: 'tidying up', login: LOGIN },
        { type: 'tenant.updated' as const },
        '23514',
      ],
    ])('erases nothing %s', async (_, data, more, code) => {
      await expect(erase(data, more)).rejects.toMatchObject({ code });
    });

    test('erases what a record of the same transaction names, and nothing by one of an earlier transaction', async () => {
      const events = [ids['event'] ?? ''];
      await erase({ events, reason: 'tidying up', login: LOGIN });
      const [record] = await store.tenant.auditEvents({ action: 'AUDIT_EVENT_ERASED' });
      expect(record).toMatchObject({ actor: 'key:nobody', details: { events, reason: 'tidying up', login: LOGIN } });
      const again = store.db.query('select usance.erase_events($1::uuid, $2::uuid)', [
        store.tenant.id,
        record?.id ?? '',
      ]);
      await expect(again).rejects.toMatchObject({ code: '23514' });
      expect(await troubles(store.usance)).toEqual([]);
    });
  });
});
