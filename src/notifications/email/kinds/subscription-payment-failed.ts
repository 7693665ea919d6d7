import type { EmailKind } from '../kind.ts';

export const SUBSCRIPTION_PAYMENT_FAILED: EmailKind = {
  name: 'subscription_payment_failed',
  says: 'A charge of a subscription failed for good.',
  eventType: 'payment.failed',
  sentTo: 'payer',
  appliesTo: ({ ownerKind }) => ownerKind === 'subscription',
  subject: 'Your subscription payment of {{amount}} to {{payee}} failed',
  text: `Hello {{recipient}},

the payment of {{amount}} for your subscription with {{payee}} failed on {{date}}: {{reason}}.
Add funds to your account, so that the subscription can continue.

Payment: {{payment_id}}`,
  html: `<p>Hello {{recipient}},</p>
<p>the payment of <strong>{{amount}}</strong> for your subscription with {{payee}} failed on {{date}}: {{reason}}.<br>
Add funds to your account, so that the subscription can continue.</p>
<p>Payment: {{payment_id}}</p>`,
};
