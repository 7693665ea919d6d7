export { amountLimits } from './amount-limits.ts';
export { archiveSlice } from './archive.ts';
export type { ArchivePlace, ArchiveSlice } from './archive.ts';
export { Batch, loadItems, openBatch, openBatchOf, payerBalance, writeBatch } from './batch.ts';
export type { Cause, Item } from './batch.ts';
export { beginPayout } from './begin-payout.ts';
export type { BeginOutcome } from './begin-payout.ts';
export { Claimer } from './claim.ts';
export { paymentsByClock } from './clock-work.ts';
export { ALL_PAYMENTS, HELD_BY_PAYMENTS, MADE_BY_SCHEDULES, PAYMENT_CHECKS } from './checks.ts';
export { BulkRefusal, createPayments } from './create.ts';
export type { BulkRefusalError, CreateOrder, Created } from './create.ts';
export { hasMorePayments, payersOfPayments, paymentsAhead } from './ahead-store.ts';
export type { PayerDue, PaymentAhead } from './ahead-store.ts';
export { backlog, countResting } from './backlog-store.ts';
export { DEFERRED_FOR_MS, BLOCKED_FOR_MS, chanceOf, inOrder } from './decide.ts';
export {
  claimDueOfClock,
  countDueBefore,
  firstDueOfClock,
  listDeadLetters,
  lockDueIfFree,
  moveDue,
  readDue,
} from './due-store.ts';
export type { DueRow, LetterFilter } from './due-store.ts';
export { listChainsAhead, listTenantsWithPayouts, readPayoutStates } from './payouts-store.ts';
export type { PayoutState } from './payouts-store.ts';
export { discardPayment, retryPayments } from './ended.ts';
export type { Refunded } from './ended.ts';
export { forgetPaymentTexts } from './forget-texts.ts';
export { CreateGroup } from './group.ts';
export type { AnswerWith } from './group.ts';
export type { GroupedOrder } from './group.ts';
export { processorLoop } from './loops.ts';
export type { ProcessorOptions } from './loops.ts';
export { deleteSpendBefore } from './spend-store.ts';
export { exceededLimits } from './exceeded-limits.ts';
export type { ExceededLimit } from './exceeded-limits.ts';
export { readLimits, readTenantRules } from './limits-store.ts';
export type { CountedLimit, PaymentLimit } from './limits-store.ts';
export {
  DEFAULT_BOUNDS,
  legsOf,
  parseLegs,
  parseMetadata,
  parsePriority,
  parseReason,
  parseReference,
  payeesOf,
  retryPresetOf,
} from './order.ts';
export { cancelPayments } from './scheduled.ts';
export type { OrderBounds, PaymentOrder } from './order.ts';
export { createdWithin, parseDelayMs, parseInstant } from './instant.ts';
export { readHeldChanges } from './held-history-store.ts';
export { countDueByBucket, readDueAhead, sumDue, sumWaiting } from './upcoming-store.ts';
export type { DueAhead, DueHour } from './upcoming-store.ts';
export { groupPaymentLetters, readAhead, sumAwaiting, sumDeadLetters } from './overview-store.ts';
export type { Ahead, AtStake } from './overview-store.ts';
export type { OwnedPayment, OwnerRules, RefundRule, SettlingOwners } from './owner-rules.ts';
export { readAttemptNote } from './attempt-note.ts';
export {
  OWNER_KINDS,
  PAYMENT_KINDS,
  PAYMENT_MOVES,
  PRIORITY_NAMES,
  countsWhenPaid,
  endedBy,
  flowOf,
  makersOf,
  noLaterThanEnd,
  restOf,
  retryAt,
  retryPolicyOf,
} from './payment.ts';
export type { Funding, Leg, Owner, OwnerKind, Payment, PaymentKind, PaymentStatus, Priority } from './payment.ts';
export { PAID_OF_PAYMENTS, readOwned, readPaid, readPayments, readTexts } from './store.ts';
export { withoutBusy, withoutTaken } from './put-back.ts';
export { closedAmong, settleRows } from './settle.ts';
export { BOUNDED, settleDue } from './settle-due.ts';
export {
  ANY_CHAIN,
  LEDGER,
  ROUTE_PRIORITIES,
  chainNotAvailable,
  checkedPayout,
  duePriorityOf,
  isPayout,
  parsePayout,
} from './payout-terms.ts';
export type {
  ParsedPayout,
  PaymentRail,
  PayoutChains,
  PayoutOrder,
  PayoutTerms,
  RoutePriority,
  WantedPayout,
} from './payout-terms.ts';
export { openGuards } from './payout-guards.ts';
export type { AskedOfGuards, PayoutGuards } from './payout-guards.ts';
export { sharesOf } from './shares.ts';
export { hourOf, windowStart } from './spend.ts';
export type { DuePayment } from './put-back.ts';
export type { SettleOptions, Tried } from './settle.ts';
export type { SettleReport } from './settle-due.ts';
export { findPayments } from './list.ts';
export type { PaymentPage } from './list.ts';
export { timeline } from './timeline.ts';
export type { TimelineEntry, TimelinePage } from './timeline.ts';
export { paymentVerbs } from './verbs.ts';
export type { NotForRunNow } from './list-store.ts';
export type { CreatePaymentOrder, ListFilter, PaymentVerbs } from './verbs.ts';
export type { RanNow, RunNowOptions } from './run-now.ts';
export { guardOutgoing } from './guard-outgoing.ts';
