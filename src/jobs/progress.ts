// Lets a worker wait until something has happened: an execution ended, or its end was written.
export class Progress {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next `notify`, and after `ms` at the latest. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = ms === Infinity ? undefined : setTimeout(done, Math.max(0, ms));
      this.#waiting.add(done);
    });
  }

  notify(): void {
    for (const done of this.#waiting) done();
  }
}
