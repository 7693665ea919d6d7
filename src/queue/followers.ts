// Followers wait for a wake-up or for their poll, whichever comes first. A process can have hundreds of them (event streams), and each
// runs its own queries, so they are woken in turns: 20 every 50 ms, in the order in which they were added to the turn. A follower
// whose turn does not come before its poll runs at its poll.

const AT_ONCE = 20;
const EVERY_MS = 50;

/** Waits for one kind of wake-up. */
export interface Follower {
  /** Resolves after a wake-up, and after so many milliseconds at the latest. A wake-up since the last call counts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

interface FollowerState {
  woken: boolean;
  /** Resolves the wait; null while it does not wait. */
  end: (() => void) | null;
}

export class Followers {
  readonly #open = new Set<FollowerState>();
  readonly #turn = new Set<FollowerState>();
  #timer: NodeJS.Timeout | null = null;
  #wokeAtMs = -Infinity;

  add(): Follower {
    const follower: FollowerState = { woken: false, end: null };
    this.#open.add(follower);
    return {
      wait: async (ms, signal) => {
        if (!follower.woken && !signal?.aborted) await waitFor(follower, ms, signal);
        // The caller reads its tables next and sees everything up to now, so an earlier wake-up is done with.
        follower.woken = false;
        this.#turn.delete(follower);
      },
      close: () => {
        this.#open.delete(follower);
        this.#turn.delete(follower);
        follower.end?.();
      },
    };
  }

  wake(): void {
    // While every follower already waits for its turn, a flood of wake-ups costs one comparison each.
    if (this.#turn.size < this.#open.size) for (const follower of this.#open) this.#turn.add(follower);
    this.#next();
  }

  #next(): void {
    if (this.#timer !== null || this.#turn.size === 0) return;
    const waitMs = this.#wokeAtMs + EVERY_MS - performance.now();
    if (waitMs <= 0) this.#wakeSome();
    else
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.#wakeSome();
      }, waitMs).unref();
  }

  #wakeSome(): void {
    this.#wokeAtMs = performance.now();
    for (const follower of [...this.#turn].slice(0, AT_ONCE)) {
      this.#turn.delete(follower);
      follower.woken = true;
      follower.end?.();
    }
    this.#next();
  }
}

function waitFor(follower: FollowerState, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      follower.end = null;
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
    follower.end = end;
  });
}
