// Chains and their health. Times are the server's: the health of a chain is no part of a test tenant's time.
import type { Row, Sql } from '../../db/index.ts';
import {
  asBigInt,
  asDate,
  asDateOrNull,
  asNumber,
  asNumberOrNull,
  asRecord,
  asText,
  asTextOrNull,
  only,
} from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import type { ChainAsset, Rail } from '../rail.ts';
import type { TakenSnapshot } from './measure.ts';
import type { HealthStatus } from './status.ts';
import { STALE_AFTER_INTERVALS } from './status.ts';

/** Adds chains, and the assets that a newer adapter has. Writes nothing if nothing changed. */
export async function ensureChains(sql: Sql, rails: readonly Rail[], intervalMs: number): Promise<void> {
  await sql.query(
    `insert into usance.chains as c (name, assets, interval_ms)
     select v.name, v.assets, $3::int from unnest($1::text[], $2::jsonb[]) v (name, assets)
     where not exists (select from usance.chains o where o.name = v.name and o.assets = v.assets and o.interval_ms = $3::int)
     order by v.name
     on conflict (name) do update set assets = excluded.assets, interval_ms = excluded.interval_ms`,
    [rails.map(({ chain }) => chain), rails.map(({ assets }) => JSON.stringify(assets.map(storedAsset))), intervalMs],
  );
}

const storedAsset = ({ code, decimals, minimumUnits }: ChainAsset): object => ({
  code,
  decimals,
  minimum_units: String(minimumUnits),
});

export interface Claim {
  /** The chains that this process measures now. */
  readonly chains: readonly string[];
  /** When the next of them all is to be measured. */
  readonly nextInMs: number;
}

/** Of several processes, one takes each measurement. A `measure_at` far ahead is of a longer interval, or of a clock that was wrong. */
export async function claimMeasurements(
  sql: Sql,
  chains: readonly string[],
  intervalMs: number,
  { now }: { readonly now: boolean },
): Promise<Claim> {
  const claimed = await sql.query(
    `with open as (
       select c.name from usance.chains c
       where c.name = any ($1::text[])
         and ($3::boolean or c.measure_at <= clock_timestamp() or c.measure_at > clock_timestamp() + make_interval(secs => $2::bigint / 1000.0))
       order by c.name for no key update skip locked)
     update usance.chains c set measure_at = clock_timestamp() + make_interval(secs => $2::bigint / 1000.0)
     from open where c.name = open.name returning c.name`,
    [chains, intervalMs, now],
  );
  const [next] = await sql.query(
    `select ceil(extract(epoch from min(measure_at) - clock_timestamp()) * 1000)::bigint::float8 as ms
     from usance.chains where name = any ($1::text[])`,
    [chains],
  );
  const ms = asNumberOrNull(next?.['ms'] ?? null) ?? intervalMs;
  return { chains: claimed.map((row) => asText(row['name'])), nextInMs: Math.max(ms, 0) };
}

export async function insertSnapshots(sql: Sql, taken: readonly TakenSnapshot[]): Promise<void> {
  await sql.query(
    `insert into usance.chain_health_snapshots (id, chain, status, avg_confirmation_seconds, rpc_error_rate, p95_latency_ms,
       congestion_score, estimated_fee_usd, fee_asset, fee_units, fee_decimals, price_usd, price_observed_at, failure, taken_at)
     select v.* from unnest($1::uuid[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8::float8[],
       $9::text[], $10::numeric[], $11::int[], $12::float8[], $13::timestamptz[], $14::text[], $15::timestamptz[]) v`,
    [
      taken.map(({ id }) => id),
      taken.map(({ chain }) => chain),
      taken.map(({ status }) => status),
      taken.map(({ avgConfirmationSeconds }) => avgConfirmationSeconds),
      taken.map(({ rpcErrorRate }) => rpcErrorRate),
      taken.map(({ p95LatencyMs }) => p95LatencyMs),
      taken.map(({ congestionScore }) => congestionScore),
      taken.map(({ estimatedFeeUsd }) => estimatedFeeUsd),
      taken.map(({ fee }) => fee?.asset ?? null),
      taken.map(({ fee }) => (fee === null ? null : String(fee.units))),
      taken.map(({ fee }) => fee?.decimals ?? null),
      taken.map(({ price }) => price?.usd ?? null),
      taken.map(({ price }) => price?.observedAt ?? null),
      taken.map(({ failure }) => failure),
      taken.map(({ takenAt }) => takenAt),
    ],
  );
}

