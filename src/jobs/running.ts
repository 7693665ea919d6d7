// The invocations that a worker runs: how many of each tenant and job, and which one reaches its time limit first. One timer for all of them: it
// aborts those that are over their limit, and gives up those that ignored the signal for the grace period.
import type { Uuid } from '../kernel/index.ts';
import type { AbortCause, RunningInvocation } from './run-invocation.ts';

/** How long a processor may take to end after its signal was aborted. */
export const GRACE_MS = 5_000;
const LONGEST_TIMER_MS = 60_000;

export interface RunningOptions {
  /** The first deadline changed. */
  readonly onDeadline?: (atMs: number | null) => void;
  /** A processor ignored its signal. */
  readonly onIgnored?: (invocation: RunningInvocation) => void;
  readonly graceMs?: number;
}

export class RunningInvocations {
  readonly #options: RunningOptions;
  readonly #graceMs: number;
  /** By time limit: those with the same limit reach it in the order in which they began, so that the first is the most urgent. */
  readonly #byLimit = new Map<number, Set<RunningInvocation>>();
  readonly #byTenant = new Map<Uuid, number>();
  readonly #byJob = new Map<Uuid, number>();
  /** Aborted, and when they are given up. */
  readonly #aborted = new Map<RunningInvocation, number>();
  #size = 0;
  #timer: NodeJS.Timeout | null = null;
  #timerAtMs = Infinity;

  constructor(options: RunningOptions = {}) {
    this.#options = options;
    this.#graceMs = options.graceMs ?? GRACE_MS;
  }

  get size(): number {
    return this.#size;
  }

  ofTenant(tenantId: Uuid): number {
    return this.#byTenant.get(tenantId) ?? 0;
  }

  ofJob(jobId: Uuid): number {
    return this.#byJob.get(jobId) ?? 0;
  }

  /** Call `arm` after the last one of a set. */
  add(invocation: RunningInvocation): void {
    const { timeoutMs, tenantId, jobId } = invocation.claimed;
    let same = this.#byLimit.get(timeoutMs);
    if (!same) this.#byLimit.set(timeoutMs, (same = new Set()));
    same.add(invocation);
    count(this.#byTenant, tenantId, 1);
    count(this.#byJob, jobId, 1);
    this.#size += 1;
  }

  /** Behind all others of its limit, because it reaches it last. */
  restart(invocation: RunningInvocation, restart: () => void): void {
    const same = this.#byLimit.get(invocation.claimed.timeoutMs);
    const isHere = same?.delete(invocation) ?? false;
    restart();
    if (isHere) same?.add(invocation);
    this.arm();
  }

  delete(invocation: RunningInvocation): void {
    const { timeoutMs, tenantId, jobId } = invocation.claimed;
    const same = this.#byLimit.get(timeoutMs);
    if (!same?.delete(invocation)) return;
    if (same.size === 0) this.#byLimit.delete(timeoutMs);
    count(this.#byTenant, tenantId, -1);
    count(this.#byJob, jobId, -1);
    if (this.#aborted.size > 0) this.#aborted.delete(invocation);
    this.#size -= 1;
  }

  *all(): Generator<RunningInvocation> {
    for (const same of this.#byLimit.values()) yield* same;
  }

  /** Those that began before an instant: a check of long ones does not look at thousands of short ones. */
  startedBefore(atMs: number): RunningInvocation[] {
    const found: RunningInvocation[] = [];
    for (const same of this.#byLimit.values()) {
      for (const invocation of same) {
        if (invocation.startedMs > atMs) break;
        found.push(invocation);
      }
    }
    return found;
  }

  abort(invocation: RunningInvocation, cause: AbortCause): void {
    const isFirst = !invocation.isAborted;
    invocation.abort(cause);
    if (isFirst && cause !== 'lost') this.#aborted.set(invocation, performance.now() + this.#graceMs);
    this.arm();
  }

  abortAll(cause: AbortCause): void {
    for (const invocation of this.all()) this.abort(invocation, cause);
  }

  /** Ends those that have not ended although they were aborted. */
  giveUpAborted(): void {
    for (const invocation of this.#aborted.keys()) this.#giveUp(invocation);
  }

  /** Sets the timer to the next thing that has to happen. */
  arm(): void {
    let atMs = this.#firstDeadlineMs();
    for (const graceMs of this.#aborted.values()) if (graceMs < atMs) atMs = graceMs;
    this.#options.onDeadline?.(atMs === Infinity ? null : atMs);
    if (atMs >= this.#timerAtMs) return;
    if (this.#timer) clearTimeout(this.#timer);
    const inMs = Math.min(LONGEST_TIMER_MS, Math.max(0, atMs - performance.now()));
    this.#timerAtMs = performance.now() + inMs;
    this.#timer = setTimeout(() => this.#fire(), Math.ceil(inMs));
    this.#timer.unref();
  }

  #fire(): void {
    this.#timer = null;
    this.#timerAtMs = Infinity;
    const nowMs = performance.now();
    for (const same of this.#byLimit.values()) {
      for (const invocation of same) {
        if (invocation.deadlineMs > nowMs) break;
        if (!invocation.isAborted) this.abort(invocation, 'timed_out');
      }
    }
    for (const [invocation, graceMs] of this.#aborted) if (graceMs <= nowMs) this.#giveUp(invocation);
    this.arm();
  }

  #giveUp(invocation: RunningInvocation): void {
    this.#options.onIgnored?.(invocation);
    invocation.giveUp();
  }

  /** Without aborted ones, which have their grace period instead. */
  #firstDeadlineMs(): number {
    let first = Infinity;
    for (const same of this.#byLimit.values()) {
      for (const invocation of same) {
        if (invocation.isAborted) continue;
        if (invocation.deadlineMs < first) first = invocation.deadlineMs;
        break;
      }
    }
    return first;
  }
}

/** Only those that run something have an entry. */
function count(counts: Map<Uuid, number>, id: Uuid, by: 1 | -1): void {
  const now = (counts.get(id) ?? 0) + by;
  if (now > 0) counts.set(id, now);
  else counts.delete(id);
}
