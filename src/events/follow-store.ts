// For followers of the order of all tenants: blocks by position, and the types of their events. Data is not read. As in list-store.ts, the
// statement about events has the least and the greatest id as parameters, so that it is planned over one or two months.
import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asNumber, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { eventIdAt, ordinalOf } from '../kernel/index.ts';
import { boundsOf } from './id-ranges.ts';
import { blocksAfter } from './list-store.ts';

/** A block with its place in the order of all tenants. */
export interface PlacedBlock {
  readonly tenantId: Uuid;
  readonly blockId: Uuid;
  readonly firstPosition: bigint;
  readonly events: number;
  readonly lastSeq: bigint;
}

const PLACED = 'tenant_id, block_id, first_position, events, last_seq';

/** The block that has a position, and those behind it, in order. Rides the primary key. */
export async function blocksFrom(sql: Sql, position: bigint, limit: number): Promise<PlacedBlock[]> {
  const rows = await sql.query(
    `select ${PLACED} from (
       select ${PLACED} from usance.event_blocks where first_position < $1::bigint order by first_position desc limit 1) b
     where first_position + events > $1::bigint
     union all
     (select ${PLACED} from usance.event_blocks where first_position >= $1::bigint order by first_position limit $2::int)
     order by first_position`,
    [position, limit],
  );
  return rows.map(placed);
}

function placed(row: Row): PlacedBlock {
  return {
    tenantId: asText(row['tenant_id']),
    blockId: asText(row['block_id']),
    firstPosition: asBigInt(row['first_position']),
    events: asNumber(row['events']),
    lastSeq: asBigInt(row['last_seq']),
  };
}

/**
 * For each tenant the seq of its last event before a position, which may be inside a block; nothing for a tenant without one. Rides
 * event_blocks_seq from its end.
 */
export async function lastSeqsBefore(
  sql: Sql,
  position: bigint,
  tenantIds: readonly Uuid[],
): Promise<Map<Uuid, bigint>> {
  const rows = await sql.query(
    `select t.tenant_id, least(b.last_seq, b.last_seq - b.events + ($1::bigint - b.first_position)) as seq
     from unnest($2::uuid[]) t (tenant_id)
     cross join lateral (
       select last_seq, events, first_position from usance.event_blocks
       where tenant_id = t.tenant_id and first_position < $1::bigint order by last_seq desc limit 1) b`,
    [position, tenantIds],
  );
  return new Map(rows.map((row) => [asText(row['tenant_id']), asBigInt(row['seq'])]));
}

/** Some consecutive events of a block. */
export interface BlockPiece {
  readonly tenantId: Uuid;
  readonly blockId: Uuid;
  /** The seq of the event with ordinal 0. */
  readonly firstSeq: bigint;
  /** Ordinals, both included. */
  readonly from: number;
  readonly to: number;
}

/** The pieces of blocks that have the seqs behind `after` up to `upTo`. */
export async function piecesBetween(sql: Sql, tenantId: Uuid, after: bigint, upTo: bigint): Promise<BlockPiece[]> {
  return (await blocksAfter(sql, tenantId, after, upTo)).map(({ blockId, lastSeq, events }) => {
    const firstSeq = lastSeq - BigInt(events) + 1n;
    const from = after >= firstSeq ? Number(after - firstSeq) + 1 : 0;
    const to = upTo < lastSeq ? Number(upTo - firstSeq) : events - 1;
    return { tenantId, blockId, firstSeq, from, to };
  });
}

export interface TypedEvent {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly seq: bigint;
  readonly type: string;
  readonly occurredAt: Date;
  /** The UUID of its resource; null unless it was asked for. */
  readonly resourceId: Uuid | null;
  /** The index of its piece. */
  readonly piece: number;
}

/**
 * The types of the events of pieces, in order. `likes` leaves out types that are like none of them; null: all. An event that is not there (its
 * month was detached) is left out. Rides the primary key, one range of ids a piece. `withResources`: their resources too.
 */
export async function eventTypes(
  sql: Sql,
  pieces: readonly BlockPiece[],
  likes: readonly string[] | null,
  withResources = false,
): Promise<TypedEvent[]> {
  if (pieces.length === 0) return [];
  const ranges = pieces.map(({ blockId, from, to }) => ({
    from: eventIdAt(blockId, from),
    to: eventIdAt(blockId, to),
  }));
  const [leastId, greatestId] = boundsOf(ranges);
  const rows = await sql.query(
    `select b.k, e.* from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality b (tenant_id, from_id, to_id, k)
     cross join lateral (
       select e.id, e.type, e.occurred_at${withResources ? ', e.resource_id' : ''} from usance.events e
       where e.tenant_id = b.tenant_id and e.id >= b.from_id and e.id <= b.to_id and e.id >= $4::uuid and e.id <= $5::uuid
         and ($6::text[] is null or e.type like any ($6::text[]))
     ) e
     order by b.k, e.id`,
    [
      pieces.map((piece) => piece.tenantId),
      ranges.map((range) => range.from),
      ranges.map((range) => range.to),
      leastId,
      greatestId,
      likes,
    ],
  );
  return rows.map((row) => {
    const index = asNumber(row['k']) - 1;
    const { tenantId, firstSeq } = pieces[index] as BlockPiece;
    const id = asText(row['id']);
    return {
      tenantId,
      id,
      seq: firstSeq + BigInt(ordinalOf(id)),
      type: asText(row['type']),
      occurredAt: asDate(row['occurred_at']),
      resourceId: withResources ? asText(row['resource_id']) : null,
      piece: index,
    };
  });
}
