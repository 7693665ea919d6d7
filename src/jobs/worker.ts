// The loop `jobs`: claims executions up to the free slots, runs their processors at the same time, and writes their ends in sets.
//
//   claim ──▶ read events ──▶ run ──▶ ended ──▶ write (flush.ts)
//     ▲                        │
//     └── free slots ◀─────────┘
//
// A run of the loop claims until nothing is due; slots that become free are filled again at once, without waiting for the slowest. The
// executions go on when the run has ended.
//
// Failures and their handling:
//   the process dies              its lease ends, and the rescuer takes its executions back
//   the answer to a claim is lost the rows may be claimed: they are looked for, and given back
//   the lease is lost             every signal aborts, nothing is written, and the worker begins again under a new id
//   it is asked to stop           running executions get some time; the rest is aborted and given back
import type { Database } from '../db/index.ts';
import type { SequencedEvent } from '../events/index.ts';
import { isErasedData, readEvents } from '../events/index.ts';
import type { Counts, LoopDefinition, LoopRun, Uuid } from '../kernel/index.ts';
import { SetupError, toTypeId } from '../kernel/index.ts';
import { Announcer, requireAnnounceable } from './announce.ts';
import { requireOwnName } from './built-in.ts';
import type { Claim } from './claim.ts';
import { ExecutionClaimer } from './claim.ts';
import type { LoopTerms } from './first-job.ts';
import { isNeeded } from './first-job.ts';
import type { EndCounts } from './flush.ts';
import { Flusher, NO_COUNTS } from './flush.ts';
import type { LeaseOptions, LeaseTiming, WorkerLease } from './lease.ts';
import { LeaseHolder } from './lease-holder.ts';
import { monotonicMs } from './lease-memory.ts';
import type { Presenter, RunnableProcessor } from './processor.ts';
import { AS_STORED, executionOf, serves } from './processor.ts';
import { Progress } from './progress.ts';
import type { ClaimedExecution } from './queue-store.ts';
import { limitsJobs, roomsIn } from './rooms.ts';
import { ERASED, OF_ANOTHER, RunningInvocation } from './run-invocation.ts';
import type { InvocationObserver, Outcome } from './run-invocation.ts';
import { RunningInvocations } from './running.ts';
import { abortByNews, giveBackUnknown } from './reconcile.ts';
import { within } from './within.ts';

/** Limits of a worker. */
export interface WorkerLimits {
  /** Executions that run at the same time, default 50. */
  readonly concurrency?: number;
  /** Executions of one tenant that run at the same time, default `concurrency`. */
  readonly tenantConcurrency?: number;
  /** How long running executions may take to end when the worker stops, in milliseconds, default 10,000. */
  readonly drainMs?: number;
}

export interface WorkerOptions extends WorkerLimits, LoopTerms, Pick<LeaseOptions, 'schema' | 'url' | 'usesLock'> {
  /** Slots that are kept for tenants that run little; default none. */
  readonly keptFree?: number;
  readonly processors?: readonly RunnableProcessor[];
  readonly presenter?: Presenter;
  readonly onNotice?: ((line: string) => void) | undefined;
  /** An attempt ended. */
  readonly onEnded?: (processor: string, outcome: Outcome['kind'], durationMs: number) => void;
  /** For tests. */
  readonly timing?: Partial<LeaseTiming & { readonly graceMs: number }>;
  /** Ends what runs the processors, after the last execution has ended. */
  readonly close?: () => Promise<void>;
}

export interface JobWorker extends LoopDefinition {
  /** Adds a processor, also to a running worker. Returns how to remove it. */
  add(processor: RunnableProcessor): () => void;
  /** Announces the processors now: a job can be created for them. */
  announce(): Promise<void>;
  /** Waits for what runs, aborts and gives back the rest, and ends the lease. */
  stop(): Promise<void>;
  readonly processors: readonly string[];
}

