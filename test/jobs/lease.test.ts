// The lease of a worker: kept by a thread while a processor blocks, lost with the process, and given up beyond a time limit.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';
import type { TestWorker } from './queue.ts';
import {
  SINGLE,
  ended,
  enqueue,
  insertJob,
  invocationsOf,
  makeDue,
  processor,
  queueRow,
  someEvent,
  testWorker,
} from './queue.ts';
import type { ProgramOptions } from './worker-program.ts';

const setup = useUsance();
const workers: TestWorker[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

const QUICK = { beatMs: 100, leaseMs: 600, blockedMs: 300, patienceMs: 300 };

async function oneExecution(terms: Parameters<typeof insertJob>[2] = {}, dueAt: Date | null = null): Promise<string> {
  const job = await insertJob(setup.db, setup.tenant.id, terms);
  const [id = ''] = await enqueue(setup.db, job, { event: await someEvent(setup.usance, setup.tenant), dueAt });
  return id;
}

function block(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

describe('a processor that blocks the event loop', () => {
  async function blockFor(
    ms: number,
    timeoutMs: number,
  ): Promise<{ isLeased: unknown; notices: string[]; id: string }> {
    const id = await oneExecution({ timeoutMs, retry: SINGLE }, new Date(Date.now() + 3_600_000));
    const notices: string[] = [];
    let isLeased: unknown;
    const run = async (_event: unknown, _execution: unknown, _context: unknown, { workerId }: { workerId: string }) => {
      block(ms);
      const rows = await setup.db.query(
        'select leased_until > clock_timestamp() as is from usance.job_workers where id = $1::uuid',
        [workerId],
      );
      isLeased = rows[0]?.['is'];
      return { blocked: true };
    };
    const worker = testWorker(setup.db, setup.runtimeUrl, [processor(run)], {
      timing: QUICK,
      onNotice: (line) => notices.push(line),
    });
    workers.push(worker);
    // The thread is connected before the loop is blocked.
    await worker.step();
    await expect
      .poll(() => setup.db.query('select from usance.job_workers where has_lock and leased_until > clock_timestamp()'))
      .toHaveLength(1);
    await makeDue(setup.db, id);
    await worker.drain();
    return { isLeased, notices, id };
  }

  test('is reported by name, and the worker keeps its lease', async () => {
    const { isLeased, notices, id } = await blockFor(1_500, 60_000);
    expect(isLeased).toBe(true);
    await expect
      .poll(() => notices)
      .toEqual([expect.stringContaining(`processor work (${id}) blocked the event loop for`)]);
    expect(await ended(setup.db, id)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  test('costs the worker its lease beyond its time limit', async () => {
    const { isLeased } = await blockFor(2_000, 200);
    expect(isLeased).toBe(false);
  });
});

interface Program {
  /** The next message of this kind. */
  hear(kind: string): Promise<unknown>;
  readonly child: ChildProcess;
}

async function startProgram(options: Omit<ProgramOptions, 'url'> = {}): Promise<Program> {
  const given: ProgramOptions = { ...options, url: setup.runtimeUrl };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'worker-program.ts'), JSON.stringify(given)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const said: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(JSON.parse(line) as Record<string, unknown>);
    for (const look of waiting) look();
  });
  const hear = (kind: string): Promise<unknown> =>
    new Promise((resolve) => {
      const look = (): void => {
        const at = said.findIndex((message) => kind in message);
        if (at < 0) return;
        waiting.delete(look);
        resolve(said.splice(at, 1)[0]?.[kind]);
      };
      waiting.add(look);
      look();
    });
  return { hear, child };
}

const rescue = async (): Promise<void> => {
  await setup.usance.loops.find(({ name }) => name === 'rescuer')?.runOnce();
};

describe('a worker process', () => {
  test('that is killed leaves its execution to another worker within seconds', async () => {
    const id = await oneExecution();
    const program = await startProgram();
    expect(await program.hear('running')).toBe(id);
    await expect
      .poll(() => setup.db.query('select from usance.job_workers where has_lock'), { interval: 20 })
      .toHaveLength(1);
    const killedMs = performance.now();
    program.child.kill('SIGKILL');
    await once(program.child, 'close');
    const other = testWorker(setup.db, setup.runtimeUrl, [processor(() => ({ by: 'another' }))]);
    workers.push(other);
    await expect
      .poll(
        async () => {
          await rescue();
          await other.drain();
          return ended(setup.db, id);
        },
        { interval: 100, timeout: 30_000 },
      )
      .toMatchObject({ status: 'completed', attempt: 2, result: { by: 'another' } });
    console.log(
      `the execution of a killed worker resumed after ${((performance.now() - killedMs) / 1_000).toFixed(1)} s`,
    );
    expect(await invocationsOf(setup.db, id)).toMatchObject([{ attempt: 1, code: 'WORKER_LOST' }]);
  });

  test('that is stopped beyond its lease finds its signal aborted, and its result is refused', async () => {
    const id = await oneExecution();
    const program = await startProgram({ timing: { beatMs: 100, leaseMs: 800 } });
    expect(await program.hear('running')).toBe(id);
    program.child.kill('SIGSTOP');
    const other = testWorker(setup.db, setup.runtimeUrl, [processor(() => ({ by: 'another' }))]);
    workers.push(other);
    await expect
      .poll(
        async () => {
          await rescue();
          await other.drain();
          return ended(setup.db, id);
        },
        { interval: 100 },
      )
      .toMatchObject({ status: 'completed', attempt: 2 });
    program.child.kill('SIGCONT');
    expect(await program.hear('aborted')).toBe(id);
    program.child.stdin?.write('go\n');
    expect(await ended(setup.db, id)).toMatchObject({ attempt: 2, result: { by: 'another' } });
    expect(await setup.db.query('select from usance.executions where id = $1::uuid', [id])).toHaveLength(1);
    // It goes on as another worker.
    const next = await oneExecution();
    expect(await program.hear('running')).toBe(next);
    expect(await queueRow(setup.db, next)).toMatchObject({ attempt: 1 });
  });
});
