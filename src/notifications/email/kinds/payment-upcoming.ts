import type { EmailKind } from '../kind.ts';

export const PAYMENT_UPCOMING: EmailKind = {
  name: 'payment_upcoming',
  says: 'A payment of the account was scheduled for an hour or more from now.',
  eventType: 'payment.created',
  sentTo: 'payer',
  appliesTo: ({ waitMs }) => waitMs >= 3_600_000,
  subject: '{{amount}} to {{payee}} will be paid on {{date}}',
  text: `Hello {{recipient}},

a payment of {{amount}} to {{payee}} is scheduled for {{date}}.

Payment: {{payment_id}}`,
  html: `<p>Hello {{recipient}},</p>
<p>a payment of <strong>{{amount}}</strong> to {{payee}} is scheduled for {{date}}.</p>
<p>Payment: {{payment_id}}</p>`,
};
