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
export async function updateOccurrences(sql: Sql, items: readonly Occurrence[]): Promise<void> {
  await sql.query(
    `update usance.occurrences o
     set slot = v.slot, slots = v.slots, through = v.through, ordinal = v.ordinal, kind = v.kind, status = v.status,
         reason = v.reason, detail = v.detail, amount = v.amount, run_at = v.run_at, payment_id = v.payment_id,
         updated_at = v.updated_at
     from unnest($1::uuid[], $2::uuid[], $3::timestamp[], $4::int[], $5::timestamp[], $6::int[], $7::text[], $8::text[],
                 $9::text[], $10::text[], $11::bigint[], $12::timestamptz[], $13::uuid[], $14::timestamptz[])
       v (tenant_id, id, slot, slots, through, ordinal, kind, status, reason, detail, amount, run_at, payment_id, updated_at)
     where o.tenant_id = v.tenant_id and o.id = v.id`,
    [
      items.map((item) => item.tenantId),
      items.map((item) => item.id),
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
      items.map((item) => item.updatedAt),
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

export interface OccurrenceKey {
  readonly tenantId: Uuid;
  readonly id: Uuid;
}

/** In no order. */
export async function readOccurrences(sql: Sql, keys: readonly OccurrenceKey[]): Promise<Occurrence[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) k (tenant_id, id) join usance.occurrences o using (tenant_id, id)`,
    columnsOf(keys),
  );
  return rows.map(occurrence);
}

const columnsOf = (keys: readonly OccurrenceKey[]): [Uuid[], Uuid[]] => [
  keys.map((key) => key.tenantId),
  keys.map((key) => key.id),
];
