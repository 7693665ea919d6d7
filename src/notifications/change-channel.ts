// Creates, changes, deletes and tests channels. The job of a channel is created, changed and deleted in the same transaction.
import type { Transaction } from '../db/index.ts';
import { appendEvents, newBlockId } from '../events/index.ts';
import type { EventVerb } from '../events/index.ts';
import { createManagedJob, deleteManagedJob, executionIdOf, updateManagedJob } from '../jobs/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { aboutRow, requireSecrets } from '../secrets/index.ts';
import type { Channel, ChannelChanges, ChannelParams, ChannelTest } from './channel.ts';
import { ATTEMPT_MS, CHANNEL_RETRY, PROCESSOR, TESTED, patternOf } from './channel.ts';
import type { StoredChannel } from './channel-store.ts';
import { ENCRYPTED_TARGETS, deleteChannelRow, findChannel, insertChannel, updateChannelRow } from './channel-store.ts';
import { parseChannel } from './parse-channel.ts';

export interface ChannelContext {
  readonly tenantId: Uuid;
  readonly caller: Caller;
  readonly secrets: Secrets;
  /** The URL in its normal form; refuses one that no request could be sent to. */
  readonly checkUrl: (url: string, param: string) => string;
}

type Target = Pick<StoredChannel, 'target' | 'targetHost'>;

export async function createChannel(
  tx: Transaction,
  clock: Clock,
  context: ChannelContext,
  params: ChannelParams,
): Promise<Channel> {
  const { tenantId, caller } = context;
  const terms = parseChannel(params);
  const id = newId();
  const target = encryptTarget(context, id, params.url);
  const job = await createManagedJob(
    tx,
    clock,
    { tenantId, caller },
    {
      id,
      name: params.name,
      description: `Notifications of the channel "${params.name}".`,
      eventPattern: patternOf(terms.topics),
      processorName: PROCESSOR,
      ...(params.enabled === undefined ? {} : { enabled: params.enabled }),
      retry: CHANNEL_RETRY,
      timeoutMs: ATTEMPT_MS,
    },
  );
  const channel: StoredChannel = {
    tenantId,
    id,
    name: job.name,
    ...terms,
    ...target,
    enabled: job.enabled,
    createdBy: caller.actor,
    createdAt: clock.now,
    updatedAt: clock.now,
  };
  await insertChannel(tx, channel);
  await emit(tx, clock, context, id, 'created', { new: termsInEvents(channel) });
  return shown(channel);
}

export async function updateChannel(
  tx: Transaction,
  clock: Clock,
  context: ChannelContext,
  id: Uuid,
  changes: ChannelChanges,
): Promise<Channel> {
  const { name, url, enabled, topics, maxPerMinute } = changes;
  await requireChannel(tx, context, id);
  const job = await updateManagedJob(tx, clock, context, id, {
    ...(name === undefined ? {} : { name, description: `Notifications of the channel "${name}".` }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(topics === undefined ? {} : { eventPattern: patternOf(parseChannel({ kind: 'slack', topics }).topics) }),
  });
  const before = await requireChannel(tx, context, id, 'for update');
  const terms = parseChannel({
    kind: before.kind,
    topics: topics ?? before.topics,
    maxPerMinute: maxPerMinute ?? before.maxPerMinute,
  });
  const target = url === undefined ? {} : encryptTarget(context, id, url);
  const after: StoredChannel = {
    ...before,
    ...terms,
    ...target,
    name: job.name,
    enabled: job.enabled,
    updatedAt: clock.now,
  };
  await updateChannelRow(tx, after);
  await emit(tx, clock, context, id, 'updated', {
    old: termsInEvents(before),
    new: termsInEvents(after),
    urlChanged: url !== undefined,
  });
  return shown(after);
}

export async function deleteChannel(
  tx: Transaction,
  clock: Clock,
  context: ChannelContext,
  id: Uuid,
): Promise<Channel> {
  await requireChannel(tx, context, id);
  await deleteManagedJob(tx, clock, context, id);
  const channel = await requireChannel(tx, context, id, 'for update');
  await deleteChannelRow(tx, context.tenantId, id);
  await emit(tx, clock, context, id, 'deleted', termsInEvents(channel));
  return shown(channel);
}

/** Appends an event that is addressed to the job of the channel: a worker sends it as it sends any other. */
export async function testChannel(
  tx: Transaction,
  clock: Clock,
  context: ChannelContext,
  id: Uuid,
): Promise<ChannelTest> {
  const channel = await requireChannel(tx, context, id);
  if (!channel.enabled) refuse('NOTIFICATION_CHANNEL_DISABLED', { channel: id });
  const eventId = newBlockId();
  await emit(tx, clock, context, id, 'tested', {}, eventId);
  return { channel: shown(channel), eventId, executionId: executionIdOf(id, eventId) };
}

export async function requireChannel(
  sql: Transaction,
  { tenantId }: Pick<ChannelContext, 'tenantId'>,
  id: Uuid,
  lock: '' | 'for update' = '',
): Promise<StoredChannel> {
  return (await findChannel(sql, tenantId, id, lock)) ?? refuse('NOTIFICATION_CHANNEL_NOT_FOUND', { channel: id });
}

/** Without the encrypted URL. */
export function shown({ target: _target, ...channel }: StoredChannel): Channel {
  return channel;
}

function encryptTarget({ tenantId, secrets, checkUrl }: ChannelContext, id: Uuid, url: string): Target {
  requireSecrets(secrets, 'url');
  const checked = checkUrl(url, 'url');
  return {
    target: secrets.encrypt(checked, aboutRow(ENCRYPTED_TARGETS, { tenantId, id })),
    targetHost: new URL(checked).host,
  };
}

const termsInEvents = ({ name, kind, targetHost, topics, maxPerMinute, enabled }: Channel) => ({
  name,
  kind,
  targetHost,
  topics,
  maxPerMinute,
  enabled,
});

async function emit(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: ChannelContext,
  id: Uuid,
  what: EventVerb<'notification_channel'>,
  data: Readonly<Record<string, unknown>>,
  eventId?: Uuid,
): Promise<void> {
  const about = { tenantId, resource: 'notification_channel', resourceId: id, occurredAt: clock.now };
  const type = what === 'tested' ? TESTED : (`notification_channel.${what}` as const);
  await appendEvents(tx, [{ ...caller, ...about, type, data, ...(eventId === undefined ? {} : { id: eventId }) }]);
}
