// Processors at work, each in a process of its own, until so many payments are settled and, where the bench asks for it, until
// every event of them is sealed.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessorNews, ProcessorOrder } from './processor.ts';

export interface CrewOrder extends ProcessorOrder {
  readonly payments: number;
  /** Default 1. */
  readonly processes?: number;
  /** The clock also runs until this resolves, from the moment that the last payment is settled. */
  readonly untilSealed?: () => Promise<void>;
  /** Told how many are settled so far, and the crew's processes. */
  readonly onProgress?: (settled: number, pids: readonly number[]) => void;
}

export interface CrewReport {
  readonly ms: number;
  /** Until the last payment was settled; the same as `ms` unless the bench also waited for the seals. */
  readonly settledMs: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Sums of what the loops other than the processor counted, such as `seal-check: checked`. */
  readonly otherCounts: Readonly<Record<string, number>>;
  /** Processor time of the Node processes. */
  readonly nodeCpuMs: number;
  /** Runs of the loop that threw; each was tried again. */
  readonly failures: readonly string[];
}

/** A run that makes no progress for this long has hung. */
const PATIENCE_MS = 120_000;

export async function settleWithCrew(order: CrewOrder): Promise<CrewReport> {
  return (await warmCrew(order)).settle();
}

export interface Crew {
  settle(): Promise<CrewReport>;
}

/** A crew whose processes run all their loops but the processor, and have nothing left to do of earlier runs. */
export async function warmCrew(order: CrewOrder): Promise<Crew> {
  const {
    payments: _payments,
    processes = 1,
    onProgress: _onProgress,
    untilSealed: _untilSealed,
    ...processor
  } = order;
  const crew = await Promise.all(Array.from({ length: processes }, () => start(processor)));
  await Promise.all(crew.map((child) => heard(child, 'warm', 'warm')));
  return { settle: () => settled(crew, order) };
}

type Settling = Pick<CrewOrder, 'payments' | 'onProgress' | 'untilSealed'>;

async function settled(
  crew: readonly ChildProcess[],
  { payments, onProgress, untilSealed }: Settling,
): Promise<CrewReport> {
  const pids = crew.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  const counts: Record<string, number> = {};
  const otherCounts: Record<string, number> = {};
  const failures: string[] = [];
  let startedMs = 0;

  const died = Promise.withResolvers<never>();
  const allSettled = new Promise<void>((resolve, reject) => {
    const hung = (): void => reject(new Error(`no progress: ${JSON.stringify({ counts, failures })}`));
    let watchdog = setTimeout(hung, PATIENCE_MS);
    for (const child of crew) {
      child.on('exit', (code) => died.reject(new Error(`a processor ended with ${code}`)));
      child.on('message', (news: ProcessorNews) => {
        if (news.is === 'failed') failures.push(news.error);
        if (news.is !== 'ran') return;
        if (news.loop !== 'processor') {
          for (const [name, count] of Object.entries(news.counts).filter(([, some]) => some > 0))
            otherCounts[`${news.loop}: ${name}`] = (otherCounts[`${news.loop}: ${name}`] ?? 0) + count;
          return;
        }
        for (const [name, count] of Object.entries(news.counts)) counts[name] = (counts[name] ?? 0) + count;
        if (!news.counts['settled']) return;
        clearTimeout(watchdog);
        watchdog = setTimeout(hung, PATIENCE_MS);
        onProgress?.(counts['settled'] ?? 0, pids);
        if ((counts['settled'] ?? 0) < payments) return;
        clearTimeout(watchdog);
        resolve();
      });
    }
    startedMs = performance.now();
    for (const child of crew) child.send('go');
  });
  try {
    await Promise.race([allSettled, died.promise]);
    const settledMs = performance.now() - startedMs;
    if (untilSealed) await Promise.race([untilSealed(), died.promise]);
    const ms = untilSealed ? performance.now() - startedMs : settledMs;
    crew.forEach((child) => child.removeAllListeners('exit'));
    const cpu = await Promise.all(crew.map(stop));
    return { ms, settledMs, counts, otherCounts, nodeCpuMs: cpu.reduce((sum, each) => sum + each, 0), failures };
  } finally {
    crew.forEach((child) => child.removeAllListeners('exit'));
  }
}

function start(order: ProcessorOrder): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'processor.ts'), [JSON.stringify(order)]);
    child.once('exit', (code) => reject(new Error(`a processor ended with ${code}`)));
    child.once('message', () => {
      child.removeAllListeners('exit');
      resolve(child);
    });
  });
}

async function stop(child: ChildProcess): Promise<number> {
  return (await heard(child, 'stop', 'stopped')).cpuMs;
}

/** Sends a word and waits for its answer. */
function heard<Is extends ProcessorNews['is']>(
  child: ChildProcess,
  word: string,
  is: Is,
): Promise<Extract<ProcessorNews, { is: Is }>> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null): void => reject(new Error(`a processor ended with ${code}`));
    const answered = (news: ProcessorNews): void => {
      if (news.is !== is) return;
      child.off('message', answered);
      child.off('exit', gone);
      resolve(news as Extract<ProcessorNews, { is: Is }>);
    };
    child.on('message', answered);
    child.once('exit', gone);
    child.send(word);
  });
}

/** Resident memory of a process, in MB. Linux only; elsewhere 0. */
export function residentMb(pid: number): number {
  try {
    const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kb ?? 0) / 1024);
  } catch {
    return 0;
  }
}
