// Channels, joined with their jobs. Changes lock the channel first and its job second. The health of a channel is written by the transactions
// that end its executions, which skip a row that is locked.
import type { Row, Sql } from '../db/index.ts';
import { asBoolean, asDate, asDateOrNull, asNumber, asText, asTextOrNull } from '../db/index.ts';
import { MANAGED_JOBS } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { writingSecrets } from '../secrets/index.ts';
import type { Channel, ChannelDisabledReason, ChannelKind, Topic } from './channel.ts';

const COLUMNS = `c.tenant_id, c.id, j.name, c.kind, c.target_host, to_jsonb(c.topics)::text as topics, c.max_per_minute, c.send_test_events,
  j.enabled, c.disabled_reason, c.last_success_at, c.failing_since, j.created_by, c.created_at, c.updated_at,
  encode(c.target, 'hex') as target, encode(c.secret, 'hex') as secret`;
const LIVE = `usance.notification_channels c join (${MANAGED_JOBS}) j on j.tenant_id = c.tenant_id and j.id = c.id
  where c.tenant_id = $1::uuid`;

/** With its encrypted values. */
export interface StoredChannel extends Channel {
  /** Null after its key was given up, until another URL is set. */
  readonly target: Buffer | null;
  /** Null unless its kind is `webhook`, and after its key was given up. */
  readonly secret: Buffer | null;
}

const bytesOf = (value: unknown): Buffer | null => {
  const digits = asTextOrNull(value);
  return digits === null ? null : Buffer.from(digits, 'hex');
};

const channel = (row: Row): StoredChannel => ({
  tenantId: asText(row['tenant_id']),
  id: asText(row['id']),
  name: asText(row['name']),
  kind: asText(row['kind']) as ChannelKind,
  targetHost: asText(row['target_host']),
  topics: JSON.parse(asText(row['topics'])) as Topic[],
  maxPerMinute: asNumber(row['max_per_minute']),
  sendTestEvents: asBoolean(row['send_test_events']),
  enabled: asBoolean(row['enabled']),
  disabledReason: asTextOrNull(row['disabled_reason']) as ChannelDisabledReason | null,
  lastSuccessAt: asDateOrNull(row['last_success_at']),
  failingSince: asDateOrNull(row['failing_since']),
  createdBy: asText(row['created_by']),
  createdAt: asDate(row['created_at']),
  updatedAt: asDate(row['updated_at']),
  target: bytesOf(row['target']),
  secret: bytesOf(row['secret']),
});

const hex = (value: Buffer | null): string | null => value?.toString('hex') ?? null;

export async function insertChannel(sql: Sql, made: StoredChannel): Promise<void> {
  await writingSecrets(
    sql.query(
      `insert into usance.notification_channels
         (tenant_id, id, kind, target, secret, target_host, topics, max_per_minute, send_test_events, disabled_reason, created_at, updated_at)
       values ($1::uuid, $2::uuid, $3::text, decode($4::text, 'hex'), decode($5::text, 'hex'), $6::text, $7::text[], $8::int, $9::boolean,
               $10::text, $11::timestamptz, $11::timestamptz)`,
      [
        made.tenantId,
        made.id,
        made.kind,
        hex(made.target),
        hex(made.secret),
        made.targetHost,
        made.topics,
        made.maxPerMinute,
        made.sendTestEvents,
        made.disabledReason,
        made.createdAt,
      ],
    ),
  );
}

export async function findChannel(sql: Sql, tenantId: Uuid, id: Uuid): Promise<StoredChannel | null> {
  const [row] = await sql.query(`select ${COLUMNS} from ${LIVE} and c.id = $2::uuid`, [tenantId, id]);
  return row ? channel(row) : null;
}

/** Locks it, and reads it by a statement of its own: the one that waited for the lock would join the job as it was before the wait. */
export async function lockChannel(sql: Sql, tenantId: Uuid, id: Uuid): Promise<StoredChannel | null> {
  await sql.query('select from usance.notification_channels where tenant_id = $1::uuid and id = $2::uuid for update', [
    tenantId,
    id,
  ]);
  return findChannel(sql, tenantId, id);
}

/** Newest first. Rides the primary key. */
export async function listChannels(
  sql: Sql,
  tenantId: Uuid,
  { limit, before }: { readonly limit: number; readonly before: Uuid | null },
): Promise<StoredChannel[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from ${LIVE} and ($2::uuid is null or c.id < $2::uuid) order by c.id desc limit $3::int`,
    [tenantId, before, limit],
  );
  return rows.map(channel);
}

/** Its own columns. `isAgain`: its health begins anew. */
export async function updateChannelRow(sql: Sql, changed: StoredChannel, isAgain: boolean): Promise<void> {
  await writingSecrets(
    sql.query(
      `update usance.notification_channels
       set target = decode($3::text, 'hex'), secret = decode($4::text, 'hex'), target_host = $5::text, topics = $6::text[],
           max_per_minute = $7::int, send_test_events = $8::boolean, disabled_reason = $9::text, updated_at = $10::timestamptz,
           failing_since = case when $11::boolean then null else failing_since end,
           last_failed_at = case when $11::boolean then null else last_failed_at end,
           gone_at = case when $11::boolean then null else gone_at end
       where tenant_id = $1::uuid and id = $2::uuid`,
      [
        changed.tenantId,
        changed.id,
        hex(changed.target),
        hex(changed.secret),
        changed.targetHost,
        changed.topics,
        changed.maxPerMinute,
        changed.sendTestEvents,
        changed.disabledReason,
        changed.updatedAt,
        isAgain,
      ],
    ),
  );
}

/** With its backlog: the URL is gone, and nothing is sent any more. */
export async function deleteChannelRow(sql: Sql, tenantId: Uuid, id: Uuid): Promise<void> {
  await sql.query('delete from usance.notification_backlog where tenant_id = $1::uuid and channel_id = $2::uuid', [
    tenantId,
    id,
  ]);
  await sql.query('delete from usance.notification_channels where tenant_id = $1::uuid and id = $2::uuid', [
    tenantId,
    id,
  ]);
}
