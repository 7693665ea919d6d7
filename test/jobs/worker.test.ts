// Workers: what they run, how attempts end, and what is refused.
import { afterEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { CommitUnknown } from '../../src/db/index.ts';
import { orderEvents } from '../../src/events/index.ts';
import type { WorkerOptions } from '../../src/jobs/index.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import type { TestEvent, TestJob, TestWorker } from './queue.ts';
import {
  SINGLE,
  counts,
  ended,
  enqueue,
  insertJob,
  invocationsOf,
  makeDue,
  processor,
  queueRow,
  someEvent,
  takeOver,
  testWorker,
} from './queue.ts';
import type { RunnableProcessor } from '../../src/jobs/index.ts';

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

async function oneExecution(terms: Parameters<typeof insertJob>[2] = {}): Promise<{ job: TestJob; id: string }> {
  const job = await insertJob(setup.db, setup.tenant.id, terms);
  const event: TestEvent = await someEvent(setup.usance, setup.tenant);
  const [id = ''] = await enqueue(setup.db, job, { event });
  return { job, id };
}

describe('two runs of one worker', () => {
  test('both end where nothing is due, also the one that found every slot in the claim of the other', async () => {
    const { id } = await oneExecution();
    const worker = start(() => Promise.resolve(null));
    await worker.drain();
    await Promise.all([worker.step(), worker.drain(), worker.step(), worker.drain()]);
    expect(await ended(setup.db, id)).toMatchObject({ status: 'completed', attempt: 1 });
  });
});

describe('an execution', () => {
  test('completes with what its processor returned', async () => {
    const { id } = await oneExecution();
    const seen: unknown[] = [];
    const worker = start((event, execution) => {
      seen.push(event, execution);
      return Promise.resolve({ receipt: 'R-1', cents: 5n });
    });
    await worker.drain();
    expect(await ended(setup.db, id)).toMatchObject({
      status: 'completed',
      attempt: 1,
      code: null,
      result: { receipt: 'R-1', cents: '5' },
    });
    expect(seen).toMatchObject([{ type: 'tenant.created' }, { id, status: 'running', attemptNumber: 1 }]);
    expect(await queueRow(setup.db, id)).toBeNull();
  });

  test('is retried after its policy when its processor throws, and is a dead letter after the last attempt', async () => {
    const { id } = await oneExecution({
      retry: { maxAttempts: 2, initialDelayMs: 5_000, multiplier: 2, maxDelayMs: 60_000, jitter: 0 },
    });
    const worker = start(() => {
      throw new Error('no mail today\0');
    });
    await worker.drain();
    const waiting = await queueRow(setup.db, id);
    expect(waiting).toMatchObject({ attempt: 1, workerId: null, lastCode: 'PROCESSOR_FAILED' });
    expect((waiting?.dueAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_000);
    expect(await invocationsOf(setup.db, id)).toEqual([
      { attempt: 1, code: 'PROCESSOR_FAILED', error: 'no mail today\ufffd' },
    ]);
    await makeDue(setup.db, id);
    await worker.drain();
    expect(await ended(setup.db, id)).toMatchObject({ status: 'failed', attempt: 2, letter: 'PROCESSOR_FAILED' });
    const [failed] = (await eventsAbout(id)).filter(({ type }) => type === 'execution.failed');
    expect(failed).toMatchObject({ data: { attemptNumber: 2, code: 'PROCESSOR_FAILED' }, actor: 'system' });
  });

  test('fails at once if the error says that it is not retryable', async () => {
    const { id } = await oneExecution();
    await start(() => Promise.reject(Object.assign(new Error('no such order'), { retryable: false }))).drain();
    expect(await ended(setup.db, id)).toMatchObject({ status: 'failed', attempt: 1, error: 'no such order' });
  });

  test('gets the abort signal at its time limit, and fails even if its processor returns then', async () => {
    const { id } = await oneExecution({ timeoutMs: 100, retry: SINGLE });
    const worker = start(
      (_event, _execution, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ stopped: true }))),
    );
    await worker.drain();
    expect(await ended(setup.db, id)).toMatchObject({ status: 'failed', code: 'PROCESSOR_TIMED_OUT' });
  });

  test('ends after a grace period if its processor ignores the signal', async () => {
    const { id } = await oneExecution({ timeoutMs: 100, retry: SINGLE });
    const notices: string[] = [];
    const worker = start(() => new Promise(() => undefined), {
      timing: { graceMs: 50 },
      onNotice: (line) => notices.push(line),
    });
    await worker.drain();
    expect(await ended(setup.db, id)).toMatchObject({ status: 'failed', code: 'PROCESSOR_TIMED_OUT' });
    expect(notices).toEqual([expect.stringContaining('processor "work" ignored its signal')]);
  });

  test('is cancelled while it runs: the signal aborts, and its result is not kept', async () => {
    const { id } = await oneExecution();
    const running = gate();
    const worker = start((_event, _execution, { signal }) => {
      running.open();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ late: true })));
    });
    await worker.step();
    await running.passed;
    await setup.db.query('update usance.execution_queue set cancel_requested = true where id = $1::uuid', [id]);
    await expect.poll(() => ended(setup.db, id)).toMatchObject({ status: 'cancelled', code: 'EXECUTION_CANCELLED' });
  });

  test('of an erased event fails for good', async () => {
    const job = await insertJob(setup.db, setup.tenant.id);
    const [id = ''] = await enqueue(setup.db, job);
    await start(() => undefined).drain();
    expect(await ended(setup.db, id)).toMatchObject({ status: 'failed', code: 'EVENT_ERASED' });
  });
});

