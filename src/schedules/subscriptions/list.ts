// Lists of subscriptions as callers page through them.
import type { Sql } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { pageOf, upTo } from '../../kernel/index.ts';
import type { SubscriptionFilter } from './list-store.ts';
import { SUBSCRIPTION_SCAN, listSubscriptionIds } from './list-store.ts';
import { readAgreements } from './store.ts';
import type { Subscription } from './subscription.ts';
import { readSubscriptions } from './views.ts';

export interface SubscriptionPage {
  readonly subscriptions: readonly Subscription[];
  /** The id to go on from; null at the end. A page can be short, or empty, without being the last. */
  readonly next: Uuid | null;
}

interface PageOrder {
  readonly limit: number;
  /** The id that the page before ended with. */
  readonly before: Uuid | null;
}

/** By id, newest first. */
export async function subscriptionsById(sql: Sql, tenantId: Uuid, ids: readonly Uuid[]): Promise<Subscription[]> {
  return ids.length === 0 ? [] : readSubscriptions(sql, tenantId, await readAgreements(sql, tenantId, ids));
}

/** One page, in bounded time whatever the filter. */
export async function pageOfSubscriptions(
  sql: Sql,
  tenantId: Uuid,
  filter: SubscriptionFilter,
  { limit, before }: PageOrder,
  scan = SUBSCRIPTION_SCAN,
): Promise<SubscriptionPage> {
  const { items, next } = await pageOf(
    limit,
    (most) => listSubscriptionIds(sql, tenantId, filter, { limit: most, before }, scan),
    (id) => id,
  );
  return { subscriptions: await subscriptionsById(sql, tenantId, items), next };
}

/** As many as there are, up to the limit: scan after scan, where the filter finds little. */
export async function findSubscriptions(
  sql: Sql,
  tenantId: Uuid,
  filter: SubscriptionFilter,
  { limit, before }: PageOrder,
): Promise<Subscription[]> {
  const ids = await upTo(limit, before, (most, from) =>
    listSubscriptionIds(sql, tenantId, filter, { limit: most, before: from }, SUBSCRIPTION_SCAN),
  );
  return subscriptionsById(sql, tenantId, ids);
}
