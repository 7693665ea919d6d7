// Holds the lease of a worker: takes one when the worker first runs, and another one, under a new id, after it was lost.
import type { Database } from '../db/index.ts';
import { describeError, toTypeId } from '../kernel/index.ts';
import type { FromThread, LeaseOptions } from './lease.ts';
import { WorkerLease } from './lease.ts';

export interface LeaseHolderOptions extends Pick<
  LeaseOptions,
  'schema' | 'url' | 'usesLock' | 'timing' | 'onNotice' | 'onTick'
> {
  /** Executions that run now. */
  readonly running: () => number;
  /** The lease was lost, and everything with it. */
  readonly onLost: () => void;
}

export class LeaseHolder {
  readonly #db: Database;
  readonly #options: LeaseHolderOptions;
  readonly #reported = new Set<string>();
  #lease: WorkerLease | null = null;
  #leasedFor = '';
  #taking: Promise<WorkerLease> | null = null;

  constructor(db: Database, options: LeaseHolderOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Null while there is none. */
  get lease(): WorkerLease | null {
    return this.#lease;
  }

  /** The lease, for these processors. Takes one if there is none. */
  async ensure(processors: readonly string[]): Promise<WorkerLease> {
    if (!this.#lease?.isHeld) {
      this.#taking ??= this.#take(processors).finally(() => {
        this.#taking = null;
      });
      return this.#taking;
    }
    const key = JSON.stringify(processors);
    if (key !== this.#leasedFor) await this.#lease.setProcessors(processors);
    this.#leasedFor = key;
    return this.#lease;
  }

  async release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = null;
    try {
      await lease?.release();
    } catch (error) {
      // The rescuer ends it.
      this.#options.onNotice?.(`the lease of the worker was not ended: ${describeError(error)}`);
    }
  }

  async #take(processors: readonly string[]): Promise<WorkerLease> {
    const { schema, url, usesLock, timing, onNotice, onTick } = this.#options;
    const lease = new WorkerLease({
      db: this.#db,
      schema,
      url,
      usesLock,
      onNotice,
      timing,
      ...(onTick ? { onTick } : {}),
      onLost: (why) => this.#lose(lease, why),
      onBlocked: (report) => this.#reportBlocked(report),
    });
    await lease.take(processors);
    this.#lease = lease;
    this.#leasedFor = JSON.stringify(processors);
    return lease;
  }

  #lose(lease: WorkerLease, why: string): void {
    if (this.#lease !== lease) return;
    this.#lease = null;
    const { onNotice, onLost, running } = this.#options;
    onNotice?.(
      `the worker ${toTypeId('worker', lease.id)} lost its lease (${why}): ${running()} running executions are aborted and run elsewhere`,
    );
    onLost();
  }

  /** Once for each processor. */
  #reportBlocked({ forMs, label, isInside }: Extract<FromThread, { type: 'blocked' }>): void {
    const [processor = ''] = label.split(' ', 1);
    if (this.#reported.has(processor)) return;
    this.#reported.add(processor);
    const seconds = (forMs / 1_000).toFixed(1);
    const last = label === '' ? 'no processor was called' : `the last processor called was ${label}`;
    this.#options.onNotice?.(
      isInside
        ? `processor ${label} blocked the event loop for ${seconds} s: run it with "usance worker --processors", or in a thread`
        : `the event loop was blocked for ${seconds} s while ${this.#options.running()} executions ran; ${last}`,
    );
  }
}
