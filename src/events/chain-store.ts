// The chain of a tenant as it is stored, for `usance verify` and for receipts: links in order, and the events of their blocks to the
// microsecond, with the exact text of their data.
import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asNumber, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { BLOCK_IDS, eventIdAt, ordinalOf } from '../kernel/index.ts';
import type { Link } from './chain.ts';
import type { Details, Lasting } from './digest.ts';
import { digestEvent } from './digest.ts';
import { boundsOf, earliestEventOf } from './id-ranges.ts';

const LINK = `tenant_id, number, last_seq, events, block_id, (extract(epoch from recorded_at) * 1000000)::bigint as recorded_us,
  encode(digest, 'hex') as digest, skip_seq, encode(hash, 'hex') as hash`;

/** The links of a tenant after a seq, in order. Rides event_blocks_seq. */
export async function readLinks(sql: Sql, tenantId: Uuid, after: bigint, limit: number): Promise<Link[]> {
  const rows = await sql.query(
    `select ${LINK} from usance.event_blocks where tenant_id = $1::uuid and last_seq > $2::bigint order by last_seq limit $3::int`,
    [tenantId, after, limit],
  );
  return rows.map(link);
}

/** The last link of a tenant up to a seq. */
export async function readLinkUpTo(sql: Sql, tenantId: Uuid, seq: bigint): Promise<Link | undefined> {
  const [row] = await sql.query(
    `select ${LINK} from usance.event_blocks where tenant_id = $1::uuid and last_seq <= $2::bigint order by last_seq desc limit 1`,
    [tenantId, seq],
  );
  return row && link(row);
}

/** The newest ordered events of a resource up to a seq, in order, each with its link; `total` counts all of them. */
export async function newestOf(
  sql: Sql,
  tenantId: Uuid,
  resourceId: Uuid,
  { upTo, limit }: { readonly upTo: bigint; readonly limit: number },
): Promise<{ events: { id: Uuid; link: Link }[]; total: number }> {
  const rows = await sql.query(
    `select * from (
       select e.id, ${LINK}, count(*) over ()::int as total, last_seq - events + 1 + usance.ordinal_of(e.id) as seq
       from (select id from usance.events where tenant_id = $1::uuid and resource_id = $2::uuid and id >= $3::uuid) e
       join usance.event_blocks b
         on b.tenant_id = $1::uuid and b.block_id = usance.block_of(e.id) and usance.ordinal_of(e.id) < b.events
       where last_seq <= $4::bigint order by seq desc limit $5::int
     ) e order by seq`,
    [tenantId, resourceId, earliestEventOf(resourceId), upTo, limit],
  );
  const events = rows.map((row) => ({ id: asText(row['id']), link: link(row) }));
  return { events, total: rows[0] ? asNumber(rows[0]['total']) : 0 };
}

/** Links of all tenants from a position on, in order, and the position after the last. */
export async function readLinksFrom(
  sql: Sql,
  position: bigint,
  limit: number,
): Promise<{ links: Link[]; next: bigint }> {
  const rows = await sql.query(
    `select ${LINK}, first_position from usance.event_blocks where first_position >= $1::bigint order by first_position limit $2::int`,
    [position, limit],
  );
  const last = rows.at(-1);
  return {
    links: rows.map(link),
    next: last ? asBigInt(last['first_position']) + BigInt(asNumber(last['events'])) : position,
  };
}

/** The hash of the link that ends right before a position, in hexadecimal; null without one. */
export async function readHashBefore(sql: Sql, position: bigint): Promise<string | null> {
  const [row] = await sql.query(
    `select encode(hash, 'hex') as hash from usance.event_blocks
     where first_position = (select max(first_position) from usance.event_blocks where first_position < $1::bigint)
       and first_position + events = $1::bigint`,
    [position],
  );
  return row ? asText(row['hash']) : null;
}

function link(row: Row): Link {
  return {
    tenantId: asText(row['tenant_id']),
    number: asBigInt(row['number']),
    lastSeq: asBigInt(row['last_seq']),
    events: asNumber(row['events']),
    blockId: asText(row['block_id']),
    recordedAtUs: asBigInt(row['recorded_us']),
    digest: Buffer.from(asText(row['digest']), 'hex'),
    skipSeq: asBigInt(row['skip_seq']),
    hash: Buffer.from(asText(row['hash']), 'hex'),
  };
}

