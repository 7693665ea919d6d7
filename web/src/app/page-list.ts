// The list of pages as plain data, for the router and for the browser tests. An earlier path is tried first.
export const PAGES = {
  overview: {
    path: '/',
    scope: 'ops:read',
    nav: { group: 'Now', label: 'Overview', icon: 'overview', key: 'o' },
  },
  approvals: {
    path: '/approvals',
    scope: 'payments:read',
    nav: { group: 'Now', label: 'Approvals', icon: 'approvals', key: 'v' },
  },
  deadLetters: {
    path: '/dead-letters',
    scope: 'ops:read',
    nav: { group: 'Now', label: 'Dead letters', icon: 'letters', key: 'd' },
  },
  deadLetter: { path: '/dead-letters/:id', scope: 'ops:read' },
  payments: {
    path: '/payments',
    scope: 'payments:read',
    nav: { group: 'Money', label: 'Payments', icon: 'payments', key: 'p' },
  },
  payment: { path: '/payments/:id', scope: 'payments:read' },
  schedules: {
    path: '/schedules',
    scope: 'payments:read',
    nav: { group: 'Money', label: 'Schedules', icon: 'schedules', key: 's' },
  },
  scheduleCalendar: { path: '/schedules/calendar', scope: 'payments:read' },
  outages: { path: '/schedules/outages', scope: 'ops:read' },
  newSchedule: { path: '/schedules/new', scope: 'payments:write' },
  schedule: { path: '/schedules/:id', scope: 'payments:read' },
  editSchedule: { path: '/schedules/:id/edit', scope: 'payments:write' },
  accounts: {
    path: '/accounts',
    scope: 'ledger:read',
    nav: { group: 'Money', label: 'Accounts', icon: 'accounts', key: 'a' },
  },
  account: { path: '/accounts/:id', scope: 'ledger:read' },
  subscriptions: {
    path: '/subscriptions',
    scope: 'payments:read',
    nav: { group: 'Money', label: 'Subscriptions', icon: 'subscriptions', key: 'u' },
  },
  subscription: { path: '/subscriptions/:id', scope: 'payments:read' },
  chains: {
    path: '/chains',
    scope: 'payments:read',
    nav: { group: 'Payouts', label: 'Chains', icon: 'chains', key: 'c' },
  },
  chain: { path: '/chains/:name', scope: 'payments:read' },
  jobs: {
    path: '/jobs',
    scope: 'jobs:read',
    nav: { group: 'Machinery', label: 'Jobs', icon: 'jobs', key: 'j' },
  },
  job: { path: '/jobs/:id', scope: 'jobs:read' },
  executions: { path: '/executions', scope: 'jobs:read' },
  execution: { path: '/executions/:id', scope: 'jobs:read' },
  processors: { path: '/processors', scope: 'jobs:read' },
  webhooks: {
    path: '/webhooks',
    scope: 'webhooks:read',
    nav: { group: 'Machinery', label: 'Webhooks', icon: 'webhooks', key: 'w' },
  },
  webhook: { path: '/webhooks/:id', scope: 'webhooks:read' },
  deliveries: { path: '/deliveries', scope: 'webhooks:read' },
  delivery: { path: '/deliveries/:id', scope: 'webhooks:read' },
  events: {
    path: '/events',
    scope: 'events:read',
    nav: { group: 'Machinery', label: 'Events', icon: 'events', key: 'e' },
  },
  audit: {
    path: '/audit',
    scope: 'ops:read',
    nav: { group: 'Control', label: 'Audit', icon: 'audit', key: 't' },
  },
  settings: {
    path: '/settings',
    scope: 'ops:read',
    nav: { group: 'Control', label: 'Settings', icon: 'settings', key: ',' },
  },
  keys: { path: '/settings/keys', scope: 'keys:read' },
  limits: { path: '/settings/limits', scope: 'ops:read' },
  pauses: { path: '/settings/pauses', scope: 'ops:read' },
  tenants: { path: '/settings/tenants', scope: 'tenants:read' },
  clocks: { path: '/settings/clocks', scope: 'ops:read' },
  loops: { path: '/settings/loops', scope: 'ops:read' },
} as const;

export type PageName = keyof typeof PAGES;
