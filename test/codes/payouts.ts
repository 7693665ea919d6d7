// Codes of payouts: of requests that no chain can pay, and of attempts that ended without paying.
import { toTypeId } from '../../src/kernel/index.ts';
import { openSandbox, walletKey } from '../../src/rails/index.ts';
import type { TestApi } from '../api/api.ts';
import type { PayoutWorld } from '../payouts/world.ts';
import { OTHER_PAYEE, PAYEE, SANDBOX, USDC, openWorld } from '../payouts/world.ts';
import { key } from '../support/books.ts';
import { refusalOf } from '../support/refusal.ts';
import type { Cause } from './world.ts';
import { HOLD } from './world.ts';

const PAYOUT = { ...HOLD, to: undefined, rail: 'sandbox', destination: PAYEE };

const refused =
  (change: object): Cause =>
  async (store) => {
    await store.send('POST /assets', { body: { asset: 'USDC/9' } });
    return store.send('POST /payments', { body: { ...PAYOUT, ...change } });
  };

/** The code of the last failure of a payout of a test tenant. */
const failed =
  (happens: (world: PayoutWorld, store: TestApi) => Promise<void>): Cause =>
  async (store) => {
    const sandbox = openSandbox({ url: store.runtimeUrl, production: false, ...SANDBOX });
    try {
      const world = await openWorld(store, sandbox);
      const payout = await world.pay();
      await happens(world, store);
      return (await world.read(payout)).lastCode ?? 'none';
    } finally {
      await sandbox.close();
    }
  };

const withWorld =
  (happens: (world: PayoutWorld) => Promise<string>): Cause =>
  async (store) => {
    const sandbox = openSandbox({ url: store.runtimeUrl, production: false, ...SANDBOX });
    try {
      return await happens(await openWorld(store, sandbox));
    } finally {
      await sandbox.close();
    }
  };
const listed =
  (...bodies: readonly object[]): Cause =>
  async (store) => {
    const [last, ...earlier] = bodies.toReversed();
    for (const body of earlier.toReversed()) await store.send('POST /payout-destinations', { body });
    return store.send('POST /payout-destinations', { body: last });
  };
const ADDRESS = { chain: 'sandbox', address: PAYEE };
/** An id that no destination has. */
const NO_DESTINATION = 'pdst_01k9zt4c2tw8y0a2b4d6f8h0j2';

/** The code of resolving a payout of a test tenant as dead. */
const resolved = (happens: (world: PayoutWorld) => Promise<void>): Cause =>
  withWorld(async (world) => {
    const payout = await world.pay();
    await happens(world);
    return refusalOf(world.tenant.resolvePayout(payout.id, { outcome: 'dead', reason: 'to learn the code' }));
  });

export const OF_PAYOUTS = {
  PAYOUT_DESTINATION_NOT_ALLOWED: async (store) => {
    await store.send('POST /assets', { body: { asset: 'USDC/9' } });
    await store.tenant.setPayoutPolicy({ listedOnly: true });
    const answer = await store.send('POST /payments', {
      body: { ...PAYOUT, asset: 'USDC/9', amount: '1000000', destination: OTHER_PAYEE },
    });
    await store.tenant.setPayoutPolicy({ listedOnly: false });
    return answer;
  },
  PAYOUT_CAP_EXCEEDED: async (store) => {
    await store.send('POST /assets', { body: { asset: 'USDC/9' } });
    await store.tenant.setPayoutCap({ asset: 'USDC', maxAmount: 1n });
    const answer = await store.send('POST /payments', { body: { ...PAYOUT, asset: 'USDC/9', amount: '1000000' } });
    await store.tenant.setPayoutCap({ asset: 'USDC', maxAmount: null });
    return answer;
  },
  PAYOUT_DESTINATION_NOT_FOUND: (store) => store.send(`GET /payout-destinations/${NO_DESTINATION}`),
  PAYOUT_DESTINATION_EXISTS: listed(ADDRESS, ADDRESS),
  PAYOUT_DESTINATION_APPROVED: async (store) => {
    const { id } = await store.tenant.addPayoutDestination({
      chain: 'sandbox',
      address: walletKey('approved').address,
    });
    return store.send(`POST /payout-destinations/${toTypeId('payoutDestination', id)}/approve`);
  },
  PAYOUT_DESTINATIONS_TOO_MANY: async (store) => {
    await store.owner.query(
      `insert into usance.payout_destinations (tenant_id, id, chain, address, added_by, added_at, usable_at)
       select $1::uuid, gen_random_uuid(), 'elsewhere', n::text, 'test', now(), now() from generate_series(1, 100000) n`,
      [store.tenant.id],
    );
    return listed({ chain: 'sandbox', address: walletKey('one more').address })(store);
  },
  PAYOUT_INVALID: refused({ to: 'bob' }),
  CHAIN_NOT_AVAILABLE: refused({ rail: 'solana' }),
  DESTINATION_INVALID: refused({ destination: '0x52908400098527886E0F7030069857D2E4169EE7' }),
  ASSET_NOT_ON_CHAIN: refused({}),
  PAYOUT_AMOUNT_INVALID: refused({ asset: 'USDC/9', amount: '1' }),
  // The worker dies between the claim and the commit: its lease passes.
  PAYOUT_NOT_SENT: failed(async (world, { owner }) => {
    await owner.query(
      `create function public.die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
       create trigger die before update on usance.payout_attempts for each row when (new.state = 'sent') execute function public.die()`,
    );
    await world.pass(1);
    await owner.query('drop trigger die on usance.payout_attempts; drop function public.die()');
    await world.pass(60);
  }),
  PAYOUT_NOT_LANDED: failed(async (world) => {
    await world.faults({ expire: 1 });
    await world.pass(80);
  }),
  PAYOUT_WAITS: failed(async (world) => {
    await world.faults({ error: 1 });
    await world.pass(1);
  }),
  PAYOUT_UNCONFIRMED: failed(async (world) => {
    await world.pass(1);
    await world.faults({ silent: 1 });
    await world.pass(601);
  }),
  ACCOUNT_OF_WALLET: withWorld(async (world) => {
    await world.pay();
    await world.pass(1);
    const order = { account: 'wallet:sandbox', amount: 1n, asset: USDC, idempotencyKey: key() };
    return refusalOf(world.tenant.deposit(order));
  }),
  PAYOUT_NOT_IN_REVIEW: resolved(async () => undefined),
  // Nobody has seen its transaction, and nobody can: the chain does not answer.
  PAYOUT_RESOLUTION_REFUSED: resolved(async (world) => {
    await world.pass(1);
    await world.faults({ silent: 1 });
    await world.pass(601);
  }),
} satisfies Record<string, Cause>;
