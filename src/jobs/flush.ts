// Writes the ends of attempts, in sets: those that end while one set is written form the next. There is no timer; a set begins as soon as
// the one before it is done. While the database does not answer the ends are kept and written later, by their fences: an attempt that
// was taken back meanwhile is refused. An end that cannot be written fails by itself, and not the set that it is in; one that its processor
// cannot record ends without it.
//
// Rows of executions can be locked by a caller, who may keep a transaction open for as long as it likes after a cancel. A set that meets one is
// written without it; those that are locked are written apart, later, and delay no other.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Transaction } from '../db/index.ts';
import { bisect, isLastingError, isLockTimeout } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { noteWakeUp } from '../queue/index.ts';
import { presentTimes } from '../tenants/index.ts';
import type { AttemptFailure } from './fail-attempts.ts';
import { failAttempts } from './fail-attempts.ts';
import { giveBack } from './give-back.ts';
import type { OrderKey } from './order-store.ts';
import { openNext } from './order-store.ts';
import type { CompletedAttempt } from './queue-store.ts';
import { completeAttempts, lockFree } from './queue-store.ts';
import { isRecorded, recordEnds } from './record-ends.ts';
import { errorText, noteOfLength } from './result.ts';
import type { Outcome, RunningInvocation } from './run-invocation.ts';

export interface EndedAttempt {
  readonly invocation: RunningInvocation;
  readonly outcome: Exclude<Outcome, { kind: 'lost' }>;
}

export type EndCounts = Readonly<
  Record<'completed' | 'retrying' | 'failed' | 'cancelled' | 'given_back' | 'refused', number>
>;

export const NO_COUNTS: EndCounts = { completed: 0, retrying: 0, failed: 0, cancelled: 0, given_back: 0, refused: 0 };

export interface FlusherOptions {
  readonly db: Database;
  readonly onWritten: (counts: EndCounts) => void;
  readonly onNotice?: ((line: string) => void) | undefined;
}

const MOST_AT_ONCE = 2_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** The locks of usance itself last for milliseconds. */
const BOUNDED = { probes: true, lockTimeoutMs: 500 };
/** How often ends whose rows are locked are tried again. */
const LOCKED_EVERY_MS = 250;

export class Flusher {
  readonly #options: FlusherOptions;
  #waiting: EndedAttempt[] = [];
  #writing: readonly EndedAttempt[] = [];
  /** Those whose rows another transaction has. */
  #locked: EndedAttempt[] = [];
  #run: Promise<void> | null = null;
  #unlocking: Promise<void> | null = null;
  #isDropped = false;

  constructor(options: FlusherOptions) {
    this.#options = options;
  }

  /** Ends that are not written yet. */
  get size(): number {
    return this.#waiting.length + this.#writing.length + this.#locked.length;
  }

  *all(): Generator<EndedAttempt> {
    yield* this.#writing;
    yield* this.#waiting;
    yield* this.#locked;
  }

