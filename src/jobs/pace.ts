// Something that is repeated as often as is cheap: what took t is not repeated before 20 t have passed.
const SHARE = 20;

export class Pace {
  #doneAtMs = -Infinity;
  #costMs = 0;

  isOver(leastMs: number): boolean {
    return this.isOverInMs(leastMs) < 0;
  }

  isOverInMs(leastMs: number): number {
    return this.#doneAtMs + Math.max(leastMs, SHARE * this.#costMs) - performance.now();
  }

  /** Work that failed is not done. */
  async run(work: () => Promise<void>): Promise<void> {
    const startedMs = performance.now();
    this.#doneAtMs = startedMs;
    try {
      await work();
    } catch (error) {
      this.#doneAtMs = -Infinity;
      throw error;
    }
    this.#doneAtMs = performance.now();
    this.#costMs = this.#doneAtMs - startedMs;
  }
}
