// Settling what is due: a batch is claimed and settled in one transaction. Any number of processors may do this at once.
//
// What can go wrong, and what is done:
//   a balance is held elsewhere   the batch waits at most LOCK_WAIT_MS, then runs again with its payments marked; those
//   (or a payment's own row)      never wait again, go back where they cannot have their balances, and hold up nobody
//   the batch fails unexpectedly  its payments run again, each alone; the one that fails alone too has the attempt counted
//   the process dies              the transaction is gone, the due rows are free, another processor takes them
import type { Database, Transaction } from '../db/index.ts';
import { isConnectionTrouble, isContention } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { SYSTEM, delayAfterAttempt, refused } from '../kernel/index.ts';
import { LeaseLost } from '../tenants/index.ts';
import { openBatch, writeBatch } from './batch.ts';
import type { Claimer } from './claim.ts';
import type { Outcome } from './decide.ts';
import { DEFERRED_FOR_MS } from './decide.ts';
import type { DueRow } from './due-store.ts';
import { lockDueIfFree, moveDue } from './due-store.ts';
import { Foresight } from './foresight.ts';
import { retryAt, retryPolicyOf } from './payment.ts';
import type { SettleOptions } from './settle.ts';
import { Misjudged, settleRows } from './settle.ts';

export interface SettleReport {
  readonly claimed: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Null while there may be more; else how long until the next payment is due (or null again when there is none). */
  readonly nextInMs: number | null;
  /** How late each payment was when it was claimed. */
  readonly lateMs?: readonly number[];
}

const LOCK_WAIT_MS = 1_000;
const SET_ASIDE_MS = 15 * 60_000;
export const BOUNDED = { lockTimeoutMs: LOCK_WAIT_MS, probes: true };

/** Claims and settles one batch of live payments. */
export async function settleDue(db: Database, claimer: Claimer, options: SettleOptions): Promise<SettleReport> {
  let claimed: readonly DueRow[] = [];
  let lateMs: readonly number[] = [];
  try {
    return await db.transaction(async (tx) => {
      // A try before this one was undone, and what was noted of it with it.
      options.tried?.clear();
      const clock = await options.readClock(tx);
      const readAtMs = performance.now();
      const { batchSize, resident, woken = false } = options;
      const claim = await claimer.claim(tx, clock, batchSize, { thorough: !resident, woken });
      claimed = claim.rows;
      lateMs = claimed.map((row) => clock.now.getTime() - row.dueAt.getTime());
      const outcomes = await settleRows(tx, clock, claim.rows, {
        foresight: new Foresight(),
        ...options,
        begunMs: readAtMs,
      });
      // Counted from when the clock was read: what this took is not slept again.
      const nextInMs = claim.nextInMs === null ? null : Math.max(0, claim.nextInMs - (performance.now() - readAtMs));
      return { claimed: claim.rows.length, outcomes, nextInMs, lateMs };
    }, BOUNDED);
  } catch (error) {
    if (claimed.length === 0) throw error;
    return { ...(await recover(db, claimed, options, error)), lateMs };
  }
}

/** Every way is tried once, from the quickest to the most careful. */
async function recover(
  db: Database,
  rows: readonly DueRow[],
  options: SettleOptions,
  error: unknown,
): Promise<SettleReport> {
  if (error instanceof Misjudged) {
    options.foresight?.failed();
    return settleAgain(db, rows, options).catch((worse: unknown) => recover(db, rows, options, worse));
  }
  if (!isContention(error)) return settleOneByOne(db, rows, options, error);
  return settleImpatiently(db, rows, options).catch((worse: unknown) => settleOneByOne(db, rows, options, worse));
}

/** The same rows, nothing foreseen. */
async function settleAgain(db: Database, rows: readonly DueRow[], options: SettleOptions): Promise<SettleReport> {
  const { foresight: _, ...careful } = options;
  return retryRows(db, rows, careful, (tx, clock, held) => settleRows(tx, clock, held, careful));
}

/** The same rows without waiting for any balance: who cannot have theirs goes back and is tried alone later. */
async function settleImpatiently(db: Database, rows: readonly DueRow[], options: SettleOptions): Promise<SettleReport> {
  // Marked in memory only: who has to go back is written with its mark, and the others leave the due set by the place
  // that their rows have now.
  return retryRows(db, rows, options, (tx, clock, held) =>
    settleRows(
      tx,
      clock,
      held.map((row) => ({ ...row, blocked: 1 })),
      options,
    ),
  );
}

