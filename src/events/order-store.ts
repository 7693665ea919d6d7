// The sequencer's statements. Only its own transaction deletes from the inbox, under an advisory lock that ends with it.
import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asBoolean, asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Block, ChainPath, ChainPoint, Link } from './chain.ts';

/** A separate statement: the snapshot of the next one is then taken under the lock. */
export async function becomeSequencer(tx: Sql): Promise<boolean> {
  const row = only(await tx.query(`select pg_try_advisory_xact_lock(hashtext('usance.sequencer')) as got`));
  return asBoolean(row['got']);
}

/** Transactions that a snapshot did not see: those from `xmax` on, and those that were in progress. */
export interface Unseen {
  readonly xmax: string;
  readonly inProgress: readonly string[];
}

/** The state of a process that has seen nothing: everything in the inbox is new. */
export const SEEN_NOTHING: Unseen = { xmax: '0', inProgress: [] };

export interface InboxBlock extends Block {
  /** As text: JavaScript's instants have no microseconds. */
  readonly recordedAt: string;
}

export interface Taken {
  readonly blocks: readonly InboxBlock[];
  readonly calls: number;
  /** Transactions that the take itself did not see. */
  readonly unseen: Unseen;
}

/** A call that waits in the inbox. */
export interface InboxKey {
  readonly xid: string;
  readonly n: string;
}

const WHERE_UNSEEN = `k.xid >= $1::xid8 or k.xid = any ($2::xid8[])`;

/** Deletes and returns the inbox rows whose ctids a query finds. A ctid is safe: it is used in the statement that found it. */
const take = (found: string): string => `
  with now as materialized (select pg_current_snapshot() as snapshot),
  taken as (
    delete from usance.event_inbox i where i.ctid = any (array(${found}))
    returning i.n, i.tenant_ids, i.block_ids, i.counts, i.digests, i.recorded_at
  )
  select n, array_to_string(tenant_ids, ',') as tenants, array_to_string(block_ids, ',') as blocks,
         array_to_string(counts, ',') as counts, encode(digests, 'hex') as digests, recorded_at::text as recorded_at,
         (extract(epoch from recorded_at) * 1000000)::bigint as recorded_us, snapshot::text as snapshot
  from now left join taken on true order by n`;

/**
 * Takes what an earlier take could not see, in the order of calls. The cost is that of what is new: rows that were taken before stay in
 * the index while an old snapshot is open anywhere, and are not looked at. Rides the primary key.
 */
export async function takeInbox(tx: Sql, { xmax, inProgress }: Unseen, limit: number): Promise<Taken> {
  const found = `select k.ctid from usance.event_inbox k where ${WHERE_UNSEEN} order by k.n limit $3::int`;
  return takenOf(await tx.query(take(found), [xmax, inProgress, limit]));
}

/** Takes calls by their keys. Rides the primary key. */
export async function takeListed(tx: Sql, keys: readonly InboxKey[]): Promise<Taken> {
  const found = `select k.ctid from unnest($1::xid8[], $2::bigint[]) w (xid, n) join usance.event_inbox k on k.xid = w.xid and k.n = w.n`;
  return takenOf(await tx.query(take(found), [keys.map(({ xid }) => xid), keys.map(({ n }) => n)]));
}

/** The first calls that an earlier take could not see, in order, and what is unseen once they are taken. */
export async function listInbox(
  tx: Sql,
  before: Unseen,
  limit: number,
): Promise<{ readonly waiting: readonly InboxKey[]; readonly unseen: Unseen }> {
  const row = only(
    await tx.query(
      `select coalesce(string_agg(xid::text, ',' order by n), '') as xids, coalesce(string_agg(n::text, ',' order by n), '') as ns,
              pg_current_snapshot()::text as snapshot
       from (select k.xid, k.n from usance.event_inbox k where ${WHERE_UNSEEN} order by k.n limit $3::int) k`,
      [before.xmax, before.inProgress, limit],
    ),
  );
  const ns = asText(row['ns']).split(',');
  const xids = asText(row['xids']).split(',');
  const waiting = xids[0] === '' ? [] : xids.map((xid, index) => ({ xid, n: ns[index] ?? '' }));
  return { waiting, unseen: waiting.length < limit ? unseenBy(asText(row['snapshot'])) : before };
}

function takenOf(rows: readonly Row[]): Taken {
  const taken = rows.filter((row) => row['n'] !== null);
  return {
    blocks: taken.flatMap(inboxBlocks),
    calls: taken.length,
    unseen: unseenBy(asText(rows[0]?.['snapshot'])),
  };
}

function inboxBlocks(row: Row): InboxBlock[] {
  const tenants = asText(row['tenants']).split(',');
  const blocks = asText(row['blocks']).split(',');
  const counts = asText(row['counts']).split(',');
  const digests = Buffer.from(asText(row['digests']), 'hex');
  const recordedAt = asText(row['recorded_at']);
  const recordedAtUs = asBigInt(row['recorded_us']);
  return tenants.map((tenantId, index) => ({
    tenantId,
    blockId: blocks[index] as Uuid,
    events: Number(counts[index]),
    digest: digests.subarray(32 * index, 32 * (index + 1)),
    recordedAt,
    recordedAtUs,
  }));
}

