// The due set of schedules: narrow rows that move from slot to slot and leave when a schedule stops.
import type { Row, Sql, Transaction } from '../db/index.ts';
import { asDate, asDateOrNull, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID, invariant } from '../kernel/index.ts';
import { noteDueSoon } from '../queue/index.ts';
import { formatLocal } from './rules/index.ts';
import type { Position } from './schedule.ts';
import type { ScheduleKey } from './store.ts';
import { asLocal } from './store.ts';

export interface ScheduleDue {
  readonly tenantId: Uuid;
  readonly scheduleId: Uuid;
  readonly clockId: Uuid | null;
  readonly dueAt: Date;
  /** The next slot after the position. */
  readonly nextAt: Date | null;
  readonly position: Position;
  readonly paymentId: Uuid | null;
  /** Where its row lies, as long as its lock is held. */
  readonly place: string;
  /** Of a claim: a person has discarded the slots up to here. */
  readonly discardedThrough?: Date;
}

const COLUMNS = `d.tenant_id, d.schedule_id, d.clock_id, d.due_at, d.next_at, ${asLocal('d.passed_slot')} as passed_slot, d.passed, d.payment_id,
  d.ctid::text as place`;

function dueRow(row: Row): ScheduleDue {
  return {
    tenantId: asText(row['tenant_id']),
    scheduleId: asText(row['schedule_id']),
    clockId: asTextOrNull(row['clock_id']),
    dueAt: asDate(row['due_at']),
    nextAt: asDateOrNull(row['next_at']),
    position: { local: asNumber(row['passed_slot']), ordinal: asNumber(row['passed']) },
    paymentId: asTextOrNull(row['payment_id']),
    place: asText(row['place']),
  };
}

const tenants = (rows: readonly { tenantId: Uuid }[]): Uuid[] => rows.map((row) => row.tenantId);
const schedules = (rows: readonly { scheduleId: Uuid }[]): Uuid[] => rows.map((row) => row.scheduleId);

/** A place in the order of one tenant's due schedules. */
export interface DueMark {
  readonly dueAt: Date;
  readonly scheduleId: Uuid;
}

/**
 * Takes live due rows, oldest first within each tenant, leaving out those that somebody else has. Rides
 * schedule_due_live; the mark keeps the scan from walking over rows that moved on but are still visible to some old snapshot.
 */
export async function claimSchedules(
  sql: Sql,
  ranges: readonly { tenantId: Uuid; mark: DueMark | null; limit: number }[],
  now: Date,
): Promise<ScheduleDue[]> {
  const rows = await sql.query(
    `select d.* from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::int[]) r (tenant_id, mark_at, mark_id, most)
     cross join lateral (
       select ${COLUMNS} from usance.schedule_due d
       where d.clock_id is null and d.tenant_id = r.tenant_id
         and (d.due_at, d.schedule_id) > (r.mark_at, r.mark_id) and d.due_at <= $5::timestamptz
       order by d.due_at, d.schedule_id
       limit r.most
       for update skip locked
     ) d`,
    [
      tenants(ranges),
      ranges.map((range) => range.mark?.dueAt ?? '-infinity'),
      ranges.map((range) => range.mark?.scheduleId ?? NIL_UUID),
      ranges.map((range) => range.limit),
      now,
    ],
  );
  return rows.map(dueRow);
}

/** The due rows of a test clock up to its instant, in order. Only its advancer calls this. */
export async function claimSchedulesOfClock(
  sql: Sql,
  clockId: Uuid,
  upTo: Date,
  limit: number,
): Promise<ScheduleDue[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.schedule_due d where d.clock_id = $1::uuid and d.due_at <= $2::timestamptz
     order by d.due_at, d.schedule_id limit $3::int for update`,
    [clockId, upTo, limit],
  );
  return rows.map(dueRow);
}

/** When the next schedule of a test clock is due. */
export async function nextScheduleOfClock(sql: Sql, clockId: Uuid): Promise<Date | null> {
  const [row] = await sql.query(
    `select min(d.due_at) as due_at from usance.schedule_due d where d.clock_id = $1::uuid`,
    [clockId],
  );
  return asDateOrNull(row?.['due_at']);
}

/** For each tenant that has any its first live due row beyond the mark. One index probe a tenant. */
export async function firstDueSchedules(
  sql: Sql,
  ranges: readonly { tenantId: Uuid; mark: DueMark | null }[],
): Promise<Map<Uuid, Date>> {
  const rows = await sql.query(
    `select r.tenant_id, d.due_at from unnest($1::uuid[], $2::timestamptz[], $3::uuid[]) r (tenant_id, mark_at, mark_id)
     cross join lateral (
       select d.due_at from usance.schedule_due d
       where d.clock_id is null and d.tenant_id = r.tenant_id and (d.due_at, d.schedule_id) > (r.mark_at, r.mark_id)
       order by d.due_at, d.schedule_id limit 1
     ) d`,
    [
      tenants(ranges),
      ranges.map((range) => range.mark?.dueAt ?? '-infinity'),
      ranges.map((range) => range.mark?.scheduleId ?? NIL_UUID),
    ],
  );
  return new Map(rows.map((row) => [asText(row['tenant_id']), asDate(row['due_at'])]));
}

/** By schedule, waiting for whoever has it, or where `skipLocked` not. Null: it is not active, or somebody has it. */
export async function lockScheduleDue(
  sql: Sql,
  key: ScheduleKey,
  options: { skipLocked?: boolean } = {},
): Promise<ScheduleDue | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.schedule_due d where d.tenant_id = $1::uuid and d.schedule_id = $2::uuid
     for update ${options.skipLocked ? 'skip locked' : ''}`,
    [key.tenantId, key.id],
  );
  return row ? dueRow(row) : null;
}

