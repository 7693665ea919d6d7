// Daily totals that a processor found held by another transaction. For some seconds payments that need one of them do not wait for it:
// one tenant's held total would otherwise cost every batch with a new payment of that tenant the whole lock timeout.
import type { Item } from './batch.ts';
import { countsWhenPaid } from './payment.ts';
import type { TenantKey } from './tenant-limits.ts';

const FOR_MS = 10_000;
/** Forgotten ones cost one wait each. */
const MOST = 1_000;

export class HeldTotals {
  readonly #until = new Map<string, number>();

  /** Those that another transaction held just now. */
  note(totals: readonly TenantKey[]): void {
    for (const total of totals) {
      this.#until.delete(nameOf(total));
      this.#until.set(nameOf(total), performance.now() + FOR_MS);
    }
    for (const [name, until] of this.#until)
      if (until <= performance.now() || this.#until.size > MOST) this.#until.delete(name);
  }

  /** The same items; those that would wait for a held total marked as payments that wait for nothing. */
  markIn(items: readonly Item[]): readonly Item[] {
    if (this.#until.size === 0) return items;
    return items.map((item) =>
      item.due && countsWhenPaid(item.payment) && this.#isHeld(item.payment)
        ? { ...item, due: { ...item.due, blocked: 1 } }
        : item,
    );
  }

  #isHeld(total: TenantKey): boolean {
    return (this.#until.get(nameOf(total)) ?? 0) > performance.now();
  }
}

const nameOf = ({ tenantId, asset }: TenantKey): string => `${tenantId} ${asset}`;
