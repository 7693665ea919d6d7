// The transfers and reservations of the book. Balances are in balance-store.ts, accounts and assets in account-store.ts, the
// checks in integrity-store.ts.
import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Reservation, Transfer } from './book.ts';

const tenants = (rows: readonly { tenantId: Uuid }[]): Uuid[] => rows.map((row) => row.tenantId);
const ids = (rows: readonly { id: Uuid }[]): Uuid[] => rows.map((row) => row.id);
const accounts = (rows: readonly { accountId: Uuid }[]): Uuid[] => rows.map((row) => row.accountId);
const assets = (rows: readonly { asset: string }[]): string[] => rows.map((row) => row.asset);
const amounts = (rows: readonly { amount: bigint }[]): bigint[] => rows.map((row) => row.amount);

/**
 * Sent after the balances are locked. With `postedNow` the server sets the instant, in the same whole milliseconds as
 * everywhere; without it the transfers carry one that was read under the lock.
 */
export async function insertTransfers(
  sql: Sql,
  transfers: readonly Transfer[],
  { postedNow = false }: { postedNow?: boolean } = {},
): Promise<void> {
  const postedAt = postedNow ? `, (select date_trunc('milliseconds', clock_timestamp()))` : '';
  await sql.query(
    `insert into usance.transfers
       (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, reservation_id, payment_id, description,
        posted_at)
     select *${postedAt} from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::bigint[], $7::text[],
                                     $8::uuid[], $9::uuid[], $10::text[]${postedNow ? '' : ', $11::timestamptz[]'})`,
    [
      tenants(transfers),
      ids(transfers),
      transfers.map((transfer) => transfer.debitAccountId),
      transfers.map((transfer) => transfer.creditAccountId),
      assets(transfers),
      amounts(transfers),
      transfers.map((transfer) => transfer.kind),
      transfers.map((transfer) => transfer.reservationId),
      transfers.map((transfer) => transfer.paymentId),
      transfers.map((transfer) => transfer.description),
      ...(postedNow ? [] : [transfers.map((transfer) => transfer.postedAt)]),
    ],
  );
}

export function transfer(row: Row): Transfer {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    debitAccountId: asText(row['debit_account_id']),
    creditAccountId: asText(row['credit_account_id']),
    asset: asText(row['asset']),
    amount: asBigInt(row['amount']),
    kind: asText(row['kind']),
    reservationId: asTextOrNull(row['reservation_id']),
    paymentId: asTextOrNull(row['payment_id']),
    description: asTextOrNull(row['description']),
    postedAt: asDate(row['posted_at']),
  };
}

/** One account's transfers, newest first; `before` is the id to go on from. Rides transfers_debit and transfers_credit. */
export async function listTransfers(
  sql: Sql,
  tenantId: Uuid,
  accountId: Uuid,
  page: { limit: number; before?: Uuid | null },
): Promise<Transfer[]> {
  const side = (column: string): string =>
    `(select * from usance.transfers where tenant_id = $1::uuid and ${column} = $2::uuid
        and ($3::uuid is null or id < $3::uuid) order by id desc limit $4::int)`;
  const rows = await sql.query(
    `select * from (${side('debit_account_id')} union all ${side('credit_account_id')}) t order by id desc limit $4::int`,
    [tenantId, accountId, page.before ?? null, page.limit],
  );
  return rows.map(transfer);
}

export async function readTransfer(sql: Sql, tenantId: Uuid, id: Uuid): Promise<Transfer | null> {
  const [row] = await sql.query('select * from usance.transfers where tenant_id = $1::uuid and id = $2::uuid', [
    tenantId,
    id,
  ]);
  return row ? transfer(row) : null;
}

export async function insertReservations(sql: Sql, reservations: readonly Reservation[]): Promise<void> {
  await sql.query(
    `insert into usance.reservations
       (tenant_id, id, account_id, asset, amount, captured, released, created_at, resolved_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[],
                          $8::timestamptz[], $9::timestamptz[])`,
    [
      tenants(reservations),
      ids(reservations),
      accounts(reservations),
      assets(reservations),
      amounts(reservations),
      reservations.map((reservation) => reservation.captured),
      reservations.map((reservation) => reservation.released),
      reservations.map((reservation) => reservation.createdAt),
      reservations.map((reservation) => reservation.resolvedAt),
    ],
  );
}

export async function updateReservations(sql: Sql, reservations: readonly Reservation[]): Promise<number> {
  const row = only(
    await sql.query(
      `with written as (
         update usance.reservations r
         set captured = v.captured, released = v.released, resolved_at = v.resolved_at
         from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::timestamptz[])
           v (tenant_id, id, captured, released, resolved_at)
         where r.tenant_id = v.tenant_id and r.id = v.id
         returning 1
       ) select count(*)::int as written from written`,
      [
        tenants(reservations),
        ids(reservations),
        reservations.map((reservation) => reservation.captured),
        reservations.map((reservation) => reservation.released),
        reservations.map((reservation) => reservation.resolvedAt),
      ],
    ),
  );
  return asNumber(row['written']);
}

const RESERVATION = 'tenant_id, id, account_id, asset, amount, captured, released, created_at, resolved_at';

function reservation(row: Row): Reservation {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    accountId: asText(row['account_id']),
    asset: asText(row['asset']),
    amount: asBigInt(row['amount']),
    captured: asBigInt(row['captured']),
    released: asBigInt(row['released']),
    createdAt: asDate(row['created_at']),
    resolvedAt: asDateOrNull(row['resolved_at']),
  };
}

/**
 * Read to learn which balances to lock, and again after they are locked: only who holds the balance changes the
 * reservation, so no lock of its own is needed.
 */
export async function readReservations(
  sql: Sql,
  keys: readonly { tenantId: Uuid; id: Uuid }[],
): Promise<Reservation[]> {
  const rows = await sql.query(
    `select r.* from unnest($1::uuid[], $2::uuid[]) k (tenant_id, id) join usance.reservations r using (tenant_id, id)`,
    [tenants(keys), ids(keys)],
  );
  return rows.map(reservation);
}

export async function listReservations(
  sql: Sql,
  tenantId: Uuid,
  accountId: Uuid,
  page: { limit: number; before?: Uuid | null },
): Promise<Reservation[]> {
  const rows = await sql.query(
    `select ${RESERVATION} from usance.reservations
     where account_id = $2::uuid and tenant_id = $1::uuid and ($3::uuid is null or id < $3::uuid)
     order by id desc limit $4::int`,
    [tenantId, accountId, page.before ?? null, page.limit],
  );
  return rows.map(reservation);
}
