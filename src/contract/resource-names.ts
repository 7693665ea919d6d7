// The resources of the table of names, each in one sentence.
import type { NAMES } from './names-table.ts';

type ResourceOf<Name> = Name extends `${infer R}.${string}` ? R : never;
export type ResourceName = ResourceOf<keyof typeof NAMES>;

/** Each resource in one sentence: the tags of the OpenAPI document, the types of the client and the library, and their pages. */
export const RESOURCES = {
  assets: 'Units of money: a code and a scale.',
  accounts: 'Holders of balances, with deposits, withdrawals, statements and forecasts.',
  holds: 'Payments that reserve funds now and pay later.',
  payments: 'Payments at an instant: reserved or funded when due, to one or several payees.',
  schedules: 'Recurring payments: a rule in a time zone, its upcoming and past runs.',
  outageGuard: 'The backlog above which runs are held.',
  outages: 'Runs that were held after an outage until an operator decides.',
  plans: 'Terms of subscriptions: price, period, trial.',
  subscriptions: 'Accounts that are charged by a plan.',
  allowances: 'Daily, weekly or monthly payments from a guardian to a child.',
  events: 'Every change, and the events of your application, in order.',
  jobs: 'Code that runs on events: a pattern, a processor and a retry policy.',
  executions: 'Events that jobs handle, with every attempt.',
  processors: 'Code that workers can run, by name.',
  webhookEndpoints: 'URLs that get events, signed.',
  deliveries: 'Events on their way to webhook endpoints, with every attempt.',
  auditEvents: 'The audit log, with the hash chain that seals it.',
  pauses: 'Switches that stop outgoing payments.',
  executionCap: 'The most payments per second of a tenant.',
  limits: 'The most that one payment, an account or the tenant may send.',
  paymentIntents: 'Payouts under the names of the payment intents API.',
  quotes: 'Chains that a payout could take, scored; accepted to create it.',
  treasuryWallets: 'Accounts that pay over chains, compared with their chains.',
  chains: 'Chains that payouts can take, and their health.',
  cronRuns: 'Runs of the background loops and one-shot commands.',
  overview: 'The state of a tenant in one answer, its charts, and what is due next.',
  search: 'Resources by id, reference or ref.',
  settings: 'Settings of a tenant in one answer.',
  deadLetters: 'Payments, runs and executions that failed for good: retry or discard them.',
  apiKeys: 'API keys: create, rotate, revoke.',
  notificationChannels: 'Messages to operators in Slack, in Discord or at a URL.',
  email: 'E-mail to payers and payees: settings of the tenant.',
  emailTemplates: 'The tenant’s own texts of e-mails.',
  emailOptOuts: 'Accounts that want no e-mail.',
  emails: 'E-mails that were sent.',
  tokenIssuers: 'Issuers whose JWTs authenticate end users.',
  tenants: 'Isolated data sets in one database.',
  testClocks: 'The time of a test tenant, advanced by request.',
} as const satisfies Readonly<Record<ResourceName, string>>;
