// Accounts and payments in bulk: what thousands of creates would have left behind, written as sets, because making a
// million payments one by one is not what is measured here. Triggers are off while it is written; `verify` at the end of
// every bench says whether the books it made were right.
import { createEngine } from '../src/engine.ts';
import type { Uuid } from '../src/kernel/index.ts';
import type { BenchDatabase } from './server.ts';

export const ASSET = 'USD/2';
export const ACCOUNTS = 100_000;
export const DEPOSIT = 1_000_000_000;

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

export interface BooksOrder {
  /** Default 1. The accounts are divided among them evenly; both parties of a payment are in one tenant. */
  readonly tenants?: number;
}

/** Tenants made at once: each is a few transactions, and each of those waits for the disk. */
const TENANTS_AT_ONCE = 8;

/** Tenants with their asset, and 100,000 accounts that hold money. Returns the id of the first tenant, which is called `bench`. */
export async function openBooks(database: BenchDatabase, { tenants = 1 }: BooksOrder = {}): Promise<Uuid> {
  const { owner } = database;
  const ids = await openTenants(database, tenants);
  const accountsEach = Math.floor(ACCOUNTS / tenants);
  await owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query('create schema bench');
    await tx.query('create table bench.tenants as select * from unnest($1::uuid[]) with ordinality t (id, number)', [
      ids,
    ]);
    // The rank has nothing to do with the id, or hot accounts would be neighbours. Those of a tenant are consecutive ranks.
    await tx.query(
      `create table bench.accounts as
       select a.rank, a.id, t.id as tenant_id, ((t.number - 1) * ${accountsEach} + 1)::int as first_rank, ${accountsEach} as ranks
       from (select row_number() over (order by random())::int as rank, id
             from (select uuidv7() as id from generate_series(1, ${accountsEach * tenants})) made) a
       join bench.tenants t on t.number = (a.rank - 1) / ${accountsEach} + 1`,
    );
    await tx.query('alter table bench.accounts add primary key (rank)');
    await tx.query(
      `insert into usance.accounts (tenant_id, id, ref, kind, created_at, updated_at)
       select tenant_id, id, 'account-' || rank, 'user', now(), now() from bench.accounts order by id`,
    );
    await tx.query(
      `insert into usance.balances (tenant_id, account_id, asset, available)
       select tenant_id, id, $1::text, $2::bigint from bench.accounts order by id`,
      [ASSET, DEPOSIT],
    );
    await tx.query(
      `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, posted_at)
       select a.tenant_id, uuidv7(), w.id, a.id, $1::text, $2::bigint, 'deposit', now()
       from bench.accounts a join usance.accounts w on w.tenant_id = a.tenant_id and w.ref = 'world'`,
      [ASSET, DEPOSIT],
    );
  });
  await owner.query('vacuum analyze');
  const [first] = ids;
  if (first === undefined) throw new Error('there are no tenants');
  return first;
}

async function openTenants(database: BenchDatabase, count: number): Promise<Uuid[]> {
  const usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, poolSize: TENANTS_AT_ONCE });
  const ids: Uuid[] = [];
  let next = 0;
  const make = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      const tenant = await usance.createTenant({ name: number === 0 ? 'bench' : `bench-${number + 1}` });
      await tenant.createAsset(ASSET);
      ids[number] = tenant.id;
    }
  };
  try {
    await Promise.all(Array.from({ length: TENANTS_AT_ONCE }, make));
    return ids;
  } finally {
    await usance.close();
  }
}

/** SQL of the ranks of both parties. The payee's counts within the payer's tenant. */
export const RANKS: Readonly<Record<Spread, { payer: string; payee: string }>> = {
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
export async function addPayments(database: BenchDatabase, order: PaymentsOrder): Promise<void> {
  const { owner } = database;
  const { payer, payee } = RANKS[order.spread];
  // First, so that the preparation pays for the first write to each page after a checkpoint, and not the measured run.
  await owner.query('checkpoint');
  await owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `create temporary table made on commit drop as
       with picked as materialized (
         select i, ${payer} as payer, ${payee} as payee, 100 + floor(random() * 900)::bigint as amount,
                ${order.dueAt} as due_at, ${order.mixedPriorities ? 'floor(random() * 3)::int' : '1'} as priority
         from generate_series(1, $1::int) i)
       select r.tenant_id, uuidv7() as id, r.id as payer_id, e.id as payee_id, amount,
              date_trunc('milliseconds', due_at) as due_at, priority
       from (select * from picked order by i) p
       join bench.accounts r on r.rank = p.payer
       -- An account that would pay itself pays the next one.
       join bench.accounts e on e.rank = r.first_rank
         + (p.payee - 1 + (r.first_rank + (p.payee - 1) % r.ranks = p.payer)::int) % r.ranks`,
      [order.count],
    );
    await tx.query(
      `insert into usance.payments (tenant_id, id, status, rail, funding, payer_id, payee_id, asset, amount, execute_at,
         priority, created_by, created_at, updated_at)
       select tenant_id, id, 'scheduled', 'ledger', 'reserve', payer_id, payee_id, $1::text, amount, due_at, priority,
              'bench', now(), now()
       from made order by id`,
      [ASSET],
    );
    await tx.query(
      `insert into usance.due (tenant_id, payment_id, priority, due_at)
       select tenant_id, id, priority, due_at from made order by id`,
    );
    await tx.query(
      `update usance.balances b set available = available - m.amount, reserved = reserved + m.amount, version = version + 1
       from (select tenant_id, payer_id, sum(amount)::bigint as amount from made group by 1, 2) m
       where b.tenant_id = m.tenant_id and b.account_id = m.payer_id and b.asset = $1::text`,
      [ASSET],
    );
  });
  for (const table of ['payments', 'due', 'balances', 'event_inbox'])
    await owner.query(`vacuum analyze usance.${table}`);
}
