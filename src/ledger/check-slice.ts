// The continuous check: a few accounts at a time, for ever. Each query is one statement and so sees one snapshot, in
// which a balance and its transfers were committed together; no lock is taken and payments do not notice.
//
// Most passes read only what is newer than each balance's checkpoint. A checkpoint is a shortcut, never evidence: what
// looks wrong is counted again from the beginning before anything is frozen, and every tenth pass uses none at all, so
// that a change to old history is found as well.
//
// A violation of a money check freezes the asset. One of a bookkeeping check is reported by an event and a metric, and nothing
// is frozen: no amount is wrong, and a false alarm must not stop a tenant's payments.
import type { Database } from '../db/index.ts';
import { bisect } from '../db/index.ts';
import type { Clock, LoopDefinition } from '../kernel/index.ts';
import { HISTORY_SINCE_CHECKPOINT, type Check } from './checks.ts';
import { freezeAsset, reportViolation } from './freeze.ts';
import type { AccountCursor, Offender } from './integrity-store.ts';
import { findOffenders, moveCheckpoints, nextAccounts } from './integrity-store.ts';

export interface SliceReport {
  readonly checked: number;
  readonly violations: readonly { readonly check: string; readonly offender: Offender }[];
  readonly frozen: number;
  /** Violations of bookkeeping that were reported for the first time in a day. */
  readonly reported: number;
  /** Where to go on; null at the end of a pass. */
  readonly next: AccountCursor | null;
}

export interface SliceOptions {
  readonly after: AccountCursor | null;
  readonly accounts: number;
  readonly fromBeginning: boolean;
  /** Told of an account that a check could not be asked about, with the check's name. */
  readonly onSetAside?: SetAside | undefined;
}

type SetAside = (accountId: string, check: string, error: unknown) => void;

/** How far checkpoints stay behind: more than any two machines' clocks differ. */
const CHECKPOINT_DISTANCE_MS = 60 * 60_000;

export async function checkSlice(
  db: Database,
  clock: Clock,
  checks: readonly Check[],
  options: SliceOptions,
): Promise<SliceReport> {
  const slice = await nextAccounts(db, options.after, options.accounts);
  if (slice.length === 0) return { checked: 0, violations: [], frozen: 0, reported: 0, next: null };
  const ids = slice.map((account) => account.id);
  const violations: { check: string; offender: Offender }[] = [];
  const counts = { frozen: 0, reported: 0 };
  let complete = true;
  const setAside: SetAside = (...trouble) => {
    complete = false;
    options.onSetAside?.(...trouble);
  };
  for (const check of checks) {
    if (check.whole) continue;
    if (await isCleanSinceCheckpoint(db, check, ids, options)) continue;
    const found = await bisect(
      ids,
      (accounts) => findOffenders(db, check.offenders, accounts, 100),
      (account, error) => setAside(account, check.name, error),
    );
    for (const offender of found.flat()) {
      violations.push({ check: check.name, offender });
      const [count, answer] =
        check.kind === 'money' ? (['frozen', freezeAsset] as const) : (['reported', reportViolation] as const);
      if (await db.transaction((tx) => answer(tx, clock, check.name, offender))) counts[count] += 1;
    }
  }
  if (violations.length === 0 && complete)
    await moveCheckpoints(db, ids, new Date(clock.now.getTime() - CHECKPOINT_DISTANCE_MS));
  const next = slice.length < options.accounts ? null : (slice.at(-1) ?? null);
  return { checked: slice.length, violations, ...counts, next };
}

async function isCleanSinceCheckpoint(
  db: Database,
  check: Check,
  accounts: readonly string[],
  options: SliceOptions,
): Promise<boolean> {
  if (options.fromBeginning || check.name !== 'balances-equal-history') return false;
  return (await findOffenders(db, HISTORY_SINCE_CHECKPOINT, accounts, 1)).length === 0;
}

const ACCOUNTS_PER_SLICE = 500;
const PAUSE_BETWEEN_SLICES_MS = 1_000;
/** A slice that took t is followed by a pause of 20 t: the check uses at most a twentieth of a core, also on a busy server. */
const PAUSE_TIMES_SLICE = 20;
const PAUSE_BETWEEN_PASSES_MS = 60_000;
const DEEP_EVERY = 10;

/** One slice a second, fewer while they take long, a minute between passes. `readClock` gives real time: integrity knows no test clocks. */
export function integrityLoop(
  db: Database,
  checks: readonly Check[],
  readClock: () => Promise<Clock>,
  onSetAside?: SetAside,
): LoopDefinition {
  let after: AccountCursor | null = null;
  let pass = 0;
  return {
    name: 'integrity',
    pollMs: PAUSE_BETWEEN_PASSES_MS,
    async runOnce() {
      const startedMs = performance.now();
      const report = await checkSlice(db, await readClock(), checks, {
        after,
        accounts: ACCOUNTS_PER_SLICE,
        fromBeginning: pass % DEEP_EVERY === 0,
        onSetAside,
      });
      after = report.next;
      if (after === null) pass += 1;
      return {
        counts: {
          checked: report.checked,
          violations: report.violations.length,
          frozen: report.frozen,
          reported: report.reported,
          passes: after === null ? 1 : 0,
        },
        nextInMs: Math.max(
          after === null ? PAUSE_BETWEEN_PASSES_MS : PAUSE_BETWEEN_SLICES_MS,
          PAUSE_TIMES_SLICE * (performance.now() - startedMs),
        ),
      };
    },
  };
}
