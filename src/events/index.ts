export * from './append.ts';
export { listEventsOf } from './store.ts';
