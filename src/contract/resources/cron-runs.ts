// Runs of the loops, tick by tick.
import { Type } from 'typebox';
import { JOB_NAMES, RUN_STATUSES } from '../../engine.ts';
import { toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { newestFirst } from '../cursor.ts';
import { outside } from '../wire-format.ts';
import { Instant, closed, idOf, listOf, nullable, oneOf, pageQuery, textOrNull } from '../schemas.ts';
import { CREATED_AT } from './examples.ts';

const CronRun = closed(
  {
    id: idOf('cronRun'),
    job_name: Type.String({ examples: ['scheduler'] }),
    status: oneOf([...RUN_STATUSES]),
    processed_count: Type.Integer({
      description:
        'Payments created by the scheduler, payments claimed by the processor, or the items that another loop works on.',
    }),
    counts: Type.Unsafe<unknown>({ type: 'object', description: 'All counters of the run.' }),
    error_message: textOrNull({ description: 'A code and a sentence; the log of the process has the details.' }),
    started_at: Instant,
    finished_at: nullable(Instant, { description: 'Null while it runs.' }),
  },
  { title: 'CronRun' },
);

export const cronRunRoutes = {
  'cronRuns.list': route({
    method: 'GET',
    path: '/cron-runs',
    summary: 'List runs of loops and one-shot commands',
    description:
      'Newest first: one row for every tick of a loop that changed something or failed, and one for every one-shot run. A run is ' +
      'RUNNING from its start; if its process dies it becomes FAILED. A tick serves every tenant, so only a key of the first tenant ' +
      'can read this.',
    scope: 'ops:read',
    query: pageQuery({
      job_name: Type.Optional(oneOf([...JOB_NAMES])),
      status: Type.Optional(oneOf([...RUN_STATUSES], { description: 'Only runs with this status. Default: any.' })),
    }),
    answer: listOf(CronRun, 'CronRunList'),
    example: {
      query: { job_name: 'scheduler' },
      answer: {
        data: [
          {
            id: 'run_01k9zth8w0y2a4c6e8g0j2m4p6',
            job_name: 'scheduler',
            status: 'SUCCESS',
            processed_count: 12,
            counts: { claimed: 12, made: 12, late: 0, skipped: 0, failed: 0 },
            error_message: null,
            started_at: CREATED_AT,
            finished_at: CREATED_AT,
          },
        ],
        next_cursor: null,
      },
    },
    handle({ tenant, query }) {
      const { job_name, status } = query;
      const filter = { ...(job_name ? { jobName: job_name } : {}), ...(status ? { status } : {}) };
      return newestFirst(
        query,
        (range) => tenant.cronRuns(filter, range),
        (run) => ({
          id: toTypeId('cronRun', run.id),
          job_name: run.jobName,
          status: run.status,
          processed_count: run.processedCount,
          counts: outside(run.counts),
          error_message: run.errorMessage,
          started_at: run.startedAt.toISOString(),
          finished_at: run.finishedAt?.toISOString() ?? null,
        }),
      );
    },
  }),
};
