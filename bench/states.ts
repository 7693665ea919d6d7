// Gives payments of books.ts the states of a tenant in use, as sets: most settled, a fifth scheduled, some failed, cancelled and expired,
// a few payouts in review. Due rows, balances, transfers, dead letters, references and the events of the ends agree with them; `verify`
// says so at the end of the bench.
import { asText } from '../src/db/index.ts';
import type { EventType, Fact } from '../src/events/index.ts';
import { appendEvents } from '../src/events/index.ts';
import { ASSET } from './books.ts';
import { sealAll } from './sealed.ts';
import type { BenchDatabase } from './server.ts';

/** Payouts in review, however many payments there are. */
const IN_REVIEW = 10;

/** What a thousand payments have become, spread evenly; the others stay scheduled. */
const STATES = `case when r.number % (select count(*) / ${IN_REVIEW} from usance.payments) = 0 then 'review'
  when r.number * 7919 % 1000 < 700 then 'settled' when r.number * 7919 % 1000 < 740 then 'failed'
  when r.number * 7919 % 1000 < 770 then 'cancelled' when r.number * 7919 % 1000 < 800 then 'expired' else 'scheduled' end`;

const CODE = 'FUNDS_INSUFFICIENT';
const DETAIL = 'the payer could not pay';

/** Every payment gets the reference `order-<number>`; of the failed ones every fourth still is a dead letter. */
export async function setStates(database: BenchDatabase): Promise<void> {
  const { owner } = database;
  await owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `create table bench.states as
       select r.*, ${STATES} as status
       from (select tenant_id, id, payer_id, payee_id, amount, row_number() over (order by id) as number from usance.payments) r`,
    );
    await tx.query('alter table bench.states add primary key (number)');
    await tx.query(
      `update usance.payments p set
         status = s.status, reference = 'order-' || s.number,
         rail = case when s.status = 'review' then 'sandbox' else p.rail end,
         payout = case when s.status = 'review' then '{"destinations": {"sandbox": "sandbox1"}, "priority": "balanced"}'::jsonb end,
         captured = case when s.status = 'settled' then p.amount else 0 end,
         captures = (s.status = 'settled')::int,
         released = case when s.status in ('failed', 'cancelled', 'expired') then p.amount else 0 end,
         attempts = (s.status in ('settled', 'failed', 'review'))::int,
         last_code = case when s.status = 'failed' then '${CODE}' end,
         last_detail = case when s.status = 'failed' then '${DETAIL}' end,
         execute_at = case when s.status = 'scheduled' then p.execute_at else now() - interval '1 minute' - random() * interval '1 hour' end,
         expires_at = case when s.status = 'expired' then now() end,
         ended_at = case when s.status not in ('scheduled', 'review') then now() end
       from bench.states s where p.tenant_id = s.tenant_id and p.id = s.id`,
    );
    await tx.query(
      `insert into usance.payout_wallets (tenant_id, chain, account_id, address, fee_asset, created_at)
       select tenant_id, 'sandbox', id, 'wallet1', $1::text, now() from bench.accounts order by rank desc limit 1`,
      [ASSET],
    );
    await tx.query(
      `delete from usance.due d using bench.states s where d.payment_id = s.id and d.tenant_id = s.tenant_id and s.status <> 'scheduled'`,
    );
    await tx.query(
      `with moved as (
         select tenant_id, payer_id as account_id, -amount as reserved, case when status = 'settled' then 0 else amount end as available
         from bench.states where status not in ('scheduled', 'review')
         union all
         select tenant_id, payee_id, 0, amount from bench.states where status = 'settled'
         union all
         -- The wallet of a payout in review holds its amount until the chain has decided.
         select s.tenant_id, w.account_id, s.amount, -s.amount from bench.states s join usance.payout_wallets w using (tenant_id)
         where s.status = 'review')
       update usance.balances b set available = b.available + m.available, reserved = b.reserved + m.reserved, version = b.version + 1
       from (select tenant_id, account_id, sum(available)::bigint as available, sum(reserved)::bigint as reserved from moved group by 1, 2) m
       where b.tenant_id = m.tenant_id and b.account_id = m.account_id and b.asset = $1::text`,
      [ASSET],
    );
    await tx.query(
      `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, payment_id, posted_at)
       select tenant_id, uuidv7(), payer_id, payee_id, $1::text, amount, 'settlement', id, now()
       from bench.states where status = 'settled' order by id`,
      [ASSET],
    );
    await tx.query(
      `insert into usance.payment_dead_letters (tenant_id, payment_id, asset, amount, code, detail, failed_at)
       select tenant_id, id, $1::text, amount, '${CODE}', '${DETAIL}', now() from bench.states where status = 'failed' and number % 4 = 0`,
      [ASSET],
    );
    await tx.query(
      `insert into usance.payout_attempts (tenant_id, payment_id, number, id, state, check_at, payer_id, asset, amount, chain, address,
         wallet_id, fee_asset, fee_limit, tx_id, signed, last_valid_height, claimed_at, sent_at, reviewed_at)
       select s.tenant_id, s.id, 1, uuidv7(), 'sent', now() + interval '1 hour', s.payer_id, $1::text, s.amount, w.chain, 'sandbox1',
         w.account_id, w.fee_asset, 0, s.id::text, '\\x00', 1, now(), now(), now()
       from bench.states s join usance.payout_wallets w using (tenant_id) where s.status = 'review'`,
      [ASSET],
    );
  });
  await appendEnds(owner);
  await sealAll(database);
  await owner.query('vacuum analyze');
}

/** Payments whose events are appended in one transaction. */
const AT_ONCE = 1_000;

/** What each type has beside the fields of its payment. */
const ENDS: Readonly<Record<string, { readonly type: EventType; readonly more: Fact['data'] }>> = {
  settled: { type: 'payment.settled', more: { attempt: 1, latenessMs: 5, durationMs: 3 } },
  failed: { type: 'payment.failed', more: { attempt: 1, durationMs: 3, code: CODE, detail: DETAIL } },
  cancelled: { type: 'payment.cancelled', more: { reason: null } },
  expired: { type: 'payment.expired', more: { reason: 'expires_at' } },
};

/** The event of every end, in the order of the payments. */
async function appendEnds(owner: BenchDatabase['owner']): Promise<void> {
  for (let first = 1; ; first += AT_ONCE) {
    const rows = await owner.query(
      `select tenant_id, id, status, payer_id, payee_id, amount::text as amount from bench.states
       where number >= $1::int and number < $1::int + ${AT_ONCE} order by number`,
      [first],
    );
    if (rows.length === 0) break;
    const occurredAt = new Date();
    const facts = rows.flatMap((row): Fact[] => {
      const status = asText(row['status']);
      const end = ENDS[status];
      if (end === undefined) return [];
      const amount = asText(row['amount']);
      const data = {
        status,
        amount,
        asset: ASSET,
        payer: asText(row['payer_id']),
        payees: [asText(row['payee_id'])],
        executeAt: occurredAt.toISOString(),
        ...(status === 'settled' ? { captured: amount } : { released: amount }),
        old: { status: 'scheduled' },
        ...end.more,
      };
      const about = { type: end.type, resource: 'payment', resourceId: asText(row['id']) };
      return [{ actor: 'system', tenantId: asText(row['tenant_id']), ...about, data, occurredAt }];
    });
    await owner.transaction((tx) => appendEvents(tx, facts));
  }
}
