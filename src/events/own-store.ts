// Own events: how many a tenant appended today, and which are old.
import type { Sql, Transaction } from '../db/index.ts';
import { asBigInt, asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

const TODAY = `(clock_timestamp() at time zone 'UTC')::date`;

export interface OwnEventCount {
  /** Appended today, those of this transaction included. */
  readonly today: bigint;
  /** Until the day ends. */
  readonly secondsLeft: number;
}

/**
 * Counts events of this transaction, and returns the count of the day. Takes the first slot that no other transaction holds, or makes
 * `slot`: it never waits. Events of transactions that have not committed are not in the count, so that calls at the same moment can
 * exceed a quota together by as much as they append.
 */
export async function countOwnEvents(
  tx: Transaction,
  tenantId: Uuid,
  events: number,
  slot: Uuid,
): Promise<OwnEventCount> {
  const [, rows] = await tx.together([
    () =>
      tx.query(
        `with today as materialized (select ${TODAY} as day),
         free as (
           select c.day, c.slot from usance.own_event_counts c
           where c.tenant_id = $1::uuid and c.day = (select day from today) limit 1 for update skip locked),
         counted as (
           update usance.own_event_counts c set events = c.events + $2::int from free
           where c.tenant_id = $1::uuid and c.day = free.day and c.slot = free.slot returning 1)
         insert into usance.own_event_counts (tenant_id, day, slot, events)
         select $1::uuid, day, $3::uuid, $2::int from today where not exists (select from counted)`,
        [tenantId, events, slot],
      ),
    () =>
      tx.query(
        `select coalesce(sum(events), 0)::text as today,
                ceil(extract(epoch from ((${TODAY} + 1)::timestamp at time zone 'UTC') - clock_timestamp()))::int as seconds_left
         from usance.own_event_counts where tenant_id = $1::uuid and day = ${TODAY}`,
        [tenantId],
      ),
  ]);
  const row = only(rows);
  return { today: asBigInt(row['today']), secondsLeft: asNumber(row['seconds_left']) };
}

/** Counts of days that no quota looks at. */
export async function deleteOwnCounts(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from usance.own_event_counts where ctid = any (array(
       select ctid from usance.own_event_counts where day < ${TODAY} - 1 limit $1::int for update skip locked))
     returning 1 as gone`,
    [limit],
  );
  return rows.length;
}

export interface OwnEventPlace {
  readonly tenantId: Uuid;
  readonly id: Uuid;
}

/** Own events that are not erased and have smaller ids, behind a place, tenant by tenant. Rides events_own. */
export async function oldOwnEvents(
  sql: Sql,
  before: Uuid,
  after: OwnEventPlace,
  limit: number,
): Promise<OwnEventPlace[]> {
  const rows = await sql.query(
    `select tenant_id, id from usance.events
     where resource_id >= 'ff000000-0000-0000-0000-000000000000' and salt is not null and id < $1::uuid
       and (tenant_id, id) > ($2::uuid, $3::uuid)
     order by tenant_id, id limit $4::int`,
    [before, after.tenantId, after.id, limit],
  );
  return rows.map((row) => ({ tenantId: asText(row['tenant_id']), id: asText(row['id']) }));
}