const COLUMNS = `s.id, s.chain, s.status, s.avg_confirmation_seconds, s.rpc_error_rate, s.p95_latency_ms, s.congestion_score,
  s.estimated_fee_usd, s.fee_asset, s.fee_units::text as fee_units, s.fee_decimals, s.price_usd, s.price_observed_at, s.failure, s.taken_at`;

function readSnapshot(row: Row): TakenSnapshot {
  const feeAsset = asTextOrNull(row['fee_asset']);
  const observedAt = asDateOrNull(row['price_observed_at']);
  return {
    id: asText(row['id']),
    chain: asText(row['chain']),
    status: asText(row['status']) as HealthStatus,
    avgConfirmationSeconds: asNumber(row['avg_confirmation_seconds']),
    rpcErrorRate: asNumber(row['rpc_error_rate']),
    p95LatencyMs: asNumber(row['p95_latency_ms']),
    congestionScore: asNumber(row['congestion_score']),
    estimatedFeeUsd: asNumberOrNull(row['estimated_fee_usd']),
    fee:
      feeAsset === null
        ? null
        : { asset: feeAsset, units: asBigInt(row['fee_units']), decimals: asNumber(row['fee_decimals']) },
    price: observedAt === null ? null : { usd: asNumber(row['price_usd']), observedAt },
    failure: asTextOrNull(row['failure']),
    takenAt: asDate(row['taken_at']),
  };
}

export interface ChainRow {
  readonly name: string;
  readonly assets: readonly ChainAsset[];
  /** Of the processes that measure it. */
  readonly intervalMs: number;
  /** Null: never measured. */
  readonly newest: TakenSnapshot | null;
  /** The server's time of this reading, by which the snapshot is fresh or stale. */
  readonly now: Date;
}

/** All chains, or these, by name, each with its newest snapshot: one look at the index for each. */
export async function readChains(sql: Sql, names: readonly string[] | null = null): Promise<ChainRow[]> {
  const rows = await sql.query(
    `select c.name, c.assets::text as assets, c.interval_ms, date_trunc('milliseconds', clock_timestamp()) as now, ${COLUMNS}
     from usance.chains c
     left join lateral (select * from usance.chain_health_snapshots s where s.chain = c.name order by s.taken_at desc, s.id desc limit 1) s
       on true
     where $1::text[] is null or c.name = any ($1::text[]) order by c.name`,
    [names],
  );
  return rows.map((row) => ({
    name: asText(row['name']),
    assets: (JSON.parse(asText(row['assets'])) as unknown[]).map(readAsset),
    intervalMs: asNumber(row['interval_ms']),
    newest: row['id'] === null ? null : readSnapshot(row),
    now: asDate(row['now']),
  }));
}

function readAsset(stored: unknown): ChainAsset {
  const { code, decimals, minimum_units } = asRecord(stored);
  return { code: asText(code), decimals: asNumber(decimals), minimumUnits: asBigInt(minimum_units) };
}

