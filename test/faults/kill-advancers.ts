// Workers that advance a test clock and are killed on the way, each followed by another.
import { expect } from 'vitest';
import { launchUsance } from '../cli/cli.ts';
import { held, key, open } from '../support/books.ts';
import type { useUsance } from '../support/database.ts';
import { DAY, MINUTE } from '../support/processor.ts';
import { after, testTenant } from '../support/test-clock.ts';

export interface KillSize {
  /** At most: an advance that has arrived is over. */
  readonly kills: number;
  readonly payments: number;
  /** Leases run out in real time; otherwise they are ended by hand. */
  readonly waits: boolean;
}

export async function killAdvancers(
  store: ReturnType<typeof useUsance>,
  folder: string,
  size: KillSize,
): Promise<{ kills: number; payments: number }> {
  const { tenant, clock } = await testTenant(store.usance);
  await open(tenant, { payer: size.payments, payee: 0 });
  const order = { from: 'payer', to: 'payee', asset: 'USD', amount: 1 };
  const orders = Array.from({ length: size.payments }, (_, n) => ({ ...order, executeAt: after((n + 1) * MINUTE) }));
  await tenant.createPayments(orders, { idempotencyKey: key() });
  await tenant.advanceTestClock(clock, after(DAY));

  const work = () =>
    launchUsance(folder, ['worker', '--only', 'clocks,sequencer'], { DATABASE_URL: store.runtimeUrl, PORT: '0' });
  const report = () => tenant.testClock(clock);
  let kills = 0;
  let child = work();
  let { now } = await report();
  const isFurther = async (): Promise<boolean> => {
    const seen = await report();
    return seen.status !== 'advancing' || seen.now > now;
  };
  while (kills < size.kills) {
    await expect.poll(isFurther, { timeout: 60_000, interval: 5 }).toBe(true);
    const seen = await report();
    if (seen.status !== 'advancing') break;
    child.child.kill('SIGKILL');
    await child.ended;
    kills += 1;
    ({ now } = await report());
    if (!size.waits) await store.owner.query('update usance.test_clocks set leased_until = null');
    child = work();
  }
  await expect.poll(async () => (await report()).happened, { timeout: 60_000, interval: 50 }).not.toBeNull();
  child.child.kill('SIGTERM');
  await child.ended;
  expect(await report()).toMatchObject({
    status: 'ready',
    now: after(DAY),
    happened: { byType: { 'payment.settled': size.payments } },
  });
  expect(await held(tenant, 'payee')).toEqual([BigInt(size.payments), 0n]);
  const punctual = await store.owner.query(
    `select count(*)::int as n from usance.payments where tenant_id = $1::uuid and ended_at = execute_at`,
    [tenant.id],
  );
  expect(punctual).toEqual([{ n: size.payments }]);
  return { kills, payments: size.payments };
}
