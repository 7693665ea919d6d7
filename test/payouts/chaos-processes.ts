// The chaos of chaos.ts with workers that are processes, each of which kills itself with SIGKILL before a random step; another one starts.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../src/kernel/index.ts';
import { liveAt } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import type { ChaosReport } from './chaos.ts';
import { openWork, orderPayouts, reckon } from './chaos.ts';
import { CHAOS, randomOf } from './mortal.ts';
import type { WorkerNews, WorkerOrder } from './worker-program.ts';
import type { PayoutStore } from './world.ts';
import { SANDBOX } from './world.ts';

export interface ProcessChaosOptions {
  readonly payouts: number;
  readonly seed: number;
  readonly workers: number;
  /** A worker is killed before one of so many steps. */
  readonly stepsToLive: number;
  readonly limitMs: number;
}

export interface ProcessChaosReport extends ChaosReport {
  readonly seconds: number;
  /** Errors that a worker met and lived on. */
  readonly threw: readonly string[];
  /** Workers that ended otherwise than by a kill. */
  readonly fell: number;
}

/**
 * Without news from the workers the time goes on all the same: all of them may be asleep. On a crowded machine workers take seconds to start; a
 * clock that does not wait for them lets transactions expire before they are sent again, and payouts fail for want of workers.
 */
const IMPATIENT_MS = 15_000;
/** Small, because a kill before the commit is an attempt of every payout of the batch. */
const BATCH_SIZE = 10;

export async function runProcessChaos(
  { usance, owner, runtimeUrl, sandbox }: PayoutStore,
  { payouts, seed, workers, stepsToLive, limitMs }: ProcessChaosOptions,
): Promise<ProcessChaosReport> {
  const random = randomOf(seed);
  const startedMs = performance.now();
  const tenant = await usance.createTenant({ name: 'chaos' });
  await orderPayouts(tenant, payouts);
  // In the future of every due row: the virtual time begins now.
  let now = Date.now() + 1_000;
  const clock = (): Clock => liveAt(new Date(now));
  await owner.query('create schema chaos');
  await owner.query('create table chaos.clock as select $1::timestamptz as now, false as is_calm', [new Date(now)]);
  await owner.query('grant usage on schema chaos to public');
  await owner.query('grant select on chaos.clock to public');
  await sandbox.setFaults(clock(), CHAOS);

  const threw: string[] = [];
  let [killed, overslept, fell, worked, isOver] = [0, 0, 0, 0, false];
  const crew = new Set<ChildProcess>();
  const start = (): void => {
    const order: WorkerOrder = {
      url: runtimeUrl,
      sandbox: SANDBOX,
      seed: Math.floor(random() * 2 ** 31),
      steps: Math.floor(random() * stepsToLive),
      batchSize: BATCH_SIZE,
    };
    const child = fork(join(import.meta.dirname, 'worker-program.ts'), [JSON.stringify(order)], { execArgv: [] });
    crew.add(child);
    child.on('message', (news: WorkerNews) => {
      if (news.is === 'worked') worked += 1;
      if (news.is === 'overslept') overslept += 1;
      if (news.is === 'threw') threw.push(news.error);
    });
    child.once('close', (_code, signal) => {
      crew.delete(child);
      if (isOver) return;
      if (signal === 'SIGKILL') killed += 1;
      else fell += 1;
      start();
    });
  };
  /** When each worker has worked once, more or less, the time goes on. */
  const advance = async (byMs: number): Promise<void> => {
    const [goal, untilMs] = [worked + workers, performance.now() + IMPATIENT_MS];
    const isEarly = (): boolean => worked < goal && performance.now() < untilMs;
    while (isEarly()) await pause(10);
    now += byMs;
    await owner.query('update chaos.clock set now = $1::timestamptz', [new Date(now)]);
  };
  const left = (): Promise<number> => openWork(usance.db);
  const isLate = (): boolean => performance.now() - startedMs > limitMs;

  for (let n = 0; n < workers; n += 1) start();
  try {
    for (let n = 0; n % 10 !== 0 || (await left()) > payouts / 20; n += 1) {
      if (isLate()) throw new Error(`not done in time: ${await left()} left`);
      await advance(1_000 + Math.floor(random() * 5_000));
    }
    await sandbox.setFaults(clock(), {});
    await owner.query('update chaos.clock set is_calm = true');
    // The faults have stopped: until nothing is left to do, for an hour of that time at most.
    for (let n = 0; n < 720 && !isLate() && (await left()) > 0; n += 1) await advance(5_000);
  } finally {
    isOver = true;
    await Promise.all([...crew].map(endNow));
  }
  return {
    killed,
    overslept,
    fell,
    threw,
    seconds: (performance.now() - startedMs) / 1_000,
    ...(await reckon(usance, tenant, sandbox, clock())),
    troubles: await troubles(usance),
  };
}

function endNow(child: ChildProcess): Promise<unknown> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  return closed;
}
