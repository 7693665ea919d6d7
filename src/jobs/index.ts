export { EXECUTION_STATUSES, FAILURE_CODES, INVOCATION_STATUSES } from './execution.ts';
export type { Execution, ExecutionStatus, FailureCode, Invocation, InvocationStatus } from './execution.ts';
export { DEFAULT_JOB_RETRY, DEFAULT_TIMEOUT_MS } from './job.ts';
export type { Job, JobChanges, JobParams, Processor } from './job.ts';
export { jobVerbs } from './verbs.ts';
export type { ExecutionFilter, ExecutionPage, JobFilter, JobVerbs, PageRange } from './verbs.ts';
