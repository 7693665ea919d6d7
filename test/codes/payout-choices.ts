// Codes of quotes, routes and wallets.
import { chooseByScore } from '../../src/payouts/index.ts';
import { liveAt, newId } from '../../src/kernel/index.ts';
import { GOOD, fakeRail } from '../rails/fake-rail.ts';
import { addQuote } from '../support/quotes.ts';
import type { TestApi } from '../api/api.ts';
import type { Cause } from './world.ts';
import { nobodys } from './world.ts';

const accept = (store: TestApi, id: string): ReturnType<Cause> =>
  store.send(`POST /quotes/${id}/accept`, { body: { from: 'alice' } });
const ORDER = {
  asset: 'USDC/6',
  amount: '1',
  destinations: { sandbox: 'sbx1017e36c840e14cb75d0846ecf145e2f16909e3c' },
};

/** Of an attempt whose chain has become dearer since it was measured. */
async function feeExceeded({ db, owner, tenant }: TestApi): Promise<string> {
  const { fee } = GOOD;
  const rail = fakeRail('dear', {
    estimateFee: async () => ({ outcome: 'known', value: { ...fee, units: fee.units * 100n } }),
    getBalance: async () => ({
      outcome: 'known',
      value: { units: 10n ** 12n, finalizedUnits: 10n ** 12n, height: 2n, finalizedHeight: 1n },
    }),
  });
  await owner.query(`insert into usance.chains (name, assets, interval_ms) values ('dear', '[]', 3600000)`);
  await owner.query(
    `insert into usance.chain_health_snapshots (id, chain, status, avg_confirmation_seconds, rpc_error_rate, p95_latency_ms, congestion_score,
       estimated_fee_usd, fee_asset, fee_units, fee_decimals, price_usd, price_observed_at, taken_at)
     values ($1::uuid, 'dear', 'healthy', 8, 0, 100, 0, 0.02, 'GAS', 20000000, 9, 1, now(), now())`,
    [newId()],
  );
  const choose = chooseByScore(db, {
    rails: { chains: ['dear'], of: () => rail },
    feeTolerance: { share: 0.5, usd: 0.01, policy: 'fail' },
  });
  const request = {
    tenantId: tenant.id,
    paymentId: newId(),
    attempt: 1,
    quoteId: null,
    failedOn: [],
    priority: 'fast',
  } as const;
  const destinations = { dear: 'dear:payee' };
  const choice = await choose({ ...request, asset: 'USDC/6', amount: 1n, destinations }, liveAt(new Date()));
  return choice.outcome === 'refused' ? choice.cause.code : choice.outcome;
}

export const OF_PAYOUT_CHOICES = {
  QUOTE_NOT_FOUND: (store) => store.send(`GET /quotes/${nobodys('quote')}`),
  QUOTE_EXPIRED: async (store) => accept(store, await addQuote(store.owner, store.tenant, { expired: true })),
  QUOTE_USED: async (store) => accept(store, await addQuote(store.owner, store.tenant, { used: true })),
  QUOTE_NO_ROUTE: (store) => store.send('POST /quotes', { body: { ...ORDER, amount: '9000000000000000' } }),
  ROUTE_FEE_EXCEEDED: feeExceeded,
  ROUTE_NOT_CHOSEN: async (store) => {
    const body = { from: 'alice', to: 'bob', amount: '1', asset: 'USD/2', delay: '1h' };
    const { word } = await store.send('POST /payments', { body });
    return store.send(`GET /payments/${word('id')}/route`);
  },
  TREASURY_WALLET_NOT_FOUND: (store) =>
    store.send('POST /treasury-wallets/solana/unfreeze', { body: { reason: 'to see' } }),
  TREASURY_WALLET_NOT_FROZEN: async (store) => {
    const { owner, tenant } = store;
    await tenant.openAccount({ ref: 'wallet:idle' });
    await owner.query(
      `insert into usance.payout_wallets (tenant_id, chain, account_id, address, fee_asset, created_at)
       select tenant_id, 'idle', id, 'idle-wallet', 'GAS/6', now() from usance.accounts where tenant_id = $1::uuid and ref = 'wallet:idle'`,
      [tenant.id],
    );
    return store.send('POST /treasury-wallets/idle/unfreeze', { body: { reason: 'to see' } });
  },
} as const satisfies Record<string, Cause>;
