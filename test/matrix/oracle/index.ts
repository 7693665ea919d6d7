// The oracle: what the law says of a cell.
import type { Cell, Resource } from '../axes.ts';
import { accountVerdict, assetVerdict, reservationVerdict } from './books.ts';
import { executionVerdict, jobVerdict } from './jobs.ts';
import { deliveryVerdict, endpointVerdict } from './webhooks.ts';
import { channelVerdict } from './notifications.ts';
import {
  apiKeyVerdict,
  auditEventVerdict,
  clockVerdict,
  issuerVerdict,
  outageVerdict,
  ownEventVerdict,
  pauseVerdict,
  settingsVerdict,
  tenantVerdict,
} from './operating.ts';
import { orderVerdict } from './orders.ts';
import { paymentVerdict } from './payments.ts';
import { allowanceVerdict, occurrenceVerdict, planVerdict, scheduleVerdict, subscriptionVerdict } from './recurring.ts';
import type { Verdict } from './verdict.ts';

type Oracle = (cell: never) => Verdict;

export const ORACLES = {
  payment: paymentVerdict,
  order: orderVerdict,
  schedule: scheduleVerdict,
  occurrence: occurrenceVerdict,
  subscription: subscriptionVerdict,
  plan: planVerdict,
  allowance: allowanceVerdict,
  account: accountVerdict,
  reservation: reservationVerdict,
  asset: assetVerdict,
  settings: settingsVerdict,
  pause: pauseVerdict,
  outage: outageVerdict,
  job: jobVerdict,
  execution: executionVerdict,
  'webhook endpoint': endpointVerdict,
  delivery: deliveryVerdict,
  'notification channel': channelVerdict,
  'audit event': auditEventVerdict,
  'own event': ownEventVerdict,
  'API key': apiKeyVerdict,
  'token issuer': issuerVerdict,
  tenant: tenantVerdict,
  clock: clockVerdict,
} as const satisfies Record<Resource, Oracle>;

export const verdictOf = (cell: Cell): Verdict => (ORACLES[cell.resource] as (cell: Cell) => Verdict)(cell);
