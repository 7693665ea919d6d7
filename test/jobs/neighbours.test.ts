// One execution, job or clock in an unlucky state: the others go on, and it ends as it should.
import { afterEach, describe, expect, test } from 'vitest';
import type { Sql } from '../../src/db/index.ts';
import { asNumber, only } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { ExecutionClaimer } from '../../src/jobs/claim.ts';
import type { RunnableProcessor, WorkerOptions } from '../../src/jobs/index.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import type { TestWorker } from './queue.ts';
import { ended, enqueue, insertJob, insertTestWorker, processor, queueRow, someEvent, testWorker } from './queue.ts';

const setup = useUsance();
const workers: TestWorker[] = [];

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

function start(run: RunnableProcessor['run'], options: Partial<WorkerOptions> = {}): TestWorker {
  const worker = testWorker(setup.db, setup.runtimeUrl, [processor(run)], options);
  workers.push(worker);
  return worker;
}

async function executions(count: number): Promise<string[]> {
  const job = await insertJob(setup.db, setup.tenant.id);
  return enqueue(setup.db, job, { count, event: await someEvent(setup.usance, setup.tenant) });
}

const HOLD = 'select from usance.execution_queue where id = $1::uuid for update';

describe('an execution that a caller’s open transaction has locked', () => {
  test('keeps no other from ending, and ends once the transaction has', async () => {
    const [locked = '', ...others] = await executions(4);
    const running = gate();
    const release = gate();
    let calls = 0;
    const worker = start(async () => {
      if ((calls += 1) === 4) running.open();
      await release.passed;
    });
    await worker.step();
    await running.passed;
    await setup.owner.transaction(async (tx) => {
      await tx.query(HOLD, [locked]);
      release.open();
      for (const id of others)
        await expect
          .poll(() => ended(setup.db, id), { timeout: 4_000 })
          .toMatchObject({ status: 'completed', attempt: 1 });
      expect(await queueRow(setup.db, locked)).toMatchObject({ attempt: 1 });
    });
    await expect
      .poll(() => ended(setup.db, locked), { timeout: 4_000 })
      .toMatchObject({ status: 'completed', attempt: 1 });
  });
});

describe('an execution whose cancel was requested', () => {
  test('ends as cancelled when its worker stops, and is not run again', async () => {
    const [id = ''] = await executions(1);
    const running = gate();
    let calls = 0;
    const run: RunnableProcessor['run'] = (_event, _execution, { signal }) => {
      calls += 1;
      running.open();
      return new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    const worker = start(run, { drainMs: 0 });
    await worker.step();
    await running.passed;
    expect(await setup.tenant.cancelExecution(id)).toMatchObject({ status: 'running' });
    await worker.stop();
    expect(await ended(setup.db, id)).toMatchObject({ status: 'cancelled', attempt: 1, code: 'EXECUTION_CANCELLED' });
    expect([await queueRow(setup.db, id), calls]).toEqual([null, 1]);
  });
});

interface TestTenant {
  readonly tenant: TenantHandle;
  readonly clockId: string;
}

const NOW = new Date('2027-01-01T00:00:00.000Z');

async function testTenant(name: string): Promise<TestTenant> {
  const tenant = await setup.usance.createTenant({ name, kind: 'test' });
  await tenant.createTestClock({ name: 'clock', now: NOW });
  const [clock] = await setup.owner.query('select timeline_id from usance.test_clocks where tenant_id = $1::uuid', [
    tenant.id,
  ]);
  return { tenant, clockId: String(clock?.['timeline_id']) };
}

const fetchedRows = async (sql: Sql): Promise<number> =>
  asNumber(
    only(
      await sql.query(
        `select idx_tup_fetch::int as rows from pg_stat_xact_user_tables where relid = 'usance.execution_queue'::regclass`,
      ),
    )['rows'],
  );

describe('executions of a test tenant', () => {
  test('run also beside thousands of clocks whose executions are not due', async () => {
    const { tenant, clockId } = await testTenant('one-of-many');
    const event = await someEvent(setup.usance, tenant);
    const job = await insertJob(setup.owner, tenant.id);
    // Their clocks were made earlier and nobody moves them: a retry waits for ever.
    await setup.owner.query(
      `insert into usance.execution_queue (tenant_id, id, job_id, event_id, seq, clock_id, due_at, created_at)
       select $1::uuid, gen_random_uuid(), $2::uuid, gen_random_uuid(), 1, lpad(to_hex(n), 32, '0')::uuid, '2099-01-01', '2027-01-01'
       from generate_series(1, 2500) n`,
      [tenant.id, job.id],
    );
    const [id = ''] = await enqueue(setup.owner, job, { event, dueAt: NOW, clockId });
    await start(() => undefined).drain();
    expect(await ended(setup.owner, id)).toMatchObject({ status: 'completed' });
    await setup.owner.query('delete from usance.execution_queue where job_id = $1::uuid', [job.id]);
  });

  test('are found at the same cost however many wait that nobody can run', async () => {
    const { tenant, clockId } = await testTenant('idle');
    const unserved = await insertJob(setup.owner, tenant.id, { processor: 'nobody has it' });
    const job = await insertJob(setup.owner, tenant.id);
    await enqueue(setup.owner, unserved, { count: 5_000, dueAt: NOW, clockId });
    await enqueue(setup.owner, job, { dueAt: NOW, clockId });
    const workerId = await insertTestWorker(setup.owner);
    const order = { workerId, processors: ['work'], limit: 50, roomOf: () => 50 };
    const fetched = await setup.db.transaction(
      async (tx) => {
        // What earlier transactions of the session fetched may be counted too.
        const before = await fetchedRows(tx);
        expect((await new ExecutionClaimer().claim(tx, order)).rows).toHaveLength(1);
        return (await fetchedRows(tx)) - before;
      },
      { probes: true },
    );
    expect(fetched).toBeLessThan(50);
    await setup.owner.query('delete from usance.execution_queue where tenant_id = $1::uuid', [tenant.id]);
  });
});
