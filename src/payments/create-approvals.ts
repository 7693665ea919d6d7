// Which payments of a batch need approval when they are created. The sums that they count in are locked before anything is decided,
// after balances and totals: an impatient order whose sum another transaction holds is refused while nothing of it has been reserved.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import type { AmountLimits } from './amount-limits.ts';
import type { Changed } from './answers.ts';
import { approvalUntil } from './approval.ts';
import type { MakerKey } from './approval-count.ts';
import { ApprovalCount, makerKeys } from './approval-count.ts';
import { payerBalance } from './batch.ts';
import type { OrderBounds } from './order.ts';

interface Counting {
  readonly threshold: bigint;
  readonly keys: readonly MakerKey[];
  /** Whether the sums decide: a payment above the threshold needs approval whatever was sent before. */
  readonly isBelow: boolean;
}

export class CreateApprovals {
  readonly #clock: Clock;
  /** By place in the batch. */
  readonly #counting: ReadonlyMap<number, Counting>;
  readonly #count: ApprovalCount;

  private constructor(clock: Clock, counting: ReadonlyMap<number, Counting>, count: ApprovalCount) {
    this.#clock = clock;
    this.#counting = counting;
    this.#count = count;
  }

  /** Null where no payment has a threshold: nothing is locked or read. */
  static async open(
    tx: Transaction,
    clock: Clock,
    orders: readonly { readonly caller: Caller; readonly impatient?: boolean }[],
    results: readonly Changed[],
    limits: AmountLimits,
  ): Promise<CreateApprovals | null> {
    const counting = new Map<number, Counting>();
    const keys: (MakerKey & { readonly impatient: boolean })[] = [];
    orders.forEach(({ caller, impatient = false }, index) => {
      const result = results[index];
      const threshold = result && 'payment' in result ? limits.thresholdOf(result.payment) : null;
      if (threshold === null || !result || !('payment' in result)) return;
      const own = makerKeys(payerBalance(result.payment), caller);
      const isBelow = result.payment.amount <= threshold;
      counting.set(index, { threshold, keys: own, isBelow });
      if (isBelow) keys.push(...own.map((key) => ({ ...key, impatient })));
    });
    return counting.size === 0 ? null : new CreateApprovals(clock, counting, await ApprovalCount.open(tx, clock, keys));
  }

  /** Whether this cannot be decided now: another transaction holds a sum that it counts in. */
  isBusy(index: number): boolean {
    const counting = this.#counting.get(index);
    return counting?.isBelow === true && this.#count.isBusy(counting.keys);
  }

  /** Decides in order, as if each came alone: payments earlier in the batch count for later ones. */
  askWhereNeeded(results: Changed[], bounds: OrderBounds): void {
    for (const [index, { threshold, keys }] of this.#counting) {
      const result = results[index];
      if (!result || !('payment' in result) || !this.#count.needs(keys, threshold, result.payment.amount)) continue;
      const asked = { approval: 'awaited', approvalUntil: approvalUntil(this.#clock, bounds) } as const;
      results[index] = { payment: { ...result.payment, ...asked } };
    }
  }

  write(tx: Transaction): Promise<void> {
    return this.#count.write(tx);
  }
}
