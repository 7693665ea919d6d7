// Events in the order of commits. A follower requests again with `after` set to the last `seq` that it has seen.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { EventCursor, EventDefinition, EventType, SequencedEvent, TenantVerbs } from '../../engine.ts';
import {
  EVENT_CATALOGUE,
  EVENT_PATTERN_FORM,
  LONGEST_PATTERN,
  LONGEST_RESOURCE_ID,
  formatCursor,
  isErasedData,
  ownEventOf,
  parseCursor,
  parsePattern,
} from '../../engine.ts';
import type { Uuid } from '../../kernel/index.ts';
import { refuse, shownActor, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { stretch } from '../cursor.ts';
import type { ShowingVerbs } from '../event-data.ts';
import { dataShower, shownResource } from '../event-data.ts';
import { exampleOfWholeEvent } from '../event-examples.ts';
import { resourceKey } from '../wire-format.ts';
import { Instant, closed, idOf, listOf, nullable, pageQuery, textOrNull } from '../schemas.ts';
import { HOLD } from './examples.ts';
import { refusedAs } from '../validate.ts';
import { OwnType, ownEventRoutes } from './own-events.ts';

/** The fields that every event of usance has. */
const ENVELOPE = {
  id: idOf('event'),
  seq: Type.Integer({
    description: 'Its number among the events of the tenant, in the order of commits, without gaps.',
  }),
  cursor: Type.String({
    description: 'Its place in the order, for `after` and `Last-Event-ID`. Refused if the database has lost the event.',
    examples: ['17-5f0c2a9e'],
  }),
  source: Type.Literal('usance', {
    description: '`usance`; an event that your application appended has `application`.',
  }),
  version: Type.Integer({
    minimum: 1,
    description: 'The version of the schema of `data`. A change that breaks a reader gets the next one.',
    examples: [1],
  }),
  resource: Type.String({ examples: ['payment'] }),
  resource_id: Type.String({ examples: [HOLD] }),
  actor: Type.String(),
  trace_context: textOrNull({
    description:
      'The W3C `traceparent` of the call that caused the event; null if it sent none, and for changes by the engine.',
    examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  }),
  occurred_at: { ...Instant, description: 'By the tenant’s clock.' } as typeof Instant,
  recorded_at: Instant,
};
const EventEnvelope = Object.assign(closed(ENVELOPE, { title: 'EventEnvelope' }), { title: 'EventEnvelope' });

export interface EventShown extends Omit<Static<typeof EventEnvelope>, 'source'> {
  readonly source: 'usance' | 'application';
  readonly type: string;
  readonly data: unknown;
}

/** `payment.settled` is the schema `PaymentSettledEvent`. */
const schemaName = (type: string): string =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

const schemaOf = ([type, { says, data }]: [string, EventDefinition]) =>
  closed(
    {
      ...ENVELOPE,
      type: Type.Literal(type, { description: 'The type of the event.' }),
      data: nullable(data, { description: 'Null after it was erased.' }),
    },
    {
      title: schemaName(type),
      description: says,
      examples: [exampleOfWholeEvent(type as EventType)],
      'x-extends': EventEnvelope,
    },
  );

/** An event that an application appended. `source` says so: its type is none of the catalogue. */
const OwnEvent = closed(
  {
    ...ENVELOPE,
    source: Type.Literal('application', { description: '`application`; an event of usance has `usance`.' }),
    type: OwnType,
    version: Type.Integer({
      minimum: 1,
      description: 'The version of the schema of `data`, as your application counts it.',
      examples: [1],
    }),
    resource: Type.String({ description: 'The kind of your resource, such as `post`.', examples: ['post'] }),
    resource_id: Type.String({
      description:
        'Your id of the resource, as you gave it; after the event was erased, an id that is made from it: `own_…`.',
      examples: ['post-1001'],
    }),
    data: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', examples: [{ title: 'Hello' }] }), {
      description: 'Your own JSON object, unchanged. Null after it was erased.',
    }),
  },
  { title: 'OwnEvent', description: 'An event that your application appended.' },
);

/** One schema for each type; `type` is the discriminator. Every type that it does not list is an `OwnEvent`. */
export const Event = Type.Unsafe<EventShown>({
  title: 'Event',
  description:
    'An event: one of the types of the catalogue, or one that your application appended (`source` is `application`). A later version can add types.',
  anyOf: [...Object.entries<EventDefinition>(EVENT_CATALOGUE).map(schemaOf), OwnEvent],
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      Object.keys(EVENT_CATALOGUE).map((type) => [type, `#/components/schemas/${schemaName(type)}`]),
    ),
  },
});

/** Events as they are shown, with one read for the refs of all accounts in them and one for the texts of all payments. */
export async function showEvents(tenant: ShowingVerbs, events: readonly SequencedEvent[]): Promise<EventShown[]> {
  const show = await dataShower(tenant, events);
  return events.map((event) => ({
    id: toTypeId('event', event.id),
    seq: Number(event.seq),
    cursor: formatCursor(event),
    source: ownEventOf(event) ? 'application' : 'usance',
    type: event.type,
    version: event.version,
    resource: event.resource,
    resource_id: shownResource(event),
    data: isErasedData(event.data) ? null : show(event),
    actor: shownActor(event.actor),
    trace_context: event.traceContext ?? null,
    occurred_at: event.occurredAt.toISOString(),
    recorded_at: event.recordedAt.toISOString(),
  }));
}

