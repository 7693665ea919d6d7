// The time of a test tenant: create, advance, cancel, delete.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ClockReport } from '../../engine.ts';
import { fromTypeId, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { wholeList } from '../cursor.ts';
import { instantOrNull } from '../wire-format.ts';
import { Instant, closed, idOf, instantIn, listOf, nullable, oneOf, textOrNull } from '../schemas.ts';

const Happened = closed(
  {
    count: Type.Integer({
      description:
        'The number of events by the clock. Sign-ins, API keys, freezes and archiving follow real time and do not count.',
    }),
    by_type: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      examples: [{ 'payment.settled': 12 }],
    }),
    first_at: nullable(Instant, {
      description: 'When the first one happened, by the test clock; null if there was none. RFC 3339, UTC.',
    }),
    last_at: nullable(Instant),
    after_seq: Type.Integer({
      description: 'The `seq` before the first event: list events with `after` set to it.',
    }),
    last_seq: Type.Integer({ description: 'The `seq` of the last event.' }),
  },
  { title: 'AdvanceEvents' },
);

const TestClock = closed(
  {
    id: idOf('testClock'),
    name: Type.String(),
    now: Type.String({ ...Instant, description: 'The current time of the tenant. RFC 3339, UTC.' }),
    status: oneOf(['ready', 'advancing', 'failed'], {
      description: '`advancing`: other writes are refused. `failed`: it stopped at `now`, and can be advanced again.',
    }),
    created_at: Instant,
    deleted_at: nullable(Instant, { description: 'When it was deleted, in real time; null before. RFC 3339, UTC.' }),
    advance: nullable(
      closed({
        from: Instant,
        to: Instant,
        steps: Type.Integer({ description: 'Transactions of the advance so far.' }),
        requested_at: Instant,
        finished_at: nullable(Instant),
        code: textOrNull({ description: 'The error code if the advance failed; null otherwise.' }),
        detail: textOrNull({
          description: 'One sentence, or the code of an unexpected error. The log has the details.',
        }),
        cancelled: Type.Boolean({
          description:
            'Whether the advance was cancelled: `now` is the instant that it reached, `to` the requested one.',
        }),
        events: nullable(Happened, {
          description: 'The events of the advance; null until it has ended and its events are ordered.',
        }),
      }),
      { description: 'The current or the last advance.' },
    ),
  },
  { title: 'TestClock' },
);

function show(clock: ClockReport): Static<typeof TestClock> {
  const { advance, happened } = clock;
  return {
    id: toTypeId('testClock', clock.id),
    name: clock.name,
    now: clock.now.toISOString(),
    status: clock.status,
    created_at: clock.createdAt.toISOString(),
    deleted_at: instantOrNull(clock.deletedAt),
    advance: advance && {
      from: advance.from.toISOString(),
      to: advance.to.toISOString(),
      steps: advance.steps,
      requested_at: advance.requestedAt.toISOString(),
      finished_at: instantOrNull(advance.finishedAt),
      code: advance.code,
      detail: advance.detail,
      cancelled: advance.cancelled,
      events: happened && {
        count: happened.count,
        by_type: { ...happened.byType },
        first_at: instantOrNull(happened.firstAt),
        last_at: instantOrNull(happened.lastAt),
        after_seq: Number(happened.afterSeq),
        last_seq: Number(happened.lastSeq),
      },
    },
  };
}

const START = '2027-01-01T00:00:00.000Z';
const END = '2027-02-01T00:00:00.000Z';
const REAL = '2026-11-13T09:31:00.000Z';
const MADE = {
  id: 'clk_01k9zv3n5q7s9v1x3z5b7d9f1h',
  name: 'january',
  now: START,
  status: 'ready',
  created_at: '2026-11-13T09:30:00.000Z',
  deleted_at: null,
  advance: null,
};
const ADVANCING = {
  ...MADE,
  status: 'advancing',
  advance: {
    from: START,
    to: END,
    steps: 0,
    requested_at: REAL,
    finished_at: null,
    code: null,
    detail: null,
    cancelled: false,
    events: null,
  },
};
const ARRIVED = {
  ...ADVANCING,
  now: END,
  status: 'ready',
  advance: {
    ...ADVANCING.advance,
    steps: 3,
    finished_at: REAL,
    events: {
      count: 3,
      by_type: { 'payment.attempt_failed': 1, 'payment.settled': 2 },
      first_at: '2027-01-03T00:00:00.000Z',
      last_at: '2027-01-09T10:01:00.000Z',
      after_seq: 117,
      last_seq: 120,
    },
  },
};
const STOPPED = '2027-01-09T10:01:00.000Z';
const CANCELLED = {
  ...ARRIVED,
  now: STOPPED,
  advance: { ...ARRIVED.advance, cancelled: true, events: null },
};

