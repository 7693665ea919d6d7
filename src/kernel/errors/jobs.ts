// Jobs and their executions.
import { conflict, missing, unprocessable } from './entry.ts';
import { ID } from './example-values.ts';

export const JOBS_ERRORS = {
  JOB_NOT_FOUND: missing({
    title: 'The tenant has no such job',
    detail: 'there is no job "{job:job}"',
    example: { job: ID },
    cause: 'The tenant of the API key has no job with this id or name, or the job was deleted.',
    remedy: 'List the jobs of the tenant. Check that the API key belongs to the tenant that created the job.',
  }),
  EXECUTION_NOT_FOUND: missing({
    title: 'The tenant has no such execution',
    detail: 'there is no execution "{execution:execution}"',
    example: { execution: ID },
    cause:
      'The tenant of the API key has no execution with this id, or its retention has ended and the execution was removed.',
    remedy: 'List the executions of the job, or those of the event, and use an id from the list.',
  }),
  JOB_NAME_TAKEN: conflict({
    title: 'The tenant already uses this name',
    detail:
      'a job or a notification channel of the tenant is called "{name}"; update that one, or choose another {param}',
    example: { param: 'name', name: 'send receipts' },
    cause:
      'Names of jobs and of notification channels are unique within their tenant. The name of a deleted job is free again.',
    remedy: 'Update the existing job, delete it, or choose another name.',
  }),
  JOB_MANAGED: conflict({
    title: 'The job is managed by another resource',
    detail: 'job {job:job} runs the built-in processor "{processor}"; change or delete the resource that it belongs to',
    example: { job: ID, processor: 'webhook-delivery' },
    cause:
      'A job of a built-in processor belongs to another resource, such as a webhook endpoint, which creates, changes and deletes it. `GET /v1/jobs` shows it with `managed: true`.',
    remedy: 'Change, disable or delete the resource that the job belongs to.',
  }),
  JOB_DELETED: conflict({
    title: 'The job was deleted',
    detail: 'job {job:job} was deleted; its executions can be read and discarded, but not retried',
    example: { job: ID },
    cause: 'The request retries an execution of a job that was deleted after the execution had failed.',
    remedy:
      'Discard the dead letter. To run the event again, create a job whose `after` is below the `seq` of the event.',
  }),
  EXECUTION_NOT_RETRYABLE: conflict({
    title: 'The execution has not failed',
    detail: 'execution {execution:execution} is {status}; only a failed execution can be retried',
    example: { execution: ID, status: 'completed' },
    cause:
      'The execution waits, runs, completed or was cancelled. While attempts remain, a failed attempt is retried by the retry policy of the job.',
    remedy: 'Read the execution. If it is pending, wait for `next_retry_at`; if it completed, nothing is left to do.',
  }),
  EXECUTION_NOT_CANCELLABLE: conflict({
    title: 'The execution has already ended',
    detail: 'execution {execution:execution} is {status}; only a pending or running execution can be cancelled',
    example: { execution: ID, status: 'completed' },
    cause: 'The execution completed, failed for good or was cancelled before the request arrived.',
    remedy: 'Read the execution to see its result. A failed execution can be discarded as a dead letter.',
  }),
  JOBS_TOO_MANY: unprocessable({
    title: 'The tenant has reached its limit of jobs',
    detail: 'the tenant has {max} jobs, which is the limit; delete jobs that are no longer needed',
    example: { max: 1_000 },
    cause: 'Every event of a tenant is compared with all its jobs, so their number is limited.',
    remedy: 'Delete jobs that are no longer needed, or give one job a wider pattern and decide in its processor.',
  }),
  JOB_PROCESSOR_BUILT_IN: unprocessable({
    title: 'The processor is built in',
    detail:
      'the processor "{processor}" is built in and runs for managed jobs only; {param} must be a processor of yours',
    example: { param: 'processorName', processor: 'webhook-delivery' },
    cause: 'Built-in processors run for jobs that other resources own, such as webhook endpoints.',
    remedy: 'Create a resource that uses the processor, or name a processor that a worker of yours has announced.',
  }),
  JOB_PROCESSOR_UNKNOWN: unprocessable({
    title: 'No worker has announced the processor',
    detail: 'no worker has ever announced the processor "{processor}"; start a worker that has it, or correct {param}',
    example: { param: 'processorName', processor: 'send-recipt' },
    cause:
      'A worker announces its processors when it starts. No worker of this database has announced a processor with this name, so an execution would never run.',
    remedy:
      'Compare the name with `GET /v1/processors`. Start the worker (`usance worker --processors`, or `createUsance({ processors })` and `start()`) before you create the job.',
  }),
};
