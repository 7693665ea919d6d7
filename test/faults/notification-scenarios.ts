// The verbs of notification channels and of e-mail, ready to be interrupted. The loops `notifications` and `emails` send what no transaction
// takes back: test/notifications interrupts them.
import type { Channel, TenantHandle } from '../../src/engine.ts';
import type { Ground, Scenario } from './ground.ts';
import { looked } from './job-scenarios.ts';

const TERMS = { name: 'on call', kind: 'webhook', url: 'https://ops.example.com/hooks' } as const;
const TEXTS = { kind: 'payment_sent', subject: 'Paid', text: '{{amount}}', html: '<p>{{amount}}</p>' } as const;

const withChannel =
  (act: (tenant: TenantHandle, channel: Channel) => Promise<unknown>) =>
  async ({ tenant: ground }: Ground) => {
    const { channel } = await ground.createNotificationChannel(TERMS);
    return (tenant: TenantHandle) => act(tenant, channel);
  };

const after =
  (prepare: (tenant: TenantHandle) => Promise<unknown>, act: (tenant: TenantHandle) => Promise<unknown>) =>
  async ({ tenant: ground }: Ground) => {
    await prepare(ground);
    return act;
  };

export const NOTIFICATION_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'create a notification channel': looked(
    'createNotificationChannel',
    () => Promise.resolve((tenant) => tenant.createNotificationChannel(TERMS)),
    'notification_channel.created',
    'job.created',
  ),
  'change a notification channel': looked(
    'updateNotificationChannel',
    withChannel((tenant, { id }) => tenant.updateNotificationChannel(id, { enabled: false, topics: ['freezes'] })),
    'notification_channel.updated',
    'job.updated',
  ),
  'delete a notification channel': looked(
    'deleteNotificationChannel',
    withChannel((tenant, { id }) => tenant.deleteNotificationChannel(id)),
    'notification_channel.deleted',
    'job.deleted',
  ),
  'rotate the secret of a notification channel': looked(
    'rotateNotificationSecret',
    withChannel((tenant, { id }) => tenant.rotateNotificationSecret(id)),
    'notification_channel.secret_rotated',
  ),
  'test a notification channel': looked(
    'testNotificationChannel',
    withChannel((tenant, { id }) => tenant.testNotificationChannel(id)),
    'notification_channel.tested',
  ),
  'change the e-mail settings': looked(
    'updateEmailSettings',
    () => Promise.resolve((tenant) => tenant.updateEmailSettings({ locale: 'de' })),
    'email.updated',
    'job.created',
  ),
  'set an e-mail template': looked(
    'setEmailTemplate',
    () => Promise.resolve((tenant) => tenant.setEmailTemplate(TEXTS)),
    'email_template.set',
  ),
  'delete an e-mail template': looked(
    'deleteEmailTemplate',
    after(
      (tenant) => tenant.setEmailTemplate(TEXTS),
      (tenant) => tenant.deleteEmailTemplate(TEXTS.kind),
    ),
    'email_template.deleted',
  ),
  'stop e-mail to an account': looked(
    'createEmailOptOut',
    () => Promise.resolve((tenant) => tenant.createEmailOptOut('ann')),
    'email_opt_out.created',
  ),
  'send e-mail to an account again': looked(
    'deleteEmailOptOut',
    after(
      (tenant) => tenant.createEmailOptOut('ann'),
      (tenant) => tenant.deleteEmailOptOut('ann'),
    ),
    'email_opt_out.deleted',
  ),
};
