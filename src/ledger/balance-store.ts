// The balances: locked, made, changed and watched.
import type { Row, Sql, Transaction } from '../db/index.ts';
import { asBigInt, asBoolean, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { SetupError } from '../kernel/index.ts';
import { noteWakeUp } from '../queue/index.ts';
import type { Balance, BalanceKey } from './book.ts';

const tenants = (rows: readonly { tenantId: Uuid }[]): Uuid[] => rows.map((row) => row.tenantId);
const accounts = (rows: readonly { accountId: Uuid }[]): Uuid[] => rows.map((row) => row.accountId);
const assets = (rows: readonly { asset: string }[]): string[] => rows.map((row) => row.asset);

function balance(row: Row): Balance {
  return {
    tenantId: asText(row['tenant_id']),
    accountId: asText(row['account_id']),
    asset: asText(row['asset']),
    available: asBigInt(row['available']),
    reserved: asBigInt(row['reserved']),
    version: asBigInt(row['version']),
    mayDebit: asBoolean(row['may_debit']),
    mayCredit: asBoolean(row['may_credit']),
    watched: asBoolean(row['watched']),
    limited: asBoolean(row['limited']),
    place: asText(row['place']),
  };
}

/**
 * Locks in (account, asset) order, the order of every verb, and rides the primary key. With `skipLocked`, rows
 * that somebody else holds are left out instead of waited for.
 */
export async function lockBalances(
  sql: Sql,
  keys: readonly BalanceKey[],
  options: { skipLocked?: boolean } = {},
): Promise<Balance[]> {
  const rows = await sql.query(
    `select b.tenant_id, b.account_id, b.asset, b.available, b.reserved, b.version, b.may_debit, b.may_credit,
            b.watched, b.limited, b.ctid::text as place
     from unnest($1::uuid[], $2::uuid[], $3::text[]) k (tenant_id, account_id, asset)
     join usance.balances b using (tenant_id, account_id, asset)
     order by b.account_id, b.asset
     for no key update of b ${options.skipLocked ? 'skip locked' : ''}`,
    [tenants(keys), accounts(keys), assets(keys)],
  );
  return rows.map(balance);
}

/**
 * Gives accounts that never held an asset a balance to lock. The account's row is share-locked, so that a suspension
 * at the same moment cannot be missed by the flags copied here. Pairs that do not exist make no row.
 *
 * With `skipLocked` nothing is waited for. Inserting over a balance that somebody is changing would wait for him, and so
 * would inserting one that somebody else is just making: the first are left out because they exist, the second because
 * their maker holds the account's row for share, which the stronger lock asked for here does not go together with.
 */
export async function ensureBalances(
  sql: Sql,
  keys: readonly BalanceKey[],
  options: { skipLocked?: boolean } = {},
): Promise<void> {
  await sql.query(
    // Almost all are there: those are found by one probe each, before anything is looked up for the others.
    `with missing as materialized (
       select k.* from unnest($1::uuid[], $2::uuid[], $3::text[]) k (tenant_id, account_id, asset)
       where not exists (select from usance.balances b
                         where b.tenant_id = k.tenant_id and b.account_id = k.account_id and b.asset = k.asset)
     )
     insert into usance.balances (tenant_id, account_id, asset, may_debit, may_credit)
     select a.tenant_id, a.id, s.asset, a.status = 'active', a.status = 'active'
     from missing k
     join usance.accounts a on a.tenant_id = k.tenant_id and a.id = k.account_id
     join usance.assets s on s.tenant_id = k.tenant_id and s.asset = k.asset
     where not (a.kind = 'system' and a.ref in ('world', 'fees'))
     order by a.tenant_id, a.id, s.asset
     for ${options.skipLocked ? 'no key update of a skip locked' : 'share of a'}
     on conflict do nothing`,
    [tenants(keys), accounts(keys), assets(keys)],
  );
}

/**
 * Each balance once, and only if it still has the version that was locked; returns how many were. Goes to the row itself
 * (ctid), which does not move while we hold its lock: that is an index descent less for every balance of every batch.
 */
export async function writeBalances(sql: Sql, balances: readonly Balance[]): Promise<number> {
  const row = only(
    await sql.query(
      `with written as (
         update usance.balances b
         set available = v.available, reserved = v.reserved, watched = v.watched, version = b.version + 1
         from unnest($1::tid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[])
           v (place, account_id, available, reserved, version, watched)
         where b.ctid = v.place and b.account_id = v.account_id and b.version = v.version
         returning 1
       ) select count(*)::int as written from written`,
      [
        balances.map((item) => item.place),
        accounts(balances),
        balances.map((item) => item.available),
        balances.map((item) => item.reserved),
        balances.map((item) => item.version),
        balances.map((item) => item.watched),
      ],
    ),
  );
  return asNumber(row['written']);
}

/** What several transfers do to one balance. */
export interface Difference extends BalanceKey {
  /** Taken from what is reserved. */
  readonly taken: bigint;
  /** Taken from what is available. */
  readonly drawn: bigint;
  /** Added to what is available. */
  readonly added: bigint;
}

/**
 * Applies differences to the balances that allow them; tells how many did, and which of those are watched. What is drawn
 * must be there without what is added: then it is there in whatever order the transfers are looked at.
 */
export async function applyDifferences(
  sql: Sql,
  changes: readonly Difference[],
): Promise<{ count: number; wakes: BalanceKey[] }> {
  const row = only(
    await sql.query(
      `with applied as (
         update usance.balances b
         set available = b.available - v.drawn + v.added, reserved = b.reserved - v.taken, version = b.version + 1
         from (select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
                 v (tenant_id, account_id, asset, taken, drawn, added) order by account_id, asset) v
         where b.account_id = v.account_id and b.asset = v.asset and b.tenant_id = v.tenant_id
           and (b.may_debit or (v.taken = 0 and v.drawn = 0)) and (b.may_credit or v.added = 0) and not (b.limited and v.drawn > 0)
           and b.reserved >= v.taken and b.available >= v.drawn
           and b.available <= 9223372036854775807 - v.added - b.reserved
         returning b.tenant_id, b.account_id, b.asset, b.watched and v.added > 0 as wakes
       )
       select count(*)::int as count,
              string_agg(tenant_id || ' ' || account_id || ' ' || asset, ',') filter (where wakes) as wakes
       from applied`,
      [
        tenants(changes),
        accounts(changes),
        assets(changes),
        changes.map((change) => change.taken),
        changes.map((change) => change.drawn),
        changes.map((change) => change.added),
      ],
    ),
  );
  const wakes = asTextOrNull(row['wakes'])?.split(',') ?? [];
  return {
    count: asNumber(row['count']),
    wakes: wakes.map((text) => {
      const [tenantId = '', accountId = '', asset = ''] = text.split(' ');
      return { tenantId, accountId, asset };
    }),
  };
}

export async function readBalances(sql: Sql, tenantId: Uuid, accountId: Uuid): Promise<Balance[]> {
  const rows = await sql.query(
    `select tenant_id, account_id, asset, available, reserved, version, may_debit, may_credit, watched, limited, ctid::text as place
     from usance.balances where tenant_id = $1::uuid and account_id = $2::uuid order by asset`,
    [tenantId, accountId],
  );
  return rows.map(balance);
}

/**
 * What an account without a balance row holds: the sum of its transfers. The advisory lock lets one payer of such an
 * account decide at a time; credits meanwhile only make it more. The sum has to be taken after the lock was got, which a
 * caller's transaction that keeps one snapshot cannot do: it would pay out twice what another has just paid out.
 * The impatient do not wait for another payer, and get null.
 */
export async function lockDerivedBalance(sql: Sql, key: BalanceKey, impatient = false): Promise<bigint | null> {
  const [row] = await sql.query(
    `select ${impatient ? 'pg_try_advisory_xact_lock' : 'pg_advisory_xact_lock'}(hashtextextended($1::text || $2::text, 11))::text
       as got, current_setting('transaction_isolation') as level`,
    [key.accountId, key.asset],
  );
  if (row?.['got'] === 'false') return null;
  if (row?.['level'] !== 'read committed') {
    throw new SetupError(
      'paying from "fees" inside a transaction of yours needs its isolation level to be read committed',
    );
  }
  return derivedBalance(sql, key);
}

export async function derivedBalance(sql: Sql, key: BalanceKey): Promise<bigint> {
  const row = only(
    await sql.query(
      `select (coalesce((select sum(amount) from usance.transfers
                 where credit_account_id = $2::uuid and tenant_id = $1::uuid and asset = $3::text), 0)
             - coalesce((select sum(amount) from usance.transfers
                 where debit_account_id = $2::uuid and tenant_id = $1::uuid and asset = $3::text), 0))::text as total`,
      [key.tenantId, key.accountId, key.asset],
    ),
  );
  return asBigInt(row['total']);
}

/**
 * Leaves word that watched balances were credited. A word that is there already is touched, so that whoever takes it away
 * waits for us: otherwise he could take it, look at the balance as it was before we commit, and nobody would look again.
 */
export async function insertWakes(tx: Transaction, keys: readonly BalanceKey[], clockId: Uuid | null): Promise<void> {
  if (clockId === null) noteWakeUp(tx, 'payments_due');
  await tx.query(
    `insert into usance.balance_wakes (tenant_id, account_id, asset, clock_id)
     select tenant_id, account_id, asset, $4::uuid
     from unnest($1::uuid[], $2::uuid[], $3::text[]) k (tenant_id, account_id, asset)
     order by 1, 2, 3
     on conflict (tenant_id, account_id, asset) do update set asset = excluded.asset`,
    [tenants(keys), accounts(keys), assets(keys), clockId],
  );
}

/** Whether a test clock has wakes that nobody has looked at. */
export async function hasWakes(sql: Sql, clockId: Uuid): Promise<boolean> {
  const rows = await sql.query('select from usance.balance_wakes where clock_id = $1::uuid limit 1', [clockId]);
  return rows.length > 0;
}

/** Takes up to `limit` wakes away, live ones or a test clock's; whoever takes them looks in the same transaction. */
export async function takeWakes(sql: Sql, clockId: Uuid | null, limit: number): Promise<BalanceKey[]> {
  const rows = await sql.query(
    `delete from usance.balance_wakes w
     using (select tenant_id, account_id, asset from usance.balance_wakes
            where ${clockId === null ? 'clock_id is null and $2::uuid is null' : 'clock_id = $2::uuid'}
            limit $1::int for update skip locked) k
     where w.tenant_id = k.tenant_id and w.account_id = k.account_id and w.asset = k.asset
     returning w.tenant_id, w.account_id, w.asset`,
    [limit, clockId],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    accountId: asText(row['account_id']),
    asset: asText(row['asset']),
  }));
}

/** Says on a balance that limits exist. Locks it; makes it where there is none. */
export async function setLimited(sql: Sql, key: BalanceKey, limited: boolean): Promise<void> {
  await ensureBalances(sql, [key]);
  await sql.query(
    `update usance.balances set limited = $4::boolean, version = version + 1
     where tenant_id = $1::uuid and account_id = $2::uuid and asset = $3::text`,
    [key.tenantId, key.accountId, key.asset, limited],
  );
}
