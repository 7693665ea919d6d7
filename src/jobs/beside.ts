// Work that a loop does every few seconds beside its runs, so that it holds up no claim. It is never under way twice.
import type { Counts } from '../kernel/index.ts';

export class Beside {
  readonly #work: (signal: AbortSignal) => Promise<Counts>;
  readonly #everyMs: number;
  readonly #controller = new AbortController();
  #begunAtMs = -Infinity;
  #underWay: Promise<void> | null = null;
  #counts: Record<string, number>;
  #failures: unknown[] = [];

  /** `none`: its counts while it counts nothing. */
  constructor(work: (signal: AbortSignal) => Promise<Counts>, everyMs: number, none: Counts) {
    this.#work = work;
    this.#everyMs = everyMs;
    this.#counts = { ...none };
  }

  /** Begins it, if it is time. */
  begin(): void {
    if (this.#underWay || performance.now() - this.#begunAtMs < this.#everyMs) return;
    this.#begunAtMs = performance.now();
    this.#underWay = this.#once().finally(() => (this.#underWay = null));
  }

  /** Does it now, and waits for its end. */
  async now(): Promise<void> {
    await this.#underWay;
    this.#begunAtMs = -Infinity;
    this.begin();
    await this.#underWay;
  }

  /** Counts since the last call. Throws an error of the work once. */
  taken(): Counts {
    const failure = this.#failures.shift();
    if (failure !== undefined) throw failure;
    const counts = this.#counts;
    this.#counts = Object.fromEntries(Object.keys(counts).map((name) => [name, 0]));
    return counts;
  }

  /** Asks it to end, and waits until it has. */
  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#underWay;
  }

  async #once(): Promise<void> {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    try {
      const counts = await this.#work(signal);
      for (const [name, count] of Object.entries(counts)) this.#counts[name] = (this.#counts[name] ?? 0) + count;
    } catch (error) {
      this.#failures = [error];
    }
  }
}
