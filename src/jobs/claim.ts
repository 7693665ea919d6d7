// Which executions to take next. Waiting executions are ordered by (tenant, job, due instant); a claim takes from many jobs at once, so that one
// tenant's million does not delay another's ten.
//
// A *sweep* finds the jobs that have something waiting: one index probe for each of them, however many executions wait and however many
// jobs have none. It begins each job at its first row. It runs five times a second, or soon after a wake-up; one that took t is not
// repeated for 20 t.
//
// Between sweeps each job has a *mark*, the last row taken, and claims begin behind it. Rows that were claimed or ended are gone, but while any
// old snapshot is open anywhere they are still in the index, and a scan from the beginning would step over every one of them on every
// claim. A *look* goes a little back behind the marks, some times a second and whenever nothing was found, for rows that were made due at once
// and committed late. Rows further back (a due instant that was moved, an execution that was given back) are found by the next sweep.
//
// Limits: the free slots of the worker, shared by tenant and then by job, in turns; slots of a tenant and of a job in the worker; running
// executions of a job over all workers, counted under the lock of the job; executions of a job in a second.
import type { Sql, Transaction } from '../db/index.ts';
import { readLiveClock } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { MAX_UUID, NIL_UUID, Throttle } from '../kernel/index.ts';
import { presentTimes } from '../tenants/index.ts';
import type { ClockJobKey, QueueMark, WaitingJob, WaitingOfClocks } from './claim-store.ts';
import {
  firstWaiting,
  giveBackRates,
  listWaitingJobs,
  listWaitingOfClocks,
  takeRates,
  tryLockJobs,
} from './claim-store.ts';
import type { JobKey } from './job.ts';
import type { ClaimRange, ClaimedExecution } from './queue-store.ts';
import { claimExecutions } from './queue-store.ts';
import type { KeptFree, Quota } from './shares.ts';
import { Shares } from './shares.ts';

/** How far behind its mark a job is looked at again, and how often while there is always something to take. */
const SET_BACK_MS = 2_000;
const LOOK_EVERY_MS = 50;
const SWEEP_EVERY_MS = 200;
/** How soon to try again when a limit held something back. */
const HELD_BACK_MS = 50;
/** Jobs that one sweep finds at most; the next sweep continues behind them. */
const JOBS_A_SWEEP = 5_000;
/** The same for jobs of test tenants, and how often one sweep goes on while none of them has something due. */
const OF_CLOCKS_A_PAGE = 1_000;
const PAGES_A_SWEEP = 10;

/** A job with waiting executions, as the last look found it. */
export interface Waiting extends JobKey, Pick<WaitingJob, 'processorName' | 'timeoutMs'> {
  readonly clockId: Uuid | null;
  readonly maxConcurrency: number | null;
  readonly maxPerSecond: number | null;
  /** The time of a test tenant when it was found; null: the server's. */
  readonly testNow: Date | null;
  /** The last row taken: nothing is left before it, as far as is known. */
  mark: QueueMark | null;
  /** The first due instant beyond the mark; null when there was none, or it was taken. */
  nextDueAt: Date | null;
}

/** A job as its processor limits it. */
export type ServedJob = Pick<Waiting, 'tenantId' | 'jobId' | 'processorName'>;

export interface ClaimRequest {
  readonly workerId: Uuid;
  readonly processors: readonly string[];
  readonly limit: number;
  /** How many more executions of a tenant this worker may run. */
  readonly roomOf: (tenantId: Uuid) => number;
  /** How many more executions of a job this worker may run. Default: as many as there are slots. */
  readonly roomOfJob?: (job: JobKey & { readonly processorName: string }) => number;
  /** Default: none are kept. */
  readonly kept?: KeptFree;
  /** Jobs that this claim may serve, among jobs with room and something due. Default: all. */
  readonly chooseJobs?: <J extends ServedJob>(jobs: readonly J[]) => readonly J[];
  /** Called once for each job that the claim took something of. */
  readonly reserveJob?: (job: ServedJob) => void;
  /** Look everywhere before saying that nothing is due. */
  readonly thorough?: boolean;
  /** By a wake-up: there may be a job that is not known yet. */
  readonly woken?: boolean;
}

