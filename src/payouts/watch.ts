// Watches attempts until their chains have decided: asks, sends the same bytes again where they are not seen, and ends what has ended. Attempts
// whose worker died before it signed are given up here as well. Any number of workers may do this at once: an attempt is leased by one.
import type { Database, Transaction } from '../db/index.ts';
import { isConnectionTrouble, isContention } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import { SYSTEM, describeError } from '../kernel/index.ts';
import type { OwnerRules } from '../payments/index.ts';
import { BOUNDED } from '../payments/index.ts';
import type { Pauses } from '../tenants/index.ts';
import { readPauses } from '../tenants/index.ts';
import type { Attempt } from './attempt.ts';
import { LEASE_MS } from './attempt.ts';
import { claimWatched } from './attempt-store.ts';
import { BatchBounds, CallTimeout, bounded, inTurns } from './bounded.ts';
import { inParallel } from './in-parallel.ts';
import type { EndReport, Finding, Found } from './end.ts';
import { endAttempts } from './end.ts';
import type { Rails } from './ports.ts';
import { togetherOrAlone } from './together-or-alone.ts';

export interface WatchOptions {
  readonly rails: Rails;
  readonly ownerRules: OwnerRules;
  readonly confirmEveryMs: number;
  /** Attempts in one transaction. */
  readonly batchSize: number;
  /** Calls to chains at the same time. */
  readonly concurrency: number;
  readonly readClock: (tx: Transaction) => Promise<Clock>;
  /** How long a call to a chain may take, in milliseconds. */
  readonly callTimeoutMs?: number;
  /** Called when a batch threw; its attempts are looked at again one by one when their leases are over. */
  readonly onTrouble?: (paymentId: string, error: unknown) => void;
}

export interface WatchReport extends EndReport {
  readonly claimed: number;
}

const NOTHING: WatchReport = { claimed: 0, settled: 0, returned: 0, reviewed: 0, open: 0, lost: 0 };

export async function watchBatch(db: Database, options: WatchOptions): Promise<WatchReport> {
  const { onTrouble = () => undefined } = options;
  const { clock, claimed, pauses } = await db.transaction(async (tx) => {
    const now = await options.readClock(tx);
    const leaseUntil = new Date(now.now.getTime() + LEASE_MS);
    const watched = await claimWatched(tx, now, leaseUntil, options.batchSize, onTrouble);
    const tenants = [...new Set(watched.map(({ tenantId }) => tenantId))];
    return { clock: now, claimed: watched, pauses: await readPauses(tx, tenants) };
  }, BOUNDED);
  if (claimed.length === 0) return NOTHING;
  // Each chain by itself: what one of them has answered is written while another one is still asked.
  const chains = [...Map.groupBy(claimed, ({ sent }) => sent?.chain ?? '').values()];
  const reports = await Promise.all(
    chains.map(async (attempts) => {
      const bounds = new BatchBounds();
      const turns = inTurns(attempts, ({ tenantId }) => tenantId);
      const found = await inParallel(turns, options.concurrency, (attempt) =>
        lookAt(attempt, clock, pauses, bounds, options),
      );
      return endTogether(db, found, options);
    }),
  );
  return { claimed: claimed.length, ...sumOf(reports) };
}

function sumOf(reports: readonly EndReport[]): EndReport {
  const total = { settled: 0, returned: 0, reviewed: 0, open: 0, lost: 0 };
  for (const report of reports)
    for (const name of ['settled', 'returned', 'reviewed', 'open', 'lost'] as const) total[name] += report[name];
  return total;
}

const OPEN: EndReport = { settled: 0, returned: 0, reviewed: 0, open: 1, lost: 0 };

async function endTogether(db: Database, found: readonly Found[], options: WatchOptions): Promise<EndReport> {
  const { onTrouble = () => undefined } = options;
  const end = (some: readonly Found[]): Promise<EndReport> =>
    db.transaction(
      async (tx) => endAttempts(tx, await options.readClock(tx), some, { caller: SYSTEM, ...options }),
      BOUNDED,
    );
  const reports = await togetherOrAlone(found, {
    tenantOf: ({ attempt }) => attempt.tenantId,
    work: end,
    async failed({ attempt, broadcast = false }, error) {
      onTrouble(attempt.paymentId, error);
      if (!attempt.sent || isContention(error) || isConnectionTrouble(error)) return OPEN;
      // What cannot be booked is not known: watched on, and in review after its time, where a person sees it.
      const finding = { state: 'unknown', reason: 'not_booked' } as const;
      return end([{ attempt, finding, broadcast }]).catch(() => OPEN);
    },
    left: () => OPEN,
  });
  return sumOf(reports);
}

/** One attempt: what its chain says now. An adapter that throws is a chain that did not answer. */
async function lookAt(
  attempt: Attempt,
  clock: Clock,
  pauses: Pauses,
  bounds: BatchBounds,
  { rails, callTimeoutMs }: WatchOptions,
): Promise<Found> {
  const { sent, tenantId } = attempt;
  if (!sent) return { attempt, finding: { state: 'lost' } };
  const rail = rails.of(sent.chain, tenantId);
  if (!rail) return { attempt, finding: { state: 'unknown', reason: 'no_adapter' } };
  if (bounds.isOver || bounds.isSilent(sent.chain)) {
    return { attempt, finding: TIMED_OUT, notAskedSince: attempt.dueSince ?? clock.now };
  }
  const asked = async <T>(call: () => Promise<T>, failed: (reason: string) => T): Promise<T> => {
    try {
      return await bounded(call(), callTimeoutMs);
    } catch (error) {
      bounds.note(error, sent.chain);
      return failed(error instanceof CallTimeout ? 'timeout' : describeError(error));
    }
  };
  const finding = await asked<Finding>(
    () => rail.checkConfirmation(sent.signed, clock),
    (reason) => ({ state: 'unknown', reason }),
  );
  if (bounds.isSilent(sent.chain)) return { attempt, finding };
  // Nothing is sent over a paused chain, also what was signed before. It is watched: it may have been sent already.
  if (finding.state !== 'unknown' || pauses.covers({ ...attempt, rail: sent.chain })) return { attempt, finding };
  // Not seen: it was dropped, or never sent. The same bytes land at most once, so sending them again is always safe.
  const again = await asked(
    () => rail.broadcast(sent.signed, clock),
    (reason) => ({ outcome: 'unknown' as const, reason }),
  );
  if (again.outcome === 'refused')
    return { attempt, finding: { state: 'invalid', reason: again.reason }, broadcast: true };
  return { attempt, finding, broadcast: true };
}

const TIMED_OUT = { state: 'unknown', reason: 'timeout' } as const;
