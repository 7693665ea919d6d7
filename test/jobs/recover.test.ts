// Executions that run again: completed ones, the dead letters of a job since an instant, and events that a job missed while it was disabled.
import { describe, expect, test } from 'vitest';
import { asBigInt, asDate, readLiveClock } from '../../src/db/index.ts';
import type { Transaction } from '../../src/db/index.ts';
import type { Job, TenantHandle } from '../../src/engine.ts';
import { lastSeqAt } from '../../src/events/index.ts';
import { recoverJob, retryExecutions } from '../../src/jobs/index.ts';
import type { RecoverOrder, RecoveredPage, RetryOptions } from '../../src/jobs/index.ts';
import type { Clock } from '../../src/kernel/index.ts';
import { LIBRARY } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { announce } from '../support/jobs.ts';
import type { Type } from './matcher.ts';
import { appended, createJob, freshTenant, matchAll, order, seqsOf, seqsOfType } from './matcher.ts';
import { processor, testWorker } from './queue.ts';
import type { TestWorker } from './queue.ts';

const store = useUsance();
const UPDATED: Type = 'tenant.updated';
const NAME = 'send-receipt';

const act = <T>(work: (tx: Transaction, clock: Clock) => Promise<T>): Promise<T> =>
  store.db.transaction(async (tx) => work(tx, await readLiveClock(tx)));
const by = ({ tenantId }: Job) => ({ tenantId, caller: LIBRARY });
const retry = (job: Job, ids: readonly string[], options: RetryOptions = {}) =>
  act((tx, clock) => retryExecutions(tx, clock, by(job), ids, options));
const recover = (job: Job, order: Omit<RecoverOrder, 'jobId'>): Promise<RecoveredPage> =>
  act((tx, clock) => recoverJob(tx, clock, by(job), { jobId: job.id, ...order }));

async function happen(tenant: TenantHandle, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await appended(store.usance, tenant.id, UPDATED);
  await order(store.usance);
  await matchAll(store.usance);
}

async function fresh(count: number): Promise<{ tenant: TenantHandle; job: Job }> {
  const tenant = await freshTenant(store.usance);
  await announce(store.owner, NAME);
  const job = await createJob(store.owner, tenant, UPDATED, { retryConfig: { maxAttempts: 1 } });
  await happen(tenant, count);
  return { tenant, job };
}

async function run(work: Parameters<typeof processor>[0]): Promise<void> {
  const worker: TestWorker = testWorker(store.db, store.runtimeUrl, [processor(work, NAME)]);
  await worker.drain();
  await worker.stop();
}

const idsOf = async (tenant: TenantHandle, job: Job): Promise<string[]> =>
  (await tenant.executions({ jobId: job.id })).executions.map(({ id }) => id).toReversed();

