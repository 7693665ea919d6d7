// Events as the audit log shows them: newest first, whether or not they are ordered.
import type { Row, Sql } from '../db/index.ts';
import {
  asBigInt,
  asDate,
  asNumber,
  asRecord,
  asText,
  asTextOrNull,
  readStretch,
  stretchStatement,
} from '../db/index.ts';
import type { Attribution, Stretch, Uuid } from '../kernel/index.ts';
import { MAX_UUID, firstIdAt, idsWithin } from '../kernel/index.ts';
import type { EventRecord } from './event.ts';

export interface AuditLogFilter {
  /** Events of any of these actors. */
  readonly actors?: readonly string[];
  /** A pattern of LIKE. */
  readonly typeLike?: string;
  readonly resource?: string;
  readonly resourceId?: Uuid;
  readonly requestId?: string;
  /** By the real clock. */
  readonly from?: Date;
  readonly before?: Date;
}

export type AuditLogEntry = EventRecord &
  Attribution & {
    readonly reason: string | null;
    readonly recordedAt: Date;
    /** Its number in the order of commits, and the hash of the link that seals it; null until the sequencer has ordered it. */
    readonly seal: { readonly seq: bigint; readonly hash: string } | null;
  };

/** Events that one page scans at most. An index for every filter would be paid for by every payment. */
export const AUDIT_LOG_SCAN = 20_000;

const WITHIN = `tenant_id = $1::uuid and id < $2::uuid and id >= $3::uuid and id < $4::uuid`;

/**
 * Rides the primary key backwards over one bounded scan, within the ids of the time range; for one resource, events_resource without a bound.
 * An event that its block does not count was added later and is not shown. `reached` is the id to continue from, if the scan ended before
 * the page was full.
 */
export async function listAuditLog(
  sql: Sql,
  tenantId: Uuid,
  filter: AuditLogFilter,
  page: { limit: number; before: Uuid | null },
): Promise<Stretch<AuditLogEntry, Uuid>> {
  const { from, before } = filter;
  const ids = idsWithin(from, before);
  const bounds = [tenantId, page.before ?? MAX_UUID, ids.from, ids.before];
  const among =
    filter.resourceId === undefined
      ? `(select * from usance.events where ${WITHIN} order by id desc limit ${AUDIT_LOG_SCAN}) e`
      : `usance.events e`;
  const leavesOut = Object.keys(filter).length > 0 && filter.resourceId === undefined;
  const rows = await sql.query(
    stretchStatement({
      page: `select id, type, version, resource, resource_id, data::text as data, actor, ip, user_agent, request_id, reason, occurred_at,
              recorded_at, s.seq, s.hash
       from ${among}
       left join lateral (
         select b.last_seq - b.events + 1 + usance.ordinal_of(e.id) as seq, encode(b.hash, 'hex') as hash, b.events
         from usance.event_blocks b where b.tenant_id = $1::uuid and b.block_id = usance.block_of(e.id)
       ) s on true
       where ${WITHIN} and (s.events is null or usance.ordinal_of(e.id) < s.events)
         and ($5::timestamptz is null or recorded_at >= $5::timestamptz)
         and ($6::timestamptz is null or recorded_at < $6::timestamptz)
         and ($7::text[] is null or actor = any ($7::text[])) and ($8::text is null or type like $8::text)
         and ($9::text is null or resource = $9::text) and ($10::uuid is null or resource_id = $10::uuid)
         and ($11::text is null or request_id = $11::text)
       order by id desc limit $12::int`,
      limit: '$12::int',
      end: leavesOut
        ? `select id from usance.events where ${WITHIN} order by id desc offset ${AUDIT_LOG_SCAN - 1} limit 1`
        : null,
      order: 'id desc',
    }),
    [
      ...bounds,
      from ?? null,
      before ?? null,
      filter.actors ?? null,
      filter.typeLike ?? null,
      filter.resource ?? null,
      filter.resourceId ?? null,
      filter.requestId ?? null,
      page.limit,
    ],
  );
  return readStretch(rows, (row) => recorded(tenantId, row), asText);
}

function recorded(tenantId: Uuid, row: Row): AuditLogEntry {
  return {
    tenantId,
    id: asText(row['id']),
    type: asText(row['type']),
    version: asNumber(row['version']),
    resource: asText(row['resource']),
    resourceId: asText(row['resource_id']),
    data: asRecord(row['data']),
    actor: asText(row['actor']),
    ip: asTextOrNull(row['ip']),
    userAgent: asTextOrNull(row['user_agent']),
    requestId: asTextOrNull(row['request_id']),
    reason: asTextOrNull(row['reason']),
    occurredAt: asDate(row['occurred_at']),
    recordedAt: asDate(row['recorded_at']),
    seal: row['seq'] === null ? null : { seq: asBigInt(row['seq']), hash: asText(row['hash']) },
  };
}

/**
 * The events of these payments that set a reference or metadata and still have it. Compared as text, because data that `jsonb` refuses can be
 * among them. Rides events_resource.
 */
export async function eventIdsWithTexts(sql: Sql, tenantId: Uuid, payments: readonly Uuid[]): Promise<Uuid[]> {
  const rows = await sql.query(
    `select e.id from unnest($2::uuid[]) k (resource_id) join usance.events e using (resource_id)
     where e.tenant_id = $1::uuid and e.type in ('payment.created', 'payment.updated') and e.salt is not null
       and (e.data::text like '%"reference":%' or e.data::text like '%"metadata":%')`,
    [tenantId, payments],
  );
  return rows.map((row) => asText(row['id']));
}

export interface AboutOrBy {
  readonly tenantId: Uuid;
  readonly resourceId: Uuid;
  /** A type of event about the resource that is left out. */
  readonly exceptType: string;
  readonly actor: string;
  readonly since: Date;
}

/**
 * The ids of events about a resource, except one type, and of events that an actor caused since an instant, for erasing an account. The
 * former ride events_resource; the latter scan the tenant's events since then, which is slow but rare.
 */
export async function eventIdsAboutOrBy(
  sql: Sql,
  { tenantId, resourceId, exceptType, actor, since }: AboutOrBy,
): Promise<Uuid[]> {
  const rows = await sql.query(
    `select id from usance.events where tenant_id = $1::uuid and resource_id = $2::uuid and type <> $3::text
     union
     select id from usance.events where tenant_id = $1::uuid and id >= $5::uuid and actor = $4::text
     order by id`,
    [tenantId, resourceId, exceptType, actor, firstIdAt(since)],
  );
  return rows.map((row) => asText(row['id']));
}
