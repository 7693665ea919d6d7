// Codes of notification channels.
import { MOST_TEMPLATES } from '../../src/notifications/index.ts';
import { refusalOf } from '../support/refusal.ts';
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

const TEXTS = { kind: 'payment_sent', subject: 'Paid', text: '{{amount}}', html: '<p>{{amount}}</p>' };

export const OF_NOTIFICATIONS = {
  EMAIL_NOT_CONFIGURED: (store) => store.send('PATCH /email', { body: { enabled: true } }),
  EMAIL_TEMPLATE_INVALID: (store) => store.send('POST /email-templates', { body: { ...TEXTS, text: '{{total}}' } }),
  EMAIL_TEMPLATE_NOT_FOUND: (store) => store.send('DELETE /email-templates/payment_received.xx'),
  /** A tenant of its own, so that the others can still have templates. */
  async EMAIL_TEMPLATES_TOO_MANY(store) {
    const full = await store.usance.createTenant({ name: 'full-of-templates' });
    await store.owner.query(
      `insert into usance.email_templates (tenant_id, kind, language, subject, text, html, updated_at)
       select $1::uuid, 'kind-' || n, '', 's', 't', 'h', now() from generate_series(1, $2::int) n`,
      [full.id, MOST_TEMPLATES],
    );
    return refusalOf(full.setEmailTemplate({ kind: 'payment_sent', subject: 's', text: 't', html: 'h' }));
  },
  EMAIL_OPT_OUT_NOT_FOUND: (store) => store.send('DELETE /email-opt-outs/alice'),
  NOTIFICATION_CHANNEL_NOT_FOUND: (store) => store.send(`GET /notification-channels/${nobodys('notificationChannel')}`),
  NOTIFICATION_CHANNEL_UNSIGNED: async (store) =>
    store.send(`POST /notification-channels/${await channel(store, {})}/rotate-secret`),
  NOTIFICATION_CHANNEL_DISABLED: async (store) =>
    store.send(`POST /notification-channels/${await channel(store, { enabled: false })}/test`),
} satisfies Record<string, Cause>;
