// What an operator can do with a webhook endpoint and a delivery.
import type { DeliveryWithAttempts, WebhookEndpoint, WebhookEndpointRecovery } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import type { Action } from '../../parts/action.tsx';
import type { Field } from '../../parts/fields.tsx';
import { instantOf, localInput } from '../../parts/fields.tsx';
import { formatInstant, plural } from '../../parts/format.ts';

const DAY_MS = 86_400_000;

const RETRIES = [
  ['webhook', '10 attempts in three days'],
  ['webhook-quick', '5 attempts, 5 seconds apart'],
] as const;

const fieldsOf = (endpoint: WebhookEndpoint | null): readonly Field[] => [
  {
    name: 'url',
    label: 'URL',
    kind: 'text',
    isRequired: true,
    placeholder: 'https://example.com/hooks',
    ...(endpoint ? { initial: endpoint.url } : {}),
  },
  {
    name: 'eventPattern',
    label: 'Events',
    kind: 'text',
    isRequired: true,
    initial: endpoint?.eventPattern ?? 'payment.*',
    hint: 'Patterns, separated by commas.',
  },
  { name: 'description', label: 'Description', kind: 'text', initial: endpoint?.description ?? '' },
  {
    name: 'retry',
    label: 'Retries',
    kind: 'select',
    isRequired: true,
    initial: endpoint?.retry ?? 'webhook',
    options: RETRIES,
  },
];

const paramsOf = ({ url = '', eventPattern = '', description = '', retry }: Readonly<Record<string, string>>) => ({
  url: url.trim(),
  eventPattern: eventPattern.trim(),
  description: description.trim(),
  retry: retry as WebhookEndpoint['retry'],
});

export const create: Action<null> = {
  name: 'webhookEndpoints.create',
  label: 'New endpoint',
  tone: 'primary',
  scope: 'webhooks:write',
  reason: 'optional',
  lead: () => 'Events that match are sent to the URL, signed. The signing secret is shown once.',
  fields: () => fieldsOf(null),
  run: (_, values, options) => api.webhookEndpoints.create(paramsOf(values), options),
  done: () => 'Created the endpoint.',
};

export const edit: Action<WebhookEndpoint> = {
  name: 'webhookEndpoints.update',
  label: 'Edit',
  scope: 'webhooks:write',
  reason: 'optional',
  lead: () => 'Deliveries that wait use the new settings at their next attempt.',
  fields: fieldsOf,
  confirm: () => 'Save',
  run: ({ id }, values, options) => api.webhookEndpoints.update(id, paramsOf(values), options),
  done: () => 'Saved the endpoint.',
};

export const enable: Action<WebhookEndpoint> = {
  name: 'webhookEndpoints.update',
  label: 'Enable',
  tone: 'primary',
  scope: 'webhooks:write',
  reason: 'optional',
  applies: ({ enabled }) => !enabled,
  lead: ({ url }) => `Events are sent to ${url} again, from now on. What was missed comes with "Recover".`,
  run: ({ id }, _values, options) => api.webhookEndpoints.update(id, { enabled: true }, options),
  done: () => 'Enabled the endpoint.',
};

export const disable: Action<WebhookEndpoint> = {
  name: 'webhookEndpoints.update',
  label: 'Disable',
  scope: 'webhooks:write',
  reason: 'optional',
  applies: ({ enabled }) => enabled,
  lead: ({ url }) => `Nothing more is sent to ${url} until it is enabled.`,
  run: ({ id }, _values, options) => api.webhookEndpoints.update(id, { enabled: false }, options),
  done: () => 'Disabled the endpoint.',
};

export const testSend: Action<WebhookEndpoint> = {
  name: 'webhookEndpoints.test',
  label: 'Send a test',
  scope: 'webhooks:write',
  reason: 'optional',
  applies: ({ enabled }) => enabled,
  lead: ({ url }) => `Sends one test event to ${url}, signed as all others.`,
  run: ({ id }, _values, options) => api.webhookEndpoints.test(id, options),
  done: () => 'Sent a test event.',
};

export const rotate: Action<WebhookEndpoint> = {
  name: 'webhookEndpoints.rotateSecret',
  label: 'Rotate the secret',
  scope: 'webhooks:write',
  reason: 'optional',
  lead: () => 'During the grace period deliveries are signed with both secrets, then only with the new one.',
  fields: () => [{ name: 'grace', label: 'Grace period', kind: 'text', initial: '24h', hint: 'Such as 24h or P2D.' }],
  run: ({ id }, { grace = '' }, options) =>
    api.webhookEndpoints.rotateSecret(id, grace.trim() === '' ? {} : { grace: grace.trim() }, options),
  done: () => 'Rotated the secret.',
};

export const recover: Action<WebhookEndpoint> = {
  name: 'webhookEndpoints.recover',
  label: 'Recover',
  scope: 'webhooks:write',
  reason: 'body',
  applies: ({ enabled }) => enabled,
  lead: ({ url }) =>
    `Sends every delivery to ${url} again that failed for good since the instant, and the events that it missed while it was disabled. Nothing from before the endpoint was created is sent.`,
  fields: () => [
    {
      name: 'since',
      label: 'Since',
      kind: 'instant',
      isRequired: true,
      initial: localInput(new Date(Date.now() - DAY_MS).toISOString()),
    },
  ],
  run: async ({ id }, { since = '', reason = '' }, options) => {
    const params = { since: instantOf(since), reason };
    const first = await api.webhookEndpoints.recover(id, params, options);
    if ('dryRun' in options && options.dryRun) return first;
    let { retried, nextCursor } = first;
    while (nextCursor !== null) {
      const page = await api.webhookEndpoints.recover(id, { ...params, cursor: nextCursor });
      retried += page.retried;
      ({ nextCursor } = page);
    }
    return { ...first, retried };
  },
  done: (_endpoint, answer) => {
    const { retried, missed, missedIsAtLeast, from } = answer as WebhookEndpointRecovery;
    const least = missedIsAtLeast ? 'at least ' : '';
    return `Sends ${plural(retried, 'failed delivery', 'failed deliveries')} again, and ${least}${plural(missed, 'missed event')}, since ${formatInstant(from)}.`;
  },
};

export const remove: Action<WebhookEndpoint> = {
  name: 'webhookEndpoints.delete',
  label: 'Delete',
  tone: 'danger',
  scope: 'webhooks:write',
  reason: 'optional',
  lead: ({ url }) =>
    `Nothing more is sent to ${url}. Its secret and its headers are deleted, and its waiting deliveries are cancelled.`,
  run: ({ id }, _values, options) => api.webhookEndpoints.delete(id, options),
  done: () => 'Deleted the endpoint.',
};

export const ENDPOINT_ACTIONS: readonly Action<WebhookEndpoint>[] = [
  enable,
  testSend,
  recover,
  edit,
  rotate,
  disable,
  remove,
];

export const redeliver: Action<DeliveryWithAttempts> = {
  name: 'deliveries.redeliver',
  label: 'Redeliver',
  tone: 'primary',
  scope: 'webhooks:write',
  reason: 'body',
  applies: ({ status }) => status === 'completed' || status === 'failed',
  lead: () =>
    'The same event is sent again, with the same webhook-id, so a receiver that keeps ids ignores a second copy.',
  run: ({ id }, { reason = '' }, options) => api.deliveries.redeliver(id, { reason }, options),
  done: () => 'It is sent again.',
};
