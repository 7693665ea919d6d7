// One child process that runs processors. It says how each invocation ended, and what it was running when it ended itself.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SetupError } from '../../kernel/index.ts';
import { InvocationFailure, InvocationGivenBack } from '../processor.ts';
import type { AbortCause } from '../run-invocation.ts';
import { InvocationAborted } from '../run-invocation.ts';
import { StoredResult } from '../result.ts';
import { siblingFile } from '../sibling-file.ts';
import type { FromChild, ToChild } from './messages.ts';
import { MEBIBYTE, readFromChild } from './messages.ts';

export interface ChildOptions {
  /** The module that exports the processors. */
  readonly file: string;
  /** The child is ended when it uses more, in MiB. */
  readonly memoryMb: number;
  /** How long an aborted invocation may take to end before its process is replaced. */
  readonly graceMs: number;
}

interface InFlight {
  readonly resolve: (result: StoredResult | null) => void;
  readonly reject: (error: unknown) => void;
  readonly label: string;
  isAborted: boolean;
}

export type AnnouncedProcessors = Extract<FromChild, { type: 'ready' }>['processors'];

const PING_MS = 1_000;
/** A child whose event loop does not answer for so long is blocked. */
const SILENT_MS = 3_000;
const START_MS = 60_000;
/** A child that uses this share of its memory is replaced when what it runs has ended. */
const SOFT_SHARE = 0.75;
/** One that uses so much from the beginning would be replaced again and again. */
const SETTLED_MS = 30_000;

export class ProcessorProcess {
  readonly startedMs = performance.now();
  /** Rejected if the module cannot be loaded. */
  readonly ready: Promise<AnnouncedProcessors>;
  readonly #child: ChildProcess;
  readonly #options: ChildOptions;
  readonly #inFlight = new Map<number, InFlight>();
  readonly #pings: NodeJS.Timeout;
  readonly #onExit: (child: ProcessorProcess, why: string) => void;
  readonly #onRetire: (child: ProcessorProcess) => void;
  #isReady = false;
  #isRetired = false;
  #hasEnded = false;
  #answeredMs = performance.now();
  #next = 0;

  constructor(
    options: ChildOptions,
    on: { exit(child: ProcessorProcess, why: string): void; retire(child: ProcessorProcess): void },
  ) {
    this.#options = options;
    this.#onExit = on.exit;
    this.#onRetire = on.retire;
    // Its output goes to stderr: the standard output of a command is its answer.
    this.#child = fork(fileURLToPath(siblingFile('main', import.meta.url)), [options.file, String(options.memoryMb)], {
      stdio: ['ignore', 2, 2, 'ipc'],
      execArgv: [],
    });
    const { promise, resolve, reject } = Promise.withResolvers<AnnouncedProcessors>();
    this.ready = promise;
    promise.catch(() => undefined);
    this.#child.on('message', (given: unknown) => {
      const message = readFromChild(given);
      if (message === null) return;
      this.#answeredMs = performance.now();
      if (message.type === 'ready') {
        this.#isReady = true;
        resolve(message.processors);
      } else if (message.type === 'unloadable') reject(new SetupError(`${options.file}: ${message.error}`));
      else this.#onMessage(message);
    });
    this.#child.on('error', () => this.#ended('could not be started'));
    this.#child.on('exit', (code, signal) => {
      const why = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
      reject(new SetupError(`${options.file}: its process ${why} while it was loaded`));
      this.#ended(why);
    });
    const late = setTimeout(() => this.kill(), START_MS).unref();
    promise.then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    );
    this.#pings = setInterval(() => this.#send({ type: 'ping' }), PING_MS).unref();
  }

  get isReady(): boolean {
    return this.#isReady && !this.#isRetired && !this.#hasEnded;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** How many invocations it runs. */
  get size(): number {
    return this.#inFlight.size;
  }

  /** The invocations that it runs, if its event loop is blocked. */
  get blockedBy(): readonly string[] | null {
    if (this.#inFlight.size === 0 || performance.now() - this.#answeredMs < SILENT_MS) return null;
    return [...this.#inFlight.values()].map(({ label }) => label);
  }

  run(
    call: Omit<Extract<ToChild, { type: 'run' }>, 'type' | 'n'>,
    signal: AbortSignal,
    label: string,
  ): Promise<StoredResult | null> {
    const n = (this.#next += 1);
    if (this.#hasEnded) return Promise.reject(new InvocationGivenBack('its process has ended', false));
    const { promise, resolve, reject } = Promise.withResolvers<StoredResult | null>();
    const one: InFlight = { resolve, reject, label, isAborted: false };
    const onAbort = (): void => this.#abort(n, one, signal.reason);
    const settled = (): void => signal.removeEventListener('abort', onAbort);
    this.#inFlight.set(n, one);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(settled, settled);
    try {
      this.#send({ type: 'run', n, ...call });
    } catch (error) {
      // Something in it has no JSON.
      this.#inFlight.delete(n);
      reject(error);
    }
    if (signal.aborted) onAbort();
    return promise;
  }

  /** Takes nothing new; ended when what it runs has ended. */
  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#onRetire(this);
    this.#endIfIdle();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Until it has ended. */
  async close(): Promise<void> {
    if (this.#hasEnded) return;
    const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.kill();
    await exited;
  }

  #abort(n: number, one: InFlight, reason: unknown): void {
    if (!this.#inFlight.has(n)) return;
    one.isAborted = true;
    const cause: AbortCause = reason instanceof InvocationAborted ? reason.cause : 'stopping';
    this.#send({ type: 'abort', n, cause });
    this.#send({ type: 'ping' });
    const askedMs = performance.now();
    setTimeout(() => {
      if (!this.#inFlight.has(n)) return;
      // Its event loop is blocked: nothing in it will ever end.
      if (this.#answeredMs < askedMs) {
        this.kill();
        return;
      }
      // It answers, and this invocation ignores its signal: its process ends when the others have.
      this.#inFlight.delete(n);
      one.reject(new InvocationFailure('PROCESSOR_TIMED_OUT', 'it ignored its signal'));
      this.retire();
      this.#endIfIdle();
    }, this.#options.graceMs).unref();
  }

  #onMessage(message: FromChild): void {
    if (message.type === 'pong') {
      const { memoryMb } = this.#options;
      if (message.rssBytes > memoryMb * MEBIBYTE) this.kill();
      else if (message.rssBytes > SOFT_SHARE * memoryMb * MEBIBYTE && performance.now() - this.startedMs > SETTLED_MS)
        this.retire();
      return;
    }
    if (message.type !== 'done' && message.type !== 'failed') return;
    const one = this.#inFlight.get(message.n);
    if (!one) return;
    this.#inFlight.delete(message.n);
    if (message.type === 'done') one.resolve(message.result === null ? null : new StoredResult(message.result));
    else one.reject(Object.assign(new Error(message.error), message.permanent ? { retryable: false } : {}));
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (this.#isRetired && this.#inFlight.size === 0) this.kill();
  }

  #send(message: ToChild): void {
    if (!this.#hasEnded && this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Only if it ran one thing is it known which one was at fault. */
  #ended(why: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#pings);
    const running = [...this.#inFlight.values()];
    this.#inFlight.clear();
    for (const { reject } of running) {
      reject(
        running.length === 1
          ? new InvocationFailure('PROCESSOR_EXITED', `its process ${why}`)
          : new InvocationGivenBack(`its process ${why} while it ran ${running.length} executions`, true),
      );
    }
    this.#onExit(this, this.#isRetired && running.length === 0 ? 'was replaced' : why);
  }
}
