// A first-in, first-out queue of work on one connection. Verbs take turns in it, and so do the caller's own statements.

export class TurnQueue {
  readonly #waiting: (() => void | Promise<void>)[] = [];
  readonly #onBusy: () => void;
  readonly #onIdle: () => void;
  #busy = false;

  /** `onBusy` and `onIdle` are called synchronously, before the first turn of a run and after its last one. */
  constructor(onBusy: () => void = () => undefined, onIdle: () => void = () => undefined) {
    this.#onBusy = onBusy;
    this.#onIdle = onIdle;
  }

  /** Runs the work when its turn comes. Its failure is its caller's, and the queue goes on. */
  take<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.add(async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** A turn that never throws. On an idle queue it begins at once, in the same tick. */
  add(turn: () => void | Promise<void>): void {
    this.#waiting.push(turn);
    if (!this.#busy) void this.#run();
  }

  /** Resolves when everything that is queued now has had its turn. */
  drained(): Promise<void> {
    return this.#busy ? this.take(() => Promise.resolve()) : Promise.resolve();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    this.#onBusy();
    for (let turn = this.#waiting.shift(); turn !== undefined; turn = this.#waiting.shift()) {
      try {
        await turn();
      } catch {
        // A turn answers its own caller. One that throws all the same must not stop those behind it.
      }
    }
    this.#busy = false;
    this.#onIdle();
  }
}
