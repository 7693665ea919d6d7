// A kind of e-mail: which event it is about, who gets it, and its texts in English. Each kind has a file in `kinds/`.
import type { EmailData } from './event-data.ts';

export const EMAIL_KIND_NAMES = [
  'payment_received',
  'payment_sent',
  'payment_upcoming',
  'payment_failed',
  'payment_cancelled',
  'payment_refunded',
  'allowance_received',
  'subscription_payment_failed',
] as const;
export type EmailKindName = (typeof EMAIL_KIND_NAMES)[number];

/** What a template can name, as `{{amount}}`. Every kind has all of them; one that does not apply is empty. */
export const PLACEHOLDERS = {
  amount: 'The amount, in the format of the recipient.',
  date: 'When it happened, or will happen, in the format and time zone of the recipient.',
  payer: 'The name of the account that pays, or its ref.',
  payee: 'The name of the account that is paid, or its ref; of several the first, and how many more.',
  recipient: 'The name of the recipient, or its ref.',
  payment_id: 'The payment.',
  reason: 'Why it failed, as a code such as INSUFFICIENT_FUNDS; empty for other kinds.',
  sender: 'The name that the tenant sends under.',
} as const;
export type Placeholder = keyof typeof PLACEHOLDERS;
export type Values = Readonly<Record<Placeholder, string>>;

export interface EmailTexts {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** The inside of the body; a frame and the link to unsubscribe are added to it. */
  readonly html: string;
}

export interface EmailKind extends EmailTexts {
  readonly name: EmailKindName;
  readonly says: string;
  readonly eventType: string;
  readonly sentTo: 'payer' | 'payees';
  /** Of the events of its type, those that it is about. */
  appliesTo(data: EmailData): boolean;
  /** The amount that it is about, if not that of the payment. */
  amountOf?(data: EmailData): bigint;
}
