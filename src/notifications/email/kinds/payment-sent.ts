import type { EmailKind } from '../kind.ts';

export const PAYMENT_SENT: EmailKind = {
  name: 'payment_sent',
  says: 'A payment of the account was made.',
  eventType: 'payment.settled',
  sentTo: 'payer',
  appliesTo: () => true,
  subject: 'You paid {{amount}} to {{payee}}',
  text: `Hello {{recipient}},

you paid {{amount}} to {{payee}} on {{date}}.

Payment: {{payment_id}}`,
  html: `<p>Hello {{recipient}},</p>
<p>you paid <strong>{{amount}}</strong> to {{payee}} on {{date}}.</p>
<p>Payment: {{payment_id}}</p>`,
};
