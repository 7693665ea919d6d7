import type { EmailKind } from '../kind.ts';

export const PAYMENT_FAILED: EmailKind = {
  name: 'payment_failed',
  says: 'A payment of the account failed for good; not of a subscription.',
  eventType: 'payment.failed',
  sentTo: 'payer',
  appliesTo: ({ ownerKind }) => ownerKind !== 'subscription',
  subject: 'Your payment of {{amount}} to {{payee}} failed',
  text: `Hello {{recipient}},

your payment of {{amount}} to {{payee}} failed on {{date}}: {{reason}}.

Payment: {{payment_id}}`,
  html: `<p>Hello {{recipient}},</p>
<p>your payment of <strong>{{amount}}</strong> to {{payee}} failed on {{date}}: {{reason}}.</p>
<p>Payment: {{payment_id}}</p>`,
};
