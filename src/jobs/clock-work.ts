// Jobs by a test clock. An advance does not run processors: workers do, in real time. It waits at each instant until the tenant's events are
// matched and its due executions have ended, and goes on to the next instant at which one is due, such as a retry.
//
// While it waits the clock does not move, and the tenant can be written to: a processor may call usance, for as long as it runs. Before the clock
// goes on, no more writes are let in, and those that are under way are waited for: until they have ended, this instant has work. A
// caller may keep a transaction open: it is waited for in turns, as executions are, and other clocks go on.
//
// It does not wait for jobs that no live worker can run, and gives up, for the rest of the advance, after a minute in which nothing happened.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Sql, Transaction } from '../db/index.ts';
import { isLockTimeout } from '../db/index.ts';
import { countUnorderedOf, positionBehind } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { noteWakeUp } from '../queue/index.ts';
import type { TimedWork } from '../tenants/index.ts';
import { allowWrites, areWritesAllowed, awaitWrites, refuseWrites, tenantOfTimeline } from '../tenants/index.ts';
import { hasEnabledJob, readTestTenantJobs } from './clock-store.ts';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;
/** How long one step waits: then it is the turn of another clock, if there is one. */
const STEP_MS = 2_000;
const PATIENCE_MS = 60_000;
const BOUNDED = { lockTimeoutMs: 2_000 };

export interface JobClockOptions {
  /** How long to wait while nothing happens, default a minute. */
  readonly patienceMs?: number;
  /** How long one step waits, default 2 s. */
  readonly stepMs?: number;
}

interface State {
  /** There is something to wait for at this instant. */
  readonly isBusy: boolean;
  readonly firstDueAt: Date | null;
  /** Another text if something happened since it was read. */
  readonly signature: string;
}

const NOTHING: State = { isBusy: false, firstDueAt: null, signature: '' };

/** The wait of an advance. */
interface Wait {
  readonly advance: number;
  readonly signature: string;
  readonly sinceMs: number;
  isGivenUp: boolean;
}

/** Its target names it well enough: a later advance to the same instant finds nothing to wait for. */
const advanceOf = ({ until, now }: Clock): number => (until ?? now).getTime();

export function jobsByClock({ patienceMs = PATIENCE_MS, stepMs = STEP_MS }: JobClockOptions = {}): TimedWork {
  const tenants = new Map<Uuid, Uuid>();
  const waits = new Map<Uuid, Wait>();
  /** Clocks that let no more writes in, and whose last ones may not have ended. */
  const closing = new Set<Uuid>();

  const tenantOf = async (sql: Sql, clockId: Uuid): Promise<Uuid | null> => {
    const known = tenants.get(clockId) ?? (await tenantOfTimeline(sql, clockId));
    if (known !== null) tenants.set(clockId, known);
    return known;
  };

  /** Until everything has ended, the step is over (false) or nothing has happened for too long. */
  async function wait(db: Database, tenantId: Uuid, clock: Clock, clockId: Uuid): Promise<boolean> {
    const untilMs = performance.now() + stepMs;
    const advance = advanceOf(clock);
    let pauseMs = FIRST_PAUSE_MS;
    while (performance.now() < untilMs) {
      await pause(pauseMs);
      const { isBusy, signature } = await readState(db, tenantId, clockId, clock.now);
      if (!isBusy) {
        waits.delete(clockId);
        return true;
      }
      const known = waits.get(clockId);
      if (known?.advance === advance && known.signature === signature) {
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
        known.isGivenUp = performance.now() - known.sinceMs > patienceMs;
        if (known.isGivenUp) return true;
      } else {
        waits.set(clockId, { advance, signature, sinceMs: performance.now(), isGivenUp: false });
        pauseMs = FIRST_PAUSE_MS;
      }
    }
    return false;
  }

  return {
    name: 'jobs',
    async nextDue(sql, clock) {
      const tenantId = await tenantOf(sql, clock.clockId);
      if (tenantId === null) return null;
      // Writes may have been let in by a process that died.
      if (closing.has(clock.clockId) || (await areWritesAllowed(sql, tenantId))) return clock.now;
      const known = waits.get(clock.clockId);
      if (known?.isGivenUp && known.advance === advanceOf(clock)) return null;
      const state = await readState(sql, tenantId, clock.clockId, clock.now);
      return state.isBusy ? clock.now : state.firstDueAt;
    },
    async runDue(db, clockId, readClock) {
      const tenantId = await tenantOf(db, clockId);
      if (tenantId === null) return;
      const move = (tx: Transaction): Promise<Clock> => readClock(tx);
      if (!closing.has(clockId)) {
        const clock = await db.transaction(async (tx) => {
          const moved = await move(tx);
          await allowWrites(tx, tenantId);
          // Workers look for what is due by this clock.
          noteWakeUp(tx, 'executions_due');
          return moved;
        }, BOUNDED);
        // Writes stay allowed from one step to the next: a processor may need longer than one.
        if (!(await wait(db, tenantId, clock, clockId))) return;
        await db.transaction(async (tx) => {
          await move(tx);
          await refuseWrites(tx, tenantId);
        }, BOUNDED);
        closing.add(clockId);
      }
      if (await endWrites(db, tenantId, move)) closing.delete(clockId);
    },
  };
}

/** False: a writer takes long, and is waited for again. The lease of the advance is kept. */
async function endWrites(db: Database, tenantId: Uuid, move: (tx: Transaction) => Promise<unknown>): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await awaitWrites(tx, tenantId);
      await move(tx);
    }, BOUNDED);
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await db.transaction(move, BOUNDED);
    return false;
  }
}

async function readState(sql: Sql, tenantId: Uuid, clockId: Uuid, now: Date): Promise<State> {
  // An advance asks at each of its steps, and most tests have no jobs.
  if (!(await hasEnabledJob(sql, tenantId))) return NOTHING;
  const jobs = await readTestTenantJobs(sql, tenantId, clockId);
  const { hasWorker, isJoining, matcherPosition, running, firstDueAt, waiting } = jobs;
  if (!hasWorker) return NOTHING;
  const unordered = await countUnorderedOf(sql, tenantId);
  const isMatched = unordered.count === 0 && matcherPosition >= (await positionBehind(sql, tenantId));
  const isDue = firstDueAt !== null && firstDueAt <= now;
  // The position moves by the events of every tenant: it says something about this one until its own are matched.
  const matched = isMatched ? 'all' : matcherPosition;
  const signature = [unordered.count, matched, running, waiting, firstDueAt?.getTime()].join(' ');
  return { isBusy: !isMatched || isJoining || running > 0 || isDue, firstDueAt, signature };
}
