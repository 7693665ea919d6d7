// The due set, the waiting list and the dead letters: narrow tables that rows leave.
import type { Sql, Transaction } from '../db/index.ts';
import { asBigInt, asDate, asNumber, asText } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import type { BalanceKey } from '../ledger/index.ts';
import { noteDueSoon } from '../queue/index.ts';
import { PAYOUT_PRIORITY } from './payout-terms.ts';
import type { PaymentKey } from './store.ts';

export interface DueRow {
  readonly tenantId: Uuid;
  readonly paymentId: Uuid;
  readonly clockId: Uuid | null;
  /** Of a payout 10 more than the payment's own. */
  readonly priority: number;
  readonly dueAt: Date;
  readonly blocked: number;
  /** Where its row lies, as long as its lock is held. */
  readonly place: string;
}

const tenants = (rows: readonly { tenantId: Uuid }[]): Uuid[] => rows.map((row) => row.tenantId);
const payments = (rows: readonly { paymentId: Uuid }[]): Uuid[] => rows.map((row) => row.paymentId);

function dueRow(row: Record<string, unknown>): DueRow {
  return {
    tenantId: asText(row['tenant_id']),
    paymentId: asText(row['payment_id']),
    clockId: row['clock_id'] === null || row['clock_id'] === undefined ? null : asText(row['clock_id']),
    priority: asNumber(row['priority']),
    dueAt: asDate(row['due_at']),
    blocked: asNumber(row['blocked']),
    place: asText(row['place']),
  };
}

/** A place in the order of one range. */
export interface DueMark {
  readonly dueAt: Date;
  readonly paymentId: Uuid;
}

/** Where to look for due work: one index range, from its beginning or from beyond a mark. */
export interface DueRange {
  readonly tenantId: Uuid;
  readonly priority: number;
  readonly mark: DueMark | null;
  readonly limit: number;
}

/**
 * Takes live due rows, oldest first in each range, leaving out those that somebody else has. Rides due_live; the mark
 * keeps the scan from walking over rows that were deleted but are still visible to some old snapshot.
 */
export async function claimDue(sql: Sql, ranges: readonly DueRange[], now: Date): Promise<DueRow[]> {
  const rows = await sql.query(
    `select d.tenant_id, d.payment_id, d.priority, d.due_at, d.blocked, d.place
     from unnest($1::uuid[], $2::smallint[], $3::timestamptz[], $4::uuid[], $5::int[])
       r (tenant_id, priority, mark_at, mark_id, most)
     cross join lateral (
       select d.tenant_id, d.payment_id, d.priority, d.due_at, d.blocked, d.ctid::text as place from usance.due d
       where d.clock_id is null and d.tenant_id = r.tenant_id and d.priority = r.priority
         and (d.due_at, d.payment_id) > (r.mark_at, r.mark_id) and d.due_at <= $6::timestamptz
       order by d.due_at, d.payment_id
       limit r.most
       for update skip locked
     ) d`,
    [
      tenants(ranges),
      ranges.map((range) => range.priority),
      ranges.map((range) => range.mark?.dueAt ?? '-infinity'),
      ranges.map((range) => range.mark?.paymentId ?? NIL_UUID),
      ranges.map((range) => range.limit),
      now,
    ],
  );
  return rows.map(dueRow);
}

/** What a claim by a test clock is of: payments on the ledger, or payouts. */
export type DueOf = 'ledger' | 'payouts';

const OF = { ledger: `rail = 'ledger'`, payouts: `rail <> 'ledger'` } as const satisfies Record<DueOf, string>;

/** When the first of a test clock's payments is due. Rides due_test, as the next one does. */
export async function firstDueOfClock(sql: Sql, clockId: Uuid, of: DueOf = 'ledger'): Promise<Date | null> {
  const [row] = await sql.query(
    `select due_at from usance.due where clock_id = $1::uuid and ${OF[of]} order by due_at, payment_id limit 1`,
    [clockId],
  );
  return row ? asDate(row['due_at']) : null;
}

