// Events about notification channels. None has the URL: it is a secret.
import { Type } from 'typebox';
import { event } from './define.ts';
import { change, created, instant, integer, list, nullable, object, text, word } from './fields.ts';

const CHANNEL = {
  name: text('Its name, which is also that of its job.', 'on call'),
  kind: word(['slack', 'discord', 'webhook'], 'The service that messages are posted to.', 'slack'),
  target_host: text('The host of its URL.', 'hooks.slack.com'),
  topics: list(text('A topic.', 'dead_letters'), 'Topics of its messages.'),
  max_per_minute: integer('Messages in a minute at most.', 20),
  send_test_events: Type.Boolean({ description: 'Whether events of a test tenant are sent too.', examples: [false] }),
  enabled: Type.Boolean({ description: 'Whether it sends messages.', examples: [true] }),
};

const EMAIL = {
  enabled: Type.Boolean({ description: 'Whether e-mail is sent.', examples: [true] }),
  kinds: list(text('A kind.', 'payment_received'), 'Kinds of e-mail that are sent.'),
  from_name: nullable(
    text('The name of the sender.', 'Example Shop'),
    'The name of the sender; null: that of the tenant.',
  ),
  locale: text('Locale of contacts without one.', 'en'),
  zone: text('Time zone of contacts without one.', 'Europe/Berlin'),
  send_test_events: Type.Boolean({ description: 'Whether events of a test tenant are sent too.', examples: [false] }),
};
const TEMPLATE = {
  kind: text('The kind of e-mail.', 'payment_received'),
  language: text('The language; empty: every other one.', 'de'),
};

export const NOTIFICATION_EVENTS = {
  'email.updated': event('The e-mail settings were changed.', {
    old: nullable(object(EMAIL), 'The values before the change; null at the first change.'),
    new: object(EMAIL, { description: 'The values after the change.' }),
  }),
  'email_template.set': event('The texts of a kind of e-mail were replaced.', {
    ...TEMPLATE,
    subject: text('The subject.', '{{amount}} von {{payer}}'),
  }),
  'email_template.deleted': event('The own texts of a kind of e-mail were given up.', TEMPLATE),
  'email_opt_out.created': event('An account gets no more e-mail, by its link to unsubscribe or by a caller.', {}),
  'email_opt_out.deleted': event('An account gets e-mail again.', {}),
  'notification_channel.created': event('A notification channel was created.', created(CHANNEL)),
  'notification_channel.updated': event('A notification channel was changed, enabled or disabled by a caller.', {
    ...change(CHANNEL, CHANNEL),
    url_changed: Type.Boolean({ description: 'Whether it has another URL.', examples: [false] }),
  }),
  'notification_channel.disabled': event('A notification channel was disabled because its messages fail.', {
    target_host: CHANNEL.target_host,
    failing_since: instant('The first failed attempt since the last success.'),
    reason: word(
      ['gone', 'failing'],
      'gone: its URL exists no longer. failing: failures without a success span five days.',
      'gone',
    ),
  }),
  'notification_channel.deleted': event('A notification channel was deleted: its URL is erased.', CHANNEL),
  'notification_channel.secret_rotated': event('The secret that signs the messages of a channel was replaced.', {}),
  'notification_channel.tested': event('A test message was requested.', {}),
} as const;
