// Codes of payouts: of requests that no chain can pay, and of attempts that ended without paying.
import { openSandbox } from '../../src/rails/index.ts';
import type { TestApi } from '../api/api.ts';
import type { PayoutWorld } from '../payouts/world.ts';
import { PAYEE, SANDBOX, openWorld } from '../payouts/world.ts';
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

/** The code of resolving a payout of a test tenant as dead. */
const resolved =
  (happens: (world: PayoutWorld) => Promise<void>): Cause =>
  async (store) => {
    const sandbox = openSandbox({ url: store.runtimeUrl, production: false, ...SANDBOX });
    try {
      const world = await openWorld(store, sandbox);
      const payout = await world.pay();
      await happens(world);
      return await refusalOf(world.tenant.resolvePayout(payout.id, { outcome: 'dead', reason: 'to learn the code' }));
    } finally {
      await sandbox.close();
    }
  };

export const OF_PAYOUTS = {
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
  PAYOUT_NOT_IN_REVIEW: resolved(async () => undefined),
  // Nobody has seen its transaction, and nobody can: the chain does not answer.
  PAYOUT_RESOLUTION_REFUSED: resolved(async (world) => {
    await world.pass(1);
    await world.faults({ silent: 1 });
    await world.pass(601);
  }),
} satisfies Record<string, Cause>;
