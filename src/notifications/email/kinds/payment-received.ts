import type { EmailKind } from '../kind.ts';

export const PAYMENT_RECEIVED: EmailKind = {
  name: 'payment_received',
  says: 'A payment to the account was made.',
  eventType: 'payment.settled',
  sentTo: 'payees',
  appliesTo: ({ ownerKind }) => ownerKind !== 'allowance',
  subject: 'You received {{amount}} from {{payer}}',
  text: `Hello {{recipient}},

you received {{amount}} from {{payer}} on {{date}}.

Payment: {{payment_id}}`,
  html: `<p>Hello {{recipient}},</p>
<p>you received <strong>{{amount}}</strong> from {{payer}} on {{date}}.</p>
<p>Payment: {{payment_id}}</p>`,
};
