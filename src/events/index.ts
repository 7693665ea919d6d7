export { appendEvents, appendLater } from './append.ts';
export type { LaterAppend } from './append.ts';
export { APPEND_WATCH } from './append-watch.ts';
export { AUDIT_LOG_SCAN, eventIdsAboutOrBy, eventIdsWithTexts, listAuditLog } from './audit-log-store.ts';
export type { AuditLogEntry, AuditLogFilter } from './audit-log-store.ts';
export { MOST_IN_BLOCK } from './blocks.ts';
export { BEGINNING, MAX_SEQ, endOf, linkBlock, skippedPath } from './chain.ts';
export type { ChainPath, ChainPoint, Link } from './chain.ts';
export {
  chainedTenants,
  newestOf,
  readBlockEvents,
  readHashBefore,
  readLeaves,
  readLinkUpTo,
  readLinks,
  readLinksFrom,
  readStoredEvents,
} from './chain-store.ts';
export type { StoredEvent } from './chain-store.ts';
export { EVENT_CHECKS, READABLE_EVENTS, lastEvents } from './checks.ts';
export { formatCursor, parseCursor, requireCursor } from './cursor.ts';
export type { EventCursor } from './cursor.ts';
export { digestDetails, digestEvent, hashLink } from './digest.ts';
export type { EventRecord, Fact } from './event.ts';
export { countUnordered, countUnorderedOf } from './lag-store.ts';
export { findEvents, pageOfEvents } from './list.ts';
export type { EventPage, EventPageOrder } from './list.ts';
export { lastCursorOf } from './list-store.ts';
export type { EventFilter, SequencedEvent } from './list-store.ts';
export { digestBlock, proofsOf } from './merkle.ts';
export { ensureBlockPartitions, readOrderEnd } from './order-store.ts';
export { countRecentOutcomes } from './recent-store.ts';
export { listEventsOf } from './resource-store.ts';
export { createSequencer, orderEvents, sequencerLoop } from './sequencer.ts';
export type { Ordered, Sequencer } from './sequencer.ts';
export { spanBetween } from './span-store.ts';
export type { EventSpan } from './span-store.ts';
export {
  EVENT_CATALOGUE,
  PaymentEventData,
  completeData,
  definitionOf,
  eventVersion,
  isErasedData,
  paymentData,
  paymentsShownIn,
  textsData,
} from './schemas/index.ts';
export type { Data, EventDefinition, PaymentTexts, StoredData } from './schemas/index.ts';
export { EVENT_TYPES } from './types.ts';
export type { EventType, EventVerb } from './types.ts';
