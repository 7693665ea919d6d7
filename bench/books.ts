// Accounts and payments in bulk: what thousands of creates would have left behind, written as sets, because making a
// million payments one by one is not what is measured here. Triggers are off while it is written; `verify` at the end of
// every bench says whether the books it made were right.
import { createEngine } from '../src/engine.ts';
import type { Uuid } from '../src/kernel/index.ts';
import type { BenchDatabase } from './server.ts';

export const ASSET = 'USD/2';
export const ACCOUNTS = 100_000;
const DEPOSIT = 1_000_000_000;

/** Who pays whom. `skewed`: rank k is chosen in proportion to 1/k, so the first account is in one payment of eight. */
export type Spread = 'uniform' | 'skewed' | 'hot-payee' | 'hot-payer';

export interface PaymentsOrder {
  readonly count: number;
  readonly spread: Spread;
  /** SQL of the instant that the i-th of `count` payments is due. */
  readonly dueAt: string;
  /** Default: all normal. */
  readonly mixedPriorities?: boolean;
}

/**
 * Due within the last hour, nearly in the order of creation: most holds have the same delay. The minute of disorder
 * stands for those that do not.
 */
export const OVERDUE = `now() - interval '1 hour' + (i::float8 / $1::int) * interval '59 minutes' - random() * interval '1 minute'`;

/** A tenant with its asset and 100,000 accounts that hold money. Returns its id. */
export async function openBooks(database: BenchDatabase): Promise<Uuid> {
  const { owner } = database;
  const usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, poolSize: 1 });
  const tenant = await usance.createTenant({ name: 'bench' });
  await tenant.createAsset(ASSET);
  await usance.close();
  await owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query('create schema bench');
    // The rank has nothing to do with the id, or hot accounts would be neighbours.
    await tx.query(
      `create table bench.accounts as
       select row_number() over (order by random())::int as rank, id from (select uuidv7() as id from generate_series(1, ${ACCOUNTS})) a`,
    );
    await tx.query('alter table bench.accounts add primary key (rank)');
    await tx.query(
      `insert into usance.accounts (tenant_id, id, ref, kind, created_at, updated_at)
       select $1::uuid, id, 'account-' || rank, 'user', now(), now() from bench.accounts order by id`,
      [tenant.id],
    );
    await tx.query(
      `insert into usance.balances (tenant_id, account_id, asset, available)
       select $1::uuid, id, $2::text, $3::bigint from bench.accounts order by id`,
      [tenant.id, ASSET, DEPOSIT],
    );
    await tx.query(
      `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, posted_at)
       select $1::uuid, uuidv7(), w.id, a.id, $2::text, $3::bigint, 'deposit', now()
       from bench.accounts a, usance.accounts w where w.tenant_id = $1::uuid and w.ref = 'world'`,
      [tenant.id, ASSET, DEPOSIT],
    );
  });
  await owner.query('vacuum analyze');
  return tenant.id;
}

const RANKS: Readonly<Record<Spread, { payer: string; payee: string }>> = {
  uniform: { payer: anyRank(), payee: anyRank() },
  skewed: { payer: skewedRank(), payee: skewedRank() },
  'hot-payee': { payer: anyRank(), payee: '1' },
  'hot-payer': { payer: '1', payee: anyRank() },
};

function anyRank(): string {
  return `1 + floor(random() * ${ACCOUNTS})::int`;
}

function skewedRank(): string {
  return `floor(power(${ACCOUNTS}, random()))::int`;
}

/** Holds: reserved, scheduled, in the due set. Ends with fresh statistics and no dead rows. */
export async function addPayments(database: BenchDatabase, tenantId: Uuid, order: PaymentsOrder): Promise<void> {
  const { owner } = database;
  const { payer, payee } = RANKS[order.spread];
  // First, so that what is prepared has paid for the first touch of each page after a checkpoint, and not what is measured.
  await owner.query('checkpoint');
  await owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `create temporary table made on commit drop as
       with picked as materialized (
         select i, ${payer} as payer, ${payee} as payee, 100 + floor(random() * 900)::bigint as amount,
                ${order.dueAt} as due_at, ${order.mixedPriorities ? 'floor(random() * 3)::int' : '1'} as priority
         from generate_series(1, $1::int) i)
       select uuidv7() as id, r.id as payer_id, e.id as payee_id, amount, date_trunc('milliseconds', due_at) as due_at,
              priority
       from (select * from picked order by i) p
       join bench.accounts r on r.rank = p.payer
       join bench.accounts e on e.rank = case when p.payee = p.payer then p.payer % ${ACCOUNTS} + 1 else p.payee end`,
      [order.count],
    );
    await tx.query(
      `insert into usance.payments (tenant_id, id, status, rail, funding, payer_id, payee_id, asset, amount, execute_at,
         priority, created_by, created_at, updated_at)
       select $1::uuid, id, 'scheduled', 'ledger', 'reserve', payer_id, payee_id, $2::text, amount, due_at, priority,
              'bench', now(), now()
       from made order by id`,
      [tenantId, ASSET],
    );
    await tx.query(
      `insert into usance.due (tenant_id, payment_id, priority, due_at)
       select $1::uuid, id, priority, due_at from made order by id`,
      [tenantId],
    );
    await tx.query(
      `update usance.balances b set available = available - m.amount, reserved = reserved + m.amount, version = version + 1
       from (select payer_id, sum(amount)::bigint as amount from made group by 1) m
       where b.tenant_id = $1::uuid and b.account_id = m.payer_id and b.asset = $2::text`,
      [tenantId, ASSET],
    );
  });
  for (const table of ['payments', 'due', 'balances']) await owner.query(`vacuum analyze usance.${table}`);
}