/** The due rows of a test clock up to its instant, in order. Only its advancer calls this. */
export async function claimDueOfClock(
  sql: Sql,
  clockId: Uuid,
  upTo: Date,
  limit: number,
  of: DueOf = 'ledger',
): Promise<DueRow[]> {
  const rows = await sql.query(
    `select tenant_id, payment_id, clock_id, priority, due_at, blocked, ctid::text as place from usance.due
     where clock_id = $1::uuid and due_at <= $2::timestamptz and ${OF[of]}
     order by due_at, payment_id limit $3::int for update`,
    [clockId, upTo, limit],
  );
  return rows.map(dueRow);
}

/** By payment, waiting for whoever has them; in key order. A payment without one is left out: it is not scheduled. */
export async function lockDue(sql: Sql, keys: readonly PaymentKey[]): Promise<DueRow[]> {
  const rows = await sql.query(
    `select d.tenant_id, d.payment_id, d.clock_id, d.priority, d.due_at, d.blocked, d.ctid::text as place
     from unnest($1::uuid[], $2::uuid[]) k (tenant_id, payment_id) join usance.due d using (tenant_id, payment_id)
     order by d.tenant_id, d.payment_id for update of d`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return rows.map(dueRow);
}

/** When a payment is tried next; null where it is not scheduled. */
export async function readDueAt(sql: Sql, key: PaymentKey): Promise<Date | null> {
  const [row] = await sql.query('select due_at from usance.due where tenant_id = $1::uuid and payment_id = $2::uuid', [
    key.tenantId,
    key.id,
  ]);
  return row ? asDate(row['due_at']) : null;
}

/** Takes rows again after a batch was undone: those that are still there and that nobody else has taken. */
export async function lockDueIfFree(sql: Sql, keys: readonly PaymentKey[]): Promise<DueRow[]> {
  const rows = await sql.query(
    `select d.tenant_id, d.payment_id, d.clock_id, d.priority, d.due_at, d.blocked, d.ctid::text as place
     from unnest($1::uuid[], $2::uuid[]) k (tenant_id, payment_id) join usance.due d using (tenant_id, payment_id)
     for update of d skip locked`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return rows.map(dueRow);
}

/** Where a payment is in the due set, without a lock; null where it is not scheduled. */
export async function readDue(sql: Sql, { tenantId, id }: PaymentKey): Promise<DueRow | null> {
  const [row] = await sql.query(
    `select tenant_id, payment_id, clock_id, priority, due_at, blocked, ctid::text as place from usance.due
     where tenant_id = $1::uuid and payment_id = $2::uuid`,
    [tenantId, id],
  );
  return row ? dueRow(row) : null;
}

/** How many live payments of the tenant are due before this one, by priority and due instant; counted up to `most`. */
export async function countDueBefore(sql: Sql, row: DueRow, now: Date, most: number): Promise<number> {
  const [counted] = await sql.query(
    `select count(*)::int as n from (
       select from usance.due
       where clock_id is null and tenant_id = $1::uuid and due_at <= $5::timestamptz
         and (priority, due_at, payment_id) < ($2::smallint, $3::timestamptz, $4::uuid)
       limit $6::int) d`,
    [row.tenantId, row.priority, row.dueAt, row.paymentId, now, most],
  );
  return asNumber(counted?.['n']);
}

export interface Backlog {
  readonly tenantId: Uuid;
  readonly priority: number;
  /** The first due instant of the range, which may lie ahead. */
  readonly firstDueAt: Date;
}

/** For each range its first live due row beyond the mark. One index probe a range. */
export async function firstDue(
  sql: Sql,
  ranges: readonly Pick<DueRange, 'tenantId' | 'priority' | 'mark'>[],
): Promise<Backlog[]> {
  const rows = await sql.query(
    `select r.tenant_id, r.priority, d.due_at
     from unnest($1::uuid[], $2::smallint[], $3::timestamptz[], $4::uuid[]) r (tenant_id, priority, mark_at, mark_id)
     cross join lateral (
       select d.due_at from usance.due d
       where d.clock_id is null and d.tenant_id = r.tenant_id and d.priority = r.priority
         and (d.due_at, d.payment_id) > (r.mark_at, r.mark_id)
       order by d.due_at, d.payment_id limit 1
     ) d`,
    [
      tenants(ranges),
      ranges.map((range) => range.priority),
      ranges.map((range) => range.mark?.dueAt ?? '-infinity'),
      ranges.map((range) => range.mark?.paymentId ?? NIL_UUID),
    ],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    priority: asNumber(row['priority']),
    firstDueAt: asDate(row['due_at']),
  }));
}

