// What is due and what comes next, for a dashboard: bounded reads of the due set, by its indexes.
import type { Sql } from '../db/index.ts';
import { asBigInt, asDate, asNumber, asText } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import type { AtStake } from './overview-store.ts';

const COUNTED_UP_TO = 10_000;
/** What waits is much, and its sum is read with every overview: each row is a payment to be looked up. */
const SUMMED_UP_TO = 2_000;

/** Of each priority, those of payouts (from 10 on) included, the due rows that come first. Rides due_live, or due_test for a tenant with a test clock. */
function firstDue(clock: Clock, range: string, upTo = COUNTED_UP_TO): string {
  const own = clock.clockId === null ? 'd.clock_id is null and $2::uuid is null' : 'd.clock_id = $2::uuid';
  return `select f.payment_id, f.due_at, p.priority from (values (0::smallint), (1::smallint), (2::smallint), (10::smallint), (11::smallint), (12::smallint)) p (priority)
    cross join lateral (
      select d.payment_id, d.due_at from usance.due d
      where ${own} and d.tenant_id = $1::uuid and d.priority = p.priority and ${range}
      order by d.due_at, d.payment_id limit ${upTo}) f`;
}

/** The most rows of a priority in `d`: as many as are read if there are more. */
const MOST_OF_A_PRIORITY = '(select coalesce(max(n), 0)::int from (select count(*) as n from d group by priority) c)';

/** Due payments that have not run, by the bucket in which they became due; earlier ones are in bucket 0. */
export async function countDueByBucket(
  sql: Sql,
  tenantId: Uuid,
  clock: Clock,
  { from, stepMs }: { readonly from: Date; readonly stepMs: number },
): Promise<{ buckets: readonly { bucket: number; payments: number }[]; countedAll: boolean }> {
  const rows = await sql.query(
    `with d as (${firstDue(clock, 'd.due_at <= $3::timestamptz')})
     select greatest(floor((extract(epoch from due_at) * 1000 - $4::float8) / $5::float8), 0)::int as bucket, count(*)::int as payments,
            ${MOST_OF_A_PRIORITY} as most
     from d group by 1`,
    [tenantId, clock.clockId, clock.now, from.getTime(), stepMs],
  );
  return {
    buckets: rows.map((row) => ({ bucket: asNumber(row['bucket']), payments: asNumber(row['payments']) })),
    countedAll: asNumber(rows[0]?.['most'] ?? 0) < COUNTED_UP_TO,
  };
}

/** What is due now and has not run, for each asset. */
export const sumDue = (sql: Sql, tenantId: Uuid, clock: Clock): Promise<AtStake[]> =>
  sumOf(sql, tenantId, firstDue(clock, 'd.due_at <= $3::timestamptz'), clock);

/** What is due later, for each asset: of each priority the first 2,000. Payments that await approval do not run, and their due row is where they expire. */
export const sumWaiting = (sql: Sql, tenantId: Uuid, clock: Clock): Promise<AtStake[]> =>
  sumOf(
    sql,
    tenantId,
    firstDue(clock, 'd.due_at > $3::timestamptz', SUMMED_UP_TO),
    clock,
    `and p.approval is distinct from 'awaited'`,
  );

/** Each payment is looked up by its key: a join would read all payments where many are due. */
async function sumOf(sql: Sql, tenantId: Uuid, due: string, clock: Clock, where = ''): Promise<AtStake[]> {
  const rows = await sql.query(
    `select p.asset, count(*)::int as count, sum(p.amount)::text as amount
     from (${due}) d
     cross join lateral (
       select p.asset, p.amount - p.captured as amount from usance.payments p
       where p.tenant_id = $1::uuid and p.id = d.payment_id ${where} offset 0) p
     group by p.asset order by p.asset`,
    [tenantId, clock.clockId, clock.now],
  );
  return rows.map((row) => ({
    asset: asText(row['asset']),
    count: asNumber(row['count']),
    amount: asBigInt(row['amount']),
  }));
}

export interface DuePayment {
  readonly id: Uuid;
  readonly at: Date;
  readonly asset: string;
  readonly amount: bigint;
  readonly payerId: Uuid;
  readonly payeeId: Uuid;
}

export interface DueHour {
  readonly hour: number;
  readonly asset: string;
  readonly count: number;
  readonly amount: bigint;
}

export interface DueAhead {
  readonly hours: readonly DueHour[];
  readonly next: readonly DuePayment[];
  readonly countedAll: boolean;
}

/** Payments that become due before an instant, for each hour and asset, and the first of them. Those that await approval do not run. */
export async function readDueAhead(
  sql: Sql,
  tenantId: Uuid,
  clock: Clock,
  { until, shown }: { readonly until: Date; readonly shown: number },
): Promise<DueAhead> {
  const ahead = firstDue(clock, 'd.due_at > $3::timestamptz and d.due_at < $4::timestamptz');
  const [totals, next] = await Promise.all([
    sql.query(
      // Those that await approval are read too, in rows without an asset: they count towards the bound.
      `with d as (${ahead})
       select floor(extract(epoch from d.due_at - $3::timestamptz) / 3600)::int as hour, p.asset, count(*)::int as count,
              sum(p.amount)::text as amount, ${MOST_OF_A_PRIORITY} as most
       from d left join lateral (
         select p.asset, p.amount - p.captured as amount from usance.payments p
         where p.tenant_id = $1::uuid and p.id = d.payment_id and p.approval is distinct from 'awaited' offset 0) p on true
       group by 1, 2 order by 1, 2`,
      [tenantId, clock.clockId, clock.now, until],
    ),
    sql.query(
      `select d.due_at, p.id, p.asset, (p.amount - p.captured)::text as amount, p.payer_id, p.payee_id
       from (${ahead}) d join usance.payments p on p.tenant_id = $1::uuid and p.id = d.payment_id
       where p.approval is distinct from 'awaited' order by d.due_at, p.id limit $5::int`,
      [tenantId, clock.clockId, clock.now, until, shown],
    ),
  ]);
  return {
    hours: totals
      .filter((row) => row['asset'] !== null)
      .map((row) => ({
        hour: asNumber(row['hour']),
        asset: asText(row['asset']),
        count: asNumber(row['count']),
        amount: asBigInt(row['amount']),
      })),
    next: next.map((row) => ({
      id: asText(row['id']),
      at: asDate(row['due_at']),
      asset: asText(row['asset']),
      amount: asBigInt(row['amount']),
      payerId: asText(row['payer_id']),
      payeeId: asText(row['payee_id']),
    })),
    countedAll: asNumber(totals[0]?.['most'] ?? 0) < COUNTED_UP_TO,
  };
}
