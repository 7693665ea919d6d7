// Plans and subscriptions as an application sees them.
import type { Transaction } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import { isUuid, refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { findAccounts, fingerprint } from '../../ledger/index.ts';
import type { OrderBounds } from '../../payments/index.ts';
import { cancelPayments, readPaid } from '../../payments/index.ts';
import { once } from '../../tenants/index.ts';
import type { Deed } from '../change.ts';
import { cancelSchedule, resumeSchedule } from '../change.ts';
import { readScheduleDue } from '../due-store.ts';
import type { ScheduleKey } from '../store.ts';
import { readSchedules } from '../store.ts';
import type { PlanEdit } from './change-plan.ts';
import { createPlan, editPlan } from './change-plan.ts';
import type { Plan, PlanOrder } from './plan.ts';
import type { Agreement } from './store.ts';
import { findPlan, listCharges, listPlans, readAgreements } from './store.ts';
import type { SubscriptionOrder } from './subscribe.ts';
import { subscribe } from './subscribe.ts';
import type { Subscription, SubscriptionStatus } from './subscription.ts';
import { APPROVAL_USED_UP, SCHEDULE_STATUSES_OF, subscriptionStatus } from './subscription.ts';

export interface SubscriptionVerbs {
  createPlan(order: PlanOrder): Promise<Plan>;
  plan(id: Uuid): Promise<Plan>;
  plans(page?: { limit?: number; before?: Uuid }): Promise<Plan[]>;
  /** For who subscribes from now on. */
  editPlan(id: Uuid, edit: PlanEdit): Promise<Plan>;
  /** The first charge is made at once, the next is due one period later. */
  subscribe(order: SubscriptionOrder & { readonly idempotencyKey: string }): Promise<Subscription>;
  subscription(id: Uuid): Promise<Subscription>;
  subscriptions(
    filter?: { status?: SubscriptionStatus; plan?: Uuid; payer?: string },
    page?: { limit?: number; before?: Uuid },
  ): Promise<Subscription[]>;
  /** Ends it for good, and its open charge with it: nothing is tried again. An expired one can then no longer be resumed. */
  cancelSubscription(id: Uuid, deed?: Deed): Promise<Subscription>;
  /** Of one that is past due or expired, within its approved total: goes on with the first charge that lies ahead. */
  resumeSubscription(id: Uuid, deed?: Deed): Promise<Subscription>;
}

const PAGE = 100;

export function subscriptionVerbs(context: VerbContext, bounds: OrderBounds): SubscriptionVerbs {
  const { tenantId, caller, sql } = context;
  const maker = { tenantId, caller };

  const noPlan = (id: Uuid): never => refuse('PLAN_NOT_FOUND', `there is no plan ${id}`);
  const none = (id: Uuid): never => refuse('SUBSCRIPTION_NOT_FOUND', `there is no subscription ${id}`);
  const plan = async (id: Uuid): Promise<Plan> =>
    (isUuid(id) ? await findPlan(sql, { tenantId, id }) : null) ?? noPlan(id);

  const views = async (agreements: readonly Agreement[]): Promise<Subscription[]> => {
    if (agreements.length === 0) return [];
    const ids = agreements.map(({ scheduleId }) => scheduleId);
    const keys = ids.map((id) => ({ tenantId, id }));
    const schedules = new Map((await readSchedules(sql, keys)).map((each) => [each.schedule.id, each]));
    const due = new Map((await readScheduleDue(sql, keys)).map((row) => [row.scheduleId, row.position]));
    const charges = await listCharges(sql, tenantId, ids);
    const paid = await readPaid(
      sql,
      charges.map(({ paymentId }) => ({ tenantId, id: paymentId })),
    );
    const byId = Map.groupBy(charges, ({ scheduleId }) => scheduleId);
    return agreements.flatMap((agreement) => {
      const stored = schedules.get(agreement.scheduleId);
      if (!stored) return [];
      const { schedule, timetable } = stored;
      const own = byId.get(schedule.id) ?? [];
      const settled = own.flatMap(({ paymentId }) => paid.get(paymentId) ?? []);
      const position = due.get(schedule.id);
      const next = position ? timetable.next(position) : null;
      return [
        {
          tenantId,
          id: schedule.id,
          planId: agreement.planId,
          payerId: schedule.payerId,
          payeeId: schedule.legs[0]?.accountId ?? '',
          asset: schedule.asset,
          price: schedule.amount,
          status: subscriptionStatus(schedule.status),
          statusReason: schedule.status === 'completed' ? APPROVAL_USED_UP : schedule.statusReason,
          charges: agreement.charges,
          chargesMade: own.length,
          chargesPaid: settled.length,
          approved: agreement.approved,
          paid: settled.reduce((sum, amount) => sum + amount, 0n),
          nextDueAt: next ? new Date(next.at) : null,
          lastPaymentId: own.at(-1)?.paymentId ?? null,
          reference: schedule.reference,
          metadata: schedule.metadata,
          createdAt: schedule.createdAt,
          updatedAt: schedule.updatedAt,
          endedAt: schedule.endedAt,
        },
      ];
    });
  };
  const view = async (id: Uuid): Promise<Subscription> => {
    const [found] = isUuid(id) ? await views(await readAgreements(sql, tenantId, { ids: [id] })) : [];
    return found ?? none(id);
  };
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
  /** A person's deed, told in the words of a schedule and of a subscription. */
  const change = async (
    id: Uuid,
    what: 'cancelled' | 'resumed',
    deed: Deed,
    work: (tx: Transaction, clock: Clock, key: ScheduleKey) => Promise<void>,
  ): Promise<Subscription> => {
    const before = await view(id);
    await context.run(async (tx, clock) => {
      await work(tx, clock, { tenantId, id, subscription: true });
      const data = {
        old: { status: before.status },
        new: { status: what === 'resumed' ? 'active' : 'cancelled' },
        ...deed,
      };
      const about = { tenantId, resource: 'subscription', resourceId: id, occurredAt: clock.now };
      await appendEvents(tx, [{ ...caller, ...about, type: `subscription.${what}`, data }]);
    });
    return view(id);
  };

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
    async subscriptions(filter = {}, page = {}) {
      const { status, payer } = filter;
      const [named] = payer === undefined ? [] : await findAccounts(sql, tenantId, [payer]);
      if (payer !== undefined && !named)
        refuse('ACCOUNT_NOT_FOUND', `there is no account "${payer}"`, { param: 'payer' });
      return views(
        await readAgreements(sql, tenantId, {
          filter: {
            ...(status === undefined ? {} : { statuses: SCHEDULE_STATUSES_OF(status) }),
            ...(filter.plan === undefined ? {} : { planId: filter.plan }),
            ...(named ? { payerId: named.id } : {}),
          },
          limit: page.limit ?? PAGE,
          before: page.before ?? null,
        }),
      );
    },
    cancelSubscription: (id, deed = {}) =>
      change(id, 'cancelled', deed, async (tx, clock, key) => {
        const { reason = 'the subscription was cancelled' } = deed;
        await cancelSchedule(tx, clock, caller, key, { ...deed, reason }, ['active', 'paused', 'expired']);
        // Not the newest alone: an older charge may have been tried again since. One that has ended stays as it is.
        const charges = await listCharges(tx, tenantId, [id]);
        const open = charges.map(({ paymentId }) => ({ tenantId, id: paymentId, reason }));
        await cancelPayments(tx, clock, caller, open);
      }),
    resumeSubscription: (id, deed = {}) =>
      change(id, 'resumed', deed, (tx, clock, key) =>
        resumeSchedule(tx, clock, caller, key, deed, ['paused', 'expired']),
      ),
  };
}
