// How often a credit of an allowance is tried: by the values of the deployment as they are now, or by the allowance's own.
import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../src/engine.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, testTenant } from '../support/test-clock.ts';

const store = useUsance();
const TERMS = { guardian: 'mum', asset: 'USD', amount: 500, frequency: 'DAILY', status: 'ON' } as const;

let world: TestTenant;
beforeAll(async () => {
  world = await testTenant(store.usance, '2027-01-01T10:00:00Z');
  await world.tenant.openAccount({ ref: 'mum' });
  for (const ref of ['tim', 'ida']) await world.tenant.openAccount({ ref, guardian: 'mum' });
});

test.each([
  { maxAttempts: 0 },
  { maxAttempts: 101 },
  { maxAttempts: Number.NaN },
  { retryDelayMs: 0 },
  { retryDelayMs: -5 },
  { retryDelayMs: 999 },
  { retryDelayMs: Infinity },
])('the library refuses allowances: %o before it opens anything', async (allowances) => {
  const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';
  expect(await refusalOf(createEngine({ databaseUrl, allowances }))).toBe('RETRY_INVALID');
});

describe('an allowance', () => {
  test('follows changed values of the deployment with its next credit, unless it has its own', async () => {
    const { tenant } = world;
    expect((await tenant.createAllowance({ ...TERMS, junior: 'tim' })).retry).toBeNull();
    const own = await tenant.createAllowance({ ...TERMS, junior: 'ida', retry: { maxAttempts: 3 } });
    expect(own.retry).toMatchObject({ maxAttempts: 3, initialDelayMs: 600_000 });
    const attempts = async (junior: string): Promise<number[]> =>
      (await tenant.allowanceCredits('mum', junior)).map((credit) => credit.attempts);

    await advance(store.usance, world, '2027-01-02T12:00:00Z');
    expect([await attempts('tim'), await attempts('ida')]).toEqual([[5], [3]]);

    // The same deployment, started with other values: two attempts, five seconds apart.
    const databaseUrl = store.runtimeUrl;
    const changed = await createEngine({ databaseUrl, allowances: { maxAttempts: 2, retryDelayMs: 5_000 } });
    await advance(changed, world, '2027-01-03T00:00:04Z');
    expect(await attempts('tim')).toEqual([1, 5]);
    await advance(changed, world, '2027-01-03T12:00:00Z');
    expect([await attempts('tim'), await attempts('ida')]).toEqual([
      [2, 5],
      [3, 3],
    ]);

    await tenant.editAllowance('mum', 'ida', { retry: null });
    await advance(changed, world, '2027-01-04T12:00:00Z');
    expect(await attempts('ida')).toEqual([2, 3, 3]);
    await changed.close();
  });

  test('refuses a retry policy that cannot be', async () => {
    const { tenant } = world;
    for (const retry of ['often', { maxAttempts: 0 }, { initialDelayMs: 999 }, { tries: 3 }])
      expect(await refusalOf(tenant.editAllowance('mum', 'tim', { retry })), JSON.stringify(retry)).toBe(
        'RETRY_INVALID',
      );
  });
});

test('a batch of no row, of a part or of too many is refused before anything is opened', async () => {
  const databaseUrl = 'postgres://nobody@127.0.0.1:1/nowhere';
  for (const batchSize of [0, -1, 1.5, 10_001, Number.NaN]) {
    for (const loop of ['processor', 'scheduler'] as const) {
      await expect(createEngine({ databaseUrl, [loop]: { batchSize } })).rejects.toThrow(
        `${loop}.batchSize must be a whole number from 1 to 10000`,
      );
    }
  }
});
