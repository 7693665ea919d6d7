// Schedules. The due set is in due-store.ts, occurrences in occurrence-store.ts.
import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asNumber, asRecord, asText, asTextOrNull, only } from '../db/index.ts';
import type { RetryPolicy, Uuid } from '../kernel/index.ts';
import type { Funding, Leg, OwnerKind, PayoutTerms } from '../payments/index.ts';
import { BrokenInvariant } from '../kernel/index.ts';
import { formatLocal } from './rules/index.ts';
import type { AfterFailure, Missed, Overlap, PausedBy, Position, Schedule, ScheduleStatus, Step } from './schedule.ts';
import { readTiming } from './timetables.ts';
import type { Timetable } from './rules/index.ts';
import { readOpenCredit } from './subscriptions/credit-store.ts';
import type { Approval } from './subscriptions/subscription.ts';

export interface ScheduleKey {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** Asked for as a subscription: then it may be one. Otherwise what a subscription does is not changed through its schedule. */
  readonly subscription?: true;
}

/** Where a schedule stands that is not in the due set. */
export interface Stand {
  readonly position: Position;
  readonly paymentId: Uuid | null;
}

export interface StoredSchedule {
  readonly schedule: Schedule;
  readonly timetable: Timetable;
  /** Null while it is active: then its due row knows. */
  readonly stand: Stand | null;
  /** Of a subscription. */
  readonly approval: Approval | null;
}

/** A nominal local time, as the number it is inside. */
export const asLocal = (column: string): string => `(date_part('epoch', ${column}) * 1000)::bigint::text`;

export const COLUMNS = `s.tenant_id, s.id, s.kind, s.status, s.status_reason, s.paused_by, s.cancel_at, s.payer_id, s.payee_id, s.legs::text as legs, s.asset, s.amount,
  s.steps::text as steps, s.funding, s.priority, s.retry::text as retry, s.reference, s.metadata::text as metadata,
  s.timing::text as timing, s.missed, s.missed_cap, s.missed_window_ms::text as missed_window_ms, s.guard_count, s.guard_amount::text as guard_amount, s.overlap, s.after_failure,
  ${asLocal('s.passed_slot')} as passed_slot, s.passed, s.payment_id, s.clock_id, s.created_by, s.counts_for::text as counts_for, s.changed_by::text as changed_by, s.created_at, s.updated_at,
  s.ended_at, s.rail, s.payout::text as payout, case when s.kind = 'subscription' then (
    select array[(select max(v.price) from usance.subscription_terms v where v.tenant_id = s.tenant_id and v.schedule_id = s.id)::text,
      t.approved::text, m.sum::text, case when t.version > 1 then '1' end, t.charges::text, m.count::text]
    from (select v.version, v.approved, v.charges from usance.subscription_terms v
          where v.tenant_id = s.tenant_id and v.schedule_id = s.id order by v.version desc limit 1) t
    cross join lateral (
      select sum(o.amount), count(*) from usance.occurrences o
      where t.approved is not null and o.tenant_id = s.tenant_id and o.schedule_id = s.id and o.status = 'made') m) end as approval`;

/**
 * The schedules of rows. Open credit is a statement of its own: only a change of plan grants it, and planning it takes ten times as long as
 * everything else about a schedule.
 */
export async function storedAll(sql: Sql, rows: readonly Row[]): Promise<StoredSchedule[]> {
  const changed = rows.filter((row) => Array.isArray(row['approval']) && row['approval'][CHANGED] !== null);
  const keys = changed.map((row) => ({ tenantId: asText(row['tenant_id']), id: asText(row['id']) }));
  const credit = await readOpenCredit(sql, keys);
  return rows.map((row) => stored(row, credit));
}

/** A row that cannot be read says which one it is: it was read among a thousand others. */
function stored(row: Row, credit: ReadonlyMap<Uuid, bigint>): StoredSchedule {
  try {
    return read(row, credit.get(asText(row['id'])) ?? 0n);
  } catch (error) {
    throw new BrokenInvariant(`the schedule ${asText(row['id'])} cannot be read`, { cause: error });
  }
}

