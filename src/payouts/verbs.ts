// Payouts as an application sees them, beyond what every payment has.
import type { Uuid } from '../kernel/index.ts';
import { isUuid, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import type { Payment } from '../payments/index.ts';
import { readPayments } from '../payments/index.ts';
import type { Attempt } from './attempt.ts';
import type { AttemptPage } from './attempt-store.ts';
import { listAttempts, shownAttempts } from './attempt-store.ts';
import type { ResolveOptions, ResolveOrder } from './resolve.ts';
import { resolvePayout } from './resolve.ts';

export interface PayoutVerbs {
  /** Ends the attempt of a payout in review: as paid, if its transaction is final, or as dead. */
  resolvePayout(id: Uuid, order: ResolveOrder): Promise<Payment>;
  /** The attempts of a payment over a chain, the oldest first; none for another payment. */
  payoutAttempts(id: Uuid, page?: AttemptPage): Promise<Attempt[]>;
  /** Of each of these payments the attempt that paid, else the newest. */
  shownAttempts(ids: readonly Uuid[]): Promise<Attempt[]>;
}

export function payoutVerbs(context: VerbContext, options: ResolveOptions): PayoutVerbs {
  const { tenantId, sql } = context;
  return {
    resolvePayout: (id, order) => resolvePayout(context, id, order, options),
    async payoutAttempts(id, page) {
      const [payment] = isUuid(id) ? await readPayments(sql, [{ tenantId, id }]) : [];
      return payment ? listAttempts(sql, tenantId, id, page) : refuse('PAYMENT_NOT_FOUND', { payment: id });
    },
    shownAttempts: (ids) =>
      shownAttempts(
        sql,
        ids.map((id) => ({ tenantId, id })),
      ),
  };
}
