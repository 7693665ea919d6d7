// The variables of notifications; a part of the table in config-variables.ts.
export const NOTIFICATION_VARIABLES = [
  {
    name: 'USANCE_DASHBOARD_URL',
    for: 'dev, worker',
    default: null,
    says: 'Public URL of the dashboard, for links in messages to operators. Unset: messages have no links.',
    example: 'https://usance.example.com',
  },
  {
    name: 'USANCE_SMTP_URL',
    secret: true,
    for: 'dev, api, worker, doctor',
    default: null,
    says: 'Mail server for e-mail to payers and payees: smtp://user:password@host:587 with STARTTLS, or smtps://host:465. smtp://…?tls=none sends without TLS; in production only to this machine. Needs USANCE_EMAIL_FROM and USANCE_PUBLIC_URL. Unset: no e-mail.',
    example: 'smtp://user:password@mail.example.com:587',
  },
  {
    name: 'USANCE_EMAIL_FROM',
    for: 'dev, api, worker, doctor',
    default: null,
    says: 'Address that e-mail is sent from. Set together with USANCE_SMTP_URL.',
    example: 'payments@example.com',
  },
  {
    name: 'USANCE_PUBLIC_URL',
    for: 'dev, api, worker, doctor',
    default: null,
    says: 'URL under which the API is reached from outside, for links to unsubscribe. Set together with USANCE_SMTP_URL.',
    example: 'https://pay.example.com',
  },
  {
    name: 'USANCE_EMAILS_PER_DAY',
    for: 'dev, worker',
    default: '10000',
    says: 'E-mails of one tenant in 24 hours; further ones are recorded as limited, and not sent. 0: no limit.',
  },
] as const;
