// Twenty workers over twenty thousand events: on a machine at full load none loses its lease, and with workers that are killed and stopped every
// execution completes and is recorded once.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { asNumber, asText, only } from '../../src/db/index.ts';
import { VERIFIED } from '../../src/engine.ts';
import { verify } from '../../src/ledger/index.ts';
import type { TestJob } from '../jobs/queue.ts';
import { appended, matchAll, order } from '../jobs/matcher.ts';
import type { ProgramOptions } from '../jobs/worker-program.ts';
import { useUsance } from '../support/database.ts';
import { addJob } from '../support/jobs.ts';
import { SEED, banner } from './banner.ts';

const WORKERS = Number(process.env['PROOF_WORKERS'] ?? 20);
const EXECUTIONS = Number(process.env['PROOF_EXECUTIONS'] ?? 20_000);

const setup = useUsance({ poolSize: 20 });
const programs = new Set<ChildProcess>();
afterEach(() => {
  for (const child of programs) child.kill('SIGKILL');
  programs.clear();
});

function startWorker(takesMs: number): ChildProcess {
  const options: ProgramOptions = { url: setup.runtimeUrl, concurrency: 20, takesMs };
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../jobs/worker-program.ts'), JSON.stringify(options)],
    {
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  );
  programs.add(child);
  child.once('close', () => programs.delete(child));
  return child;
}

async function manyExecutions(): Promise<TestJob> {
  const { usance, tenant, db } = setup;
  const retryConfig = { maxAttempts: 100, maxDelayMs: 1_000 };
  const eventPattern = 'execution_cap.set';
  const job = await addJob(db, tenant, { eventPattern, processorName: 'work', retryConfig });
  const types = Array.from({ length: 1_000 }, () => 'execution_cap.set' as const);
  for (let n = 0; n < EXECUTIONS; n += types.length) await appended(usance, tenant.id, ...types);
  await order(usance);
  await matchAll(usance);
  await tenant.updateJob(job.id, { eventPattern: 'account.erased' });
  return job;
}

interface Tally {
  readonly waiting: number;
  readonly completed: number;
  readonly ended: number;
}

async function tally(job: TestJob): Promise<Tally> {
  const row = only(
    await setup.db.query(
      `select (select count(*)::int from usance.execution_queue where job_id = $1::uuid) as waiting,
         count(*) filter (where status = 'completed')::int as completed, count(*)::int as ended
       from usance.executions where job_id = $1::uuid`,
      [job.id],
    ),
  );
  return {
    waiting: asNumber(row['waiting']),
    completed: asNumber(row['completed']),
    ended: asNumber(row['ended']),
  };
}

async function lostAttempts(job: TestJob): Promise<Record<string, number>> {
  const rows = await setup.db.query(
    `select v.code, count(*)::int as n from usance.invocations v join usance.executions e on e.tenant_id = v.tenant_id and e.id = v.execution_id
     where e.job_id = $1::uuid group by v.code`,
    [job.id],
  );
  return Object.fromEntries(rows.map((row) => [asText(row['code']), asNumber(row['n'])]));
}

test('no worker loses its lease on a machine at full load', async () => {
  const job = await manyExecutions();
  setup.usance.start(['rescuer']);
  const startedMs = performance.now();
  for (let n = 0; n < WORKERS; n += 1) startWorker(2);
  await expect.poll(() => tally(job), { timeout: 30 * 60_000, interval: 1_000 }).toMatchObject({ waiting: 0 });
  const seconds = (performance.now() - startedMs) / 1_000;
  banner('workers at full load', { workers: WORKERS, executions: EXECUTIONS, seconds: seconds.toFixed(0) });
  expect(await tally(job)).toEqual({ waiting: 0, completed: EXECUTIONS, ended: EXECUTIONS });
  expect(await lostAttempts(job)).toEqual({});
});

test('executions of workers that are killed and stopped complete, and are recorded once', async () => {
  const job = await manyExecutions();
  setup.usance.start(['rescuer']);
  let random = SEED;
  const next = (below: number): number => (random = (random * 48_271) % 2_147_483_647) % below;
  const workers = Array.from({ length: WORKERS }, () => startWorker(1_500));
  let [kills, stops] = [0, 0];
  for (let isDone = false; !isDone; isDone = (await tally(job)).waiting === 0) {
    await pause(400 + next(400));
    const at = next(workers.length);
    const worker = workers[at];
    if (!worker || (await tally(job)).completed === 0) continue;
    if (next(4) === 0) {
      stops += 1;
      worker.kill('SIGSTOP');
      // Beyond its lease.
      setTimeout(() => worker.kill('SIGCONT'), 12_000).unref();
    } else {
      kills += 1;
      worker.kill('SIGKILL');
      workers[at] = startWorker(1_500);
    }
  }
  const lost = await lostAttempts(job);
  banner('killed and stopped workers', { seed: SEED, workers: WORKERS, executions: EXECUTIONS, kills, stops, ...lost });
  expect(await tally(job)).toEqual({ waiting: 0, completed: EXECUTIONS, ended: EXECUTIONS });
  expect(kills + stops).toBeGreaterThan(3);
  const wrong = (await verify(setup.db, VERIFIED)).filter(({ offenders }) => offenders.length > 0);
  expect(wrong).toEqual([]);
});
