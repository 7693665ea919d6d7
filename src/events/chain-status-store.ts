// The end of a tenant's chain, and what is not sealed yet.
import type { Sql } from '../db/index.ts';
import { asBigInt, asDate, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { countUnorderedOf } from './lag-store.ts';

export interface ChainStatus {
  /** Number of the newest sealed event; 0 before the first. */
  readonly seq: bigint;
  /** Hash of the last link, hexadecimal; null before the first. */
  readonly hash: string | null;
  readonly recordedAt: Date | null;
  /** Events that are committed and not sealed yet. */
  readonly unsealed: number;
}

/** Rides event_blocks_seq. */
export async function readChainStatus(sql: Sql, tenantId: Uuid): Promise<ChainStatus> {
  const [rows, { count }] = await Promise.all([
    sql.query(
      `select last_seq, encode(hash, 'hex') as hash, recorded_at from usance.event_blocks
       where tenant_id = $1::uuid order by last_seq desc limit 1`,
      [tenantId],
    ),
    countUnorderedOf(sql, tenantId),
  ]);
  const [last] = rows;
  return {
    seq: last ? asBigInt(last['last_seq']) : 0n,
    hash: last ? asText(last['hash']) : null,
    recordedAt: last ? asDate(last['recorded_at']) : null,
    unsealed: count,
  };
}