const POLL_MS = 1_000;
const MOST_A_CLAIM = 2_000;
/** A run of the loop ends at the latest after this, so that its counts are seen. */
const RUN_MS = 500;
/** How soon to claim again what a limit held back, if nothing ends before. */
const HELD_BACK_MS = 50;
const NEWS_EVERY_MS = 500;
/** Lost claims are looked for after an error, and this often without one. */
const RECONCILE_EVERY_MS = 60_000;
/** How long processors may take to end after they were aborted because the worker stops. */
const STOP_GRACE_MS = 1_000;
const WRITE_MS = 5_000;
/** Fewer free slots are not worth a second claim. */
const LEAST_BESIDE = 100;
const BOUNDED = { probes: true, lockTimeoutMs: 1_000 };

interface Run {
  readonly lease: WorkerLease;
  readonly signal: AbortSignal;
  readonly resident: boolean;
  readonly untilMs: number;
}

export function jobWorker(db: Database, options: WorkerOptions): JobWorker {
  const worker = new Worker(db, options);
  return {
    name: options.name ?? 'jobs',
    pollMs: POLL_MS,
    runOnce: (signal, resident, woken) => worker.runOnce(signal, resident, woken),
    stop: () => worker.stop(),
    add: (processor) => worker.add(processor),
    announce: () => worker.announce(),
    get processors() {
      return worker.processors;
    },
  };
}

class Worker implements Omit<JobWorker, 'name' | 'pollMs'> {
  readonly #db: Database;
  readonly #options: WorkerOptions;
  readonly #concurrency: number;
  readonly #processors = new Map<string, RunnableProcessor>();
  readonly #presenter: Presenter;
  readonly #claimer = new ExecutionClaimer();
  readonly #announcer = new Announcer();
  readonly #flusher: Flusher;
  readonly #running: RunningInvocations;
  readonly #holder: LeaseHolder;
  #claimed = 0;
  /** Slots of claims that are under way. */
  #claiming = 0;
  #assistant: Promise<void> | null = null;
  #ends: Record<keyof EndCounts, number> = { ...NO_COUNTS };
  /** A slot became free, or ends were written. */
  readonly #progress = new Progress();
  #reconciledAtMs = performance.now();
  #news: NodeJS.Timeout | null = null;

