// Notification channels: messages to operators.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Channel as EngineChannel, ChannelWithSecret } from '../../engine.ts';
import { CHANNEL_DISABLED_REASONS, CHANNEL_KINDS, PER_MINUTE, TOPIC_NAMES } from '../../engine.ts';
import { fromTypeId, shownActor, toTypeId } from '../../kernel/index.ts';
import { newestFirst } from '../cursor.ts';
import { route } from '../route.ts';
import { Instant, closed, idOf, listOf, nullable, oneOf, pageQuery } from '../schemas.ts';
import { refusedAs } from '../validate.ts';
import { instantOrNull } from '../wire-format.ts';
import { CREATED_AT } from './examples.ts';

const Id = closed({ id: idOf('notificationChannel') });

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Unique among the channels and jobs of the tenant.',
  examples: ['on call'],
  ...refusedAs('FIELD_INVALID/not_visible', { min: 1, max: 100 }),
});
const Topics = Type.Array(oneOf(TOPIC_NAMES), {
  minItems: 1,
  maxItems: TOPIC_NAMES.length,
  description:
    '`dead_letters`: payments, schedule slots and executions that failed for good. `reviews`: payments that need approval, and payouts in review. `freezes`: failed integrity checks. `shortfalls`: accounts that will lack funds. `endpoints`: webhook endpoints that fail, endpoints and other channels that were disabled.',
});
const PerMinute = Type.Integer({
  minimum: PER_MINUTE.min,
  maximum: PER_MINUTE.max,
  description: 'Messages in a minute at most; all further events of the minute are counted in one summary.',
});
const Enabled = Type.Boolean({ description: 'Whether it sends messages.' });
const TestEvents = Type.Boolean({ description: 'Whether events of a test tenant are sent too.' });
const Url = Type.String({
  maxLength: 2_000,
  description: 'The https URL that messages are posted to. It is stored encrypted and never shown again.',
  examples: ['https://hooks.slack.com/services/T000/B000/XXXX'],
  ...refusedAs('URL_REFUSED/not_a_url', { max: 2_000 }),
});
const kind = oneOf(CHANNEL_KINDS, { description: 'The format of the messages; `webhook` is plain JSON.' });

