// Notification channels. They are of the kind with a secret, which can be rotated.
import { toTypeId } from '../../../src/kernel/index.ts';
import { freshName } from '../../support/jobs.ts';
import type { Driver } from './driver.ts';

const params = () => ({ name: freshName(), kind: 'webhook', url: 'https://ops.example.com/hooks' }) as const;

const path = (id: string): string => `/notification-channels/${toTypeId('notificationChannel', id)}`;

interface Row {
  readonly id: string;
  readonly user: string;
}

export const NOTIFICATION_CHANNELS: Driver<'notification channel', Row> = {
  async make(world, cell) {
    const { tenant } = world;
    const { channel } = await tenant.createNotificationChannel({ ...params(), enabled: cell.state !== 'disabled' });
    if (cell.state === 'deleted') await tenant.deleteNotificationChannel(channel.id);
    return { id: channel.id, user: world.bystander };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    createNotificationChannel: {
      http: () => ['POST /notification-channels', params()],
      by: (verbs) => verbs.createNotificationChannel(params()),
    },
    updateNotificationChannel: {
      http: ({ id }) => [`PATCH ${path(id)}`, { max_per_minute: 7 }],
      by: (verbs, { id }) => verbs.updateNotificationChannel(id, { maxPerMinute: 7 }),
    },
    deleteNotificationChannel: {
      http: ({ id }) => [`DELETE ${path(id)}`],
      by: (verbs, { id }) => verbs.deleteNotificationChannel(id),
    },
    rotateNotificationSecret: {
      http: ({ id }) => [`POST ${path(id)}/rotate-secret`],
      by: (verbs, { id }) => verbs.rotateNotificationSecret(id),
    },
    testNotificationChannel: {
      http: ({ id }) => [`POST ${path(id)}/test`],
      by: (verbs, { id }) => verbs.testNotificationChannel(id),
    },
  },
};
