import type { Row, Sql } from '../../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asNumber, asText, asTextOrNull } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import type { AtStake } from '../../payments/index.ts';
import { amountAt } from '../schedule.ts';
import { stepsOf } from '../store.ts';
import type { Outage, OutageGuard, OutageStatus } from './outage.ts';

/** What a scheduler has to know of a tenant that has a guard, or had an outage. */
export interface Watch {
  readonly tenantId: Uuid;
  readonly guard: OutageGuard;
  /** The newest. */
  readonly outage: { readonly status: OutageStatus; readonly through: Date } | null;
  /** What people discarded and no scheduler may have come by for yet, whatever was decided about others since. */
  readonly discarded: readonly Discarded[];
}

/** Everything due after one instant and up to another: each outage is of what came after the one before it. */
export interface Discarded {
  readonly after: Date | null;
  readonly through: Date;
}

/** Of every tenant: a handful of rows, read once a second by a scheduler that works. */
export async function readWatches(sql: Sql): Promise<Watch[]> {
  const rows = await sql.query(
    `with decided as (
       select tenant_id, status, through, lag(through) over (partition by tenant_id order by through) as after from usance.outages)
     select coalesce(g.tenant_id, o.tenant_id) as tenant_id, g.guards::text as guards, o.status, o.through,
            d.discarded::text as discarded
     from (select tenant_id, jsonb_agg(jsonb_build_object('asset', asset, 'most', most::text)) as guards
           from usance.outage_guards group by tenant_id) g
     full join (select distinct on (tenant_id) tenant_id, status, through from decided order by tenant_id, through desc) o
       on o.tenant_id = g.tenant_id
     left join (select tenant_id, jsonb_agg(jsonb_build_array(after, through)) as discarded
                from decided where status = 'discarded' group by tenant_id) d on d.tenant_id = o.tenant_id`,
  );
  return rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    guard: guardOf(row['guards'] === null ? [] : (JSON.parse(asText(row['guards'])) as GuardRow[])),
    outage:
      row['status'] === null
        ? null
        : { status: asText(row['status']) as OutageStatus, through: asDate(row['through']) },
    discarded: row['discarded'] === null ? [] : discardedOf(asText(row['discarded'])),
  }));
}

function discardedOf(text: string): Discarded[] {
  const spans = JSON.parse(text) as [string | null, string][];
  return spans.map(([after, through]) => ({
    after: after === null ? null : new Date(after),
    through: new Date(through),
  }));
}

interface GuardRow {
  readonly asset: string | null;
  readonly most: string;
}

function guardOf(rows: readonly GuardRow[]): OutageGuard {
  const count = rows.find(({ asset }) => asset === null)?.most;
  return {
    count: count === undefined ? null : Number(count),
    amounts: rows
      .flatMap(({ asset, most }) => (asset === null ? [] : [{ asset, amount: BigInt(most) }]))
      .toSorted((a, b) => (a.asset < b.asset ? -1 : 1)),
  };
}

export async function readGuard(sql: Sql, tenantId: Uuid): Promise<OutageGuard> {
  const rows = await sql.query(
    `select asset, most::text as most from usance.outage_guards where tenant_id = $1::uuid`,
    [tenantId],
  );
  return guardOf(rows.map((row) => ({ asset: asTextOrNull(row['asset']), most: asText(row['most']) })));
}

/** Null takes a bound away. An asset of null is the number of schedules. */
export async function writeGuards(
  sql: Sql,
  tenantId: Uuid,
  bounds: readonly { readonly asset: string | null; readonly most: bigint | null }[],
): Promise<void> {
  const gone = bounds.filter(({ most }) => most === null);
  const set = bounds.filter(({ most }) => most !== null);
  await sql.query(
    `delete from usance.outage_guards g using unnest($2::text[]) v (asset)
     where g.tenant_id = $1::uuid and g.asset is not distinct from v.asset`,
    [tenantId, gone.map(({ asset }) => asset)],
  );
  await sql.query(
    `insert into usance.outage_guards (tenant_id, asset, most)
     select $1::uuid, v.asset, v.most from unnest($2::text[], $3::bigint[]) v (asset, most)
     on conflict (tenant_id, asset) do update set most = excluded.most`,
    [tenantId, set.map(({ asset }) => asset), set.map(({ most }) => most)],
  );
}

const MOST_COUNTED = 100_000;

export interface Overdue {
  readonly stakes: readonly AtStake[];
  readonly since: Date | null;
}

const OVERDUE_SCHEDULES = `(
       select d.tenant_id, d.schedule_id, d.due_at, d.passed from usance.schedule_due d
       where d.clock_id is null and d.tenant_id = $1::uuid and d.due_at > $2::timestamptz and d.due_at <= $3::timestamptz
       order by d.due_at, d.schedule_id limit $4::int) d
     join usance.schedules s on s.tenant_id = d.tenant_id and s.id = d.schedule_id`;

