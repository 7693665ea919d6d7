// The views of payouts, read at every status on the way: the columns and words of the design, and the amounts of the books.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Payment } from '../../src/engine.ts';
import type { Row } from '../../src/db/index.ts';
import { held, troubles } from '../support/books.ts';
import type { PayoutWorld } from '../payouts/world.ts';
import { PAYEE, USDC, usePayouts } from '../payouts/world.ts';

const store = usePayouts();
let world: PayoutWorld;
beforeAll(async () => {
  world = await store.world();
});

const docs = (text: string, schema = 'usance_docs_test'): Promise<Row[]> =>
  store.db.transaction(async (tx) => {
    await tx.query(`set local search_path = ${schema}`);
    return tx.query(text);
  });
const intentOf = async ({ id }: Payment): Promise<Row | undefined> =>
  (await docs(`select * from payment_intents where id = '${id}'`))[0];
const attemptsOf = ({ id }: Payment): Promise<Row[]> =>
  docs(`select * from payment_attempts where payment_intent_id = '${id}' order by attempt_number`);
/** `debit 10000000 USDC/6`, in the order of time. */
const entriesOf = async ({ id }: Payment): Promise<string[]> =>
  (
    await docs(
      `select * from ledger_entries where payment_intent_id = '${id}' order by created_at, entry_type = 'release', id`,
    )
  ).map(({ entry_type, amount, asset }) => `${String(entry_type)} ${String(amount)} ${String(asset)}`);

const RESERVE = 'reserve 10000000 USDC/6';
const DEBIT = 'debit 10000000 USDC/6';
const REVERSAL = 'reversal 10000000 USDC/6';
const RELEASE = 'release 10000000 USDC/6';

describe('a payout on its way', () => {
  test('is in the views as it is', async () => {
    const payout = await world.pay({ reference: 'on its way', metadata: { order: 7 } });
    expect(await intentOf(payout)).toMatchObject({
      status: 'route_selected',
      amount: '10000000',
      asset: USDC,
      destinations: { sandbox: PAYEE },
      priority: 'low_fee',
      quote_id: null,
      selected_chain: null,
      transaction_id: null,
      fee: null,
      attempts: 0,
      error: null,
      reference: 'on its way',
      metadata: { order: 7 },
      settled_at: null,
      tenant_id: world.tenant.id,
    });
    expect(await entriesOf(payout)).toEqual([RESERVE]);
    // The worker dies between the claim and the commit of the signed bytes.
    await store.owner.query(
      `create function public.die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
       create trigger die before update on usance.payout_attempts for each row when (new.state = 'sent') execute function public.die()`,
    );
    await world.pass(1);
    expect(await intentOf(payout)).toMatchObject({ status: 'broadcasting', attempts: 1 });
    expect(await attemptsOf(payout)).toMatchObject([{ status: 'pending', attempt_number: 1, transaction_id: null }]);
    await store.owner.query('drop trigger die on usance.payout_attempts; drop function public.die()');
    await world.pass(60);
    expect(await attemptsOf(payout)).toMatchObject([
      { status: 'failed', error: expect.stringContaining('stopped before anything was signed') as string },
    ]);
    expect(await entriesOf(payout)).toEqual([RESERVE]);
    await world.pass(6);
    expect(await intentOf(payout)).toMatchObject({ status: 'broadcasted', selected_chain: 'sandbox', attempts: 2 });
    const [, sent] = await attemptsOf(payout);
    expect(sent).toMatchObject({ status: 'broadcasted', chain: 'sandbox', destination: PAYEE, confirmed_at: null });
    expect(await entriesOf(payout)).toEqual([RESERVE, DEBIT]);
    await world.faults({ silent: 1 });
    await world.pass(700);
    expect(await intentOf(payout)).toMatchObject({ status: 'manual_review' });
    expect((await attemptsOf(payout)).map(({ status }) => status)).toEqual(['failed', 'broadcasted']);
    await world.faults({});
    await world.pass(30);
    const [landed] = await world.landed();
    const fee = String(landed?.fee);
    const settled = await intentOf(payout);
    expect(settled).toMatchObject({ status: 'settled', transaction_id: landed?.txId, fee, fee_asset: 'SBX/9' });
    expect(settled?.['settled_at']).not.toBeNull();
    expect((await attemptsOf(payout))[1]).toMatchObject({ status: 'confirmed', fee, resolved_by: null });
    expect(await entriesOf(payout)).toEqual([RESERVE, DEBIT, `fee ${fee} SBX/9`]);
  });
});

