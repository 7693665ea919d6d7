// The verbs on jobs and executions, ready to be interrupted.
import type { Execution, TenantHandle } from '../../src/engine.ts';
import { addExecution, addJob, announce, PROCESSOR } from '../support/jobs.ts';
import type { Ground, Scenario } from './ground.ts';

/** Without a key: the caller looks before doing it again. */
const looked = (
  verb: keyof TenantHandle,
  act: (tenant: TenantHandle) => Promise<unknown>,
  isDone: (tenant: TenantHandle) => Promise<boolean>,
  before: (ground: Ground) => Promise<unknown>,
): Scenario => ({
  verbs: [verb],
  async prepare(ground) {
    await before(ground);
    return {
      act: ({ tenant }) => act(tenant),
      again: async ({ tenant }) => (await isDone(tenant)) || act(tenant),
    };
  },
});

const TERMS = { name: 'receipts', eventPattern: 'payment.settled', processorName: PROCESSOR };
const made = ({ owner, tenant }: Ground): Promise<unknown> => addJob(owner, tenant, TERMS);
const job = async (tenant: TenantHandle): Promise<string> => (await tenant.job('receipts')).id;
const executed =
  (status: 'failed' | 'pending') =>
  async ({ owner, tenant }: Ground): Promise<void> => {
    await addExecution(owner, await addJob(owner, tenant, TERMS), status);
  };
const only = async (tenant: TenantHandle): Promise<Execution> => {
  const [execution] = (await tenant.executions()).executions;
  if (!execution) throw new Error('expected an execution');
  return execution;
};

export const JOB_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'create a job': looked(
    'createJob',
    (tenant) => tenant.createJob(TERMS),
    async (tenant) => (await tenant.jobs()).length > 0,
    ({ owner }) => announce(owner),
  ),
  'update a job': looked(
    'updateJob',
    async (tenant) => tenant.updateJob(await job(tenant), { timeoutMs: 1_000 }),
    async (tenant) => (await tenant.job('receipts')).timeoutMs === 1_000,
    made,
  ),
  'delete a job': looked(
    'deleteJob',
    async (tenant) => tenant.deleteJob(await job(tenant)),
    async (tenant) => (await tenant.jobs()).length === 0,
    made,
  ),
  'retry an execution': looked(
    'retryExecution',
    async (tenant) => tenant.retryExecution((await only(tenant)).id, { reason: 'fixed' }),
    async (tenant) => (await only(tenant)).status === 'pending',
    executed('failed'),
  ),
  'cancel an execution': looked(
    'cancelExecution',
    async (tenant) => tenant.cancelExecution((await only(tenant)).id, { reason: 'by hand' }),
    async (tenant) => (await only(tenant)).status === 'cancelled',
    executed('pending'),
  ),
};