/** A tenant's live schedules that were due between two instants: how many, and what they pay now. Rides schedule_due_live. */
export async function sumOverdue(sql: Sql, tenantId: Uuid, after: Date | null, upTo: Date): Promise<Overdue> {
  const rows = await sql.query(
    `select s.asset, count(*)::int as count, min(d.due_at) as since, sum(coalesce((
              select (e.step ->> 'amount')::bigint from jsonb_array_elements(s.steps) e (step)
              where (e.step ->> 'from')::numeric <= d.passed + 1 order by (e.step ->> 'from')::numeric desc limit 1), s.amount))::text as amount
     from ${OVERDUE_SCHEDULES}
     group by s.asset order by s.asset`,
    [tenantId, after ?? '-infinity', upTo, MOST_COUNTED],
  );
  const since = rows.map((row) => asDate(row['since'])).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
  return { stakes: rows.map(stakeOf), since };
}

/** The same where one of the rows has steps that cannot be read: that one counts with its plain amount. */
export async function sumOverdueByRow(
  sql: Sql,
  tenantId: Uuid,
  after: Date | null,
  upTo: Date,
  onUnreadable?: (scheduleId: Uuid, error: unknown) => void,
): Promise<Overdue> {
  const rows = await sql.query(
    `select d.schedule_id, d.passed, d.due_at, s.asset, s.amount, s.steps::text as steps from ${OVERDUE_SCHEDULES}
     order by d.due_at, d.schedule_id`,
    [tenantId, after ?? '-infinity', upTo, MOST_COUNTED],
  );
  const stakes = new Map<string, AtStake>();
  for (const row of rows) {
    const asset = asText(row['asset']);
    const { count, amount } = stakes.get(asset) ?? { count: 0, amount: 0n };
    stakes.set(asset, { asset, count: count + 1, amount: amount + amountOf(row, onUnreadable) });
  }
  const [first] = rows;
  return {
    stakes: [...stakes.values()].toSorted((a, b) => (a.asset < b.asset ? -1 : 1)),
    since: first ? asDate(first['due_at']) : null,
  };
}

function amountOf(row: Row, onUnreadable?: (scheduleId: Uuid, error: unknown) => void): bigint {
  const amount = asBigInt(row['amount']);
  try {
    return amountAt({ amount, steps: stepsOf(asTextOrNull(row['steps'])) }, asNumber(row['passed']) + 1);
  } catch (error) {
    onUnreadable?.(asText(row['schedule_id']), error);
    return amount;
  }
}

const stakeOf = (row: Row): AtStake => ({
  asset: asText(row['asset']),
  count: asNumber(row['count']),
  amount: asBigInt(row['amount']),
});

/** False where one waits already. */
export async function insertOutage(
  sql: Sql,
  tenantId: Uuid,
  outage: Pick<Outage, 'id' | 'since' | 'through' | 'overdue'>,
): Promise<boolean> {
  const overdue = outage.overdue.map(({ asset, count, amount }) => ({ asset, count, amount: amount.toString() }));
  const rows = await sql.query(
    `insert into usance.outages (tenant_id, id, status, since, through, overdue)
     values ($1::uuid, $2::uuid, 'waiting', $3::timestamptz, $4::timestamptz, $5::jsonb)
     on conflict (tenant_id) where status = 'waiting' do nothing returning id`,
    [tenantId, outage.id, outage.since, outage.through, JSON.stringify(overdue)],
  );
  return rows.length === 1;
}

const COLUMNS = 'id, status, since, through, overdue::text as overdue, reason, decided_by, decided_at';

function outageOf(row: Row): Outage {
  const overdue = JSON.parse(asText(row['overdue'])) as { asset: string; count: number; amount: string }[];
  return {
    id: asText(row['id']),
    status: asText(row['status']) as OutageStatus,
    since: asDate(row['since']),
    through: asDate(row['through']),
    overdue: overdue.map((own) => ({ ...own, amount: BigInt(own.amount) })),
    reason: asTextOrNull(row['reason']),
    decidedBy: asTextOrNull(row['decided_by']),
    decidedAt: asDateOrNull(row['decided_at']),
  };
}

/** Newest first. */
export async function listOutages(
  sql: Sql,
  tenantId: Uuid,
  filter: { readonly id?: Uuid; readonly status?: OutageStatus },
  page: { readonly limit: number; readonly before?: Uuid | null },
): Promise<Outage[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.outages
     where tenant_id = $1::uuid and ($2::uuid is null or id = $2::uuid) and ($3::text is null or status = $3::text)
       and ($4::uuid is null or id < $4::uuid)
     order by id desc limit $5::int`,
    [tenantId, filter.id ?? null, filter.status ?? null, page.before ?? null, page.limit],
  );
  return rows.map(outageOf);
}

/** Null where it does not wait any more. */
export async function decideOutage(
  sql: Sql,
  tenantId: Uuid,
  id: Uuid,
  decision: {
    readonly status: OutageStatus;
    readonly reason: string | null;
    readonly decidedBy: string;
    readonly at: Date;
  },
): Promise<Outage | null> {
  const [row] = await sql.query(
    `update usance.outages set status = $3::text, reason = $4::text, decided_by = $5::text, decided_at = $6::timestamptz
     where tenant_id = $1::uuid and id = $2::uuid and status = 'waiting' returning ${COLUMNS}`,
    [tenantId, id, decision.status, decision.reason, decision.decidedBy, decision.at],
  );
  return row ? outageOf(row) : null;
}
