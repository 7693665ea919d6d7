// The verbs of quotes, wallets and payouts, ready to be interrupted. The chain that they ask says the same whatever happens (idle-chain.ts).
import { fromTypeId } from '../../src/kernel/index.ts';
import { addQuote } from '../support/quotes.ts';
import type { Ground, Scenario } from './ground.ts';
import { fund } from './ground.ts';
import { looked } from './job-scenarios.ts';

const ASSET = 'USDC/6';
const ADDRESS = 'idle:payee';

/** Without a snapshot of its health no chain qualifies. */
async function measured({ usance, tenant }: Ground): Promise<void> {
  await tenant.createAsset(ASSET);
  await usance.loops.find(({ name }) => name === 'health')?.runOnce();
}

/** A payout of ann whose transaction expired while its chain did not answer. */
async function inReview(ground: Ground): Promise<string> {
  const { usance, tenant, owner } = ground;
  await measured(ground);
  await fund(tenant, 'ann', 10_000_000, ASSET);
  const order = { from: 'ann', amount: 1_000_000n, asset: ASSET, rail: 'idle', destination: ADDRESS };
  const { id } = await tenant.createPayment({ ...order, idempotencyKey: 'payout' });
  await usance.loops.find(({ name }) => name === 'payouts')?.runOnce();
  // As the watch does ten minutes later.
  await owner.query(`update usance.payments set status = 'review' where id = $1::uuid`, [id]);
  return id;
}

export const PAYOUT_CHOICE_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'create a quote': looked(
    'createQuote',
    async (ground) => {
      await measured(ground);
      return (own) => own.createQuote({ asset: ASSET, amount: 1_000_000n, destinations: { idle: ADDRESS } });
    },
    'quote.created',
  ),
  'resolve a payout': looked(
    'resolvePayout',
    async (ground) => {
      const id = await inReview(ground);
      return (own) => own.resolvePayout(id, { outcome: 'dead', reason: 'it expired' });
    },
    'payment.resolved',
    'payment.attempt_failed',
  ),
  'accept a quote': looked(
    'takeQuote',
    async ({ tenant, owner }) => {
      const id = fromTypeId('quote', await addQuote(owner, tenant));
      return (own) => own.takeQuote(id);
    },
    'quote.accepted',
  ),
  'set the floor of a wallet': looked(
    'setTreasuryFloor',
    async ({ tenant, owner }) => {
      await tenant.openAccount({ ref: 'wallet:low' });
      await owner.query(
        `with wallet as (
           insert into usance.payout_wallets (tenant_id, chain, account_id, address, fee_asset, created_at)
           select tenant_id, 'low', id, 'low-wallet', 'GAS/6', now() from usance.accounts
           where tenant_id = $1::uuid and ref = 'wallet:low' returning tenant_id, chain)
         insert into usance.payout_wallet_assets (tenant_id, chain, asset, opening, height, opened_at)
         select tenant_id, chain, 'USDC/6', 0, 0, now() from wallet`,
        [tenant.id],
      );
      return (own) => own.setTreasuryFloor('low', { asset: 'USDC/6', floor: 100n });
    },
    'treasury_wallet.floor_set',
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
