// A job, an execution and its attempts in words and as JSON documents, for the commands that show them.
import type { Execution, Invocation, Job, Processor } from '../engine.ts';
import { DEFAULT_JOB_RETRY } from '../engine.ts';
import type { RetryPolicy } from '../kernel/index.ts';
import { showIds, shownActor, toTypeId } from '../kernel/index.ts';
import { counted, grouped } from './screen.ts';

/** A table with its heading. */
export const jobRows = (jobs: readonly Job[]): string[][] => [
  ['id', 'name', 'events', 'processor', ''],
  ...jobs.map((job) => [
    toTypeId('job', job.id),
    job.name,
    job.eventPattern,
    job.processorName,
    [job.managed ? 'managed' : '', job.enabled ? '' : 'disabled'].filter((word) => word !== '').join(', '),
  ]),
];

/** A table with its heading. */
export const processorRows = (processors: readonly Processor[]): string[][] => [
  ['name', 'last seen', 'description'],
  ...processors.map(({ name, lastSeenAt, description }) => [name, lastSeenAt.toISOString(), description]),
];

/** Pairs of a name and a value. `processor` is what the workers have announced; undefined if they never did. */
export function describeJob(job: Job, processor: Processor | undefined): string[][] {
  const facts: [string, string | null][] = [
    ['job', toTypeId('job', job.id)],
    ['name', job.name],
    ['description', job.description === '' ? null : job.description],
    ['status', `${job.enabled ? 'enabled' : 'disabled'}${job.managed ? ', managed' : ''}`],
    ['events', `${job.eventPattern}, after seq ${job.afterSeq}`],
    ['processor', job.processorName],
    ['last worker seen', processor?.lastSeenAt.toISOString() ?? 'never'],
    ['retry', describeRetry(job.retry ?? DEFAULT_JOB_RETRY)],
    ['time limit', milliseconds(job.timeoutMs)],
    ['at the same time', job.maxConcurrency === null ? null : `at most ${grouped(job.maxConcurrency)}`],
    ['per second', job.maxPerSecond === null ? null : `at most ${grouped(job.maxPerSecond)}`],
    ['created', `${job.createdAt.toISOString()} by ${shownActor(job.createdBy)}`],
    ['updated', job.updatedAt.toISOString()],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

function describeRetry({ maxAttempts, initialDelayMs, multiplier, maxDelayMs, jitter, delaysMs }: RetryPolicy): string {
  if (maxAttempts === 1) return '1 attempt';
  const waits = delaysMs
    ? [`waits of ${delaysMs.map(milliseconds).join(', ')}`]
    : [
        `${milliseconds(initialDelayMs)} after the first`,
        ...(multiplier > 1 && maxAttempts > 2 ? [`then ×${multiplier}, at most ${milliseconds(maxDelayMs)}`] : []),
      ];
  const parts = [counted(maxAttempts, 'attempt'), ...waits, ...(jitter > 0 ? [`jitter ${jitter}`] : [])];
  return parts.join(', ');
}

const milliseconds = (ms: number): string => (ms >= 1_000 ? `${grouped(ms / 1_000)} s` : `${ms} ms`);

/** A table with its heading; a job that was deleted is shown by its id. */
export const executionRows = (executions: readonly Execution[], names: ReadonlyMap<string, string>): string[][] => [
  ['id', 'status', 'attempts', 'job', 'event', 'ended or due', ''],
  ...executions.map((execution) => [
    toTypeId('execution', execution.id),
    execution.status,
    String(execution.attemptNumber),
    names.get(execution.jobId) ?? toTypeId('job', execution.jobId),
    toTypeId('event', execution.eventId),
    (execution.completedAt ?? execution.nextRetryAt)?.toISOString() ?? '',
    execution.code ?? '',
  ]),
];

export function describeExecution(execution: Execution, jobName: string | undefined): string[][] {
  const instant = (at: Date | null): string | null => at?.toISOString() ?? null;
  const jobId = toTypeId('job', execution.jobId);
  const facts: [string, string | null][] = [
    ['execution', toTypeId('execution', execution.id)],
    ['status', execution.status],
    ['job', jobName === undefined ? jobId : `${jobName} (${jobId})`],
    ['event', `${toTypeId('event', execution.eventId)}, seq ${execution.seq}`],
    ['attempts', String(execution.attemptNumber)],
    ['created', instant(execution.createdAt)],
    ['started', instant(execution.startedAt)],
    ['ended', instant(execution.completedAt)],
    ['next attempt at', instant(execution.nextRetryAt)],
    ['running since', instant(execution.lockedAt)],
    ['worker', execution.workerId === null ? null : toTypeId('worker', execution.workerId)],
    ['last cause', execution.code === null ? null : `${execution.code}: ${execution.error ?? ''}`],
    ['result', execution.result === null ? null : JSON.stringify(execution.result)],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

/** One line for each attempt: "attempt 1  failed  2026-11-15T09:30:00.000Z  120 ms  PROCESSOR_FAILED: …". */
export const describeInvocations = (invocations: readonly Invocation[]): string[][] =>
  invocations.map((invocation) => [
    `attempt ${invocation.attemptNumber}`,
    invocation.status === 'success' ? 'succeeded' : invocation.status === 'running' ? 'is running' : 'failed',
    invocation.startedAt.toISOString(),
    invocation.completedAt === null
      ? ''
      : `${grouped(invocation.completedAt.getTime() - invocation.startedAt.getTime())} ms`,
    invocation.code === null ? '' : `${invocation.code}: ${invocation.error ?? ''}`,
  ]);

/** The fields and names of the library. */
export function jobDocument({ tenantId: _tenantId, ordered: _ordered, retry, afterSeq, ...job }: Job): object {
  return {
    ...job,
    id: toTypeId('job', job.id),
    retryConfig: retry,
    after: Number(afterSeq),
    createdBy: shownActor(job.createdBy),
  };
}

export function executionDocument({ tenantId: _tenantId, lockedAt, seq, result, ...execution }: Execution): object {
  return {
    ...(showIds(execution) as object),
    id: toTypeId('execution', execution.id),
    locked: lockedAt,
    seq: Number(seq),
    result,
  };
}

export function invocationDocument({ result, ...invocation }: Invocation): object {
  return { ...(showIds(invocation) as object), id: toTypeId('invocation', invocation.id), result };
}
