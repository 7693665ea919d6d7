// A charge that is paid: its number and its event, in the transaction that settles its payment. The number is that of paid charges
// of the subscription, in the order in which they are paid: imported charges and those of earlier terms count.
import type { Transaction } from '../../db/index.ts';
import type { Fact } from '../../events/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import { SYSTEM, invariant } from '../../kernel/index.ts';
import type { OwnedPayment, Payment, SettlingOwners } from '../../payments/index.ts';
import type { ChargeCount } from './charge-count-store.ts';
import { lockChargeCounts, withoutChargeCount, writeChargeCounts } from './charge-count-store.ts';

/** The subscriptions of one batch of payments that are settled. */
class Charging implements SettlingOwners {
  readonly busy: ReadonlySet<Uuid>;
  readonly #clock: Clock;
  /** By subscription, as counted so far. */
  readonly #paid: Map<Uuid, number>;
  readonly #changed = new Map<Uuid, ChargeCount>();

  constructor(clock: Clock, charges: readonly OwnedPayment[], paid: Map<Uuid, number>) {
    this.#clock = clock;
    this.#paid = paid;
    this.busy = new Set(charges.flatMap(({ id, owner }) => (paid.has(owner.id) ? [] : [id])));
  }

  settled({ tenantId, id, owner, asset, captured }: Payment): Fact | null {
    if (owner?.kind !== 'subscription') return null;
    const before = this.#paid.get(owner.id);
    invariant(before !== undefined, `the charges of the subscription ${owner.id} to be counted`);
    const charge = before + 1;
    this.#paid.set(owner.id, charge);
    this.#changed.set(owner.id, { tenantId, scheduleId: owner.id, paid: charge });
    return {
      ...SYSTEM,
      tenantId,
      type: 'subscription.charged',
      resource: 'subscription',
      resourceId: owner.id,
      data: { charge, amount: captured, asset, paymentId: id },
      occurredAt: this.#clock.now,
    };
  }

  async write(tx: Transaction): Promise<void> {
    const counts = [...this.#changed.values()];
    this.#changed.clear();
    if (counts.length === 0) return;
    const written = await writeChargeCounts(tx, counts);
    invariant(written === counts.length, 'every charged subscription to exist');
  }
}

/**
 * Locks the counts of the subscriptions of these charges. One that another batch holds is not waited for: its charge goes back for a
 * moment, so that no batch waits for another one. By a test clock nothing else settles, and a payment is punctual: it waits.
 */
export async function openCharges(
  tx: Transaction,
  clock: Clock,
  charges: readonly OwnedPayment[],
): Promise<SettlingOwners> {
  const keys = new Map(charges.map(({ tenantId, owner }) => [owner.id, { tenantId, scheduleId: owner.id }]));
  const waits = clock.clockId !== null;
  const paid = await lockChargeCounts(tx, [...keys.values()], { waits });
  const absent = [...keys.values()].filter(({ scheduleId }) => !paid.has(scheduleId));
  // A row that is held is there soon; one that is missing never is, and its charge fails alone instead of going back for ever.
  const [missing] = absent.length === 0 ? [] : await withoutChargeCount(tx, absent);
  invariant(missing === undefined, `the subscription ${missing} to have a row in subscription_counts`);
  return new Charging(clock, charges, paid);
}
