// Writes `cron_runs`: a row for each tick of each loop, RUNNING from its start, then SUCCESS or FAILED.
//
//   one-shot run          its row is written when it starts; runs of the same loop that follow belong to the same tick
//   resident loop         runs hundreds of times a second under load, so consecutive runs that do something are one tick and a run
//                         that finds nothing to do writes nothing. The row is written when the first run that did something ends,
//                         or after a second where a run takes longer
//   scheduler, processor  a tick ends with the first run that finds nothing to do, or after a minute
//   every other loop      does a little all the time: a tick ends after 20 seconds of rest, or after a minute
//   the process dies      its rows stop being renewed; 30 seconds later the next run, in any process, ends them as FAILED. A process
//                         that was only suspended renews its row, and ends it itself
//
// Nothing waits for a row: changed ticks gather in memory and are written together beside the work. A failed write is reported and
// tried again; the work is done all the same.
import type { Sql } from '../db/index.ts';
import type { Counts, LoopObserver, Uuid } from '../kernel/index.ts';
import { newId } from '../kernel/index.ts';
import type { CronRun, RunNote } from './cron-run-store.ts';
import { endLostRuns, writeCronRuns } from './cron-run-store.ts';
import { PROCESSED } from './loop-names.ts';
import { codedMessage } from './trouble.ts';

const BEAT_MS = 500;
const SLOW_RUN_MS = 1_000;
const RENEW_MS = 5_000;
const REST_MS = 20_000;
const LONGEST_TICK_MS = 60_000;
const SWEEP_MS = 15_000;
const LOST_AFTER_SECONDS = 30;
const LOST = 'PROCESS_LOST: The process ended before the run did';
/** Ticks that wait to be written, at most. */
const MOST_WAITING = 1_000;
const WRITTEN_AT_ONCE = 100;
/** These have a row for each burst of work. */
const ENDS_WHEN_IDLE = ['scheduler', 'processor'];

interface Tick {
  readonly name: string;
  readonly resident: boolean;
  readonly startedMs: number;
  readonly counts: Record<string, number>;
  /** Null until it has a row to write. */
  id: Uuid | null;
  /** Runs in progress. */
  runs: number;
  /** When its last work ended. */
  endedMs: number;
  renewedMs: number;
  status: CronRun['status'];
  errorMessage: string | null;
}

export class TickRecorder {
  readonly observer: LoopObserver = {
    started: (name, resident) => this.#started(name, resident),
    ran: (name, counts, durationMs, resident) => this.#ran(name, counts, durationMs, resident),
    failed: (name, error) => this.#failed(name, error, true),
    failedAlone: (name, error) => this.#failed(name, error, false),
  };
  readonly #open = new Map<string, Tick>();
  readonly #changed = new Set<Tick>();
  readonly #onFailed: (error: unknown) => void;
  #sql: Sql | null = null;
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #sweptMs = -Infinity;
  #failedMs = -Infinity;

  /** `onFailed` is called for each write that failed. */
  constructor(onFailed: (error: unknown) => void = () => undefined) {
    this.#onFailed = onFailed;
  }

  /** From now on ticks are written there. */
  writeTo(sql: Sql): void {
    this.#sql = sql;
    this.#timer = setInterval(() => this.beat(performance.now()), BEAT_MS).unref();
  }