const NotificationChannel = closed(
  {
    id: idOf('notificationChannel'),
    job_id: idOf('job'),
    name: Name,
    kind,
    target_host: Type.String({ description: 'The host of the URL.' }),
    topics: Topics,
    max_per_minute: PerMinute,
    send_test_events: TestEvents,
    enabled: Enabled,
    disabled_reason: nullable(oneOf(CHANNEL_DISABLED_REASONS), {
      description:
        '`caller`: a request disabled it. `gone`: its URL exists no longer. `failing`: failures without a success span five days. Null: it is enabled.',
    }),
    last_success_at: nullable(Instant, {
      description: 'When a message was last delivered. RFC 3339, UTC; null if none was.',
    }),
    failing_since: nullable(Instant, {
      description: 'When the first failure after the last success happened. RFC 3339, UTC; null: it is not failing.',
    }),
    created_by: Type.String(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'NotificationChannel' },
);

const show = (channel: EngineChannel): Static<typeof NotificationChannel> => ({
  id: toTypeId('notificationChannel', channel.id),
  job_id: toTypeId('job', channel.id),
  name: channel.name,
  kind: channel.kind,
  target_host: channel.targetHost,
  topics: [...channel.topics],
  max_per_minute: channel.maxPerMinute,
  send_test_events: channel.sendTestEvents,
  enabled: channel.enabled,
  disabled_reason: channel.disabledReason,
  last_success_at: instantOrNull(channel.lastSuccessAt),
  failing_since: instantOrNull(channel.failingSince),
  created_by: shownActor(channel.createdBy),
  created_at: channel.createdAt.toISOString(),
  updated_at: channel.updatedAt.toISOString(),
});

const NotificationChannelMade = closed(
  {
    ...NotificationChannel.properties,
    secret: nullable(Type.String(), {
      description:
        'Signs the messages of a channel of the kind `webhook`, as the Standard Webhooks specification says. Only this response has it. Null for other kinds.',
    }),
  },
  { title: 'NotificationChannelMade' },
);

const showMade = ({ channel, secret }: ChannelWithSecret): Static<typeof NotificationChannelMade> => ({
  ...show(channel),
  secret,
});
const withoutSecret = (made: Static<typeof NotificationChannelMade>): Static<typeof NotificationChannelMade> => ({
  ...made,
  secret: null,
});

const EXAMPLE = {
  id: 'nch_01k9ztm3v5x7z9b1d3f5h7k9n1',
  job_id: 'job_01k9ztm3v5x7z9b1d3f5h7k9n1',
  name: 'on call',
  kind: 'slack',
  target_host: 'hooks.slack.com',
  topics: ['dead_letters', 'freezes'],
  max_per_minute: 20,
  send_test_events: false,
  enabled: true,
  disabled_reason: null,
  last_success_at: null,
  failing_since: null,
  created_by: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};
const params = { id: EXAMPLE.id };

interface Terms {
  readonly name?: string;
  readonly url?: string;
  readonly topics?: Static<typeof Topics>;
  readonly max_per_minute?: number;
  readonly send_test_events?: boolean;
  readonly enabled?: boolean;
}

const readTerms = ({ name, url, topics, max_per_minute, send_test_events, enabled }: Terms) => ({
  ...(name === undefined ? {} : { name }),
  ...(url === undefined ? {} : { url }),
  ...(topics === undefined ? {} : { topics }),
  ...(max_per_minute === undefined ? {} : { maxPerMinute: max_per_minute }),
  ...(send_test_events === undefined ? {} : { sendTestEvents: send_test_events }),
  ...(enabled === undefined ? {} : { enabled }),
});

const TERMS = {
  topics: Type.Optional(Topics),
  max_per_minute: Type.Optional(PerMinute),
  send_test_events: Type.Optional(TestEvents),
  enabled: Type.Optional(Enabled),
};

export const notificationChannelRoutes = {
  'notificationChannels.create': route({
    method: 'POST',
    path: '/notification-channels',
    bodyHasSecret: true,
    summary: 'Create a notification channel',
    description:
      'Posts one sentence about each event of its topics to Slack, to Discord or to a URL, with retries. Default: all topics, 20 messages a minute. A channel of the kind `webhook` gets JSON with `text`, `tenant`, `test`, `link`, `event` (`id`, `type`, `resource`, `resource_id`, `occurred_at`) and `counts`, signed as Standard Webhooks says; receivers deduplicate by the header `webhook-id`, `exe_…`.',
    scope: 'notifications:write',
    status: 201,
    body: closed({ name: Name, kind, url: Url, ...TERMS }, { title: 'NotificationChannelCreateParams' }),
    answer: NotificationChannelMade,
    example: {
      body: {
        name: EXAMPLE.name,
        kind: 'slack',
        url: 'https://hooks.slack.com/services/T000/B000/XXXX',
        topics: ['dead_letters', 'freezes'],
      },
      answer: { ...EXAMPLE, secret: null },
    },
    handle: async ({ tenant, body }) =>
      showMade(
        await tenant.createNotificationChannel({ ...readTerms(body), name: body.name, kind: body.kind, url: body.url }),
      ),
    remembers: withoutSecret,
  }),

  'notificationChannels.list': route({
    method: 'GET',
    path: '/notification-channels',
    summary: 'List notification channels',
    description: 'Newest first.',
    scope: 'notifications:read',
    query: pageQuery({}),
    answer: listOf(NotificationChannel, 'NotificationChannelList'),
    example: { answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant, query }) => newestFirst(query, (range) => tenant.notificationChannels(range), show),
  }),

  'notificationChannels.get': route({
    method: 'GET',
    path: '/notification-channels/{id}',
    summary: 'Get a notification channel',
    scope: 'notifications:read',
    params: Id,
    answer: NotificationChannel,
    example: { params, answer: EXAMPLE },
    handle: async (call) =>
      show(await call.tenant.notificationChannel(fromTypeId('notificationChannel', call.params.id))),
  }),

  'notificationChannels.update': route({
    method: 'PATCH',
    path: '/notification-channels/{id}',
    bodyHasSecret: true,
    summary: 'Update, enable or disable a notification channel',
    description: 'Its kind cannot change. A disabled channel that is enabled again begins with the next event.',
    scope: 'notifications:write',
    params: Id,
    body: closed(
      { name: Type.Optional(Name), url: Type.Optional(Url), ...TERMS },
      { title: 'NotificationChannelUpdateParams' },
    ),
    answer: NotificationChannel,
    example: { params, body: { enabled: false }, answer: { ...EXAMPLE, enabled: false } },
    handle: async ({ tenant, params: { id }, body }) =>
      show(await tenant.updateNotificationChannel(fromTypeId('notificationChannel', id), readTerms(body))),
  }),

  'notificationChannels.delete': route({
    method: 'DELETE',
    path: '/notification-channels/{id}',
    summary: 'Delete a notification channel',
    description: 'Messages that wait are cancelled, and the URL is erased.',
    scope: 'notifications:write',
    params: Id,
    answer: NotificationChannel,
    example: { params, answer: EXAMPLE },
    handle: async (call) =>
      show(await call.tenant.deleteNotificationChannel(fromTypeId('notificationChannel', call.params.id))),
  }),

  'notificationChannels.rotateSecret': route({
    method: 'POST',
    path: '/notification-channels/{id}/rotate-secret',
    bodyHasSecret: true,
    summary: 'Replace the secret of a notification channel',
    description:
      'Channels of the kind `webhook` have one. Messages are signed with the new secret at once. Only this response has it.',
    scope: 'notifications:write',
    params: Id,
    answer: NotificationChannelMade,
    example: {
      params,
      answer: {
        ...EXAMPLE,
        kind: 'webhook' as const,
        target_host: 'ops.example.com',
        secret: 'whsec_ZXhhbXBsZS1ub3QtYS1rZXktMDAwMDAwMDA=',
      },
    },
    handle: async ({ tenant, params: { id } }) =>
      showMade(await tenant.rotateNotificationSecret(fromTypeId('notificationChannel', id))),
    remembers: withoutSecret,
  }),

  'notificationChannels.test': route({
    method: 'POST',
    path: '/notification-channels/{id}/test',
    summary: 'Send a test message to a notification channel',
    description:
      'A worker sends it, whatever the topics of the channel. `GET /v1/executions/{execution_id}` shows how it ended.',
    scope: 'notifications:write',
    params: Id,
    answer: closed(
      {
        channel: NotificationChannel,
        event_id: idOf('event'),
        execution_id: idOf('execution'),
      },
      { title: 'NotificationChannelTest' },
    ),
    example: {
      params,
      answer: {
        channel: EXAMPLE,
        event_id: 'evt_01k9zt3q9fh2j4m6p8r0t2w4y6',
        execution_id: 'exe_01k9zt3q8sxa4e6r1t9v2w5y7z',
      },
    },
    async handle(call) {
      const id = fromTypeId('notificationChannel', call.params.id);
      const { channel, eventId, executionId } = await call.tenant.testNotificationChannel(id);
      return {
        channel: show(channel),
        event_id: toTypeId('event', eventId),
        execution_id: toTypeId('execution', executionId),
      };
    },
  }),
};
