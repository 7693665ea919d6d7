// Jobs of built-in processors: their owner changes them, and nothing else does.
import { describe, expect, test } from 'vitest';
import { readLiveClock } from '../../src/db/index.ts';
import type { Transaction } from '../../src/db/index.ts';
import type { Job, TenantHandle } from '../../src/engine.ts';
import { appendEvents } from '../../src/events/index.ts';
import { APPEND_WATCH } from '../../src/events/append-watch.ts';
import { createManagedJob, deleteManagedJob, updateManagedJob } from '../../src/jobs/index.ts';
import type { ManagedJobChanges } from '../../src/jobs/index.ts';
import { createMatcher } from '../../src/jobs/match.ts';
import { createRescuer } from '../../src/jobs/rescue.ts';
import type { Clock } from '../../src/kernel/index.ts';
import { LIBRARY, WEBHOOK_RETRY_PRESETS, newId } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { addJob, addManagedJob, announce, freshName } from '../support/jobs.ts';
import { refusalOf } from '../support/refusal.ts';
import type { Type } from './matcher.ts';
import { appended, freshTenant, matchAll, order, seqsOf, seqsOfType } from './matcher.ts';
import { processor, testWorker } from './queue.ts';

const store = useUsance();
const UPDATED: Type = 'tenant.updated';
const NAME = 'webhook-delivery';

const act = <T>(work: (tx: Transaction, clock: Clock) => Promise<T>): Promise<T> =>
  store.db.transaction(async (tx) => work(tx, await readLiveClock(tx)));
const maker = (tenant: TenantHandle) => ({ tenantId: tenant.id, caller: LIBRARY });
const update = (tenant: TenantHandle, id: string, changes: ManagedJobChanges): Promise<Job> =>
  act((tx, clock) => updateManagedJob(tx, clock, maker(tenant), id, changes));

async function withUpdates(count: number): Promise<{ tenant: TenantHandle; job: Job }> {
  const tenant = await freshTenant(store.usance);
  const job = await addManagedJob(store.usance, tenant.id, { eventPattern: UPDATED });
  await appended(store.usance, tenant.id, ...Array.from({ length: count }, (): Type => UPDATED));
  await order(store.usance);
  await matchAll(store.usance);
  return { tenant, job };
}