/** A row that is added says on which rail its payment is. */
export type NewDueRow = Omit<DueRow, 'place'> & { readonly rail: string };

export async function insertDue(tx: Transaction, rows: readonly NewDueRow[]): Promise<void> {
  noteDue(tx, rows);
  await tx.query(
    `insert into usance.due (tenant_id, payment_id, clock_id, priority, due_at, rail)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::smallint[], $5::timestamptz[], $6::text[])`,
    [
      tenants(rows),
      payments(rows),
      rows.map((row) => row.clockId),
      rows.map((row) => row.priority),
      rows.map((row) => row.dueAt),
      rows.map((row) => row.rail),
    ],
  );
}

function noteDue(tx: Transaction, rows: readonly Omit<DueRow, 'place'>[]): void {
  const { payouts = [], payments: others = [] } = Object.groupBy(rows, ({ priority }) =>
    priority < PAYOUT_PRIORITY ? 'payments' : 'payouts',
  );
  noteDueSoon(tx, 'payments_due', others);
  noteDueSoon(tx, 'payouts_due', payouts);
}

/** Goes to the rows themselves, which do not move while we hold their locks. */
export async function deleteDue(sql: Sql, rows: readonly DueRow[]): Promise<void> {
  await sql.query(
    `delete from usance.due d using unnest($1::tid[], $2::uuid[]) k (place, payment_id)
     where d.ctid = k.place and d.payment_id = k.payment_id`,
    [rows.map((row) => row.place), payments(rows)],
  );
}

export async function moveDue(tx: Transaction, rows: readonly DueRow[]): Promise<void> {
  noteDue(tx, rows);
  await tx.query(
    `update usance.due d set due_at = k.due_at, blocked = k.blocked
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::smallint[]) k (tenant_id, payment_id, due_at, blocked)
     where d.tenant_id = k.tenant_id and d.payment_id = k.payment_id`,
    [tenants(rows), payments(rows), rows.map((row) => row.dueAt), rows.map((row) => row.blocked)],
  );
}

export interface WaitingRow extends BalanceKey {
  readonly paymentId: Uuid;
  readonly amount: bigint;
}

export async function insertWaiting(sql: Sql, rows: readonly WaitingRow[]): Promise<void> {
  await sql.query(
    `insert into usance.waiting (tenant_id, payment_id, account_id, asset, amount)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[])
     on conflict (tenant_id, payment_id) do update set amount = excluded.amount`,
    [
      tenants(rows),
      payments(rows),
      rows.map((row) => row.accountId),
      rows.map((row) => row.asset),
      rows.map((row) => row.amount),
    ],
  );
}

