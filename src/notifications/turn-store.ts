// Turns of a channel's executions, and the backlog of events beyond the limit. Lock order: the channel, then its backlog. Nothing waits for the lock of a
// channel: a caller's transaction may have it for as long as it likes.
//
// A turn beyond the limit also takes those of the executions that wait (`gather`): a burst of a thousand events is a few statements.
import type { Transaction } from '../db/index.ts';
import { asBoolean, asDate, asDateOrNull, asNumber, asText, asTextOrNull } from '../db/index.ts';
import { OPEN_EXECUTIONS } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { passingClock } from '../tenants/index.ts';
import type { Turn } from './turn.ts';
import { decideTurn } from './turn.ts';

export interface TurnKey {
  readonly tenantId: Uuid;
  readonly channelId: Uuid;
  readonly executionId: Uuid;
  readonly eventType: string;
}

/** Leaves the events of executions that wait to the summary, and ends the executions. Returns their types by execution. */
export type Gather = (tx: Transaction) => Promise<ReadonlyMap<Uuid, string>>;

/** How many events of each type a summary is about. */
export type Counts = ReadonlyMap<string, number>;

export interface Taken {
  readonly turn: Turn;
  readonly counts: Counts;
  /** Executions that were left to the summary together with this one, or behind it. */
  readonly gathered: number;
}

/** `deleted`: the channel is no more. `locked`: by another transaction. Rides the primary keys, and notification_backlog_carrier. */
export async function takeTurn(
  tx: Transaction,
  { tenantId, channelId, executionId, eventType }: TurnKey,
  gather: Gather,
): Promise<Taken | 'deleted' | 'locked'> {
  const of = [tenantId, channelId, executionId];
  const [row] = await tx.query(
    `select max_per_minute, window_at, window_sent, carrier_id, carrier_due_at, date_trunc('milliseconds', clock_timestamp()) as now
     from usance.notification_channels where tenant_id = $1::uuid and id = $2::uuid for update skip locked`,
    [tenantId, channelId],
  );
  if (!row) return (await hasChannel(tx, tenantId, channelId)) ? 'locked' : 'deleted';
  const [rows] = await tx.query(
    `select exists (select from usance.notification_backlog where tenant_id = $1::uuid and channel_id = $2::uuid and execution_id = $3::uuid) as queued,
            exists (select from usance.notification_backlog where tenant_id = $1::uuid and channel_id = $2::uuid and carrier_id = $3::uuid) as own`,
    of,
  );
  const state = {
    maxPerMinute: asNumber(row['max_per_minute']),
    windowAt: asDateOrNull(row['window_at']),
    windowSent: asNumber(row['window_sent']),
    carrierId: asTextOrNull(row['carrier_id']),
    carrierDueAt: asDateOrNull(row['carrier_due_at']),
    isQueued: asBoolean(rows?.['queued']),
    hasRows: asBoolean(rows?.['own']),
  };
  // Of a test tenant the minute is one of its clock, as the next attempt of the carrier is.
  const now = (await passingClock(tx, tenantId))?.now ?? asDate(row['now']);
  const { turn: decided, next } = decideTurn(state, executionId, now);
  const isSummary = decided.kind === 'send' && (await hasLeftRows(tx, [tenantId, channelId, next.carrierId]));
  const turn: Turn = isSummary ? { kind: 'summary' } : decided;
  await tx.query(
    `update usance.notification_channels
     set window_at = $3::timestamptz, window_sent = $4::int, carrier_id = $5::uuid, carrier_due_at = $6::timestamptz
     where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, channelId, next.windowAt, next.windowSent, next.carrierId, next.carrierDueAt],
  );
  // Of a test tenant the rest takes the ordinary way: its clock says what is due.
  const isBeyond = turn.kind === 'queued' || turn.kind === 'wait';
  const gathered = isBeyond ? await gather(tx) : new Map<Uuid, string>();
  const left = turn.kind === 'queued' ? new Map([[executionId, eventType], ...gathered]) : gathered;
  if (left.size > 0) await insertBacklog(tx, { tenantId, channelId }, left);
  const counts = turn.kind === 'summary' ? await takeBacklog(tx, of) : new Map();
  return { turn, counts, gathered: gathered.size };
}

async function insertBacklog(
  tx: Transaction,
  { tenantId, channelId }: Pick<TurnKey, 'tenantId' | 'channelId'>,
  left: ReadonlyMap<Uuid, string>,
): Promise<void> {
  await tx.query(
    `insert into usance.notification_backlog (tenant_id, channel_id, execution_id, event_type)
     select $1::uuid, $2::uuid, e.id, e.type from unnest($3::uuid[], $4::text[]) e (id, type) on conflict do nothing`,
    [tenantId, channelId, [...left.keys()], [...left.values()]],
  );
}

async function hasChannel(tx: Transaction, tenantId: Uuid, channelId: Uuid): Promise<boolean> {
  const rows = await tx.query('select from usance.notification_channels where tenant_id = $1::uuid and id = $2::uuid', [
    tenantId,
    channelId,
  ]);
  return rows.length > 0;
}

/** Rows whose carrier has ended without sending them: it is a dead letter, or was cancelled. The next message is a summary with them. */
async function hasLeftRows(tx: Transaction, of: readonly (Uuid | null)[]): Promise<boolean> {
  const [row] = await tx.query(
    `select exists (
       select from (
         select distinct b.carrier_id from usance.notification_backlog b where b.tenant_id = $1::uuid and b.channel_id = $2::uuid) c
       where not exists (
         select from (${OPEN_EXECUTIONS}) q where q.tenant_id = $1::uuid and q.id = coalesce(c.carrier_id, $3::uuid))) as has_left`,
    of,
  );
  return asBoolean(row?.['has_left']);
}

/** Every row becomes this one's that no carrier has, or one that has ended: a row that comes later is for the next summary. */
async function takeBacklog(tx: Transaction, of: readonly Uuid[]): Promise<Counts> {
  await tx.query(
    `update usance.notification_backlog b set carrier_id = $3::uuid
     where b.tenant_id = $1::uuid and b.channel_id = $2::uuid and b.carrier_id is distinct from $3::uuid and not exists (
       select from (${OPEN_EXECUTIONS}) q where q.tenant_id = b.tenant_id and q.id = b.carrier_id)`,
    of,
  );
  const rows = await tx.query(
    `select event_type, count(*)::int as events from usance.notification_backlog
     where tenant_id = $1::uuid and channel_id = $2::uuid and carrier_id = $3::uuid group by event_type order by event_type`,
    of,
  );
  return new Map(rows.map((row) => [asText(row['event_type']), asNumber(row['events'])]));
}

/** The summaries of these executions were sent. */
export async function clearBacklog(tx: Transaction, sent: readonly Omit<TurnKey, 'eventType'>[]): Promise<void> {
  await tx.query(
    `delete from usance.notification_backlog b
     using unnest($1::uuid[], $2::uuid[], $3::uuid[]) s (tenant_id, channel_id, carrier_id)
     where b.tenant_id = s.tenant_id and b.channel_id = s.channel_id and b.carrier_id = s.carrier_id`,
    [
      sent.map(({ tenantId }) => tenantId),
      sent.map(({ channelId }) => channelId),
      sent.map(({ executionId }) => executionId),
    ],
  );
}
