import { describe, expect, test } from 'vitest';
import type { Job, TenantHandle } from '../../src/engine.ts';
import { workerLock } from '../../src/jobs/heartbeat-store.ts';
import { createRescuer } from '../../src/jobs/rescue.ts';
import { newId } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import { announce } from '../support/jobs.ts';
import { testTenant } from '../support/test-clock.ts';
import type { Type } from './matcher.ts';
import { appended, createJob, freshTenant, matchAll, order } from './matcher.ts';
import type { WorkerRow } from './worker-rows.ts';
import { addWorker, claim, endedRow, queueRow } from './worker-rows.ts';

const store = useUsance({ poolSize: 25 });
const UPDATED: Type = 'tenant.updated';

/** A job with so many executions that wait. */
async function waiting(count: number, more: object = {}, given?: TenantHandle): Promise<Job> {
  const tenant = given ?? (await freshTenant(store.usance));
  const job = await createJob(store.owner, tenant, UPDATED, more);
  await appended(store.usance, tenant.id, ...Array.from({ length: count }, (): Type => UPDATED));
  await order(store.usance);
  await matchAll(store.usance);
  return job;
}

const rescuer = (options = {}) => createRescuer(store.usance.db, options);
const workers = async (...ids: string[]): Promise<number> =>
  (await store.owner.query('select from usance.job_workers where id = any ($1::uuid[])', [ids])).length;

