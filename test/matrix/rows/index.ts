// How the rows of every resource are made and its verbs are called.
import type { Resource } from '../axes.ts';
import { API_KEYS, ISSUERS } from './access.ts';
import { ACCOUNTS, ASSETS, RESERVATIONS } from './books.ts';
import { EXECUTIONS, JOBS } from './jobs.ts';
import { DELIVERIES, WEBHOOK_ENDPOINTS } from './webhooks.ts';
import { AUDIT_EVENTS, CLOCKS, OUTAGES, OWN_EVENTS, PAUSES, SETTINGS, TENANTS } from './operating.ts';
import { NOTIFICATION_CHANNELS } from './notifications.ts';
import { ORDERS } from './orders.ts';
import { PAYMENTS } from './payments.ts';
import { ALLOWANCES, OCCURRENCES, PLANS, SCHEDULES, SUBSCRIPTIONS } from './recurring.ts';

export const DRIVERS = {
  payment: PAYMENTS,
  order: ORDERS,
  schedule: SCHEDULES,
  occurrence: OCCURRENCES,
  subscription: SUBSCRIPTIONS,
  plan: PLANS,
  allowance: ALLOWANCES,
  account: ACCOUNTS,
  reservation: RESERVATIONS,
  asset: ASSETS,
  settings: SETTINGS,
  pause: PAUSES,
  outage: OUTAGES,
  job: JOBS,
  execution: EXECUTIONS,
  'webhook endpoint': WEBHOOK_ENDPOINTS,
  delivery: DELIVERIES,
  'notification channel': NOTIFICATION_CHANNELS,
  'audit event': AUDIT_EVENTS,
  'own event': OWN_EVENTS,
  'API key': API_KEYS,
  'token issuer': ISSUERS,
  tenant: TENANTS,
  clock: CLOCKS,
} as const satisfies Record<Resource, object>;
