// Creates, changes, deletes and tests channels. The job of a channel is created, changed and deleted in the same transaction.
import type { Transaction } from '../db/index.ts';
import type { TenantCaller } from '../jobs/index.ts';
import { createManagedJob, deleteManagedJob, executionIdOf, updateManagedJob } from '../jobs/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { aboutRow, requireSecrets } from '../secrets/index.ts';
import { newWebhookSecret } from '../webhooks/index.ts';
import type { Channel, ChannelChanges, ChannelParams, ChannelTest, ChannelWithSecret } from './channel.ts';
import { ATTEMPT_MS, CHANNEL_RETRY, PROCESSOR, SIGNING_SECRET, TARGET, patternOf } from './channel.ts';
import { emitChannelEvent, termsInEvents } from './channel-events.ts';
import type { StoredChannel } from './channel-store.ts';
import { deleteChannelRow, lockChannel, insertChannel, updateChannelRow } from './channel-store.ts';
import { parseChannel } from './parse-channel.ts';

export interface ChannelTools {
  readonly secrets: Secrets;
  /** The URL in its normal form; refuses one that no request could be sent to. */
  readonly checkUrl: (url: string, param: string) => string;
}

const describe = (name: string): string => `Notifications of the channel "${name}".`;

export async function createChannel(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  params: ChannelParams,
  tools: ChannelTools,
): Promise<ChannelWithSecret> {
  const { tenantId, caller } = by;
  const { name, url, enabled = true } = params;
  if (url === undefined) refuse('FIELD_INVALID/required', { param: 'url' });
  const terms = parseChannel(params);
  const key = { tenantId, id: newId() };
  const target = encryptTarget(tools, key, url);
  const secret = terms.kind === 'webhook' ? newWebhookSecret() : null;
  const job = await createManagedJob(tx, clock, by, {
    id: key.id,
    name,
    description: describe(name),
    eventPattern: patternOf(terms.topics),
    processorName: PROCESSOR,
    enabled,
    retry: CHANNEL_RETRY,
    timeoutMs: ATTEMPT_MS,
  });
  const channel: StoredChannel = {
    ...key,
    name: job.name,
    ...terms,
    ...target,
    secret: secret === null ? null : tools.secrets.encrypt(secret, aboutRow(SIGNING_SECRET, key)),
    enabled: job.enabled,
    disabledReason: job.enabled ? null : 'caller',
    lastSuccessAt: null,
    failingSince: null,
    createdBy: job.createdBy,
    createdAt: clock.now,
    updatedAt: clock.now,
  };
  await insertChannel(tx, channel);
  await emitChannelEvent(tx, clock, caller, channel, 'created', { new: termsInEvents(channel) });
  return { channel: shown(channel), secret };
}

/** A channel that is enabled again begins with the next event. */
export async function updateChannel(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  id: Uuid,
  changes: ChannelChanges,
  tools: ChannelTools,
): Promise<Channel> {
  const before = await holdChannel(tx, by, id);
  const { name, url, enabled } = changes;
  const terms = parseChannel({
    kind: before.kind,
    topics: changes.topics ?? before.topics,
    maxPerMinute: changes.maxPerMinute ?? before.maxPerMinute,
    sendTestEvents: changes.sendTestEvents ?? before.sendTestEvents,
  });
  const target = url === undefined ? {} : encryptTarget(tools, before, url);
  const job = await updateManagedJob(tx, clock, by, id, {
    ...(name === undefined ? {} : { name, description: describe(name) }),
    ...(enabled === undefined ? {} : { enabled }),
    eventPattern: patternOf(terms.topics),
  });
  const isAgain = job.enabled && !before.enabled;
  const after: StoredChannel = {
    ...before,
    ...terms,
    ...target,
    name: job.name,
    enabled: job.enabled,
    disabledReason: job.enabled ? null : (before.disabledReason ?? 'caller'),
    updatedAt: clock.now,
    ...(isAgain || url !== undefined ? { failingSince: null } : {}),
  };
  await updateChannelRow(tx, after, isAgain || url !== undefined);
  await emitChannelEvent(tx, clock, by.caller, after, 'updated', {
    old: termsInEvents(before),
    new: termsInEvents(after),
    urlChanged: url !== undefined,
  });
  return shown(after);
}

/** Its URL, secret and backlog are deleted at once; messages that wait are cancelled. */
export async function deleteChannel(tx: Transaction, clock: Clock, by: TenantCaller, id: Uuid): Promise<Channel> {
  const channel = await holdChannel(tx, by, id);
  await deleteManagedJob(tx, clock, by, id);
  await deleteChannelRow(tx, by.tenantId, id);
  await emitChannelEvent(tx, clock, by.caller, channel, 'deleted', termsInEvents(channel));
  return shown(channel);
}

/** Replaces the secret of a channel of the kind `webhook` at once. */
export async function rotateChannelSecret(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  id: Uuid,
  { secrets }: ChannelTools,
): Promise<ChannelWithSecret> {
  requireSecrets(secrets);
  const channel = await holdChannel(tx, by, id);
  if (channel.kind !== 'webhook') refuse('NOTIFICATION_CHANNEL_UNSIGNED', { channel: id, kind: channel.kind });
  const secret = newWebhookSecret();
  const after = {
    ...channel,
    secret: secrets.encrypt(secret, aboutRow(SIGNING_SECRET, channel)),
    updatedAt: clock.now,
  };
  await updateChannelRow(tx, after, false);
  await emitChannelEvent(tx, clock, by.caller, channel, 'secret_rotated', {});
  return { channel: shown(after), secret };
}

/** Appends an event that is addressed to the job of the channel: a worker sends it as it sends any other. */
export async function testChannel(tx: Transaction, clock: Clock, by: TenantCaller, id: Uuid): Promise<ChannelTest> {
  const channel = await holdChannel(tx, by, id);
  if (!channel.enabled) refuse('NOTIFICATION_CHANNEL_DISABLED', { channel: id });
  const eventId = await emitChannelEvent(tx, clock, by.caller, channel, 'tested', {});
  return { channel: shown(channel), eventId, executionId: executionIdOf(id, eventId) };
}

/** Locks it until the transaction ends. */
export async function holdChannel(
  tx: Transaction,
  { tenantId }: Pick<TenantCaller, 'tenantId'>,
  id: Uuid,
): Promise<StoredChannel> {
  return (await lockChannel(tx, tenantId, id)) ?? refuse('NOTIFICATION_CHANNEL_NOT_FOUND', { channel: id });
}

/** Without its encrypted values. */
export function shown({ target: _target, secret: _secret, ...channel }: StoredChannel): Channel {
  return channel;
}

function encryptTarget(
  { secrets, checkUrl }: ChannelTools,
  key: Pick<Channel, 'tenantId' | 'id'>,
  url: string,
): Pick<StoredChannel, 'target' | 'targetHost'> {
  requireSecrets(secrets, 'url');
  const checked = checkUrl(url, 'url');
  return { target: secrets.encrypt(checked, aboutRow(TARGET, key)), targetHost: new URL(checked).host };
}
