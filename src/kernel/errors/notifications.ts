// Notification channels and e-mail.
import { conflict, invalid, missing, unprocessable } from './entry.ts';
import { ID } from './example-values.ts';

export const NOTIFICATIONS_ERRORS = {
  EMAIL_NOT_CONFIGURED: conflict({
    title: 'The operator has configured no mail server',
    detail: 'e-mail cannot be enabled: this process has no mail server (USANCE_SMTP_URL is not set)',
    cause: 'USANCE_SMTP_URL, USANCE_EMAIL_FROM and USANCE_PUBLIC_URL are not set for the process that answered.',
    remedy: 'Set the three variables for every process (`usance doctor` checks them), then enable e-mail again.',
  }),
  EMAIL_TEMPLATE_INVALID: invalid({
    title: 'The e-mail template cannot be rendered',
    detail: {
      placeholder: '{param} has the placeholder "{name}", which does not exist; use one of {known:list}',
      braces: '{param} has double braces that are no placeholder',
      subject: '{param} must be one line',
      html: '{param} has HTML that a template may not have, at "{at}"',
    },
    example: ['placeholder', { param: 'text', name: 'total', known: ['amount', 'date'] }],
    cause:
      'Templates have placeholders and no logic. HTML parts are limited to text, lists, tables, images and links over https: each element closed in order, each attribute in double quotes, no comments, and placeholders only in the text between tags.',
    remedy: 'Correct the part of the template that `param` names.',
  }),
  EMAIL_TEMPLATE_NOT_FOUND: missing({
    title: 'The tenant has no such e-mail template',
    detail: 'there is no e-mail template "{template}"',
    example: { template: 'payment_received.de' },
    cause: 'The tenant has no texts of its own for this kind and language.',
    remedy: 'List the templates of the tenant, and use an id from the list.',
  }),
  EMAIL_TEMPLATES_TOO_MANY: unprocessable({
    title: 'The tenant has reached its limit of e-mail templates',
    detail: 'a tenant can have {max} e-mail templates of {bytes} bytes together; delete some, or shorten their texts',
    example: { max: 200, bytes: 1_000_000 },
    cause: 'The number of e-mail templates of a tenant is limited, and so is the size of all their texts together.',
    remedy: 'Delete templates that are no longer needed, or shorten their texts.',
  }),
  EMAIL_OPT_OUT_NOT_FOUND: missing({
    title: 'The account has not unsubscribed from e-mail',
    detail: 'account "{account}" has not unsubscribed from e-mail',
    example: { account: 'alice' },
    cause: 'The account gets e-mail already, as far as its contact has an address.',
    remedy: 'List the accounts that opted out with `GET /v1/email-opt-outs`.',
  }),
  NOTIFICATION_CHANNEL_NOT_FOUND: missing({
    title: 'The tenant has no such notification channel',
    detail: 'there is no notification channel "{channel:notificationChannel}"',
    example: { channel: ID },
    cause: 'The tenant of the API key has no notification channel with this id, or the channel was deleted.',
    remedy: 'List the notification channels of the tenant, and use an id from the list.',
  }),
  NOTIFICATION_CHANNEL_UNSIGNED: conflict({
    title: 'Messages of the notification channel are not signed',
    detail:
      'notification channel {channel:notificationChannel} is of the kind "{kind}", which has no secret; only a channel of the kind "webhook" has one',
    example: { channel: ID, kind: 'slack' },
    cause: 'Slack and Discord verify no signature, so channels of these kinds have no secret that could be rotated.',
    remedy:
      'If its URL was exposed, revoke it in the service and give the channel a new one with `PATCH /v1/notification-channels/{id}`.',
  }),
  NOTIFICATION_CHANNEL_DISABLED: conflict({
    title: 'The notification channel is disabled',
    detail: 'notification channel {channel:notificationChannel} is disabled; enable it before you test it',
    example: { channel: ID },
    cause: 'A disabled channel sends nothing, so a test would never arrive.',
    remedy: 'Enable the channel with `PATCH /v1/notification-channels/{id}`, then send the test again.',
  }),
};
