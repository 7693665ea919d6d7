// Jobs: code that runs on events.
import { Type } from 'typebox';
import { route } from '../route.ts';
import { newestFirst } from '../cursor.ts';
import { closed, listOf, pageQuery } from '../schemas.ts';
import { CREATED_AT, JOB } from './examples.ts';
import {
  Job,
  JobCreateParams,
  JobName,
  JobUpdateParams,
  jobKey,
  readJobChanges,
  readJobParams,
  showJob,
} from './job-shape.ts';

const Id = closed({ id: JobName });
const params = { id: JOB };

const RETRY = { max_attempts: 5, initial_delay_ms: 1_000, multiplier: 2, max_delay_ms: 60_000, jitter: 0 };
const EXAMPLE = {
  id: JOB,
  name: 'send receipts',
  description: 'Sends a receipt for every settled payment.',
  event_pattern: 'payment.settled',
  processor_name: 'send-receipt',
  managed: false,
  enabled: true,
  retry_config: RETRY,
  timeout_ms: 60_000,
  max_concurrency: null,
  max_per_second: null,
  after: 17,
  created_by: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

export const jobRoutes = {
  'jobs.create': route({
    method: 'POST',
    path: '/jobs',
    summary: 'Create a job',
    description:
      'A job runs a processor on every later event that matches its pattern: one execution for each event, retried by `retry_config`. A ' +
      'processor is code of yours with a name (`createUsance({ processors })`, `usance worker --processors`); a job is refused until a worker ' +
      'has announced its processor. A tenant has at most 1,000 jobs.',
    scope: 'jobs:write',
    status: 201,
    body: JobCreateParams,
    answer: Job,
    example: {
      body: {
        name: EXAMPLE.name,
        description: EXAMPLE.description,
        event_pattern: EXAMPLE.event_pattern,
        processor_name: EXAMPLE.processor_name,
        retry_config: { max_attempts: 5 },
      },
      answer: EXAMPLE,
    },
    handle: async ({ tenant, body }) => showJob(await tenant.createJob(await readJobParams(tenant, body))),
  }),

  'jobs.list': route({
    method: 'GET',
    path: '/jobs',
    summary: 'List jobs',
    description: 'Newest first, without deleted jobs. Managed jobs are among them.',
    scope: 'jobs:read',
    query: pageQuery({
      enabled: Type.Optional(Type.Boolean({ description: 'Only enabled jobs, or only disabled ones. Default: all.' })),
      processor_name: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only jobs that run this processor. Default: all.' }),
      ),
    }),
    answer: listOf(Job, 'JobList'),
    example: { query: { processor_name: 'send-receipt' }, answer: { data: [EXAMPLE], next_cursor: null } },
    handle({ tenant, query }) {
      const { enabled, processor_name } = query;
      const filter = {
        ...(enabled === undefined ? {} : { enabled }),
        ...(processor_name === undefined ? {} : { processorName: processor_name }),
      };
      return newestFirst(query, (range) => tenant.jobs(filter, range), showJob);
    },
  }),

  'jobs.get': route({
    method: 'GET',
    path: '/jobs/{id}',
    summary: 'Get a job',
    scope: 'jobs:read',
    params: Id,
    answer: Job,
    example: { params, answer: EXAMPLE },
    handle: async (call) => showJob(await call.tenant.job(jobKey(call.params.id))),
  }),

  'jobs.update': route({
    method: 'PATCH',
    path: '/jobs/{id}',
    summary: 'Update, enable or disable a job',
    description:
      'A new retry policy, time limit or processor applies to executions that wait, from their next attempt on. A new pattern applies to events ' +
      'that are not matched yet. A disabled job handles no new events, and its executions do not start; when it is enabled again, it begins ' +
      'with the next event.',
    scope: 'jobs:write',
    params: Id,
    body: JobUpdateParams,
    answer: Job,
    example: { params, body: { enabled: false }, answer: { ...EXAMPLE, enabled: false } },
    async handle({ tenant, params, body }) {
      const { id } = await tenant.job(jobKey(params.id));
      return showJob(await tenant.updateJob(id, readJobChanges(body)));
    },
  }),

  'jobs.delete': route({
    method: 'DELETE',
    path: '/jobs/{id}',
    summary: 'Delete a job',
    description:
      'Executions that wait are cancelled, running ones end, and all of them can still be read. The name is free again.',
    scope: 'jobs:write',
    params: Id,
    answer: Job,
    example: { params, answer: EXAMPLE },
    async handle({ tenant, params }) {
      const { id } = await tenant.job(jobKey(params.id));
      return showJob(await tenant.deleteJob(id));
    },
  }),
};
