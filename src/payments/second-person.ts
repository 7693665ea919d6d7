// What needs another person than those who decided a payment's terms: to approve or reject it, and, once it is approved, to run or
// capture it before the instant that was approved.
import type { Sql } from '../db/index.ts';
import type { Caller } from '../kernel/index.ts';
import { invariant, refuse } from '../kernel/index.ts';
import type { Identities } from '../ledger/index.ts';
import type { Payment } from './payment.ts';
import { makersOf } from './payment.ts';

const isApprovedForLater = ({ approval, executeAt }: Payment, now: Date): boolean =>
  approval === 'given' && executeAt > now;

interface Looked {
  readonly items: readonly { readonly payment: Payment }[];
  readonly lockedAt: Date;
}

/** Looks up who is the same person as the caller, for all payments of a batch at once, and decides by it. */
export class SecondPerson {
  readonly #sql: Sql;
  readonly #caller: Caller;
  readonly #identities: Identities;
  readonly #isCaller = new Map<string, (maker: string) => boolean>();

  constructor(sql: Sql, caller: Caller, identities: Identities) {
    this.#sql = sql;
    this.#caller = caller;
    this.#identities = identities;
  }

  /** Reads nothing for payments that needed no approval, or whose instant has come. */
  readonly lookUp = async ({ items, lockedAt }: Looked): Promise<void> => {
    const concerned = items
      .map(({ payment }) => payment)
      .filter((payment) => payment.approval === 'awaited' || isApprovedForLater(payment, lockedAt));
    for (const [tenantId, payments] of Map.groupBy(concerned, (payment) => payment.tenantId)) {
      const makers = [...new Set(payments.flatMap(makersOf))];
      const isCaller = await this.#identities.samePerson(this.#sql, tenantId, this.#caller.actor, makers);
      this.#isCaller.set(tenantId, isCaller);
    }
  };

  requireToDecide(payment: Payment): void {
    if (payment.approval !== 'awaited') refuse('PAYMENT_STATE_CONFLICT/not_awaiting_approval', { payment: payment.id });
    if (this.#isMaker(payment)) refuse('APPROVAL_NEEDS_ANOTHER/decision', { payment: payment.id });
  }

  /** An approval is of an instant: its makers cannot move the money sooner. */
  requireToHurry(payment: Payment, now: Date): void {
    if (isApprovedForLater(payment, now) && this.#isMaker(payment))
      refuse('APPROVAL_NEEDS_ANOTHER/early_execution', { payment: payment.id, executeAt: payment.executeAt });
  }

  #isMaker(payment: Payment): boolean {
    const isCaller = this.#isCaller.get(payment.tenantId);
    invariant(isCaller !== undefined, 'the makers of every payment in question to be looked up');
    return makersOf(payment).some(isCaller);
  }
}
