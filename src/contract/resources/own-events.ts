// Events that applications append. They have the order, the hash chain and the feed of the events of usance.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { AppendedEvent as Appended, OwnEventParams } from '../../engine.ts';
import {
  EVENT_TYPE_FORM,
  LAST_VERSION,
  LONGEST_RESOURCE,
  LONGEST_RESOURCE_ID,
  LONGEST_TYPE,
  MAX_OWN_DATA,
  MAX_OWN_DATA_TOGETHER,
  MOST_OWN_EVENTS,
  RESOURCE_FORM,
} from '../../engine.ts';
import { toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { Instant, closed, idOf } from '../schemas.ts';
import { refusedAs } from '../validate.ts';
import { CREATED_AT } from './examples.ts';

/** More do not fit into the bytes. */
const MOST_FIELDS = 16_384;
/** White space and the names of fields come on top of the data. */
const BODY_LIMIT = MAX_OWN_DATA_TOGETHER + 1_048_576;

export const OwnType = Type.String({
  description:
    'Two or more words with dots between them, such as `posts.created`. The first word must not be a noun of usance, such as `payment`.',
  pattern: EVENT_TYPE_FORM,
  maxLength: LONGEST_TYPE,
  examples: ['posts.created'],
  ...refusedAs('EVENT_TYPE_INVALID', { max: LONGEST_TYPE }),
});

const VERSION = {
  minimum: 1,
  maximum: LAST_VERSION,
  description: 'The version of the schema of `data`, as your application counts it.',
  examples: [1],
};

const PARAMS = {
  type: OwnType,
  resource: Type.String({
    description: 'The kind of your resource: one word in lower case, such as `post`. Not one of usance.',
    pattern: RESOURCE_FORM,
    maxLength: LONGEST_RESOURCE,
    examples: ['post'],
    ...refusedAs('FIELD_INVALID/not_a_resource', { max: LONGEST_RESOURCE }),
  }),
  resource_id: Type.String({
    description: 'Your id of the resource: any text. It stays as a digest when the event is erased.',
    minLength: 1,
    maxLength: LONGEST_RESOURCE_ID,
    examples: ['post-1001'],
  }),
  data: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: `Your own JSON object, returned unchanged; at most ${MAX_OWN_DATA.toLocaleString('en')} bytes of JSON.`,
      examples: [{ title: 'Hello' }],
      maxProperties: MOST_FIELDS,
    }),
  ),
  version: Type.Optional(Type.Integer(VERSION)),
};

const EventAppendParams = closed(PARAMS, { title: 'EventAppendParams' });
/** An event of the list: the fields of a single one, without `dry_run`. */
const EventAppendManyItem = closed(PARAMS, { title: 'EventAppendManyItem' });

/** Without `resource_id` and `data`: the answer is stored under the idempotency key, where erasing the event would not reach it. */
const AppendedEvent = closed(
  {
    id: idOf('event'),
    type: Type.String({ description: 'The type of the event.', examples: ['posts.created'] }),
    version: Type.Integer(VERSION),
    occurred_at: { ...Instant, description: 'By the tenant’s clock.' } as typeof Instant,
  },
  { title: 'AppendedEvent' },
);

const AppendedEvents = closed(
  {
    appended: Type.Integer({ description: 'How many events were appended: all of the request.' }),
    ids: Type.Array(idOf('event'), { description: 'Their ids, in the order of the request.' }),
  },
  { title: 'AppendedEvents' },
);

const readParams = ({ resource_id, ...rest }: Static<typeof EventAppendParams>): OwnEventParams => ({
  ...rest,
  resourceId: resource_id,
});

const show = ({ id, type, version, occurredAt }: Appended): Static<typeof AppendedEvent> => ({
  id: toTypeId('event', id),
  type,
  version,
  occurred_at: occurredAt.toISOString(),
});

const [FIRST, SECOND] = ['evt_01k9zt3q9fh2j4m6p8r0t20000', 'evt_01k9zt3q9fh2j4m6p8r0t20001'];
const EXAMPLE = { type: 'posts.created', resource: 'post', resource_id: 'post-1001', data: { title: 'Hello' } };

export const ownEventRoutes = {
  'events.append': route({
    method: 'POST',
    path: '/events',
    summary: 'Append an event of your application',
    description:
      'The event has the order, the hash chain and the stream of the events of usance. Inside your own transaction (library: `within`) it ' +
      'is appended if that commits. Types that begin with a noun of usance are refused. It cannot be changed; its data can be erased as those of any event.',
    scope: 'events:write',
    status: 201,
    body: EventAppendParams,
    answer: AppendedEvent,
    example: {
      body: EXAMPLE,
      answer: {
        id: FIRST,
        type: 'posts.created',
        version: 1,
        occurred_at: CREATED_AT,
      },
    },
    handle: async ({ tenant, body }) => show(await tenant.appendEvent(readParams(body))),
  }),

  'events.appendMany': route({
    method: 'POST',
    path: '/events/bulk',
    summary: 'Append up to 1,000 events of your application',
    description: `All of them or none, in this order, without other events between them. Their data have at most ${MAX_OWN_DATA_TOGETHER.toLocaleString('en')} bytes of JSON together.`,
    scope: 'events:write',
    status: 201,
    bodyLimit: BODY_LIMIT,
    body: closed(
      {
        events: Type.Array(EventAppendManyItem, {
          minItems: 1,
          maxItems: MOST_OWN_EVENTS,
          description: 'The events, 1 to 1,000.',
        }),
      },
      { title: 'EventAppendManyParams' },
    ),
    answer: AppendedEvents,
    example: {
      body: { events: [EXAMPLE, { ...EXAMPLE, type: 'posts.published', data: {} }] },
      answer: { appended: 2, ids: [FIRST, SECOND] },
    },
    async handle({ tenant, body }) {
      const appended = await tenant.appendEvents(body.events.map(readParams));
      return { appended: appended.length, ids: appended.map(({ id }) => toTypeId('event', id)) };
    },
  }),
};
