// Slots that could not become a payment and that nobody has dealt with: a narrow table that rows leave.
import type { LetterGroup, Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asNumber, asText, only, groupLetters } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { AtStake, LetterFilter } from '../payments/index.ts';
import type { OccurrenceKey } from './occurrence-store.ts';
import type { Local } from './rules/index.ts';
import { asLocal } from './store.ts';

/** Its id is that of the occurrence. */
export interface OccurrenceLetter extends OccurrenceKey {
  readonly scheduleId: Uuid;
  readonly asset: string;
  readonly amount: bigint;
  readonly code: string;
  readonly detail: string;
  readonly failedAt: Date;
}

export async function insertOccurrenceLetters(sql: Sql, letters: readonly OccurrenceLetter[]): Promise<void> {
  await sql.query(
    `insert into usance.occurrence_dead_letters (tenant_id, occurrence_id, schedule_id, asset, amount, code, detail, failed_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::timestamptz[])`,
    [
      ...columnsOf(letters),
      letters.map((letter) => letter.scheduleId),
      letters.map((letter) => letter.asset),
      letters.map((letter) => letter.amount),
      letters.map((letter) => letter.code),
      letters.map((letter) => letter.detail),
      letters.map((letter) => letter.failedAt),
    ],
  );
}

/** Those that are still there, held until the transaction ends; after the locks of their schedules. */
export async function lockOccurrenceLetters(sql: Sql, keys: readonly OccurrenceKey[]): Promise<Set<Uuid>> {
  const rows = await sql.query(
    `select l.occurrence_id from unnest($1::uuid[], $2::uuid[]) k (tenant_id, occurrence_id)
     join usance.occurrence_dead_letters l using (tenant_id, occurrence_id)
     order by l.tenant_id, l.occurrence_id for update of l`,
    columnsOf(keys),
  );
  return new Set(rows.map((row) => asText(row['occurrence_id'])));
}

/** Those that are there; the others are no letters. */
export async function deleteOccurrenceLetters(sql: Sql, keys: readonly OccurrenceKey[]): Promise<void> {
  await sql.query(
    `delete from usance.occurrence_dead_letters l using unnest($1::uuid[], $2::uuid[]) k (tenant_id, occurrence_id)
     where l.tenant_id = k.tenant_id and l.occurrence_id = k.occurrence_id`,
    columnsOf(keys),
  );
}

/** As listed, with the slot it was about. */
export interface ListedLetter extends OccurrenceLetter {
  readonly slot: Local;
}

/** By id, newest first unless said otherwise; `mark` is the id to go on from. Rides the primary key. */
export async function listOccurrenceLetters(
  sql: Sql,
  tenantId: Uuid,
  filter: LetterFilter,
  page: { readonly limit: number; readonly mark?: Uuid | null; readonly oldestFirst?: boolean },
): Promise<ListedLetter[]> {
  const [beyond, direction] = page.oldestFirst ? ['>', 'asc'] : ['<', 'desc'];
  const rows = await sql.query(
    `select l.tenant_id, l.occurrence_id, l.schedule_id, l.asset, l.amount, l.code, l.detail, l.failed_at, ${asLocal('o.slot')} as slot
     from usance.occurrence_dead_letters l
     join usance.occurrences o on o.tenant_id = l.tenant_id and o.id = l.occurrence_id
     where l.tenant_id = $1::uuid and ($2::uuid is null or l.occurrence_id ${beyond} $2::uuid)
       and ($4::uuid is null or l.occurrence_id = $4::uuid)
       and ($5::text is null or l.code = $5::text) and ($6::text is null or l.asset = $6::text)
       and ($7::timestamptz is null or l.failed_at >= $7::timestamptz)
       and ($8::timestamptz is null or l.failed_at < $8::timestamptz)
     order by l.occurrence_id ${direction} limit $3::int`,
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
  return rows.map(listed);
}

function listed(row: Row): ListedLetter {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['occurrence_id']),
    scheduleId: asText(row['schedule_id']),
    asset: asText(row['asset']),
    amount: asBigInt(row['amount']),
    code: asText(row['code']),
    detail: asText(row['detail']),
    failedAt: asDate(row['failed_at']),
    slot: asNumber(row['slot']),
  };
}

/** Exact: it is money that somebody has to look at. */
export async function sumOccurrenceLetters(sql: Sql, tenantId: Uuid): Promise<AtStake[]> {
  const rows = await sql.query(
    `select asset, count(*)::int as count, sum(amount)::text as amount from usance.occurrence_dead_letters
     where tenant_id = $1::uuid group by asset order by asset`,
    [tenantId],
  );
  return rows.map((row) => ({
    asset: asText(row['asset']),
    count: asNumber(row['count']),
    amount: asBigInt(row['amount']),
  }));
}

/** By cause and asset. */
export const groupOccurrenceLetters = (sql: Sql, tenantId: Uuid): Promise<LetterGroup[]> =>
  groupLetters(sql, tenantId, {
    table: 'usance.occurrence_dead_letters',
    id: 'occurrence_id',
    asset: 'asset',
    amount: 'amount',
    job: 'null',
  });

const COUNTED_UP_TO = 100_000;

/** Of every tenant, for metrics. */
export async function countOccurrenceLetters(sql: Sql): Promise<number> {
  const rows = await sql.query(
    `select count(*)::int as letters from (select from usance.occurrence_dead_letters limit $1::int) l`,
    [COUNTED_UP_TO],
  );
  return asNumber(only(rows)['letters']);
}

const columnsOf = (keys: readonly OccurrenceKey[]): [Uuid[], Uuid[]] => [
  keys.map((key) => key.tenantId),
  keys.map((key) => key.id),
];
