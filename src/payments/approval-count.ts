// A payment needs approval if it, or its sum with the caller's unapproved payments from the same payer in 24 hours, exceeds the
// threshold. Otherwise fifty payments just below it would need none.
//
// A payment counts under every name in its caller's `countsFor`: all keys of one person share a name (src/access/same-person.ts). It
// needs approval where it would bring one of these sums above the threshold. A schedule's payment counts for everyone who decided
// the schedule's terms and for the caller who asked for the run. Cancelling a payment or editing it to less does not lower the sum.
// Sums are kept in hourly buckets like those of daily limits (spend.ts), under an advisory lock of payer and maker, the last lock
// of a verb. Without a threshold nothing is locked, read or written.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import type { BalanceKey } from '../ledger/index.ts';
import { keyOf } from '../ledger/index.ts';
import { addUnapproved, lockMakers, readUnapproved } from './spend-store.ts';
import { hourOf, windowStart } from './spend.ts';

export interface MakerKey extends BalanceKey {
  readonly maker: string;
}

/** What a caller sends from a payer counts under each of these. */
export const makerKeys = (payer: BalanceKey, { countsFor }: Caller): MakerKey[] =>
  countsFor.map((maker) => ({ ...payer, maker }));

export class ApprovalCount {
  readonly #now: Date;
  readonly #sums = new Map<string, bigint>();
  readonly #added = new Map<string, MakerKey & { readonly amount: bigint }>();
  readonly #busy = new Set<string>();

  private constructor(clock: Clock) {
    this.#now = clock.now;
  }

  /** A sum that only impatient keys need is not waited for (`isBusy`). */
  static async open(
    tx: Transaction,
    clock: Clock,
    keys: readonly (MakerKey & { readonly impatient?: boolean })[],
  ): Promise<ApprovalCount> {
    const count = new ApprovalCount(clock);
    if (keys.length === 0) return count;
    const wanted = new Map<string, MakerKey & { readonly impatient: boolean }>();
    for (const key of keys) {
      const name = nameOf(key);
      wanted.set(name, { ...key, impatient: (key.impatient ?? false) && (wanted.get(name)?.impatient ?? true) });
    }
    const each = [...wanted.values()];
    const taken = await lockMakers(tx, each);
    each.forEach((key, index) => taken[index] || count.#busy.add(nameOf(key)));
    for (const { amount, ...key } of await readUnapproved(tx, each, windowStart(clock)))
      count.#sums.set(nameOf(key), amount);
    return count;
  }

  /** Whether another transaction counts in one of these sums at the moment. */
  isBusy(keys: readonly MakerKey[]): boolean {
    return this.#busy.size > 0 && keys.some((key) => this.#busy.has(nameOf(key)));
  }

  /** Whether this needs approval; counts it if not. `amount` is the whole payment, `more` the part that is not counted yet. */
  needs(keys: readonly MakerKey[], threshold: bigint, amount: bigint, more = amount): boolean {
    const sumOf = (key: MakerKey): bigint => (this.#sums.get(nameOf(key)) ?? 0n) + more;
    if (amount > threshold || keys.some((key) => sumOf(key) > threshold)) return true;
    for (const key of keys) {
      const name = nameOf(key);
      this.#sums.set(name, sumOf(key));
      this.#added.set(name, { ...key, amount: (this.#added.get(name)?.amount ?? 0n) + more });
    }
    return false;
  }

  async write(tx: Transaction): Promise<void> {
    if (this.#added.size > 0) await addUnapproved(tx, [...this.#added.values()], hourOf(this.#now));
  }
}

const nameOf = (key: MakerKey): string => `${keyOf(key)} ${key.maker}`;
