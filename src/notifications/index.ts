export { alertSentence } from './alert-sentence.ts';
export { CHANNEL_DISABLED_REASONS, CHANNEL_KINDS, DEFAULT_PER_MINUTE, PER_MINUTE, TOPIC_NAMES } from './channel.ts';
export type {
  Channel,
  ChannelChanges,
  ChannelDisabledReason,
  ChannelKind,
  ChannelParams,
  ChannelTest,
  ChannelWithSecret,
  Topic,
} from './channel.ts';
export { MOST_TEMPLATES } from './email/change-template.ts';
export type { TemplateParams } from './email/change-template.ts';
export { EMAIL_OUTCOMES, forgetEmails } from './email/email-store.ts';
export type { EmailOutcome, EmailRecord, OptOut as EmailOptOut } from './email/email-store.ts';
export { EMAIL_KIND_NAMES } from './email/kind.ts';
export type { EmailKindName, EmailTexts } from './email/kind.ts';
export { emailsLoop } from './email/loop.ts';
export { unsubscribeVerbs } from './email/opt-out.ts';
export type { UnsubscribeLink, UnsubscribeVerbs } from './email/opt-out.ts';
export type { EmailSettings, EmailSettingsChanges } from './email/settings.ts';
export type { StoredTemplate, TemplateSummary } from './email/settings-store.ts';
export { EMAIL_LIMITS } from './email/template.ts';
export type { EmailVerbs, ShownEmailSettings } from './email/verbs.ts';
export { ENCRYPTED_NOTIFICATIONS } from './encrypted.ts';
export { NOTIFICATION_CHECKS } from './checks.ts';
export { readChannelHealth } from './health-store.ts';
export { notificationsLoop } from './loop.ts';
export type { NotificationLoopOptions } from './loop.ts';
export type { NotificationSettings } from './settings.ts';
export { notificationVerbs } from './verbs.ts';
export type { NotificationVerbs } from './verbs.ts';