export interface Claim {
  readonly rows: readonly ClaimedExecution[];
  /** Something is due that a limit does not let start. */
  readonly heldBack: boolean;
  /** A job has as many running executions in this worker as it may. */
  readonly isCrowded: boolean;
  /** How long until the next execution is due, if that is known. */
  readonly nextInMs: number | null;
}

export class ExecutionClaimer {
  #waiting: Waiting[] = [];
  #swept = new Throttle();
  #looked = new Throttle();
  #sweepAsked = false;
  /** The job behind which the next sweep begins, after one that found too many jobs. */
  #sweepAfter: JobKey | null = null;
  /** The same for test clocks: one that is not advanced may have something waiting for ever. */
  #clocksAfter: ClockJobKey | null = null;
  readonly #shares = new Shares();
  /** Ends with the claim before. */
  #turn: Promise<unknown> = Promise.resolve();

  /** After an error or a change of the processors: the marks are of a claim that may not have happened. */
  reset(): void {
    this.#waiting = [];
    this.#swept = new Throttle();
    this.#looked = new Throttle();
    this.#sweepAfter = null;
    this.#clocksAfter = null;
  }

  /**
   * Claims up to `limit` executions. Real time paces the sweeps; what is due is decided by the tenants' clocks. Claims
   * of one worker take turns: one that ran beside another would step over every row that the other has locked. Its turn
   * ends before its transaction does, so that the next one begins behind its rows while it reads events and commits.
   */
  claim(tx: Transaction, request: ClaimRequest): Promise<Claim> {
    const claim = this.#turn.then(() => this.#claim(tx, request));
    this.#turn = claim.catch(() => undefined);
    return claim;
  }

