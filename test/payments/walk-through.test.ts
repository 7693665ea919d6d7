// Document 004's walk-through, on the engine itself.
import { describe, expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';

describe('a hold', () => {
  const store = useUsance();

  test('reserves now and moves money when due', async () => {
    const { tenant, usance } = store;
    await tenant.createAsset('ROBUX/0');
    await tenant.openAccount({ ref: 'user-a' });
    await tenant.openAccount({ ref: 'user-b' });
    await tenant.deposit({ account: 'user-a', asset: 'ROBUX', amount: 250, idempotencyKey: 'fund a' });

    const hold = await tenant.createPayment({
      from: 'user-a',
      to: 'user-b',
      asset: 'ROBUX',
      amount: 100,
      delay: '48h',
      idempotencyKey: 'hold 1',
    });
    expect(hold).toMatchObject({ status: 'scheduled', amount: 100n });
    expect(await tenant.balances('user-a')).toMatchObject([{ available: 150n, reserved: 100n }]);

    const processor = usance.loops.find((loop) => loop.name === 'processor');
    await processor?.runOnce();
    expect(await tenant.payment(hold.id)).toMatchObject({ status: 'scheduled', attempts: 0 });

    await tenant.runPaymentNow(hold.id);
    const run = await processor?.runOnce();
    expect(run?.counts).toMatchObject({ settled: 1 });
    expect(await tenant.payment(hold.id)).toMatchObject({ status: 'settled', captured: 100n, attempts: 1 });
    expect(await tenant.balances('user-a')).toMatchObject([{ available: 150n, reserved: 0n }]);
    expect(await tenant.balances('user-b')).toMatchObject([{ available: 100n }]);
    expect((await tenant.timeline(hold.id)).map((entry) => entry.type)).toEqual([
      'payment.created',
      'payment.run_now',
      'payment.settled',
    ]);
    for (const check of await usance.verify()) expect(check, check.says).toMatchObject({ offenders: [] });
  });
});
