// The peer on four plain tables: what an application with graphile-worker would write itself. Payments have a status, accounts
// have available and reserved, and a settled payment leaves a transfer and an event. One statement a job.
//
// It is what the least such application needs, and in doubt the choice is the quicker one: bigint keys, no tenants, no assets,
// no retries, no index for lists of payments or statements of accounts, and no foreign key that settling has to check.
// The unique payment of a transfer stays, because it is what keeps a job that runs twice from paying twice; so does
// locking both accounts in id order, without which two payments in opposite directions deadlock.
import { ACCOUNTS, DEPOSIT, OVERDUE, RANKS } from '../books.ts';
import type { Peer } from './peer.ts';

const TABLES = `
  create schema plain;
  create table plain.accounts (
    id        bigint primary key,
    available bigint not null check (available >= 0),
    reserved  bigint not null default 0 check (reserved >= 0)
  );
  create table plain.payments (
    id         bigint generated always as identity primary key,
    payer_id   bigint not null references plain.accounts,
    payee_id   bigint not null references plain.accounts,
    amount     bigint not null check (amount > 0),
    status     text not null default 'scheduled' check (status in ('scheduled', 'settled', 'failed', 'cancelled')),
    execute_at timestamptz not null,
    created_at timestamptz not null default now(),
    settled_at timestamptz
  );
  create table plain.transfers (
    id         bigint generated always as identity primary key,
    payment_id bigint not null unique,
    payer_id   bigint not null,
    payee_id   bigint not null,
    amount     bigint not null,
    created_at timestamptz not null default now()
  );
  create table plain.events (
    id         bigint generated always as identity primary key,
    payment_id bigint not null,
    type       text not null,
    data       jsonb not null,
    created_at timestamptz not null default now()
  );
  create index on plain.events (payment_id)`;

const SETTLE_ONE = `
  with p as (
    update plain.payments set status = 'settled', settled_at = now()
    where id = $1::bigint and status = 'scheduled'
    returning id, payer_id, payee_id, amount
  ), locked as (
    select a.id, a.id = p.payer_id as pays, p.amount
    from p join plain.accounts a on a.id = any (array[p.payer_id, p.payee_id])
    order by a.id for no key update of a
  ), moved as (
    update plain.accounts a
    set available = a.available + case when l.pays then 0 else l.amount end,
        reserved = a.reserved - case when l.pays then l.amount else 0 end
    from locked l where a.id = l.id
  ), t as (
    insert into plain.transfers (payment_id, payer_id, payee_id, amount) select id, payer_id, payee_id, amount from p
  )
  insert into plain.events (payment_id, type, data)
  select id, 'payment.settled', jsonb_build_object('status', 'settled', 'amount', amount) from p`;

/** Each is a sentence, and a query that finds a row where it is not true. */
const CHECKS: Readonly<Record<string, string>> = {
  'no money appears or disappears': `select sum(available + reserved) as total from plain.accounts
    having sum(available + reserved) <> ${ACCOUNTS}::numeric * ${DEPOSIT}`,
  'reserved is the sum of the scheduled payments': `select a.id from plain.accounts a
    left join (select payer_id, sum(amount) as amount from plain.payments where status = 'scheduled' group by 1) p on p.payer_id = a.id
    where a.reserved <> coalesce(p.amount, 0) limit 1`,
  'every settled payment has its transfer and its event': `select p.id from plain.payments p
    where p.status = 'settled' and not (
      exists (select from plain.transfers t where t.payment_id = p.id and t.amount = p.amount)
      and exists (select from plain.events e where e.payment_id = p.id)) limit 1`,
  'balances follow from the transfers': `select a.id from plain.accounts a
    left join (select id, sum(amount) as amount
               from (select payer_id as id, -amount as amount from plain.transfers
                     union all select payee_id, amount from plain.transfers) t group by 1) t on t.id = a.id
    where a.available + a.reserved <> ${DEPOSIT} + coalesce(t.amount, 0) limit 1`,
};

export const onPlainTables: Peer = {
  name: 'graphile-worker, plain tables',
  statement: () => Promise.resolve({ text: SETTLE_ONE, fields: ['p'], ids: [] }),
  async openBooks({ owner }) {
    for (const statement of TABLES.split(';')) await owner.query(statement);
    await owner.query(
      `insert into plain.accounts (id, available) select i, ${DEPOSIT} from generate_series(1, ${ACCOUNTS}) i`,
    );
    await owner.query('vacuum analyze');
  },
  async addPayments({ owner }, { count, spread }) {
    const { payer, payee } = RANKS[spread];
    await owner.query('checkpoint');
    await owner.query(
      `with picked as materialized (
         select i, ${payer} as payer, ${payee} as payee, 100 + floor(random() * 900)::bigint as amount, ${OVERDUE} as due_at
         from generate_series(1, $1::int) i
       ), made as (
         insert into plain.payments (payer_id, payee_id, amount, execute_at)
         select payer, case when payee = payer then payer % ${ACCOUNTS} + 1 else payee end, amount, due_at
         from picked order by i
         returning payer_id, amount
       )
       update plain.accounts a set available = available - m.amount, reserved = reserved + m.amount
       from (select payer_id, sum(amount)::bigint as amount from made group by 1) m where a.id = m.payer_id`,
      [count],
    );
    for (const table of ['payments', 'accounts']) await owner.query(`vacuum analyze plain.${table}`);
  },
  dueQuery: `select json_build_object('p', id) as payload, execute_at as due_at from plain.payments
             where status = 'scheduled' and execute_at <= now()`,
  async troubles({ owner }) {
    const found: string[] = [];
    for (const [sentence, query] of Object.entries(CHECKS)) {
      const rows = await owner.query(query);
      if (rows.length > 0) found.push(`${sentence}: ${JSON.stringify(rows[0])}`);
    }
    return found;
  },
};
