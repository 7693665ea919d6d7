// Notification channels. They are of the kind with a secret, which can be rotated.
import { freshName } from '../../support/jobs.ts';
import type { Driver } from './driver.ts';

const params = () => ({ name: freshName(), kind: 'webhook', url: 'https://ops.example.com/hooks' }) as const;

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
    createNotificationChannel: { by: (verbs) => verbs.createNotificationChannel(params()) },
    updateNotificationChannel: { by: (verbs, { id }) => verbs.updateNotificationChannel(id, { maxPerMinute: 7 }) },
    deleteNotificationChannel: { by: (verbs, { id }) => verbs.deleteNotificationChannel(id) },
    rotateNotificationSecret: { by: (verbs, { id }) => verbs.rotateNotificationSecret(id) },
    testNotificationChannel: { by: (verbs, { id }) => verbs.testNotificationChannel(id) },
  },
};
