// Patterns of event types, and events that applications append.
import { invalid, retryable, withStatus } from './entry.ts';

export const EVENTS_ERRORS = {
  EVENT_PATTERN_INVALID: invalid({
    title: 'The pattern of event types is invalid',
    detail: {
      form: '{param} must be an event type such as payment.settled, a pattern (payment.*, *.settled or *), or up to 20 of them separated by commas',
      similar: '{param} has the event type "{type}", which usance does not emit; did you mean {meant}?',
      unknown:
        '{param} has the event type "{type}", which usance does not emit; types that begin with {noun}. are its own',
    },
    example: ['similar', { param: 'type', type: 'payment.setled', meant: 'payment.settled' }],
    cause:
      'The text is neither an event type nor one of the three patterns, or it has a type that begins with a noun of usance and is not in the event catalogue: nothing would ever match it. A star replaces whole words, at one end of the pattern. A pattern has at most 100 characters; a list has at most 20 patterns and 1,000 characters, without spaces.',
    remedy:
      'Send an exact type, `prefix.*`, `*.suffix` or `*`, or several with commas between them. The event catalogue lists the types.',
  }),
  EVENT_TYPE_INVALID: invalid({
    title: 'The type of the event is invalid',
    detail:
      '{param} must be two or more words with dots between them, such as posts.created: lower-case letters, digits and underscores, at most {max} characters',
    example: { param: 'type', max: 100 },
    cause: 'The type of an event that an application appends does not have the form of a type.',
    remedy:
      'Name the event after its noun and what happened to it, in lower case: `posts.created`, `orders.item.returned`.',
  }),
  EVENT_TYPE_RESERVED: invalid({
    title: 'The name belongs to usance',
    detail: {
      type: 'types that begin with {noun}. are events of usance; choose another first word for {param}',
      resource: '{noun} is a resource of usance; choose another word for {param}',
      action: '{param} would have the action of {type} in the audit log; choose another type',
    },
    example: ['type', { param: 'type', noun: 'payment' }],
    cause:
      'An application appends an event with a type or a resource that usance uses for its own events, or will use. A consumer can rely on `payment.settled` being an event of usance.',
    remedy:
      'Choose another word, such as the plural or the name of your application: `orders.paid`, `shop.payment_noted`.',
  }),
  EVENT_TOO_LARGE: withStatus(413)({
    title: 'The event is too large',
    detail: {
      data: '{param} has {bytes} bytes of JSON; an event has at most {max}',
      together: 'the events have {bytes} bytes of JSON together; one request has at most {max}',
    },
    example: ['data', { param: 'data', bytes: 81_920, max: 65_536 }],
    cause: 'Events are kept, hashed and sent to every consumer, so their size is limited.',
    remedy: 'Store the large part elsewhere and append its address. Split a list into several requests.',
  }),
  EVENTS_QUOTA_EXCEEDED: retryable(
    withStatus(429)({
      title: 'The tenant has appended as many events as a day allows',
      detail: 'the tenant can append {max} events of its own a day, and has {left} left today; retry in {seconds} s',
      example: { max: 1_000_000, left: 0, seconds: 3_600 },
      cause:
        'Events that applications append are counted for each tenant and each day in UTC. The request has more events than the rest of the day allows; none of them was appended.',
      remedy:
        'Wait until the day ends, as the `Retry-After` header says, or append fewer events. The operator sets the number with `USANCE_OWN_EVENTS_PER_DAY`.',
    }),
  ),
};
