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
