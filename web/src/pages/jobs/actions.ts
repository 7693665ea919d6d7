// What an operator can do with a job and an execution.
import type { Execution, Job } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import type { Action } from '../../parts/action.tsx';

export const enable: Action<Job> = {
  name: 'jobs.update',
  label: 'Enable',
  tone: 'primary',
  scope: 'jobs:write',
  reason: 'optional',
  applies: ({ enabled, managed }) => !enabled && !managed,
  lead: ({ name }) => `"${name}" runs on every matching event from now on. Events meanwhile are not made up.`,
  run: ({ id }, _values, options) => api.jobs.update(id, { enabled: true }, options),
  done: ({ name }) => `Enabled "${name}".`,
};

export const disable: Action<Job> = {
  name: 'jobs.update',
  label: 'Disable',
  scope: 'jobs:write',
  reason: 'optional',
  applies: ({ enabled, managed }) => enabled && !managed,
  lead: ({ name }) => `"${name}" gets no further executions. Those that wait already go on.`,
  run: ({ id }, _values, options) => api.jobs.update(id, { enabled: false }, options),
  done: ({ name }) => `Disabled "${name}".`,
};

export const remove: Action<Job> = {
  name: 'jobs.delete',
  label: 'Delete',
  tone: 'danger',
  scope: 'jobs:write',
  reason: 'optional',
  applies: ({ managed }) => !managed,
  lead: ({ name }) =>
    `"${name}" is deleted for good. Its executions that wait are cancelled; those that ended stay to be read.`,
  run: ({ id }, _values, options) => api.jobs.delete(id, options),
  done: ({ name }) => `Deleted "${name}".`,
};

export const JOB_ACTIONS: readonly Action<Job>[] = [enable, disable, remove];

export const retry: Action<Execution> = {
  name: 'executions.retry',
  label: 'Retry',
  tone: 'primary',
  scope: 'jobs:write',
  reason: 'body',
  applies: ({ status }) => status === 'failed' || status === 'cancelled',
  lead: () => 'The execution waits again, with all of its attempts.',
  run: ({ id }, { reason = '' }, options) => api.executions.retry(id, { reason }, options),
  done: () => 'The execution is tried again.',
};

export const cancel: Action<Execution> = {
  name: 'executions.cancel',
  label: 'Cancel',
  tone: 'danger',
  scope: 'jobs:write',
  reason: 'body',
  applies: ({ status }) => status === 'pending' || status === 'running',
  lead: () => 'The execution is not tried any more. One that is running is asked to stop.',
  run: ({ id }, { reason = '' }, options) => api.executions.cancel(id, { reason }, options),
  done: () => 'Cancelled the execution.',
};

export const EXECUTION_ACTIONS: readonly Action<Execution>[] = [retry, cancel];
