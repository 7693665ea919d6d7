// Runs that were missed while no scheduler ran: the guard that holds them, and the decision of a person.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Outage as EngineOutage, OutageGuard as Guard } from '../../engine.ts';
import { OUTAGE_STATUSES } from '../../engine.ts';
import { fromTypeId, shownActor, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { newestFirst } from '../cursor.ts';
import { instantOrNull } from '../wire-format.ts';
import {
  Amount,
  AmountIn,
  AssetName,
  Instant,
  Reason,
  closed,
  idOf,
  listOf,
  nullable,
  oneOf,
  pageQuery,
  textOrNull,
} from '../schemas.ts';
import { CREATED_AT, EXECUTE_AT } from './examples.ts';

export const Outage = closed(
  {
    id: idOf('outage'),
    status: oneOf(OUTAGE_STATUSES),
    since: { ...Instant, description: 'When the oldest overdue run was due. RFC 3339, UTC.' } as typeof Instant,
    through: {
      ...Instant,
      description: 'Runs that were due up to this instant are held. RFC 3339, UTC.',
    } as typeof Instant,
    overdue: Type.Array(closed({ asset: Type.String(), count: Type.Integer(), amount: Amount }), {
      description:
        'For each asset, how many schedules are overdue and the sum of one slot of each; the oldest 100,000 are counted.',
    }),
    reason: textOrNull(),
    decided_by: textOrNull(),
    decided_at: nullable(Instant),
  },
  { title: 'Outage' },
);

export const showOutage = (outage: EngineOutage): Static<typeof Outage> => ({
  id: toTypeId('outage', outage.id),
  status: outage.status,
  since: outage.since.toISOString(),
  through: outage.through.toISOString(),
  overdue: outage.overdue.map(({ asset, count, amount }) => ({ asset, count, amount: amount.toString() })),
  reason: outage.reason,
  decided_by: outage.decidedBy === null ? null : shownActor(outage.decidedBy),
  decided_at: instantOrNull(outage.decidedAt),
});

const OutageGuard = closed(
  {
    count: nullable(Type.Integer(), { description: 'How many schedules can be overdue at once; null: any number.' }),
    amounts: Type.Array(closed({ asset: Type.String(), amount: Amount }), {
      description: 'The largest overdue sum for each asset.',
    }),
  },
  { title: 'OutageGuard' },
);

const showGuard = (guard: Guard): Static<typeof OutageGuard> => ({
  count: guard.count,
  amounts: guard.amounts.map(({ asset, amount }) => ({ asset, amount: amount.toString() })),
});

const EXAMPLE_GUARD = { count: 500, amounts: [{ asset: 'USD/2', amount: '5000000' }] };
const OUTAGE = 'out_01k9zth7y9b1d3f5h7k9n1q3s5';
const EXAMPLE = {
  id: OUTAGE,
  status: 'waiting',
  since: CREATED_AT,
  through: EXECUTE_AT,
  overdue: [{ asset: 'USD/2', count: 1260, amount: '1890000' }],
  reason: null,
  decided_by: null,
  decided_at: null,
};
const DECIDED = { decided_by: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c', decided_at: EXECUTE_AT };

const Id = closed({ id: idOf('outage') });
const params = { id: OUTAGE };
const key = (id: string): string => fromTypeId('outage', id);

export const outageRoutes = {
  'outageGuard.get': route({
    method: 'GET',
    path: '/outage-guard',
    summary: 'Get the outage guard',
    scope: 'ops:read',
    answer: OutageGuard,
    example: { answer: EXAMPLE_GUARD },
    handle: async ({ tenant }) => showGuard(await tenant.outageGuard()),
  }),

  'outageGuard.set': route({
    method: 'POST',
    path: '/outage-guard',
    summary: 'Set the outage guard',
    description:
      'Applies to all schedules of the tenant. If more than this many schedules, or more than this sum of an asset, has been overdue ' +
      'for more than five minutes because no scheduler ran, all runs due by then are held until a person releases or discards them. ' +
      'Null removes a bound; an omitted bound stays unchanged.',
    scope: 'admin',
    body: closed(
      {
        count: Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 99_999 })),
        amounts: Type.Optional(
          Type.Array(
            closed({
              asset: AssetName,
              amount: Type.Unsafe<string | number | null>({ ...AmountIn, type: ['string', 'integer', 'null'] }),
            }),
            { maxItems: 100 },
          ),
        ),
      },
      { title: 'OutageGuardParams' },
    ),
    answer: OutageGuard,
    example: { body: { count: 500, amounts: [{ asset: 'USD/2', amount: '5000000' }] }, answer: EXAMPLE_GUARD },
    handle: async ({ tenant, body }) => showGuard(await tenant.setOutageGuard(body)),
  }),

  'outages.list': route({
    method: 'GET',
    path: '/outages',
    summary: 'List outages',
    description: 'Newest first. At most one is waiting.',
    scope: 'ops:read',
    query: pageQuery({
      status: Type.Optional(oneOf(OUTAGE_STATUSES, { description: 'Only outages with this status. Default: any.' })),
    }),
    answer: listOf(Outage, 'OutageList'),
    example: { query: { status: 'waiting' }, answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant, query }) =>
      newestFirst(
        query,
        (range) => tenant.outages(query.status === undefined ? {} : { status: query.status }, range),
        showOutage,
      ),
  }),

  'outages.release': route({
    method: 'POST',
    path: '/outages/{id}/release',
    summary: 'Release the runs of an outage',
    description: 'Each schedule runs by its own policies, as if the outage had not been held.',
    scope: 'ops:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: Outage,
    example: {
      params,
      body: { reason: 'all of it is meant to be paid' },
      answer: { ...EXAMPLE, ...DECIDED, status: 'released', reason: 'all of it is meant to be paid' },
    },
    handle: async (call) => showOutage(await call.tenant.releaseOutage(key(call.params.id), call.body)),
  }),

  'outages.discard': route({
    method: 'POST',
    path: '/outages/{id}/discard',
    summary: 'Discard the runs of an outage',
    description:
      'The slots are recorded as skipped, and schedules continue with their next slot. A backfill can still pay them.',
    scope: 'ops:write',
    params: Id,
    body: closed({ reason: Reason }),
    answer: Outage,
    example: {
      params,
      body: { reason: 'paid by other means' },
      answer: { ...EXAMPLE, ...DECIDED, status: 'discarded', reason: 'paid by other means' },
    },
    handle: async (call) => showOutage(await call.tenant.discardOutage(key(call.params.id), call.body)),
  }),
};
