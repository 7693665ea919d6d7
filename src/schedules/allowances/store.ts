// Which pair an allowance is for. A row is the first lock of every verb on an allowance, before its schedule's due row.
import type { Row, Sql } from '../../db/index.ts';
import { asDateOrNull, asText } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import type { Pair } from './allowance.ts';

export interface PairKey extends Pair {
  readonly tenantId: Uuid;
}

export interface AllowanceRow extends Pair {
  readonly scheduleId: Uuid;
  readonly lastRunAt: Date | null;
}

function allowanceRow(row: Row): AllowanceRow {
  return {
    scheduleId: asText(row['schedule_id']),
    guardianId: asText(row['guardian_id']),
    juniorId: asText(row['junior_id']),
    lastRunAt: asDateOrNull(row['last_run_at']),
  };
}

/** False where the pair has one. */
export async function insertAllowance(sql: Sql, pair: PairKey, scheduleId: Uuid, at: Date): Promise<boolean> {
  const rows = await sql.query(
    `insert into usance.allowances (tenant_id, schedule_id, guardian_id, junior_id, created_at)
     values ($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::timestamptz)
     on conflict (tenant_id, guardian_id, junior_id) where ended_at is null do nothing
     returning schedule_id`,
    [pair.tenantId, scheduleId, pair.guardianId, pair.juniorId, at],
  );
  return rows.length === 1;
}

/** The schedule of a pair's allowance, which nobody else changes meanwhile; it may have ended by itself. */
export async function lockAllowance(sql: Sql, pair: PairKey): Promise<Uuid | null> {
  const [row] = await sql.query(
    `select a.schedule_id from usance.allowances a
     where a.tenant_id = $1::uuid and a.guardian_id = $2::uuid and a.junior_id = $3::uuid and a.ended_at is null
     for no key update`,
    [pair.tenantId, pair.guardianId, pair.juniorId],
  );
  return row ? asText(row['schedule_id']) : null;
}

/** Whom a schedule is an allowance for; null where it is none. */
export async function findPair(sql: Sql, { tenantId, id }: { tenantId: Uuid; id: Uuid }): Promise<PairKey | null> {
  const [row] = await sql.query(
    'select guardian_id, junior_id from usance.allowances where tenant_id = $1::uuid and schedule_id = $2::uuid',
    [tenantId, id],
  );
  return row ? { tenantId, guardianId: asText(row['guardian_id']), juniorId: asText(row['junior_id']) } : null;
}

/** The newest schedule by which a guardian pays or paid a child; a deleted allowance is found where there is no other. */
export async function findNewest(sql: Sql, pair: PairKey): Promise<Uuid | null> {
  const [row] = await sql.query(
    `select a.schedule_id from usance.allowances a
     where a.tenant_id = $1::uuid and a.guardian_id = $2::uuid and a.junior_id = $3::uuid
     order by a.ended_at desc nulls first, a.schedule_id desc limit 1`,
    [pair.tenantId, pair.guardianId, pair.juniorId],
  );
  return row ? asText(row['schedule_id']) : null;
}

export async function endAllowance(sql: Sql, tenantId: Uuid, scheduleId: Uuid, at: Date): Promise<void> {
  await sql.query(
    `update usance.allowances set ended_at = $3::timestamptz where tenant_id = $1::uuid and schedule_id = $2::uuid`,
    [tenantId, scheduleId, at],
  );
}

/** Newest first: of a guardian, of a child, or of the two; those whose schedule somebody ended are none. */
export async function listAllowances(
  sql: Sql,
  tenantId: Uuid,
  of: { guardianId?: Uuid; juniorId?: Uuid },
  page: { limit: number; before?: Uuid | null },
): Promise<AllowanceRow[]> {
  const rows = await sql.query(
    `select a.schedule_id, a.guardian_id, a.junior_id, usance.last_paid_run(a.tenant_id, a.schedule_id) as last_run_at
     from usance.allowances a join usance.schedules s on s.tenant_id = a.tenant_id and s.id = a.schedule_id
     where a.tenant_id = $1::uuid and ($2::uuid is null or a.guardian_id = $2::uuid) and a.ended_at is null and s.status in ('active', 'paused')
       and ($3::uuid is null or a.junior_id = $3::uuid) and ($4::uuid is null or a.schedule_id < $4::uuid)
     order by a.schedule_id desc limit $5::int`,
    [tenantId, of.guardianId ?? null, of.juniorId ?? null, page.before ?? null, page.limit],
  );
  return rows.map(allowanceRow);
}
