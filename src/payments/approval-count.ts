// A payment needs approval if it, or its sum with the caller's unapproved payments from the same payer in 24 hours, exceeds the
// threshold. Otherwise fifty payments just below it would need none.
//
// The maker is the caller's scope (all keys of a rotation lineage are one); for a schedule's payment, the scope of the schedule's
// creator. A cancelled payment, or one edited to less, stays counted: the count asks for one approval too many rather than one too few.
// Sums are kept in hourly buckets like those of daily limits (spend.ts), under an advisory lock of payer and maker, the last lock of a
// verb. Without a threshold nothing is locked, read or written.
import type { Transaction } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { BalanceKey } from '../ledger/index.ts';
import { keyOf } from '../ledger/index.ts';
import { addUnapproved, lockMakers, readUnapproved } from './limits-store.ts';
import { hourOf, windowStart } from './spend.ts';

export interface MakerKey extends BalanceKey {
  readonly maker: string;
}

export class ApprovalCount {
  readonly #now: Date;
  readonly #sums = new Map<string, bigint>();
  readonly #added = new Map<string, MakerKey & { readonly amount: bigint }>();

  private constructor(clock: Clock) {
    this.#now = clock.now;
  }

  static async open(tx: Transaction, clock: Clock, keys: readonly MakerKey[]): Promise<ApprovalCount> {
    const count = new ApprovalCount(clock);
    const each = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
    if (each.length === 0) return count;
    await lockMakers(tx, each);
    for (const { amount, ...key } of await readUnapproved(tx, each, windowStart(clock)))
      count.#sums.set(nameOf(key), amount);
    return count;
  }

  /** Whether this needs approval; counts it if not. `amount` is the whole payment, `more` the part that is not counted yet. */
  needs(key: MakerKey, threshold: bigint, amount: bigint, more = amount): boolean {
    const name = nameOf(key);
    const sum = (this.#sums.get(name) ?? 0n) + more;
    if (amount > threshold || sum > threshold) return true;
    this.#sums.set(name, sum);
    this.#added.set(name, { ...key, amount: (this.#added.get(name)?.amount ?? 0n) + more });
    return false;
  }

  async write(tx: Transaction): Promise<void> {
    if (this.#added.size > 0) await addUnapproved(tx, [...this.#added.values()], hourOf(this.#now));
  }
}

const nameOf = (key: MakerKey): string => `${keyOf(key)} ${key.maker}`;
