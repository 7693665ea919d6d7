// Events about notification channels. None has the URL: it is a secret.
import { Type } from 'typebox';
import { event } from './define.ts';
import { change, created, integer, list, text, word } from './fields.ts';

const CHANNEL = {
  name: text('Its name, which is also that of its job.', 'on call'),
  kind: word(['slack', 'discord', 'webhook'], 'The service that messages are posted to.', 'slack'),
  target_host: text('The host of its URL.', 'hooks.slack.com'),
  topics: list(text('A topic.', 'dead_letters'), 'What it reports on.'),
  max_per_minute: integer('Messages in a minute at most.', 20),
  enabled: Type.Boolean({ description: 'Whether it sends messages.', examples: [true] }),
};

export const NOTIFICATION_EVENTS = {
  'notification_channel.created': event('A notification channel was created.', created(CHANNEL)),
  'notification_channel.updated': event('A notification channel was changed, enabled or disabled.', {
    ...change(CHANNEL, CHANNEL),
    url_changed: Type.Boolean({ description: 'Whether it has another URL.', examples: [false] }),
  }),
  'notification_channel.deleted': event('A notification channel was deleted: its URL is erased.', CHANNEL),
  'notification_channel.tested': event('A test message was requested.', {}),
} as const;
