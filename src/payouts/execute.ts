// Executes due payouts, a batch at a time: begin, prepare, commit, send. A crash before the commit leaves leased attempts and loses any bytes, so
// nothing can be sent; a crash after it leaves signed bytes, which the watch sends.
import type { Database, Transaction } from '../db/index.ts';
import { isConnectionTrouble } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import { SYSTEM, describeError } from '../kernel/index.ts';
import type { DueRow, OwnerRules } from '../payments/index.ts';
import { BOUNDED, lockDueIfFree, moveDue } from '../payments/index.ts';
import type { BroadcastOutcome } from '../rails/index.ts';
import { readPauses } from '../tenants/index.ts';
import { noteBroadcasts } from './attempt-store.ts';
import { NONE_BEGUN, beginAttempts } from './begin.ts';
import type { Begun, BegunBatch } from './begin.ts';
import { BatchBounds, bounded, inTurns } from './bounded.ts';
import { commitPrepared } from './commit.ts';
import type { CommitReport, Committed } from './commit.ts';
import { endAttempts } from './end.ts';
import { inParallel } from './in-parallel.ts';
import { togetherOrAlone } from './together-or-alone.ts';
import type { Prepared, PrepareOptions } from './prepare.ts';
import { prepareAttempt } from './prepare.ts';

export interface ExecuteOptions extends PrepareOptions {
  readonly ownerRules: OwnerRules;
  readonly confirmEveryMs: number;
  /** Calls to chains at the same time. */
  readonly concurrency: number;
  readonly simulateFailures: number;
  /** Called when a payout threw where none should: a bug or a corrupted row, for a person to see. */
  readonly onTrouble?: (paymentId: string, error: unknown) => void;
}

export interface Claimed {
  readonly rows: readonly DueRow[];
  readonly nextInMs: number | null;
}

export type ExecuteCounts = Record<string, number>;

/** `claim` takes due rows of payouts within the transaction that begins their attempts. */
export async function executeBatch(
  db: Database,
  claim: (tx: Transaction, clock: Clock) => Promise<Claimed>,
  options: ExecuteOptions,
): Promise<{ readonly counts: ExecuteCounts; readonly claimed: number; readonly nextInMs: number | null }> {
  const { clock, claimed, begun, counts } = await begin(db, claim, options);
  const report = begun.length === 0 ? NONE : await carryOut(db, clock, begun, options);
  return { counts: { ...counts, ...report }, claimed: claimed.rows.length, nextInMs: claimed.nextInMs };
}

interface BegunClaim extends BegunBatch {
  readonly clock: Clock;
  readonly claimed: Claimed;
}

/** One transaction; after an error each payout alone, so that a row that cannot be read does not keep the others. */
async function begin(
  db: Database,
  claim: (tx: Transaction, clock: Clock) => Promise<Claimed>,
  options: ExecuteOptions,
): Promise<BegunClaim> {
  let rows: readonly DueRow[] = [];
  try {
    return await db.transaction(async (tx) => {
      const clock = await options.readClock(tx);
      const claimed = await claim(tx, clock);
      ({ rows } = claimed);
      return { clock, claimed, ...(await beginAttempts(tx, clock, claimed.rows, options)) };
    }, BOUNDED);
  } catch (error) {
    if (rows.length === 0 || isConnectionTrouble(error)) throw error;
    return beginOneByOne(db, rows, options);
  }
}

async function beginOneByOne(db: Database, rows: readonly DueRow[], options: ExecuteOptions): Promise<BegunClaim> {
  const clock = await db.transaction((tx) => options.readClock(tx));
  const begun: Begun[] = [];
  const counts = { ...NONE_BEGUN };
  for (const { tenantId, paymentId } of rows) {
    const keys = [{ tenantId, id: paymentId }];
    try {
      const alone = await db.transaction(async (tx) => {
        const now = await options.readClock(tx);
        const due = (await lockDueIfFree(tx, keys)).filter((row) => row.dueAt <= now.now);
        // Alone it no longer waits for a balance that another transaction holds.
        const impatient = due.map((row) => ({ ...row, blocked: row.blocked + 1 }));
        return beginAttempts(tx, now, impatient, options);
      }, BOUNDED);
      begun.push(...alone.begun);
      for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += alone.counts[name];
    } catch (error) {
      if (isConnectionTrouble(error)) throw error;
      options.onTrouble?.(paymentId, error);
      await setAside(db, keys, options);
    }
  }
  return { clock, claimed: { rows, nextInMs: 0 }, begun, counts };
}

