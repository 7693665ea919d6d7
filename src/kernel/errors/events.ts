// Patterns of event types.
import { invalid } from './entry.ts';

export const EVENTS_ERRORS = {
  EVENT_PATTERN_INVALID: invalid({
    title: 'The pattern of event types is invalid',
    detail: '{param} must be an event type such as payment.settled, or a pattern: payment.*, *.settled or *',
    example: { param: 'type' },
    cause:
      'The text is neither an event type nor one of the three patterns. A star replaces whole words, at one end of the pattern; a pattern has at most 100 characters.',
    remedy: 'Send an exact type, `prefix.*`, `*.suffix` or `*`. The event catalogue lists the types.',
  }),
};
