// How payments ended over time, by their events: the charts of a tenant.
import type { Sql } from '../db/index.ts';
import { asNumber, asNumberOrNull, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

/** Equal steps from an instant on. */
export interface Buckets {
  readonly from: Date;
  readonly stepMs: number;
  readonly count: number;
}

export interface OutcomeBucket {
  readonly bucket: number;
  readonly settled: number;
  readonly failed: number;
  /** From the due instant to the settlement, in milliseconds; null if nothing settled. */
  readonly averageLateMs: number | null;
  readonly longestLateMs: number | null;
}

/** Payments that were due in one bucket and settled in a later one. */
export interface Overhang {
  readonly dueBucket: number;
  readonly settledBucket: number;
  readonly payments: number;
}

export interface OutcomeSeries {
  readonly buckets: readonly OutcomeBucket[];
  readonly overhangs: readonly Overhang[];
  /** False: there are more events than are read, and the first buckets are lower bounds. */
  readonly countedAll: boolean;
}

/** The newest events that are read at most. */
const MOST_READ = 50_000;

/**
 * One range of the primary key, read from its end. Ids are of real time: `idsFollowTime` says whether the instants of the tenant are too,
 * which they are not under a test clock.
 */
export async function readOutcomeSeries(
  sql: Sql,
  tenantId: Uuid,
  { from, stepMs, count }: Buckets,
  idsFollowTime: boolean,
): Promise<OutcomeSeries> {
  const bucketOf = (instant: string): string =>
    `floor((extract(epoch from ${instant}) * 1000 - $3::float8) / $4::float8)::int`;
  const rows = await sql.query(
    `with newest as materialized (
       select type, occurred_at, data from usance.events
       where tenant_id = $1::uuid and ($2::boolean is false or id >= usance.first_id_at($7::timestamptz))
       order by id desc limit $5::int
     ), outcomes as (
       select type, ${bucketOf('occurred_at')} as bucket, nullif(data ->> 'latenessMs', '')::float8 as late,
              ${bucketOf(`occurred_at - coalesce(nullif(data ->> 'latenessMs', '')::float8, 0) * interval '1 millisecond'`)} as due_bucket
       from newest where type in ('payment.settled', 'payment.failed')
     )
     select 'bucket' as what, bucket, null::int as due_bucket, count(*) filter (where type = 'payment.settled')::int as settled,
            count(*) filter (where type = 'payment.failed')::int as failed,
            avg(late) filter (where type = 'payment.settled') as average_late, max(late) filter (where type = 'payment.settled') as longest_late
     from outcomes where bucket >= 0 and bucket < $6::int group by bucket
     union all
     select 'overhang', bucket, greatest(due_bucket, 0), count(*)::int, 0, null, null
     from outcomes where type = 'payment.settled' and bucket > greatest(due_bucket, 0) group by bucket, greatest(due_bucket, 0)
     union all
     select 'read', 0, 0, count(*)::int, 0, null, null from newest`,
    [tenantId, idsFollowTime, from.getTime(), stepMs, MOST_READ, count, from],
  );
  const of = (what: string) => rows.filter((row) => asText(row['what']) === what);
  return {
    buckets: of('bucket').map((row) => ({
      bucket: asNumber(row['bucket']),
      settled: asNumber(row['settled']),
      failed: asNumber(row['failed']),
      averageLateMs: asNumberOrNull(row['average_late']),
      longestLateMs: asNumberOrNull(row['longest_late']),
    })),
    overhangs: of('overhang').map((row) => ({
      dueBucket: asNumber(row['due_bucket']),
      settledBucket: asNumber(row['bucket']),
      payments: asNumber(row['settled']),
    })),
    countedAll: of('read').every((row) => asNumber(row['settled']) < MOST_READ),
  };
}
