// Pauses, freezes, events and test clocks.
import { conflict, invalid, missing, retryable, unprocessable } from './entry.ts';

export const OPERATIONS_ERRORS = {
  CLOCK_BACKWARDS: invalid({ title: 'A test clock cannot go backwards' }),
  CLOCK_TOO_FAR: invalid({ title: 'The advance of the test clock is too long' }),
  PAUSE_NOT_FOUND: missing({ title: 'The pause does not exist' }),
  EVENT_NOT_FOUND: missing({ title: 'The event does not exist, or has nothing to erase' }),
  FREEZE_NOT_FOUND: missing({ title: 'The asset is not frozen' }),
  CLOCK_NOT_FOUND: missing({ title: 'The tenant has no such test clock' }),
  CLOCK_EXISTS: conflict({ title: 'The test tenant already has a clock' }),
  CLOCK_MISSING: conflict({ title: 'The test tenant has no clock' }),
  CLOCK_ADVANCING: retryable(conflict({ title: 'The test clock is being advanced' })),
  PAUSED: retryable(
    unprocessable({
      title: 'Outgoing payments are paused',
      detail: 'outgoing payments of {asset} are paused; retry once an operator lifts the pause',
    }),
  ),
  PAUSES_TOO_MANY: unprocessable({ title: 'The tenant has reached its limit of active pauses' }),
  CLOCK_TENANT_LIVE: unprocessable({ title: 'A live tenant has no test clock' }),
  CLOCK_TOO_MANY_STEPS: retryable(unprocessable({ title: 'The advance exceeded its limit of steps' })),
  SIMULATED_FAILURE: retryable(
    unprocessable({ title: 'A failure was simulated', detail: 'the attempt failed as configured, for testing' }),
  ),
};
