import type { SmtpSettings } from '../outbound/index.ts';

/** Settings of notifications, which only the operator knows. */
export interface NotificationSettings {
  /** Public URL of the dashboard, for links in messages to operators. Default: messages have no links. */
  readonly dashboardUrl?: string | null;
  /** The mail server of e-mail to payers and payees. Default: none, and no tenant can enable e-mail. */
  readonly smtp?: SmtpSettings | null;
}
