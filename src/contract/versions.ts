// Versions of resources, for ETag and If-Match. A version is a hash of what the resource shows: no column is read for it and no
// write pays for it. If-Match is compared inside the transaction of the change, after the locks that every change of the
// resource takes (of a subscription also that of settling its charges), so no other change can come between the comparison and this one.
import { hash } from 'node:crypto';
import type { TenantVerbs } from '../engine.ts';
import { fromTypeId, refuse } from '../kernel/index.ts';
import { canonical } from './canonical.ts';
import { accountKey, paymentKey } from './wire-format.ts';
import { jobKey, showJob } from './resources/job-shape.ts';
import { showAccount } from './resources/account-shape.ts';
import { showPayment } from './resources/payment-shape.ts';
import { shownIntent } from './resources/payout-shape.ts';
import { showSchedule } from './resources/schedule-shape.ts';
import { showSubscription } from './resources/subscriptions.ts';
import { showEndpoint } from './resources/webhook-shape.ts';
import type { Route } from './route.ts';

interface Versioned {
  /** Titles of the schemas that show the resource. */
  readonly shownAs: readonly string[];
  /** Takes the lock that changes of the resource take, and reads it. */
  locked(tenant: TenantVerbs, id: string): Promise<object>;
}

const PAYMENT: Versioned = {
  shownAs: ['Payment', 'Hold'],
  async locked(tenant, id) {
    await tenant.lockPayment(paymentKey(id));
    return showPayment(await tenant.payment(paymentKey(id)));
  },
};

const VERSIONED: Readonly<Record<string, Versioned>> = {
  payments: PAYMENT,
  holds: PAYMENT,
  'payment-intents': {
    shownAs: ['PaymentIntent'],
    async locked(tenant, id) {
      await tenant.lockPayment(paymentKey(id));
      return shownIntent(tenant, await tenant.payment(paymentKey(id)));
    },
  },
  schedules: {
    shownAs: ['Schedule'],
    async locked(tenant, id) {
      const key = fromTypeId('schedule', id);
      await tenant.lockSchedule(key);
      return showSchedule(await tenant.schedule(key));
    },
  },
  subscriptions: {
    shownAs: ['Subscription'],
    async locked(tenant, id) {
      const key = fromTypeId('subscription', id);
      await tenant.lockSubscription(key);
      return showSubscription(await tenant.subscription(key));
    },
  },
  jobs: {
    shownAs: ['Job'],
    async locked(tenant, id) {
      const { id: key } = await tenant.job(jobKey(id));
      await tenant.lockJob(key);
      return showJob(await tenant.job(key));
    },
  },
  'webhook-endpoints': {
    shownAs: ['WebhookEndpoint'],
    async locked(tenant, id) {
      const key = fromTypeId('webhookEndpoint', id);
      await tenant.lockWebhookEndpoint(key);
      return showEndpoint(await tenant.webhookEndpoint(key));
    },
  },
  accounts: {
    shownAs: ['Account', 'AccountWithBalances'],
    async locked(tenant, id) {
      const { id: key } = await tenant.account(accountKey(id));
      await tenant.lockAccount(key);
      return showAccount(await tenant.account(key));
    },
  },
};

/** The versioned resource of a route about one resource, by its path: `/payments/{id}/cancel`. */
function versionedOf({ path }: Pick<Route, 'path'>): Versioned | null {
  const [, resource = ''] = /^\/([\w-]+)\/\{id\}(?:\/|$)/.exec(path) ?? [];
  return VERSIONED[resource] ?? null;
}

/** Whether the answer is the resource itself, and so has an ETag. */
export function hasVersion(route: Pick<Route, 'path' | 'answer'>): boolean {
  const title = 'title' in route.answer ? String(route.answer.title) : '';
  return versionedOf(route)?.shownAs.includes(title) ?? false;
}

/** Whether the route changes such a resource, and so takes If-Match. */
export const takesIfMatch = (route: Pick<Route, 'path' | 'method'>): boolean =>
  route.method !== 'GET' && versionedOf(route) !== null;

/** Fields that some answers have and others have not, or that change without the resource: the balances of an account, the health of an endpoint. */
const NOT_OF_THE_STATE = new Set([
  'next_attempt_at',
  'balances',
  'hold_status',
  'last_success_at',
  'failing_since',
  'previous_secret_expires_at',
]);

export function versionOf(shown: object): string {
  const state = Object.entries(shown).filter(([name]) => !NOT_OF_THE_STATE.has(name));
  return hash('sha256', canonical(Object.fromEntries(state)), 'base64url').slice(0, 22);
}

/** A condition on the version of the resource. */
export interface IfMatch {
  readonly versions: readonly string[];
  /** The name of the condition for the caller: a header over HTTP, an option in the library. */
  readonly param: string;
}

/** Refuses where none of the versions is that of the resource, which stays locked until the transaction ends. */
export async function requireVersion(
  route: Route,
  tenant: TenantVerbs,
  params: unknown,
  { versions, param }: IfMatch,
): Promise<void> {
  const { id } = params as { readonly id: string };
  const versioned = versionedOf(route);
  if (!versioned) return;
  const current = versionOf(await versioned.locked(tenant, id));
  if (!versions.includes(current)) refuse('PRECONDITION_FAILED', { param, current: `"${current}"` });
}

const TAG = /^(?:W\/)?"([\w-]{22})(?:-[\w-]{1,64})?"$/;

/**
 * The versions of an If-Match: ETags separated by commas. Null where there is no condition, as with `*`: every change is of a
 * resource that exists. The part after the version in an ETag identifies one representation; a change does not depend on it.
 */
export function ifMatchOf(route: Route, given: string | undefined, param = 'If-Match'): IfMatch | null {
  if (given === undefined) return null;
  if (!takesIfMatch(route)) refuse('PRECONDITION_INVALID/unsupported', { param });
  if (given.trim() === '*') return null;
  const versions = given.split(',').map((tag) => {
    const [, version] = TAG.exec(tag.trim()) ?? [];
    return version ?? refuse('PRECONDITION_INVALID/malformed', { param });
  });
  return { versions, param };
}
