// The events of one advance of a test clock: those between the event that began it and the one that ended it.
import type { Sql } from '../db/index.ts';
import { asBigInt, asDate, asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';

export interface EventSpan {
  /** The seq of the event it begins after: request events `after` it. */
  readonly afterSeq: bigint;
  /** The seq of its last event; `afterSeq` if it has none. */
  readonly lastSeq: bigint;
  readonly count: number;
  readonly byType: Readonly<Record<string, number>>;
  /** By the tenant's clock; null without events. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
}

/**
 * Events that a test clock does not cause: sign-ins, API keys, freezes and violations found by the integrity check, archiving. They
 * can fall into an advance by chance, in real time.
 */
const OF_THE_CLOCK = `e.type not like 'sign\\_in.%' and e.resource not in ('api_key', 'asset', 'freeze', 'tenant')`;

/** The last id that a block can give. */
const LAST_ID = `(left(b.block_id::text, 32) || 'ffff')::uuid`;

/** Null while either event has no seq yet. Each is the only event of its block. */
export async function spanBetween(sql: Sql, tenantId: Uuid, first: Uuid, last: Uuid): Promise<EventSpan | null> {
  const ends = await sql.query(
    `select last_seq from usance.event_blocks where tenant_id = $1::uuid and block_id in ($2::uuid, $3::uuid) order by last_seq`,
    [tenantId, first, last],
  );
  const [afterSeq, beforeSeq] = ends.map((row) => asBigInt(row['last_seq']));
  if (afterSeq === undefined || beforeSeq === undefined) return null;
  const between = `b.tenant_id = $1::uuid and b.last_seq > $2::bigint and b.last_seq < $3::bigint`;
  const bounds = only(
    await sql.query(
      `select coalesce(min(b.block_id::text), '${NIL_UUID}') as least, coalesce(max(${LAST_ID}::text), '${NIL_UUID}') as greatest
       from usance.event_blocks b where ${between}`,
      [tenantId, afterSeq, beforeSeq],
    ),
  );
  const types = await sql.query(
    `select e.type, count(*)::int as count, min(e.occurred_at) as first_at, max(e.occurred_at) as last_at,
            max(b.last_seq - b.events + 1 + usance.ordinal_of(e.id)) as last_seq
     from usance.event_blocks b
     join usance.events e on e.tenant_id = b.tenant_id and e.id >= b.block_id and e.id <= ${LAST_ID}
       and e.id >= $4::uuid and e.id <= $5::uuid
     where ${between} and ${OF_THE_CLOCK}
     group by e.type order by e.type`,
    [tenantId, afterSeq, beforeSeq, asText(bounds['least']), asText(bounds['greatest'])],
  );
  const at = (name: string): Date[] =>
    types.map((type) => asDate(type[name])).toSorted((one, other) => one.getTime() - other.getTime());
  return {
    afterSeq,
    lastSeq: types.map((type) => asBigInt(type['last_seq'])).reduce((a, b) => (a > b ? a : b), afterSeq),
    count: types.reduce((sum, type) => sum + asNumber(type['count']), 0),
    byType: Object.fromEntries(types.map((type) => [asText(type['type']), asNumber(type['count'])])),
    firstAt: at('first_at').at(0) ?? null,
    lastAt: at('last_at').at(-1) ?? null,
  };
}
