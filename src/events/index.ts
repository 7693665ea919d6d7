export * from './append.ts';
export type { EventRecord, Fact } from './event.ts';
export { EVENT_TYPES } from './types.ts';
export type { EventType, EventVerb } from './types.ts';
export { readUnplaced } from './lag-store.ts';
export { placeEvents, sequencerLoop } from './sequencer.ts';
export { EVENT_CHECKS, TOLD, lastTold } from './checks.ts';
export {
  RECORD_STRETCH,
  countPlaced,
  idsOfEventsOf,
  listRecord,
  readPlacedAfter,
  readPlacedAt,
  placedUpTo,
} from './record-store.ts';
export type { PlacedEvent, RecordFilter, RecordedEvent } from './record-store.ts';
export { findEvents, pageOfEvents } from './list.ts';
export type { EventPage } from './list.ts';
export { countRecent, countUnplaced, lastPlace, listEventsOf, spanBetween } from './store.ts';
export type { EventFilter, EventSpan, SequencedEvent } from './store.ts';
