// The treasury's wallets as an application sees them.
import { refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import type { Wallet } from '../wallet-store.ts';
import { findWallet, listWallets } from '../wallet-store.ts';
import { emitWalletEvent } from './loop.ts';
import type { WalletBalance } from './store.ts';
import { listWalletBalances, unfreezeWallet } from './store.ts';

export interface TreasuryWallet extends Wallet {
  readonly balances: readonly WalletBalance[];
}

export interface TreasuryVerbs {
  /** By chain. A wallet is opened by the first payout that needs it. */
  treasuryWallets(): Promise<TreasuryWallet[]>;
  /** Lets a frozen wallet sign again. If it still differs from its chain, the next comparison freezes it again. */
  unfreezeTreasuryWallet(chain: string, reason: string): Promise<TreasuryWallet>;
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
    unfreezeTreasuryWallet: (chain, reason) =>
      context.run(async (tx, clock) => {
        if (reason.trim() === '') refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
        const wallet = (await findWallet(tx, tenantId, chain)) ?? refuse('TREASURY_WALLET_NOT_FOUND', { chain });
        if ((await unfreezeWallet(tx, wallet)) === null) return refuse('TREASURY_WALLET_NOT_FROZEN', { chain });
        await emitWalletEvent(tx, clock, caller, wallet, 'treasury_wallet.unfrozen', { chain, reason });
        return { ...wallet, frozen: null, balances: await listWalletBalances(tx, wallet) };
      }),
  };
}
