// Schedules: payments that recur, by a rule in a time zone.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ScheduleView } from '../../engine.ts';
import { MOST_UPCOMING, SCHEDULE_STATUSES } from '../../engine.ts';
import { fromTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { before, page, slotMark, stretch, wholeList } from '../cursor.ts';
import { accountKey } from '../wire-format.ts';
import {
  AccountName,
  CREATED,
  MetadataFilter,
  Reason,
  Reference,
  closed,
  expandQuery,
  idOf,
  listOf,
  oneOf,
  pageQuery,
  readCreated,
  someOf,
} from '../schemas.ts';
import { hasDecimals, orderAsset } from './amount-input.ts';
import { CREATED_AT, OCCURRENCE, PAYMENT, SCHEDULE } from './examples.ts';
import { Occurrence, showOccurrence } from './occurrence-shape.ts';
import { EXPANDS } from './payment-shape.ts';
import { EXAMPLE_SCHEDULE as EXAMPLE } from './schedule-example.ts';
import {
  LocalTimeIn,
  Schedule,
  ScheduleEditBody,
  ScheduleOrder,
  UpcomingShown,
  readEdit,
  readScheduleOrder,
  showSchedule,
  showUpcoming,
} from './schedule-shape.ts';

const Id = closed({ id: idOf('schedule') });
const params = { id: SCHEDULE };
const key = (id: string): string => fromTypeId('schedule', id);
const WITH_REASON = closed({ reason: Type.Optional(Reason) });

const EXAMPLE_OCCURRENCE = {
  id: OCCURRENCE,
  slot: '2026-11-30T09:00:00',
  through: null,
  slots: 1,
  ordinal: 1,
  kind: 'rule',
  status: 'made',
  reason: null,
  detail: null,
  amount: '1500',
  run_at: '2026-11-30T08:00:00.000Z',
  payment: PAYMENT,
  created_at: CREATED_AT,
};

/** A change of one schedule that answers with the schedule. */
const changed = async (change: Promise<ScheduleView>): Promise<Static<typeof Schedule>> => showSchedule(await change);

export const scheduleRoutes = {
  'schedules.create': route({
    method: 'POST',
    path: '/schedules',
    summary: 'Create a schedule',
    description:
      'Creates a payment at every slot of a rule. The first slot is the first in the future: a start in the past only sets the anchor, ' +
      'and past slots are not paid.',
    scope: 'payments:write',
    idempotency: 'required',
    status: 201,
    body: ScheduleOrder,
    answer: Schedule,
    example: {
      body: {
        from: 'alice',
        to: 'bob',
        asset: 'USD/2',
        amount: '1500',
        steps: [{ from: 13, amount: '1800' }],
        rule: { frequency: 'MONTHLY', days_of_month: ['last'], time: '09:00' },
        zone: 'Europe/Berlin',
        start: '2026-11-30',
        business_days: { shift: 'previous', holidays: ['2026-12-31'] },
        after_failure: 'pause',
        metadata: { plan: 'family' },
      },
      answer: EXAMPLE,
    },
    async handle({ tenant, body }) {
      const order = readScheduleOrder(body, await orderAsset(tenant, body));
      return changed(tenant.createSchedule({ ...order, idempotencyKey: 'request' }));
    },
  }),

  'schedules.list': route({
    method: 'GET',
    path: '/schedules',
    summary: 'List schedules',
    description:
      'Newest first. `reference` and `account` use an index; for the other filters a page reads at most 5,000 schedules, so it can be ' +
      'short or empty without being the last: continue with `next_cursor`.',
    scope: 'payments:read',
    query: pageQuery({
      status: Type.Optional(someOf(SCHEDULE_STATUSES)),
      account: Type.Optional({ ...AccountName, description: 'Payer or payee: id or ref.' } as typeof AccountName),
      reference: Type.Optional(Reference),
      ...CREATED,
      metadata: Type.Optional(MetadataFilter),
      ...expandQuery(EXPANDS),
    }),
    answer: listOf(Schedule, 'ScheduleList'),
    example: { query: { status: 'active', account: 'alice' }, answer: { data: [EXAMPLE], next_cursor: null } },
    handle({ tenant, query }) {
      const { status, account, reference, metadata } = query;
      const filter = {
        ...(status ? { status } : {}),
        ...(account === undefined ? {} : { account: accountKey(account) }),
        ...(reference === undefined ? {} : { reference }),
        ...readCreated(query),
        ...(metadata === undefined ? {} : { metadata }),
      };
      return stretch(
        query,
        async (limit, mark) => {
          const { schedules, next } = await tenant.schedulesPage(filter, { limit, ...before(mark) });
          return { rows: schedules, next };
        },
        showSchedule,
      );
    },
  }),

  'schedules.get': route({
    method: 'GET',
    path: '/schedules/{id}',
    summary: 'Get a schedule',
    scope: 'payments:read',
    params: Id,
    query: closed(expandQuery(EXPANDS)),
    answer: Schedule,
    example: { params, answer: EXAMPLE },
    handle: (call) => changed(call.tenant.schedule(key(call.params.id))),
  }),

  'schedules.update': route({
    method: 'PATCH',
    path: '/schedules/{id}',
    summary: 'Update a schedule',
    description: 'Applies from now on: the schedule never runs a slot at or before the last one that it processed.',
    scope: 'payments:write',
    params: Id,
    body: ScheduleEditBody,
    answer: Schedule,
    example: {
      params,
      body: { amount: '1600', until: '2099-12-31' },
      answer: { ...EXAMPLE, amount: '1600', legs: [{ to: EXAMPLE.to, amount: '1600' }], until: '2099-12-31' },
    },
    async handle({ tenant, params, body }) {
      const id = key(params.id);
      const asset = hasDecimals(body) ? (await tenant.schedule(id)).asset : '';
      return changed(tenant.editSchedule(id, readEdit(body, asset)));
    },
  }),

  'schedules.pause': route({
    method: 'POST',
    path: '/schedules/{id}/pause',
    summary: 'Pause a schedule',
    scope: 'payments:write',
    params: Id,
    body: WITH_REASON,
    answer: Schedule,
    example: {
      params,
      body: { reason: 'asked for by the customer' },
      answer: { ...EXAMPLE, status: 'paused', status_reason: 'asked for by the customer', next: null },
    },
    handle: ({ tenant, params, body }) => changed(tenant.pauseSchedule(key(params.id), body)),
  }),

  'schedules.resume': route({
    method: 'POST',
    path: '/schedules/{id}/resume',
    summary: 'Resume a paused schedule',
    description: 'Continues with the first slot in the future. Slots of the pause are not paid.',
    scope: 'payments:write',
    params: Id,
    body: WITH_REASON,
    answer: Schedule,
    example: { params, body: {}, answer: EXAMPLE },
    handle: ({ tenant, params, body }) => changed(tenant.resumeSchedule(key(params.id), body)),
  }),

  'schedules.cancel': route({
    method: 'POST',
    path: '/schedules/{id}/cancel',
    summary: 'Cancel a schedule',
    scope: 'payments:write',
    params: Id,
    body: closed({
      reason: Type.Optional(Reason),
      cancel_payment: Type.Optional(
        Type.Boolean({
          description: 'Also cancels its last payment, if that is still waiting, so that its retries stop.',
        }),
      ),
    }),
    answer: Schedule,
    example: {
      params,
      body: { cancel_payment: true },
      answer: { ...EXAMPLE, status: 'cancelled', next: null, ended_at: CREATED_AT },
    },
    handle({ tenant, params, body }) {
      const { cancel_payment, ...deed } = body;
      return changed(
        tenant.cancelSchedule(key(params.id), { ...deed, ...(cancel_payment ? { cancelPayment: true } : {}) }),
      );
    },
  }),

  'schedules.trigger': route({
    method: 'POST',
    path: '/schedules/{id}/trigger',
    summary: 'Trigger a run of a schedule',
    description: 'An extra run. It does not replace a slot of the rule.',
    scope: 'payments:write',
    idempotency: 'required',
    status: 201,
    params: Id,
    answer: Occurrence,
    example: { params, answer: { ...EXAMPLE_OCCURRENCE, kind: 'trigger', ordinal: null } },
    handle: async ({ tenant, params }) =>
      showOccurrence(await tenant.triggerSchedule(key(params.id), { idempotencyKey: 'request' })),
  }),

  'schedules.backfill': route({
    method: 'POST',
    path: '/schedules/{id}/backfill',
    summary: 'Backfill past runs of a schedule',
    description:
      'Runs the slots between two local times, both included, that were never paid: skipped or failed slots, slots of a pause, and ' +
      'slots before the schedule was created. At most 100.',
    scope: 'payments:write',
    idempotency: 'required',
    params: Id,
    body: closed({ start: LocalTimeIn, end: LocalTimeIn }),
    answer: listOf(Occurrence, 'Backfilled'),
    example: {
      params,
      body: { start: '2026-10-01', end: '2026-10-31' },
      answer: { data: [{ ...EXAMPLE_OCCURRENCE, kind: 'backfill', reason: 'late' }], next_cursor: null },
    },
    handle: ({ tenant, params, body }) =>
      wholeList(tenant.backfillSchedule(key(params.id), { ...body, idempotencyKey: 'request' }), showOccurrence),
  }),

  'schedules.listUpcoming': route({
    method: 'GET',
    path: '/schedules/{id}/upcoming',
    summary: 'List the upcoming runs of a schedule',
    description: 'In the time of the zone and in UTC. For a paused schedule: the runs if it were resumed now.',
    scope: 'payments:read',
    params: Id,
    query: closed({
      count: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MOST_UPCOMING, description: 'How many runs. Default 10.', examples: [3] }),
      ),
    }),
    answer: listOf(UpcomingShown, 'UpcomingList'),
    example: {
      params,
      query: { count: '1' },
      answer: { data: [{ ...EXAMPLE.next, ordinal: 1, amount: '1500' }], next_cursor: null },
    },
    handle: ({ tenant, params, query }) => wholeList(tenant.upcoming(key(params.id), query.count), showUpcoming),
  }),

  'schedules.listOccurrences': route({
    method: 'GET',
    path: '/schedules/{id}/occurrences',
    summary: 'List the past runs of a schedule',
    description: 'Newest slot first.',
    scope: 'payments:read',
    params: Id,
    query: pageQuery({
      status: Type.Optional(
        oneOf(['made', 'skipped', 'failed'], { description: 'Only runs with this outcome. Default: any.' }),
      ),
    }),
    answer: listOf(Occurrence, 'OccurrenceList'),
    example: { params, query: { status: 'made' }, answer: { data: [EXAMPLE_OCCURRENCE], next_cursor: null } },
    handle({ tenant, params, query }) {
      const { status } = query;
      return page(
        query,
        (limit, mark) =>
          tenant.occurrences(key(params.id), {
            limit,
            ...(mark === undefined ? {} : { before: slotMark(mark) }),
            ...(status ? { status } : {}),
          }),
        (occurrence) => String(occurrence.slot),
        showOccurrence,
      );
    },
  }),
};
