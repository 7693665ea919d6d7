// Memory that the main thread of a worker shares with the thread of its lease: when the event loop last ran, until when the most urgent
// invocation may take, and which one the main thread called last. The main thread may be unable to answer a message when this matters.
const NONE = BigInt(Number.MAX_SAFE_INTEGER);
const LONGEST_LABEL = 240;
const [TICK, DEADLINE] = [0, 1];
const [LABEL_LENGTH, IS_INSIDE] = [0, 1];

/** Milliseconds that pass at the same rate, from the same beginning, in all threads of the process. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

export class LeaseMemory {
  readonly buffer: SharedArrayBuffer;
  readonly #times: BigInt64Array;
  readonly #flags: Int32Array;
  readonly #label: Buffer;

  constructor(buffer = new SharedArrayBuffer(16 + 8 + LONGEST_LABEL)) {
    this.buffer = buffer;
    this.#times = new BigInt64Array(buffer, 0, 2);
    this.#flags = new Int32Array(buffer, 16, 2);
    this.#label = Buffer.from(buffer, 24, LONGEST_LABEL);
  }

  static fresh(): LeaseMemory {
    const memory = new LeaseMemory();
    memory.tick();
    memory.setDeadline(null);
    return memory;
  }

  /** The event loop runs. */
  tick(): void {
    Atomics.store(this.#times, TICK, BigInt(monotonicMs()));
  }

  get tickedAtMs(): number {
    return Number(Atomics.load(this.#times, TICK));
  }

  setDeadline(atMs: number | null): void {
    Atomics.store(this.#times, DEADLINE, atMs === null ? NONE : BigInt(Math.ceil(atMs)));
  }

  /** Infinite if nothing runs. */
  get deadlineMs(): number {
    const at = Atomics.load(this.#times, DEADLINE);
    return at === NONE ? Infinity : Number(at);
  }

  /** The main thread calls a processor: it is inside until it returns its promise. */
  enter(label: string): void {
    const length = this.#label.write(label, 'latin1');
    Atomics.store(this.#flags, LABEL_LENGTH, length);
    Atomics.store(this.#flags, IS_INSIDE, 1);
  }

  leave(): void {
    Atomics.store(this.#flags, IS_INSIDE, 0);
  }

  /** The invocation that was called last, and whether the call has not returned. */
  get last(): { readonly label: string; readonly isInside: boolean } {
    const label = this.#label.toString('latin1', 0, Atomics.load(this.#flags, LABEL_LENGTH));
    return { label, isInside: Atomics.load(this.#flags, IS_INSIDE) === 1 };
  }
}
