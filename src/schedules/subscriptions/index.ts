export { SUBSCRIPTION_CHECKS } from './checks.ts';
export type { PlanEdit } from './change-plan.ts';
export { PLAN_AFTER_FAILURES, PLAN_MISSED } from './plan.ts';
export type { Period, Plan, PlanOrder } from './plan.ts';
export type { SubscriptionOrder } from './subscribe.ts';
export { SUBSCRIPTION_STATUSES } from './subscription.ts';
export type { Subscription, SubscriptionStatus } from './subscription.ts';
export { subscriptionVerbs } from './verbs.ts';
export type { SubscriptionVerbs } from './verbs.ts';
