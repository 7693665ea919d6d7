// The example of src/testing/README.md, as it is there.
import { createTestWorld, usanceMatchers } from '../../src/testing/index.ts';
import type { TestWorld } from '../../src/testing/index.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

expect.extend(usanceMatchers);

const sent: string[] = [];
let world: TestWorld;
beforeAll(async () => {
  world = await createTestWorld({
    processors: [
      {
        name: 'send-receipt',
        description: 'Sends a receipt by email.',
        async processor(event, execution) {
          if (execution.attemptNumber === 1) throw new Error('the mail server did not answer');
          sent.push(event.resourceId);
          return { receipt: `R-${sent.length}` };
        },
      },
    ],
  });
}, 60_000);
afterAll(() => world.close());

test('a hold is paid after three days', async () => {
  const { shop } = world;
  await world.fund('alice', 5_000n);
  await shop.accounts.create({ ref: 'bob' });
  const hold = { from: 'alice', to: 'bob', amount: 2_000n, delay: '3d' };
  await shop.holds.create(hold, { idempotencyKey: 'order-1001' });
  await expect(world).toHaveBalance('alice', 'USD', 3_000n);
  await expect(world).not.toHaveEmitted('payment.settled');

  await world.advance('3d');
  await expect(world).toHaveEmitted('payment.settled', { amount: 2_000n, payer: { ref: 'alice' } });
  await expect(world).toHaveBalance('bob', 'USD', 2_000n);
});

test('a receipt is sent for every settled payment, at the second attempt', async () => {
  const { shop, fund, advance, jobs } = await world.createTenant();
  await shop.jobs.create({ name: 'receipts', eventPattern: 'payment.settled', processorName: 'send-receipt' });
  await fund('alice', 5_000n);
  await shop.accounts.create({ ref: 'bob' });
  const order = { from: 'alice', to: 'bob', amount: 2_000n, delay: '3d' };
  const payment = await shop.payments.create(order, { idempotencyKey: 'order-1001' });

  await advance('4d');
  expect(sent).toEqual([payment.id]);
  expect(await jobs.executions('receipts')).toMatchObject([
    { status: 'completed', attemptNumber: 2, result: { receipt: 'R-1' } },
  ]);
});
