import type { EmailKind } from '../kind.ts';

export const PAYMENT_REFUNDED: EmailKind = {
  name: 'payment_refunded',
  says: 'A payment of the account was refunded, whole or in part.',
  eventType: 'payment.refunded',
  sentTo: 'payer',
  appliesTo: () => true,
  amountOf: ({ refunded }) => refunded,
  subject: '{{payee}} refunded {{amount}} to you',
  text: `Hello {{recipient}},

{{payee}} refunded {{amount}} to you on {{date}}.

Payment: {{payment_id}}`,
  html: `<p>Hello {{recipient}},</p>
<p>{{payee}} refunded <strong>{{amount}}</strong> to you on {{date}}.</p>
<p>Payment: {{payment_id}}</p>`,
};
