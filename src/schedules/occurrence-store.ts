// What became of slots, and those that could not become a payment.
import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asNumber, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Local } from './rules/index.ts';
import { formatLocal } from './rules/index.ts';
import type { Occurrence, OccurrenceStatus } from './schedule.ts';
import type { ScheduleKey } from './store.ts';
import { asLocal } from './store.ts';

const COLUMNS = `o.tenant_id, o.id, o.schedule_id, ${asLocal('o.slot')} as slot, o.slots, ${asLocal('o.through')} as through, o.ordinal,
  o.kind, o.status, o.reason, o.detail, o.amount, o.run_at, o.payment_id, o.created_at, o.updated_at`;

function occurrence(row: Row): Occurrence {
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    scheduleId: asText(row['schedule_id']),
    slot: asNumber(row['slot']),
    slots: asNumber(row['slots']),
    through: row['through'] === null ? null : asNumber(row['through']),
    ordinal: row['ordinal'] === null ? null : asNumber(row['ordinal']),
    kind: asText(row['kind']) as Occurrence['kind'],
    status: asText(row['status']) as OccurrenceStatus,
    reason: asTextOrNull(row['reason']),
    detail: asTextOrNull(row['detail']),
    amount: row['amount'] === null ? null : asBigInt(row['amount']),
    runAt: asDate(row['run_at']),
    paymentId: asTextOrNull(row['payment_id']),
    createdAt: asDate(row['created_at']),
    updatedAt: asDate(row['updated_at']),
  };
}

const localOrNull = (local: Local | null): string | null => (local === null ? null : formatLocal(local));

/** Raises where a slot is there already: then somebody was wrong about where the schedule stands. */
export async function insertOccurrences(sql: Sql, items: readonly Occurrence[]): Promise<void> {
  await sql.query(
    `insert into usance.occurrences (tenant_id, id, schedule_id, slot, slots, through, ordinal, kind, status, reason, detail, amount,
       run_at, payment_id, created_at, updated_at)
     select *, created_at from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamp[], $5::int[], $6::timestamp[], $7::int[],
       $8::text[], $9::text[], $10::text[], $11::text[], $12::bigint[], $13::timestamptz[], $14::uuid[], $15::timestamptz[])
       v (tenant_id, id, schedule_id, slot, slots, through, ordinal, kind, status, reason, detail, amount, run_at, payment_id, created_at)`,
    [
      items.map((item) => item.tenantId),
      items.map((item) => item.id),
      items.map((item) => item.scheduleId),
      items.map((item) => formatLocal(item.slot)),
      items.map((item) => item.slots),
      items.map((item) => localOrNull(item.through)),
      items.map((item) => item.ordinal),
      items.map((item) => item.kind),
      items.map((item) => item.status),
      items.map((item) => item.reason),
      items.map((item) => item.detail),
      items.map((item) => item.amount),
      items.map((item) => item.runAt),
      items.map((item) => item.paymentId),
      items.map((item) => item.createdAt),
    ],
  );
}

/** What was skipped or failed is made after all; a run of slots gives its first away, or is cut short. */
export async function updateOccurrence(sql: Sql, item: Occurrence): Promise<void> {
  await sql.query(
    `update usance.occurrences
     set slot = $3::timestamp, slots = $4::int, through = $5::timestamp, ordinal = $6::int, kind = $7::text, status = $8::text,
         reason = $9::text, detail = $10::text, amount = $11::bigint, run_at = $12::timestamptz, payment_id = $13::uuid,
         updated_at = $14::timestamptz
     where tenant_id = $1::uuid and id = $2::uuid`,
    [
      item.tenantId,
      item.id,
      formatLocal(item.slot),
      item.slots,
      localOrNull(item.through),
      item.ordinal,
      item.kind,
      item.status,
      item.reason,
      item.detail,
      item.amount,
      item.runAt,
      item.paymentId,
      item.updatedAt,
    ],
  );
}

/** Newest slot first; `before` is the slot to go on from. */
export async function listOccurrences(
  sql: Sql,
  key: ScheduleKey,
  page: { limit: number; before?: Local | null; status?: OccurrenceStatus | null },
): Promise<Occurrence[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.occurrences o
     where o.schedule_id = $2::uuid and o.tenant_id = $1::uuid and ($3::timestamp is null or o.slot < $3::timestamp)
       and ($4::text is null or o.status = $4::text)
     order by o.slot desc limit $5::int`,
    [key.tenantId, key.id, localOrNull(page.before ?? null), page.status ?? null, page.limit],
  );
  return rows.map(occurrence);
}

/** Those that touch a range of slots, oldest first. */
export async function occurrencesBetween(sql: Sql, key: ScheduleKey, from: Local, to: Local): Promise<Occurrence[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.occurrences o
     where o.schedule_id = $2::uuid and o.tenant_id = $1::uuid and o.slot <= $4::timestamp
       and coalesce(o.through, o.slot) >= $3::timestamp
     order by o.slot`,
    [key.tenantId, key.id, formatLocal(from), formatLocal(to)],
  );
  return rows.map(occurrence);
}

export async function lockOccurrence(sql: Sql, tenantId: Uuid, id: Uuid): Promise<Occurrence | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.occurrences o where o.tenant_id = $1::uuid and o.id = $2::uuid for no key update`,
    [tenantId, id],
  );
  return row ? occurrence(row) : null;
}

export interface OccurrenceLetter {
  readonly tenantId: Uuid;
  readonly occurrenceId: Uuid;
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
      letters.map((letter) => letter.tenantId),
      letters.map((letter) => letter.occurrenceId),
      letters.map((letter) => letter.scheduleId),
      letters.map((letter) => letter.asset),
      letters.map((letter) => letter.amount),
      letters.map((letter) => letter.code),
      letters.map((letter) => letter.detail),
      letters.map((letter) => letter.failedAt),
    ],
  );
}

/** False where there is none. */
export async function deleteOccurrenceLetter(sql: Sql, tenantId: Uuid, occurrenceId: Uuid): Promise<boolean> {
  const rows = await sql.query(
    `delete from usance.occurrence_dead_letters where tenant_id = $1::uuid and occurrence_id = $2::uuid returning 1 as gone`,
    [tenantId, occurrenceId],
  );
  return rows.length === 1;
}

export async function listOccurrenceLetters(sql: Sql, tenantId: Uuid, limit: number): Promise<OccurrenceLetter[]> {
  const rows = await sql.query(
    `select occurrence_id, schedule_id, asset, amount, code, detail, failed_at from usance.occurrence_dead_letters
     where tenant_id = $1::uuid order by occurrence_id desc limit $2::int`,
    [tenantId, limit],
  );
  return rows.map((row) => ({
    tenantId,
    occurrenceId: asText(row['occurrence_id']),
    scheduleId: asText(row['schedule_id']),
    asset: asText(row['asset']),
    amount: asBigInt(row['amount']),
    code: asText(row['code']),
    detail: asText(row['detail']),
    failedAt: asDate(row['failed_at']),
  }));
}