export async function deleteWaiting(sql: Sql, keys: readonly PaymentKey[]): Promise<void> {
  await sql.query(
    `delete from usance.waiting w using unnest($1::uuid[], $2::uuid[]) k (tenant_id, payment_id)
     where w.tenant_id = k.tenant_id and w.payment_id = k.payment_id`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
}

/** What waits for a credit of an account, oldest payment first; only what so much covers, where that is said. */
export async function listWaiting(
  sql: Sql,
  key: BalanceKey,
  page: { readonly limit: number; readonly after?: Uuid; readonly within?: bigint },
): Promise<WaitingRow[]> {
  const rows = await sql.query(
    `select payment_id, amount from usance.waiting
     where account_id = $2::uuid and asset = $3::text and tenant_id = $1::uuid and payment_id > $5::uuid
       and ($6::bigint is null or amount <= $6::bigint)
     order by payment_id limit $4::int`,
    [key.tenantId, key.accountId, key.asset, page.limit, page.after ?? NIL_UUID, page.within ?? null],
  );
  return rows.map((row) => ({ ...key, paymentId: asText(row['payment_id']), amount: asBigInt(row['amount']) }));
}

/**
 * Makes payments due now, where they are not already. Left as they are: those that another transaction holds, those whose instant
 * lies ahead (an edit moved it) and those that await approval, which they may have come to since they were seen waiting.
 */
export async function expediteDue(sql: Sql, keys: readonly PaymentKey[], clock: Clock): Promise<Uuid[]> {
  const rows = await sql.query(
    `update usance.due d set due_at = $3::timestamptz
     from (select d.tenant_id, d.payment_id from unnest($1::uuid[], $2::uuid[]) k (tenant_id, payment_id)
           join usance.due d using (tenant_id, payment_id)
           join usance.payments p on p.tenant_id = d.tenant_id and p.id = d.payment_id
           where d.due_at > $3::timestamptz and p.execute_at <= $3::timestamptz and p.approval is distinct from 'awaited'
           order by d.tenant_id, d.payment_id for update of d skip locked) k
     where d.tenant_id = k.tenant_id and d.payment_id = k.payment_id
     returning d.payment_id`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id), clock.now],
  );
  return rows.map((row) => asText(row['payment_id']));
}

export interface DeadLetter extends PaymentKey {
  readonly asset: string;
  readonly amount: bigint;
  readonly code: string;
  readonly detail: string;
  readonly failedAt: Date;
}

export async function insertDeadLetters(sql: Sql, letters: readonly DeadLetter[]): Promise<void> {
  await sql.query(
    `insert into usance.payment_dead_letters (tenant_id, payment_id, asset, amount, code, detail, failed_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::timestamptz[])`,
    [
      tenants(letters),
      letters.map((letter) => letter.id),
      letters.map((letter) => letter.asset),
      letters.map((letter) => letter.amount),
      letters.map((letter) => letter.code),
      letters.map((letter) => letter.detail),
      letters.map((letter) => letter.failedAt),
    ],
  );
}

/** Returns how many there were. */
export async function deleteDeadLetters(sql: Sql, keys: readonly PaymentKey[]): Promise<number> {
  const rows = await sql.query(
    `delete from usance.payment_dead_letters l using unnest($1::uuid[], $2::uuid[]) k (tenant_id, payment_id)
     where l.tenant_id = k.tenant_id and l.payment_id = k.payment_id returning 1 as gone`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return rows.length;
}

export interface LetterFilter {
  readonly id?: Uuid;
  readonly code?: string;
  readonly asset?: string;
  readonly failedFrom?: Date;
  readonly failedBefore?: Date;
}

/** By id, newest first unless said otherwise; `mark` is the id to go on from. Rides the primary key. */
export async function listDeadLetters(
  sql: Sql,
  tenantId: Uuid,
  filter: LetterFilter,
  page: { readonly limit: number; readonly mark?: Uuid | null; readonly oldestFirst?: boolean },
): Promise<DeadLetter[]> {
  const [beyond, direction] = page.oldestFirst ? ['>', 'asc'] : ['<', 'desc'];
  const rows = await sql.query(
    `select payment_id, asset, amount, code, detail, failed_at from usance.payment_dead_letters
     where tenant_id = $1::uuid and ($2::uuid is null or payment_id ${beyond} $2::uuid)
       and ($4::uuid is null or payment_id = $4::uuid)
       and ($5::text is null or code = $5::text) and ($6::text is null or asset = $6::text)
       and ($7::timestamptz is null or failed_at >= $7::timestamptz)
       and ($8::timestamptz is null or failed_at < $8::timestamptz)
     order by payment_id ${direction} limit $3::int`,
    [
      tenantId,
      page.mark ?? null,
      page.limit,
      filter.id ?? null,
      filter.code ?? null,
      filter.asset ?? null,
      filter.failedFrom ?? null,
      filter.failedBefore ?? null,
    ],
  );
  return rows.map((row) => ({
    tenantId,
    id: asText(row['payment_id']),
    asset: asText(row['asset']),
    amount: asBigInt(row['amount']),
    code: asText(row['code']),
    detail: asText(row['detail']),
    failedAt: asDate(row['failed_at']),
  }));
}
