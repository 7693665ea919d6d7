// Every invariant that is checked: continuously in slices, and as a whole by `usance verify`.
import { ACCESS_CHECKS } from './access/index.ts';
import { EVENT_CHECKS } from './events/index.ts';
import { JOB_CHECKS } from './jobs/index.ts';
import type { Check } from './ledger/index.ts';
import { LEDGER_CHECKS, reservedCheck } from './ledger/index.ts';
import { NOTIFICATION_CHECKS } from './notifications/index.ts';
import { OPERATING_CHECKS } from './ops/index.ts';
import { HELD_BY_PAYMENTS, PAYMENT_CHECKS } from './payments/index.ts';
import { HELD_BY_PAYOUTS, PAYOUT_CHECKS } from './payouts/index.ts';
import { RECURRING_CHECKS } from './schedules/index.ts';
import { WEBHOOK_CHECKS } from './webhooks/index.ts';

export const CHECKS: readonly Check[] = [
  LEDGER_CHECKS,
  reservedCheck([HELD_BY_PAYMENTS, HELD_BY_PAYOUTS]),
  PAYMENT_CHECKS,
  PAYOUT_CHECKS,
  RECURRING_CHECKS,
].flat();

/** Checked by `verify`, before it walks the chains. */
export const VERIFIED: readonly Check[] = [
  CHECKS,
  ACCESS_CHECKS,
  OPERATING_CHECKS,
  EVENT_CHECKS,
  JOB_CHECKS,
  WEBHOOK_CHECKS,
  NOTIFICATION_CHECKS,
].flat();
