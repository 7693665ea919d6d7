export * from './append.ts';
export type { EventRecord, Fact } from './event.ts';
export { placeEvents, sequencerLoop } from './sequencer.ts';
export { listEvents, listEventsOf } from './store.ts';
export type { EventFilter, SequencedEvent } from './store.ts';
