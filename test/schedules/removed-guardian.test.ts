// A guardian who is removed from a child's account: the allowance goes OFF with the removal, whatever it was doing.
import { beforeAll, describe, expect, test } from 'vitest';
import { held, key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { refusedFor } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, drive, testTenant } from '../support/test-clock.ts';

const store = useUsance();
const TERMS = { junior: 'tim', asset: 'USD', frequency: 'DAILY', status: 'ON' } as const;
const OFF = { changed: ['status'], old: { status: 'ON' }, new: { status: 'OFF' }, reason: 'guardian_removed' };

/** It is the 1st of January 2027; mum pays 5.00 a day and dad 7.00, which he does not have where he is poor. */
async function family({ poor = false } = {}): Promise<TestTenant> {
  const world = await testTenant(store.usance, '2027-01-01T10:00:00Z');
  const { tenant } = world;
  for (const ref of ['mum', 'dad']) await tenant.openAccount({ ref });
  await tenant.openAccount({ ref: 'tim', guardians: ['mum', 'dad'] });
  for (const account of poor ? ['mum'] : ['mum', 'dad'])
    await tenant.deposit({ account, asset: 'USD', amount: 100_000, idempotencyKey: key() });
  await tenant.createAllowance({ ...TERMS, guardian: 'mum', amount: 500 });
  await tenant.createAllowance({ ...TERMS, guardian: 'dad', amount: 700 });
  return world;
}

describe('a guardian who is removed', () => {
  let world: TestTenant;
  beforeAll(async () => {
    world = await family();
  });
  const statuses = async () =>
    (await world.tenant.allowancesOf('tim')).map(({ status, nextRunAt }) => [status, nextRunAt !== null]);

  test('pays nothing more; the other one goes on', async () => {
    const { tenant } = world;
    await advance(store.usance, world, '2027-01-02T10:00:00Z');
    expect(await held(tenant, 'tim')).toEqual([1_200n, 0n]);
    await tenant.editAccount('tim', { guardians: ['mum'] });
    expect(await statuses()).toEqual([
      ['OFF', false],
      ['ON', true],
    ]);
    await advance(store.usance, world, '2027-01-05T10:00:00Z');
    expect(await held(tenant, 'tim')).toEqual([2_700n, 0n]);
    const { id } = await tenant.allowance('dad', 'tim');
    await drive(store.usance);
    const told = (await tenant.events({ resourceId: id })).slice(-2);
    expect(told.map(({ type }) => type)).toEqual(['schedule.paused', 'allowance.updated']);
    expect(told[1]?.data).toMatchObject(OFF);
    expect(told[0]?.data).toMatchObject({ reason: 'guardian_removed' });
  });

  test('cannot be made to pay again by the schedule behind the allowance', async () => {
    const { tenant } = world;
    const { id } = await tenant.allowance('dad', 'tim');
    expect(await refusedUnchanged(store.owner, tenant.id, () => tenant.resumeSchedule(id))).toBe(
      'ALLOWANCE.NOT_GUARDIAN',
    );
    expect(await refusedFor(tenant.resumeSchedule(id))).toBe('ALLOWANCE.NOT_GUARDIAN/no_longer');
    expect(await refusedFor(tenant.editAllowance('dad', 'tim', { status: 'ON' }))).toBe(
      'ALLOWANCE.NOT_GUARDIAN/not_a_child',
    );
  });

  test('and is added again pays when the allowance is turned ON, and nothing back', async () => {
    const { tenant } = world;
    await tenant.editAccount('tim', { guardians: ['dad', 'mum'] });
    expect((await statuses())[0]).toEqual(['OFF', false]);
    await tenant.editAllowance('dad', 'tim', { status: 'ON' });
    await advance(store.usance, world, '2027-01-06T10:00:00Z');
    expect(await held(tenant, 'tim')).toEqual([3_900n, 0n]);
    // The same guardians in another order, or another field: nothing is removed.
    await tenant.editAccount('tim', { guardians: ['mum', 'dad'] });
    await tenant.editAccount('tim', { name: 'Tim' });
    expect((await statuses()).map(([status]) => status)).toEqual(['ON', 'ON']);
    await tenant.editAccount('tim', { guardian: null });
    expect((await statuses()).map(([status]) => status)).toEqual(['OFF', 'OFF']);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('does not pay a credit that was being tried again', async () => {
    const { tenant } = (world = await family({ poor: true }));
    await advance(store.usance, world, '2027-01-02T00:01:00Z');
    expect((await tenant.allowanceCredits('dad', 'tim')).map(({ status }) => status)).toEqual(['PENDING']);
    await tenant.editAccount('tim', { guardians: ['mum'] });
    await tenant.deposit({ account: 'dad', asset: 'USD', amount: 10_000, idempotencyKey: key() });
    await advance(store.usance, world, '2027-01-02T10:00:00Z');
    expect((await tenant.allowanceCredits('dad', 'tim')).map(({ status }) => status)).toEqual(['CANCELLED']);
    expect(await held(tenant, 'dad')).toEqual([10_000n, 0n]);
  });

  test('while the allowance is made or turned ON leaves none that pays', async () => {
    for (const way of ['made', 'turned ON', 'resumed'] as const) {
      const { tenant } = (world = await family());
      const { id } = await tenant.allowance('dad', 'tim');
      if (way === 'made') await tenant.deleteAllowance('dad', 'tim');
      else await tenant.editAllowance('dad', 'tim', { status: 'OFF' });
      await Promise.allSettled([
        tenant.editAccount('tim', { guardians: ['mum'] }),
        way === 'made'
          ? tenant.createAllowance({ ...TERMS, guardian: 'dad', amount: 700 })
          : way === 'resumed'
            ? tenant.resumeSchedule(id)
            : tenant.editAllowance('dad', 'tim', { status: 'ON' }),
      ]);
      const his = (await tenant.allowances('dad')).map(({ status }) => status);
      expect(
        his.filter((status) => status === 'ON'),
        way,
      ).toEqual([]);
    }
    expect(await troubles(store.usance)).toEqual([]);
  });
});