describe('a payout that is not paid', () => {
  test('has a reversal for each debit, and its release', async () => {
    const expiring = await store.world();
    await expiring.faults({ expire: 1 });
    const payout = await expiring.pay();
    await expiring.pass(400);
    expect(await intentOf(payout)).toMatchObject({ status: 'failed', settled_at: null });
    expect((await attemptsOf(payout)).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect(await entriesOf(payout)).toEqual([RESERVE, DEBIT, REVERSAL, DEBIT, REVERSAL, DEBIT, REVERSAL, RELEASE]);
  });

  test('because it was cancelled or expired has only its release', async () => {
    const cancelled = await world.pay({ delay: '1h' });
    await world.tenant.cancelPayment(cancelled.id, { reason: 'sold out' });
    expect(await intentOf(cancelled)).toMatchObject({ status: 'cancelled' });
    expect(await entriesOf(cancelled)).toEqual([RESERVE, RELEASE]);
    const expired = await world.pay({ delay: '30m', expiresAt: new Date(world.clock().now.getTime() + 1_801_000) });
    await world.tenant.pause('rail', 'sandbox', 'so that one expires');
    await world.pass(1_900);
    await world.tenant.liftPause('rail', 'sandbox');
    expect(await intentOf(expired)).toMatchObject({ status: 'expired' });
    expect(await entriesOf(expired)).toEqual([RESERVE, RELEASE]);
    // A payment between accounts is in none of them.
    const [inside] = await docs(`select count(*)::int as n from payment_intents where id not in
      (select id from usance.all_payments where rail <> 'ledger')`);
    expect(inside?.['n']).toBe(0);
  });
});

test('the entries of wallets add up to what the books say', async () => {
  const [row] = await docs(
    `select sum(case entry_type when 'debit' then amount when 'reversal' then -amount end)::text as out from ledger_entries
     where tenant_id = '${world.tenant.id}' and asset = '${USDC}'`,
  );
  const [available, reserved] = await held(world.tenant, 'wallet:sandbox', USDC);
  expect(1_000_000_000_000n - BigInt(String(row?.['out']))).toBe(available + reserved);
  // Ids are of one entry each, and payouts of test tenants are not among the live ones.
  const [ids] = await docs('select count(*)::int as rows, count(distinct id)::int as ids from ledger_entries');
  expect(ids?.['rows']).toBe(ids?.['ids']);
  expect(await docs('select from payment_intents union all select from payment_attempts', 'usance_docs')).toEqual([]);
  expect(await troubles(store.usance)).toEqual([]);
});

test('treasury_wallets and chain_health_snapshots have the wallet and the health of the chain', async () => {
  const wallets = await docs(`select * from treasury_wallets where tenant_id = '${world.tenant.id}' order by asset`);
  expect(wallets).toMatchObject([
    { chain: 'sandbox', asset: 'SBX/9', status: 'active', reserved: '0' },
    { chain: 'sandbox', asset: USDC, status: 'active', reserved: '0' },
  ]);
  const [snapshot] = await docs('select * from chain_health_snapshots order by created_at desc limit 1');
  expect(snapshot).toMatchObject({ chain: 'sandbox', status: 'healthy' });
  for (const metric of [
    'avg_confirmation_seconds',
    'rpc_error_rate',
    'p95_latency_ms',
    'congestion_score',
    'estimated_fee_usd',
  ])
    expect(snapshot, metric).toHaveProperty(metric);
});
