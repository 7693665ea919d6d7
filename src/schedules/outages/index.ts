export { OUTAGE_STATUSES } from './outage.ts';
export type { Outage, OutageGuard, OutageStatus } from './outage.ts';
export { listOutages } from './store.ts';
export { outageVerbs } from './verbs.ts';
export type { OutageGuardOrder, OutageVerbs } from './verbs.ts';
