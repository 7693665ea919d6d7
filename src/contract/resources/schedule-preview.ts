// A rule's words and next runs, before a schedule is made of it.
import { Type } from 'typebox';
import type { TimingInput } from '../../engine.ts';
import { MOST_PREVIEWED } from '../../engine.ts';
import { route } from '../route.ts';
import { Instant, closed } from '../schemas.ts';
import { LocalTime, TIMING, UpcomingShown, readEdit } from './schedule-shape.ts';

const { slot, ordinal, local } = UpcomingShown.properties;

const PreviewedRun = closed({ slot, ordinal, local, at: Instant }, { title: 'PreviewedRun' });

const Preview = closed(
  {
    summary: Type.String({ description: 'When the rule runs, in words.' }),
    zone: Type.String(),
    start: { ...LocalTime, description: 'The given start, or the day of the request.' } as typeof LocalTime,
    runs: Type.Array(PreviewedRun, { description: 'The next runs; fewer than `limit` if the rule ends before.' }),
  },
  { title: 'SchedulePreview' },
);

export const schedulePreviewRoutes = {
  'schedules.preview': route({
    method: 'POST',
    path: '/schedules/preview',
    summary: 'Preview a rule',
    description:
      'The rule in words and its next runs, in the local time of its zone and in UTC. Nothing is stored. A timing that a schedule ' +
      'could not have is refused with the same code.',
    scope: 'payments:read',
    idempotency: 'none',
    body: closed(
      {
        rule: TIMING.rule,
        zone: Type.Optional(TIMING.zone),
        start: Type.Optional(TIMING.start),
        until: Type.Optional(TIMING.until),
        count: Type.Optional(TIMING.count),
        exclude: Type.Optional(TIMING.exclude),
        month_end: Type.Optional(TIMING.month_end),
        business_days: Type.Optional(TIMING.business_days),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MOST_PREVIEWED,
            description: 'Runs to show; default 10.',
            examples: [3],
          }),
        ),
      },
      { title: 'SchedulePreviewParams' },
    ),
    answer: Preview,
    example: {
      body: {
        rule: { frequency: 'MONTHLY', days_of_month: ['last'], time: '09:00' },
        zone: 'Europe/Berlin',
        start: '2190-01-01',
        business_days: { shift: 'previous' },
        limit: 2,
      },
      answer: {
        summary: 'last business day of every month, 09:00 Europe/Berlin, from 2190-01-01',
        zone: 'Europe/Berlin',
        start: '2190-01-01',
        runs: [
          { slot: '2190-01-31T09:00:00', ordinal: 1, local: '2190-01-29T09:00:00', at: '2190-01-29T08:00:00.000Z' },
          { slot: '2190-02-28T09:00:00', ordinal: 2, local: '2190-02-26T09:00:00', at: '2190-02-26T08:00:00.000Z' },
        ],
      },
    },
    async handle({ tenant, body }) {
      const { limit, ...timing } = body;
      const { runs, ...preview } = await tenant.previewSchedule(
        readEdit(timing, '') as TimingInput,
        limit === undefined ? {} : { limit },
      );
      return { ...preview, runs: runs.map((run) => ({ ...run, at: run.at.toISOString() })) };
    },
  }),
};
