// Notification channels in words and as JSON documents, for the commands that show them. The URL is a secret: only its host is shown.
import type { Channel } from '../engine.ts';
import { shownActor, toTypeId } from '../kernel/index.ts';
import { grouped } from './screen.ts';

const WHY_DISABLED = {
  caller: 'disabled',
  gone: 'disabled: its URL is gone',
  failing: 'disabled: failures over five days without a success',
};
const stateOf = ({ disabledReason, failingSince }: Channel): string =>
  disabledReason === null ? (failingSince === null ? 'enabled' : 'failing') : WHY_DISABLED[disabledReason];

/** A table with its heading. */
export const channelRows = (channels: readonly Channel[]): string[][] => [
  ['id', 'name', 'kind', 'host', 'topics', 'status'],
  ...channels.map((one) => [
    toTypeId('notificationChannel', one.id),
    one.name,
    one.kind,
    one.targetHost,
    one.topics.join(','),
    stateOf(one),
  ]),
];

/** Pairs of a name and a value. */
export function describeChannel(channel: Channel): string[][] {
  const facts: [string, string | null][] = [
    ['channel', toTypeId('notificationChannel', channel.id)],
    ['job', toTypeId('job', channel.id)],
    ['name', channel.name],
    ['kind', channel.kind],
    ['host', channel.targetHost],
    ['status', stateOf(channel)],
    ['topics', `${channel.topics.join(', ')}${channel.sendTestEvents ? '; also events of a test tenant' : ''}`],
    ['per minute', `at most ${grouped(channel.maxPerMinute)}, and one summary of the others`],
    ['last success', channel.lastSuccessAt?.toISOString() ?? 'none'],
    ['failing since', channel.failingSince?.toISOString() ?? null],
    ['created', `${channel.createdAt.toISOString()} by ${shownActor(channel.createdBy)}`],
    ['updated', channel.updatedAt.toISOString()],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

/** The fields and names of the library. */
export function channelDocument({ tenantId: _tenantId, ...channel }: Channel): object {
  return {
    ...channel,
    id: toTypeId('notificationChannel', channel.id),
    jobId: toTypeId('job', channel.id),
    createdBy: shownActor(channel.createdBy),
  };
}
