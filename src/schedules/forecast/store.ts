// Which schedules move an account's money, which accounts have any that pay, and the shortfalls that were told.
import type { Sql } from '../../db/index.ts';
import { asBoolean, asDate, asText, asTextOrNull, only } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import type { PayerDue } from '../../payments/index.ts';

export interface ScheduleAhead {
  readonly accountId: Uuid;
  readonly scheduleId: Uuid;
  readonly dueAt: Date;
}

/** Active schedules of an account, by the side it has in them. */
const SIDES = [
  's.payer_id = a.account_id',
  's.payee_id = a.account_id',
  `s.legs is not null and s.legs @> jsonb_build_array(jsonb_build_object('account', a.account_id::text))`,
].map((where) => `from usance.schedules s where s.tenant_id = $1::uuid and s.status = 'active' and ${where}`);

/**
 * Active schedules by which some accounts pay or are paid, the newest `most` of each side, soonest first. Rides schedules_payer,
 * schedules_payee and schedules_legs.
 */
export async function schedulesAhead(
  sql: Sql,
  tenantId: Uuid,
  accountIds: readonly Uuid[],
  window: { until: Date; most: number },
): Promise<ScheduleAhead[]> {
  const rows = await sql.query(
    `select a.account_id, d.schedule_id, d.due_at from unnest($2::uuid[]) a (account_id)
     cross join lateral (
       ${SIDES.map((side) => `(select s.id ${side} order by s.id desc limit $4::int)`).join(' union ')}
     ) s
     join usance.schedule_due d on d.tenant_id = $1::uuid and d.schedule_id = s.id and d.due_at < $3::timestamptz
     order by d.due_at, d.schedule_id`,
    [tenantId, accountIds, window.until, window.most],
  );
  return rows.map((row) => ({
    accountId: asText(row['account_id']),
    scheduleId: asText(row['schedule_id']),
    dueAt: asDate(row['due_at']),
  }));
}

/** Whether an account has more than so many active schedules on a side: then the newest are not all. */
export async function hasMoreSchedules(sql: Sql, tenantId: Uuid, accountId: Uuid, than: number): Promise<boolean> {
  const beyond = SIDES.map((side) => `exists (select ${side} offset $3::int limit 1)`);
  const row = only(
    await sql.query(`select ${beyond.join(' or ')} as more from (values ($2::uuid)) a (account_id)`, [
      tenantId,
      accountId,
      than,
    ]),
  );
  return asBoolean(row['more']);
}

/** Due schedules, live or of a test clock, in key order, as `payersOfPayments` has payments. */
export async function payersOfSchedules(
  sql: Sql,
  clockId: Uuid | null,
  page: { after: { tenantId: Uuid; id: Uuid }; until: Date; limit: number },
): Promise<PayerDue[]> {
  const rows = await sql.query(
    `select d.tenant_id, d.schedule_id, case when d.due_at <= $4::timestamptz then s.payer_id end as payer_id
     from (select d.tenant_id, d.schedule_id, d.due_at from usance.schedule_due d
           where d.clock_id is not distinct from $1::uuid and (d.tenant_id, d.schedule_id) > ($2::uuid, $3::uuid)
           order by d.tenant_id, d.schedule_id limit $5::int) d
     join usance.schedules s on s.tenant_id = d.tenant_id and s.id = d.schedule_id
     order by d.tenant_id, d.schedule_id`,
    [clockId, page.after.tenantId, page.after.id, page.until, page.limit],
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    id: asText(row['schedule_id']),
    payerId: asTextOrNull(row['payer_id']),
  }));
}

/** A shortfall that is expected. */
export interface Expected {
  readonly accountId: Uuid;
  readonly asset: string;
  readonly at: Date;
  readonly missing: bigint;
}

/**
 * Notes what is expected of some accounts, and forgets what no longer is; returns those that were not known. An account's next
 * shortfall is one row: two who look at once meet on its key, and one of them finds it told.
 */
export async function noteShortfalls(
  sql: Sql,
  tenantId: Uuid,
  looked: readonly Uuid[],
  expected: readonly Expected[],
  now: Date,
): Promise<Set<string>> {
  const accounts = expected.map((each) => each.accountId);
  const assets = expected.map((each) => each.asset);
  await sql.query(
    `delete from usance.shortfalls s
     where s.tenant_id = $1::uuid and s.account_id = any ($2::uuid[]) and not exists (
       select from unnest($3::uuid[], $4::text[]) e (account_id, asset)
       where e.account_id = s.account_id and e.asset = s.asset)`,
    [tenantId, looked, accounts, assets],
  );
  if (expected.length === 0) return new Set();
  const rows = await sql.query(
    `insert into usance.shortfalls as s (tenant_id, account_id, asset, expected_at, missing, told_at)
     select $1::uuid, e.account_id, e.asset, e.at, e.missing, $6::timestamptz
     from unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::bigint[]) e (account_id, asset, at, missing)
     order by e.account_id, e.asset
     on conflict (tenant_id, account_id, asset) do update
     set expected_at = excluded.expected_at, missing = excluded.missing, told_at = excluded.told_at
     where s.expected_at <> excluded.expected_at
     returning account_id, asset`,
    [tenantId, accounts, assets, expected.map((each) => each.at), expected.map((each) => each.missing), now],
  );
  return new Set(rows.map((row) => asText(row['account_id']) + asText(row['asset'])));
}
