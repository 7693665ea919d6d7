// Runs such a process (no-op-report.ts) and measures it. The clock is the same for usance and for its peers: it stops when the database has no open job
// any more, which is asked every 10 ms once the last handler was called. A peer that writes completions in batches has then written them all.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { residentMb } from './crew.ts';
import type { Cost } from './measure.ts';
import { costOf } from './measure.ts';
import type { NoOpCommand, NoOpNews } from './no-op-report.ts';
import type { BenchDatabase, BenchServer } from './server.ts';

export interface NoOpWork {
  readonly who: string;
  readonly server: BenchServer;
  readonly database: BenchDatabase;
  /** The program, in this folder, and what it is told. */
  readonly program: string;
  readonly order: object;
  readonly jobs: number;
  /** A select of `is_open`: a job is not recorded as completed. */
  readonly open: string;
  /** Whether the clock starts with the first handler, or with the process: then what comes before the first handler counts too. */
  readonly from: 'first handler' | 'start';
  /** The defaults of a queue may be slow: they are stopped after this long, and the handled jobs count. Default: until all are done. */
  readonly mostMs?: number;
}

export interface NoOpRun {
  readonly who: string;
  readonly done: number;
  readonly ms: number;
  readonly nodeCpuMs: number;
  readonly cost: Cost;
  /** Resident memory of the process after a twentieth, and at the end. */
  readonly memoryMb: { readonly early: number; readonly late: number };
}

const PATIENCE_MS = 900_000;
const ASK_EVERY_MS = 10;

export async function runNoOps(work: NoOpWork): Promise<NoOpRun> {
  const { who, server, database, jobs, mostMs = PATIENCE_MS } = work;
  const child = await startProgram(work);
  const pid = child.pid ?? 0;
  const { result, cost } = await costOf(
    database.owner,
    server.pid,
    async () => {
      let early = 0;
      const isOver = await untilHandled(child, work, mostMs, () => (early ||= residentMb(pid)));
      while (isOver.all && (await isOpen(work))) await pause(ASK_EVERY_MS);
      const ms = performance.now() - isOver.sinceMs;
      return { ms, memoryMb: { early, late: residentMb(pid) }, stopped: await stopProgram(child), all: isOver.all };
    },
    { indexEntries: true },
  );
  const { ms, memoryMb, stopped, all } = result;
  if (!all && mostMs === PATIENCE_MS) throw new Error(`${who}: ${stopped.done} of ${jobs} in ${PATIENCE_MS} ms`);
  return { who, done: all ? jobs : stopped.done, ms, nodeCpuMs: stopped.cpuMs, cost, memoryMb };
}

async function isOpen({ database, open }: NoOpWork): Promise<boolean> {
  const [row] = await database.owner.query(open);
  return row?.['is_open'] === true;
}

function startProgram({ program, order }: NoOpWork): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, program), [JSON.stringify(order)]);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
    child.once('message', () => {
      child.removeAllListeners('exit');
      resolve(child);
    });
  });
}

/** Until the last handler was called, or the time is over; and when the clock started. */
function untilHandled(
  child: ChildProcess,
  { jobs, from, program }: NoOpWork,
  mostMs: number,
  onPart: () => void,
): Promise<{ readonly sinceMs: number; readonly all: boolean }> {
  return new Promise((resolve, reject) => {
    let sinceMs = performance.now();
    const end = (all: boolean): void => {
      clearTimeout(timer);
      child.removeAllListeners('exit').removeAllListeners('message');
      resolve({ sinceMs, all });
    };
    let timer = setTimeout(() => end(false), mostMs);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
    child.on('message', (news: NoOpNews) => {
      if (news.is === 'trouble') console.error(`${program}: ${news.error}`);
      if (news.is === 'begun' && from === 'first handler') {
        sinceMs = performance.now();
        clearTimeout(timer);
        timer = setTimeout(() => end(false), mostMs);
      }
      if (news.is !== 'handled') return;
      onPart();
      if (news.done >= jobs) end(true);
    });
    child.send('start' satisfies NoOpCommand);
  });
}

function stopProgram(child: ChildProcess): Promise<Extract<NoOpNews, { is: 'stopped' }>> {
  return new Promise((resolve) => {
    child.on('message', (news: NoOpNews) => {
      if (news.is === 'stopped') resolve(news);
    });
    child.send('stop' satisfies NoOpCommand);
  });
}