describe('a managed job', () => {
  test('is shown with its waits, and gets executions though no worker has announced its processor', async () => {
    const { tenant, job } = await withUpdates(2);
    expect(await tenant.job(job.id)).toMatchObject({
      managed: true,
      processorName: NAME,
      retry: WEBHOOK_RETRY_PRESETS.webhook,
    });
    expect(await tenant.jobs({ processorName: NAME })).toHaveLength(1);
    expect(await seqsOf(store.owner, job)).toHaveLength(2);
    const [created] = await tenant.events({ type: 'job.created' });
    expect(created?.data).toMatchObject({ new: { retryConfig: { delaysMs: WEBHOOK_RETRY_PRESETS.webhook.delaysMs } } });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('cannot be changed or deleted as a job, and stays as it was', async () => {
    const { tenant, job } = await withUpdates(0);
    const before = await tenant.job(job.id);
    for (const change of [{ enabled: false }, { name: 'mine' }, { processorName: 'send-receipt' }, {}])
      expect(await refusalOf(tenant.updateJob(job.id, change))).toBe('JOB_MANAGED');
    expect(await refusalOf(tenant.deleteJob(job.id))).toBe('JOB_MANAGED');
    expect(await tenant.job(job.id)).toEqual(before);
  });

  test('is changed and deleted by its owner, with the events of a job', async () => {
    const { tenant, job } = await withUpdates(1);
    const quick = WEBHOOK_RETRY_PRESETS['webhook-quick'];
    const changed = await update(tenant, job.id, { eventPattern: 'a.b,c.*', maxPerSecond: 5, retry: quick });
    expect(changed).toMatchObject({ eventPattern: 'a.b,c.*', maxPerSecond: 5, retry: quick, managed: true });
    expect(await tenant.job(job.id)).toEqual(changed);
    expect(await update(tenant, job.id, { maxPerSecond: 5 })).toEqual(changed);
    await update(tenant, job.id, { name: freshName(), maxPerSecond: null });
    expect(await tenant.job(job.id)).toMatchObject({ maxPerSecond: null, retry: quick });
    await act((tx, clock) => deleteManagedJob(tx, clock, maker(tenant), job.id));
    expect(await refusalOf(tenant.job(job.id))).toBe('JOB_NOT_FOUND');
    await order(store.usance);
    const types = (await tenant.events({ type: 'job.created,job.updated,job.deleted' })).map(({ type }) => type);
    expect(types).toEqual(['job.created', 'job.updated', 'job.updated', 'job.deleted']);
    await createRescuer(store.usance.db).cancelDeleted();
    expect((await tenant.executions({ jobId: job.id })).executions).toMatchObject([{ status: 'cancelled' }]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('that its owner disables and enables begins at the end of the order', async () => {
    const { tenant, job } = await withUpdates(1);
    await update(tenant, job.id, { enabled: false });
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    await matchAll(store.usance);
    await update(tenant, job.id, { enabled: true });
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    await matchAll(store.usance);
    expect(await seqsOf(store.owner, job)).toHaveLength(2);
  });

  test('waits for its processor, however long no worker has it', async () => {
    const { tenant, job } = await withUpdates(2);
    const own = await addJob(store.owner, tenant, { eventPattern: UPDATED, processorName: 'retired' });
    await announce(store.owner, NAME);
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    await matchAll(store.usance);
    await store.owner.query(`update usance.execution_queue set due_at = due_at - interval '2 hours'`);
    await store.owner.query(`update usance.processors set last_seen_at = now() - interval '2 hours'`);
    expect(await createRescuer(store.usance.db).failMissing()).toBe(1);
    expect((await tenant.executions({ jobId: own.id })).executions).toMatchObject([{ status: 'failed' }]);
    for (const { status } of (await tenant.executions({ jobId: job.id })).executions) expect(status).toBe('pending');
  });

  test('of another tenant is not found by an owner', async () => {
    const { job } = await withUpdates(0);
    const stranger = await freshTenant(store.usance);
    expect(await refusalOf(update(stranger, job.id, { enabled: false }))).toBe('JOB_NOT_FOUND');
  });

  test('needs a built-in processor, and an ordinary job is no managed one', async () => {
    const tenant = await freshTenant(store.usance);
    const params = { id: tenant.id, name: 'x', eventPattern: '*', retry: null, processorName: 'mine' as typeof NAME };
    await expect(act((tx, clock) => createManagedJob(tx, clock, maker(tenant), params))).rejects.toThrow(/built-in/);
    const own = await addJob(store.owner, tenant);
    await expect(update(tenant, own.id, { enabled: false })).rejects.toThrow(/managed/);
  });
});

describe('an event that is addressed to a job', () => {
  const TESTED = 'webhook_endpoint.tested';
  const tested = async (tenant: TenantHandle, resourceId: string): Promise<void> => {
    const { onAppend } = APPEND_WATCH;
    APPEND_WATCH.onAppend = null;
    const about = { tenantId: tenant.id, resource: 'webhook_endpoint', resourceId, version: 1, data: {} };
    const type = TESTED as 'job.created';
    await act((tx, clock) => appendEvents(tx, [{ ...LIBRARY, ...about, type, occurredAt: clock.now }])).finally(() => {
      APPEND_WATCH.onAppend = onAppend;
    });
    await order(store.usance);
  };

  test('is for that job alone, whatever the patterns, and for those that name its type', async () => {
    const tenant = await freshTenant(store.usance);
    const jobWith = (eventPattern: string) => addManagedJob(store.usance, tenant.id, { eventPattern });
    const [one, other] = [await jobWith('payment.settled'), await jobWith('*')];
    const every = await addJob(store.owner, tenant, { eventPattern: '*,webhook_endpoint.*,*.tested' });
    const exact = await addJob(store.owner, tenant, { eventPattern: `payment.settled,${TESTED}` });
    await matchAll(store.usance);
    await tested(tenant, one.id);
    await tested(tenant, tenant.id);
    expect(await matchAll(store.usance)).toBe(3);
    const seqs = await seqsOfType(tenant, TESTED);
    expect(await seqsOf(store.owner, one)).toEqual(seqs.slice(0, 1));
    expect(await seqsOf(store.owner, other)).toEqual([]);
    expect(await seqsOf(store.owner, every)).toEqual([]);
    expect(await seqsOf(store.owner, exact)).toEqual(seqs);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is found by a backfill too, and not by the job of another tenant', async () => {
    const [tenant, stranger] = [await freshTenant(store.usance), await freshTenant(store.usance)];
    const [id, foreignId] = [newId(), newId()];
    await tested(tenant, id);
    await tested(tenant, foreignId);
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    // The matcher is past these events when it takes the jobs in.
    await withUpdates(1);
    const job = await addManagedJob(store.usance, tenant.id, { id, eventPattern: 'payment.settled', after: 0n });
    const foreign = await addManagedJob(store.usance, stranger.id, { id: foreignId, eventPattern: UPDATED, after: 0n });
    await matchAll(store.usance, { page: 1 });
    expect(await seqsOf(store.owner, job)).toEqual((await seqsOfType(tenant, TESTED)).slice(0, 1));
    expect(await seqsOf(store.owner, foreign)).toEqual([]);
  });

  test('does not make the others read resources', async () => {
    const tenant = await freshTenant(store.usance);
    await addJob(store.owner, tenant, { eventPattern: UPDATED });
    await order(store.usance);
    await matchAll(store.usance);
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    const statements: string[] = [];
    const db = store.pool({ onStatement: (text) => void statements.push(text) });
    while ((await createMatcher(db).match())?.more);
    const reads = statements.filter((text) => text.includes('e.occurred_at'));
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter((text) => text.includes('resource_id'))).toEqual([]);
  });
});

describe('a built-in processor', () => {
  test('cannot be named by a job of a caller, nor be given to one', async () => {
    const tenant = await freshTenant(store.usance);
    await announce(store.owner, NAME);
    expect(await refusalOf(addJob(store.owner, tenant, { processorName: NAME }))).toBe('JOB_PROCESSOR_BUILT_IN');
    const own = await addJob(store.owner, tenant);
    expect(await refusalOf(tenant.updateJob(own.id, { processorName: NAME }))).toBe('JOB_PROCESSOR_BUILT_IN');
  });

  test('cannot be replaced by a processor of an application', () => {
    const start = (builtIn?: boolean) =>
      testWorker(store.db, store.runtimeUrl, [
        { ...processor(() => undefined, NAME), ...(builtIn === undefined ? {} : { builtIn }) },
      ]);
    expect(() => start()).toThrow('"webhook-delivery" is the name of a built-in processor');
    expect(start(true).processors).toEqual([NAME]);
  });
});
