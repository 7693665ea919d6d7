// The time of a test tenant: create, advance, cancel, delete.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ClockReport } from '../../engine.ts';
import { fromTypeId, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { wholeList } from '../cursor.ts';
import { instantOrNull } from '../names.ts';
import { Instant, InstantIn, closed, idOf, listOf, nullable, oneOf, textOrNull } from '../schemas.ts';

const tag = 'clocks';

const Happened = closed(
  {
    count: Type.Integer({
      description:
        'How many events of the clock. Sign-ins, API keys, freezes and archiving follow real time and do not count.',
    }),
    by_type: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      examples: [{ 'payment.settled': 12 }],
    }),
    first_at: nullable(Instant, { description: 'By the clock; null where nothing happened.' }),
    last_at: nullable(Instant),
    after_seq: Type.Integer({ description: 'The events are those of `GET /events?after=` this …' }),
    last_seq: Type.Integer({ description: '… up to this one.' }),
  },
  { title: 'AdvanceEvents' },
);

const TestClock = closed(
  {
    id: idOf('testClock'),
    name: Type.String(),
    now: Type.String({ ...Instant, description: 'What time it is for the tenant.' }),
    status: oneOf(['ready', 'advancing', 'failed'], {
      description:
        '`advancing`: other writes are refused. `failed`: it stands where it got to, and may be advanced again.',
    }),
    created_at: Instant,
    deleted_at: nullable(Instant, { description: 'Real time.' }),
    advance: nullable(
      closed({
        from: Instant,
        to: Instant,
        steps: Type.Integer({ description: 'Transactions it took so far.' }),
        requested_at: Instant,
        finished_at: nullable(Instant),
        code: textOrNull({ description: 'Why it failed.' }),
        detail: textOrNull({ description: 'A sentence; of an unexpected error, its code. The log has the rest.' }),
        cancelled: Type.Boolean({
          description: 'Ended by a cancel: `now` is where it got to, `to` where it was sent.',
        }),
        events: nullable(Happened, {
          description:
            'What happened on the way, once it has ended and its events have their places; null before that.',
        }),
      }),
      { description: 'The one under way, or the last one.' },
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
    tag,
    summary: 'Create a test clock',
    description:
      'With a key of a tenant that was made with `kind: test`. From then on its time stands still until it is advanced, ' +
      'and everything that waits, retries, expires or is limited goes by it. A live tenant has none. A tenant has one at a time; ' +
      'one that follows a deleted clock may not start before where that clock stood, and what waited for it waits for the new one.',
    scope: 'ops:write',
    status: 201,
    body: closed({ name: Type.String({ minLength: 1, maxLength: 100 }), now: InstantIn }),
    answer: TestClock,
    example: { body: { name: 'january', now: '2027-01-01T00:00:00Z' }, answer: MADE },
    handle: async ({ tenant, body }) => show(await tenant.createTestClock(body)),
  }),

  'testClocks.list': route({
    method: 'GET',
    path: '/test-clocks',
    tag,
    summary: 'List test clocks',
    description: 'One, or none. Deleted clocks are not listed.',
    scope: 'ops:read',
    answer: listOf(TestClock, 'TestClockList'),
    example: { answer: { data: [MADE], next_cursor: null } },
    handle: ({ tenant }) => wholeList(tenant.testClocks(), show),
  }),

  'testClocks.get': route({
    method: 'GET',
    path: '/test-clocks/{id}',
    tag,
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
    tag,
    summary: 'Advance a test clock in the background',
    description:
      'Everything that falls due on the way happens at its own instant, in order. The answer comes at once, while the advance runs in ' +
      'the background. To wait for its end, call `testClocks.wait(id)` of the library, or ask for the clock until it is no longer ' +
      '`advancing`; until then other writes of the tenant are refused with `CLOCK_ADVANCING`. At ' +
      'most 731 days at once. To the instant where it stands: what is due now runs.',
    scope: 'ops:write',
    status: 202,
    params: closed({ id: idOf('testClock') }),
    body: closed({ to: InstantIn }),
    answer: TestClock,
    example: { params: { id: MADE.id }, body: { to: '2027-02-01T00:00:00Z' }, answer: ADVANCING },
    handle: async ({ tenant, params, body }) =>
      show(await tenant.advanceTestClock(fromTypeId('testClock', params.id), body.to)),
  }),

  'testClocks.cancelAdvance': route({
    method: 'POST',
    path: '/test-clocks/{id}/cancel-advance',
    tag,
    summary: 'Cancel an advance',
    description:
      'The clock is `ready` where it got to: everything due up to there has happened and stays, nothing after it has. Changes ' +
      'nothing where the clock does not advance, also where the advance has just ended.',
    scope: 'ops:write',
    params: closed({ id: idOf('testClock') }),
    answer: TestClock,
    example: { params: { id: MADE.id }, answer: CANCELLED },
    handle: async ({ tenant, params }) => show(await tenant.cancelAdvance(fromTypeId('testClock', params.id))),
  }),

  'testClocks.delete': route({
    method: 'DELETE',
    path: '/test-clocks/{id}',
    tag,
    summary: 'Delete a test clock',
    description:
      'The time of the tenant stops: nothing that waits runs, by real time neither, and reserved funds stay reserved. Writes are ' +
      'refused with `CLOCK_MISSING` until the tenant has another clock, which goes on where this one stood: what waited can then be ' +
      'cancelled, and runs when that clock is advanced. Refused with `CLOCK_ADVANCING` during an advance: cancel it first. ' +
      'Deleting a deleted clock changes nothing.',
    scope: 'ops:write',
    params: closed({ id: idOf('testClock') }),
    answer: TestClock,
    example: { params: { id: MADE.id }, answer: { ...MADE, deleted_at: REAL } },
    handle: async ({ tenant, params }) => show(await tenant.deleteTestClock(fromTypeId('testClock', params.id))),
  }),
};
