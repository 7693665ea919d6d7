// The treasury's wallets as an application sees them.
import type { Transaction } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock } from '../../kernel/index.ts';
import { Refusal, refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { isRefused, postTransfers, requireMayMove, systemAccountId, transferPosted } from '../../ledger/index.ts';
import type { Wallet } from '../wallet-store.ts';
import { findWallet, listWallets } from '../wallet-store.ts';
import { differenceOf, emitWalletEvent } from './loop.ts';
import type { WalletBalance } from './store.ts';
import { listWalletBalances, unfreezeWallet } from './store.ts';

export interface TreasuryWallet extends Wallet {
  readonly balances: readonly WalletBalance[];
}

export interface UnfreezeOptions {
  /** Book the differences that the last comparison found, from or to `world`. Default: the books stay as they are. */
  readonly bookDifference?: boolean | undefined;
}

export interface TreasuryVerbs {
  /** By chain. A wallet is opened by the first payout that needs it. */
  treasuryWallets(): Promise<TreasuryWallet[]>;
  /** Lets a frozen wallet sign again. If it still differs from its chain, the next comparison freezes it again. */
  unfreezeTreasuryWallet(chain: string, reason: string, options?: UnfreezeOptions): Promise<TreasuryWallet>;
}

export function treasuryVerbs(context: VerbContext): TreasuryVerbs {
  const { tenantId, caller, sql } = context;
  return {
    async treasuryWallets() {
      const wallets: TreasuryWallet[] = [];
      for (const wallet of await listWallets(sql, tenantId))
        wallets.push({ ...wallet, balances: await listWalletBalances(sql, wallet) });
      return wallets;
    },
    unfreezeTreasuryWallet: (chain, reason, { bookDifference = false } = {}) =>
      context.run(async (tx, clock) => {
        if (reason.trim() === '') refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
        const wallet = (await findWallet(tx, tenantId, chain)) ?? refuse('TREASURY_WALLET_NOT_FOUND', { chain });
        if ((await unfreezeWallet(tx, wallet)) === null) return refuse('TREASURY_WALLET_NOT_FROZEN', { chain });
        const booked = bookDifference ? await book(tx, clock, caller, wallet) : [];
        await emitWalletEvent(tx, clock, caller, wallet, 'treasury_wallet.unfrozen', { chain, reason, booked });
        return { ...wallet, frozen: null, balances: await listWalletBalances(tx, wallet) };
      }),
  };
}

/** Brings the books to what the chain had in the last comparison. Payouts that ended since changed both by the same. */
async function book(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  wallet: Wallet,
): Promise<{ readonly asset: string; readonly difference: string }[]> {
  const { tenantId, accountId, chain } = wallet;
  const world = systemAccountId(tenantId, 'world');
  requireMayMove(caller, { tenantId, from: [world], to: [] });
  const found = (await listWalletBalances(tx, wallet)).filter(({ verdict }) => verdict === 'different');
  const movements = found.map((one) => {
    const difference = differenceOf(one);
    const [debitAccountId, creditAccountId] = difference > 0n ? [world, accountId] : [accountId, world];
    const amount = difference > 0n ? difference : -difference;
    const kind = 'wallet_correction';
    const description = `difference from ${chain}`;
    return { tenantId, asset: one.asset, debitAccountId, creditAccountId, amount, kind, description };
  });
  for (const posted of await postTransfers(tx, clock, movements)) {
    if (isRefused(posted)) throw new Refusal(posted);
    await appendEvents(tx, [transferPosted(caller, clock, posted)]);
  }
  return found.map((one) => ({ asset: one.asset, difference: String(differenceOf(one)) }));
}
