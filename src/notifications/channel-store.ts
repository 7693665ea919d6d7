// Channels. A change locks the row of the job first, then that of the channel; a burst locks the channel only.
import type { Row, Sql } from '../db/index.ts';
import { asBoolean, asDate, asNumber, asText } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { EncryptedColumn } from '../secrets/index.ts';
import { writingSecrets } from '../secrets/index.ts';
import type { Channel, ChannelKind, Topic } from './channel.ts';

export const ENCRYPTED_TARGETS: EncryptedColumn = {
  table: 'notification_channels',
  column: 'target_encrypted',
  keyColumn: 'target_key',
  keyIsGenerated: true,
  purpose: 'notification_channel.target',
  nouns: 'URLs of notification channels',
};

const COLUMNS = `tenant_id, id, name, kind, target_host, to_jsonb(topics)::text as topics, max_per_minute, enabled, created_by, created_at,
  updated_at, encode(target_encrypted, 'hex') as target`;

/** With its encrypted URL. */
export interface StoredChannel extends Channel {
  readonly target: Buffer;
}

const channel = (row: Row): StoredChannel => ({
  tenantId: asText(row['tenant_id']),
  id: asText(row['id']),
  name: asText(row['name']),
  kind: asText(row['kind']) as ChannelKind,
  targetHost: asText(row['target_host']),
  topics: JSON.parse(asText(row['topics'])) as Topic[],
  maxPerMinute: asNumber(row['max_per_minute']),
  enabled: asBoolean(row['enabled']),
  createdBy: asText(row['created_by']),
  createdAt: asDate(row['created_at']),
  updatedAt: asDate(row['updated_at']),
  target: Buffer.from(asText(row['target']), 'hex'),
});

export async function insertChannel(sql: Sql, made: StoredChannel): Promise<void> {
  const { tenantId, id, name, kind, target, targetHost, topics, maxPerMinute, enabled, createdBy, createdAt } = made;
  await writingSecrets(
    sql.query(
      `insert into usance.notification_channels
         (tenant_id, id, name, kind, target_encrypted, target_host, topics, max_per_minute, enabled, created_by, created_at, updated_at)
       values ($1::uuid, $2::uuid, $3::text, $4::text, decode($5::text, 'hex'), $6::text, $7::text[], $8::int, $9::boolean, $10::text,
               $11::timestamptz, $11::timestamptz)`,
      [
        tenantId,
        id,
        name,
        kind,
        target.toString('hex'),
        targetHost,
        topics,
        maxPerMinute,
        enabled,
        createdBy,
        createdAt,
      ],
    ),
  );
}

export async function findChannel(
  sql: Sql,
  tenantId: Uuid,
  id: Uuid,
  lock: '' | 'for update' = '',
): Promise<StoredChannel | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.notification_channels where tenant_id = $1::uuid and id = $2::uuid ${lock}`,
    [tenantId, id],
  );
  return row ? channel(row) : null;
}

/** Newest first. Rides the primary key. */
export async function listChannels(
  sql: Sql,
  tenantId: Uuid,
  { limit, before }: { readonly limit: number; readonly before: Uuid | null },
): Promise<StoredChannel[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.notification_channels
     where tenant_id = $1::uuid and ($2::uuid is null or id < $2::uuid) order by id desc limit $3::int`,
    [tenantId, before, limit],
  );
  return rows.map(channel);
}

export async function updateChannelRow(sql: Sql, changed: StoredChannel): Promise<void> {
  const { tenantId, id, name, target, targetHost, topics, maxPerMinute, enabled, updatedAt } = changed;
  await writingSecrets(
    sql.query(
      `update usance.notification_channels
       set name = $3::text, target_encrypted = decode($4::text, 'hex'), target_host = $5::text, topics = $6::text[],
           max_per_minute = $7::int, enabled = $8::boolean, updated_at = $9::timestamptz
       where tenant_id = $1::uuid and id = $2::uuid`,
      [tenantId, id, name, target.toString('hex'), targetHost, topics, maxPerMinute, enabled, updatedAt],
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