function read(row: Row, credit: bigint): StoredSchedule {
  const amount = asBigInt(row['amount']);
  const { timing, timetable } = readTiming(asText(row['timing']));
  const schedule: Schedule = {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    kind: asText(row['kind']) as OwnerKind,
    status: asText(row['status']) as ScheduleStatus,
    statusReason: asTextOrNull(row['status_reason']),
    pausedBy: asTextOrNull(row['paused_by']) as PausedBy | null,
    cancelAt: asDateOrNull(row['cancel_at']),
    payerId: asText(row['payer_id']),
    legs: row['legs'] === null ? [{ accountId: asText(row['payee_id']), amount }] : legsOf(asText(row['legs'])),
    rail: asText(row['rail']),
    payout: row['payout'] === null ? null : (JSON.parse(asText(row['payout'])) as PayoutTerms),
    asset: asText(row['asset']),
    amount,
    steps: stepsOf(asTextOrNull(row['steps'])),
    funding: asText(row['funding']) as Funding,
    priority: asNumber(row['priority']),
    retry: row['retry'] === null ? null : (JSON.parse(asText(row['retry'])) as RetryPolicy),
    reference: asTextOrNull(row['reference']),
    metadata: row['metadata'] === null ? null : asRecord(row['metadata']),
    timing,
    missed: asText(row['missed']) as Missed,
    missedCap: row['missed_cap'] === null ? null : asNumber(row['missed_cap']),
    missedWindowMs: row['missed_window_ms'] === null ? null : asNumber(row['missed_window_ms']),
    guardCount: row['guard_count'] === null ? null : asNumber(row['guard_count']),
    guardAmount: row['guard_amount'] === null ? null : asBigInt(row['guard_amount']),
    overlap: asText(row['overlap']) as Overlap,
    afterFailure: asText(row['after_failure']) as AfterFailure,
    clockId: asTextOrNull(row['clock_id']),
    createdBy: asText(row['created_by']),
    countsFor: JSON.parse(asText(row['counts_for'])) as string[],
    changedBy: actorsOf(row['changed_by']),
    createdAt: asDate(row['created_at']),
    updatedAt: asDate(row['updated_at']),
    endedAt: asDateOrNull(row['ended_at']),
  };
  const stand =
    row['passed_slot'] === null
      ? null
      : {
          position: { local: asNumber(row['passed_slot']), ordinal: asNumber(row['passed']) },
          paymentId: asTextOrNull(row['payment_id']),
        };
  return { schedule, timetable, stand, approval: approvalOf(row['approval'], credit) };
}

/** The place of the mark that a plan was changed. */
const CHANGED = 3;

function approvalOf(value: unknown, credit: bigint): Approval | null {
  if (!Array.isArray(value)) return null;
  const [price, approved, made, , charges, count] = value.map((each) => (each === null ? null : asBigInt(each)));
  return {
    price: price ?? 0n,
    approved: approved ?? null,
    made: made ?? 0n,
    charges: charges ?? null,
    count: count ?? 0n,
    credit,
  };
}

function legsOf(text: string): Leg[] {
  const parsed = JSON.parse(text) as { account: Uuid; amount: string }[];
  return parsed.map((leg) => ({ accountId: leg.account, amount: BigInt(leg.amount) }));
}

export function stepsOf(text: string | null): Step[] {
  if (text === null) return [];
  const parsed = JSON.parse(text) as { from: number; amount: string }[];
  return parsed.map((step) => ({ from: step.from, amount: BigInt(step.amount) }));
}

/** Null if there are none. */
export const actorsText = (actors: readonly string[]): string | null =>
  actors.length === 0 ? null : JSON.stringify(actors);

export const actorsOf = (value: unknown): string[] => (value === null ? [] : (JSON.parse(asText(value)) as string[]));

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

const legsText = (schedule: Schedule): string | null =>
  schedule.legs.length === 1
    ? null
    : JSON.stringify(schedule.legs.map((leg) => ({ account: leg.accountId, amount: leg.amount.toString() })));

const stepsText = (schedule: Schedule): string | null =>
  schedule.steps.length === 0
    ? null
    : JSON.stringify(schedule.steps.map((step) => ({ from: step.from, amount: step.amount.toString() })));

