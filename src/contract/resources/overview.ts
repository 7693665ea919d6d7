import { Type } from 'typebox';
import type { Static } from 'typebox';
import { toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { durationOf, instantOrNull } from '../wire-format.ts';
import { Amount, Instant, closed, durationShown, idOf, nullable, oneOf, textOrNull } from '../schemas.ts';
import { CREATED_AT, EXECUTE_AT } from './examples.ts';
import { EXAMPLE_CAP, ExecutionCap, showCap } from './execution-cap.ts';
import { Alert, showAlert } from './alerts.ts';
import { Outage, showOutage } from './outages.ts';

const AtStake = closed({ asset: Type.String(), count: Type.Integer(), amount: Amount }, { title: 'AtStake' });
const counted = (what: string) => Type.Integer({ description: `How many ${what}.` });
const Moved = closed({ settled: Type.Integer(), failed: Type.Integer() });

const Overview = closed(
  {
    at: Instant,
    integrity: closed(
      {
        state: oneOf(['ok', 'frozen', 'unknown'], { description: 'Result of the continuous check of the books.' }),
        checked_at: nullable(Instant, { description: 'When the books were last checked.' }),
      },
      {
        description:
          '`frozen`: an asset is frozen because its books do not add up. `unknown`: no check in the last ten minutes.',
      },
    ),
    waiting: closed({
      count: counted('payments wait'),
      next_due_at: nullable(Instant),
      amounts: Type.Array(AtStake, { description: 'The total for each asset, of the first 2,000 of each priority.' }),
    }),
    due: closed({
      count: counted('payments are due'),
      oldest_due_at: nullable(Instant),
      late: durationShown('How late the oldest is.'),
      amounts: Type.Array(AtStake, { description: 'Their total for each asset.' }),
    }),
    due_schedules: closed(
      { count: counted('schedules are due'), oldest_due_at: nullable(Instant) },
      { description: 'Schedules with a due slot that has not run, counted up to 10,000.' },
    ),
    counted_all: Type.Boolean({
      description:
        'False: more payments are waiting or due than are counted (10,000 for each priority), so the numbers are lower bounds.',
    }),
    last_hour: { ...Moved, description: 'Outcomes of the last hour, by the clock of the tenant.' },
    last_day: { ...Moved, description: 'Outcomes of the last 24 hours, by the clock of the tenant.' },
    recent_counted_all: Type.Boolean({
      description: 'False: the last day had more than 50,000 events, and only the newest are counted.',
    }),
    dead_letters: Type.Array(AtStake, {
      description: 'Dead letters of payments and occurrences, and their total for each asset.',
    }),
    dead_executions: counted('executions of jobs are dead letters, up to 100,000'),
    awaiting_approval: Type.Array(AtStake, {
      description: 'Payments that await approval, and their total for each asset.',
    }),
    in_review: Type.Array(AtStake, {
      description:
        'Payouts that were not final ten minutes after they were sent, and their total for each asset: resolve them, or wait for the chain.',
    }),
    outages: Type.Array(Outage, { description: 'Outages that wait to be released or discarded.' }),
    alerts: Type.Array(Alert, { description: 'The newest 100 alerts that are open.' }),
    freezes: Type.Array(closed({ asset: Type.String(), violation: Type.String(), frozen_at: Instant })),
    pauses: Type.Array(
      closed({
        id: idOf('pause'),
        scope: oneOf(['tenant', 'asset', 'rail']),
        value: textOrNull(),
        reason: Type.String(),
        paused_at: Instant,
      }),
    ),
    execution_cap: ExecutionCap,
    events_unordered: closed({ count: counted('events are not ordered yet'), oldest: nullable(Instant) }),
  },
  { title: 'Overview' },
);

type Stakes = Static<typeof AtStake>[];
const stakes = (all: readonly { asset: string; count: number; amount: bigint }[]): Stakes =>
  all.map(({ asset, count, amount }) => ({ asset, count, amount: amount.toString() }));

export const overviewRoutes = {
  'overview.get': route({
    method: 'GET',
    path: '/overview',
    summary: 'Get an overview of the tenant',
    description: 'Waiting and late payments, recent outcomes, pauses and freezes, and everything that needs a person.',
    scope: 'ops:read',
    answer: Overview,
    example: {
      answer: {
        at: EXECUTE_AT,
        waiting: {
          count: 120,
          next_due_at: EXECUTE_AT,
          amounts: [{ asset: 'USD/2', count: 120, amount: '480000' }],
        },
        integrity: { state: 'ok', checked_at: EXECUTE_AT },
        due: {
          count: 2,
          oldest_due_at: EXECUTE_AT,
          late: 'PT0.4S',
          amounts: [{ asset: 'USD/2', count: 2, amount: '2500' }],
        },
        due_schedules: { count: 0, oldest_due_at: null },
        counted_all: true,
        last_hour: { settled: 310, failed: 1 },
        last_day: { settled: 5120, failed: 4 },
        recent_counted_all: true,
        dead_letters: [{ asset: 'USD/2', count: 3, amount: '25900' }],
        dead_executions: 0,
        awaiting_approval: [{ asset: 'USD/2', count: 1, amount: '1000000' }],
        in_review: [{ asset: 'USDC/6', count: 1, amount: '725000000' }],
        outages: [],
        alerts: [],
        freezes: [],
        pauses: [
          {
            id: 'pau_01k9ztd8q0s2v4x6z8b0d2f4h6',
            scope: 'asset',
            value: 'EUR/2',
            reason: 'the books are being checked',
            paused_at: CREATED_AT,
          },
        ],
        execution_cap: EXAMPLE_CAP,
        events_unordered: { count: 0, oldest: null },
      },
    },
    async handle({ tenant }) {
      const seen = await tenant.overview();
      return {
        at: seen.at.toISOString(),
        waiting: {
          count: seen.waiting,
          next_due_at: instantOrNull(seen.nextDueAt),
          amounts: stakes(seen.waitingAmounts),
        },
        integrity: { state: seen.integrity.state, checked_at: instantOrNull(seen.integrity.checkedAt) },
        due: {
          count: seen.due,
          oldest_due_at: instantOrNull(seen.oldestDueAt),
          late: durationOf(seen.lateMs),
          amounts: stakes(seen.dueAmounts),
        },
        due_schedules: { count: seen.dueSchedules.count, oldest_due_at: instantOrNull(seen.dueSchedules.oldest) },
        counted_all: !seen.capped,
        last_hour: seen.lastHour,
        last_day: seen.lastDay,
        recent_counted_all: !seen.recentCapped,
        dead_letters: stakes(seen.deadLetters),
        dead_executions: seen.deadExecutions,
        awaiting_approval: stakes(seen.awaitingApproval),
        in_review: stakes(seen.inReview),
        outages: seen.outages.map(showOutage),
        alerts: seen.alerts.map(showAlert),
        freezes: seen.freezes.map(({ asset, violation, frozenAt }) => ({
          asset,
          violation,
          frozen_at: frozenAt.toISOString(),
        })),
        pauses: seen.pauses.map(({ id, scope, value, reason, pausedAt }) => ({
          id: toTypeId('pause', id),
          scope,
          value: value === '' ? null : value,
          reason,
          paused_at: pausedAt.toISOString(),
        })),
        execution_cap: showCap(seen.executionCap),
        events_unordered: { count: seen.unordered.count, oldest: instantOrNull(seen.unordered.oldest) },
      };
    },
  }),
};