  async #claim(tx: Transaction, request: ClaimRequest): Promise<Claim> {
    const { now } = await readLiveClock(tx);
    this.#sweepAsked ||= request.woken ?? false;
    if (this.#swept.isDue(this.#sweepAsked ? LOOK_EVERY_MS : SWEEP_EVERY_MS))
      await this.#swept.run(() => this.#sweep(tx, request));
    else if (this.#looked.isDue(LOOK_EVERY_MS)) await this.#looked.run(() => this.#look(tx));
    let taken = await this.#take(tx, request, now);
    if (taken.rows.length === 0 && !taken.heldBack) {
      await (request.thorough
        ? this.#swept.run(() => this.#sweep(tx, request))
        : this.#looked.run(() => this.#look(tx)));
      taken = await this.#take(tx, request, now);
    }
    return { ...taken, nextInMs: this.#nextInMs(now) };
  }

  async #sweep(sql: Sql, { processors }: ClaimRequest): Promise<void> {
    this.#sweepAsked = false;
    const { jobs, next } = await listWaitingJobs(sql, processors, this.#sweepAfter, JOBS_A_SWEEP);
    this.#sweepAfter = next;
    const live = jobs.map((job): Waiting => waitingOf(job, null, null));
    this.#waiting = [...live, ...(await this.#ofClocks(sql, processors))];
    this.#shares.keepOnly(new Set(this.#waiting.map(({ tenantId }) => tenantId)));
  }

  /** The next jobs of test tenants that have something due; around to the first, if need be. */
  async #ofClocks(sql: Sql, processors: readonly string[]): Promise<Waiting[]> {
    let isRound = this.#clocksAfter === null;
    for (let page = 0; page < PAGES_A_SWEEP; page += 1) {
      const { jobs, next } = await listWaitingOfClocks(sql, processors, this.#clocksAfter, OF_CLOCKS_A_PAGE);
      this.#clocksAfter = next;
      const due = jobs.length === 0 ? [] : await dueByClocks(sql, jobs);
      if (due.length > 0 || (next === null && isRound)) return due;
      isRound ||= next === null;
    }
    return [];
  }

  /** Finds out which known jobs have anything beyond their marks, looking from a little before them. */
  async #look(sql: Sql): Promise<void> {
    const live = this.#waiting.filter(({ clockId }) => clockId === null);
    if (live.length === 0) return;
    const probes = live.map(({ tenantId, jobId, mark }) => ({ tenantId, jobId, mark: setBack(mark) }));
    const found = await firstWaiting(sql, probes);
    for (const job of live) {
      job.nextDueAt = found.get(job.jobId) ?? null;
      const isBehind = job.mark !== null && job.nextDueAt !== null && job.nextDueAt <= job.mark.dueAt;
      if (isBehind) job.mark = setBack(job.mark);
    }
  }

  async #take(tx: Transaction, request: ClaimRequest, now: Date): Promise<Omit<Claim, 'nextInMs'>> {
    const due = this.#waiting.filter(({ nextDueAt, testNow }) => nextDueAt !== null && nextDueAt <= (testNow ?? now));
    if (due.length === 0) return { rows: [], heldBack: false, isCrowded: false };
    const { roomOfJob, chooseJobs, reserveJob } = request;
    const roomy = roomOfJob ? due.filter((job) => roomOfJob(job) > 0) : due;
    const open = chooseJobs ? chooseJobs(roomy) : roomy;
    const isCrowded = open.length < due.length;
    const quotas = this.#shares.share(open, request.limit, request.roomOf, roomOfJob, request.kept);
    const ranges = await rangesOf(tx, quotas, now);
    if (ranges.length === 0) return { rows: [], heldBack: true, isCrowded };
    const live = ranges.filter(({ clockId }) => clockId === null);
    const [rows, ahead] = await tx.together([
      () => claimExecutions(tx, request.workerId, ranges, now),
      () =>
        live.length === 0
          ? Promise.resolve(new Map<Uuid, Date>())
          : firstWaiting(
              tx,
              live.map(({ tenantId, jobId }) => ({ tenantId, jobId, mark: { dueAt: now, id: MAX_UUID } })),
            ),
    ]);
    const counts = this.#advance(ranges, quotas, rows, ahead);
    // Not for a job that had nothing to give after all: its slot would stay reserved, and it would be passed over for a moment.
    if (reserveJob) for (const { job } of quotas) if (counts.has(job.jobId)) reserveJob(job);
    await giveBackUnusedRates(tx, ranges, counts);
    const isShort = ({ jobId, isLocked, limit }: ClaimRange): boolean => isLocked && (counts.get(jobId) ?? 0) < limit;
    const heldBack =
      isCrowded ||
      ranges.length < quotas.length ||
      ranges.some(isShort) ||
      (request.kept !== undefined && request.kept.general <= 0) ||
      due.some(({ tenantId }) => request.roomOf(tenantId) <= 0);
    return { rows, heldBack, isCrowded };
  }

  /** Moves the marks to the last row taken. A job that gave less than it might have is drained, or its limit is used up. */
  #advance(
    ranges: readonly ClaimRange[],
    quotas: readonly Quota[],
    rows: readonly ClaimedExecution[],
    ahead: ReadonlyMap<Uuid, Date>,
  ): Map<Uuid, number> {
    const limits = new Map(ranges.map(({ jobId, limit }) => [jobId, limit]));
    const taken = Map.groupBy(rows, ({ jobId }) => jobId);
    for (const { job } of quotas) {
      const limit = limits.get(job.jobId);
      if (limit === undefined) continue;
      const own = taken.get(job.jobId) ?? [];
      for (const { dueAt, executionId } of own) {
        const last = { dueAt, id: executionId };
        if (!job.mark || isBefore(job.mark, last)) job.mark = last;
      }
      // A job that gave some and has a limit of running executions may have more that is due.
      const isDrained = own.length < limit && (own.length === 0 || job.maxConcurrency === null);
      if (isDrained) job.nextDueAt = ahead.get(job.jobId) ?? null;
    }
    return new Map([...taken].map(([jobId, own]) => [jobId, own.length]));
  }

