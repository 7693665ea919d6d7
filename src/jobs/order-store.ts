// Ordered executions: those of one job about one resource (their *key*) run one after the other, in the order of their events. At most one
// execution of a key is *open*: it waits, runs or is being retried. The others are *blocked*: they wait in the queue with a due instant that
// never comes, so that claims do not meet them. When the open one ends, the blocked one with the lowest seq opens.
//
//   a take of the matcher    inserts blocked rows, then opens keys that have nothing open (openNext)
//   an attempt ends          deletes the open row, then opens the next one, in the same transaction
//   a cancel, a retry,       leave a note that the key has to be looked at: they are in a caller's transaction, or beside a take
//   a backfill
//   the matcher's loop       looks at noted keys, under the matcher's lock (settleNoted)
//
// No two transactions open a key that has nothing open: takes and settleNoted have the matcher's lock, and an end has deleted the open row.
//
// None is forgotten. A transaction that leaves a key as it is has seen its open row and locked it: a transaction that deletes that row later sees
// everything that this transaction did. If another transaction has the row at this moment, it may be deleting it without seeing this
// one's rows. Nothing here waits for that, because it may be a caller's: the key is noted, and looked at again.
//
// Notes have no key, so that two transactions that note the same one do not wait for each other. `listStuck` finds keys that were left
// by something that knows nothing of all this, such as an older worker.
//
// Every statement rides execution_queue_order, whose first row of a key is the open one, or the next one if none is open.
import type { Sql } from '../db/index.ts';
import { asBoolean, asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';

export interface OrderKey {
  readonly tenantId: Uuid;
  readonly jobId: Uuid;
  readonly orderKey: Uuid;
}

/** The due instant of a blocked execution. */
export const NEVER = `'9999-12-31 00:00Z'::timestamptz`;

const columnsOf = (keys: readonly OrderKey[]) => [
  keys.map((key) => key.tenantId),
  keys.map((key) => key.jobId),
  keys.map((key) => key.orderKey),
];

/** Opens the next execution of each key that has none open; returns how many. Notes the keys that other transactions have. */
export async function openNext(tx: Sql, keys: readonly OrderKey[]): Promise<number> {
  if (keys.length === 0) return 0;
  const row = only(
    await tx.query(
      `with head as materialized (
         select k.tenant_id, k.job_id, k.order_key, q.id, q.blocked
         from (select distinct * from unnest($1::uuid[], $2::uuid[], $3::uuid[]) k (tenant_id, job_id, order_key)) k
         cross join lateral (
           select q.id, q.blocked from usance.execution_queue q
           where q.tenant_id = k.tenant_id and q.job_id = k.job_id and q.order_key = k.order_key
           order by q.blocked, q.seq limit 1) q
       ), open as materialized (
         select q.id from head h join usance.execution_queue q on q.tenant_id = h.tenant_id and q.id = h.id
         where not h.blocked order by q.tenant_id, q.id for key share of q skip locked
       ), next as materialized (
         select q.tenant_id, q.id from head h join usance.execution_queue q on q.tenant_id = h.tenant_id and q.id = h.id
         where h.blocked and q.blocked order by q.tenant_id, q.id for no key update of q skip locked
       ), opened as (
         update usance.execution_queue q
         set blocked = false,
             due_at = case when q.clock_id is null then date_trunc('milliseconds', clock_timestamp()) else q.created_at end
         from next n where q.tenant_id = n.tenant_id and q.id = n.id returning 1
       ), noted as (
         insert into usance.execution_order_notes (tenant_id, job_id, order_key)
         select h.tenant_id, h.job_id, h.order_key from head h
         where h.id not in (select id from open) and h.id not in (select id from next)
       )
       select count(*)::int as opened from opened`,
      columnsOf(keys),
    ),
  );
  return asNumber(row['opened']);
}

/** The matcher's loop looks at these keys once the transaction has committed. */
export async function noteOrder(tx: Sql, keys: readonly OrderKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `insert into usance.execution_order_notes (tenant_id, job_id, order_key)
     select distinct * from unnest($1::uuid[], $2::uuid[], $3::uuid[])`,
    columnsOf(keys),
  );
}

/** Takes the first notes away and opens what they say. Only under the matcher's lock. */
export async function settleNoted(
  tx: Sql,
  limit: number,
): Promise<{ readonly taken: number; readonly opened: number }> {
  const rows = await tx.query(
    `delete from usance.execution_order_notes where id = any (array(
       select id from usance.execution_order_notes order by id limit $1::int for update skip locked))
     returning tenant_id, job_id, order_key`,
    [limit],
  );
  const keys = rows.map((row) => ({
    tenantId: asText(row['tenant_id']),
    jobId: asText(row['job_id']),
    orderKey: asText(row['order_key']),
  }));
  return { taken: keys.length, opened: await openNext(tx, keys) };
}

/** Among so many keys behind one, in order, those that have nothing open; and where to continue, null at the end. */
export async function listStuck(
  sql: Sql,
  after: OrderKey | null,
  scanned: number,
): Promise<{ readonly stuck: readonly OrderKey[]; readonly next: OrderKey | null }> {
  const first = (behind: string): string =>
    `select q.tenant_id, q.job_id, q.order_key, q.blocked from usance.execution_queue q
     where q.order_key is not null and (q.tenant_id, q.job_id, q.order_key) > (${behind})
     order by q.tenant_id, q.job_id, q.order_key, q.blocked, q.seq limit 1`;
  const rows = await sql.query(
    `with recursive key as (
       select k.*, 1 as n from (${first('$1::uuid, $2::uuid, $3::uuid')}) k
       union all
       select k.*, l.n + 1 from key l cross join lateral (${first('l.tenant_id, l.job_id, l.order_key')}) k where l.n < $4::int
     )
     select tenant_id, job_id, order_key, blocked, n from key where blocked or n = $4::int`,
    [after?.tenantId ?? NIL_UUID, after?.jobId ?? NIL_UUID, after?.orderKey ?? NIL_UUID, scanned],
  );
  const keyOf = (row: (typeof rows)[number]): OrderKey => ({
    tenantId: asText(row['tenant_id']),
    jobId: asText(row['job_id']),
    orderKey: asText(row['order_key']),
  });
  const last = rows.find((row) => asNumber(row['n']) === scanned);
  return { stuck: rows.filter((row) => asBoolean(row['blocked'])).map(keyOf), next: last ? keyOf(last) : null };
}
