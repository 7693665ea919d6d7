// The full check: every invariant over the whole store, in one snapshot, so that payments may go on meanwhile.
import type { Database } from '../db/index.ts';
import type { Check } from './checks.ts';
import type { Offender } from './integrity-store.ts';
import { countRows, findOffenders } from './integrity-store.ts';

export interface CheckResult {
  readonly name: string;
  readonly says: string;
  readonly rows: bigint;
  readonly offenders: readonly Offender[];
}

/** More than this many offenders of one check are cut; one is bad enough. */
export const MOST_OFFENDERS = 100;

export async function verify(
  db: Database,
  checks: readonly Check[],
  onChecked?: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  return db.transaction(
    async (tx) => {
      // Of everything with everything: where the statistics are old, a loop in a loop looks cheap and takes hours.
      await tx.query('set local enable_nestloop = off');
      const results: CheckResult[] = [];
      for (const check of checks) {
        const offenders = await findOffenders(tx, check.offenders, null, MOST_OFFENDERS);
        const result = { name: check.name, says: check.says, rows: await countRows(tx, check), offenders };
        onChecked?.(result);
        results.push(result);
      }
      return results;
    },
    { snapshot: true },
  );
}
