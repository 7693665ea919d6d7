// Jobs and their executions.
import { toTypeId } from '../../../src/kernel/index.ts';
import { PROCESSOR, addExecution, addJob, freshName } from '../../support/jobs.ts';
import type { Cell } from '../axes.ts';
import type { Driver } from './driver.ts';

const reason = 'the matrix';

interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly user: string;
}

const nameOf = ({ name }: JobRow, { way }: Cell<'job'>): string => (way === 'with its name' ? name : freshName());

export const JOBS: Driver<'job', JobRow> = {
  async make(world, cell) {
    const { tenant, owner } = world;
    const { id, name } = await addJob(owner, tenant, { enabled: cell.state !== 'disabled' });
    if (cell.state === 'deleted') await tenant.deleteJob(id);
    return { id, name, user: world.bystander };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    createJob: {
      http: (row, cell) => [
        'POST /jobs',
        { name: nameOf(row, cell), event_pattern: 'payment.*', processor_name: PROCESSOR },
      ],
      by: (verbs, row, cell) =>
        verbs.createJob({ name: nameOf(row, cell), eventPattern: 'payment.*', processorName: PROCESSOR }),
    },
    updateJob: {
      http: ({ id }) => [`PATCH /jobs/${toTypeId('job', id)}`, { retry_config: { max_attempts: 7 } }],
      by: (verbs, { id }) => verbs.updateJob(id, { retryConfig: { maxAttempts: 7 } }),
    },
    deleteJob: {
      http: ({ id }) => [`DELETE /jobs/${toTypeId('job', id)}`],
      by: (verbs, { id }) => verbs.deleteJob(id),
    },
  },
};

export const EXECUTIONS: Driver<'execution', { readonly id: string; readonly user: string }> = {
  async make(world, cell) {
    const { tenant, owner } = world;
    const job = await addJob(owner, tenant);
    const { state } = cell;
    const id = await addExecution(owner, job, state === 'failed, of a deleted job' ? 'failed' : state);
    if (state === 'failed, of a deleted job') await tenant.deleteJob(job.id);
    return { id, user: world.bystander };
  },
  endUser: (_cell, row) => row.user,
  calls: {
    retryExecution: {
      http: ({ id }) => [`POST /executions/${toTypeId('execution', id)}/retry`, { reason }],
      by: (verbs, { id }) => verbs.retryExecution(id, { reason }),
    },
    cancelExecution: {
      http: ({ id }) => [`POST /executions/${toTypeId('execution', id)}/cancel`, { reason }],
      by: (verbs, { id }) => verbs.cancelExecution(id, { reason }),
    },
  },
};
