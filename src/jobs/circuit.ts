// How many executions of one job a worker runs at the same time, for built-in processors that send to an address of the job's owner.
//
//   window      begins at 4, grows by one with each success up to the share of a job, and is halved by each failure
//   failing     after five failures in a row: one slot, and all failing jobs together have half of the worker
//   slow        a success after more than two seconds counts like a failure: it keeps a slot as long as hundreds of others
//
// All of it is in memory: every worker finds out for itself within a few attempts, and a restart begins again.
//
// A claim asks in three steps. `limitOf` and `choose` change nothing: what they allow may not be served. Only `reserve` does, for the jobs
// that the claim serves. If more jobs fail than there are slots for them, those of the tenant with the fewest failing jobs in flight are chosen, and of
// these those that were served longest ago. A tenant has half of the slots of failing jobs: one is always near for another tenant's.
import type { Uuid } from '../kernel/index.ts';
import type { JobKey } from './job.ts';
import type { InvocationContext } from './processor.ts';

const FIRST_WINDOW = 4;
const FAILURES = 5;
const SLOW_MS = 2_000;
/** A slot that was reserved counts as used for this long, until its execution begins. */
const RESERVED_MS = 100;
const MOST_REMEMBERED = 10_000;

/** The end of an attempt, as evidence about the address. An attempt that was not sent, or that the worker ended, says nothing. */
export type Judged = 'success' | 'failure' | 'gone' | 'aborted' | 'not_sent';

interface State {
  window: number;
  failures: number;
  inFlight: number;
  /** The turn in which it was last served; 0: never. */
  servedAt: number;
  /** Empty until it is served. */
  tenantId: Uuid;
}

/** A failing job with nothing in flight. */
interface Candidate extends Pick<State, 'servedAt'> {
  readonly id: Uuid;
}

interface Reserved {
  readonly tenantId: Uuid;
  readonly atMs: number;
}

export class Circuit {
  readonly #states = new Map<Uuid, State>();
  /** When the slots were reserved that no execution has begun in yet. */
  readonly #reserved = new Map<Uuid, Reserved>();
  /** Failing jobs with an execution in flight. */
  #failingBusy = 0;
  readonly #failingBusyOf = new Map<Uuid, number>();
  #turn = 0;
  readonly #share: number;
  readonly #mostFailing: number;
  readonly #mostFailingOfTenant: number;
  readonly #nowMs: () => number;

  constructor(
    { concurrency, share }: { readonly concurrency: number; readonly share: number },
    nowMs = performance.now.bind(performance),
  ) {
    this.#share = share;
    this.#mostFailing = Math.max(1, Math.floor(concurrency / 2));
    this.#mostFailingOfTenant = Math.ceil(this.#mostFailing / 2);
    this.#nowMs = nowMs;
  }

