// Payouts that a worker holds: their payments are locked, and the book is open on the wallets and on payers that pay or get something back.
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { invariant } from '../kernel/index.ts';
import type { BalanceKey } from '../ledger/index.ts';
import type { Batch, Item, Payment } from '../payments/index.ts';
import { loadItems, openBatchOf, writeBatch } from '../payments/index.ts';
import type { Sent } from './attempt.ts';

export interface PayoutsRequest {
  readonly caller: Caller;
  readonly payments: readonly Pick<Payment, 'tenantId' | 'id'>[];
  /** Payments that pay, or whose reservation is given back. */
  readonly moves: ReadonlySet<Uuid>;
  readonly wallets: readonly BalanceKey[];
}

export interface PayoutBatch extends Batch {
  write(tx: Transaction): Promise<void>;
}

/** The attempts are locked already: after them come the payments, then the balances. */
export async function openPayouts(tx: Transaction, clock: Clock, request: PayoutsRequest): Promise<PayoutBatch> {
  const items: Item[] = await loadItems(tx, [], request.payments);
  for (const { payment } of items)
    invariant(payment.endedAt === null && payment.status !== 'scheduled', `payout ${payment.id} to be with its chain`);
  const batch = await openBatchOf(tx, clock, items, {
    caller: request.caller,
    pays: false,
    moves: ({ id }) => request.moves.has(id),
    others: request.wallets,
  });
  return Object.assign(batch, { write: (on: Transaction) => writeBatch(on, batch) });
}

/** The balances of a wallet that a transfer moves: of its asset, and of the asset that pays the fee. */
export const walletKeys = (
  { tenantId, asset }: { readonly tenantId: Uuid; readonly asset: string },
  { walletId: accountId, feeAsset }: Pick<Sent, 'walletId' | 'feeAsset'>,
): BalanceKey[] => [...new Set([asset, feeAsset])].map((name) => ({ tenantId, accountId, asset: name }));