  constructor(db: Database, options: WorkerOptions) {
    this.#db = db;
    this.#options = options;
    this.#concurrency = options.concurrency ?? 50;
    this.#presenter = options.presenter ?? AS_STORED;
    for (const processor of options.processors ?? []) this.#add(processor);
    const { onNotice } = options;
    this.#flusher = new Flusher({ db, onNotice, onWritten: (counts) => this.#written(counts) });
    const sinceStart = monotonicMs() - performance.now();
    this.#running = new RunningInvocations({
      onDeadline: (atMs) => this.#holder.lease?.memory.setDeadline(atMs === null ? null : atMs + sinceStart),
      onIgnored: ({ claimed }) =>
        options.onNotice?.(
          `processor "${claimed.processorName}" ignored its signal: ${toTypeId('execution', claimed.executionId)} ended without it`,
        ),
      ...(options.timing?.graceMs === undefined ? {} : { graceMs: options.timing.graceMs }),
    });
    this.#holder = new LeaseHolder(db, {
      ...options,
      running: () => this.#running.size,
      onTick: () => this.#running.arm(),
      onLost: () => this.#lose(),
    });
  }

  get processors(): readonly string[] {
    return [...this.#processors.keys()];
  }

  add(processor: RunnableProcessor): () => void {
    this.#add(processor);
    this.#claimer.reset();
    return () => {
      if (this.#processors.get(processor.name) === processor) this.#processors.delete(processor.name);
      this.#claimer.reset();
    };
  }

  #add(processor: RunnableProcessor): void {
    requireAnnounceable(processor);
    requireOwnName(processor);
    if (this.#processors.has(processor.name))
      throw new SetupError(`this process already has a processor "${processor.name}"`);
    this.#processors.set(processor.name, processor);
  }

  announce(): Promise<void> {
    return this.#announcer.announce(this.#db, [...this.#processors.values()]);
  }

  async runOnce(signal: AbortSignal, resident: boolean, woken = false): Promise<LoopRun> {
    const at = { hasLease: this.#holder.lease !== null, processors: this.processors };
    if (!(await isNeeded(this.#db, this.#options, at))) return { counts: this.#counts() };
    const lease = await this.#holder.ensure(this.processors);
    await this.announce();
    if (this.#claiming === 0 && performance.now() - this.#reconciledAtMs > RECONCILE_EVERY_MS) {
      await giveBackUnknown(this.#db, lease.id, this.#running, this.#flusher);
      this.#reconciledAtMs = performance.now();
    }
    this.#watchNews();
    const run: Run = { lease, signal, resident, untilMs: resident ? performance.now() + RUN_MS : Infinity };
    try {
      const nextInMs = await this.#pump(run, woken);
      const isOver = nextInMs !== 'more';
      return {
        counts: this.#counts(),
        ...(isOver ? {} : { more: true }),
        ...(isOver && nextInMs !== null ? { nextInMs } : {}),
      };
    } finally {
      await this.#assistant;
    }
  }

  /** Claims until nothing is due, or the run is over. Returns how long until something is due, if that is known. */
  async #pump(run: Run, woken: boolean): Promise<number | null | 'more'> {
    const { lease, signal, resident, untilMs } = run;
    const isIdle = (): boolean => this.#running.size + this.#flusher.size === 0;
    let isWoken = woken;
    while (!signal.aborted && lease.isHeld) {
      const limit = Math.min(this.#room(), MOST_A_CLAIM);
      const names = this.#ready();
      let claim: Claim | null = null;
      if (limit > 0 && names.length > 0) {
        // An end that is written during the claim may have made something due that the claim does not see.
        const wasIdle = isIdle();
        claim = await this.#claim(lease, names, limit, { thorough: !resident, woken: isWoken });
        // Wake-ups do not end a run, and jobs with free slots are not to wait because another job has none.
        isWoken = claim.isCrowded;
        const isOver = resident ? !claim.heldBack : wasIdle && isIdle();
        if (claim.rows.length === 0 && isOver) return claim.nextInMs;
        if (claim.rows.length === limit) this.#assist(run, names);
      }
      if (performance.now() >= untilMs) return 'more';
      if (claim && !resident && isIdle()) continue;
      // Slots of a claim under way, of another run or the assistant, become free without a notice.
      const isFull = claim === null && names.length > 0 && this.#claiming === 0;
      if (claim === null || claim.rows.length === 0)
        await this.#progress.wait(isFull ? untilMs - performance.now() : HELD_BACK_MS);
    }
    return null;
  }

  /**
   * While claims come back full, a second one is under way beside the first. Not with limits for each tenant or job: running executions are counted
   * here, and two claims at once would use the same room twice.
   */
  #assist({ lease, signal, untilMs }: Run, names: readonly string[]): void {
    const { tenantConcurrency, keptFree } = this.#options;
    const isCounted =
      tenantConcurrency !== undefined || keptFree !== undefined || limitsJobs(this.#processors.values());
    if (this.#assistant || isCounted) return;
    const work = async (): Promise<void> => {
      while (!signal.aborted && lease.isHeld && performance.now() < untilMs) {
        const limit = Math.min(this.#room(), MOST_A_CLAIM);
        if (limit < LEAST_BESIDE) return;
        const { rows } = await this.#claim(lease, names, limit, { thorough: false, woken: false });
        if (rows.length < limit) return;
      }
    };
    this.#assistant = work().finally(() => {
      this.#assistant = null;
    });
    // Awaited at the end of the run.
    this.#assistant.catch(() => undefined);
  }

  async stop(): Promise<void> {
    if (this.#news) clearInterval(this.#news);
    this.#news = null;
    const drainMs = this.#options.drainMs ?? 10_000;
    await within(drainMs, () => this.#drained());
    if (this.#running.size > 0) {
      this.#running.abortAll('stopping');
      await within(STOP_GRACE_MS, () => this.#drained());
      this.#running.giveUpAborted();
    }
    await within(WRITE_MS, () => this.#flusher.idle()).finally(() => this.#flusher.drop());
    await this.#holder.release();
    await this.#options.close?.();
  }

  async #drained(): Promise<void> {
    while (this.#running.size > 0) await this.#progress.wait(Infinity);
  }

  /** Slots that are free. Ends that wait to be written take none, up to a bound that keeps memory flat while the database is slow. */
  #room(): number {
    const backlog = Math.max(1_000, 2 * this.#concurrency) - this.#flusher.size;
    return Math.min(this.#concurrency - this.#running.size, backlog) - this.#claiming;
  }

  /** Processors that can run something. */
  #ready(): string[] {
    return [...this.#processors.values()].filter(({ isReady }) => isReady?.() ?? true).map(({ name }) => name);
  }

  /** After the lease was lost: every write would be refused, because other workers have the executions now. */
  #lose(): void {
    this.#flusher.drop();
    this.#running.abortAll('lost');
    this.#claimer.reset();
    this.#progress.notify();
  }

  async #claim(
    lease: WorkerLease,
    processors: readonly string[],
    limit: number,
    how: { readonly thorough: boolean; readonly woken: boolean },
  ): Promise<Claim> {
    const { tenantConcurrency, keptFree } = this.#options;
    const slots = { concurrency: this.#concurrency, tenantConcurrency, keptFree };
    const rooms = roomsIn(this.#running, this.#processors, slots);
    let tries = 0;
    this.#claiming += limit;
    try {
      const { claim, events } = await this.#db.transaction(async (tx) => {
        if ((tries += 1) > 1) this.#claimer.reset();
        const claim = await this.#claimer.claim(tx, { workerId: lease.id, processors, limit, ...rooms, ...how });
        const keys = claim.rows.map(({ tenantId, eventId, seq }) => ({ tenantId, id: eventId, seq }));
        return { claim, events: await readEvents(tx, keys) };
      }, BOUNDED);
      if (claim.rows.length > 0) await this.#start(lease, claim.rows, events);
      return claim;
    } catch (error) {
      this.#claimer.reset();
      // The claim may have been committed all the same: the next run looks for its executions.
      this.#reconciledAtMs = -Infinity;
      throw error;
    } finally {
      this.#claiming -= limit;
    }
  }

  async #start(
    lease: WorkerLease,
    rows: readonly ClaimedExecution[],
    events: ReadonlyMap<Uuid, SequencedEvent>,
  ): Promise<void> {
    const readable = [...events.values()].filter(({ data }) => !isErasedData(data));
    const shown = await this.#presenter.events(readable);
    // While the refs were read the lease may have been lost, and with it these executions.
    if (!lease.isHeld) return;
    this.#claimed += rows.length;
    const startedMs = performance.now();
    const started = rows.map((claimed) => {
      const invocation = new RunningInvocation(claimed, startedMs, this.#observer);
      this.#running.add(invocation);
      return invocation;
    });
    this.#running.arm();
    const { memory } = lease;
    for (const invocation of started) {
      const { claimed } = invocation;
      const event = shown.get(claimed.eventId);
      const processor = this.#processors.get(claimed.processorName);
      if (event === undefined) invocation.end(ERASED);
      else if (!processor) invocation.end({ kind: 'given_back', suspected: null });
      else if (!serves(processor, claimed)) invocation.end(OF_ANOTHER);
      else {
        memory.enter(`${claimed.processorName} (${claimed.executionId})`);
        invocation.run(processor, event, this.#presenter.execution(executionOf(claimed)));
        memory.leave();
      }
    }
  }

  readonly #observer: InvocationObserver = {
    ended: (invocation, outcome) => this.#ended(invocation, outcome),
    restarted: (invocation, restart) => this.#running.restart(invocation, restart),
  };

  #ended(invocation: RunningInvocation, outcome: Outcome): void {
    this.#running.delete(invocation);
    const { processorName } = invocation.claimed;
    this.#options.onEnded?.(processorName, outcome.kind, performance.now() - invocation.startedMs);
    if (outcome.kind !== 'lost') this.#flusher.add({ invocation, outcome });
    this.#progress.notify();
  }

  #written(counts: EndCounts): void {
    for (const name of Object.keys(counts) as (keyof EndCounts)[]) this.#ends[name] += counts[name];
    this.#progress.notify();
  }

  #counts(): Counts {
    const counts = { claimed: this.#claimed, ...this.#ends };
    this.#claimed = 0;
    this.#ends = { ...NO_COUNTS };
    return counts;
  }

  /** Asks twice a second whether a running execution was cancelled or taken away. */
  #watchNews(): void {
    const look = (): void => void abortByNews(this.#db, this.#running, NEWS_EVERY_MS).catch(() => undefined);
    this.#news ??= setInterval(look, NEWS_EVERY_MS).unref();
  }
}