  /** Executions of the job that may be in flight. */
  limitOf(id: Uuid): number {
    const state = this.#states.get(id);
    if (!state) return Math.min(FIRST_WINDOW, this.#share);
    return isFailing(state) ? 1 : Math.min(state.window, this.#share);
  }

  /** Those of the jobs that one claim may serve: all that do not fail, and as many failing ones as have a free slot. */
  choose(jobs: Iterable<JobKey>): ReadonlySet<Uuid> {
    const chosen = new Set<Uuid>();
    const failing = new Map<Uuid, Candidate[]>();
    this.#dropReserved();
    for (const { tenantId, jobId: id } of jobs) {
      const state = this.#states.get(id);
      if (!state || !isFailing(state)) chosen.add(id);
      else if (state.inFlight === 0 && !this.#reserved.has(id)) {
        const own = failing.get(tenantId) ?? [];
        own.push({ id, servedAt: state.servedAt });
        failing.set(tenantId, own);
      }
    }
    const free = Math.max(0, this.#mostFailing - this.#failingBusy - this.#reserved.size);
    for (const { id } of this.#inTurns(failing).slice(0, free)) chosen.add(id);
    return chosen;
  }

  /** A claim serves the job. */
  reserve({ tenantId, jobId: id }: JobKey): void {
    const state = this.#states.get(id);
    if (!state || !isFailing(state)) return;
    state.servedAt = this.#turn += 1;
    this.#reserved.set(id, { tenantId, atMs: this.#nowMs() });
  }

  began({ tenantId, jobId: id }: JobKey): void {
    this.#reserved.delete(id);
    this.#change(id, (state) => {
      state.tenantId = tenantId;
      state.inFlight += 1;
    });
  }

  ended(id: Uuid, judged: Judged | null): void {
    this.#change(id, (state) => {
      state.inFlight = Math.max(0, state.inFlight - 1);
      if (judged === 'success') {
        state.failures = 0;
        state.window = Math.min(this.#share, state.window + 1);
      } else if (judged === 'failure' || judged === 'gone') {
        state.failures += 1;
        state.window = Math.max(1, Math.floor(state.window / 2));
      }
    });
  }

  /** Runs one execution. Its last attached record, which is the one that is stored, counts for its job. */
  async run<T>(
    job: JobKey,
    context: Pick<InvocationContext, 'attach'>,
    work: (attach: (record: { readonly judged: Judged }) => void) => Promise<T>,
  ): Promise<T> {
    let judged: Judged | null = null;
    const beganMs = this.#nowMs();
    this.began(job);
    try {
      return await work((record) => {
        judged = record.judged;
        context.attach(record);
      });
    } finally {
      this.ended(job.jobId, judged === 'success' && this.#nowMs() - beganMs > SLOW_MS ? 'failure' : judged);
    }
  }

  #change(id: Uuid, change: (state: State) => void): void {
    const state = this.#stateOf(id);
    const before = isFailing(state) && state.inFlight > 0;
    change(state);
    const after = isFailing(state) && state.inFlight > 0;
    if (before === after) return;
    const one = after ? 1 : -1;
    this.#failingBusy += one;
    const own = (this.#failingBusyOf.get(state.tenantId) ?? 0) + one;
    if (own > 0) this.#failingBusyOf.set(state.tenantId, own);
    else this.#failingBusyOf.delete(state.tenantId);
  }

  /** The n-th slot of a tenant comes after the slots below n of every other tenant, and within its bound. */
  #inTurns(failing: ReadonlyMap<Uuid, readonly Candidate[]>): Candidate[] {
    const used = new Map(this.#failingBusyOf);
    for (const { tenantId } of this.#reserved.values()) used.set(tenantId, (used.get(tenantId) ?? 0) + 1);
    const ranked = [...failing].flatMap(([tenantId, own]) => {
      const first = used.get(tenantId) ?? 0;
      const open = Math.max(0, this.#mostFailingOfTenant - first);
      return own
        .toSorted((one, other) => one.servedAt - other.servedAt)
        .slice(0, open)
        .map((one, index) => ({ one, slot: first + index }));
    });
    ranked.sort((a, b) => a.slot - b.slot || a.one.servedAt - b.one.servedAt);
    return ranked.map(({ one }) => one);
  }

  /** Oldest first: they were set in that order. */
  #dropReserved(): void {
    const nowMs = this.#nowMs();
    for (const [id, { atMs }] of this.#reserved) {
      if (nowMs - atMs < RESERVED_MS) return;
      this.#reserved.delete(id);
    }
  }

  #stateOf(id: Uuid): State {
    let state = this.#states.get(id);
    if (!state) {
      if (this.#states.size >= MOST_REMEMBERED) this.#forgetOne();
      state = { window: FIRST_WINDOW, failures: 0, inFlight: 0, servedAt: 0, tenantId: '' };
      this.#states.set(id, state);
    }
    return state;
  }

  #forgetOne(): void {
    for (const [id, { inFlight }] of this.#states) {
      if (inFlight > 0) continue;
      this.#states.delete(id);
      return;
    }
  }
}

const isFailing = ({ failures }: State): boolean => failures >= FAILURES;
