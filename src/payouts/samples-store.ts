// Measurements of payouts over a window, for alerts. Each reads what is in the window or under way, never the history: payout_attempts_ended, payout_attempts_wallet
// and payout_attempts_review.
import type { Sql } from '../db/index.ts';
import { asBigInt, asNumber, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

/** The newest attempts of a window, and attempts under way, that one measurement reads at most. */
export const MOST_SAMPLES = 10_000;

/** The last attempt of a payout that ended in the window. */
export interface EndedAttempts {
  /** Paid, by chain: how many, and the time from the commit of the signed bytes to finality of all together. */
  readonly paid: readonly { readonly chain: string; readonly count: number; readonly tookMs: bigint }[];
  /** Not paid. No chain: nothing was signed. */
  readonly unpaid: readonly { readonly paymentId: Uuid; readonly chain: string | null }[];
}

export async function readEndedAttempts(sql: Sql, tenantId: Uuid, since: Date): Promise<EndedAttempts> {
  const rows = await sql.query(
    `with ended as materialized (
       select a.payment_id, a.number, a.chain, a.state, a.sent_at, a.ended_at from usance.payout_attempts a
       where a.tenant_id = $1::uuid and a.ended_at > $2::timestamptz
       order by a.ended_at desc limit ${MOST_SAMPLES}),
     last as (select distinct on (payment_id) * from ended order by payment_id, number desc)
     select null::uuid as payment_id, chain, count(*)::int as count,
            sum(floor(extract(epoch from ended_at - sent_at) * 1000))::bigint as took_ms
     from last where state = 'finalized' group by chain
     union all
     select payment_id, chain, 1, 0 from last where state <> 'finalized'
     order by chain`,
    [tenantId, since],
  );
  const paid = rows.filter((row) => row['payment_id'] === null);
  const unpaid = rows.filter((row) => row['payment_id'] !== null);
  return {
    paid: paid.map((row) => ({
      chain: asText(row['chain']),
      count: asNumber(row['count']),
      tookMs: asBigInt(row['took_ms']),
    })),
    unpaid: unpaid.map((row) => ({ paymentId: asText(row['payment_id']), chain: asTextOrNull(row['chain']) })),
  };
}

export interface LateAttempts {
  readonly chain: string;
  readonly count: number;
  /** Their ages together. */
  readonly ageMs: bigint;
}

/** Attempts that passed the threshold of their chain within the window and have not ended. */
export async function readLateAttempts(
  sql: Sql,
  tenantId: Uuid,
  {
    now,
    windowMs,
    thresholdsMs,
    otherwiseMs,
  }: {
    readonly now: Date;
    readonly windowMs: number;
    /** By chain. */
    readonly thresholdsMs: Readonly<Record<string, number>>;
    readonly otherwiseMs: number;
  },
): Promise<LateAttempts[]> {
  const rows = await sql.query(
    `with live as materialized (
       select a.chain, floor(extract(epoch from $2::timestamptz - a.sent_at) * 1000)::bigint as age_ms,
              coalesce(($4::jsonb ->> a.chain)::bigint, $5::bigint) as threshold_ms
       from usance.payout_attempts a
       where a.tenant_id = $1::uuid and a.ended_at is null and a.wallet_id is not null
       limit ${MOST_SAMPLES})
     select chain, count(*)::int as count, sum(age_ms)::bigint as age_ms from live
     where age_ms > threshold_ms and age_ms <= threshold_ms + $3::bigint
     group by chain order by chain`,
    [tenantId, now, windowMs, JSON.stringify(thresholdsMs), otherwiseMs],
  );
  return rows.map((row) => ({
    chain: asText(row['chain']),
    count: asNumber(row['count']),
    ageMs: asBigInt(row['age_ms']),
  }));
}

/** Payouts in review now, counted up to 10,000. */
export async function countInReview(
  sql: Sql,
  tenantId: Uuid,
): Promise<{ readonly chain: string; readonly count: number }[]> {
  const rows = await sql.query(
    `select chain, count(*)::int as count from (
       select a.chain from usance.payout_attempts a
       where a.tenant_id = $1::uuid and a.ended_at is null and a.reviewed_at is not null limit ${MOST_SAMPLES}) r
     group by chain order by chain`,
    [tenantId],
  );
  return rows.map((row) => ({ chain: asText(row['chain']), count: asNumber(row['count']) }));
}