describe('a result', () => {
  test.each([
    ['that is too long is replaced by its length', { text: 'x'.repeat(70_000) }, { truncated: true, bytes: 70_011 }],
    ['that is no object is wrapped', 'done', { value: 'done' }],
    ['with text that PostgreSQL cannot store is kept without it', { 'a\0': 'b\ud800' }, { 'a\ufffd': 'b\ufffd' }],
    ['without JSON is noted', circular(), { truncated: true, bytes: null }],
  ])('%s', async (_title, value, kept) => {
    const { id } = await oneExecution();
    await start(() => value).drain();
    expect(await ended(setup.db, id)).toMatchObject({ status: 'completed', result: kept });
  });
});

describe('a worker', () => {
  test('writes nothing about an attempt that another worker has', async () => {
    const { id } = await oneExecution();
    const release = gate();
    const running = gate();
    let calls = 0;
    const worker = start(async () => {
      calls += 1;
      running.open();
      await release.passed;
      return { by: calls };
    });
    await worker.step();
    await running.passed;
    const held = await queueRow(setup.db, id);
    await takeOver(setup.db, held?.workerId ?? '');
    release.open();
    await expect.poll(() => queueRow(setup.db, id)).toMatchObject({ workerId: null, attempt: 1 });
    const other = start(() => ({ by: 'the other' }));
    await other.drain();
    await expect
      .poll(() => ended(setup.db, id))
      .toMatchObject({ status: 'completed', attempt: 2, result: { by: 'the other' } });
    expect(await invocationsOf(setup.db, id)).toEqual([]);
  });

  test('aborts everything when its lease is lost, and begins again as another worker', async () => {
    const { job, id } = await oneExecution();
    const aborted: unknown[] = [];
    const notices: string[] = [];
    const running = gate();
    const worker = start(
      (_event, _execution, { signal }) => {
        if (aborted.length > 0) return { by: 'the new one' };
        running.open();
        return new Promise(() => signal.addEventListener('abort', () => aborted.push(signal.reason)));
      },
      { timing: { beatMs: 50 }, onNotice: (line) => notices.push(line) },
    );
    await worker.step();
    await running.passed;
    const first = (await queueRow(setup.db, id))?.workerId ?? '';
    await takeOver(setup.db, first);
    await expect.poll(() => aborted).toMatchObject([{ name: 'AbortError', cause: 'lost' }]);
    await worker.drain();
    const row = await ended(setup.db, id);
    expect(row).toMatchObject({ status: 'completed', attempt: 2, result: { by: 'the new one' } });
    expect(row?.['worker_id']).not.toBe(first);
    expect(notices).toEqual([expect.stringContaining('lost its lease')]);
    expect(await counts(setup.db, job)).toEqual({ completed: 1 });
  });

  test('gives back what it runs when it stops, without counting the attempt', async () => {
    const { job, id } = await oneExecution();
    const running = gate();
    const reasons: unknown[] = [];
    const worker = start(
      (_event, _execution, { signal }) => {
        running.open();
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            resolve(undefined);
          }),
        );
      },
      { drainMs: 50 },
    );
    await worker.step();
    await running.passed;
    const workerId = (await queueRow(setup.db, id))?.workerId;
    await worker.stop();
    expect(reasons).toMatchObject([{ cause: 'stopping' }]);
    expect(await queueRow(setup.db, id)).toMatchObject({ attempt: 0, workerId: null, startedAt: null });
    expect(await counts(setup.db, job)).toEqual({ pending: 1 });
    expect(await setup.db.query('select from usance.job_workers where id = $1::uuid', [workerId ?? null])).toEqual([]);
  });

  test('waits for what runs before it stops', async () => {
    const { id } = await oneExecution();
    const release = gate();
    const running = gate();
    const worker = start(async () => {
      running.open();
      await release.passed;
    });
    await worker.step();
    await running.passed;
    const stopped = worker.stop();
    release.open();
    await stopped;
    expect(await ended(setup.db, id)).toMatchObject({ status: 'completed' });
  });

  test('gives back executions whose claim it did not hear of', async () => {
    const { job } = await oneExecution();
    let isLost = true;
    const transaction: Database['transaction'] = async (work, how) => {
      const result = await setup.db.transaction(work, how);
      if (!isLost) return result;
      isLost = false;
      throw new CommitUnknown(new Error('Connection terminated unexpectedly'));
    };
    const db = { ...setup.db, transaction };
    const worker = testWorker(db, setup.runtimeUrl, [processor(() => ({ done: true }))]);
    workers.push(worker);
    await expect(worker.drain()).rejects.toThrow('the outcome is unknown');
    expect(await counts(setup.db, job)).toEqual({ running: 1 });
    await worker.drain();
    expect(await counts(setup.db, job)).toEqual({ completed: 1 });
  });
});

async function eventsAbout(id: string) {
  await orderEvents(setup.usance.db);
  return setup.tenant.events({ resourceId: id });
}

function circular(): object {
  const value: Record<string, unknown> = {};
  value['itself'] = value;
  return value;
}
