// Advancing test clocks. One advance is many small transactions, each at the instant of the work it does:
//
//   asked for      the clock says `advancing`; from now on other writes to its tenant are refused
//   claimed        by one process, with a lease in real time and a fence, once the last writer before it has ended
//   a step         the next instant at which anything is due is looked for; the work due then runs, in a transaction that
//                  also moves the clock there and has the fence. Work that this work makes due is found by the next look
//   arrived        nothing is due up to the target: the clock is there, `ready`
//   cancelled      by a caller, between two steps: the clock stays at the last step, `ready`
//
// Failures and their handling:
//   the process dies        its step is gone with its transaction; when the lease is over another goes on from the clock
//   it sleeps and wakes     another has raised the fence: its next write finds no row, and it stops
//   it is cancelled         the same: the cancel raised the fence, and waited for the step that was under way
//   a step throws           another claim retries it; after MAX_TRIES without a step the advance has failed,
//                           and the clock stays at the instant that it reached
//   it never ends           after MAX_STEPS it has failed in the same way, and may be advanced again
import type { Database, Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Clock, LoopDefinition, LoopRun, Uuid } from '../kernel/index.ts';
import { SYSTEM, newBlockId, refused } from '../kernel/index.ts';
import type { Lease, TimedWork } from '../tenants/index.ts';
import { LeaseLost, MAX_STEPS, claimAdvance, endAdvance, moveClock, releaseAdvance } from '../tenants/index.ts';
import { codedMessage } from './trouble.ts';

/** Options of the loop that advances test clocks. */
export interface ClocksOptions {
  /** In the order in which they run at one instant. */
  readonly works: readonly TimedWork[];
  /** In the transaction that says that a clock has arrived. */
  readonly onArrived?: (tx: Transaction, clock: Clock) => Promise<void>;
  /** Called when a step of a clock threw: it is retried, and fails after five tries. */
  readonly onTrouble?: (clockId: Uuid, error: unknown) => void;
  /** Steps of one advance at most, default 100,000. */
  readonly maxSteps?: number;
}

const POLL_MS = 250;
/** Between two steps; while a step runs its transaction has the row. */
const LEASE_MS = 10_000;
const MAX_TRIES = 5;
/** One clock does not keep another from its turn for longer. */
const STRETCH_MS = 5_000;

export function clocksLoop(db: Database, options: ClocksOptions): LoopDefinition {
  return {
    name: 'clocks',
    pollMs: POLL_MS,
    async runOnce(signal): Promise<LoopRun> {
      const lease = await db.transaction((tx) => claimAdvance(tx, LEASE_MS));
      if (!lease) return { counts: { steps: 0 } };
      try {
        const steps = await advance(db, lease, options, signal);
        return { counts: { steps }, more: true };
      } catch (error) {
        if (error instanceof LeaseLost) return { counts: { steps: 0, lost: 1 }, more: true };
        options.onTrouble?.(lease.clock.id, error);
        // Without the database it is the lease's end that frees it.
        await releaseAdvance(db, lease, codedMessage(error)).catch(() => undefined);
        throw error;
      }
    },
  };
}

/** Steps until it has arrived, or its turn is over. */
async function advance(db: Database, lease: Lease, options: ClocksOptions, signal: AbortSignal): Promise<number> {
  const { maxSteps = MAX_STEPS } = options;
  const { clock, tries } = lease;
  const began = clock.advance;
  if (!began) throw new Error('expected an advance to have a target');
  if (tries > MAX_TRIES) {
    const last = began.detail ?? 'the worker stopped before it completed a step';
    const { code, detail } = refused('UNEXPECTED/no_step', { tries: tries - 1, error: last });
    await end(db, lease, { code, detail });
    return 0;
  }
  const turnEndsMs = performance.now() + STRETCH_MS;
  let { now } = clock;
  let steps = 0;
  while (!signal.aborted && performance.now() < turnEndsMs) {
    const next = await nextWork(db, options.works, { clockId: clock.timelineId, now, until: began.to });
    if (!next) {
      await end(db, lease, null, options.onArrived);
      return steps;
    }
    if (began.steps + steps >= maxSteps) {
      const { code, detail } = refused('CLOCK_TOO_MANY_STEPS', { maxSteps });
      await end(db, lease, { code, detail });
      return steps;
    }
    now = next.at;
    await next.work.runDue(db, clock.timelineId, async (tx) => {
      if (!(await moveClock(tx, lease, next.at, LEASE_MS))) throw new LeaseLost();
      steps += 1;
      return { clockId: clock.timelineId, now: next.at, until: began.to };
    });
  }
  await releaseAdvance(db, lease, null);
  return steps;
}

interface NextWork {
  readonly work: TimedWork;
  readonly at: Date;
}

/** The earliest due work up to the target; at one instant, the source that was registered first. */
async function nextWork(
  db: Database,
  works: readonly TimedWork[],
  clock: { readonly clockId: string; readonly now: Date; readonly until: Date },
): Promise<NextWork | null> {
  let first: NextWork | null = null;
  for (const work of works) {
    const due = await work.nextDue(db, clock);
    if (!due || due > clock.until) continue;
    const at = due < clock.now ? clock.now : due;
    if (!first || at < first.at) first = { work, at };
  }
  return first;
}

async function end(
  db: Database,
  lease: Lease,
  failure: { readonly code: string; readonly detail: string } | null,
  onArrived?: ClocksOptions['onArrived'],
): Promise<void> {
  await db.transaction(async (tx) => {
    const endedEventId = newBlockId();
    const ended = await endAdvance(tx, lease, { endedEventId, failure });
    if (!ended?.advance) throw new LeaseLost();
    const { tenantId, id, timelineId, now, advance: done } = ended;
    await onArrived?.(tx, { clockId: timelineId, now });
    await appendEvents(tx, [
      {
        ...SYSTEM,
        id: endedEventId,
        tenantId,
        type: failure ? 'test_clock.advance_failed' : 'test_clock.advanced',
        resource: 'test_clock',
        resourceId: id,
        data: { from: done.from, to: done.to, now, ...failure },
        occurredAt: now,
      },
    ]);
  });
}
