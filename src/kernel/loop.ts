// Every background loop has one shape: start, stop, run once. A run returns counts; the loop sleeps until its poll
// interval is over, until the instant the run asked for, or until it is woken; stop waits for the run in flight.
// A run that throws is reported and tried again after a pause that doubles up to a minute: a loop never dies of one
// bad run, and never spins on it.
//
// Wake-ups are hints, and there may be thousands a second: the first one runs the loop at once, those that follow share a run
// each 50 ms, or less often if runs are slow. A wake-up during a run is followed by one more run, and one during the pause after a failure does not shorten it.

/** Counts of a run, by name: `{ settled: 12 }`. */
export type Counts = Readonly<Record<string, number>>;

export interface LoopRun {
  readonly counts: Counts;
  /** Run again at once: there was more to do than one run takes. */
  readonly more?: boolean;
  /** Sleep no longer than this, although the poll interval is longer. */
  readonly nextInMs?: number;
}

export interface LoopDefinition {
  readonly name: string;
  /** The longest sleep between two runs, in milliseconds: what bounds lateness when every wake-up is lost. */
  readonly pollMs: number;
  /**
   * `resident`: one of many runs of a started loop, and not a single run that was requested. `woken`: a wake-up says that there is
   * something new.
   */
  runOnce(signal: AbortSignal, resident: boolean, woken?: boolean): Promise<LoopRun>;
  /** Ends work that goes on between runs. Called when the loop stops, after its last run. */
  stop?(): Promise<void>;
}

export interface Loop {
  readonly name: string;
  start(): void;
  stop(): Promise<void>;
  runOnce(): Promise<LoopRun>;
  /** A hint that there may be work: runs at once, or with others within 50 ms. Losing it costs a poll interval. */
  wake(): void;
}

/** Callbacks for the runs of the background loops. Default: none. */
export interface LoopObserver {
  /** A run begins. Default: none. */
  started?(name: string, resident: boolean): void;
  /** A run ended: its counts, and its duration in milliseconds. `resident`: the run of a started loop. Default: none. */
  ran?(name: string, counts: Counts, durationMs: number, resident: boolean): void;
  /** A run of a started loop threw; it is tried again. Default: none. */
  failed?(name: string, error: unknown): void;
  /** A single run threw; the caller of the run gets the error too. Default: none. */
  failedAlone?(name: string, error: unknown): void;
}

/** Calls every observer, in order. */
export function allOf(...observers: readonly LoopObserver[]): LoopObserver {
  return {
    started: (...run) => observers.forEach((observer) => observer.started?.(...run)),
    ran: (...run) => observers.forEach((observer) => observer.ran?.(...run)),
    failed: (...failure) => observers.forEach((observer) => observer.failed?.(...failure)),
    failedAlone: (...failure) => observers.forEach((observer) => observer.failedAlone?.(...failure)),
  };
}

const LONGEST_PAUSE_MS = 60_000;
/** Runs that wake-ups cause are at least this far apart: at most 20 a second. */
const WOKEN_EVERY_MS = 50;
/** After a woken run a loop rests so many times as long as the run took, up to a bound: a slow loop is not woken into a busy one. */
const RESTS = 4;
const LONGEST_REST_MS = 250;

export function createLoop(definition: LoopDefinition, observer: LoopObserver = {}): Loop {
  let stopping = new AbortController();
  let running: Promise<void> | null = null;
  /** While the loop sleeps: ends the sleep, or shortens it. */
  let endSleep: (() => void) | null = null;
  let hasten: (() => void) | null = null;
  let woken = false;
  /** Wake-ups cause no run before this. */
  let restsUntilMs = -Infinity;

  const run = async (resident: boolean, hint = false): Promise<LoopRun> => {
    observer.started?.(definition.name, resident);
    const startedMs = performance.now();
    const done = await definition.runOnce(stopping.signal, resident, hint).catch((error: unknown) => {
      if (!resident) observer.failedAlone?.(definition.name, error);
      throw error;
    });
    const endedMs = performance.now();
    if (hint) {
      const restMs = Math.min(RESTS * (endedMs - startedMs), LONGEST_REST_MS);
      restsUntilMs = Math.max(startedMs + WOKEN_EVERY_MS, endedMs + restMs);
    }
    observer.ran?.(definition.name, done.counts, endedMs - startedMs, resident);
    return done;
  };

  const sleep = (ms: number, { wakes }: { wakes: boolean }): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        endSleep = hasten = null;
        resolve();
      };
      const untilMs = performance.now() + ms;
      let timer = setTimeout(end, ms);
      endSleep = end;
      const shorten = (): void => {
        const waitMs = Math.min(restsUntilMs, untilMs) - performance.now();
        clearTimeout(timer);
        if (waitMs <= 0) end();
        else timer = setTimeout(end, waitMs);
      };
      if (wakes) hasten = shorten;
      if (stopping.signal.aborted) end();
      else if (woken) hasten?.();
    });

  const go = async (): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const hint = woken;
      woken = false;
      try {
        const { more, nextInMs = definition.pollMs } = await run(true, hint);
        failures = 0;
        if (more) await new Promise(setImmediate);
        else await sleep(Math.max(0, Math.min(definition.pollMs, nextInMs)), { wakes: true });
      } catch (error) {
        observer.failed?.(definition.name, error);
        failures += 1;
        const pauseMs = Math.max(definition.pollMs, 100) * 2 ** (failures - 1);
        await sleep(Math.min(pauseMs, LONGEST_PAUSE_MS), { wakes: false });
      }
    }
  };

  return {
    name: definition.name,
    start() {
      if (running) return;
      stopping = new AbortController();
      running = go();
    },
    async stop() {
      stopping.abort();
      endSleep?.();
      await running;
      running = null;
      await definition.stop?.();
    },
    runOnce: () => run(false),
    wake() {
      woken = true;
      hasten?.();
    },
  };
}
