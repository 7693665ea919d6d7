// Payouts in states that a test cannot wait for.
import type { Database } from '../../src/db/index.ts';
import type { Engine, TenantHandle } from '../../src/engine.ts';
import { liveAt, toTypeId } from '../../src/kernel/index.ts';
import { openSandbox, walletKey } from '../../src/rails/index.ts';
import { key } from './books.ts';

interface Store {
  readonly usance: Engine;
  readonly tenant: TenantHandle;
  readonly owner: Database;
  readonly runtimeUrl: string;
}

/**
 * A payout of alice in review, whose transaction was dropped and can no longer be included: the simulated chain is moved on by an hour. Returns
 * its TypeID.
 */
export async function payoutInReview(
  { usance, tenant, owner, runtimeUrl }: Store,
  settings: { readonly blockMs?: number; readonly finalityBlocks?: number } = {},
): Promise<string> {
  const run = (name: string) => usance.loops.find((loop) => loop.name === name)?.runOnce();
  const now = new Date();
  const sandbox = openSandbox({ ...settings, url: runtimeUrl, production: false });
  try {
    await run('health');
    await sandbox.setFaults(liveAt(now), { drop: 1 });
    const order = { from: 'alice', amount: 1_000_000n, asset: 'USDC/6', idempotencyKey: key() };
    const payout = await tenant.createPayment({ ...order, rail: 'sandbox', destination: walletKey('payee').address });
    await run('payouts');
    await sandbox.setFaults(liveAt(now), {});
    await sandbox.at(liveAt(new Date(now.getTime() + 3_600_000)), () => Promise.resolve());
    // As the watch would, ten minutes later.
    await owner.query(`update usance.payments set status = 'review' where id = $1::uuid`, [payout.id]);
    return toTypeId('payment', payout.id);
  } finally {
    await sandbox.close();
  }
}