/** False where its reference is taken. */
export async function insertSchedule(sql: Sql, schedule: Schedule): Promise<boolean> {
  const rows = await sql.query(
    `insert into usance.schedules
       (tenant_id, id, status, payer_id, payee_id, legs, asset, amount, steps, funding, priority, retry, reference, metadata, timing,
        missed, missed_cap, missed_window_ms, overlap, after_failure, clock_id, created_by, created_at, updated_at, guard_count,
        guard_amount, kind, counts_for, changed_by, rail, payout)
     values ($1::uuid, $2::uuid, 'active', $3::uuid, $4::uuid, $5::jsonb, $6::text, $7::bigint, $8::jsonb, $9::text, $10::smallint,
             $11::jsonb, $12::text, $13::jsonb, $14::jsonb, $15::text, $16::int, $17::bigint, $18::text, $19::text, $20::uuid,
             $21::text, $22::timestamptz, $22::timestamptz, $23::int, $24::bigint, $25::text, $26::jsonb, $27::jsonb, $28::text, $29::jsonb)
     on conflict (tenant_id, reference) where reference is not null do nothing
     returning id`,
    [
      schedule.tenantId,
      schedule.id,
      schedule.payerId,
      schedule.legs[0]?.accountId ?? null,
      legsText(schedule),
      schedule.asset,
      schedule.amount,
      stepsText(schedule),
      schedule.funding,
      schedule.priority,
      jsonOrNull(schedule.retry),
      schedule.reference,
      jsonOrNull(schedule.metadata),
      JSON.stringify(schedule.timing),
      schedule.missed,
      schedule.missedCap,
      schedule.missedWindowMs,
      schedule.overlap,
      schedule.afterFailure,
      schedule.clockId,
      schedule.createdBy,
      schedule.createdAt,
      schedule.guardCount,
      schedule.guardAmount,
      schedule.kind,
      JSON.stringify(schedule.countsFor),
      actorsText(schedule.changedBy),
      schedule.rail,
      jsonOrNull(schedule.payout),
    ],
  );
  return rows.length === 1;
}

/** An active schedule of the tenant that pays from `world` or `fees`, or to `world`; null where there is none. */
export async function externalSchedule(
  sql: Sql,
  tenantId: Uuid,
  [world, fees]: readonly [Uuid, Uuid],
): Promise<Schedule | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.schedules s
     where s.tenant_id = $1::uuid and s.status = 'active'
       and (s.payer_id in ($2::uuid, $3::uuid) or s.payee_id = $2::uuid
            or s.legs @> jsonb_build_array(jsonb_build_object('account', $2::text)))
     limit 1`,
    [tenantId, world, fees],
  );
  const [found] = row ? await storedAll(sql, [row]) : [];
  return found?.schedule ?? null;
}

/** By actor (`schedule:0199…`), for those that are schedules: who created each, or changed its terms. */
export async function makersOfSchedules(
  sql: Sql,
  tenantId: Uuid,
  actors: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const ids = actors.flatMap((actor) => /^schedule:([0-9a-f-]{36})$/.exec(actor)?.[1] ?? []);
  if (ids.length === 0) return new Map();
  const rows = await sql.query(
    `select s.id, s.created_by, s.changed_by::text as changed_by from usance.schedules s
     where s.tenant_id = $1::uuid and s.id = any ($2::uuid[])`,
    [tenantId, ids],
  );
  return new Map(
    rows.map((row) => {
      return [`schedule:${asText(row['id'])}`, [asText(row['created_by']), ...actorsOf(row['changed_by'])]] as const;
    }),
  );
}

/** Unlocked where the due row is held, which is the mutex of an active schedule; locked, after it, for everything else. */
export async function readSchedules(
  sql: Sql,
  keys: readonly ScheduleKey[],
  options: { lock?: boolean } = {},
): Promise<StoredSchedule[]> {
  const [first] = keys;
  if (first && !options.lock && keys.every(({ tenantId }) => tenantId === first.tenantId))
    return readOfTenant(
      sql,
      first.tenantId,
      keys.map((key) => key.id),
    );
  const rows = await sql.query(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) k (tenant_id, id) join usance.schedules s using (tenant_id, id)
     ${options.lock ? 'order by s.tenant_id, s.id for no key update of s' : ''}`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return storedAll(sql, rows);
}

