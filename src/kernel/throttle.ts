// Work that is repeated as often as is cheap: a run that took t is followed by a pause of at least 20 t, so that it never takes more than
// a twentieth of the time, however slow it becomes.
const PAUSE_FACTOR = 20;

export class Throttle {
  #ranAtMs = -Infinity;
  #tookMs = 0;

  /** Whether the work can run again. `leastMs`: the pause between two runs, even if they are quicker. */
  isDue(leastMs: number): boolean {
    return this.dueInMs(leastMs) < 0;
  }

  dueInMs(leastMs: number): number {
    return this.#ranAtMs + Math.max(leastMs, PAUSE_FACTOR * this.#tookMs) - performance.now();
  }

  /** Runs the work now. While it runs it is not due, so that two claims at once do not both repeat it. Work that throws is due at once. */
  async run(work: () => Promise<void>): Promise<void> {
    const startedMs = performance.now();
    this.#ranAtMs = startedMs;
    try {
      await work();
    } catch (error) {
      this.#ranAtMs = -Infinity;
      throw error;
    }
    this.#ranAtMs = performance.now();
    this.#tookMs = this.#ranAtMs - startedMs;
  }
}