const SET_ASIDE_MS = 15 * 60_000;

const setAside = (db: Database, keys: readonly PaymentKey[], options: ExecuteOptions): Promise<void> =>
  db.transaction(async (tx) => {
    const { now } = await options.readClock(tx);
    const held = await lockDueIfFree(tx, keys);
    await moveDue(
      tx,
      held.map((row) => ({ ...row, dueAt: new Date(now.getTime() + SET_ASIDE_MS) })),
    );
  }, BOUNDED);

type PaymentKey = Parameters<typeof lockDueIfFree>[1][number];

const NONE: CommitReport['counts'] = { submitted: 0, waiting: 0, retrying: 0, failed: 0, lost: 0 };

async function carryOut(
  db: Database,
  clock: Clock,
  begun: readonly Begun[],
  options: ExecuteOptions,
): Promise<CommitReport['counts']> {
  const bounds = new BatchBounds();
  const turns = inTurns(begun, ({ payment }) => payment.tenantId);
  const prepared = await inParallel(turns, options.concurrency, (one) =>
    prepareAttempt(db, clock, one, options, bounds),
  );
  const { committed, counts } = await commitTogether(db, prepared, options);
  await send(db, committed, options);
  return counts;
}

/** In one transaction; after an error each alone. What cannot be committed even alone is given up by the watch, after its lease. */
async function commitTogether(
  db: Database,
  prepared: readonly Prepared[],
  options: ExecuteOptions,
): Promise<CommitReport> {
  const commit = (some: readonly Prepared[]): Promise<CommitReport> =>
    db.transaction(
      async (tx) => commitPrepared(tx, await options.readClock(tx), some, options.confirmEveryMs),
      BOUNDED,
    );
  const reports = await togetherOrAlone(prepared, {
    tenantOf: ({ begun }) => begun.payment.tenantId,
    work: commit,
    failed: ({ begun }, error) => {
      options.onTrouble?.(begun.payment.id, error);
      return Promise.resolve({ committed: [], counts: { ...NONE } });
    },
    left: () => ({ committed: [], counts: { ...NONE } }),
  });
  const counts = { ...NONE };
  for (const report of reports)
    for (const name of ['submitted', 'waiting', 'retrying', 'failed', 'lost'] as const)
      counts[name] += report.counts[name];
  return { committed: reports.flatMap(({ committed }) => committed), counts };
}

/** Sends committed bytes. Whatever the answer is, the watch goes on; only bytes that are invalid by themselves end their attempt here. */
async function send(db: Database, committed: readonly Committed[], options: ExecuteOptions): Promise<void> {
  if (committed.length === 0) return;
  const tenants = [...new Set(committed.map(({ attempt }) => attempt.tenantId))];
  const { clock, pauses } = await db.transaction(async (tx) => ({
    clock: await options.readClock(tx),
    pauses: await readPauses(tx, tenants),
  }));
  const answers = await inParallel(committed, options.concurrency, async ({ attempt, rail }) => {
    // Paused since the commit: the watch sends it when the pause is lifted.
    if (pauses.covers({ ...attempt, rail: rail.chain }))
      return { outcome: 'unknown', reason: 'paused' } satisfies BroadcastOutcome;
    try {
      return await bounded(rail.broadcast(attempt.sent.signed, clock), options.callTimeoutMs);
    } catch (error) {
      return { outcome: 'unknown', reason: describeError(error) } satisfies BroadcastOutcome;
    }
  });
  const noted = committed.flatMap(({ attempt }, index) => {
    const answer = answers[index];
    return answer && answer.outcome !== 'refused'
      ? [{ ...attempt, lastSeen: answer.outcome === 'accepted' ? 'accepted' : answer.reason }]
      : [];
  });
  const invalid = committed.flatMap(({ attempt }, index) => {
    const answer = answers[index];
    return answer?.outcome === 'refused'
      ? [{ attempt, finding: { state: 'invalid' as const, reason: answer.reason }, broadcast: true }]
      : [];
  });
  if (noted.length > 0) await noteBroadcasts(db, noted);
  if (invalid.length === 0) return;
  await db.transaction(
    async (tx) => endAttempts(tx, await options.readClock(tx), invalid, { caller: SYSTEM, ...options }),
    BOUNDED,
  );
}
