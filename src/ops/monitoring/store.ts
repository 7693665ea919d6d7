import type { Sql } from '../../db/index.ts';
import { asNumber, only } from '../../db/index.ts';
import { firstIdAt, newId, toJson } from '../../kernel/index.ts';

export interface Sample {
  readonly name: string;
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

export async function insertSamples(sql: Sql, samples: readonly Sample[]): Promise<void> {
  await sql.query(
    `insert into usance.system_metrics (id, name, value, labels)
     select * from unnest($1::uuid[], $2::text[], $3::float8[], $4::jsonb[])`,
    [
      samples.map(() => newId()),
      samples.map((sample) => sample.name),
      samples.map((sample) => sample.value),
      samples.map((sample) => toJson(sample.labels)),
    ],
  );
}

/** Whether a process has written a metric within the last seconds. Rides system_metrics_name. */
export async function wasSampled(sql: Sql, name: string, withinSeconds: number): Promise<boolean> {
  const rows = await sql.query(
    `select from usance.system_metrics
     where name = $1::text and recorded_at > clock_timestamp() - make_interval(secs => $2::float8) limit 1`,
    [name, withinSeconds],
  );
  return rows.length > 0;
}

/** Ids are of real time: the oldest rows are the first of the primary key. */
export async function deleteSamplesBefore(sql: Sql, instant: Date, limit: number): Promise<number> {
  const row = only(
    await sql.query(
      `with gone as (
         delete from usance.system_metrics
         where id in (select id from usance.system_metrics where id < $1::uuid order by id limit $2::int)
         returning 1)
       select count(*)::int as count from gone`,
      [firstIdAt(instant), limit],
    ),
  );
  return asNumber(row['count']);
}
