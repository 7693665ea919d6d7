// The set-up of operators: keys, limits, a pause, a guard and jobs.
import type { Stage } from './stage.ts';
import { GEMS, USD } from './stage.ts';

export async function setLimits({ as, key }: Stage): Promise<void> {
  const finance = await as('finance:ana');
  await finance.limits.set({ asset: USD, approvalAbove: 500_000, defaultDailyAmount: 2_000_000 }, key('limits of usd'));
  await finance.limits.set({ asset: USD, account: 'felix', maxAmount: 50_000 }, key('limits of felix'));
  await finance.outageGuard.set({ count: 500, amounts: [{ asset: USD, amount: 5_000_000 }] }, key('outage guard'));
}

export async function createKeys({ as, key }: Stage): Promise<void> {
  const admin = await as('platform:kim');
  await admin.apiKeys.create({ name: 'storefront', role: 'operator' }, key('key storefront'));
  await admin.apiKeys.create({ name: 'dashboards', role: 'viewer', person: 'ana@example.com' }, key('key dashboards'));
  const old = await admin.apiKeys.create({ name: 'storefront 2025', role: 'operator' }, key('key storefront 2025'));
  await admin.apiKeys.revoke(old.id, key('revoke storefront 2025'));
}

export async function pauseGems({ as, key }: Stage): Promise<void> {
  const finance = await as('finance:ana');
  const earlier = await finance.pauses.create(
    { scope: 'rail', value: 'sandbox', reason: 'Maintenance of the node' },
    key('pause sandbox'),
  );
  await finance.pauses.lift(earlier.id, key('lift sandbox'));
  await finance.pauses.create(
    { scope: 'asset', value: GEMS, reason: 'Gems are reissued this week' },
    key('pause gems'),
  );
}

/** Runs on events of this tenant in this process, at every start. */
export async function subscribeJobs({ shop }: Stage): Promise<void> {
  // At the instants at which deliveries are tried again: each instant is a step of the clock.
  const terms = { retryConfig: { maxAttempts: 3, initialDelayMs: 5_000, multiplier: 1 } };
  await shop.events.subscribe(
    'payment.settled',
    async ({ id, seq }, { attemptNumber }) => {
      // Every fifth receipt needs a second attempt.
      if (seq % 5 === 0 && attemptNumber === 1) throw new Error('the mail server closed the connection');
      return { receipt: `R-${seq}`, event: id };
    },
    { ...terms, name: 'send-receipt', description: 'Sends the buyer a receipt.' },
  );
  await shop.events.subscribe(
    'payment.failed',
    async () => {
      throw new Error('warehouse answered 422: order is already packed');
    },
    { ...terms, name: 'release-stock', description: 'Returns the items of an order that was not paid.' },
  );
}

/** Events of the market's own application. */
export async function appendOwnEvents({ shop, key }: Stage): Promise<void> {
  await shop.events.appendMany(
    {
      events: ['3001', '3002', '3003', '3004'].map((order) => ({
        type: 'orders.shipped',
        resource: 'order',
        resourceId: `ORDER-${order}`,
        data: { carrier: 'Northline', parcels: 1 },
      })),
    },
    key('orders shipped'),
  );
}
