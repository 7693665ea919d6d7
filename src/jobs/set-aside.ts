// Jobs whose owner has secrets that this process cannot decrypt: they rest here for half a minute, so that a worker with the key takes their
// executions, and a notice says once that they wait. Jobs whose executions cannot run at this moment for another reason rest for a second,
// without a notice.
import type { Uuid } from '../kernel/index.ts';
import { Refusal, describeError } from '../kernel/index.ts';
import { InvocationGivenBack } from './processor.ts';

const SET_ASIDE_MS = 30_000;
const MOMENT_MS = 1_000;
const MOST_REMEMBERED = 10_000;

export interface SetAsideOptions {
  /** Names the waiting executions in the notice: `deliveries to whe_…`. */
  readonly nameOf: (jobId: Uuid) => string;
  readonly onNotice?: ((line: string) => void) | undefined;
  readonly nowMs?: () => number;
}

export class SetAside {
  readonly #untilMs = new Map<Uuid, number>();
  readonly #noticed = new Set<Uuid>();
  readonly #options: SetAsideOptions;
  readonly #nowMs: () => number;

  constructor(options: SetAsideOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? performance.now.bind(performance);
  }

  has(jobId: Uuid): boolean {
    return this.#nowMs() < (this.#untilMs.get(jobId) ?? -Infinity);
  }

  /** Returns the decrypted value. Without the key the execution is given back, and its job is set aside. */
  decrypted<T>(jobId: Uuid, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.giveBack(jobId, describeError(error));
    }
  }

  /** Sets the job aside, and gives the execution back. */
  giveBack(jobId: Uuid, why: string): never {
    const { nameOf, onNotice } = this.#options;
    if (!this.#noticed.has(jobId)) {
      if (this.#noticed.size >= MOST_REMEMBERED) this.#noticed.clear();
      this.#noticed.add(jobId);
      onNotice?.(`${nameOf(jobId)} wait: ${why}`);
    }
    return this.#rest(jobId, SET_ASIDE_MS, why);
  }

  /** The same for a second, and without a notice. */
  giveBackForAMoment(jobId: Uuid, why: string): never {
    return this.#rest(jobId, MOMENT_MS, why);
  }

  #rest(jobId: Uuid, forMs: number, why: string): never {
    if (this.#untilMs.size >= MOST_REMEMBERED) this.#untilMs.clear();
    this.#untilMs.set(jobId, this.#nowMs() + forMs);
    throw new InvocationGivenBack(why, false);
  }
}
