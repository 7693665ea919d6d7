// Payouts as an application sees them, beyond what every payment has.
import type { Uuid } from '../kernel/index.ts';
import { isUuid, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import type { Payment } from '../payments/index.ts';
import type { Attempt } from './attempt.ts';
import { listAttempts, shownAttempts } from './attempt-store.ts';
import type { ResolveOptions, ResolveOrder } from './resolve.ts';
import { resolvePayout } from './resolve.ts';
import type { Wallet } from './wallet-store.ts';
import { listWallets } from './wallet-store.ts';

export interface PayoutVerbs {
  /** Ends a payout in review: as paid, if its transaction is final, or as dead. */
  resolvePayout(id: Uuid, order: ResolveOrder): Promise<Payment>;
  /** Every attempt of a payout, the oldest first; none for another payment. */
  payoutAttempts(id: Uuid): Promise<Attempt[]>;
  /** Of each of these payments the attempt that paid, else the newest. */
  shownAttempts(ids: readonly Uuid[]): Promise<Attempt[]>;
  payoutWallets(): Promise<Wallet[]>;
}

export function payoutVerbs(context: VerbContext, options: ResolveOptions): PayoutVerbs {
  const { tenantId, sql } = context;
  return {
    resolvePayout: (id, order) => resolvePayout(context, id, order, options),
    payoutAttempts: (id) =>
      isUuid(id) ? listAttempts(sql, tenantId, id) : refuse('PAYMENT_NOT_FOUND', { payment: id }),
    shownAttempts: async (ids) =>
      ids.length === 0
        ? []
        : shownAttempts(
            sql,
            ids.map((id) => ({ tenantId, id })),
          ),
    payoutWallets: () => listWallets(sql, tenantId),
  };
}