/** Keys (`keyOf`) of the blocks that are in the order already. One probe of each partition per block. */
export async function readRepeated(tx: Sql, blocks: readonly InboxBlock[]): Promise<Set<string>> {
  const rows = await tx.query(
    `select v.tenant_id, v.block_id from unnest($1::uuid[], $2::uuid[]) v (tenant_id, block_id)
     cross join lateral (
       select from usance.event_blocks b where b.tenant_id = v.tenant_id and b.block_id = v.block_id limit 1) o`,
    [blocks.map((block) => block.tenantId), blocks.map((block) => block.blockId)],
  );
  return new Set(rows.map((row) => keyOf({ tenantId: asText(row['tenant_id']), blockId: asText(row['block_id']) })));
}

export const keyOf = ({ tenantId, blockId }: Pick<Block, 'tenantId' | 'blockId'>): string => tenantId + blockId;

/** `10:20:10,14`: the oldest in progress, the first that has not begun, and those in progress. */
function unseenBy(snapshot: string): Unseen {
  const [, xmax = '0', inProgress = ''] = snapshot.split(':');
  return { xmax, inProgress: inProgress === '' ? [] : inProgress.split(',') };
}

export interface OrderEnd {
  /** The position of the next event of any tenant. */
  readonly position: bigint;
  /** The hash of the last link, in hexadecimal; empty without one. */
  readonly hash: string;
  /** When the server started: after a failover, numbers of transactions come again. */
  readonly serverStarted: string;
  /** The number of the next transaction. It went backwards if the server crashed and lost the last ones. */
  readonly xmax: bigint;
}

export async function readOrderEnd(sql: Sql): Promise<OrderEnd> {
  const row = only(
    await sql.query(
      `select coalesce(b.position, 1) as position, coalesce(b.hash, '') as hash, pg_postmaster_start_time()::text as started,
              pg_snapshot_xmax(pg_current_snapshot())::text as xmax
       from (values (1)) one
       left join (select first_position + events as position, encode(hash, 'hex') as hash
                  from usance.event_blocks order by first_position desc limit 1) b on true`,
    ),
  );
  return {
    position: asBigInt(row['position']),
    hash: asText(row['hash']),
    serverStarted: asText(row['started']),
    xmax: asBigInt(row['xmax']),
  };
}

/** The chains of these tenants as a next link needs them. One probe of event_blocks_seq a point. */
export async function readPaths(sql: Sql, tenantIds: readonly Uuid[]): Promise<Map<Uuid, ChainPath>> {
  const rows = await sql.query(
    `with recursive points as (
       select b.tenant_id, b.number, b.last_seq, b.skip_seq, b.hash
       from unnest($1::uuid[]) t (tenant_id)
       cross join lateral (
         select * from usance.event_blocks where tenant_id = t.tenant_id order by last_seq desc limit 1) b
       union all
       select b.tenant_id, b.number, b.last_seq, b.skip_seq, b.hash
       from points p join usance.event_blocks b on b.tenant_id = p.tenant_id and b.last_seq = p.skip_seq
       where p.skip_seq > 0
     )
     select tenant_id, number, last_seq, encode(hash, 'hex') as hash from points order by tenant_id, number`,
    [tenantIds],
  );
  const paths = new Map<Uuid, ChainPoint[]>();
  for (const row of rows) {
    const tenantId = asText(row['tenant_id']);
    const path = paths.get(tenantId) ?? [];
    paths.set(tenantId, path);
    path.push({
      number: asBigInt(row['number']),
      lastSeq: asBigInt(row['last_seq']),
      hash: Buffer.from(asText(row['hash']), 'hex'),
    });
  }
  return paths;
}

export interface OrderedBlock extends Link {
  readonly firstPosition: bigint;
  readonly recordedAt: string;
}

export async function insertOrdered(tx: Sql, blocks: readonly OrderedBlock[]): Promise<void> {
  await tx.query(
    `insert into usance.event_blocks
       (first_position, tenant_id, last_seq, number, block_id, events, recorded_at, skip_seq, digest, hash)
     select first_position, tenant_id, last_seq, number, block_id, events, recorded_at, skip_seq, decode(digest, 'hex'),
            decode(hash, 'hex')
     from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::uuid[], $6::int[], $7::timestamptz[], $8::bigint[],
                 $9::text[], $10::text[])
       v (first_position, tenant_id, last_seq, number, block_id, events, recorded_at, skip_seq, digest, hash)`,
    [
      blocks.map((block) => block.firstPosition),
      blocks.map((block) => block.tenantId),
      blocks.map((block) => block.lastSeq),
      blocks.map((block) => block.number),
      blocks.map((block) => block.blockId),
      blocks.map((block) => block.events),
      blocks.map((block) => block.recordedAt),
      blocks.map((block) => block.skipSeq),
      blocks.map((block) => block.digest.toString('hex')),
      blocks.map((block) => block.hash.toString('hex')),
    ],
  );
}

/** Events a partition of event_blocks holds: see ensure_block_partitions. */
export const PARTITION_EVENTS = 1n << 27n;
const PARTITIONS_AHEAD = 2;

export async function ensureBlockPartitions(sql: Sql, position: bigint): Promise<number> {
  const row = only(
    await sql.query('select usance.ensure_block_partitions($1::bigint, $2::int) as made', [position, PARTITIONS_AHEAD]),
  );
  return asNumber(row['made']);
}
