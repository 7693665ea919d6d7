// Settling is done in sets: a batch makes the same statements whether it has two payments or hundreds. The events of the payments, which
// have the whole payment, are built from what the batch has loaded.
import { expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../src/engine.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';

const store = useUsance();

test.each(['reserve', 'at_execution'] as const)('a batch of payments with %s takes a fixed number', async (funding) => {
  const [from, to] = [`payer-${funding}`, `payee-${funding}`];
  await open(store.tenant, { [from]: 100_000, [to]: 0 });
  const order = { from, to, asset: 'USD', amount: 10, funding, delay: '0s', metadata: { order: 'A-1001' } };

  /** Of the first run of a processor. */
  const statementsFor = async (count: number): Promise<number> => {
    const orders = Array.from({ length: count }, (_, n) => ({ ...order, reference: `${funding} ${count} ${n}` }));
    await store.tenant.createPayments(orders, { idempotencyKey: key() });
    let statements = 0;
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      onStatement: () => Promise.resolve(void (statements += 1)),
    });
    onTestFinished(() => engine.close());
    statements = 0;
    const report = await engine.loops.find(({ name }) => name === 'processor')?.runOnce();
    expect(report?.counts).toMatchObject({ settled: count });
    return statements;
  };

  expect(await statementsFor(300)).toBe(await statementsFor(3));
});
