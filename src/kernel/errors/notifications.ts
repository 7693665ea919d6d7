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
  NOTIFICATION_CHANNEL_DISABLED: conflict({
    title: 'The notification channel is disabled',
    detail: 'notification channel {channel:notificationChannel} is disabled; enable it before you test it',
    example: { channel: ID },
    cause: 'A disabled channel sends nothing, so a test would never arrive.',
    remedy: 'Enable the channel with `PATCH /v1/notification-channels/{id}`, then send the test again.',
  }),
};
