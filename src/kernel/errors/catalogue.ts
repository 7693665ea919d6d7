// Every code there is, by area. A code is added in the file of its area.
import { ACCESS_ERRORS } from './access.ts';
import { CHAINS_ERRORS } from './chains.ts';
import type { Entry } from './entry.ts';
import { EVENTS_ERRORS } from './events.ts';
import { HTTP_ERRORS } from './http.ts';
import { JOBS_ERRORS } from './jobs.ts';
import { LEDGER_ERRORS } from './ledger.ts';
import { NOTIFICATIONS_ERRORS } from './notifications.ts';
import { OPERATIONS_ERRORS } from './operations.ts';
import { OUTBOUND_ERRORS } from './outbound.ts';
import { PAYMENTS_ERRORS } from './payments.ts';
import { PAYOUTS_ERRORS } from './payouts.ts';
import { REQUEST_ERRORS } from './request.ts';
import { RULES_ERRORS } from './rules.ts';
import { SCHEDULES_ERRORS } from './schedules.ts';
import { SECRETS_ERRORS } from './secrets.ts';
import { SUBSCRIPTIONS_ERRORS } from './subscriptions.ts';
import { WEBHOOKS_ERRORS } from './webhooks.ts';

/** Every error code with its title, HTTP status and remedy. */
export const CATALOGUE = {
  ...REQUEST_ERRORS,
  ...HTTP_ERRORS,
  ...ACCESS_ERRORS,
  ...LEDGER_ERRORS,
  ...PAYMENTS_ERRORS,
  ...PAYOUTS_ERRORS,
  ...RULES_ERRORS,
  ...SCHEDULES_ERRORS,
  ...SUBSCRIPTIONS_ERRORS,
  ...JOBS_ERRORS,
  ...NOTIFICATIONS_ERRORS,
  ...OPERATIONS_ERRORS,
  ...EVENTS_ERRORS,
  ...SECRETS_ERRORS,
  ...OUTBOUND_ERRORS,
  ...WEBHOOKS_ERRORS,
  ...CHAINS_ERRORS,
} satisfies Record<string, Entry>;

export type Catalogue = typeof CATALOGUE;
/** An error code: a key of `CATALOGUE`. */
export type Code = keyof typeof CATALOGUE;
