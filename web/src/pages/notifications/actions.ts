// What an admin can do with a notification channel.
import type { NotificationChannel } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import type { Action } from '../../parts/action.tsx';
import type { Field, Values } from '../../parts/fields.tsx';

type Topic = NotificationChannel['topics'][number];

export const TOPICS: Readonly<Record<Topic, string>> = {
  dead_letters: 'dead letters',
  reviews: 'approvals and reviews',
  freezes: 'failed integrity checks',
  shortfalls: 'accounts that will lack funds',
  alerts: 'thresholds crossed: payouts, wallets, chains, webhooks',
  endpoints: 'failing endpoints and channels',
};
const NAMES = Object.keys(TOPICS) as Topic[];
const TOPIC = 'topic ';

const topicsOf = (values: Values): Topic[] => NAMES.filter((name) => values[TOPIC + name] === 'true');

const fieldsOf = (channel: NotificationChannel | null): readonly Field[] => [
  {
    name: 'name',
    label: 'Name',
    kind: 'text',
    isRequired: true,
    placeholder: 'on call',
    initial: channel?.name ?? '',
  },
  {
    name: 'url',
    label: 'URL',
    kind: 'text',
    placeholder: 'https://hooks.slack.com/services/…',
    ...(channel === null
      ? { isRequired: true, hint: 'Stored encrypted, and never shown again.' }
      : { hint: `Empty: as it is, on ${channel.targetHost}.` }),
  },
  ...NAMES.map((name) => ({
    name: TOPIC + name,
    label: `About ${TOPICS[name]}`,
    kind: 'check' as const,
    initial: channel === null || channel.topics.includes(name) ? 'true' : '',
  })),
  {
    name: 'maxPerMinute',
    label: 'Messages a minute',
    kind: 'number',
    isRequired: true,
    initial: String(channel?.maxPerMinute ?? 20),
    hint: 'All further events of the minute are one summary.',
  },
  {
    name: 'sendTestEvents',
    label: 'Send events of a test tenant too',
    kind: 'check',
    initial: channel?.sendTestEvents === true ? 'true' : '',
  },
];

const trouble = (_: unknown, values: Values): string | null =>
  topicsOf(values).length === 0 ? 'Choose at least one topic.' : null;

const paramsOf = (values: Values) => ({
  name: (values['name'] ?? '').trim(),
  topics: topicsOf(values),
  maxPerMinute: Number(values['maxPerMinute']),
  sendTestEvents: values['sendTestEvents'] === 'true',
});

export const create: Action<null> = {
  name: 'notificationChannels.create',
  label: 'New channel',
  tone: 'primary',
  scope: 'notifications:write',
  reason: 'optional',
  lead: () =>
    'One sentence about each event of its topics is posted to the URL. A channel of the kind webhook has a signing secret, which is shown once.',
  fields: () => [
    {
      name: 'kind',
      label: 'Kind',
      kind: 'select',
      isRequired: true,
      initial: 'slack',
      options: [
        ['slack', 'Slack'],
        ['discord', 'Discord'],
        ['webhook', 'webhook: signed JSON'],
      ],
    },
    ...fieldsOf(null),
  ],
  trouble,
  run: (_, values, options) =>
    api.notificationChannels.create(
      { ...paramsOf(values), kind: values['kind'] as NotificationChannel['kind'], url: (values['url'] ?? '').trim() },
      options,
    ),
  done: () => 'Created the channel.',
};

const edit: Action<NotificationChannel> = {
  name: 'notificationChannels.update',
  label: 'Edit',
  scope: 'notifications:write',
  reason: 'optional',
  lead: () => 'Messages that wait use the new settings at their next attempt.',
  fields: fieldsOf,
  trouble,
  isChange: (channel, values) => {
    const fields = fieldsOf(channel);
    return fields.some(({ name, initial = '' }) => (values[name] ?? '') !== initial);
  },
  confirm: () => 'Save',
  run: ({ id }, values, options) => {
    const url = (values['url'] ?? '').trim();
    return api.notificationChannels.update(id, { ...paramsOf(values), ...(url === '' ? {} : { url }) }, options);
  },
  done: () => 'Saved the channel.',
};

const enable: Action<NotificationChannel> = {
  name: 'notificationChannels.update',
  label: 'Enable',
  tone: 'primary',
  scope: 'notifications:write',
  reason: 'optional',
  applies: ({ enabled }) => !enabled,
  lead: ({ name }) => `"${name}" sends messages again, beginning with the next event.`,
  run: ({ id }, _values, options) => api.notificationChannels.update(id, { enabled: true }, options),
  done: () => 'Enabled the channel.',
};

const disable: Action<NotificationChannel> = {
  name: 'notificationChannels.update',
  label: 'Disable',
  scope: 'notifications:write',
  reason: 'optional',
  applies: ({ enabled }) => enabled,
  lead: ({ name }) => `"${name}" sends nothing until it is enabled. What happens meanwhile is not reported later.`,
  run: ({ id }, _values, options) => api.notificationChannels.update(id, { enabled: false }, options),
  done: () => 'Disabled the channel.',
};

const testSend: Action<NotificationChannel> = {
  name: 'notificationChannels.test',
  label: 'Send a test',
  scope: 'notifications:write',
  reason: 'optional',
  applies: ({ enabled }) => enabled,
  lead: ({ targetHost }) => `Posts one test message to ${targetHost}. Its execution appears below.`,
  run: ({ id }, _values, options) => api.notificationChannels.test(id, options),
  done: () => 'A worker sends the test message.',
};

export const rotate: Action<NotificationChannel> = {
  name: 'notificationChannels.rotateSecret',
  label: 'Replace the secret',
  scope: 'notifications:write',
  reason: 'optional',
  applies: ({ kind }) => kind === 'webhook',
  lead: () => 'Messages are signed with the new secret at once: give it to the receiver right away. It is shown once.',
  run: ({ id }, _values, options) => api.notificationChannels.rotateSecret(id, options),
  done: () => 'Replaced the secret.',
};

const remove: Action<NotificationChannel> = {
  name: 'notificationChannels.delete',
  label: 'Delete',
  tone: 'danger',
  scope: 'notifications:write',
  reason: 'optional',
  lead: ({ name }) => `"${name}" sends nothing more. Its URL is erased, and messages that wait are cancelled.`,
  run: ({ id }, _values, options) => api.notificationChannels.delete(id, options),
  done: () => 'Deleted the channel.',
};

export const CHANNEL_ACTIONS: readonly Action<NotificationChannel>[] = [
  enable,
  testSend,
  edit,
  rotate,
  disable,
  remove,
];