/** Every tenant id that has a chain, even if the tenant does not exist. One index probe per tenant. */
export async function chainedTenants(sql: Sql): Promise<Uuid[]> {
  const rows = await sql.query(
    `with recursive t (tenant_id) as (
       (select tenant_id from usance.event_blocks order by tenant_id limit 1)
       union all
       select (select b.tenant_id from usance.event_blocks b where b.tenant_id > t.tenant_id order by b.tenant_id limit 1)
       from t where t.tenant_id is not null
     ) select tenant_id from t where tenant_id is not null`,
  );
  return rows.map((row) => asText(row['tenant_id']));
}

/** An event with everything that its digest covers. */
export interface StoredEvent extends Lasting, Details {
  readonly recordedAtUs: bigint;
  /** Null once its details are erased; `details` is their digest then. */
  readonly salt: Buffer | null;
  readonly details: Buffer | null;
}

const LASTING = `id, type, version, resource, resource_id, actor, (extract(epoch from occurred_at) * 1000000)::bigint as occurred_us`;
const STORED = `${LASTING}, data::text as data, ip, user_agent, request_id, trace_context, reason,
  (extract(epoch from recorded_at) * 1000000)::bigint as recorded_us, salt, encode(details, 'hex') as details`;

/** Events by their ids, in the order of the ids. */
export async function readStoredEvents(sql: Sql, tenantId: Uuid, ids: readonly Uuid[]): Promise<StoredEvent[]> {
  const rows = await sql.query(
    `select ${STORED} from usance.events where tenant_id = $1::uuid and id = any ($2::uuid[]) order by id`,
    [tenantId, ids],
  );
  return rows.map(storedEvent);
}

const LEAVES_AT_ONCE = 1_000;

/** The leaves of a block's tree. The details of events, which can be large, stay in the database: it hashes them. */
export async function readLeaves(sql: Sql, { tenantId, blockId, events }: Link): Promise<Buffer[]> {
  const leaves: Buffer[] = Array.from({ length: events }, () => Buffer.alloc(32));
  for (let from = 0; from < events; from += LEAVES_AT_ONCE) {
    const to = Math.min(from + LEAVES_AT_ONCE, events) - 1;
    const rows = await sql.query(
      `select ${LASTING},
              encode(coalesce(details, usance.details_digest(salt, data::text, ip, user_agent, request_id, trace_context, reason)), 'hex') as details
       from usance.events where tenant_id = $1::uuid and id >= $2::uuid and id <= $3::uuid order by id`,
      [tenantId, eventIdAt(blockId, from), eventIdAt(blockId, to)],
    );
    for (const row of rows)
      leaves[ordinalOf(asText(row['id']))] = digestEvent(lasting(row), Buffer.from(asText(row['details']), 'hex'));
  }
  return leaves;
}

/** All events with ids of these blocks, in order. Includes events that a block does not count: they were added later. */
export async function readBlockEvents(
  sql: Sql,
  blocks: readonly Pick<Link, 'tenantId' | 'blockId'>[],
): Promise<StoredEvent[][]> {
  const ranges = blocks.map(({ blockId }) => ({ from: blockId, to: eventIdAt(blockId, BLOCK_IDS - 1) }));
  const rows = await sql.query(
    `select b.k, e.* from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality b (tenant_id, from_id, to_id, k)
     cross join lateral (
       select ${STORED} from usance.events
       where tenant_id = b.tenant_id and id >= b.from_id and id <= b.to_id and id >= $4::uuid and id <= $5::uuid
     ) e order by b.k, e.id`,
    [
      blocks.map(({ tenantId }) => tenantId),
      ranges.map(({ from }) => from),
      ranges.map(({ to }) => to),
      ...boundsOf(ranges),
    ],
  );
  const events: StoredEvent[][] = blocks.map(() => []);
  for (const row of rows) events[asNumber(row['k']) - 1]?.push(storedEvent(row));
  return events;
}

function storedEvent(row: Row): StoredEvent {
  const salt = asTextOrNull(row['salt']);
  const details = asTextOrNull(row['details']);
  return {
    ...lasting(row),
    data: asText(row['data']),
    ip: asTextOrNull(row['ip']),
    userAgent: asTextOrNull(row['user_agent']),
    requestId: asTextOrNull(row['request_id']),
    traceContext: asTextOrNull(row['trace_context']),
    reason: asTextOrNull(row['reason']),
    recordedAtUs: asBigInt(row['recorded_us']),
    salt: salt === null ? null : Buffer.from(salt.replaceAll('-', ''), 'hex'),
    details: details === null ? null : Buffer.from(details, 'hex'),
  };
}

function lasting(row: Row): Lasting {
  return {
    id: asText(row['id']),
    type: asText(row['type']),
    version: asNumber(row['version']),
    resource: asText(row['resource']),
    resourceId: asText(row['resource_id']),
    actor: asText(row['actor']),
    occurredAtUs: asBigInt(row['occurred_us']),
  };
}
