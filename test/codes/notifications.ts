// Codes of notification channels.
import type { TestApi } from '../api/api.ts';
import type { Cause } from './world.ts';
import { fresh, made, nobodys } from './world.ts';

const channel = (store: TestApi, change: object): Promise<string> =>
  made(store, 'POST /notification-channels', {
    name: fresh('channel'),
    kind: 'slack',
    url: 'https://hooks.slack.com/services/T0/B0/x',
    ...change,
  });

export const OF_NOTIFICATIONS = {
  NOTIFICATION_CHANNEL_NOT_FOUND: (store) => store.send(`GET /notification-channels/${nobodys('notificationChannel')}`),
  NOTIFICATION_CHANNEL_UNSIGNED: async (store) =>
    store.send(`POST /notification-channels/${await channel(store, {})}/rotate-secret`),
  NOTIFICATION_CHANNEL_DISABLED: async (store) =>
    store.send(`POST /notification-channels/${await channel(store, { enabled: false })}/test`),
} satisfies Record<string, Cause>;