describe('a completed execution', () => {
  test('runs again if that is asked for, and its first success stays in its attempts', async () => {
    const { tenant, job } = await fresh(1);
    await run(() => ({ receipt: 'R-1' }));
    const [id = ''] = await idsOf(tenant, job);
    expect(await retry(job, [id])).toMatchObject([{ code: 'EXECUTION_NOT_RETRYABLE' }]);
    expect(await retry(job, [id], { completed: true })).toEqual([null]);
    expect(await retry(job, [id], { completed: true })).toMatchObject([{ code: 'EXECUTION_NOT_RETRYABLE' }]);
    expect(await tenant.execution(id)).toMatchObject({ status: 'pending', attemptNumber: 1 });
    await run(() => {
      throw new Error('not this time');
    });
    expect(await tenant.execution(id)).toMatchObject({ status: 'failed', attemptNumber: 2, error: 'not this time' });
    expect(await retry(job, [id], { completed: true })).toEqual([null]);
    await run(() => ({ receipt: 'R-2' }));
    expect(await tenant.execution(id)).toMatchObject({
      status: 'completed',
      attemptNumber: 3,
      result: { receipt: 'R-2' },
    });
    expect(await tenant.invocations(id)).toMatchObject([
      { attemptNumber: 1, status: 'success', code: null, error: null, result: { receipt: 'R-1' } },
      { attemptNumber: 2, status: 'failed', code: 'PROCESSOR_FAILED', error: 'not this time', result: null },
      { attemptNumber: 3, status: 'success', result: { receipt: 'R-2' } },
    ]);
    expect(await tenant.deadLetters()).toEqual([]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('of a deleted job, of another tenant, or that was cancelled does not', async () => {
    const { tenant, job } = await fresh(2);
    const [first = '', second = ''] = await idsOf(tenant, job);
    await tenant.cancelExecution(second);
    await run(() => undefined);
    const { job: foreign } = await fresh(0);
    const completed = { completed: true };
    expect(await retry(foreign, [first], completed)).toMatchObject([{ code: 'EXECUTION_NOT_FOUND' }]);
    expect(await retry(job, [second], completed)).toMatchObject([{ code: 'EXECUTION_NOT_RETRYABLE' }]);
    await tenant.deleteJob(job.id);
    expect(await retry(job, [first], completed)).toMatchObject([{ code: 'JOB_DELETED' }]);
  });
});

describe('a job that is recovered', () => {
  const failing = (): never => {
    throw new Error('down');
  };

  test('has its dead letters since an instant retried, page by page, and no others', async () => {
    const { tenant, job } = await fresh(2);
    const { id: beside } = await createJob(store.owner, tenant, UPDATED, { retryConfig: { maxAttempts: 1 } });
    const since = new Date(Date.now() + 1);
    await expect.poll(() => Date.now()).toBeGreaterThan(since.getTime());
    await happen(tenant, 5);
    await run(failing);
    expect(await tenant.deadLetters({ jobId: job.id })).toHaveLength(7);
    const pages: number[] = [];
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const page: RecoveredPage = await recover(job, { since, after, limit: 2 });
      pages.push(page.retried);
      after = page.next;
    }
    expect(pages).toEqual([2, 2, 1]);
    expect(await tenant.deadLetters({ jobId: job.id })).toHaveLength(2);
    expect(await tenant.deadLetters({ jobId: beside })).toHaveLength(5);
    expect(await recover(job, { since })).toMatchObject({ retried: 0, missed: 0, next: null });
    await run(() => undefined);
    await matchAll(store.usance);
    const { executions } = await tenant.executions({ jobId: job.id });
    expect(executions.map(({ status }) => status)).toEqual([...Array<string>(5).fill('completed'), 'failed', 'failed']);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('gets the events that it missed while it was disabled, and none of the others again', async () => {
    const since = new Date(Date.now() - 60_000);
    const { tenant, job } = await fresh(2);
    await run(() => undefined);
    await happen(tenant, 1);
    await tenant.updateJob(job.id, { enabled: false });
    await happen(tenant, 3);
    await tenant.updateJob(job.id, { enabled: true });
    await happen(tenant, 1);
    expect(await seqsOf(store.owner, job)).toHaveLength(4);
    await recover(job, { since });
    expect(await matchAll(store.usance, { page: 2 })).toBe(3);
    expect(await seqsOf(store.owner, job)).toEqual(await seqsOfType(tenant, UPDATED));
    await recover(job, { since });
    expect(await matchAll(store.usance)).toBe(0);
    await run(() => undefined);
    await recover(job, { since });
    expect(await matchAll(store.usance)).toBe(0);
    expect(await seqsOf(store.owner, job)).toEqual(await seqsOfType(tenant, UPDATED));
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('before the matcher has taken it in again misses nothing either', async () => {
    const { tenant, job } = await fresh(1);
    await tenant.updateJob(job.id, { enabled: false });
    await happen(tenant, 2);
    const since = new Date(Date.now() - 60_000);
    await tenant.updateJob(job.id, { enabled: true });
    await recover(job, { since });
    await happen(tenant, 1);
    expect(await seqsOf(store.owner, job)).toEqual(await seqsOfType(tenant, UPDATED));
  });

  test('since an instant behind its beginning changes nothing', async () => {
    const { tenant, job } = await fresh(3);
    const before = await store.owner.query('select * from usance.jobs where id = $1::uuid', [job.id]);
    await recover(job, { since: new Date(Date.now() + 60_000) });
    expect(await store.owner.query('select * from usance.jobs where id = $1::uuid', [job.id])).toEqual(before);
    await tenant.updateJob(job.id, { enabled: false });
    const disabled = await tenant.job(job.id);
    await recover(job, { since: new Date(0) });
    expect(await tenant.job(job.id)).toEqual(disabled);
  });
});

test('the last event at an instant is found for every instant, without a scan', async () => {
  const tenant = await freshTenant(store.usance);
  expect(await lastSeqAt(store.db, (await freshTenant(store.usance)).id, new Date(0))).toBe(0n);
  for (let n = 0; n < 12; n += 1) {
    await appended(store.usance, tenant.id, ...Array.from({ length: 1 + (n % 3) }, (): Type => UPDATED));
    await order(store.usance);
  }
  const blocks = (
    await store.owner.query(
      `select last_seq, date_trunc('milliseconds', ordered_at) + interval '1 millisecond' as at from usance.event_blocks
       where tenant_id = $1::uuid order by last_seq`,
      [tenant.id],
    )
  ).map((row) => ({ seq: asBigInt(row['last_seq']), at: asDate(row['at']) }));
  expect(blocks.length).toBeGreaterThan(12);
  for (const { at } of blocks) {
    const [row] = await store.owner.query(
      `select coalesce(max(last_seq), 0) as seq from usance.event_blocks where tenant_id = $1::uuid and ordered_at < $2::timestamptz`,
      [tenant.id, at],
    );
    expect(await lastSeqAt(store.db, tenant.id, at)).toBe(asBigInt(row?.['seq']));
  }
  expect(await lastSeqAt(store.db, tenant.id, new Date(Date.now() + 60_000))).toBe(blocks.at(-1)?.seq);
});