export const testClockRoutes = {
  'testClocks.create': route({
    method: 'POST',
    path: '/test-clocks',
    summary: 'Create a test clock',
    description:
      'Requires a key of a tenant that was created with `kind: test`. The time of the tenant then stops until the clock is advanced, ' +
      'and waits, retries, expiries and limits follow the clock. A live tenant cannot have a clock, and a test tenant has one at a ' +
      'time. A clock that replaces a deleted clock cannot start before the time of that clock; payments and schedules that waited then ' +
      'wait for the new clock.',
    scope: 'ops:write',
    status: 201,
    body: closed({
      name: Type.String({ minLength: 1, maxLength: 100, description: 'A name for people; 1 to 100 characters.' }),
      now: instantIn('The time at which the clock starts.'),
    }),
    answer: TestClock,
    example: { body: { name: 'january', now: '2027-01-01T00:00:00Z' }, answer: MADE },
    handle: async ({ tenant, body }) => show(await tenant.createTestClock(body)),
  }),

  'testClocks.list': route({
    method: 'GET',
    path: '/test-clocks',
    summary: 'List test clocks',
    description: 'At most one clock. Deleted clocks are not listed.',
    scope: 'ops:read',
    answer: listOf(TestClock, 'TestClockList'),
    example: { answer: { data: [MADE], next_cursor: null } },
    handle: ({ tenant }) => wholeList(tenant.testClocks(), show),
  }),

  'testClocks.get': route({
    method: 'GET',
    path: '/test-clocks/{id}',
    summary: 'Get a test clock',
    scope: 'ops:read',
    params: closed({ id: idOf('testClock') }),
    answer: TestClock,
    example: { params: { id: MADE.id }, answer: ARRIVED },
    handle: async ({ tenant, params }) => show(await tenant.testClock(fromTypeId('testClock', params.id))),
  }),

  'testClocks.advance': route({
    method: 'POST',
    path: '/test-clocks/{id}/advance',
    summary: 'Advance a test clock in the background',
    description:
      'Everything that falls due happens at its own instant, in order. The request returns at once, and the advance runs in the ' +
      'background. To wait for its end, call `testClocks.wait(id)` of the library, or get the clock until it is no longer `advancing`; ' +
      'until then other writes of the tenant are refused with `CLOCK_ADVANCING`. At most 731 days at once. An advance to the current ' +
      'time runs everything that is due now.',
    scope: 'ops:write',
    status: 202,
    params: closed({ id: idOf('testClock') }),
    body: closed({ to: instantIn('The instant to advance to: `now` of the clock, or later.') }),
    answer: TestClock,
    example: { params: { id: MADE.id }, body: { to: '2027-02-01T00:00:00Z' }, answer: ADVANCING },
    handle: async ({ tenant, params, body }) =>
      show(await tenant.advanceTestClock(fromTypeId('testClock', params.id), body.to)),
  }),

  'testClocks.cancelAdvance': route({
    method: 'POST',
    path: '/test-clocks/{id}/cancel-advance',
    summary: 'Cancel an advance',
    description:
      'The clock is `ready` at the time that it reached: everything due up to then has happened and stays, and nothing later has ' +
      'happened. Changes nothing if the clock is not advancing, or if the advance has just ended.',
    scope: 'ops:write',
    params: closed({ id: idOf('testClock') }),
    answer: TestClock,
    example: { params: { id: MADE.id }, answer: CANCELLED },
    handle: async ({ tenant, params }) => show(await tenant.cancelAdvance(fromTypeId('testClock', params.id))),
  }),

  'testClocks.delete': route({
    method: 'DELETE',
    path: '/test-clocks/{id}',
    summary: 'Delete a test clock',
    description:
      'The time of the tenant stops: payments and schedules do not run, not by real time either, and reserved funds stay reserved. ' +
      'Writes are refused with `CLOCK_MISSING` until the tenant has another clock, which continues from the time of this one: waiting ' +
      'payments can then be cancelled, and run when that clock is advanced. Refused with `CLOCK_ADVANCING` during an advance: cancel ' +
      'it first. Deleting a deleted clock changes nothing.',
    scope: 'ops:write',
    params: closed({ id: idOf('testClock') }),
    answer: TestClock,
    example: { params: { id: MADE.id }, answer: { ...MADE, deleted_at: REAL } },
    handle: async ({ tenant, params }) => show(await tenant.deleteTestClock(fromTypeId('testClock', params.id))),
  }),
};
