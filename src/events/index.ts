export { appendEvents, appendLater } from './append.ts';
export type { LaterAppend } from './append.ts';
export { OWN_EVENTS_PER_DAY, appendOwnEvents } from './append-own.ts';
export type { AppendedEvent, OwnEventOrder } from './append-own.ts';
export { APPEND_WATCH } from './append-watch.ts';
export { readErased, readEventTypes, readEvents } from './by-id-store.ts';
export type { EventKey } from './by-id-store.ts';
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
export { EVENT_CHECKS, LAST_SEQS, READABLE_EVENTS, lastEvents } from './checks.ts';
export { formatCursor, parseCursor, requireCursor } from './cursor.ts';
export type { EventCursor } from './cursor.ts';
export { digestDetails, digestEvent, hashLink } from './digest.ts';
export type { EventRecord, Fact } from './event.ts';
export { blocksFrom, eventTypes, lastSeqsBefore, piecesBetween } from './follow-store.ts';
export type { BlockPiece, PlacedBlock, TypedEvent } from './follow-store.ts';
export { countUnordered, countUnorderedOf, positionBehind } from './lag-store.ts';
export { findEvents, pageOfEvents } from './list.ts';
export type { EventPage, EventPageOrder } from './list.ts';
export { lastCursorOf } from './list-store.ts';
export type { EventFilter, SequencedEvent } from './list-store.ts';
export { digestBlock, proofsOf } from './merkle.ts';
export { ensureBlockPartitions, readOrderEnd } from './order-store.ts';
export {
  LAST_VERSION,
  LONGEST_RESOURCE,
  LONGEST_RESOURCE_ID,
  MAX_OWN_DATA,
  MAX_OWN_DATA_TOGETHER,
  MOST_OWN_EVENTS,
  RESOURCE_FORM,
  isOwnResource,
  isOwnResourceId,
  ownEventOf,
  ownResourceId,
  parseOwnEvents,
} from './own-event.ts';
export type { OwnEvent, OwnEventParams, OwnEventShown, OwnEventType } from './own-event.ts';
export { deleteOwnCounts, oldOwnEvents } from './own-store.ts';
export type { OwnEventPlace } from './own-store.ts';
export {
  EVENT_PATTERN_FORM,
  EVENT_TYPE_FORM,
  LONGEST_PATTERN,
  LONGEST_TYPE,
  ADDRESSED_TYPES,
  isAboutJobs,
  isAddressedTo,
  isEventType,
  likePatterns,
  matchesType,
  parsePattern,
  patternsOf,
  subscribes,
} from './pattern.ts';
export { readChainStatus } from './chain-status-store.ts';
export type { ChainStatus } from './chain-status-store.ts';
export { readOutcomeSeries } from './outcome-series-store.ts';
export { countRecentOutcomes } from './recent-store.ts';
export { RESERVED_NOUNS } from './reserved-names.ts';
export { isEventOf, listEventsOf, newestEventIdsOf } from './resource-store.ts';
export { lastSeqAt } from './seq-at-store.ts';
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
