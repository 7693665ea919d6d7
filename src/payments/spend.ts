// Daily limits, while a batch decides: what an account may send in 24 hours. Sums are kept in hourly buckets of the
// tenant's clock and read and written under the payer's balance lock, so that two batches cannot both use the last of a
// limit. Accounts without limits (nearly all) are never looked up: the balance says `limited`.
import type { Transaction } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { BalanceKey, Book, Refused } from '../ledger/index.ts';
import { keyOf } from '../ledger/index.ts';
import type { PaymentLimit, SpendBucket } from './limits-store.ts';
import { addSpend, readLimits, readSpend } from './limits-store.ts';

const HOUR_MS = 3_600_000;
const WINDOW_HOURS = 24;

export class Spend {
  readonly #now: Date;
  readonly #since: Date;
  readonly #daily = new Map<string, { readonly most: bigint; readonly since: Date }>();
  readonly #spent = new Map<string, bigint>();
  readonly #changes = new Map<string, SpendBucket>();

  private constructor(clock: Clock, limits: readonly PaymentLimit[], buckets: readonly SpendBucket[]) {
    this.#now = clock.now;
    this.#since = windowOf(clock);
    for (const limit of limits) {
      const { tenantId, accountId, asset, dailyAmount: most, dailySince: since } = limit;
      if (accountId === null || most === null || since === null) continue;
      this.#daily.set(keyOf({ tenantId, accountId, asset }), { most, since });
    }
    for (const bucket of buckets)
      this.#spent.set(keyOf(bucket), (this.#spent.get(keyOf(bucket)) ?? 0n) + bucket.amount);
  }

  /** No limits at all. */
  static none(clock: Clock): Spend {
    return new Spend(clock, [], []);
  }

  /** For the payers of a book that is open, that is, whose balances are locked. */
  static async open(tx: Transaction, clock: Clock, book: Book, payers: readonly BalanceKey[]): Promise<Spend> {
    const limited = new Map<string, BalanceKey>();
    for (const payer of payers) if (book.balance(payer)?.limited) limited.set(keyOf(payer), payer);
    if (limited.size === 0) return Spend.none(clock);
    const keys = [...limited.values()];
    return new Spend(clock, await readLimits(tx, keys), await readSpend(tx, keys, windowOf(clock)));
  }

  mayPay(key: BalanceKey, amount: bigint): Refused | null {
    const daily = this.#daily.size === 0 ? undefined : this.#daily.get(keyOf(key));
    if (daily === undefined) return null;
    const spent = this.#spent.get(keyOf(key)) ?? 0n;
    if (spent + amount <= daily.most) return null;
    return {
      code: 'LIMIT_DAILY_EXCEEDED',
      detail: `${spent} ${key.asset} was sent in the last 24 hours, ${amount} more is over the limit of ${daily.most}`,
    };
  }

  pay(key: BalanceKey, amount: bigint): void {
    this.#add(key, this.#now, amount);
  }

  /** Sets funds aside, which counts as sent. */
  hold(book: Book, key: BalanceKey, amount: bigint): Refused | null {
    const refused = this.mayPay(key, amount) ?? book.hold(key, amount);
    if (refused === null) this.pay(key, amount);
    return refused;
  }

  /**
   * More was set aside of a payment: what it held counts from now on as well, so that all of it is given back in one place. False
   * where it does not count, or no longer: it stays where it is.
   */
  recount(key: BalanceKey, amount: bigint, heldAt: Date): boolean {
    const daily = this.#daily.get(keyOf(key));
    if (!daily || heldAt < daily.since || hourOf(heldAt) <= this.#since) return false;
    this.#add(key, heldAt, -amount);
    this.#add(key, this.#now, amount);
    return true;
  }

  /** Gives them back: of a payment that is cancelled, failed or expired, or edited to less, they are not sent after all. */
  release(book: Book, key: BalanceKey, amount: bigint, heldAt: Date): void {
    book.unhold(key, amount);
    const daily = this.#daily.get(keyOf(key));
    // Or they never counted, and others must not be forgotten in their place.
    if (daily && heldAt >= daily.since) this.#add(key, heldAt, -amount);
  }

  async write(tx: Transaction): Promise<void> {
    if (this.#changes.size > 0) await addSpend(tx, [...this.#changes.values()]);
  }

  #add(key: BalanceKey, at: Date, amount: bigint): void {
    if (this.#daily.size === 0 || !this.#daily.has(keyOf(key))) return;
    const hour = hourOf(at);
    const name = keyOf(key) + hour.toISOString();
    const { tenantId, accountId, asset } = key;
    const before = this.#changes.get(name)?.amount ?? 0n;
    this.#changes.set(name, { tenantId, accountId, asset, hour, amount: before + amount });
    if (hour > this.#since) this.#spent.set(keyOf(key), (this.#spent.get(keyOf(key)) ?? 0n) + amount);
  }
}

/** What was sent in an hour after this one counts. */
function windowOf(clock: Clock): Date {
  return new Date(hourOf(clock.now).getTime() - WINDOW_HOURS * HOUR_MS);
}

function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS);
}
