export * from './append.ts';
export type { EventRecord, Fact } from './event.ts';
export { readUnplaced } from './lag-store.ts';
export { placeEvents, sequencerLoop } from './sequencer.ts';
export { listEvents, listEventsOf, listRecord, spanBetween } from './store.ts';
export type { EventFilter, EventSpan, RecordFilter, RecordedEvent, SequencedEvent } from './store.ts';