  add(ended: EndedAttempt): void {
    this.#waiting.push(ended);
    this.#run ??= this.#writeAll().finally(() => {
      this.#run = null;
    });
  }

  /** Until everything is written. */
  async idle(): Promise<void> {
    for (let run = this.#run ?? this.#unlocking; run; run = this.#run ?? this.#unlocking) await run;
  }

  /** The lease is lost, and every write would be refused; or the worker has stopped, and the rest is the rescuer's. */
  drop(): void {
    this.#waiting = [];
    this.#locked = [];
    this.#isDropped = true;
  }

  async #writeAll(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    // Attempts that end in this turn of the event loop are written together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      this.#writing = this.#waiting.splice(0, MOST_AT_ONCE);
      this.#isDropped = false;
      try {
        await this.#write(this.#writing);
        pauseMs = FIRST_PAUSE_MS;
      } catch {
        if (!this.#isDropped) this.#waiting.unshift(...this.#writing);
        this.#writing = [];
        await pause(pauseMs);
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
      }
      this.#writing = [];
    }
  }

  async #write(ends: readonly EndedAttempt[]): Promise<void> {
    // While there are locked rows, there may be more of them: none is waited for.
    const isWritten = this.#locked.length === 0 && (await this.#writeWhole(ends));
    if (isWritten) return;
    const locked = await this.#writeFree(ends);
    if (!this.#isDropped) this.#locked.push(...locked);
    if (this.#locked.length > 0)
      this.#unlocking ??= this.#writeLocked().finally(() => {
        this.#unlocking = null;
      });
  }

  /** False: another transaction has a row of them. */
  async #writeWhole(ends: readonly EndedAttempt[]): Promise<boolean> {
    try {
      await this.#writeBy(ends, writeEnds);
      return true;
    } catch (error) {
      if (isLockTimeout(error)) return false;
      throw error;
    }
  }

  async #writeBy(ends: readonly EndedAttempt[], write: typeof writeEnds): Promise<void> {
    const troubled: [EndedAttempt, unknown][] = [];
    const written = await bisect(
      ends,
      (some) => this.#options.db.transaction((tx) => write(tx, some), BOUNDED),
      (end, error) => troubled.push([end, error]),
    );
    written.forEach(this.#options.onWritten);
    for (const [end, error] of troubled) await this.#writeAlone(end, error);
  }

  /** Those whose rows no other transaction has; returns the others. */
  async #writeFree(ends: readonly EndedAttempt[]): Promise<readonly EndedAttempt[]> {
    const locked = new Set<EndedAttempt>();
    await this.#writeBy(ends, async (tx, some) => {
      const free = await lockFree(
        tx,
        some.map(({ invocation }) => invocation.claimed),
      );
      for (const end of some)
        if (free.get(end.invocation.claimed.executionId) === false) locked.add(end);
        else locked.delete(end);
      return writeEnds(
        tx,
        some.filter((end) => !locked.has(end)),
      );
    });
    return [...locked];
  }

  async #writeLocked(): Promise<void> {
    while (this.#locked.length > 0) {
      await pause(LOCKED_EVERY_MS);
      const some = this.#locked.slice(0, MOST_AT_ONCE);
      const left = await this.#writeFree(some).catch(() => some);
      // Dropped meanwhile: none of them is there any more.
      const later = new Set(this.#locked);
      const kept = left.filter((end) => later.has(end));
      for (const end of some) later.delete(end);
      this.#locked = [...later, ...kept];
    }
  }

  /** Tries ends that are less and less true until one can be stored: the result by its length, a permanent failure, no attempt at all. */
  async #writeAlone({ invocation, outcome }: EndedAttempt, cause: unknown): Promise<void> {
    const says = `its end could not be stored: ${errorText(cause)}`;
    const bytes = outcome.kind === 'completed' ? Buffer.byteLength(outcome.result ?? '') : 0;
    const ways: EndedAttempt['outcome'][] = [
      ...(outcome.kind === 'completed' ? [{ kind: 'completed' as const, result: noteOfLength(bytes) }] : []),
      { kind: 'failed', code: 'PROCESSOR_FAILED', error: says, permanent: true },
      { kind: 'given_back', suspected: null },
    ];
    const id = invocation.claimed.executionId;
    if (isRecorded({ invocation, outcome }) && (await this.#tryAlone({ invocation, outcome }, false))) {
      this.#options.onNotice?.(`execution ${id} ended, and its processor could not record that: ${errorText(cause)}`);
      return;
    }
    for (const way of ways) {
      const end = { invocation, outcome: way };
      if (await this.#tryAlone(end, true)) return;
      if (isRecorded(end) && (await this.#tryAlone(end, false))) return;
    }
    this.#options.onNotice?.(`execution ${id} could not be ended: ${says}`);
  }

  /** False if it cannot be written like this. */
  async #tryAlone(end: EndedAttempt, records: boolean): Promise<boolean> {
    try {
      this.#options.onWritten(await this.#options.db.transaction((tx) => writeEnds(tx, [end], records), BOUNDED));
      return true;
    } catch (error) {
      if (!isLastingError(error)) throw error;
      return false;
    }
  }
}

async function writeEnds(tx: Transaction, ends: readonly EndedAttempt[], records = true): Promise<EndCounts> {
  const endedAt = await timesOfTests(tx, ends);
  const completed: CompletedAttempt[] = [];
  for (const { invocation, outcome } of ends) {
    if (outcome.kind !== 'completed') continue;
    const { tenantId, executionId, workerId, attempt, place, clockId } = invocation.claimed;
    const { result } = outcome;
    completed.push({ tenantId, executionId, workerId, attempt, place, result, endedAt: endedAt(clockId, tenantId) });
  }
  const failures = ends.flatMap(({ invocation: { claimed }, outcome }): AttemptFailure[] => {
    if (outcome.kind !== 'failed') return [];
    const { code, error, permanent, retryAfterMs } = outcome;
    return [{ ...fenceOf(claimed), code, error, permanent, retryAfterMs }];
  });
  const givenBack = ends.flatMap(({ invocation: { claimed }, outcome }) =>
    outcome.kind === 'given_back'
      ? [{ ...fenceOf(claimed), claimedAt: claimed.claimedAt, suspected: outcome.suspected }]
      : [],
  );
  const held = await completeAttempts(tx, completed);
  const opened = await openNext(tx, ends.flatMap(keyOfCompleted));
  const failed = await failAttempts(tx, failures);
  const { given, cancelled } = await giveBack(tx, givenBack);
  if (records && ends.some(isRecorded)) await recordEnds(tx, ends, { completed: held, failed });
  // Another worker may have a free slot.
  if (opened > 0) noteWakeUp(tx, 'executions_due');
  const count = (wanted: string): number => failed.filter(({ outcome }) => outcome === wanted).length;
  return {
    completed: held.size,
    retrying: count('retrying'),
    failed: count('failed'),
    cancelled: count('cancelled') + cancelled,
    given_back: given,
    refused: ends.length - held.size - failed.length - given - cancelled,
  };
}

/** If its job runs executions in turns, the next one opens. */
const keyOfCompleted = ({ invocation: { claimed }, outcome }: EndedAttempt): OrderKey[] => {
  const { tenantId, jobId, orderKey } = claimed;
  return outcome.kind === 'completed' && orderKey !== null ? [{ tenantId, jobId, orderKey }] : [];
};

const fenceOf = ({ tenantId, executionId, workerId, attempt }: RunningInvocation['claimed']) => ({
  tenantId,
  executionId,
  workerId,
  attempt,
});

/** Executions of a test tenant end by its clock; null for those of live tenants. */
async function timesOfTests(
  tx: Transaction,
  ends: readonly EndedAttempt[],
): Promise<(clockId: Uuid | null, tenantId: Uuid) => Date | null> {
  const tests = new Set(
    ends.flatMap(({ invocation: { claimed } }) => (claimed.clockId === null ? [] : [claimed.tenantId])),
  );
  if (tests.size === 0) return () => null;
  const times = await presentTimes(tx, [...tests]);
  return (clockId, tenantId) => (clockId === null ? null : (times.get(tenantId) ?? null));
}
