// Daily limits, while a batch decides: what an account may send in 24 hours, by its own limit or its tenant's default, and what all
// accounts of a tenant may send together. Amounts are kept in hourly buckets of the tenant's clock.
//
// The window is the 24 hours before now and the hour that they begin in, whole: in no 24 hours more than the limit is sent, and an
// amount counts for up to 59 minutes and 59 seconds longer than a day.
//
//   an account's buckets   read and written under the lock of the payer's balance
//   a tenant's total       added to under the lock of the tenant's row of limits, locked after balances and before approval counts:
//                          two batches cannot both use the last of it. A tenant without a total never takes that lock. A total
//                          that only impatient payers need is taken if it is free: whoever holds it delays no other tenant
//
// A limit counts from the instant at which it was set after it was unset: a bucket begins then, within the hour, and earlier buckets
// are not its own. A payment that was counted before that instant is not taken off when it is released.
//
// Where neither an own limit (the balance says `limited`) nor a tenant's default or total applies, nothing is read.
import type { Transaction } from '../db/index.ts';
import type { Clock, Refused } from '../kernel/index.ts';
import { refused } from '../kernel/index.ts';
import type { BalanceKey, Book } from '../ledger/index.ts';
import { derivedAccount, keyOf } from '../ledger/index.ts';
import { readLimits } from './limits-store.ts';
import type { LimitParts, Payment } from './payment.ts';
import { COUNTED_BY_ACCOUNT, COUNTED_BY_TENANT, heldAtOf } from './payment.ts';
import type { SpendBucket, Spent, TotalBucket, TotalSpent } from './spend-store.ts';
import { addSpend, addTotals, lockTotals, readSpend, readTotals } from './spend-store.ts';
import type { TenantKey, TenantLimits } from './tenant-limits.ts';
import { NO_TENANT_LIMITS } from './tenant-limits.ts';

const HOUR_MS = 3_600_000;
const WINDOW_HOURS = 24;

/** An impatient payer goes without its tenant's total where another transaction holds it (`Spend.isBusy`). */
export type SpendingPayer = BalanceKey & { readonly impatient?: boolean };

export class Spend {
  readonly #now: Date;
  readonly #since: Date;
  /** What may be sent at most: by account, and by tenant and asset. */
  readonly #most = new Map<string, bigint>();
  readonly #spent = new Map<string, bigint>();
  /** When those limits began to count. */
  readonly #from = new Map<string, Date>();
  readonly #changes = new Map<string, Spent>();
  readonly #totalChanges = new Map<string, TotalSpent>();
  /** Totals that another transaction works on, where this one does not wait. */
  readonly #busy = new Map<string, TenantKey>();

  constructor(clock: Clock) {
    this.#now = clock.now;
    this.#since = windowStart(clock);
  }

  /** For the payers of a book that is open, that is, whose balances are locked. */
  static async open(
    tx: Transaction,
    clock: Clock,
    book: Book,
    payers: readonly SpendingPayer[],
    limits: TenantLimits = NO_TENANT_LIMITS,
  ): Promise<Spend> {
    const spend = new Spend(clock);
    await spend.#openAccounts(tx, book, payers, limits);
    if (!limits.isEmpty) await spend.#openTotals(tx, payers, limits);
    return spend;
  }

  async #openAccounts(tx: Transaction, book: Book, payers: readonly BalanceKey[], limits: TenantLimits): Promise<void> {
    const own = new Map<string, BalanceKey>();
    const counted = new Map<string, BalanceKey>();
    for (const payer of payers) {
      const byDefault = limits.isEmpty ? null : limits.defaultOf(payer);
      if (book.balance(payer)?.limited) own.set(keyOf(payer), payer);
      else if (byDefault !== null && !derivedAccount(payer.tenantId, payer.accountId))
        this.#limit(keyOf(payer), byDefault.most, byDefault.since);
      else continue;
      counted.set(keyOf(payer), payer);
    }
    if (counted.size === 0) return;
    const [rows, buckets] = await tx.together([
      () => (own.size === 0 ? Promise.resolve([]) : readLimits(tx, [...own.values()])),
      () => readSpend(tx, [...counted.values()], this.#since),
    ]);
    for (const { tenantId, accountId, asset, dailyAmount, dailySince } of rows)
      if (accountId !== null && dailyAmount !== null)
        this.#limit(keyOf({ tenantId, accountId, asset }), dailyAmount, dailySince);
    for (const bucket of buckets) this.#countBucket(keyOf(bucket), bucket);
  }

