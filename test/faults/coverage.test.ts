// That nothing is left out: a verb that nobody interrupts is a verb that nobody knows about.
import { expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { namesOf } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { ALLOWANCE_SCENARIOS } from './allowance-scenarios.ts';
import { BOUNDARIES, READ_ONLY } from './boundaries.ts';
import { CLOCK_SCENARIOS } from './clock-scenarios.ts';
import { JOB_SCENARIOS } from './job-scenarios.ts';
import { LEDGER_SCENARIOS } from './ledger-scenarios.ts';
import { OPERATING_SCENARIOS } from './operating-scenarios.ts';
import { PAYMENT_SCENARIOS } from './payment-scenarios.ts';
import { PAYOUT_CHOICE_SCENARIOS } from './payout-choice-scenarios.ts';
import { SCHEDULE_SCENARIOS } from './schedule-scenarios.ts';
import { SETTLE_SCENARIOS } from './settle-scenarios.ts';
import { SUBSCRIPTION_SCENARIOS } from './subscription-scenarios.ts';
import { NOTIFICATION_SCENARIOS } from './notification-scenarios.ts';
import { WEBHOOK_SCENARIOS } from './webhook-scenarios.ts';

const store = useUsance();
const SCENARIOS = {
  ...ALLOWANCE_SCENARIOS,
  ...CLOCK_SCENARIOS,
  ...JOB_SCENARIOS,
  ...LEDGER_SCENARIOS,
  ...OPERATING_SCENARIOS,
  ...PAYMENT_SCENARIOS,
  ...PAYOUT_CHOICE_SCENARIOS,
  ...SCHEDULE_SCENARIOS,
  ...SETTLE_SCENARIOS,
  ...SUBSCRIPTION_SCENARIOS,
  ...NOTIFICATION_SCENARIOS,
  ...WEBHOOK_SCENARIOS,
};

test('every verb of a tenant that writes is interrupted at every statement', () => {
  const interrupted: readonly string[] = Object.values(SCENARIOS).flatMap((scenario) => scenario.verbs ?? []);
  const verbs = namesOf(store.tenant).filter((name) => typeof store.tenant[name as keyof TenantHandle] === 'function');
  const missing = verbs.filter((verb) => !interrupted.includes(verb) && !READ_ONLY.includes(verb));
  expect(missing, 'give each a scenario in test/faults, or say in boundaries.ts that it only reads').toEqual([]);
  const gone = READ_ONLY.filter((verb) => !verbs.includes(verb));
  expect(gone, 'no longer a verb: take it off the list in boundaries.ts').toEqual([]);
});

test('every number written down belongs to a scenario', () => {
  expect(Object.keys(BOUNDARIES).toSorted()).toEqual(Object.keys(SCENARIOS).toSorted());
});