  #nextInMs(now: Date): number | null {
    let next = this.#sweepAsked ? Math.max(1, this.#swept.dueInMs(LOOK_EVERY_MS)) : null;
    for (const { nextDueAt, testNow } of this.#waiting) {
      if (!nextDueAt || testNow) continue;
      const aheadMs = nextDueAt.getTime() - now.getTime();
      const inMs = aheadMs > 0 ? aheadMs : HELD_BACK_MS;
      if (next === null || inMs < next) next = inMs;
    }
    return next;
  }
}

async function dueByClocks(sql: Sql, jobs: WaitingOfClocks['jobs']): Promise<Waiting[]> {
  const times = await presentTimes(sql, [...new Set(jobs.map(({ tenantId }) => tenantId))]);
  return jobs.flatMap((job) => {
    const now = times.get(job.tenantId);
    return now && job.firstDueAt <= now ? [waitingOf(job, job.clockId, now)] : [];
  });
}

const waitingOf = (job: WaitingJob, clockId: Uuid | null, testNow: Date | null): Waiting => ({
  tenantId: job.tenantId,
  jobId: job.jobId,
  processorName: job.processorName,
  timeoutMs: job.timeoutMs,
  clockId,
  maxConcurrency: job.maxConcurrency,
  maxPerSecond: job.maxPerSecond,
  testNow,
  mark: null,
  nextDueAt: job.firstDueAt,
});

/** The part of its quota that each job may give: none if it has a limit and its lock is taken, and no more than its rate grants. */
async function rangesOf(tx: Transaction, quotas: readonly Quota[], now: Date): Promise<ClaimRange[]> {
  const limited = quotas.flatMap(({ job }) => (job.maxConcurrency === null ? [] : [job.jobId]));
  const locked = limited.length === 0 ? new Set<Uuid>() : await tryLockJobs(tx, limited);
  const free = quotas.filter(({ job }) => job.maxConcurrency === null || locked.has(job.jobId));
  const rated = free.flatMap(({ job, limit }) =>
    job.maxPerSecond === null
      ? []
      : [{ tenantId: job.tenantId, jobId: job.jobId, maxPerSecond: job.maxPerSecond, wanted: limit }],
  );
  const granted = rated.length === 0 ? new Map<Uuid, number>() : await takeRates(tx, rated);
  return free.flatMap(({ job, limit: shared }): ClaimRange[] => {
    const limit = job.maxPerSecond === null ? shared : (granted.get(job.jobId) ?? 0);
    if (limit === 0) return [];
    const { tenantId, jobId, processorName, timeoutMs, clockId } = job;
    return [
      {
        tenantId,
        jobId,
        processorName,
        timeoutMs,
        clockId,
        now: job.testNow ?? now,
        mark: job.mark ?? startOf(job),
        limit,
        isLocked: locked.has(jobId),
        isRated: job.maxPerSecond !== null,
      },
    ];
  });
}

async function giveBackUnusedRates(
  tx: Transaction,
  ranges: readonly ClaimRange[],
  counts: ReadonlyMap<Uuid, number>,
): Promise<void> {
  const unused = ranges.flatMap(({ tenantId, jobId, limit, isRated }) => {
    const count = isRated ? limit - (counts.get(jobId) ?? 0) : 0;
    return count > 0 ? [{ tenantId, jobId, count }] : [];
  });
  if (unused.length > 0) await giveBackRates(tx, unused);
}

/** A job that was looked at from its beginning has nothing left before what was found. */
const startOf = ({ nextDueAt }: Waiting): QueueMark | null => nextDueAt && { dueAt: nextDueAt, id: NIL_UUID };

const setBack = (mark: QueueMark | null): QueueMark | null =>
  mark && { dueAt: new Date(mark.dueAt.getTime() - SET_BACK_MS), id: mark.id };

function isBefore(a: QueueMark, b: QueueMark): boolean {
  const byTime = a.dueAt.getTime() - b.dueAt.getTime();
  return byTime === 0 ? a.id < b.id : byTime < 0;
}
