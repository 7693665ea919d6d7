// Codes of jobs and executions.
import { MOST_JOBS } from '../../src/jobs/job.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import type { TestApi } from '../api/api.ts';
import { PROCESSOR, addExecution, addJob, addManagedJob, announce, freshName } from '../support/jobs.ts';
import type { Cause } from './world.ts';
import { nobodys } from './world.ts';

const job =
  (change: object): Cause =>
  async (store) => {
    await announce(store.owner);
    const body = { name: freshName(), event_pattern: 'payment.settled', processor_name: PROCESSOR, ...change };
    return store.send('POST /jobs', { body });
  };
const completed = async (store: TestApi): Promise<string> =>
  toTypeId('execution', await addExecution(store.owner, await addJob(store.owner, store.tenant), 'completed'));

export const OF_JOBS = {
  EVENT_PATTERN_INVALID: job({ event_pattern: 'payment.*.x' }),
  CHAIN_NOT_FOUND: (store) => store.send('GET /chains/solona/history'),
  JOB_NOT_FOUND: (store) => store.send(`GET /jobs/${nobodys('job')}`),
  JOB_PROCESSOR_BUILT_IN: job({ processor_name: 'webhook-delivery' }),
  async JOB_MANAGED(store) {
    const { id } = await addManagedJob(store.usance, store.tenant.id);
    return store.send(`PATCH /jobs/${toTypeId('job', id)}`, { body: { enabled: false } });
  },
  JOB_PROCESSOR_UNKNOWN: job({ processor_name: 'send-recipt' }),
  async JOB_NAME_TAKEN(store) {
    const { name } = await addJob(store.owner, store.tenant);
    return job({ name })(store);
  },
  async JOB_DELETED(store) {
    const made = await addJob(store.owner, store.tenant);
    const failed = await addExecution(store.owner, made, 'failed');
    await store.tenant.deleteJob(made.id);
    return store.send(`POST /executions/${toTypeId('execution', failed)}/retry`, { body: {} });
  },
  /** A tenant of its own, so that the others can still create jobs. */
  async JOBS_TOO_MANY(store) {
    const full = await store.usance.createTenant({ name: 'full-of-jobs' });
    const { secret } = await full.createApiKey({ name: 'full', role: 'admin' });
    const { id } = await addJob(store.owner, full);
    await store.owner.query(
      `insert into usance.jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(), 'name', n::text))).*
       from usance.jobs j, generate_series(2, $2::int) n where j.id = $1::uuid`,
      [id, MOST_JOBS],
    );
    const body = { name: freshName(), event_pattern: '*', processor_name: PROCESSOR };
    return store.send('POST /jobs', { body, secret });
  },
  EXECUTION_NOT_FOUND: (store) => store.send(`GET /executions/${nobodys('execution')}`),
  EXECUTION_NOT_RETRYABLE: async (store) =>
    store.send(`POST /executions/${await completed(store)}/retry`, { body: {} }),
  EXECUTION_NOT_CANCELLABLE: async (store) =>
    store.send(`POST /executions/${await completed(store)}/cancel`, { body: {} }),
} satisfies Record<string, Cause>;
