// The requirements of the designs that usance combines.
import { ALLOWANCES } from './allowances.ts';
import { HOLDS } from './holds.ts';
import { JOBS } from './jobs.ts';
import { PAYMENT_INTENTS } from './payment-intents.ts';
import { SUBSCRIPTIONS } from './subscriptions.ts';

export const REQUIREMENTS = {
  'The subscription scheduler': SUBSCRIPTIONS,
  'Event jobs': JOBS,
  Allowances: ALLOWANCES,
  'Payment intents': PAYMENT_INTENTS,
  'Delayed payments': HOLDS,
} as const;
