// Bringing money in and taking it out has a scope of its own. A payment from `world`, or to it, does just that at its hour, and so
// does whatever makes such payments: without the scope it cannot be ordered, by whichever verb.
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { systemAccountId } from '../ledger/index.ts';
import type { PaymentOrder, PaymentVerbs } from '../payments/index.ts';
import type { AllowanceVerbs, ScheduleVerbs, SubscriptionVerbs } from '../schedules/index.ts';
import type { Maker } from './grant.ts';
import { allows } from './scope.ts';

type Verbs = PaymentVerbs & ScheduleVerbs & SubscriptionVerbs & AllowanceVerbs;
type Named = string | undefined;

/** Whether somebody's payments may reach the outside. */
export const reachesOutside = (maker: Maker): boolean => maker === null || allows(maker.allowed, 'ledger:money');

/** The verbs of who may not: each asks whom it is about before it asks anything else. */
export function insideVerbs<V extends Verbs>(all: V, tenantId: Uuid): V {
  const inside: Partial<Verbs> = {
    createPayment: async (order) => all.createPayment(insideOrder(order, tenantId)),
    createPayments: async (orders, options) =>
      all.createPayments(
        orders.map((order) => insideOrder(order, tenantId)),
        options,
      ),
    createSchedule: async (order) => all.createSchedule(insideOrder(order, tenantId)),
    createPlan: async (order) => {
      requireInside(tenantId, { receiver: order.receiver });
      return all.createPlan(order);
    },
    subscribe: async (order) => {
      requireInside(tenantId, { payer: order.payer });
      return all.subscribe(order);
    },
    createAllowance: async (order) => {
      requireInside(tenantId, { guardian: order.guardian, junior: order.junior });
      return all.createAllowance(order);
    },
  };
  return { ...all, ...inside };
}

export function insideOrder<T extends Pick<PaymentOrder, 'from' | 'to' | 'legs'>>(order: T, tenantId: Uuid): T {
  requireInside(tenantId, { from: order.from, to: order.to });
  for (const leg of order.legs ?? []) requireInside(tenantId, { legs: leg.to });
  return order;
}

function requireInside(tenantId: Uuid, named: Readonly<Record<string, Named>>): void {
  const world: readonly Named[] = ['world', systemAccountId(tenantId, 'world')];
  for (const [param, account] of Object.entries(named)) {
    if (world.includes(account))
      refuse('AUTH_SCOPE_MISSING', '"world" is the outside: this takes the scope ledger:money too', { param });
  }
}
