// An escrow with a fee: the buyer's money is held for thirty days, delivered goods are paid in parts, and the rest is released.
// A test clock makes the thirty days pass at once.
//
//   node examples/escrow.ts        in a clone; elsewhere copy the file into your project first
//
// It runs on an embedded PostgreSQL in the folder .usance, or on the server in DATABASE_URL.
import { randomUUID } from 'node:crypto';
import { createUsance } from '../src/index.ts'; // In your project: from 'usance'.

const DAY_MS = 24 * 3_600_000;
const usance = await createUsance({
  databaseUrl: process.env['DATABASE_URL'],
  migrate: true,
  // A hold may be due at most seven days ahead unless you raise the bound (the variable is USANCE_MAX_HOLD_DELAY).
  bounds: { maxHoldDelayMs: 60 * DAY_MS },
});
usance.start(); // runs what is due, and the advances of test clocks

const market = await usance.tenants.create({ name: `market-${randomUUID()}`.slice(0, 20), kind: 'test' });
const clock = await market.testClocks.create({ name: 'escrow', now: '2027-01-01T00:00:00Z' });
await market.assets.ensure({ asset: 'USD/2' });
for (const ref of ['buyer', 'seller', 'platform']) await market.accounts.ensure({ ref });
await market.accounts.deposit('buyer', { asset: 'USD/2', amount: 200_00 }, { idempotencyKey: 'deposit' });

const hold = (): Promise<{ readonly id: string }> =>
  market.payments.create(
    {
      from: 'buyer',
      legs: [
        { to: 'seller', amount: 97_00 },
        { to: 'platform', amount: 3_00 },
      ],
      asset: 'USD/2',
      amount: 100_00,
      delay: '30d',
    },
    { idempotencyKey: randomUUID() },
  );

async function show(what: string): Promise<void> {
  const available = async (ref: string): Promise<string> => {
    const { balances } = await market.accounts.get(ref);
    return `${ref} ${balances[0]?.available ?? '0'}`;
  };
  console.log(`${what}: ${(await Promise.all(['buyer', 'seller', 'platform'].map(available))).join(', ')}`);
}

// A part is divided among the payees in proportion to their legs. The cancellation releases the rest.
const first = await hold();
await market.payments.capture(first.id, { amount: 40_00 }, { idempotencyKey: 'delivered-1' });
await show('40.00 captured'); // buyer 10000, seller 3880, platform 120
await market.payments.cancel(first.id, { reason: 'the rest is out of stock' });
await show('the rest cancelled'); // buyer 16000, seller 3880, platform 120
await market.payments.refund(first.id, { from: 'seller', amount: 10_00 }, { idempotencyKey: 'damaged-1' });
await show('10.00 refunded'); // buyer 17000, seller 2880, platform 120

// Without a capture or a cancellation, the hold pays both after thirty days. `advance` returns at once; `wait` waits for its end.
await hold();
await market.testClocks.advance(clock.id, { to: '2027-02-01T00:00:00Z' });
await market.testClocks.wait(clock.id);
await show('after thirty days'); // buyer 7000, seller 12580, platform 420

await usance.close();
