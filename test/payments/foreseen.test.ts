// Payments that reserved nothing are counted on to have their funds: their history is written before a balance is looked at.
// Where that was wrong, nobody must see it.
import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT } from '../../src/kernel/index.ts';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { Foresight } from '../../src/payments/foresight.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { testProcessor } from '../support/processor.ts';

describe('payments that reserved nothing', () => {
  const store = useUsance();
  let count = 0;
  const people = async (...funds: number[]): Promise<string[]> => {
    count += 1;
    const names = funds.map((_, index) => `person-${count}-${index}`);
    await open(store.tenant, Object.fromEntries(funds.map((amount, index) => [names[index], amount])));
    return names;
  };
  const create = async (order: Partial<PaymentOrder>): Promise<string> => {
    const basis = { from: '', asset: 'USD', amount: 100, funding: 'at_execution' } as const;
    return (await store.tenant.createPayment({ ...basis, ...order, idempotencyKey: key() })).id;
  };
  const statusesOf = (ids: readonly string[]): Promise<string[]> =>
    Promise.all(
      ids.map(async (id) => {
        const { status, attempts, lastCode } = await store.tenant.payment(id);
        return [status, attempts, ...(lastCode ? [lastCode] : [])].join(' ');
      }),
    );
  /** One batch; returns which of the ways to change a balance it took. */
  const settle = async (): Promise<string[]> => {
    const ways: string[] = [];
    const db = store.pool({
      onStatement: (text) => {
        const [way] = /(?<=update usance\.balances b\s+set available = )[bv]/.exec(text) ?? [];
        if (way) ways.push(way === 'b' ? 'foreseen' : 'looked at');
      },
    });
    await testProcessor(db).run();
    return ways;
  };

  test('settle without a look at their balances', async () => {
    const [a = '', b = '', c = ''] = await people(500, 500, 0);
    const ids = [
      await create({ from: a, to: b }),
      await create({ from: b, to: c }),
      await create({ from: a, to: 'fees' }),
    ];
    const held1 = await create({ from: a, to: c, funding: 'reserve' });
    expect(await settle()).toEqual(['foreseen']);
    expect(await statusesOf([...ids, held1])).toEqual(Array.from({ length: 4 }, () => 'settled 1'));
    expect(await held(store.tenant, a)).toEqual([200n, 0n]);
    expect(await held(store.tenant, b)).toEqual([500n, 0n]);
    expect(await held(store.tenant, c)).toEqual([200n, 0n]);
  });

  test('are looked at where one lacks its funds, and the others settle all the same', async () => {
    const [a = '', poor = '', c = ''] = await people(500, 99, 0);
    const ids = [
      await create({ from: a, to: c }),
      await create({ from: poor, to: c }),
      await create({ from: a, to: c }),
    ];
    expect(await settle()).toEqual(['foreseen', 'looked at']);
    expect(await statusesOf(ids)).toEqual(['settled 1', 'scheduled 1 FUNDS_INSUFFICIENT', 'settled 1']);
    expect(await held(store.tenant, poor)).toEqual([99n, 0n]);
    const told = await Promise.all(ids.map((id) => store.tenant.timeline(id)));
    const settled = told.flat().filter(({ type }) => type === 'payment.settled');
    expect(settled).toHaveLength(2);
  });

  test('may be paid out of each other, in their order', async () => {
    const [a = '', b = '', c = ''] = await people(100, 0, 0);
    const now = Date.now();
    const later = await create({ from: b, to: c, executeAt: new Date(now - 1_000) });
    const sooner = await create({ from: a, to: b, executeAt: new Date(now - 2_000) });
    expect(await settle()).toEqual(['foreseen', 'looked at']);
    expect(await statusesOf([sooner, later])).toEqual(['settled 1', 'settled 1']);
  });

  test('keep to a daily limit', async () => {
    const [a = '', b = ''] = await people(500, 0);
    await store.tenant.setLimit({ account: a, asset: 'USD', dailyAmount: 150 });
    const ids = [await create({ from: a, to: b }), await create({ from: a, to: b })];
    expect(await settle()).toEqual(['foreseen', 'looked at']);
    expect((await statusesOf(ids)).toSorted()).toEqual(['scheduled 1 LIMIT_DAILY_EXCEEDED', 'settled 1']);
  });

  test('of more than any balance could hold together are each refused for its own reason', async () => {
    const [a = '', b = ''] = await people(1, 0);
    const ids = [
      await create({ from: a, to: b, amount: MAX_AMOUNT }),
      await create({ from: a, to: b, amount: MAX_AMOUNT }),
    ];
    expect(await settle()).toEqual(['looked at']);
    expect(await statusesOf(ids)).toEqual(ids.map(() => 'scheduled 1 FUNDS_INSUFFICIENT'));
  });

  test('to a suspended account wait for it', async () => {
    const [a = '', b = '', c = ''] = await people(500, 0, 0);
    const ids = [await create({ from: a, to: b }), await create({ from: a, to: c })];
    await store.tenant.suspendAccount(c, 'look into it');
    expect(await settle()).toEqual(['foreseen', 'looked at']);
    expect(await statusesOf(ids)).toEqual(['settled 1', 'scheduled 1 ACCOUNT_NOT_ACTIVE']);
  });

  test('leave books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});

test('where funds were missing, they are not counted on for a while', () => {
  const foresight = new Foresight();
  const batches = (most: number): number => {
    for (let batch = 1; batch <= most; batch += 1) if (foresight.expectsFunds()) return batch;
    return Infinity;
  };
  expect([batches(1), batches(1)]).toEqual([1, 1]);
  foresight.failed();
  expect(batches(31)).toBe(Infinity);
  expect(batches(1)).toBe(1);
});
