// The credits of an allowance: what became of each of its dates.
import { beforeAll, describe, expect, test } from 'vitest';
import { key } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, testTenant } from '../support/test-clock.ts';

const store = useUsance();
const TERMS = { asset: 'USD', amount: 500, frequency: 'DAILY', status: 'ON' } as const;

/** A test tenant in which it is ten in the morning of the 1st of January 2027. */
let world: TestTenant;
beforeAll(async () => {
  world = await testTenant(store.usance, '2027-01-01T10:00:00Z');
});

describe('the credits of an allowance', () => {
  test('are one for each date, paid, tried again, failed, skipped or cancelled, newest first', async () => {
    const { tenant } = world;
    await tenant.openAccount({ ref: 'mum' });
    await tenant.openAccount({ ref: 'tim', guardian: 'mum' });
    await tenant.deposit({ account: 'mum', asset: 'USD', amount: 500, idempotencyKey: key() });
    const { id } = await tenant.createAllowance({ guardian: 'mum', junior: 'tim', ...TERMS });
    const shown = async () =>
      (await tenant.allowanceCredits('mum', 'tim')).map(({ runAt, status, attempts, lastCode }) => [
        runAt.toISOString().slice(0, 10),
        status,
        attempts,
        lastCode,
      ]);
    expect(await shown()).toEqual([]);

    // The money is enough for one; the second date is tried five times within forty minutes, the third until it is turned off.
    await advance(store.usance, world, '2027-01-04T00:05:00Z');
    const [third] = await shown();
    expect(third).toEqual(['2027-01-04', 'PENDING', 1, 'FUNDS_INSUFFICIENT']);
    await tenant.editAllowance('mum', 'tim', { status: 'OFF' });
    expect(await shown()).toEqual([
      ['2027-01-04', 'CANCELLED', 1, 'FUNDS_INSUFFICIENT'],
      ['2027-01-03', 'FAILED', 5, 'FUNDS_INSUFFICIENT'],
      ['2027-01-02', 'CREDITED', 1, null],
    ]);
    const [newest, failed, paid] = await tenant.allowanceCredits('mum', 'tim');
    expect(paid).toMatchObject({
      amount: 500n,
      asset: 'USD/2',
      slots: 1,
      creditedAt: new Date('2027-01-02T00:00:00Z'),
      reason: null,
    });
    expect(failed?.creditedAt).toBeNull();
    expect((await tenant.payment(failed?.paymentId ?? '')).owner).toEqual({ kind: 'allowance', id });

    // Pages continue from a slot.
    const page = await tenant.allowanceCredits('mum', 'tim', { limit: 1, before: newest?.slot ?? 0 });
    expect(page).toEqual([failed]);

    // Turned on again, it goes on with the next date, and a deleted one still shows its credits until there is another.
    await tenant.deleteAllowance('mum', 'tim');
    expect((await shown()).length).toBe(3);
    await tenant.createAllowance({ guardian: 'mum', junior: 'tim', ...TERMS });
    expect(await shown()).toEqual([]);
  });

  test('of two who never had an allowance are not found', async () => {
    const { tenant } = world;
    await tenant.openAccount({ ref: 'dad' });
    await tenant.openAccount({ ref: 'max', guardian: 'dad' });
    for (const [guardian, junior, code] of [
      ['dad', 'max', 'ALLOWANCE.NOT_FOUND'],
      ['dad', 'tim', 'ALLOWANCE.NOT_FOUND'],
      ['dad', 'nobody', 'ALLOWANCE.NOT_FOUND'],
      ['nobody', 'max', 'ACCOUNT_NOT_FOUND'],
    ] as const)
      expect(await refusalOf(tenant.allowanceCredits(guardian, junior))).toBe(code);
  });
});