/** In the order of the ids, which are one array: from PostgreSQL 17 on the server then reads each page of the index once. */
async function readOfTenant(sql: Sql, tenantId: Uuid, ids: readonly Uuid[]): Promise<StoredSchedule[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.schedules s where s.tenant_id = $1::uuid and s.id = any ($2::uuid[])`,
    [tenantId, ids],
  );
  const found = new Map((await storedAll(sql, rows)).map((each) => [each.schedule.id, each]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Locks schedules, after their due rows. Returns the ids of those that are active. */
export async function lockSchedules(sql: Sql, keys: readonly ScheduleKey[]): Promise<Uuid[]> {
  const rows = await sql.query(
    `select s.id, s.status from unnest($1::uuid[], $2::uuid[]) k (tenant_id, id) join usance.schedules s using (tenant_id, id)
     order by s.tenant_id, s.id for no key update of s`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return rows.flatMap((row) => (row['status'] === 'active' ? [asText(row['id'])] : []));
}

/** Writes what an edit may change. */
export async function updateTerms(sql: Sql, schedule: Schedule): Promise<void> {
  only(
    await sql.query(
      `update usance.schedules
       set amount = $3::bigint, steps = $4::jsonb, legs = $5::jsonb, funding = $6::text, priority = $7::smallint, retry = $8::jsonb,
           metadata = $9::jsonb, timing = $10::jsonb, missed = $11::text, missed_cap = $12::int, missed_window_ms = $13::bigint,
           overlap = $14::text, after_failure = $15::text, updated_at = $16::timestamptz, guard_count = $17::int, guard_amount = $18::bigint,
           changed_by = $19::jsonb, counts_for = $20::jsonb
       where tenant_id = $1::uuid and id = $2::uuid
       returning id`,
      [
        schedule.tenantId,
        schedule.id,
        schedule.amount,
        stepsText(schedule),
        legsText(schedule),
        schedule.funding,
        schedule.priority,
        jsonOrNull(schedule.retry),
        jsonOrNull(schedule.metadata),
        JSON.stringify(schedule.timing),
        schedule.missed,
        schedule.missedCap,
        schedule.missedWindowMs,
        schedule.overlap,
        schedule.afterFailure,
        schedule.updatedAt,
        schedule.guardCount,
        schedule.guardAmount,
        actorsText(schedule.changedBy),
        JSON.stringify(schedule.countsFor),
      ],
    ),
  );
}

/** A change of state. `stand` where it leaves the due set; null where it comes back. */
export interface StatusChange extends ScheduleKey {
  readonly status: ScheduleStatus;
  readonly reason: string | null;
  /** Where it becomes paused. */
  readonly pausedBy?: PausedBy | null;
  readonly stand: Stand | null;
  readonly at: Date;
}

/** When to cancel it instead of making its next payment; null: not at all. */
export async function updateCancelAt(sql: Sql, key: ScheduleKey, cancelAt: Date | null, at: Date): Promise<void> {
  only(
    await sql.query(
      `update usance.schedules set cancel_at = $3::timestamptz, updated_at = $4::timestamptz
       where tenant_id = $1::uuid and id = $2::uuid returning id`,
      [key.tenantId, key.id, cancelAt, at],
    ),
  );
}

/** Why its payer, or the tenant, paused or ended schedules that an erased account pays. Returns how many had a reason. */
export async function forgetReasons(sql: Sql, payer: { readonly tenantId: Uuid; readonly id: Uuid }): Promise<number> {
  const rows = await sql.query(
    `update usance.schedules set status_reason = null
     where tenant_id = $1::uuid and payer_id = $2::uuid and status_reason is not null returning id`,
    [payer.tenantId, payer.id],
  );
  return rows.length;
}

export async function updateStatuses(sql: Sql, changes: readonly StatusChange[]): Promise<void> {
  await sql.query(
    `update usance.schedules s
     set status = v.status, status_reason = v.reason, paused_by = v.paused_by, passed_slot = v.passed_slot, passed = v.passed, payment_id = v.payment_id,
         updated_at = v.at, ended_at = case when v.status in ('completed', 'cancelled', 'expired') then v.at end
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamp[], $6::int[], $7::uuid[], $8::timestamptz[],
                 $9::text[])
       v (tenant_id, id, status, reason, passed_slot, passed, payment_id, at, paused_by)
     where s.tenant_id = v.tenant_id and s.id = v.id`,
    [
      changes.map((change) => change.tenantId),
      changes.map((change) => change.id),
      changes.map((change) => change.status),
      changes.map((change) => change.reason),
      changes.map((change) => (change.stand ? formatLocal(change.stand.position.local) : null)),
      changes.map((change) => change.stand?.position.ordinal ?? null),
      changes.map((change) => change.stand?.paymentId ?? null),
      changes.map((change) => change.at),
      changes.map((change) => change.pausedBy ?? null),
    ],
  );
}
