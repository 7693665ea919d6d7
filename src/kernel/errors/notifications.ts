// Notification channels.
import { conflict, missing } from './entry.ts';
import { ID } from './example-values.ts';

export const NOTIFICATIONS_ERRORS = {
  NOTIFICATION_CHANNEL_NOT_FOUND: missing({
    title: 'The tenant has no such notification channel',
    detail: 'there is no notification channel "{channel:notificationChannel}"',
    example: { channel: ID },
    cause: 'The tenant of the API key has no notification channel with this id, or the channel was deleted.',
    remedy: 'List the notification channels of the tenant, and use an id from the list.',
  }),
  NOTIFICATION_CHANNEL_UNSIGNED: conflict({
    title: 'Messages of the notification channel are not signed',
    detail:
      'notification channel {channel:notificationChannel} is of the kind "{kind}", which has no secret; only a channel of the kind "webhook" has one',
    example: { channel: ID, kind: 'slack' },
    cause: 'Slack and Discord verify no signature, so channels of these kinds have no secret that could be rotated.',
    remedy:
      'If its URL was exposed, revoke it in the service and give the channel a new one with `PATCH /v1/notification-channels/{id}`.',
  }),
  NOTIFICATION_CHANNEL_DISABLED: conflict({
    title: 'The notification channel is disabled',
    detail: 'notification channel {channel:notificationChannel} is disabled; enable it before you test it',
    example: { channel: ID },
    cause: 'A disabled channel sends nothing, so a test would never arrive.',
    remedy: 'Enable the channel with `PATCH /v1/notification-channels/{id}`, then send the test again.',
  }),
};
