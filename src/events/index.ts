export * from './append.ts';
export type { EventRecord, Fact } from './event.ts';
export { listEventsOf } from './store.ts';
