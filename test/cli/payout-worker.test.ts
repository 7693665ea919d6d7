// `usance worker --only payouts,health`: a process that does nothing else pays a payout from its creation to its final block.
import { expect, test } from 'vitest';
import { walletKey } from '../../src/rails/index.ts';
import { key } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { startUsance, useFolder } from './cli.ts';

const folder = useFolder();
const store = useUsance({ chains: { sandbox: true } });

test('a worker for payouts and health measures the chain, sends a payout and watches it until it is final', async () => {
  const { tenant } = store;
  await tenant.createAsset('USDC/6');
  await tenant.openAccount({ ref: 'alice' });
  await tenant.deposit({ account: 'alice', asset: 'USDC/6', amount: 100_000_000n, idempotencyKey: key() });
  const worker = await startUsance(folder, ['worker', '--only', 'payouts,health', '--json'], '"ready": true', {
    DATABASE_URL: store.runtimeUrl,
    USANCE_SANDBOX: '1',
    USANCE_CONFIRM_EVERY: '1s',
    METRICS_INTERVAL_MS: '1000',
  });
  try {
    expect(JSON.parse(worker.screen)).toMatchObject({ loops: ['payouts', 'confirmations', 'health'] });
    await expect.poll(() => tenant.chains()).toMatchObject([{ name: 'sandbox', status: 'healthy' }]);
    const payout = await tenant.createPayment({
      from: 'alice',
      amount: 2_000_000n,
      asset: 'USDC/6',
      rail: 'sandbox',
      destination: walletKey('payee').address,
      idempotencyKey: key(),
    });
    await expect.poll(() => tenant.payment(payout.id)).toMatchObject({ status: 'settled', attempts: 1 });
  } finally {
    worker.child.kill('SIGTERM');
  }
  expect((await worker.ended).code).toBe(0);
});
