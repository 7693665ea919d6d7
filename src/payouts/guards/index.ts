export { PAYOUT_GUARDS } from './refuse-payouts.ts';
export { GUARD_CHECKS } from './checks.ts';
export { deletePayoutSpendBefore } from './store.ts';
export type { PayoutCap, PayoutDestination, PayoutPolicy } from './store.ts';
export { guardVerbs } from './verbs.ts';
export type { CapOrder, DestinationOrder, GuardVerbs, PolicyOrder } from './verbs.ts';
