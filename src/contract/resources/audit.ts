// The audit log: the same data as the events, in the form for an auditor.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { AuditEvent, TenantVerbs } from '../../engine.ts';
import { LONGEST_RESOURCE_ID, parseInstant, typeOfAction } from '../../engine.ts';
import { fromTypeId, refuse, shownActor, toTypeId, userActor } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { before as beforeMark, stretch } from '../cursor.ts';
import { dataShower, shownResource } from '../event-data.ts';
import { exampleOfEvent } from '../event-examples.ts';
import { accountKey, actorKey, resourceKey } from '../wire-format.ts';
import {
  AccountName,
  Instant,
  Reason,
  closed,
  idOf,
  instantIn,
  listOf,
  nullable,
  pageQuery,
  textOrNull,
} from '../schemas.ts';
import { CREATED_AT, HOLD } from './examples.ts';
import { refusedAs } from '../validate.ts';

const AuditEventShown = closed(
  {
    id: idOf('event'),
    action: Type.String({ examples: ['PAYMENT_COMPLETED'] }),
    actor: Type.String(),
    resource: Type.String({ examples: ['payment'] }),
    resource_id: Type.String({ examples: [HOLD] }),
    details: Type.Unsafe<unknown>({ type: 'object', description: 'The data of the event, as in the event catalogue.' }),
    ip: textOrNull({ description: 'The address of the client; null if the action did not come over a connection.' }),
    user_agent: textOrNull(),
    request_id: textOrNull({
      description: 'The `X-Request-Id` of the response; null if the action did not come over HTTP.',
    }),
    reason: textOrNull({
      description:
        'Why, in the words of the caller: the header `Usance-Reason` of the request; null if it gave none. A reason in the body of a ' +
        'request is in `details`.',
    }),
    recorded_at: Instant,
    seal: nullable(
      closed({ seq: Type.Integer(), hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) }, { title: 'Seal' }),
      { description: 'Its link in the hash chain of the audit log; null until it is sealed, usually for a second.' },
    ),
  },
  { title: 'AuditEvent' },
);

const storedOf = ({ action, version, resourceId, details }: AuditEvent) => ({
  type: typeOfAction(action) ?? '',
  version,
  resourceId,
  data: details,
});

const show = ({ shown, ...event }: AuditEvent & { readonly shown: unknown }): Static<typeof AuditEventShown> => ({
  id: toTypeId('event', event.id),
  action: event.action,
  actor: shownActor(event.actor),
  resource: event.resource,
  resource_id: shownResource({ ...storedOf(event), resource: event.resource }),
  details: shown,
  ip: event.ip,
  user_agent: event.userAgent,
  request_id: event.requestId,
  reason: event.reason,
  recorded_at: event.recordedAt.toISOString(),
  seal: event.seal && { seq: Number(event.seal.seq), hash: event.seal.hash },
});

/** The actor of an end user's requests, by their account. */
async function endUserActor(tenant: TenantVerbs, user: string, actor: string | undefined): Promise<string> {
  if (actor !== undefined) refuse('FIELD_INVALID/both_given', { first: 'actor', param: 'user' });
  return userActor((await tenant.account(accountKey(user))).id);
}

const EXAMPLE_KEY = 'key_01k9zsxw3e5r7t9v1y3z5a7b9c';

export const auditRoutes = {
  'auditEvents.list': route({
    method: 'GET',
    path: '/audit-events',
    summary: 'List audit events',
    description:
      'Newest first. `resource_id` uses an index; the other filters scan backwards in time, at most 20,000 events for a page. A page ' +
      'can be short or empty without being the last: continue with `next_cursor`. Use `from` and `before` to narrow the scan.',
    scope: 'ops:read',
    query: pageQuery({
      actor: Type.Optional(Type.String({ minLength: 1, maxLength: 200, examples: [EXAMPLE_KEY] })),
      user: Type.Optional({
        ...AccountName,
        description:
          'Only what this end user did with their token: id or ref of their account. Not together with `actor`.',
      } as typeof AccountName),
      action: Type.Optional(
        Type.String({
          pattern: '^[A-Z0-9_]{1,100}$',
          examples: ['PAYMENT_COMPLETED'],
          ...refusedAs('FIELD_INVALID/not_an_action'),
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
      request_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      from: Type.Optional(instantIn('Recorded at this instant or later. Default: any.')),
      before: Type.Optional(instantIn('Recorded before this instant. Default: any.')),
    }),
    answer: listOf(AuditEventShown, 'AuditEventList'),
    example: {
      query: { action: 'PAYMENT_CREATED', limit: '10' },
      answer: {
        data: [
          {
            id: 'evt_01k9zt3q9fh2j4m6p8r0t2w4y6',
            action: 'PAYMENT_CREATED',
            actor: EXAMPLE_KEY,
            resource: 'payment',
            resource_id: HOLD,
            details: { ...exampleOfEvent('payment.created'), id: HOLD },
            ip: '192.0.2.7',
            user_agent: 'checkout/3.1',
            request_id: 'req_01k9zt3q9d4f6h8k0m2p4r6t8w',
            reason: null,
            recorded_at: CREATED_AT,
            seal: { seq: 17, hash: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef' },
          },
        ],
        next_cursor: null,
      },
    },
    async handle({ tenant, query }) {
      const { actor, user, action, resource, resource_id, request_id, from, before } = query;
      const filter = {
        ...(actor === undefined ? {} : { actor: actorKey(actor) }),
        ...(user === undefined ? {} : { actor: await endUserActor(tenant, user, actor) }),
        ...(action === undefined ? {} : { action }),
        ...(resource === undefined ? {} : { resource }),
        ...(resource_id === undefined ? {} : { resourceId: resourceKey(tenant.id, resource, resource_id) }),
        ...(request_id === undefined ? {} : { requestId: request_id }),
        ...(from === undefined ? {} : { from: parseInstant(from, 'from') }),
        ...(before === undefined ? {} : { before: parseInstant(before, 'before') }),
      };
      return stretch(
        query,
        async (limit, mark) => {
          const { events, next } = await tenant.auditPage(filter, { limit, ...beforeMark(mark) });
          const shown = await dataShower(tenant, events.map(storedOf));
          return { rows: events.map((event) => ({ ...event, shown: shown(storedOf(event)) })), next };
        },
        show,
      );
    },
  }),

  'auditEvents.erase': route({
    method: 'POST',
    path: '/audit-events/{id}/erase',
    summary: 'Erase the data of an audit event',
    description:
      'Permanently erases the details, address, user agent and reason of the event. Its type, instant and caller stay, and so does every hash ' +
      'of the chain. Results and errors of jobs that handled the event are erased with it. The erasure is recorded as another event.',
    scope: 'admin',
    params: closed({ id: idOf('event') }),
    body: closed({ reason: Reason }),
    answer: closed({ id: idOf('event'), erased: Type.Literal(true) }, { title: 'ErasedEvent' }),
    example: {
      params: { id: 'evt_01k9zt3q9fh2j4m6p8r0t2w4y6' },
      body: { reason: 'the reason contained a name' },
      answer: { id: 'evt_01k9zt3q9fh2j4m6p8r0t2w4y6', erased: true },
    },
    async handle({ tenant, params, body }) {
      await tenant.eraseAuditEvent(fromTypeId('event', params.id), body.reason);
      return { id: params.id, erased: true as const };
    },
  }),
};
