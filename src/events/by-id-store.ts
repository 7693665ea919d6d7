// Events by id: a set of known ones, of any tenants, in one read. Like every read of `events` it has the least and the greatest id as
// parameters, so that the planner reads the monthly partitions between them and not all of them.
import type { Sql, Transaction } from '../db/index.ts';
import { asNumber, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { blockOf, ordinalOf } from '../kernel/index.ts';
import { boundsOf } from './id-ranges.ts';
import type { SequencedEvent } from './list-store.ts';
import { COLUMNS_BUT_ID, sequenced } from './list-store.ts';

export interface EventKey {
  readonly tenantId: Uuid;
  readonly id: Uuid;
}

interface OrderedKey extends EventKey {
  /** Its number in the order. */
  readonly seq: bigint;
}

/** Keys of one block, without a gap. */
interface Run {
  readonly tenantId: Uuid;
  readonly blockId: Uuid;
  readonly from: Uuid;
  to: Uuid;
  /** The seq of its first event. */
  readonly seq: bigint;
  readonly ordinal: number;
  events: number;
}

/**
 * These events by id; those that are gone are left out. Events that a transaction appended together are one range of the primary key of
 * `events`: an index probe for each would take three times as long. The hashes ride the index of blocks.
 */
export async function readEvents(tx: Transaction, keys: readonly OrderedKey[]): Promise<Map<Uuid, SequencedEvent>> {
  if (keys.length === 0) return new Map();
  const runs = runsOf(keys);
  const [rows, hashes] = await tx.together([() => readRuns(tx, runs), () => readHashes(tx, runs)]);
  const hashesOfRuns = runs.map(({ tenantId, blockId }) => hashes.get(tenantId + blockId) ?? '');
  const events = new Map<Uuid, SequencedEvent>();
  for (const row of rows) {
    const place = asNumber(row['n']) - 1;
    const { tenantId, seq, ordinal } = runs[place] as Run;
    const id = asText(row['id']);
    events.set(id, sequenced(tenantId, row, seq + BigInt(ordinalOf(id) - ordinal), hashesOfRuns[place] ?? ''));
  }
  return events;
}

function runsOf(keys: readonly OrderedKey[]): Run[] {
  const runs: Run[] = [];
  let last: Run | undefined;
  for (const { tenantId, id, seq } of keys.toSorted(byTenantAndId)) {
    const blockId = blockOf(id);
    const ordinal = ordinalOf(id);
    if (last?.tenantId === tenantId && last.blockId === blockId && ordinal <= last.ordinal + last.events) {
      last.to = id;
      last.events = ordinal - last.ordinal + 1;
    } else {
      last = { tenantId, blockId, from: id, to: id, seq, ordinal, events: 1 };
      runs.push(last);
    }
  }
  return runs;
}

const byTenantAndId = (a: EventKey, b: EventKey): number =>
  a.tenantId === b.tenantId ? (a.id < b.id ? -1 : Number(a.id > b.id)) : a.tenantId < b.tenantId ? -1 : 1;

function readRuns(sql: Sql, runs: readonly Run[]) {
  const [leastId, greatestId] = boundsOf(runs);
  return sql.query(
    `select k.n, e.id, ${COLUMNS_BUT_ID}
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality k (tenant_id, from_id, to_id, n)
     cross join lateral (
       select * from usance.events e
       where e.tenant_id = k.tenant_id and e.id >= k.from_id and e.id <= k.to_id and e.id >= $4::uuid and e.id <= $5::uuid
       offset 0
     ) e`,
    [runs.map((run) => run.tenantId), runs.map((run) => run.from), runs.map((run) => run.to), leastId, greatestId],
  );
}

/** The types of these events by id. */
export async function readEventTypes(sql: Sql, keys: readonly EventKey[]): Promise<Map<Uuid, string>> {
  if (keys.length === 0) return new Map();
  const rows = await readRows(sql, keys, 'e.type');
  return new Map(rows.map((row) => [(keys[asNumber(row['n']) - 1] as EventKey).id, asText(row['type'])]));
}

/** Those of the events whose data were erased. */
export async function readErased(sql: Sql, keys: readonly EventKey[]): Promise<ReadonlySet<Uuid>> {
  if (keys.length === 0) return new Set();
  const rows = await readRows(sql, keys, 'e.salt is null and e.details is not null as erased');
  return new Set(
    rows.flatMap((row) => (row['erased'] === true ? [(keys[asNumber(row['n']) - 1] as EventKey).id] : [])),
  );
}

function readRows(sql: Sql, keys: readonly EventKey[], columns: string) {
  const [leastId, greatestId] = boundsOf(keys.map(({ id }) => ({ from: id, to: id })));
  return sql.query(
    `select k.n, ${columns} from unnest($1::uuid[], $2::uuid[]) with ordinality k (tenant_id, id, n)
     join usance.events e on e.tenant_id = k.tenant_id and e.id = k.id and e.id >= $3::uuid and e.id <= $4::uuid`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id), leastId, greatestId],
  );
}

/** The beginnings of the hashes of the links that have these events, by tenant and block: a cursor has them. */
async function readHashes(sql: Sql, runs: readonly Run[]): Promise<Map<string, string>> {
  const blocks = [...new Map(runs.map((run) => [run.tenantId + run.blockId, run])).values()];
  const rows = await sql.query(
    `select b.tenant_id, b.block_id, left(encode(b.hash, 'hex'), 8) as hash_prefix
     from unnest($1::uuid[], $2::uuid[]) k (tenant_id, block_id)
     join usance.event_blocks b on b.tenant_id = k.tenant_id and b.block_id = k.block_id`,
    [blocks.map((block) => block.tenantId), blocks.map((block) => block.blockId)],
  );
  return new Map(rows.map((row) => [asText(row['tenant_id']) + asText(row['block_id']), asText(row['hash_prefix'])]));
}
