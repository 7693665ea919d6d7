import type { EmailKind } from '../kind.ts';

export const PAYMENT_CANCELLED: EmailKind = {
  name: 'payment_cancelled',
  says: 'A scheduled payment of the account was cancelled.',
  eventType: 'payment.cancelled',
  sentTo: 'payer',
  appliesTo: () => true,
  subject: 'Your payment of {{amount}} to {{payee}} was cancelled',
  text: `Hello {{recipient}},

your payment of {{amount}} to {{payee}} was cancelled on {{date}}. Nothing more will be paid.

Payment: {{payment_id}}`,
  html: `<p>Hello {{recipient}},</p>
<p>your payment of <strong>{{amount}}</strong> to {{payee}} was cancelled on {{date}}. Nothing more will be paid.</p>
<p>Payment: {{payment_id}}</p>`,
};