  /** Ends open ticks, and waits until everything is written. */
  async finish(): Promise<void> {
    clearInterval(this.#timer);
    for (const tick of this.#open.values()) this.#end(tick);
    await this.#writing;
    // One last try for what could not be written before.
    this.#write();
    await this.#writing;
  }

  /** Gives slow runs their row, renews rows, ends ticks at rest. Called by a timer. */
  beat(nowMs: number): void {
    for (const tick of this.#open.values()) {
      if (tick.id === null) {
        if (tick.runs > 0 && nowMs - tick.startedMs > SLOW_RUN_MS) this.#change(tick);
      } else if (tick.runs === 0 && nowMs - tick.endedMs > REST_MS) this.#end(tick);
      else if (nowMs - tick.renewedMs > RENEW_MS) this.#change(tick);
    }
    const isDue = this.#changed.size > 0 || nowMs - this.#sweptMs > SWEEP_MS;
    if (isDue && nowMs - this.#failedMs > RENEW_MS) this.#write();
  }

  #started(name: string, resident: boolean): void {
    if (!this.#sql) return;
    // A one-shot command runs its loops one after the other.
    if (!resident) {
      for (const other of this.#open.values())
        if (!other.resident && other.runs === 0 && other.name !== name) this.#end(other);
    }
    const tick = this.#tickOf(name, resident);
    tick.runs += 1;
    if (!resident && tick.id === null) this.#change(tick);
  }

  #ran(name: string, counts: Counts, durationMs: number, resident: boolean): void {
    if (!this.#sql) return;
    const tick = this.#tickOf(name, resident, durationMs);
    tick.runs = Math.max(0, tick.runs - 1);
    const didSomething = DID.some((what) => (counts[what] ?? 0) > 0);
    if (didSomething || !resident) {
      for (const [what, count] of Object.entries(counts)) tick.counts[what] = (tick.counts[what] ?? 0) + count;
      tick.endedMs = performance.now();
      if (tick.id === null) this.#change(tick);
    } else if (tick.id === null || ENDS_WHEN_IDLE.includes(name)) {
      if (tick.runs === 0) this.#end(tick);
    }
    if (tick.resident && performance.now() - tick.startedMs > LONGEST_TICK_MS) this.#end(tick);
  }

  #failed(name: string, error: unknown, resident: boolean): void {
    if (!this.#sql) return;
    const tick = this.#tickOf(name, resident);
    tick.errorMessage = codedMessage(error);
    tick.endedMs = performance.now();
    this.#end(tick);
  }

  #tickOf(name: string, resident: boolean, durationMs = 0): Tick {
    const known = this.#open.get(name);
    if (known) return known;
    const nowMs = performance.now();
    const startedMs = nowMs - durationMs;
    const tick: Tick = {
      name,
      resident,
      startedMs,
      counts: {},
      id: null,
      runs: 0,
      endedMs: nowMs,
      renewedMs: -Infinity,
      status: 'RUNNING',
      errorMessage: null,
    };
    this.#open.set(name, tick);
    return tick;
  }

  /** A tick without a row leaves no trace, unless it failed. */
  #end(tick: Tick): void {
    if (!this.#open.delete(tick.name)) return;
    if (tick.id === null && tick.errorMessage === null) return;
    tick.status = tick.errorMessage === null ? 'SUCCESS' : 'FAILED';
    this.#change(tick);
  }

  #change(tick: Tick): void {
    tick.id ??= newId();
    tick.renewedMs = performance.now();
    this.#changed.add(tick);
    if (performance.now() - this.#failedMs > RENEW_MS) this.#write();
  }

  #write(): void {
    const sql = this.#sql;
    if (!sql) return;
    this.#writing ??= this.#writeAll(sql).finally(() => {
      this.#writing = null;
    });
  }

  async #writeAll(sql: Sql): Promise<void> {
    do {
      const some = [...this.#changed].slice(0, WRITTEN_AT_ONCE);
      for (const tick of some) this.#changed.delete(tick);
      try {
        if (some.length > 0) await writeCronRuns(sql, some.map(noteOf));
        if (performance.now() - this.#sweptMs > SWEEP_MS) {
          await endLostRuns(sql, LOST_AFTER_SECONDS, LOST);
          this.#sweptMs = performance.now();
        }
      } catch (error) {
        this.#failedMs = performance.now();
        for (const tick of some.slice(0, MOST_WAITING - this.#changed.size)) this.#changed.add(tick);
        this.#onFailed(error);
        return;
      }
    } while (this.#changed.size > 0);
  }
}

/** Any of these above zero is work. The scheduler claims schedules that make no payment. */
const DID = [...new Set(['claimed', ...Object.values(PROCESSED).flat()])];

function noteOf({ name, id, status, counts, errorMessage, startedMs, endedMs }: Tick): RunNote {
  const nowMs = performance.now();
  return {
    id: id ?? newId(),
    jobName: name,
    status,
    processedCount: (PROCESSED[name] ?? []).reduce((sum, what) => sum + (counts[what] ?? 0), 0),
    counts,
    errorMessage,
    ageSeconds: (nowMs - startedMs) / 1_000,
    restSeconds: (nowMs - endedMs) / 1_000,
  };
}
