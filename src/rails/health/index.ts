export { healthLoop } from './loop.ts';
export type { HealthOptions } from './loop.ts';
export { MEASURE_TIMEOUT_MS, measureChain } from './measure.ts';
export type { FeeInUnits, TakenSnapshot } from './measure.ts';
export * from './status.ts';
export { countUnhealthyChains, readChains, readRecentHealth } from './store.ts';
export type { RecentHealth } from './store.ts';
export { chainVerbs } from './verbs.ts';
export type { Chain, ChainHistoryPage, ChainVerbs } from './verbs.ts';
