// Events in the order of commits. A follower requests again with `after` set to the last `seq` that it has seen.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { EventCursor, SequencedEvent } from '../../engine.ts';
import { formatCursor, parseCursor } from '../../engine.ts';
import { refuse, shownActor, shownResourceId, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { stretch } from '../cursor.ts';
import { anyKey, outside } from '../wire-format.ts';
import { Instant, closed, idOf, listOf, pageQuery } from '../schemas.ts';
import { CREATED_AT, EXECUTE_AT, HOLD } from './examples.ts';
import { refusedAs } from '../validate.ts';

export const Event = closed(
  {
    id: idOf('event'),
    seq: Type.Integer({
      description: 'Its number among the events of the tenant, in the order of commits, without gaps.',
    }),
    cursor: Type.String({
      description:
        'Its place in the order, for `after` and `Last-Event-ID`. Refused if the database has lost the event.',
      examples: ['17-5f0c2a9e'],
    }),
    type: Type.String({ examples: ['payment.settled'] }),
    resource: Type.String({ examples: ['payment'] }),
    resource_id: Type.String({ examples: [HOLD] }),
    data: Type.Unsafe<unknown>({ type: 'object', description: 'The `old` and `new` values of a change.' }),
    actor: Type.String(),
    occurred_at: { ...Instant, description: 'By the tenant’s clock.' } as typeof Instant,
    recorded_at: Instant,
  },
  { title: 'Event' },
);

export function showEvent(event: SequencedEvent): Static<typeof Event> {
  const { resource, resourceId } = event;
  return {
    id: toTypeId('event', event.id),
    seq: Number(event.seq),
    cursor: formatCursor(event),
    type: event.type,
    resource,
    resource_id: shownResourceId(resource, resourceId),
    data: outside(event.data),
    actor: shownActor(event.actor),
    occurred_at: event.occurredAt.toISOString(),
    recorded_at: event.recordedAt.toISOString(),
  };
}

const FILTERS = {
  type: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'An exact type, or a pattern with stars: `payment.*`, `*.created`.',
      pattern: '^[a-z_.*]+$',
      examples: ['payment.*'],
      ...refusedAs('FIELD_INVALID/not_an_event_type'),
    }),
  ),
  resource: Type.Optional(Type.String({ maxLength: 50, examples: ['payment'] })),
  resource_id: Type.Optional(Type.String({ maxLength: 100, examples: [HOLD], 'x-id': 'payment' })),
  after: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      pattern: '^[0-9]{1,15}(-[0-9a-f]{8})?$',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The `cursor` or the `seq` of an event: only later events. A cursor is refused if the database has lost its event.',
      examples: ['17-5f0c2a9e'],
      ...refusedAs('FIELD_INVALID/not_an_event_id'),
    }),
  ),
};

/** How the stream is narrowed: as the list is, without pages. */
export const EventFilter = closed(FILTERS);
export type EventQuery = Static<typeof EventFilter>;

export function readEventFilter({ type, resource, resource_id }: EventQuery) {
  return {
    ...(type === undefined ? {} : { type }),
    ...(resource === undefined ? {} : { resource }),
    ...(resource_id === undefined ? {} : { resourceId: anyKey(resource_id, 'resource_id') }),
  };
}

const EXAMPLE = {
  id: 'evt_01k9zt3q9fh2j4m6p8r0t2w4y6',
  seq: 17,
  cursor: '17-5f0c2a9e',
  type: 'payment.created',
  resource: 'payment',
  resource_id: HOLD,
  data: { new: { status: 'scheduled', amount: '10000', asset: 'USD/2', execute_at: EXECUTE_AT } },
  actor: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
  occurred_at: CREATED_AT,
  recorded_at: CREATED_AT,
};

export const eventRoutes = {
  'events.list': route({
    method: 'GET',
    path: '/events',
    summary: 'List events in order',
    description:
      'Oldest first, after `after`. `resource_id` uses an index; `type` and `resource` scan at most 20,000 events for a page, so a ' +
      'page can be short or empty without being the last: continue with `next_cursor`. `GET /v1/events/stream` takes the same filters ' +
      'and does not end.',
    scope: 'events:read',
    query: pageQuery(FILTERS),
    answer: listOf(Event, 'EventList'),
    example: {
      query: { type: 'payment.*', after: '0' },
      answer: { data: [EXAMPLE], next_cursor: null },
    },
    handle({ tenant, query }) {
      const filter = readEventFilter(query);
      return stretch(
        query,
        async (limit, mark) => {
          const after = cursorAfter(mark, query.after);
          const { events, next } = await tenant.eventsPage(filter, { limit, after: after.seq });
          // Compared behind the page: what was read is of the history that the cursor is of.
          await tenant.requireEventCursor(after);
          return { rows: events, next: next === null ? null : formatCursor(next) };
        },
        showEvent,
      );
    },
  }),
};

/** As a Server-Sent Event. */
export function eventText(event: Static<typeof Event>): string {
  return `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** No row of the table of routes: it is served by stream.ts, and never done. */
export const EVENT_STREAM = {
  method: 'GET',
  path: '/events/stream',
  summary: 'Follow events as they happen',
  description:
    'Server-Sent Events without an end: the events of the list after `after`, then each new event. `data` is an `Event`, `id` its ' +
    '`cursor`. To reconnect without missing an event, send the last `id` as `Last-Event-ID`. After every 15 seconds ' +
    'without an event, the server sends a comment and the `id` that it has read to. The stream ends when the server stops, when your key ends, and when you read nothing for 30 seconds.',
  scope: 'events:read',
  query: EventFilter,
  example: { query: { type: 'payment.*', after: '0' }, answer: `: follow\n\n${eventText(EXAMPLE)}` },
} as const;

function cursorAfter(mark: string | undefined, after: EventQuery['after']): EventCursor {
  if (mark === undefined) return readEventCursor(after ?? 0, 'after');
  return parseCursor(mark) ?? refuse('CURSOR_INVALID/another_list', { param: 'cursor' });
}

/** The cursor or the seq of an event, as `after` and `Last-Event-ID` take it. */
export function readEventCursor(text: string | number, param: string): EventCursor {
  return parseCursor(String(text)) ?? refuse('FIELD_INVALID/not_an_event_id', { param });
}