export async function settleOneByOne(
  db: Database,
  rows: readonly DueRow[],
  options: SettleOptions,
  cause: unknown,
): Promise<SettleReport> {
  // A lost connection or a stopped server is nobody's fault in particular: the next batch will do.
  if (isNobodysFault(cause)) throw cause;
  const total = { settled: 0, retrying: 0, failed: 0, expired: 0, blocked: 0, deferred: 0 };
  for (const row of rows) {
    try {
      const report = await settleAgain(db, [row], options).catch((error: unknown) => {
        if (isContention(error)) return settleImpatiently(db, [row], options);
        throw error;
      });
      for (const name of Object.keys(total) as Outcome[]) total[name] += report.outcomes[name];
    } catch (error) {
      if (isNobodysFault(error)) throw error;
      options.tried?.delete(row.paymentId);
      if (isContention(error)) {
        await setAside(db, row, options, DEFERRED_FOR_MS);
        total.deferred += 1;
        continue;
      }
      options.onPoisoned?.(row.paymentId, error);
      // Where even giving up on it throws, it is set aside: it must not come first in every batch to come.
      await countPoisoned(db, row, options, error).catch((trouble: unknown) => {
        if (isNobodysFault(trouble)) throw trouble;
        return setAside(db, row, options, SET_ASIDE_MS);
      });
      total.failed += 1;
    }
  }
  return { claimed: rows.length, outcomes: total, nextInMs: 0 };
}

async function retryRows(
  db: Database,
  rows: readonly DueRow[],
  options: SettleOptions,
  work: (tx: Transaction, clock: Clock, held: readonly DueRow[]) => Promise<Record<Outcome, number>>,
): Promise<SettleReport> {
  // What was noted of them is undone with the batch that they were in.
  for (const row of rows) options.tried?.delete(row.paymentId);
  return db.transaction(async (tx) => {
    const held = await lockDueIfFree(tx, rows.map(keyOfRow));
    const clock = await options.readClock(tx);
    const due = held.filter((row) => row.dueAt <= clock.now);
    return { claimed: due.length, outcomes: await work(tx, clock, due), nextInMs: 0 };
  }, BOUNDED);
}

/** What throws even alone is counted as an attempt, without touching money, so that it ends after its attempts. */
async function countPoisoned(db: Database, row: DueRow, options: SettleOptions, error: unknown): Promise<void> {
  await db.transaction(async (tx) => {
    const [held] = await lockDueIfFree(tx, [keyOfRow(row)]);
    if (!held) return;
    const clock = await options.readClock(tx);
    const batch = await openBatch(tx, clock, { caller: SYSTEM, due: [held], pays: false });
    const [item] = batch.items;
    if (!item) return;
    const { code, detail } = refused('UNEXPECTED/error', {
      error: error instanceof Error ? error.message : String(error),
    });
    const cause = { code, detail };
    const attempt = item.payment.attempts + 1;
    const delayMs = delayAfterAttempt(retryPolicyOf(item.payment), attempt);
    if (delayMs === null) {
      batch.fail(item, cause, attempt);
    } else {
      batch.change(item, 'scheduled', { attempts: attempt, lastCode: cause.code, lastDetail: cause.detail });
      const nextAttemptAt = retryAt(item.payment, delayMs, clock.now);
      batch.moveDue(item, nextAttemptAt);
      batch.tell(item, 'payment.attempt_failed', { ...batch.attempted(item), ...cause, nextAttemptAt });
    }
    await writeBatch(tx, batch);
  }, BOUNDED);
}

async function setAside(db: Database, row: DueRow, options: SettleOptions, forMs: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [held] = await lockDueIfFree(tx, [keyOfRow(row)]);
    const clock = await options.readClock(tx);
    if (held) await moveDue(tx, [{ ...held, dueAt: new Date(clock.now.getTime() + forMs) }]);
  }, BOUNDED);
}

const keyOfRow = (row: DueRow): { tenantId: Uuid; id: Uuid } => ({ tenantId: row.tenantId, id: row.paymentId });

/** No payment in particular. Counted against one, it would cost a healthy payment an attempt. */
function isNobodysFault(error: unknown): boolean {
  return isConnectionTrouble(error) || error instanceof LeaseLost;
}
