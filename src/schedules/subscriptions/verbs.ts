// Plans and subscriptions as an application sees them.
import type { Transaction } from '../../db/index.ts';
import type { EventVerb } from '../../events/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import { isUuid, oneOf, parseRetryPolicy, refuse, someOf } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { findAccounts, fingerprint } from '../../ledger/index.ts';
import type { OrderBounds } from '../../payments/index.ts';
import { createdWithin } from '../../payments/index.ts';
import { once } from '../../tenants/index.ts';
import type { Deed } from '../change.ts';
import { holdSchedules } from '../hold.ts';
import type { ScheduleKey } from '../store.ts';
import type { PlanChange } from './change-plan.ts';
import { changeSubscriptionPlan } from './change-plan.ts';
import { lockChargeCounts } from './charge-count-store.ts';
import type { Changed, SubscriptionCancel, SubscriptionEdit } from './change.ts';
import {
  CANCEL_AT,
  cancelAtPeriodEnd,
  cancelSubscription,
  editSubscription,
  pauseSubscription,
  resumeSubscription,
} from './change.ts';
import type { PlanEdit } from './edit-plan.ts';
import { createPlan } from './create-plan.ts';
import { editPlan } from './edit-plan.ts';
import type { Plan, PlanOrder } from './plan.ts';
import type { SubscriptionPage } from './list.ts';
import type { SubscriptionFilter } from './list-store.ts';
import { findSubscriptions, pageOfSubscriptions, subscriptionsById } from './list.ts';
import { findPlan, listPlans } from './store.ts';
import type { SubscriptionOrder } from './subscribe.ts';
import { subscribe } from './subscribe.ts';
import type { Subscription, SubscriptionStatus } from './subscription.ts';
import { SUBSCRIPTION_STATUSES, chargePreset } from './subscription.ts';

export interface ListedSubscriptions {
  /** Any of these. */
  readonly status?: SubscriptionStatus | readonly SubscriptionStatus[];
  /** The plan that a subscription has now. */
  readonly plan?: Uuid;
  readonly payer?: string;
  readonly reference?: string;
  readonly createdFrom?: Date | string;
  readonly createdBefore?: Date | string;
  /** Subscriptions whose metadata has every one of these fields. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface SubscriptionVerbs {
  createPlan(order: PlanOrder): Promise<Plan>;
  plan(id: Uuid): Promise<Plan>;
  plans(page?: { limit?: number; before?: Uuid }): Promise<Plan[]>;
  /** For later subscriptions. */
  editPlan(id: Uuid, edit: PlanEdit): Promise<Plan>;
  /** The first charge is made at once, or when the trial ends; the next is due one period later. */
  subscribe(order: SubscriptionOrder & { readonly idempotencyKey: string }): Promise<Subscription>;
  subscription(id: Uuid): Promise<Subscription>;
  /** Locks the subscription as its changes do, until the transaction ends: for a comparison before a change in the same transaction. */
  lockSubscription(id: Uuid): Promise<void>;
  subscriptions(filter?: ListedSubscriptions, page?: { limit?: number; before?: Uuid }): Promise<Subscription[]>;
  /** The same in bounded time: a page can be short, or empty, without being the last. */
  subscriptionsPage(filter?: ListedSubscriptions, page?: { limit?: number; before?: Uuid }): Promise<SubscriptionPage>;
  /** Priority, retry policy and metadata, from the next charge on. */
  editSubscription(id: Uuid, edit: SubscriptionEdit): Promise<Subscription>;
  /**
   * Ends it for good, and its open charge with it: nothing is tried again. An expired one can then no longer be resumed. With
   * `at: 'period_end'` it stays active until its next charge would be due, and is cancelled then.
   */
  cancelSubscription(id: Uuid, deed?: SubscriptionCancel): Promise<Subscription>;
  /** From the next charge on, or with `proration: 'charge'` at once: the unused part of the paid period is taken off the new price. */
  changeSubscriptionPlan(id: Uuid, change: PlanChange & { readonly idempotencyKey: string }): Promise<Subscription>;
  /** No charge is made until it is resumed. Charges that fall in the pause are skipped and count as charges. */
  pauseSubscription(id: Uuid, deed?: Deed): Promise<Subscription>;
  /**
   * Of one that is paused, past due or expired, within its approved total: continues with the first charge ahead. Of an active one with
   * `cancelAt`: withdraws the cancellation.
   */
  resumeSubscription(id: Uuid, deed?: Deed): Promise<Subscription>;
}

const PAGE = 100;