/** Newest first. */
export async function listSnapshots(
  sql: Sql,
  chain: string,
  { limit, before }: { readonly limit: number; readonly before: Uuid | null },
): Promise<TakenSnapshot[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.chain_health_snapshots s
     where s.chain = $1::text and ($2::uuid is null or (s.taken_at, s.id) < (
       select m.taken_at, m.id from usance.chain_health_snapshots m where m.chain = $1::text and m.id = $2::uuid))
     order by s.taken_at desc, s.id desc limit $3::int`,
    [chain, before, limit],
  );
  return rows.map(readSnapshot);
}

/** Chains that count as unhealthy now: by their newest snapshot, by its age, or because they have none. */
export async function countUnhealthyChains(sql: Sql): Promise<number> {
  const rows = await sql.query(
    `select count(*)::int as count from usance.chains c
     left join lateral (select s.status, s.taken_at from usance.chain_health_snapshots s where s.chain = c.name
       order by s.taken_at desc, s.id desc limit 1) s on true
     where s.status is null or s.status = 'unhealthy'
       or s.taken_at < clock_timestamp() - make_interval(secs => c.interval_ms * $1::int / 1000.0)`,
    [STALE_AFTER_INTERVALS],
  );
  return asNumber(only(rows)['count']);
}

/** Old snapshots, except the newest of each chain. Rides chain_health_snapshots_taken. */
export async function deleteSnapshots(sql: Sql, keepMs: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from usance.chain_health_snapshots where id = any (array(
       select s.id from usance.chain_health_snapshots s
       where s.taken_at < clock_timestamp() - make_interval(secs => $1::bigint / 1000.0)
         and exists (select from usance.chain_health_snapshots n where n.chain = s.chain and n.taken_at > s.taken_at)
       order by s.taken_at limit $2::int for update skip locked))
     returning 1 as gone`,
    [keepMs, limit],
  );
  return rows.length;
}

/** The recent health of a chain that has been measured. */
export interface RecentHealth {
  readonly chain: string;
  /** The newest snapshot is unhealthy, or older than three intervals: what a choice of a route goes by. */
  readonly isUnhealthy: boolean;
  /** The newest three snapshots are fresh, and none is unhealthy. */
  readonly isSteady: boolean;
  /** Since the newest snapshot that is not unhealthy, at most the window. */
  readonly unhealthyMs: number;
  /** Snapshots of the window. */
  readonly count: number;
}

const STEADY_SNAPSHOTS = 3;
/** Of a window, with a short interval. */
const MOST_SNAPSHOTS = 10_000;

/** Rides chain_health_snapshots_chain: the snapshots of the window, and the newest of each chain. */
export async function readRecentHealth(sql: Sql, chains: readonly string[], windowMs: number): Promise<RecentHealth[]> {
  if (chains.length === 0) return [];
  const rows = await sql.query(
    `select c.name, n.status = 'unhealthy' or n.age_ms > c.interval_ms::bigint * $3::int as is_unhealthy,
            n.age_ms <= c.interval_ms::bigint * $3::int and not s.any_unhealthy as is_steady,
            least(coalesce(w.fine_ms, $2::bigint), $2::bigint)::float8 as unhealthy_ms, w.count
     from usance.chains c
     cross join lateral (
       select o.status, floor(extract(epoch from clock_timestamp() - o.taken_at) * 1000)::bigint as age_ms
       from usance.chain_health_snapshots o where o.chain = c.name order by o.taken_at desc, o.id desc limit 1) n
     cross join lateral (
       select bool_or(o.status = 'unhealthy') as any_unhealthy from (
         select t.status from usance.chain_health_snapshots t where t.chain = c.name
         order by t.taken_at desc, t.id desc limit ${STEADY_SNAPSHOTS}) o) s
     cross join lateral (
       select count(*)::int as count,
              min(floor(extract(epoch from clock_timestamp() - o.taken_at) * 1000)) filter (where o.status <> 'unhealthy')::bigint as fine_ms
       from (select t.status, t.taken_at from usance.chain_health_snapshots t
             where t.chain = c.name and t.taken_at > clock_timestamp() - make_interval(secs => $2::bigint / 1000.0)
             order by t.taken_at desc limit ${MOST_SNAPSHOTS}) o) w
     where c.name = any ($1::text[]) order by c.name`,
    [chains, windowMs, STALE_AFTER_INTERVALS],
  );
  return rows.map((row) => ({
    chain: asText(row['name']),
    isUnhealthy: row['is_unhealthy'] === true,
    isSteady: row['is_steady'] === true,
    unhealthyMs: asNumber(row['unhealthy_ms']),
    count: asNumber(row['count']),
  }));
}
