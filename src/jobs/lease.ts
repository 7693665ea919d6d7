// The lease of a worker: one row for everything that it runs. A thread renews it (lease-thread.ts); until the thread is connected, and while its
// connection is lost, the main thread does. A worker that loses its lease aborts everything and begins again under a new id.
import { Worker } from 'node:worker_threads';
import type { Database } from '../db/index.ts';
import { quoteIdentifier } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { describeError, newId } from '../kernel/index.ts';
import { renewLease } from './heartbeat-store.ts';
import { LeaseMemory } from './lease-memory.ts';
import { deleteWorker, insertWorker, setWorkerProcessors } from './lease-store.ts';
import { siblingFile } from './sibling-file.ts';

export interface LeaseThreadData {
  readonly workerId: Uuid;
  readonly url: string;
  readonly schema: string;
  /** The prefix of its tables: the schema, quoted, and a dot. */
  readonly tables: string;
  readonly usesLock: boolean;
  readonly memory: SharedArrayBuffer;
  readonly beatMs: number;
  readonly leaseMs: number;
  readonly blockedMs: number;
  readonly patienceMs: number;
}

export type FromThread =
  | { readonly type: 'ready' | 'disconnected' | 'ended' }
  | { readonly type: 'lost'; readonly why: string }
  | { readonly type: 'blocked'; readonly forMs: number; readonly label: string; readonly isInside: boolean };
export type ToThread = { readonly type: 'stop' } | { readonly type: 'url'; readonly url: string };

export interface LeaseTiming {
  /** How often it is renewed, default 1 s. */
  readonly beatMs: number;
  /** How long it lasts, default 10 s. */
  readonly leaseMs: number;
  /** An event loop that does not run for so long is reported, default 2 s. */
  readonly blockedMs: number;
  /** How long beyond the deadline of an invocation a blocked event loop keeps the lease, default 5 s. */
  readonly patienceMs: number;
}

const TIMING: LeaseTiming = { beatMs: 1_000, leaseMs: 10_000, blockedMs: 2_000, patienceMs: 5_000 };
const TICK_MS = 250;
const STOP_MS = 2_000;

export interface LeaseOptions {
  readonly db: Database;
  readonly schema: string;
  /** The address of the database for the thread's own connection. */
  readonly url: () => string;
  /** Whether that is a connection to the server itself, which can hold a lock. */
  readonly usesLock: boolean;
  readonly onLost: (why: string) => void;
  /** Some times a second: the deadline in the shared memory is brought up to date. */
  readonly onTick?: () => void;
  readonly onBlocked?: (report: Extract<FromThread, { type: 'blocked' }>) => void;
  readonly onNotice?: ((line: string) => void) | undefined;
  readonly timing?: Partial<LeaseTiming> | undefined;
}

export class WorkerLease {
  readonly id: Uuid = newId();
  readonly memory = LeaseMemory.fresh();
  readonly #options: LeaseOptions;
  readonly #timing: LeaseTiming;
  #thread: Worker | null = null;
  #ticks: NodeJS.Timeout | null = null;
  /** The thread renews. */
  #isKept = false;
  #isHeld = false;
  #renewing = false;
  #renewedAtMs = -Infinity;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Registers the worker, and starts its thread. */
  async take(processors: readonly string[]): Promise<void> {
    const { leaseMs } = this.#timing;
    await insertWorker(this.#options.db, { id: this.id, processors, leaseMs });
    this.#renewedAtMs = performance.now();
    this.#isHeld = true;
    this.memory.tick();
    this.#ticks = setInterval(() => this.#tick(), TICK_MS).unref();
    this.#startThread();
  }

  async setProcessors(processors: readonly string[]): Promise<void> {
    await setWorkerProcessors(this.#options.db, this.id, processors);
  }

  /** Ends the lease. Executions that the worker still has are left to the rescuer. */
  async release(): Promise<void> {
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    if (this.#ticks) clearInterval(this.#ticks);
    await this.#stopThread();
    if (wasHeld) await deleteWorker(this.#options.db, this.id);
  }

  #startThread(): void {
    const { schema, usesLock, url } = this.#options;
    const workerData: LeaseThreadData = {
      workerId: this.id,
      url: url(),
      schema,
      tables: `${quoteIdentifier(schema)}.`,
      usesLock,
      memory: this.memory.buffer,
      ...this.#timing,
    };
    const thread = new Worker(siblingFile('lease-thread', import.meta.url), { workerData, execArgv: [] });
    thread.unref();
    this.#thread = thread;
    thread.on('message', (message: FromThread) => this.#onMessage(thread, message));
    thread.on('error', (error) => {
      this.#options.onNotice?.(`the thread that keeps the worker's lease failed: ${describeError(error)}`);
    });
    thread.on('exit', () => {
      if (this.#thread !== thread) return;
      this.#isKept = false;
      this.#thread = null;
      if (this.#isHeld) setTimeout(() => this.#restartThread(), this.#timing.beatMs).unref();
    });
  }

  #restartThread(): void {
    if (this.#isHeld && this.#thread === null) this.#startThread();
  }

  async #stopThread(): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    this.#thread = null;
    const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
    post(thread, { type: 'stop' });
    const late = setTimeout(() => void thread.terminate(), STOP_MS);
    await exited;
    clearTimeout(late);
  }

  #onMessage(thread: Worker, message: FromThread): void {
    if (this.#thread !== thread) return;
    if (message.type === 'ready') this.#isKept = true;
    else if (message.type === 'disconnected') {
      this.#isKept = false;
      // An embedded server may be back under another port.
      post(thread, { type: 'url', url: this.#options.url() });
      this.#tick();
    } else if (message.type === 'blocked') this.#options.onBlocked?.(message);
    else if (message.type === 'lost') this.#lose(message.why);
  }

  #tick(): void {
    this.memory.tick();
    this.#options.onTick?.();
    const { beatMs } = this.#timing;
    if (this.#isKept || !this.#isHeld || this.#renewing || performance.now() - this.#renewedAtMs < beatMs) return;
    this.#renewing = true;
    void this.#renew().finally(() => (this.#renewing = false));
  }

  async #renew(): Promise<void> {
    const sentAtMs = performance.now();
    try {
      const isRenewed = await renewLease(this.#options.db, this.id, false, this.#timing.leaseMs);
      if (isRenewed) this.#renewedAtMs = sentAtMs;
      else this.#lose('its row is gone');
    } catch {
      // The database does not answer: the thread says when that has lasted too long.
    }
  }

  #lose(why: string): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (this.#ticks) clearInterval(this.#ticks);
    void this.#stopThread();
    this.#options.onLost(why);
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const post = (thread: Worker, message: ToThread): void => thread.postMessage(message);
