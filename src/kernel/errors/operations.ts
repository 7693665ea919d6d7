// Pauses, freezes, events and test clocks.
import { conflict, invalid, missing, retryable, unprocessable } from './entry.ts';
import { ID, at } from './example-values.ts';

export const OPERATIONS_ERRORS = {
  CLOCK_BACKWARDS: invalid({
    title: 'A test clock cannot go backwards',
    detail: {
      before_now: 'the test clock is at {now:instant}; {param} must be that instant or a later one',
      before_deleted_clock:
        'the deleted test clock of the tenant was at {now:instant}; {param} must be that instant or a later one',
    },
    example: ['before_now', { param: 'to', now: at('2026-11-15T09:30:00Z') }],
    cause:
      'An advance names an instant before the time of the test clock, or a new clock would begin before the time of the deleted one.',
    remedy: 'Name the same instant or a later one. For an earlier time, create another test tenant.',
  }),
  CLOCK_TOO_FAR: invalid({
    title: 'The advance of the test clock is too long',
    detail: 'the test clock is at {now:instant} and can advance by at most {maxDays} days at a time',
    example: { param: 'to', now: at('2026-11-15T09:30:00Z'), maxDays: 731 },
    cause: 'One advance can cover a limited number of days.',
    remedy: 'Advance the clock several times, each time after the previous advance has arrived.',
  }),
  PAUSE_NOT_FOUND: missing({
    title: 'The pause does not exist',
    detail: 'the pause does not exist, or was lifted already',
    cause: 'The request lifts or reads a pause that is not active: it was never set, or was lifted before.',
    remedy: 'List the active pauses. If the pause is not among them, there is nothing to lift.',
  }),
  EVENT_NOT_FOUND: missing({
    title: 'The event does not exist, or has nothing to erase',
    detail: 'event "{event:event}" does not exist, was erased before, or records an erasure',
    example: { event: ID },
    cause:
      'The request erases an event that the tenant does not have, that was erased before, or that records an erasure and therefore has to stay.',
    remedy: 'Check the id in the audit log. An event that was erased needs no second request.',
  }),
  FREEZE_NOT_FOUND: missing({
    title: 'The asset is not frozen',
    detail: '{asset} is not frozen',
    example: { asset: 'USD/2' },
    cause: 'The request lifts a freeze of an asset that has none, or whose freeze was lifted before.',
    remedy: 'Nothing has to be lifted: money of the asset can move.',
  }),
  CLOCK_NOT_FOUND: missing({
    title: 'The tenant has no such test clock',
    detail: {
      unknown_id: 'there is no test clock "{clock:testClock}"',
      no_clock: 'tenant "{tenant}" has no test clock',
    },
    example: ['unknown_id', { clock: ID }],
    cause: 'The request names a test clock that the tenant does not have, or that was deleted.',
    remedy: 'List the test clocks of the tenant. If there is none, create one.',
  }),
  RECEIPT_ANCHOR_UNKNOWN: unprocessable({
    title: 'The chain has no such anchor',
    detail: {
      unknown: '{param} must be the seq of an anchor of this tenant',
      too_early: 'up to seq {seq} no event of the payment is ordered',
    },
    example: ['unknown', { param: 'anchor' }],
    cause:
      'A receipt leads to the end of a block, and no block of the tenant ends with this seq; or no event of the payment is ordered up to there.',
    remedy:
      'Send the seq of an anchor, or leave it out: the receipt then leads to the end of the chain, which `usance audit-events anchor` prints.',
  }),
  CURSOR_DIVERGED: conflict({
    title: 'The cursor is not in the order of events',
    detail: {
      beyond_end: 'seq {seq} is beyond the end of the order, which is {end}',
      other_history:
        'seq {seq} is in the order, but not with the event that the cursor was made for; the order ends at {end}',
    },
    example: ['other_history', { seq: '1042', end: '1187' }],
    cause:
      'The database lost commits after the cursor was returned (a failover without synchronous replication, a restored backup), or the cursor is of another database or tenant.',
    remedy:
      'Decide from which event to continue, for example by comparing the ids of the last events that you handled with the list. Events that you received and that are gone did not happen; events that took their numbers are new to you.',
  }),
  CLOCK_EXISTS: conflict({
    title: 'The test tenant already has a clock',
    detail: 'the tenant already has a test clock; advance it, delete it, or create another test tenant',
    cause: 'A test tenant has at most one test clock at a time.',
    remedy:
      'Advance the existing clock, or delete it and create a new one. For an independent timeline, create another test tenant.',
  }),
  CLOCK_MISSING: conflict({
    title: 'The test tenant has no clock',
    detail: 'the test tenant has no test clock; create one first',
    cause:
      'Writes in a test tenant happen at the time of its test clock, and the tenant has none, or its clock was deleted.',
    remedy: 'Create a test clock and send the request again.',
  }),
  CLOCK_ADVANCING: retryable(
    conflict({
      title: 'The test clock is being advanced',
      detail:
        'the test clock is at {now:instant} and advances to {to:instant}; wait until it arrives, or cancel the advance',
      example: { now: at('2026-11-15T09:30:00Z'), to: at('2026-12-15T09:30:00Z') },
      cause:
        'While a test clock advances, the due work of its tenant runs, in order, at the instants on the way. Other writes, a second advance and deleting the clock are refused until the advance ends.',
      remedy:
        'Poll the test clock until its status is no longer `advancing`, then send the request again. Or cancel the advance.',
    }),
  ),
  PAUSED: retryable(
    unprocessable({
      title: 'Outgoing payments are paused',
      detail: 'outgoing payments of {asset} are paused; retry once an operator lifts the pause',
      example: { asset: 'USD/2' },
      cause:
        'An operator paused the tenant, the asset or the rail. New payments, captures, refunds and withdrawals that the pause covers are refused; due payments wait.',
      remedy:
        'Send the request again after the pause is lifted. Operators list and lift pauses with the pauses resource.',
    }),
  ),
  PAUSES_TOO_MANY: unprocessable({
    title: 'The tenant has reached its limit of active pauses',
    detail: '{active} pauses are active, and a tenant can have {max}; lift some, or pause the whole tenant',
    example: { active: 100, max: 100 },
    cause: 'Every new payment is compared with all active pauses of its tenant, so their number is limited.',
    remedy: 'Lift pauses that are no longer needed, or pause the whole tenant instead of single assets and rails.',
  }),
  CLOCK_TENANT_LIVE: unprocessable({
    title: 'A live tenant has no test clock',
    detail: 'the tenant is live and follows real time; only a test tenant can have a test clock',
    cause:
      'The request creates a test clock in a tenant of kind `live`. The kind of a tenant is fixed when it is created.',
    remedy: 'Create a tenant of kind `test`, and a test clock in it.',
  }),
  CLOCK_TOO_MANY_STEPS: retryable(
    unprocessable({
      title: 'The advance exceeded its limit of steps',
      detail: 'the advance did not arrive within {maxSteps} steps; advance again from here, or by less at a time',
      example: { maxSteps: 100_000 },
      cause:
        'More work was due on the way than one advance carries out. The clock has the status `failed` and is at the last step that was completed.',
      remedy: 'Advance the clock again: it continues from its current time. Shorter advances need fewer steps each.',
    }),
  ),
  SIMULATED_FAILURE: retryable(
    unprocessable({
      title: 'A failure was simulated',
      detail: 'Simulated failure for testing',
      cause:
        'The processor runs with USANCE_SIMULATE_FAILURES, which makes the first attempts of every payment fail. Production refuses to start with it.',
      remedy: 'Nothing is wrong with the payment: its retry policy applies. Unset the variable to stop the simulation.',
    }),
  ),
};