export function subscriptionVerbs(context: VerbContext, bounds: OrderBounds): SubscriptionVerbs {
  const { tenantId, caller, sql } = context;
  const maker = { tenantId, caller };

  const noPlan = (id: Uuid): never => refuse('PLAN_NOT_FOUND', { plan: id });
  const none = (id: Uuid): never => refuse('SUBSCRIPTION_NOT_FOUND', { subscription: id });
  const plan = async (id: Uuid): Promise<Plan> =>
    (isUuid(id) ? await findPlan(sql, { tenantId, id }) : null) ?? noPlan(id);

  const view = async (id: Uuid): Promise<Subscription> => {
    const [found] = isUuid(id) ? await subscriptionsById(sql, tenantId, [id]) : [];
    return found ?? none(id);
  };
  const filterOf = async (filter: ListedSubscriptions): Promise<SubscriptionFilter> => {
    const { status, plan: planId, payer, reference } = filter;
    const [named] = payer === undefined ? [] : await findAccounts(sql, tenantId, [payer]);
    if (payer !== undefined && !named) refuse('ACCOUNT_NOT_FOUND', { account: payer, param: 'payer' });
    return {
      ...(status === undefined ? {} : { status: someOf(status, SUBSCRIPTION_STATUSES, 'status') }),
      ...(planId === undefined ? {} : { planId }),
      ...(named ? { payerId: named.id } : {}),
      ...(reference === undefined ? {} : { reference }),
      ...createdWithin(filter),
      ...(filter.metadata === undefined ? {} : { metadata: filter.metadata }),
    };
  };
  const rangeOf = ({ limit = PAGE, before }: { limit?: number; before?: Uuid }) => ({ limit, before: before ?? null });
  const onceFor = (
    verb: string,
    order: { readonly idempotencyKey: string; readonly [field: string]: unknown },
    work: (tx: Transaction, clock: Clock) => Promise<string>,
  ): Promise<string> =>
    context.run(async (tx, clock) => {
      if (context.keyed) return work(tx, clock);
      const scope = { tenantId, actor: caller.scope, key: order.idempotencyKey, fingerprint: fingerprint(verb, order) };
      return (await once(tx, scope, (inner) => work(inner, clock))).answer;
    });
  /** A change by a person, told in the words of a schedule and of a subscription. */
  const change = async (
    id: Uuid,
    what: EventVerb<'subscription'>,
    data: (before: Subscription) => Readonly<Record<string, unknown>>,
    work: (tx: Transaction, clock: Clock, key: ScheduleKey, before: Subscription) => Promise<Changed | null | void>,
  ): Promise<Subscription> => {
    const before = await view(id);
    await context.run(async (tx, clock) => {
      const done = (await work(tx, clock, { tenantId, id, subscription: true }, before)) ?? {
        what,
        data: data(before),
      };
      const about = { tenantId, resource: 'subscription', resourceId: id, occurredAt: clock.now };
      await appendEvents(tx, [{ ...caller, ...about, type: `subscription.${done.what}`, data: done.data }]);
    });
    return view(id);
  };
  const moved = (status: SubscriptionStatus, deed: Deed) => (before: Subscription) => ({
    old: { status: before.status },
    new: { status },
    ...deed,
  });

  return {
    createPlan: (order) => context.run((tx, clock) => createPlan(tx, clock, maker, order)),
    plan,
    plans: (page = {}) => listPlans(sql, tenantId, { limit: page.limit ?? PAGE, before: page.before ?? null }),
    editPlan: (id, edit) =>
      context.run((tx, clock) => (isUuid(id) ? editPlan(tx, clock, maker, id, edit) : noPlan(id))),
    subscribe: async (order) =>
      view(
        await onceFor('subscribe', { ...order }, async (tx, clock) => {
          if (!isUuid(order.plan)) noPlan(order.plan);
          return (await subscribe(tx, clock, maker, order, bounds)).id;
        }),
      ),
    subscription: view,
    // The clock first, as in every change: a test clock that settles waits for the counts, and must not run meanwhile.
    lockSubscription: (id) =>
      context.run(async (tx) => {
        if (!isUuid(id)) none(id);
        await holdSchedules(tx, [{ tenantId, id }]);
        // Settling a charge changes what the subscription shows, and takes this lock only.
        await lockChargeCounts(tx, [{ tenantId, scheduleId: id }], { waits: true });
      }),
    subscriptions: async (filter = {}, page = {}) =>
      findSubscriptions(sql, tenantId, await filterOf(filter), rangeOf(page)),
    subscriptionsPage: async (filter = {}, page = {}) =>
      pageOfSubscriptions(sql, tenantId, await filterOf(filter), rangeOf(page)),
    editSubscription(id, edit) {
      const given: SubscriptionEdit = Object.fromEntries(
        Object.entries(edit).filter(([, value]) => value !== undefined),
      );
      // The tenant's own metadata is not repeated in the event; that it changed is.
      const { metadata: _own, retry, ...told } = given;
      const data = (before: Subscription): Changed['data'] => {
        const policy = retry === undefined ? {} : { retry: parseRetryPolicy(retry, chargePreset(before)) };
        return { changed: Object.keys(given), new: { ...told, ...policy } };
      };
      return change(id, 'updated', data, (tx, clock, key, before) =>
        editSubscription(tx, clock, caller, key, edit, chargePreset(before)),
      );
    },
    cancelSubscription: (id, { at = 'now', ...deed } = {}) =>
      change(id, 'cancelled', moved('cancelled', deed), (tx, clock, key) =>
        oneOf(at, CANCEL_AT, 'at') === 'period_end'
          ? cancelAtPeriodEnd(tx, clock, key, deed)
          : cancelSubscription(tx, clock, caller, key, deed),
      ),
    async changeSubscriptionPlan(id, change) {
      await view(id);
      if (!isUuid(change.plan)) noPlan(change.plan);
      await onceFor('changeSubscriptionPlan', { id, ...change }, async (tx, clock) => {
        const { what, data } = await changeSubscriptionPlan(tx, clock, maker, id, change, bounds);
        const about = { tenantId, resource: 'subscription', resourceId: id, occurredAt: clock.now };
        await appendEvents(tx, [{ ...caller, ...about, type: `subscription.${what}`, data }]);
        return id;
      });
      return view(id);
    },
    pauseSubscription: (id, deed = {}) =>
      change(id, 'paused', moved('paused', deed), (tx, clock, key) => pauseSubscription(tx, clock, caller, key, deed)),
    resumeSubscription: (id, deed = {}) =>
      change(id, 'resumed', moved('active', deed), (tx, clock, key) =>
        resumeSubscription(tx, clock, caller, key, deed),
      ),
  };
}