  async #openTotals(tx: Transaction, payers: readonly SpendingPayer[], limits: TenantLimits): Promise<void> {
    const wanted = new Map<string, TenantKey & { readonly impatient: boolean }>();
    for (const { tenantId, accountId, asset, impatient = false } of payers) {
      const name = totalKey({ tenantId, asset });
      const counts = limits.totalOf({ tenantId, asset }) !== null && derivedAccount(tenantId, accountId) !== 'world';
      if (counts) wanted.set(name, { tenantId, asset, impatient: impatient && (wanted.get(name)?.impatient ?? true) });
    }
    if (wanted.size === 0) return;
    // Patient ones first: waiting for one with another already in hand, out of order, could be a deadlock.
    const { patient = [], impatient = [] } = Object.groupBy(wanted.values(), (total) =>
      total.impatient ? 'impatient' : 'patient',
    );
    const locked = patient.length > 0 ? await lockTotals(tx, patient) : [];
    if (impatient.length > 0) locked.push(...(await lockTotals(tx, impatient, { skipLocked: true })));
    for (const { most, since, ...key } of locked) this.#limit(totalKey(key), most, since);
    for (const key of impatient) if (!this.#most.has(totalKey(key))) this.#busy.set(totalKey(key), key);
    // After the locks, by a statement of its own: what was committed before them is seen.
    for (const bucket of await readTotals(tx, locked, this.#since)) this.#countBucket(totalKey(bucket), bucket);
  }

  /** Whether this cannot be decided now: another transaction works on the tenant's total. */
  isBusy({ tenantId, asset }: TenantKey): boolean {
    return this.#busy.size > 0 && this.#busy.has(totalKey({ tenantId, asset }));
  }

  /** Totals that another transaction works on. */
  get busyTotals(): readonly TenantKey[] {
    return [...this.#busy.values()];
  }

  /** Which limits count what this account sends. */
  countedBy(key: BalanceKey): number {
    if (this.#most.size === 0) return 0;
    const total = this.#most.has(totalKey(key)) && derivedAccount(key.tenantId, key.accountId) !== 'world';
    return (this.#most.has(keyOf(key)) ? COUNTED_BY_ACCOUNT : 0) | (total ? COUNTED_BY_TENANT : 0);
  }

  mayPay(key: BalanceKey, amount: bigint): Refused | null {
    const counted = this.countedBy(key);
    if (counted === 0) return null;
    const { asset } = key;
    if (counted & COUNTED_BY_ACCOUNT) {
      const [most, spent] = this.#stateOf(keyOf(key));
      if (spent + amount > most)
        return refused('LIMIT_DAILY_EXCEEDED/account', {
          account: key.accountId,
          limit: { amount: most, asset },
          used: { amount: spent, asset },
          amount: { amount, asset },
        });
    }
    if (counted & COUNTED_BY_TENANT) {
      const [most, spent] = this.#stateOf(totalKey(key));
      // Other accounts' payments are not for every caller to see.
      if (spent + amount > most)
        return refused('LIMIT_DAILY_EXCEEDED/tenant', { amount: { amount, asset }, setting: 'tenantDailyAmount' });
    }
    return null;
  }

  pay(key: BalanceKey, amount: bigint): void {
    const counted = this.countedBy(key);
    if (counted === 0) return;
    const account = counted & COUNTED_BY_ACCOUNT ? amount : 0n;
    this.#add(key, this.#now, { account, tenant: counted & COUNTED_BY_TENANT ? amount : 0n });
  }

  /** Sets funds aside, which counts as sent. */
  hold(book: Book, key: BalanceKey, amount: bigint): Refused | null {
    const refused = this.mayPay(key, amount) ?? book.hold(key, amount);
    if (refused === null) this.pay(key, amount);
    return refused;
  }

  /**
   * After more was held for a payment: moves what the limits count of it to the current hour, so that one release takes off all of it.
   * The rest of its earlier amount stays uncounted: it is out of the window, or was reserved before a limit was set, and would count
   * although nobody asked whether it fits.
   */
  recount(key: BalanceKey, before: Payment): Pick<Payment, 'heldAt' | 'counted' | 'uncounted'> {
    const counted = this.countedBy(key);
    const { amount, uncounted } = before;
    if (counted === 0) return { heldAt: before.heldAt, counted, uncounted: null };
    const at = heldAtOf(before);
    const still = (name: string, bit: number, outside = 0n): bigint => {
      const counts = counted & before.counted & bit && hourOf(at) > this.#since && !this.#isBefore(name, at);
      return counts ? amount - outside : 0n;
    };
    const account = still(keyOf(key), COUNTED_BY_ACCOUNT, uncounted?.account);
    const tenant = still(totalKey(key), COUNTED_BY_TENANT, uncounted?.tenant);
    this.#add(key, at, { account: -account, tenant: -tenant });
    this.#add(key, this.#now, { account, tenant });
    const left = {
      account: counted & COUNTED_BY_ACCOUNT ? amount - account : 0n,
      tenant: counted & COUNTED_BY_TENANT ? amount - tenant : 0n,
    };
    return { heldAt: this.#now, counted, uncounted: left.account === 0n && left.tenant === 0n ? null : left };
  }

  /** Gives funds back: of a payment that is cancelled, failed or expired, or edited to less, they are not sent after all. */
  release(book: Book, key: BalanceKey, amount: bigint, { at, account, tenant }: LimitParts & { at: Date }): void {
    book.unhold(key, amount);
    this.#add(key, at, { account: -account, tenant: -tenant });
  }

  async write(tx: Transaction): Promise<void> {
    if (this.#changes.size > 0) await addSpend(tx, [...this.#changes.values()]);
    if (this.#totalChanges.size > 0) await addTotals(tx, [...this.#totalChanges.values()]);
  }

  #stateOf(name: string): [most: bigint, spent: bigint] {
    return [this.#most.get(name) ?? 0n, this.#spent.get(name) ?? 0n];
  }

  #limit(name: string, most: bigint, since: Date | null): void {
    this.#most.set(name, most);
    if (since !== null) this.#from.set(name, since);
  }

  #isBefore(name: string, at: Date): boolean {
    const from = this.#from.get(name);
    return from !== undefined && at < from;
  }

  #countBucket(name: string, { hour, amount }: Pick<SpendBucket | TotalBucket, 'hour' | 'amount'>): void {
    if (hourOf(hour) > this.#since && !this.#isBefore(name, hour)) this.#count(name, amount);
  }

  #count(name: string, amount: bigint): void {
    this.#spent.set(name, (this.#spent.get(name) ?? 0n) + amount);
  }

  #add({ tenantId, accountId, asset }: BalanceKey, at: Date, { account, tenant }: LimitParts): void {
    if (account === 0n && tenant === 0n) return;
    const hour = hourOf(at);
    const count = (name: string, amount: bigint): void => {
      if (hour > this.#since && (amount > 0n || !this.#isBefore(name, at))) this.#count(name, amount);
    };
    if (account !== 0n) {
      const name = keyOf({ tenantId, accountId, asset });
      const before = this.#changes.get(name + at.toISOString())?.amount ?? 0n;
      this.#changes.set(name + at.toISOString(), { tenantId, accountId, asset, at, hour, amount: before + account });
      count(name, account);
    }
    if (tenant !== 0n) {
      const name = totalKey({ tenantId, asset });
      const before = this.#totalChanges.get(name + at.toISOString())?.amount ?? 0n;
      this.#totalChanges.set(name + at.toISOString(), { tenantId, asset, at, hour, amount: before + tenant });
      count(name, tenant);
    }
  }
}

const totalKey = ({ tenantId, asset }: TenantKey): string => `total ${tenantId} ${asset}`;

/** Buckets after this hour count. */
export function windowStart(clock: Clock): Date {
  return new Date(hourOf(clock.now).getTime() - (WINDOW_HOURS + 1) * HOUR_MS);
}

/** When a bucket of this hour stops counting. */
export const countsUntil = (hour: Date): Date => new Date(hourOf(hour).getTime() + (WINDOW_HOURS + 1) * HOUR_MS);

export function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS);
}