/** A place in the order of events, as a request names it. */
const placeIn = (pattern: string, more = '') =>
  Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      pattern,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `The \`cursor\` or the \`seq\` of an event: only later events. A cursor is refused if the database has lost its event.${more}`,
      examples: ['17-5f0c2a9e'],
      ...refusedAs('FIELD_INVALID/not_an_event_id'),
    }),
  );

const FILTERS = {
  type: Type.Optional(
    Type.String({
      maxLength: LONGEST_PATTERN,
      description: 'An exact type, or a pattern: `payment.*`, `*.created`, `*`. Up to 20 of them, separated by commas.',
      pattern: EVENT_PATTERN_FORM,
      examples: ['payment.*'],
      ...refusedAs('EVENT_PATTERN_INVALID/form'),
    }),
  ),
  resource: Type.Optional(Type.String({ maxLength: 50, examples: ['payment'] })),
  resource_id: Type.Optional(
    Type.String({
      maxLength: LONGEST_RESOURCE_ID,
      description: 'The id of the resource. For a resource of your application give `resource` too.',
      examples: [HOLD],
      'x-id': 'payment',
    }),
  ),
  after: placeIn('^[0-9]{1,15}(-[0-9a-f]{8})?$'),
};

/** `after` of a stream that begins with the next event. */
const LATEST = 'latest';

/** How the stream is narrowed: as the list is, without pages. */
export const EventFilter = closed({
  ...FILTERS,
  after: placeIn(
    `^(${LATEST}|[0-9]{1,15}(-[0-9a-f]{8})?)$`,
    ` \`${LATEST}\`: only events that are appended from now on.`,
  ),
});
export type EventQuery = Static<typeof EventFilter>;

/** The first place of a stream. Only the server knows the place of the newest event: it sends it before the first event. */
export async function streamStart(
  tenant: Pick<TenantVerbs, 'lastEventCursor' | 'requireEventCursor'>,
  lastEventId: string | readonly string[] | undefined,
  after: EventQuery['after'] = 0,
): Promise<{ readonly after: EventCursor; readonly isNews: boolean }> {
  const isCutOff = lastEventId !== undefined && lastEventId !== '';
  if (!isCutOff && after === LATEST) return { after: await tenant.lastEventCursor(), isNews: true };
  const from = isCutOff ? readEventCursor(String(lastEventId), 'Last-Event-ID') : readEventCursor(after, 'after');
  return { after: await tenant.requireEventCursor(from), isNews: false };
}

export function readEventFilter(tenantId: Uuid, { type, resource, resource_id }: EventQuery) {
  return {
    ...(type === undefined ? {} : { type: parsePattern(type) }),
    ...(resource === undefined ? {} : { resource }),
    ...(resource_id === undefined ? {} : { resourceId: resourceKey(tenantId, resource, resource_id) }),
  };
}

const CREATED = exampleOfWholeEvent('payment.created');
const EXAMPLE = { ...CREATED, resource_id: HOLD, data: { ...CREATED.data, id: HOLD } };

export const eventRoutes = {
  ...ownEventRoutes,
  'events.list': route({
    method: 'GET',
    path: '/events',
    summary: 'List events in order',
    description:
      'Oldest first, after `after`. `resource_id` uses an index for a resource with up to 1,000 events. Larger resources, `type` and ' +
      '`resource` scan at most 20,000 events for a page, so a page can be short or empty without being the last: continue with ' +
      '`next_cursor`. `GET /v1/events/stream` takes the same filters and does not end.',
    scope: 'events:read',
    query: pageQuery(FILTERS),
    answer: listOf(Event, 'EventList'),
    example: {
      query: { type: 'payment.*', after: '0' },
      answer: { data: [EXAMPLE], next_cursor: null },
    },
    handle({ tenant, query }) {
      const filter = readEventFilter(tenant.id, query);
      return stretch(
        query,
        async (limit, mark) => {
          const after = cursorAfter(mark, query.after);
          const { events, next } = await tenant.eventsPage(filter, { limit, after: after.seq });
          // Compared behind the page: what was read is of the history that the cursor is of.
          await tenant.requireEventCursor(after);
          return { rows: await showEvents(tenant, events), next: next === null ? null : formatCursor(next) };
        },
        (event) => event,
      );
    },
  }),
};

/** As a Server-Sent Event. */
export function eventText(event: EventShown): string {
  return `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** No row of the table of routes: it is served by stream.ts, and never done. */
export const EVENT_STREAM = {
  method: 'GET',
  path: '/events/stream',
  summary: 'Follow events as they happen',
  description:
    'Server-Sent Events without an end: the events of the list after `after`, then each new event. `data` is an `Event`, `id` its ' +
    '`cursor`. With `after=latest` it begins with the next event, and first sends the `id` that it begins after. To reconnect without missing an event, send the last `id` as `Last-Event-ID`. After every 15 seconds ' +
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
