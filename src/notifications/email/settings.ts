// The e-mail settings of a tenant: whether and about what it sends e-mail, and under which name. A tenant has one row, which owns the managed job
// with its id.
import type { RetryPolicy, Uuid } from '../../kernel/index.ts';
import type { EncryptedColumn } from '../../secrets/index.ts';
import type { EmailKindName } from './kind.ts';
import { KINDS } from './kinds/index.ts';

export const EMAIL_PROCESSOR = 'email';

/** The pattern of the job for these kinds. */
export const patternOf = (kinds: readonly EmailKindName[]): string =>
  [...new Set(kinds.map((kind) => KINDS[kind].eventType))].join(',');

const MINUTE_MS = 60_000;
/** 8 attempts in about nine hours: a mail server that is away for a night loses nothing. */
export const EMAIL_RETRY: RetryPolicy = {
  maxAttempts: 8,
  initialDelayMs: 30_000,
  multiplier: 2,
  maxDelayMs: 240 * MINUTE_MS,
  jitter: 0.1,
  delaysMs: [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS, 180 * MINUTE_MS, 240 * MINUTE_MS],
};
/** For one event: a payment has up to eleven recipients. */
export const EMAIL_ATTEMPT_MS = 5 * MINUTE_MS;
/** E-mails of one tenant in 24 hours of real time, unless the operator says otherwise (`USANCE_EMAILS_PER_DAY`). */
export const EMAILS_PER_DAY = 10_000;
/** E-mails to one account, and to one address, in 24 hours of real time; further ones are recorded and not sent. */
export const MOST_A_DAY = 100;

export interface EmailSettings {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly enabled: boolean;
  readonly kinds: readonly EmailKindName[];
  /** The name beside the address of the operator; null: that of the tenant. */
  readonly fromName: string | null;
  readonly replyTo: string | null;
  /** For contacts without one. */
  readonly locale: string;
  /** For contacts without one. */
  readonly zone: string;
  /** Events of a test tenant are sent too. */
  readonly sendTestEvents: boolean;
  readonly updatedAt: Date;
}

export type EmailSettingsChanges = Partial<Omit<EmailSettings, 'tenantId' | 'id' | 'updatedAt'>>;

export const LINK_SECRET: EncryptedColumn = {
  table: 'email_settings',
  column: 'link_secret',
  keyColumn: 'link_secret_key',
  keyIsGenerated: true,
  purpose: 'email_settings.link_secret',
  nouns: 'secrets of links to unsubscribe',
};
export const ENCRYPTED_EMAIL: readonly EncryptedColumn[] = [LINK_SECRET];
