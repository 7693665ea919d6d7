// The full check: every invariant over the whole store, in one snapshot, so that payments may go on meanwhile.
import type { Database, Transaction } from '../db/index.ts';
import { isLastingError } from '../db/index.ts';
import { NIL_UUID, describeError } from '../kernel/index.ts';
import type { Check, CheckKind } from './checks.ts';
import type { Offender } from './integrity-store.ts';
import { countRows, findOffenders } from './integrity-store.ts';

/** The result of one check of `verify`. */
export interface CheckResult {
  /** The name of the check. */
  readonly name: string;
  /** `money`: an amount is wrong. `bookkeeping`: a value that steers work is wrong. */
  readonly kind: CheckKind;
  /** The invariant in one sentence. */
  readonly says: string;
  /** Rows that were checked. */
  readonly rows: bigint;
  /** Rows that break the invariant, at most 100; empty if it holds. */
  readonly offenders: readonly Offender[];
}

/** More than this many offenders of one check are cut; one is bad enough. */
export const MOST_OFFENDERS = 100;

/**
 * Of everything with everything, by hash. Where the statistics are old, a loop in a loop looks cheap and takes hours; so does a merge by tenant alone,
 * which compares every event of a tenant with every block of it.
 */
export const VERIFY_SETTINGS = ['set local enable_nestloop = off', 'set local enable_mergejoin = off'];

export async function verify(
  db: Database,
  checks: readonly Check[],
  onChecked?: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  return db.transaction(
    async (tx) => {
      for (const setting of VERIFY_SETTINGS) await tx.query(setting);
      const results: CheckResult[] = [];
      for (const check of checks) {
        const { name, kind, says } = check;
        const result = { name, kind, says, ...(await resultOf(tx, check)) };
        onChecked?.(result);
        results.push(result);
      }
      return results;
    },
    { snapshot: true },
  );
}

/** A check that cannot run says so as its offender: the others go on, and the whole is not reported as right. */
async function resultOf(tx: Transaction, check: Check): Promise<Pick<CheckResult, 'rows' | 'offenders'>> {
  try {
    return await tx.savepoint(async (inner) => ({
      offenders: await findOffenders(inner, check.offenders, null, MOST_OFFENDERS),
      rows: await countRows(inner, check),
    }));
  } catch (error) {
    if (!isLastingError(error)) throw error;
    const details = { error: describeError(error) };
    return { rows: 0n, offenders: [{ tenantId: NIL_UUID, asset: '', details }] };
  }
}
