// Shares of one job in a worker, and workers under other names that begin with the first job of their processors.
import { afterEach, describe, expect, test } from 'vitest';
import { asText } from '../../src/db/index.ts';
import type { ClaimRequest } from '../../src/jobs/claim.ts';
import { ExecutionClaimer } from '../../src/jobs/claim.ts';
import type { RunnableProcessor, WorkerOptions } from '../../src/jobs/index.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import type { TestJob, TestWorker } from './queue.ts';
import { counts, enqueue, insertJob, insertTestWorker, processor, someEvent, testWorker } from './queue.ts';

const setup = useUsance();
const workers: TestWorker[] = [];

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await setup.owner.query('truncate usance.execution_queue, usance.job_workers');
  await setup.owner.query('delete from usance.jobs');
});

function start(one: RunnableProcessor, options: Partial<WorkerOptions> = {}): TestWorker {
  const worker = testWorker(setup.db, setup.runtimeUrl, [one], { drainMs: 0, ...options });
  workers.push(worker);
  return worker;
}

async function jobWith(count: number, terms: Parameters<typeof insertJob>[2] = {}): Promise<TestJob> {
  const job = await insertJob(setup.db, setup.tenant.id, terms);
  await enqueue(setup.db, job, { count, event: await someEvent(setup.usance, setup.tenant) });
  return job;
}

describe('a share of a job in a worker', () => {
  const claim = async (claimer: ExecutionClaimer, roomOfJob: ClaimRequest['roomOfJob']) => {
    const workerId = await insertTestWorker(setup.db);
    const order = { workerId, processors: ['work'], limit: 100, thorough: true, roomOf: () => Infinity };
    return setup.db.transaction((tx) => claimer.claim(tx, { ...order, ...(roomOfJob ? { roomOfJob } : {}) }));
  };

  test('bounds what a claim takes of it, and leaves the others their slots', async () => {
    const [crowded, narrow, free] = [await jobWith(20), await jobWith(20), await jobWith(20)];
    const room = new Map([
      [crowded.id, 0],
      [narrow.id, 3],
    ]);
    const claimer = new ExecutionClaimer();
    const { rows, heldBack, isCrowded } = await claim(claimer, ({ jobId }) => room.get(jobId) ?? Infinity);
    const taken = (job: TestJob): number => rows.filter(({ jobId }) => jobId === job.id).length;
    expect([taken(crowded), taken(narrow), taken(free)]).toEqual([0, 3, 20]);
    expect({ heldBack, isCrowded }).toEqual({ heldBack: true, isCrowded: true });
    const rest = await claim(claimer, undefined);
    expect(rest.rows).toHaveLength(37);
    expect(rest.isCrowded).toBe(false);
  });

  test('is all that a hanging job holds, and the executions of others run', async () => {
    const [hanging, quick] = [await jobWith(30), await jobWith(30)];
    const release = gate();
    const [most, held] = [new Map<string, number>(), new Map<string, number>()];
    const worker = start(
      {
        ...processor(async (_event, _execution, _context, { jobId }) => {
          const now = (held.get(jobId) ?? 0) + 1;
          held.set(jobId, now);
          most.set(jobId, Math.max(most.get(jobId) ?? 0, now));
          await (jobId === hanging.id ? release.passed : undefined);
          held.set(jobId, (held.get(jobId) ?? 0) - 1);
        }),
        concurrencyPerJob: 4,
      },
      { concurrency: 10 },
    );
    await expect
      .poll(async () => {
        await worker.step();
        return (await counts(setup.db, quick))['completed'];
      })
      .toBe(30);
    expect(await counts(setup.db, hanging)).toEqual({ running: 4, pending: 26 });
    release.open();
    await worker.drain();
    expect(await counts(setup.db, hanging)).toEqual({ completed: 30 });
    expect(most.get(hanging.id)).toBe(4);
    expect(most.get(quick.id)).toBeLessThanOrEqual(4);
  });

  test('can differ from job to job, and change while the worker runs', async () => {
    const [sick, well] = [await jobWith(10), await jobWith(10)];
    const shares = new Map([[sick.id, 1]]);
    const release = gate();
    const worker = start(
      { ...processor(() => release.passed), concurrencyPerJob: (jobId) => shares.get(jobId) ?? 5 },
      { concurrency: 50 },
    );
    await worker.step();
    expect(await counts(setup.db, sick)).toEqual({ running: 1, pending: 9 });
    expect(await counts(setup.db, well)).toEqual({ running: 5, pending: 5 });
    shares.clear();
    await worker.step();
    expect(await counts(setup.db, sick)).toEqual({ running: 5, pending: 5 });
    release.open();
    await worker.drain();
    expect([await counts(setup.db, sick), await counts(setup.db, well)]).toEqual([
      { completed: 10 },
      { completed: 10 },
    ]);
  });
});

describe('a worker that waits for a job', () => {
  const leases = async (): Promise<string[]> =>
    (await setup.db.query('select processors from usance.job_workers')).map((row) => asText(String(row['processors'])));
  const second = (options: Partial<WorkerOptions> = {}): TestWorker =>
    start(
      processor(() => undefined, 'deliver'),
      { name: 'webhooks', waitsForJob: true, ...options },
    );

  test('takes no lease until a tenant has an enabled job for one of its processors', async () => {
    const worker = second();
    expect(worker.name).toBe('webhooks');
    await jobWith(1);
    await worker.step();
    expect(await leases()).toEqual([]);
    const job = await jobWith(2, { processor: 'deliver' });
    await setup.db.query('update usance.jobs set enabled = false where id = $1::uuid', [job.id]);
    await worker.step();
    expect(await leases()).toEqual([]);
    await setup.db.query('update usance.jobs set enabled = true where id = $1::uuid', [job.id]);
    await worker.drain();
    expect(await leases()).toHaveLength(1);
    expect(await counts(setup.db, job)).toEqual({ completed: 2 });
  });

  test('asks once a poll, and no longer once it has its lease', async () => {
    const asked: string[] = [];
    const query: typeof setup.db.query = (text, values) => {
      asked.push(text);
      return setup.db.query(text, values);
    };
    const worker = testWorker({ ...setup.db, query }, setup.runtimeUrl, [processor(() => undefined, 'deliver')], {
      name: 'webhooks',
      waitsForJob: true,
    });
    workers.push(worker);
    await worker.step();
    expect(asked).toHaveLength(1);
    await jobWith(1, { processor: 'deliver' });
    await worker.step();
    const first = asked.filter((text) => text.includes('usance.jobs')).length;
    await worker.step();
    expect(asked.filter((text) => text.includes('usance.jobs'))).toHaveLength(first);
  });

  test('does not run what the loop jobs runs, and the other way round', async () => {
    const [own, other] = [await jobWith(3, { processor: 'deliver' }), await jobWith(3)];
    await second().drain();
    expect([await counts(setup.db, own), await counts(setup.db, other)]).toEqual([{ completed: 3 }, { pending: 3 }]);
    await start(processor(() => undefined)).drain();
    expect(await counts(setup.db, other)).toEqual({ completed: 3 });
  });
});
