// The verbs of quotes and wallets, ready to be interrupted. `createQuote` asks chains: it is in boundaries.ts.
import { fromTypeId } from '../../src/kernel/index.ts';
import { addQuote } from '../support/quotes.ts';
import type { Scenario } from './ground.ts';
import { looked } from './job-scenarios.ts';

export const PAYOUT_CHOICE_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'accept a quote': looked(
    'takeQuote',
    async ({ tenant, owner }) => {
      const id = fromTypeId('quote', await addQuote(owner, tenant));
      return (own) => own.takeQuote(id);
    },
    'quote.accepted',
  ),
  'unfreeze a wallet': looked(
    'unfreezeTreasuryWallet',
    async ({ tenant, owner }) => {
      await tenant.openAccount({ ref: 'wallet:idle' });
      await owner.query(
        `insert into usance.payout_wallets (tenant_id, chain, account_id, address, fee_asset, created_at, frozen_at, frozen_reason)
         select tenant_id, 'idle', id, 'idle-wallet', 'GAS/6', now(), now(), 'planted' from usance.accounts
         where tenant_id = $1::uuid and ref = 'wallet:idle'`,
        [tenant.id],
      );
      return (own) => own.unfreezeTreasuryWallet('idle', 'checked by hand');
    },
    'treasury_wallet.unfrozen',
  ),
};
