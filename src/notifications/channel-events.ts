// Events about channels. None has the URL or the secret.
import type { Transaction } from '../db/index.ts';
import type { EventVerb } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { newBlockId } from '../kernel/index.ts';
import type { Channel } from './channel.ts';

/** The fields of a channel that its events have. */
export const termsInEvents = (channel: Channel): Readonly<Record<string, unknown>> => ({
  name: channel.name,
  kind: channel.kind,
  targetHost: channel.targetHost,
  topics: channel.topics,
  maxPerMinute: channel.maxPerMinute,
  sendTestEvents: channel.sendTestEvents,
  enabled: channel.enabled,
});

/** Returns the id of the event. */
export async function emitChannelEvent(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  { tenantId, id }: Pick<Channel, 'tenantId' | 'id'>,
  what: EventVerb<'notification_channel'>,
  data: Readonly<Record<string, unknown>>,
): Promise<Uuid> {
  const eventId = newBlockId();
  const about = { tenantId, resource: 'notification_channel', resourceId: id, occurredAt: clock.now };
  await appendEvents(tx, [{ ...caller, ...about, id: eventId, type: `notification_channel.${what}`, data }]);
  return eventId;
}
