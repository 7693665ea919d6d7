import type { EmailKind } from '../kind.ts';

export const ALLOWANCE_RECEIVED: EmailKind = {
  name: 'allowance_received',
  says: 'An allowance was paid to the account.',
  eventType: 'payment.settled',
  sentTo: 'payees',
  appliesTo: ({ ownerKind }) => ownerKind === 'allowance',
  subject: 'Your allowance of {{amount}} is here',
  text: `Hello {{recipient}},

your allowance of {{amount}} from {{payer}} arrived on {{date}}.`,
  html: `<p>Hello {{recipient}},</p>
<p>your allowance of <strong>{{amount}}</strong> from {{payer}} arrived on {{date}}.</p>`,
};
