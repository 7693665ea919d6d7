// Processors in child processes: one that exits, throws where nothing catches it, blocks or leaks takes nothing with it.
//
//   one process runs everything         it is started again when it ends, after a pause that doubles up to 30 seconds
//   it ended while it ran one           that attempt failed
//   it ended while it ran several       they are given back, and their attempts are not counted. Each of them runs next in a
//                                       process by itself, so that only the one at fault loses attempts
//   an invocation ignores its signal    if the process answers, it is replaced when the others have ended; if it does
//                                       not, it is killed
import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../../kernel/index.ts';
import type { InvocationContext, RunnableProcessor } from '../processor.ts';
import { InvocationGivenBack } from '../processor.ts';
import type { ClaimedExecution } from '../queue-store.ts';
import type { AnnouncedProcessors, ChildOptions } from './process.ts';
import { ProcessorProcess } from './process.ts';

export interface ProcessorFileOptions extends Partial<Omit<ChildOptions, 'file'>> {
  readonly onNotice?: ((line: string) => void) | undefined;
}

export interface ProcessorHost {
  readonly processors: readonly RunnableProcessor[];
  close(): Promise<void>;
}

const MEMORY_MB = 1_024;
/** Shorter than the grace period of an invocation, so that the process is dealt with first. */
const PROCESS_GRACE_MS = 3_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** A process that lived so long was well. */
const WELL_MS = 30_000;
/** Processes for executions that run by themselves. */
const MOST_ISOLATED = 4;
const ISOLATED_IDLE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** Starts a child process and loads the module in it. Throws a SetupError if that fails. */
export async function openProcessorFile(file: string, options: ProcessorFileOptions = {}): Promise<ProcessorHost> {
  const host = new Host(file, options);
  const announced = await host.open();
  return { processors: announced.map((one) => host.processor(one)), close: () => host.close() };
}

/** It may have ended or blocked the process that ran it last. */
const isSuspect = ({ lastCode }: ClaimedExecution): boolean =>
  lastCode === 'PROCESSOR_EXITED' || lastCode === 'PROCESSOR_TIMED_OUT';

class Host {
  readonly #options: ChildOptions;
  readonly #onNotice: (line: string) => void;
  readonly #retired = new Set<ProcessorProcess>();
  readonly #isolated = new IsolatedProcesses(() => this.#spawn());
  readonly #looks: NodeJS.Timeout;
  #current: ProcessorProcess | null = null;
  #failures = 0;
  #isClosed = false;
  #reported = new WeakSet<ProcessorProcess>();

  constructor(file: string, { onNotice, memoryMb = MEMORY_MB, graceMs = PROCESS_GRACE_MS }: ProcessorFileOptions) {
    this.#options = { file, memoryMb, graceMs };
    this.#onNotice = (line) => onNotice?.(line);
    this.#looks = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  async open(): Promise<AnnouncedProcessors> {
    const child = this.#spawn();
    this.#current = child;
    try {
      return await child.ready;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  processor({ name, description }: AnnouncedProcessors[number]): RunnableProcessor {
    return {
      name,
      description,
      isReady: () => this.#current?.isReady ?? false,
      run: (event, execution, context, claimed) => {
        const { signal } = context;
        const call = { processor: name, event, execution, tenantId: context.tenantId };
        const label = `${name} (${claimed.executionId})`;
        if (isSuspect(claimed)) return this.#isolated.run((child) => child.run(call, signal, label), context);
        const child = this.#current;
        if (!child?.isReady) return Promise.reject(new InvocationGivenBack('its process is not ready', false));
        return child.run(call, signal, label);
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looks);
    const children = [...this.#retired, ...(this.#current ? [this.#current] : [])];
    await Promise.all(children.map((child) => child.close()));
    await this.#isolated.close();
  }

  #spawn(): ProcessorProcess {
    return new ProcessorProcess(this.#options, {
      exit: (child, why) => this.#exited(child, why),
      retire: (child) => {
        if (this.#current !== child) return;
        this.#retired.add(child);
        this.#current = null;
        void this.#replace(0);
      },
    });
  }

  #exited(child: ProcessorProcess, why: string): void {
    this.#retired.delete(child);
    this.#isolated.gone(child);
    if (this.#isClosed || why === 'was replaced') return;
    this.#onNotice(`the process of the processors ${why}`);
    if (this.#current !== child) return;
    this.#current = null;
    this.#failures = performance.now() - child.startedMs > WELL_MS ? 1 : this.#failures + 1;
    void this.#replace(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1)));
  }

  async #replace(afterMs: number): Promise<void> {
    if (afterMs > 0) await pause(afterMs, undefined, { ref: false });
    if (this.#isClosed || this.#current) return;
    const child = this.#spawn();
    this.#current = child;
    // If it cannot be loaded any more, its process ends, and is started again later.
    await child.ready.catch((error: unknown) =>
      this.#onNotice(`the processors could not be loaded: ${describeError(error)}`),
    );
  }

  #look(): void {
    const child = this.#current;
    const labels = child?.blockedBy;
    if (!child || !labels || this.#reported.has(child)) return;
    this.#reported.add(child);
    const which = labels.length === 1 ? `processor ${labels[0]}` : `one of ${labels.slice(0, 5).join(', ')}`;
    this.#onNotice(`the process of the processors does not answer: ${which} blocks it`);
  }
}

/** Processes that run one execution at a time. Started when they are needed, and ended soon after. */
class IsolatedProcesses {
  readonly #spawn: () => ProcessorProcess;
  readonly #idle = new Map<ProcessorProcess, NodeJS.Timeout>();
  readonly #all = new Set<ProcessorProcess>();
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(spawn: () => ProcessorProcess) {
    this.#spawn = spawn;
  }

  async run<T>(work: (child: ProcessorProcess) => Promise<T>, context: InvocationContext): Promise<T> {
    const { signal } = context;
    while (this.#idle.size === 0 && this.#all.size >= MOST_ISOLATED) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      // It has not begun: its time limit says nothing about it.
      if (signal.aborted || this.#isClosed) throw new InvocationGivenBack('it has not begun', false);
    }
    const child = this.#take();
    try {
      await child.ready.catch(() => {
        throw new InvocationGivenBack('its process is not ready', false);
      });
      if (signal.aborted) throw new InvocationGivenBack('it has not begun', false);
      context.begin();
      return await work(child);
    } finally {
      this.#putBack(child);
    }
  }

  #take(): ProcessorProcess {
    for (const [child, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(child);
      return child;
    }
    const child = this.#spawn();
    this.#all.add(child);
    return child;
  }

  #putBack(child: ProcessorProcess): void {
    if (this.#all.has(child) && child.isReady) {
      const timer = setTimeout(() => {
        this.gone(child);
        child.retire();
      }, ISOLATED_IDLE_MS).unref();
      this.#idle.set(child, timer);
    } else this.gone(child);
    this.#waiting.shift()?.();
  }

  gone(child: ProcessorProcess): void {
    clearTimeout(this.#idle.get(child));
    this.#idle.delete(child);
    if (this.#all.delete(child)) this.#waiting.shift()?.();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#all].map((child) => child.close()));
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
