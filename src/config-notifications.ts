// The variables of notifications; a part of the table in config-variables.ts.
export const NOTIFICATION_VARIABLES = [
  {
    name: 'USANCE_DASHBOARD_URL',
    for: 'dev, worker',
    default: null,
    says: 'Public URL of the dashboard, for links in messages to operators. Unset: messages have no links.',
    example: 'https://usance.example.com',
  },
] as const;