describe('a dead worker', () => {
  test('is one whose lease is over, or whose heartbeat is silent and whose lock the server has freed', async () => {
    const held = await addWorker(store.owner, { silentFor: 5, hasLock: true });
    const cases: Readonly<Record<string, [WorkerRow, boolean]>> = {
      'in its lease': [{ silentFor: 5 }, false],
      'with a heartbeat': [{ silentFor: 1, hasLock: true }, false],
      'with a lease that is over': [{ silentFor: 11, leasedFor: -1 }, true],
      'with a free lock': [{ silentFor: 2, hasLock: true }, true],
      'from before the server’s clock was set back': [{ silentFor: -3_600, leasedFor: 3_610, hasLock: true }, true],
    };
    const ids = new Map<string, string>();
    for (const [name, [row]] of Object.entries(cases)) ids.set(name, await addWorker(store.owner, row));
    const [locked, done] = [gate(), gate()];
    const session = store.owner.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(${workerLock('$1::uuid')})`, [held]);
      locked.open();
      await done.passed;
    });
    await locked.passed;
    expect((await rescuer().takeBack()).dead).toBe(3);
    for (const [name, [, isDead]] of Object.entries(cases))
      expect(await workers(ids.get(name) ?? ''), name).toBe(isDead ? 0 : 1);
    expect(await workers(held)).toBe(1);
    done.open();
    await session;
    expect((await rescuer().takeBack()).dead).toBe(1);
    expect(await workers(held)).toBe(0);
  });

  test('has its attempts failed as lost, and tried again at once', async () => {
    // Workers of earlier tests fall silent meanwhile.
    await store.owner.query('delete from usance.job_workers');
    const job = await waiting(3);
    const worker = await addWorker(store.owner, { leasedFor: -1 });
    const [first = '', ...others] = await claim(store.owner, job.id, worker, 2);
    const kept = await claim(store.owner, job.id, await addWorker(store.owner));
    expect(await rescuer().takeBack()).toEqual({ dead: 1, rescued: 2, more: false });
    expect(await queueRow(store.owner, first)).toMatchObject({
      worker_id: null,
      claimed_at: null,
      attempt: 1,
      last_code: 'WORKER_LOST',
    });
    const [due] = await store.owner.query(
      'select bool_and(due_at <= clock_timestamp()) as now from usance.execution_queue where id = any ($1::uuid[])',
      [[first, ...others]],
    );
    expect(due).toEqual({ now: true });
    expect(await queueRow(store.owner, kept[0] ?? '')).toMatchObject({ attempt: 1, last_code: null });
    const tenant = await store.usance.tenant(job.tenantId);
    expect(await tenant.invocations(first)).toMatchObject([
      { attemptNumber: 1, status: 'failed', workerId: worker, code: 'WORKER_LOST' },
    ]);
    expect(await rescuer().takeBack()).toEqual({ dead: 0, rescued: 0, more: false });
  });

  test('ends an execution whose last attempt it had, as a dead letter with its event', async () => {
    const job = await waiting(1, { retryConfig: { maxAttempts: 1 } });
    const [id = ''] = await claim(store.owner, job.id, await addWorker(store.owner, { leasedFor: -1 }));
    await rescuer().takeBack();
    expect(await endedRow(store.owner, id)).toMatchObject({ status: 'failed', attempt: 1, code: 'WORKER_LOST' });
    const tenant = await store.usance.tenant(job.tenantId);
    expect(await tenant.deadLetters()).toMatchObject([{ kind: 'execution', id, code: 'WORKER_LOST', jobId: job.id }]);
    const [event] = await store.owner.query(`select type from usance.events where resource_id = $1::uuid`, [id]);
    expect(event).toEqual({ type: 'execution.failed' });
  });

  test('whose execution was to be cancelled leaves it cancelled', async () => {
    const job = await waiting(1);
    const tenant = await store.usance.tenant(job.tenantId);
    const [id = ''] = await claim(store.owner, job.id, await addWorker(store.owner, { leasedFor: -1 }));
    await tenant.cancelExecution(id);
    await rescuer().takeBack();
    expect(await tenant.execution(id)).toMatchObject({ status: 'cancelled', code: 'EXECUTION_CANCELLED' });
  });

  test('that was forgotten between its row and its executions is found by them', async () => {
    const job = await waiting(2);
    const ids = await claim(store.owner, job.id, newId());
    expect(await rescuer().takeBack()).toEqual({ dead: 0, rescued: 2, more: false });
    for (const id of ids) expect(await queueRow(store.owner, id)).toMatchObject({ worker_id: null });
  });

  test('is not waited for where it is just ending an attempt', async () => {
    const job = await waiting(2);
    const ids = await claim(store.owner, job.id, await addWorker(store.owner, { leasedFor: -1 }));
    await store.owner.transaction(async (tx) => {
      await tx.query('select from usance.execution_queue where id = $1::uuid for update', [ids[0] ?? '']);
      expect(await rescuer().takeBack()).toMatchObject({ rescued: 1 });
    });
    expect(await rescuer().takeBack()).toMatchObject({ rescued: 1 });
  });

  test('is rescued once by twenty processes, in batches', async () => {
    const job = await waiting(50);
    const ids = await claim(store.owner, job.id, await addWorker(store.owner, { leasedFor: -1 }));
    const counts = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const own = createRescuer(store.pool({ maxConnections: 1 }), { atOnce: 7 });
        let rescued = 0;
        for (let more = true; more;) {
          const run = await own.takeBack();
          rescued += run.rescued;
          ({ more } = run);
        }
        return rescued;
      }),
    );
    const rest = (await rescuer().takeBack()).rescued;
    expect(counts.reduce((sum, count) => sum + count, rest)).toBe(50);
    const [row] = await store.owner.query(
      'select count(*)::int as n, max(attempt) as attempt from usance.execution_queue where id = any ($1::uuid[]) and worker_id is null',
      [ids],
    );
    expect(row).toEqual({ n: 50, attempt: 1 });
  });

  test('with one row that cannot be changed has the others rescued, and the operator hears of it', async () => {
    const [bad, good] = [await waiting(1), await waiting(3)];
    const worker = await addWorker(store.owner, { leasedFor: -1 });
    const [poisoned = ''] = await claim(store.owner, bad.id, worker);
    const fine = await claim(store.owner, good.id, worker);
    // Its attempt is in history already: the key refuses it.
    await store.owner.query(
      `insert into usance.invocations (tenant_id, id, execution_id, attempt, started_at, ended_at, code, error)
       values ($1::uuid, usance.invocation_id($2::uuid, 1), $2::uuid, 1, now(), now(), 'X', 'x')`,
      [bad.tenantId, poisoned],
    );
    const heard: string[] = [];
    const own = rescuer({ onSetAside: (kind: string, id: string) => heard.push(`${kind} ${id}`) });
    expect(await own.takeBack()).toMatchObject({ rescued: 3 });
    expect(heard).toEqual([`execution ${poisoned}`]);
    for (const id of fine) expect(await queueRow(store.owner, id)).toMatchObject({ worker_id: null });
    expect(await own.takeBack()).toMatchObject({ rescued: 0 });
    expect(heard).toHaveLength(1);
    await store.owner.query('delete from usance.invocations where execution_id = $1::uuid', [poisoned]);
    await rescuer().takeBack();
  });
});

describe('an execution whose processor no worker has', () => {
  const NAME = 'retired';
  const lastSeen = (ago: string): Promise<unknown> =>
    store.owner.query(`update usance.processors set last_seen_at = now() - $1::interval where name = $2::text`, [
      ago,
      NAME,
    ]);
  const dueSince = (job: Job, ago: string): Promise<unknown> =>
    store.owner.query(`update usance.execution_queue set due_at = due_at - $2::interval where job_id = $1::uuid`, [
      job.id,
      ago,
    ]);

  test('fails once both have lasted for an hour, and stays before that', async () => {
    await announce(store.owner, NAME);
    const job = await waiting(2, { processorName: NAME });
    const tenant = await store.usance.tenant(job.tenantId);
    await dueSince(job, '61 minutes');
    await lastSeen('59 minutes');
    expect(await rescuer().failMissing()).toBe(0);
    await lastSeen('61 minutes');
    const busy = await addWorker(store.owner, { processors: [NAME] });
    expect(await rescuer().failMissing()).toBe(0);
    await store.owner.query('delete from usance.job_workers where id = $1::uuid', [busy]);
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    await matchAll(store.usance);
    expect(await rescuer().failMissing()).toBe(2);
    const { executions } = await tenant.executions({ jobId: job.id });
    expect(executions.map(({ status, code, attemptNumber }) => [status, code, attemptNumber])).toEqual([
      ['pending', null, 0],
      ['failed', 'PROCESSOR_MISSING', 0],
      ['failed', 'PROCESSOR_MISSING', 0],
    ]);
    expect(executions[1]?.error).toContain('"retired"');
    expect(await tenant.invocations(executions[1]?.id ?? '')).toEqual([]);
    expect(await tenant.deadLetters({ jobId: job.id })).toHaveLength(2);
    // A retry finds no processor either, and has an hour again.
    await tenant.retryExecution(executions[1]?.id ?? '');
    expect(await rescuer().failMissing()).toBe(0);
  });

  test('stays if its job is disabled, and fails by a shorter setting', async () => {
    await announce(store.owner, NAME);
    const job = await waiting(1, { processorName: NAME });
    await dueSince(job, '2 minutes');
    await lastSeen('2 minutes');
    const tenant = await store.usance.tenant(job.tenantId);
    await tenant.updateJob(job.id, { enabled: false });
    expect(await rescuer({ missingProcessorMs: 60_000 }).failMissing()).toBe(0);
    await tenant.updateJob(job.id, { enabled: true });
    expect(await rescuer({ missingProcessorMs: 60_000 }).failMissing()).toBe(1);
  });

  test('fails in a test tenant too, once it is due by its clock', async () => {
    await announce(store.owner, NAME);
    const { tenant } = await testTenant(store.usance);
    await order(store.usance);
    const job = await waiting(0, { processorName: NAME, eventPattern: 'account.created' }, tenant);
    await tenant.openAccount({ ref: 'ann' });
    await order(store.usance);
    await matchAll(store.usance);
    await lastSeen('2 hours');
    expect(await rescuer().failMissing()).toBeGreaterThan(0);
    expect((await tenant.executions({ jobId: job.id })).executions).toMatchObject([{ status: 'failed' }]);
  });
});

describe('a deleted job', () => {
  const sweptOf = async (job: Job): Promise<unknown> =>
    (await store.owner.query('select swept from usance.jobs where id = $1::uuid', [job.id]))[0]?.['swept'];

  test('has its waiting executions cancelled in batches, and its running one ended by its worker', async () => {
    const job = await waiting(8);
    const tenant = await store.usance.tenant(job.tenantId);
    const [running = ''] = await claim(store.owner, job.id, await addWorker(store.owner), 1);
    await tenant.deleteJob(job.id);
    const own = rescuer({ atOnce: 5 });
    expect(await own.cancelDeleted()).toEqual({ cancelled: 5, more: true });
    expect(await own.cancelDeleted()).toEqual({ cancelled: 2, more: false });
    expect(await sweptOf(job)).toBe(false);
    const { executions } = await tenant.executions({ jobId: job.id, status: 'cancelled' });
    expect(executions).toHaveLength(7);
    expect(executions[0]).toMatchObject({ code: 'EXECUTION_CANCELLED', attemptNumber: 0, startedAt: null });
    await store.owner.query('update usance.job_workers set leased_until = now()');
    await own.takeBack();
    expect(await tenant.execution(running)).toMatchObject({ status: 'cancelled', code: 'EXECUTION_CANCELLED' });
    await own.cancelDeleted();
    expect(await sweptOf(job)).toBe(true);
    expect(await own.cancelDeleted()).toEqual({ cancelled: 0, more: false });
  });

  test('is looked at again while a take is under way, which may still add an execution', async () => {
    const job = await waiting(0);
    await (await store.usance.tenant(job.tenantId)).deleteJob(job.id);
    await store.owner.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('usance.matcher'))`);
      await rescuer().cancelDeleted();
      expect(await sweptOf(job)).toBe(false);
    });
    await rescuer().cancelDeleted();
    expect(await sweptOf(job)).toBe(true);
  });

  test('that is locked delays no other', async () => {
    const [held, other] = [await waiting(1), await waiting(1)];
    for (const job of [held, other]) await (await store.usance.tenant(job.tenantId)).deleteJob(job.id);
    await store.owner.transaction(async (tx) => {
      await tx.query('select from usance.jobs where id = $1::uuid for update', [held.id]);
      expect(await rescuer().cancelDeleted()).toMatchObject({ cancelled: 1 });
    });
    expect(await rescuer().cancelDeleted()).toMatchObject({ cancelled: 1 });
  });

  test('of a test tenant has executions that wait cancelled by its clock', async () => {
    const { tenant } = await testTenant(store.usance);
    await order(store.usance);
    const job = await waiting(0, { eventPattern: 'account.created' }, tenant);
    await tenant.openAccount({ ref: 'ann' });
    await order(store.usance);
    await matchAll(store.usance);
    await tenant.deleteJob(job.id);
    expect(await rescuer().cancelDeleted()).toMatchObject({ cancelled: 1 });
    const { executions } = await tenant.executions({ jobId: job.id });
    expect(executions).toMatchObject([{ status: 'cancelled', completedAt: new Date('2027-01-01T00:00:00Z') }]);
    expect(await sweptOf(job)).toBe(true);
  });
});

test('the loop does all three', async () => {
  const lost = await waiting(1);
  await claim(store.owner, lost.id, await addWorker(store.owner, { leasedFor: -1 }));
  const gone = await waiting(1);
  await (await store.usance.tenant(gone.tenantId)).deleteJob(gone.id);
  const loop = store.usance.loops.find(({ name }) => name === 'rescuer');
  expect((await loop?.runOnce())?.counts).toEqual({ dead: 1, rescued: 1, missing: 0, cancelled: 1 });
});

test('all of it leaves the books right', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
