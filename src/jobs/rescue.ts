// Takes back what lost its worker, its processor or its job. Any number of processes may do this at once.
//
//   dead workers        their row goes first: from then on they claim nothing, and their late results have no row to change. Then
//                       their attempts fail as lost, and are tried again at once. A process that dies in between leaves running rows whose
//                       worker has no row, which the next run finds: the order of the two steps is all that is needed
//   missing processors  executions that were due while no worker had their processor, for an hour by default, fail for good
//   deleted jobs        executions that wait are cancelled. A job is done with, and not looked at again, once none waits or runs and
//                       the rescuer had the matcher's lock: a take that still saw the job has then ended
//
// A row that cannot be changed is found by halves, reported and left out for as long as this process runs; the others go on.
import type { Database, Transaction } from '../db/index.ts';
import { bisect } from '../db/index.ts';
import type { LoopDefinition, Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import { noteWakeUp } from '../queue/index.ts';
import { readClocks } from '../tenants/index.ts';
import type { Attempt } from './attempt.ts';
import { cancelWaiting } from './cancel-store.ts';
import type { FailureCode } from './execution.ts';
import { FAILURE_CODES } from './execution.ts';
import { failAttempts } from './fail-attempts.ts';
import type { JobKey } from './job.ts';
import { tryLockMatcher } from './match-store.ts';
import {
  deleteDeadWorkers,
  deletedJobs,
  hasExecutions,
  lockAttemptsIfFree,
  lockDeletedJobIfFree,
  lockWaitingIfFree,
  lostAttempts,
  markSwept,
  unservedJobs,
  waitingSince,
} from './rescue-store.ts';

export interface RescuerOptions {
  /** How long no worker may have announced a processor before its due executions fail, in milliseconds; default an hour. */
  readonly missingProcessorMs?: number | undefined;
  /** Called for an execution or a job that could not be changed. Default: none. */
  readonly onSetAside?: ((kind: 'execution' | 'job', id: Uuid, error: unknown) => void) | undefined;
  /** Rows of one transaction. */
  readonly atOnce?: number;
}

const HOUR_MS = 3_600_000;
const POLL_MS = 500;
const AT_ONCE = 500;
/** Missing processors are looked for this often: an hour need not be exact to the second. */
const LOOK_EVERY_MS = 15_000;
const JOBS_AT_ONCE = 20;
/** Rows that are left out at most; beyond them the oldest are tried again. */
const MOST_SET_ASIDE = 1_000;

/** Before all jobs. */
const FIRST: JobKey = { tenantId: NIL_UUID, jobId: NIL_UUID };
const LOST = 'the worker that ran this attempt died, or lost its lease';
const DELETED = 'the job was deleted while the execution waited';

export interface Rescuer {
  /** Dead workers, and attempts that were taken back from them. */
  takeBack(): Promise<{ readonly dead: number; readonly rescued: number; readonly more: boolean }>;
  failMissing(): Promise<number>;
  cancelDeleted(): Promise<{ readonly cancelled: number; readonly more: boolean }>;
}

export function createRescuer(db: Database, options: RescuerOptions = {}): Rescuer {
  const { missingProcessorMs = HOUR_MS, atOnce = AT_ONCE } = options;
  const setAside = new Set<Uuid>();
  let lastJob: JobKey = FIRST;

  const leaveOut = (kind: 'execution' | 'job', id: Uuid, error: unknown): void => {
    for (const oldest of setAside) if (setAside.size >= MOST_SET_ASIDE) setAside.delete(oldest);
    setAside.add(id);
    options.onSetAside?.(kind, id, error);
  };

  const fail = async <A extends Attempt>(
    attempts: readonly A[],
    why: (attempt: A) => { readonly code: FailureCode; readonly error: string },
    how: { readonly permanent?: boolean; readonly atOnce?: boolean },
  ): Promise<number> => {
    const byId = new Map(attempts.map((one) => [one.executionId, why(one)]));
    const failSome = (some: readonly A[]): Promise<number> =>
      db.transaction(
        async (tx) => {
          const held = await lockAttemptsIfFree(tx, some);
          const failures = held.map((one) => ({ ...one, ...reasonOf(byId, one), ...how }));
          const failed = await failAttempts(tx, failures);
          if (failed.some(({ nextAt }) => nextAt !== null)) noteWakeUp(tx, 'executions_due');
          return failed.length;
        },
        { probes: true },
      );
    const done = await bisect(attempts, failSome, (one, error) => leaveOut('execution', one.executionId, error));
    return done.reduce((sum, count) => sum + count, 0);
  };

  return {
    async takeBack() {
      const dead = await db.transaction(deleteDeadWorkers);
      const lost = await lostAttempts(db, atOnce, [...setAside]);
      const rescued = await fail(lost, () => ({ code: 'WORKER_LOST', error: LOST }), { atOnce: true });
      return { dead: dead.length, rescued, more: rescued > 0 && lost.length === atOnce };
    },

    async failMissing() {
      const jobs = await unservedJobs(db, missingProcessorMs);
      if (jobs.length === 0) return 0;
      const { now, clocks } = await timesOf(db, [...new Set(jobs.map((job) => job.tenantId))]);
      const before = new Date(now.getTime() - missingProcessorMs);
      const due = jobs.map(({ tenantId, jobId }) => {
        const clock = clocks.get(tenantId);
        // A test clock does not move by itself: an execution was not due for an hour by it.
        return { tenantId, jobId, clockId: clock?.clockId ?? null, before: clock?.now ?? before };
      });
      const names = new Map(jobs.map(({ jobId, processorName }) => [jobId, processorName]));
      const waiting = await waitingSince(db, due, atOnce, [...setAside]);
      return fail(
        waiting,
        ({ jobId }) => ({
          code: 'PROCESSOR_MISSING',
          error: `no worker has announced the processor "${names.get(jobId) ?? ''}" for ${missingProcessorMs / 1_000} seconds`,
        }),
        { permanent: true },
      );
    },

    async cancelDeleted() {
      const jobs = await deletedJobs(db, lastJob, JOBS_AT_ONCE);
      lastJob = jobs.length < JOBS_AT_ONCE ? FIRST : (jobs.at(-1) ?? lastJob);
      let cancelled = 0;
      let more = jobs.length === JOBS_AT_ONCE;
      const cancelOf = (job: JobKey): Promise<number> =>
        db.transaction((tx) => cancelWaitingOf(tx, job, atOnce), { probes: true });
      for (const job of jobs.filter(({ jobId }) => !setAside.has(jobId))) {
        const [count = 0] = await bisect(
          [job],
          () => cancelOf(job),
          ({ jobId }, error) => leaveOut('job', jobId, error),
        );
        cancelled += count;
        more ||= count === atOnce;
      }
      return { cancelled, more };
    },
  };
}

const reasonOf = (
  reasons: ReadonlyMap<Uuid, { readonly code: FailureCode; readonly error: string }>,
  { executionId }: Attempt,
): { readonly code: FailureCode; readonly error: string } =>
  reasons.get(executionId) ?? { code: 'WORKER_LOST', error: LOST };

async function timesOf(
  db: Database,
  tenantIds: readonly Uuid[],
): Promise<{ now: Date; clocks: Awaited<ReturnType<typeof readClocks>> }> {
  return db.transaction(async (tx) => ({ now: tx.begunAt as Date, clocks: await readClocks(tx, tenantIds) }));
}

/** The owner of a managed job was deleted: that is what its caller knows. */
const OWNERS: Readonly<Record<string, FailureCode>> = {
  'webhook-delivery': 'ENDPOINT_DELETED',
  notification: 'CHANNEL_DELETED',
};

function causeOf(processorName: string): { readonly code: FailureCode; readonly error: string } {
  const code = Object.hasOwn(OWNERS, processorName) ? OWNERS[processorName] : undefined;
  return code === undefined ? { code: 'EXECUTION_CANCELLED', error: DELETED } : { code, error: FAILURE_CODES[code] };
}

async function cancelWaitingOf(tx: Transaction, job: JobKey, limit: number): Promise<number> {
  const processorName = await lockDeletedJobIfFree(tx, job);
  if (processorName === null) return 0;
  const clock = (await readClocks(tx, [job.tenantId])).get(job.tenantId);
  const clockId = clock?.clockId ?? null;
  const waiting = await lockWaitingIfFree(tx, job, clockId, limit);
  if (waiting.length > 0) {
    const endedAt = clock?.now ?? (tx.begunAt as Date);
    await cancelWaiting(tx, job.tenantId, waiting, { ...causeOf(processorName), endedAt });
  }
  // With the lock no take is under way, and later ones see that the job is deleted; the job's own lock keeps a backfill away.
  if (waiting.length < limit && (await tryLockMatcher(tx)) && !(await hasExecutions(tx, job, clockId)))
    await markSwept(tx, job);
  return waiting.length;
}

export function rescuerLoop(db: Database, options: RescuerOptions = {}): LoopDefinition {
  const rescuer = createRescuer(db, options);
  let lookedAtMs = -Infinity;
  return {
    name: 'rescuer',
    pollMs: POLL_MS,
    async runOnce(_signal, resident) {
      const failures: unknown[] = [];
      /** If one of the three fails, the others are done all the same. */
      const trying = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> =>
        work().catch((error: unknown) => (failures.push(error), otherwise));
      const back = await trying(() => rescuer.takeBack(), { dead: 0, rescued: 0, more: false });
      const ended = await trying(() => rescuer.cancelDeleted(), { cancelled: 0, more: false });
      const lookForMissing = async (): Promise<number> => {
        if (resident && performance.now() - lookedAtMs < LOOK_EVERY_MS) return 0;
        const missing = await rescuer.failMissing();
        // If there were some, there may be more.
        if (missing === 0) lookedAtMs = performance.now();
        return missing;
      };
      const missing = await trying(lookForMissing, 0);
      if (failures.length > 0) throw failures[0];
      const { dead, rescued } = back;
      const counts = { dead, rescued, missing, cancelled: ended.cancelled };
      return { counts, more: back.more || ended.more || missing > 0 };
    },
  };
}
