// Executions: one event handled by one job, with its attempts.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Execution as EngineExecution, Invocation as EngineInvocation } from '../../engine.ts';
import { EXECUTION_STATUSES, FAILURE_CODES, INVOCATION_STATUSES } from '../../engine.ts';
import { fromTypeId, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { before, stretch, wholeList } from '../cursor.ts';
import { idOrNull, instantOrNull, resourceKey } from '../wire-format.ts';
import { Instant, Reason, closed, idOf, listOf, nullable, oneOf, pageQuery, textOrNull } from '../schemas.ts';
import { CREATED_AT, EVENT, EXECUTION, HOLD, INVOCATION, JOB, WORKER } from './examples.ts';

const Id = closed({ id: idOf('execution') });
const params = { id: EXECUTION };

const Result = nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', examples: [{ receipt: 'R-1001' }] }), {
  description:
    'The object that the processor returned, unchanged; null if it returned nothing. A result above 64 KiB of JSON is not kept: it is ' +
    '`{ "truncated": true, "bytes": … }`.',
});
const CODES = Object.keys(FAILURE_CODES);
const code = (what: string, without: string) =>
  textOrNull({
    description: `${what}: ${CODES.map((each) => `\`${each}\``).join(', ')}; ${without}.`,
    'x-extensible-enum': CODES,
  });

const Execution = closed(
  {
    id: idOf('execution'),
    job_id: { ...idOf('job'), description: 'The job.' } as ReturnType<typeof idOf>,
    event_id: { ...idOf('event'), description: 'The event that it handles.' } as ReturnType<typeof idOf>,
    status: oneOf(EXECUTION_STATUSES, {
      description:
        '`pending`, also between attempts; `running`; ends as `completed`, `failed` (a dead letter) or `cancelled`.',
    }),
    attempt_number: Type.Integer({ description: 'Attempts so far, the running one included; 0 before the first.' }),
    started_at: nullable(Instant, { description: 'When the first attempt began. RFC 3339, UTC; null before.' }),
    completed_at: nullable(Instant, { description: 'When it ended. RFC 3339, UTC; null before.' }),
    error: textOrNull({
      description: 'The message of the last failed attempt, at most 8 KiB; null if none failed, or it completed.',
    }),
    code: code('Why the last attempt failed', 'null if none failed, or it completed'),
    result: Result,
    next_retry_at: nullable(Instant, {
      description: 'When the next attempt is due. RFC 3339, UTC; null unless it is pending.',
    }),
    locked: nullable(Instant, {
      description: 'Since when a worker has it, in real time. RFC 3339, UTC; null unless it is running.',
    }),
    worker_id: nullable(idOf('worker'), { description: 'The worker of the last attempt; null before the first.' }),
    created_at: Instant,
  },
  { title: 'Execution' },
);

export const showExecution = (execution: EngineExecution): Static<typeof Execution> => ({
  id: toTypeId('execution', execution.id),
  job_id: toTypeId('job', execution.jobId),
  event_id: toTypeId('event', execution.eventId),
  status: execution.status,
  attempt_number: execution.attemptNumber,
  started_at: instantOrNull(execution.startedAt),
  completed_at: instantOrNull(execution.completedAt),
  error: execution.error,
  code: execution.code,
  result: execution.result,
  next_retry_at: instantOrNull(execution.nextRetryAt),
  locked: instantOrNull(execution.lockedAt),
  worker_id: idOrNull('worker', execution.workerId),
  created_at: execution.createdAt.toISOString(),
});

const Invocation = closed(
  {
    id: idOf('invocation'),
    execution_id: { ...idOf('execution'), description: 'The execution.' } as ReturnType<typeof idOf>,
    attempt_number: Type.Integer({ description: 'The number of the attempt, from 1.' }),
    started_at: { ...Instant, description: 'When the attempt began. RFC 3339, UTC.' } as typeof Instant,
    completed_at: nullable(Instant, { description: 'When the attempt ended. RFC 3339, UTC; null while it runs.' }),
    status: oneOf(INVOCATION_STATUSES, { description: '`running`, then `success` or `failed`.' }),
    error: textOrNull({ description: 'The message of the error, at most 8 KiB; null unless it failed.' }),
    code: code('Why it failed', 'null unless it failed'),
    result: Result,
    worker_id: nullable(idOf('worker'), { description: 'The worker that ran it; null if none did.' }),
    created_at: Instant,
  },
  { title: 'Invocation' },
);

/** An invocation is created when its attempt begins. */
const showInvocation = (invocation: EngineInvocation): Static<typeof Invocation> => ({
  id: toTypeId('invocation', invocation.id),
  execution_id: toTypeId('execution', invocation.executionId),
  attempt_number: invocation.attemptNumber,
  started_at: invocation.startedAt.toISOString(),
  completed_at: instantOrNull(invocation.completedAt),
  status: invocation.status,
  error: invocation.error,
  code: invocation.code,
  result: invocation.result,
  worker_id: idOrNull('worker', invocation.workerId),
  created_at: invocation.startedAt.toISOString(),
});

const key = (id: string): string => fromTypeId('execution', id);

const PENDING = {
  id: EXECUTION,
  job_id: JOB,
  event_id: EVENT,
  status: 'pending',
  attempt_number: 0,
  started_at: null,
  completed_at: null,
  error: null,
  code: null,
  result: null,
  next_retry_at: CREATED_AT,
  locked: null,
  worker_id: null,
  created_at: CREATED_AT,
};
const FAILED = { error: 'the mail server did not answer', code: 'PROCESSOR_FAILED' };
const COMPLETED = {
  ...PENDING,
  status: 'completed',
  attempt_number: 1,
  started_at: CREATED_AT,
  completed_at: CREATED_AT,
  next_retry_at: null,
  result: { receipt: 'R-1001' },
  worker_id: WORKER,
};

export const executionRoutes = {
  'executions.list': route({
    method: 'GET',
    path: '/executions',
    summary: 'List executions',
    description:
      'Newest first, by the instant of the event. Filters scan at most 20,000 executions for a page, so a page can be short or empty without ' +
      'being the last: continue with `next_cursor`.',
    scope: 'jobs:read',
    query: pageQuery({
      job_id: Type.Optional({
        ...idOf('job'),
        description: 'Only executions of this job, also after it was deleted. Default: all.',
      } as ReturnType<typeof idOf>),
      status: Type.Optional(
        oneOf(EXECUTION_STATUSES, { description: 'Only executions with this status. Default: all.' }),
      ),
      event_id: Type.Optional({
        ...idOf('event'),
        description: 'Only executions for this event. Default: all.',
      } as ReturnType<typeof idOf>),
      resource_id: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            'Only executions for events about this resource, such as a payment: its newest 100 events, fewer for a tenant with more than 200 jobs and webhook endpoints, deleted ones included. Default: all.',
          examples: [HOLD],
          'x-id': 'payment',
        }),
      ),
    }),
    answer: listOf(Execution, 'ExecutionList'),
    example: { query: { status: 'completed' }, answer: { data: [COMPLETED], next_cursor: null } },
    handle({ tenant, query }) {
      const { job_id, status, event_id, resource_id } = query;
      const filter = {
        ...(job_id === undefined ? {} : { jobId: fromTypeId('job', job_id, 'job_id') }),
        ...(status === undefined ? {} : { status }),
        ...(event_id === undefined ? {} : { eventId: fromTypeId('event', event_id, 'event_id') }),
        ...(resource_id === undefined ? {} : { resourceId: resourceKey(tenant.id, undefined, resource_id) }),
      };
      return stretch(
        query,
        async (limit, mark) => {
          const { executions, next } = await tenant.executions(filter, { limit, ...before(mark) });
          return { rows: executions, next };
        },
        showExecution,
      );
    },
  }),

  'executions.get': route({
    method: 'GET',
    path: '/executions/{id}',
    summary: 'Get an execution',
    scope: 'jobs:read',
    params: Id,
    answer: Execution,
    example: { params, answer: COMPLETED },
    handle: async (call) => showExecution(await call.tenant.execution(key(call.params.id))),
  }),

  'executions.listInvocations': route({
    method: 'GET',
    path: '/executions/{id}/invocations',
    summary: 'List the attempts of an execution',
    description: 'By attempt, the first one first; the running attempt included. At most the last 1,000.',
    scope: 'jobs:read',
    params: Id,
    answer: listOf(Invocation, 'InvocationList'),
    example: {
      params,
      answer: {
        data: [
          {
            id: INVOCATION,
            execution_id: EXECUTION,
            attempt_number: 1,
            started_at: CREATED_AT,
            completed_at: CREATED_AT,
            status: 'failed',
            ...FAILED,
            result: null,
            worker_id: WORKER,
            created_at: CREATED_AT,
          },
        ],
        next_cursor: null,
      },
    },
    handle: ({ tenant, params }) => wholeList(tenant.invocations(key(params.id)), showInvocation),
  }),

  'executions.retry': route({
    method: 'POST',
    path: '/executions/{id}/retry',
    summary: 'Retry a failed execution',
    description: 'It gets all its attempts again, and is due at once. It is no longer a dead letter.',
    scope: 'jobs:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: Execution,
    example: {
      params,
      body: { reason: 'the mail server is back' },
      answer: { ...PENDING, attempt_number: 3, started_at: CREATED_AT, ...FAILED },
    },
    handle: async (call) => showExecution(await call.tenant.retryExecution(key(call.params.id), call.body)),
  }),

  'executions.cancel': route({
    method: 'POST',
    path: '/executions/{id}/cancel',
    summary: 'Cancel an execution',
    description:
      'A pending execution is cancelled at once. A running one gets the abort signal within about a second, and is cancelled when its attempt ' +
      'has ended; an attempt that succeeds before the signal completes it. Deliveries and messages cannot be cancelled: disable their endpoint or channel.',
    scope: 'jobs:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: Execution,
    example: {
      params,
      body: { reason: 'sent by hand' },
      answer: { ...PENDING, status: 'cancelled', completed_at: CREATED_AT, next_retry_at: null },
    },
    handle: async (call) =>
      showExecution(await call.tenant.cancelExecution(key(call.params.id), { ...call.body, refusesManaged: true })),
  }),
};
