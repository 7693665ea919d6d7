// Reads of the dashboard beside lists: charts, upcoming payments, and search.
import { Type } from 'typebox';
import { SEARCH_KINDS, SERIES_PERIODS } from '../../engine.ts';
import { toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { accountId, durationOf, idOrNull } from '../wire-format.ts';
import { Amount, Instant, closed, durationShown, idOf, listOf, nullable, oneOf } from '../schemas.ts';
import { ALICE, BOB, CREATED_AT, EXECUTE_AT, HOLD } from './examples.ts';

const at = (description: string) => ({ ...Instant, description });

const Point = closed(
  {
    at: at('Begin of the step.'),
    settled: Type.Integer(),
    failed: Type.Integer(),
    success_rate: nullable(Type.Number(), {
      description: 'Settled of those that ended, from 0 to 1; null if none ended.',
    }),
    late_average: nullable(durationShown('Average.'), {
      description: 'Average time from the due instant to the settlement; null if nothing settled.',
    }),
    late_longest: nullable(durationShown('Longest.'), {
      description: 'Longest time from the due instant to the settlement.',
    }),
    backlog: Type.Integer({ description: 'Payments that were due and not done when the step ended.' }),
  },
  { title: 'SeriesPoint' },
);

const Series = closed(
  {
    period: oneOf(SERIES_PERIODS, { description: 'Length of the chart.' }),
    step: durationShown('Length of a step.'),
    counted_all: Type.Boolean({
      description:
        'False: the tenant has more than 50,000 events in the period, or more than 10,000 due payments. Earlier steps are lower bounds.',
    }),
    points: Type.Array(Point, { description: 'Oldest first; the last step contains now.' }),
  },
  { title: 'Series' },
);

const Sum = closed({
  asset: Type.String(),
  count: Type.Integer({ description: 'Number of payments and runs.' }),
  amount: Amount,
});

const Upcoming = closed(
  {
    from: Instant,
    until: Instant,
    counted_all: Type.Boolean({
      description: 'False: more than 10,000 payments or runs of schedules; only the first are counted.',
    }),
    hours: Type.Array(
      closed({
        at: at('Begin of the hour.'),
        payments: Type.Integer({ description: 'Payments that become due in this hour.' }),
        runs: Type.Integer({ description: 'Runs of schedules in this hour.' }),
        amounts: Type.Array(Sum, { description: 'Payments and runs together, for each asset.' }),
      }),
      { description: 'Every hour of the window.' },
    ),
    next: Type.Array(
      closed(
        {
          at: at('When it becomes due.'),
          kind: oneOf(['payment', 'schedule'], { description: 'A payment that exists, or a run of a schedule.' }),
          id: Type.String({ description: 'Id of the payment, or of the schedule that runs.' }),
          asset: Type.String(),
          amount: nullable(Amount, { description: 'Minor units.' }),
          from: nullable(idOf('account')),
          to: nullable(idOf('account'), { description: 'Null for several payees.' }),
        },
        { title: 'UpcomingEntry' },
      ),
      { description: 'The first 50.' },
    ),
  },
  { title: 'Upcoming' },
);

const SearchHit = closed(
  {
    kind: oneOf(SEARCH_KINDS, { description: 'Kind of the resource.' }),
    id: Type.String(),
    title: Type.String(),
    detail: Type.String(),
    matched: oneOf(['id', 'reference', 'ref'], { description: 'Name by which it was found.' }),
  },
  { title: 'SearchHit' },
);

const DAY_HOURS = 24;
const SHOWN = 50;
const HOUR_MS = 3_600_000;

interface Hour {
  payments: number;
  runs: number;
  readonly amounts: Map<string, { count: number; amount: bigint }>;
}

export const controlRoomRoutes = {
  'overview.getSeries': route({
    method: 'GET',
    path: '/overview/series',
    summary: 'Get the charts of the tenant',
    description:
      'Outcomes, lateness and backlog in equal steps up to now: an hour in minutes, a day in quarters of an hour, a week in steps of two hours.',
    scope: 'ops:read',
    query: closed({ period: Type.Optional(oneOf(SERIES_PERIODS, { description: 'Default: `day`.' })) }),
    answer: Series,
    example: {
      query: { period: 'hour' },
      answer: {
        period: 'hour',
        step: 'PT60S',
        counted_all: true,
        points: [
          {
            at: EXECUTE_AT,
            settled: 310,
            failed: 1,
            success_rate: 0.997,
            late_average: 'PT0.4S',
            late_longest: 'PT1.9S',
            backlog: 2,
          },
        ],
      },
    },
    async handle({ tenant, query }) {
      const { period, stepMs, countedAll, points } = await tenant.series(query.period ?? 'day');
      return {
        period,
        step: durationOf(stepMs),
        counted_all: countedAll,
        points: points.map(({ at, settled, failed, averageLateMs, longestLateMs, backlog }) => ({
          at: at.toISOString(),
          settled,
          failed,
          success_rate: settled + failed === 0 ? null : Number((settled / (settled + failed)).toFixed(4)),
          late_average: averageLateMs === null ? null : durationOf(Math.round(averageLateMs)),
          late_longest: longestLateMs === null ? null : durationOf(longestLateMs),
          backlog,
        })),
      };
    },
  }),

  'overview.getUpcoming': route({
    method: 'GET',
    path: '/overview/upcoming',
    summary: 'Get what is due next',
    description:
      'Payments that become due and runs of schedules in the next hours, for each hour, and the first of them.',
    scope: 'payments:read',
    query: closed({
      hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 168, description: 'Default 24.', examples: [24] })),
    }),
    answer: Upcoming,
    example: {
      query: { hours: '1' },
      answer: {
        from: CREATED_AT,
        until: '2026-11-13T10:30:00.000Z',
        counted_all: true,
        hours: [{ at: CREATED_AT, payments: 1, runs: 0, amounts: [{ asset: 'USD/2', count: 1, amount: '1000' }] }],
        next: [{ at: CREATED_AT, kind: 'payment', id: HOLD, asset: 'USD/2', amount: '1000', from: ALICE, to: BOB }],
      },
    },
    async handle({ tenant, query }) {
      const hours = query.hours ?? DAY_HOURS;
      const [ahead, calendar] = await Promise.all([
        tenant.dueAhead({ hours, shown: SHOWN }),
        tenant.calendar({ days: Math.ceil(hours / DAY_HOURS) }),
      ]);
      const runs = calendar.filter(({ at }) => at > ahead.from && at < ahead.until);
      const table = Array.from({ length: hours }, (): Hour => ({ payments: 0, runs: 0, amounts: new Map() }));
      const add = (index: number, asset: string, count: number, amount: bigint): Hour | undefined => {
        const hour = table[index];
        const sum = hour?.amounts.get(asset) ?? { count: 0, amount: 0n };
        hour?.amounts.set(asset, { count: sum.count + count, amount: sum.amount + amount });
        return hour;
      };
      for (const { hour, asset, count, amount } of ahead.hours) {
        const own = add(hour, asset, count, amount);
        if (own) own.payments += count;
      }
      for (const { at, amount, schedule } of runs) {
        const own = add(Math.floor((at.getTime() - ahead.from.getTime()) / HOUR_MS), schedule.asset, 1, amount);
        if (own) own.runs += 1;
      }
      const next = [
        ...ahead.next.map(({ id, at, asset, amount, payerId, payeeId }) => ({
          at,
          kind: 'payment' as const,
          id: toTypeId('payment', id),
          asset,
          amount: amount.toString(),
          from: accountId(payerId),
          to: accountId(payeeId),
        })),
        ...runs.slice(0, SHOWN).map(({ at, amount, schedule }) => ({
          at,
          kind: 'schedule' as const,
          id: toTypeId('schedule', schedule.id),
          asset: schedule.asset,
          amount: amount.toString(),
          from: accountId(schedule.payerId),
          to: schedule.legs.length === 1 ? idOrNull('account', schedule.legs[0]?.accountId ?? null) : null,
        })),
      ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
      return {
        from: ahead.from.toISOString(),
        until: ahead.until.toISOString(),
        counted_all: ahead.countedAll && calendar.length < 10_000,
        hours: table.map(({ payments, runs: count, amounts }, index) => ({
          at: new Date(ahead.from.getTime() + index * HOUR_MS).toISOString(),
          payments,
          runs: count,
          amounts: [...amounts].map(([asset, sum]) => ({ asset, count: sum.count, amount: sum.amount.toString() })),
        })),
        next: next.slice(0, SHOWN).map((entry) => ({ ...entry, at: entry.at.toISOString() })),
      };
    },
  }),

  'search.get': route({
    method: 'GET',
    path: '/search',
    summary: 'Search',
    description:
      'Finds resources by an id of any kind, by the reference of a payment or schedule, or by the ref of an account. Only resources that the key may read.',
    scope: 'ops:read',
    query: closed({
      q: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'An id, a reference or a ref.',
        examples: ['alice'],
      }),
    }),
    answer: listOf(SearchHit, 'SearchHitList'),
    example: {
      query: { q: 'alice' },
      answer: {
        data: [{ kind: 'account', id: ALICE, title: 'alice', detail: 'user, active', matched: 'ref' }],
        next_cursor: null,
      },
    },
    async handle({ tenant, query }) {
      const hits = await tenant.search(query.q);
      return { data: hits.map((hit) => ({ ...hit, id: toTypeId(hit.kind, hit.id) })), next_cursor: null };
    },
  }),
};
