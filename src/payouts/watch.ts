// Watches attempts until their chains have decided: asks, sends the same bytes again where they are not seen, and ends what has ended. Attempts
// whose worker died before it signed are given up here as well. Any number of workers may do this at once: an attempt is leased by one.
import type { Database, Transaction } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import { SYSTEM, describeError } from '../kernel/index.ts';
import type { OwnerRules } from '../payments/index.ts';
import { BOUNDED } from '../payments/index.ts';
import type { Pauses } from '../tenants/index.ts';
import { readPauses } from '../tenants/index.ts';
import type { Attempt } from './attempt.ts';
import { LEASE_MS } from './attempt.ts';
import { claimWatched } from './attempt-store.ts';
import { inParallel } from './in-parallel.ts';
import type { EndReport, Finding, Found } from './end.ts';
import { endAttempts } from './end.ts';
import type { Rails } from './ports.ts';
import { bounded } from './prepare.ts';

export interface WatchOptions {
  readonly rails: Rails;
  readonly ownerRules: OwnerRules;
  readonly confirmEveryMs: number;
  /** Attempts in one transaction. */
  readonly batchSize: number;
  /** Calls to chains at the same time. */
  readonly concurrency: number;
  readonly readClock: (tx: Transaction) => Promise<Clock>;
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
  const found = await inParallel(claimed, options.concurrency, (attempt) =>
    lookAt(attempt, clock, options.rails, pauses),
  );
  return { claimed: claimed.length, ...(await endTogether(db, found, options)) };
}

/** In one transaction; after an error each alone, so that an attempt that cannot be ended does not keep the others. */
async function endTogether(db: Database, found: readonly Found[], options: WatchOptions): Promise<EndReport> {
  const end = (some: readonly Found[]): Promise<EndReport> =>
    db.transaction(
      async (tx) => endAttempts(tx, await options.readClock(tx), some, { caller: SYSTEM, ...options }),
      BOUNDED,
    );
  try {
    return await end(found);
  } catch (error) {
    if (found.length === 1) {
      options.onTrouble?.(found[0]?.attempt.paymentId ?? '', error);
      return { settled: 0, returned: 0, reviewed: 0, open: 1, lost: 0 };
    }
    const total = { settled: 0, returned: 0, reviewed: 0, open: 0, lost: 0 };
    for (const one of found) {
      const alone = await endTogether(db, [one], options);
      for (const name of ['settled', 'returned', 'reviewed', 'open', 'lost'] as const) total[name] += alone[name];
    }
    return total;
  }
}

/** One attempt: what its chain says now. An adapter that throws is a chain that did not answer. */
export async function lookAt(attempt: Attempt, clock: Clock, rails: Rails, pauses: Pauses): Promise<Found> {
  const { sent, tenantId } = attempt;
  if (!sent) return { attempt, finding: { state: 'lost' } };
  const rail = rails.of(sent.chain, tenantId);
  if (!rail) return { attempt, finding: { state: 'unknown', reason: 'no_adapter' } };
  const finding = await asked<Finding>(
    () => rail.checkConfirmation(sent.signed, clock),
    (reason) => ({
      state: 'unknown',
      reason,
    }),
  );
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

async function asked<T>(call: () => Promise<T>, failed: (reason: string) => T): Promise<T> {
  try {
    return await bounded(call());
  } catch (error) {
    return failed(describeError(error));
  }
}