/** Locks rows again after a batch was undone: those that still exist and that no other transaction holds. */
export async function lockScheduleDuesIfFree(sql: Sql, keys: readonly ScheduleKey[]): Promise<ScheduleDue[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) k (tenant_id, schedule_id)
     join usance.schedule_due d using (tenant_id, schedule_id)
     order by d.tenant_id, d.schedule_id for update of d skip locked`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return rows.map(dueRow);
}

/** Looks at a due schedule later, without reading anything else of its row: that may be what is wrong with it. */
export async function postponeScheduleDue(sql: Sql, key: ScheduleKey, now: Date, dueAt: Date): Promise<void> {
  await sql.query(
    `update usance.schedule_due d set due_at = $4::timestamptz
     from (select tenant_id, schedule_id from usance.schedule_due
           where tenant_id = $1::uuid and schedule_id = $2::uuid and due_at <= $3::timestamptz for update skip locked) k
     where d.tenant_id = k.tenant_id and d.schedule_id = k.schedule_id`,
    [key.tenantId, key.id, now, dueAt],
  );
}

/** Locks the due rows of active schedules, waiting for other transactions. Returns the ids of their schedules. */
export async function lockScheduleDues(sql: Sql, keys: readonly ScheduleKey[]): Promise<Set<Uuid>> {
  const rows = await sql.query(
    `select d.schedule_id from unnest($1::uuid[], $2::uuid[]) k (tenant_id, schedule_id)
     join usance.schedule_due d using (tenant_id, schedule_id)
     order by d.tenant_id, d.schedule_id for update of d`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return new Set(rows.map((row) => asText(row['schedule_id'])));
}

export async function readScheduleDue(sql: Sql, keys: readonly ScheduleKey[]): Promise<ScheduleDue[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) k (tenant_id, schedule_id)
     join usance.schedule_due d using (tenant_id, schedule_id)`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return rows.map(dueRow);
}

/** A tenant's schedules that run before an instant, soonest first. Rides schedule_due_live, or schedule_due_test. */
export async function listSoonest(
  sql: Sql,
  tenantId: Uuid,
  until: { readonly clockId: Uuid | null; readonly now: Date },
  filter: { readonly accountId: Uuid | null; readonly limit: number },
): Promise<ScheduleDue[]> {
  const own = until.clockId === null ? 'd.clock_id is null and $3::uuid is null' : 'd.clock_id = $3::uuid';
  const rows = await sql.query(
    `select ${COLUMNS} from usance.schedule_due d
     where ${own} and d.tenant_id = $1::uuid and d.due_at < $2::timestamptz
       and ($4::uuid is null or exists (
         select from usance.schedules s
         where s.tenant_id = d.tenant_id and s.id = d.schedule_id and $4::uuid in (s.payer_id, s.payee_id)))
     order by d.due_at, d.schedule_id limit $5::int`,
    [tenantId, until.now, until.clockId, filter.accountId, filter.limit],
  );
  return rows.map(dueRow);
}

export async function insertScheduleDue(tx: Transaction, row: Omit<ScheduleDue, 'place'>): Promise<void> {
  noteDueSoon(tx, 'schedules_due', [row]);
  await tx.query(
    `insert into usance.schedule_due (tenant_id, schedule_id, clock_id, due_at, passed_slot, passed, payment_id, next_at)
     values ($1::uuid, $2::uuid, $3::uuid, $4::timestamptz, $5::timestamp, $6::int, $7::uuid, $8::timestamptz)`,
    [
      row.tenantId,
      row.scheduleId,
      row.clockId,
      row.dueAt,
      formatLocal(row.position.local),
      row.position.ordinal,
      row.paymentId,
      row.nextAt,
    ],
  );
}

/** Goes to the rows themselves, which do not move while we hold their locks. */
export async function moveScheduleDue(tx: Transaction, rows: readonly ScheduleDue[]): Promise<void> {
  noteDueSoon(tx, 'schedules_due', rows);
  const row = only(
    await tx.query(
      `with moved as (
         update usance.schedule_due d
         set due_at = k.due_at, next_at = k.next_at, passed_slot = k.passed_slot, passed = k.passed, payment_id = k.payment_id
         from unnest($1::tid[], $2::uuid[], $3::timestamptz[], $4::timestamp[], $5::int[], $6::uuid[], $7::timestamptz[])
           k (place, schedule_id, due_at, passed_slot, passed, payment_id, next_at)
         where d.ctid = k.place and d.schedule_id = k.schedule_id
         returning 1
       ) select count(*)::int as moved from moved`,
      [
        rows.map((each) => each.place),
        schedules(rows),
        rows.map((each) => each.dueAt),
        rows.map((each) => formatLocal(each.position.local)),
        rows.map((each) => each.position.ordinal),
        rows.map((each) => each.paymentId),
        rows.map((each) => each.nextAt),
      ],
    ),
  );
  invariant(asNumber(row['moved']) === rows.length, 'every locked due row to be at its ctid');
}

export async function deleteScheduleDue(
  sql: Sql,
  rows: readonly { tenantId: Uuid; scheduleId: Uuid }[],
): Promise<void> {
  await sql.query(
    `delete from usance.schedule_due d using unnest($1::uuid[], $2::uuid[]) k (tenant_id, schedule_id)
     where d.tenant_id = k.tenant_id and d.schedule_id = k.schedule_id`,
    [tenants(rows), schedules(rows)],
  );
}
