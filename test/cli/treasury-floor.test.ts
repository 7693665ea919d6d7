// `usance treasury-wallets floor`: what it says of the amount.
import { expect, test } from 'vitest';
import { walletKey } from '../../src/rails/index.ts';
import { key } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance({ chains: { sandbox: true, measureEveryMs: 3_600_000 } });
const run = (...args: string[]) => usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl, USANCE_SANDBOX: '1' });

test('a floor is confirmed as an amount with its decimals', async () => {
  const { tenant } = world;
  await tenant.createAsset('USDC/6');
  await tenant.openAccount({ ref: 'alice' });
  await tenant.deposit({ account: 'alice', asset: 'USDC/6', amount: 100_000_000n, idempotencyKey: key() });
  await world.usance.loops.find(({ name }) => name === 'health')?.runOnce();
  await tenant.createPayment({
    from: 'alice',
    amount: 2_000_000n,
    asset: 'USDC/6',
    destinations: { sandbox: walletKey('payee').address },
    idempotencyKey: key(),
  });
  for (const name of ['processor', 'payouts']) await world.usance.loops.find((loop) => loop.name === name)?.runOnce();
  const floor = (...args: string[]) => run('treasury-wallets', 'floor', 'sandbox', ...args);
  const says = 'the wallet on sandbox has less than 1.500000 USDC available.';
  expect((await floor('USDC/6', '1500000')).out).toContain(says);
  expect((await floor('USDC', '1500000', '--dry-run')).out).toContain(says);
  expect((await floor('USDC', 'none')).out).toContain('the wallet on sandbox has no floor for USDC/6.');
});
