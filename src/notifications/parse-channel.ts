// The terms of a channel as callers give them. The name and `enabled` are those of its job, which parses them.
import { oneOf, refuse } from '../kernel/index.ts';
import type { Channel, ChannelParams, Topic } from './channel.ts';
import { CHANNEL_KINDS, DEFAULT_PER_MINUTE, PER_MINUTE, TOPIC_NAMES } from './channel.ts';

export type ChannelTerms = Pick<Channel, 'kind' | 'topics' | 'maxPerMinute' | 'sendTestEvents'>;

export function parseChannel({
  kind,
  topics = TOPIC_NAMES,
  maxPerMinute = DEFAULT_PER_MINUTE,
  sendTestEvents = false,
}: Pick<ChannelParams, keyof ChannelTerms>): ChannelTerms {
  oneOf(kind, CHANNEL_KINDS, 'kind');
  if (typeof sendTestEvents !== 'boolean')
    refuse('FIELD_INVALID/wrong_type', { param: 'sendTestEvents', expected: ['a boolean'] });
  return { kind, topics: parseTopics(topics), maxPerMinute: parsePerMinute(maxPerMinute), sendTestEvents };
}

/** In the order of the table, without repetitions. */
function parseTopics(topics: readonly Topic[]): readonly Topic[] {
  if (!Array.isArray(topics) || topics.length === 0)
    return refuse('FIELD_INVALID/wrong_type', { param: 'topics', expected: ['a list of topics'] });
  for (const topic of topics) oneOf(topic, TOPIC_NAMES, 'topics');
  return TOPIC_NAMES.filter((topic) => topics.includes(topic));
}

function parsePerMinute(value: number): number {
  const { min, max } = PER_MINUTE;
  return Number.isSafeInteger(value) && value >= min && value <= max
    ? value
    : refuse('FIELD_INVALID/not_whole_number', { param: 'maxPerMinute', min, max });
}
