// The verbs of jobs and executions, and the loops that match events and take back what was lost, ready to be interrupted.
import type { Job, TenantHandle } from '../../src/engine.ts';
import { orderAll } from '../support/order.ts';
import { PROCESSOR, addExecution, addJob, addManagedJob, announce } from '../support/jobs.ts';
import { addWorker, claim } from '../jobs/worker-rows.ts';
import type { Ground, Scenario } from './ground.ts';
import { runLoop } from './ground.ts';
import type { Program } from './victim.ts';

const TERMS = { name: 'receipts', eventPattern: 'account.updated', processorName: PROCESSOR } as const;

/** Without a key: the caller looks before doing it again. */
export const looked = (
  verb: keyof TenantHandle,
  prepare: (ground: Ground) => Promise<(tenant: TenantHandle) => Promise<unknown>>,
  type: string,
  ...others: readonly string[]
): Scenario => ({
  verbs: [verb],
  tells: Object.fromEntries([type, ...others].map((one) => [one, 1])),
  async prepare(ground) {
    const act = await prepare(ground);
    const isDone = async () =>
      (await ground.owner.query('select from usance.events where type = $1::text', [type])).length > 0;
    return { act: ({ tenant }) => act(tenant), again: async ({ tenant }) => (await isDone()) || act(tenant) };
  },
});

const withExecution =
  (status: Parameters<typeof addExecution>[2], act: (tenant: TenantHandle, id: string) => Promise<unknown>) =>
  async ({ owner, tenant }: Ground) => {
    const id = await addExecution(owner, await addJob(owner, tenant, TERMS), status);
    return (inner: TenantHandle) => act(inner, id);
  };

const ORDERED = {
  eventPattern: TERMS.eventPattern,
  name: 'deliveries',
  ordered: true,
  retry: { maxAttempts: 1, initialDelayMs: 1_000, multiplier: 1, maxDelayMs: 1_000, jitter: 0 },
};

async function orderedJob(ground: Ground): Promise<Job> {
  await orderAll(ground.usance.db);
  const job = await addManagedJob(ground.usance, ground.tenant.id, ORDERED);
  await matched(ground);
  return job;
}

/** Changes of accounts, which jobs run on. */
async function happen({ tenant, usance }: Ground, ...refs: string[]): Promise<void> {
  for (const ref of refs) await tenant.editAccount(ref, { name: ref });
  await orderAll(usance.db);
}

const matched = async (engine: Program | Ground): Promise<void> => {
  const loop = engine.usance.loops.find(({ name }) => name === 'matcher');
  while ((await loop?.runOnce())?.more);
};
const rescued = (engine: Program): Promise<void> => runLoop(engine, 'rescuer');

async function running(ground: Ground, job: Job, more: Parameters<typeof addWorker>[1]): Promise<void> {
  await addExecution(ground.owner, job, 'pending');
  await claim(ground.owner, job.id, await addWorker(ground.owner, more));
}

export const JOB_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'create a job': looked(
    'createJob',
    async ({ owner }) => {
      await announce(owner);
      return (tenant) => tenant.createJob({ ...TERMS, after: 0n });
    },
    'job.created',
  ),
  'change a job': looked(
    'updateJob',
    async ({ owner, tenant }) => {
      const { id } = await addJob(owner, tenant, { ...TERMS, enabled: false });
      return (inner) => inner.updateJob(id, { name: 'bills', enabled: true });
    },
    'job.updated',
  ),
  'delete a job': looked(
    'deleteJob',
    async ({ owner, tenant }) => {
      const { id } = await addJob(owner, tenant, TERMS);
      return (inner) => inner.deleteJob(id);
    },
    'job.deleted',
  ),
  'retry an execution': looked(
    'retryExecution',
    withExecution('failed', (tenant, id) => tenant.retryExecution(id)),
    'execution.retried',
  ),
  'cancel an execution': looked(
    'cancelExecution',
    withExecution('pending', (tenant, id) => tenant.cancelExecution(id)),
    'execution.cancelled',
  ),
  'cancel a running execution': looked(
    'cancelExecution',
    withExecution('running', (tenant, id) => tenant.cancelExecution(id)),
    'execution.cancel_requested',
  ),
  'discard a failed execution': looked(
    'discardDeadLetter',
    withExecution('failed', (tenant, id) => tenant.discardDeadLetter(id, 'sent by hand')),
    'execution.discarded',
  ),
  'match events': {
    loop: 'matcher',
    async prepare(ground) {
      await orderAll(ground.usance.db);
      await addJob(ground.owner, ground.tenant, TERMS);
      await addJob(ground.owner, ground.tenant, { ...TERMS, name: 'all', eventPattern: '*' });
      await matched(ground);
      await happen(ground, 'ann', 'ben');
      return { act: matched };
    },
  },
  'take in a job and backfill it': {
    loop: 'matcher',
    async prepare(ground) {
      await happen(ground, 'ann', 'ben', 'cem');
      await addJob(ground.owner, ground.tenant, { ...TERMS, after: 0n });
      return { act: matched };
    },
  },
  'match events of an ordered job': {
    loop: 'matcher',
    async prepare(ground) {
      await orderedJob(ground);
      await happen(ground, 'ann', 'ann', 'ben', 'ann');
      return { act: matched };
    },
  },
  'backfill an ordered job': {
    loop: 'matcher',
    async prepare(ground) {
      await happen(ground, 'ann', 'ann', 'ben');
      await addManagedJob(ground.usance, ground.tenant.id, { ...ORDERED, after: 0n });
      return { act: matched };
    },
  },
  'open the next execution after a cancel': {
    loop: 'matcher',
    async prepare(ground) {
      const job = await orderedJob(ground);
      await happen(ground, 'ann', 'ann');
      await matched(ground);
      const { executions } = await ground.tenant.executions({ jobId: job.id });
      const open = executions.find(({ nextRetryAt }) => nextRetryAt !== null);
      await ground.tenant.cancelExecution(open?.id ?? '');
      return { act: matched };
    },
  },
  'open the next execution after one that lost its worker': {
    loop: 'rescuer',
    async prepare(ground) {
      const job = await orderedJob(ground);
      await happen(ground, 'ann', 'ann');
      await matched(ground);
      await claim(ground.owner, job.id, await addWorker(ground.owner, { leasedFor: -1 }), 1);
      return { act: rescued };
    },
  },
  'take back what lost its worker': {
    loop: 'rescuer',
    tells: { 'execution.failed': 1 },
    async prepare(ground) {
      const { owner, tenant } = ground;
      await running(ground, await addJob(owner, tenant, { ...TERMS, name: 'again' }), { leasedFor: -1 });
      const once = { ...TERMS, name: 'once', retryConfig: { maxAttempts: 1 } };
      await running(ground, await addJob(owner, tenant, once), { leasedFor: -1 });
      return { act: rescued };
    },
  },
  'fail what lost its processor': {
    loop: 'rescuer',
    tells: { 'execution.failed': 1 },
    async prepare({ owner, tenant }) {
      await addExecution(owner, await addJob(owner, tenant, TERMS), 'pending');
      for (const [table, column] of Object.entries({ processors: 'last_seen_at', execution_queue: 'due_at' }))
        await owner.query(`update usance.${table} set ${column} = now() - interval '2 hours'`);
      return { act: rescued };
    },
  },
  'cancel what lost its job': {
    loop: 'rescuer',
    async prepare({ owner, tenant }) {
      const job = await addJob(owner, tenant, TERMS);
      await addExecution(owner, job, 'pending');
      await tenant.deleteJob(job.id);
      return { act: rescued };
    },
  },
};
