// Allowances as the document has them: one for a guardian and a child, made, seen, changed, turned off and on, deleted.
import { beforeAll, describe, expect, test } from 'vitest';
import type { AllowanceOrder } from '../../src/schedules/index.ts';
import { held, key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { refusalOf } from '../support/refusal.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, drive, testTenant } from '../support/test-clock.ts';

const store = useUsance();
const TERMS = { asset: 'USD', amount: 500, frequency: 'WEEKLY', status: 'ON' } as const;
let families = 0;

/** A test tenant in which it is Friday the 1st of January 2027, ten in the morning in London. */
let world: TestTenant;
beforeAll(async () => {
  world = await testTenant(store.usance, '2027-01-01T10:00:00Z');
});

/** A guardian with that much, and a child. */
async function family(funds = 10_000, zone?: string): Promise<{ guardian: string; junior: string }> {
  const [guardian, junior] = [`parent-${(families += 1)}`, `child-${families}`];
  const { tenant } = world;
  await tenant.openAccount({ ref: guardian, ...(zone ? { contact: { zone } } : {}) });
  await tenant.openAccount({ ref: junior, guardian });
  if (funds > 0) await tenant.deposit({ account: guardian, asset: 'USD', amount: funds, idempotencyKey: key() });
  return { guardian, junior };
}

const give = async (order: Partial<AllowanceOrder> = {}, funds?: number) => {
  const people = await family(funds);
  return { ...people, made: await world.tenant.createAllowance({ ...people, ...TERMS, ...order }) };
};
const typesOf = async (id: string): Promise<string[]> => {
  await drive(store.usance);
  return (await world.tenant.events({ resourceId: id })).map(({ type }) => type);
};

describe('an allowance', () => {
  test('begins at the next midnight of the family, wherever that is', async () => {
    const { tenant } = world;
    for (const [zone, first] of [
      [undefined, '2027-01-02T00:00:00.000Z'],
      ['Europe/Berlin', '2027-01-01T23:00:00.000Z'],
      ['Pacific/Auckland', '2027-01-01T11:00:00.000Z'],
      ['America/Los_Angeles', '2027-01-02T08:00:00.000Z'],
    ] as const) {
      // Of the guardian's contact, and of the request.
      const byContact = await tenant.createAllowance({ ...(await family(0, zone)), ...TERMS });
      expect(byContact).toMatchObject({ zone: zone ?? 'UTC', nextRunAt: new Date(first) });
      const byRequest = await tenant.createAllowance({
        ...(await family(0, 'Asia/Tokyo')),
        ...TERMS,
        zone: zone ?? 'UTC',
      });
      expect(byRequest.nextRunAt).toEqual(new Date(first));
    }
  });

  test('is shown with everything it was given, and listed only for its guardian', async () => {
    const { tenant } = world;
    const { guardian, junior, made } = await give();
    const [payer, child] = [await tenant.account(guardian), await tenant.account(junior)];
    expect(made).toMatchObject({
      guardianId: payer.id,
      juniorId: child.id,
      amount: 500n,
      asset: 'USD/2',
      frequency: 'WEEKLY',
      status: 'ON',
      lastRunAt: null,
    });
    expect(await tenant.allowance(guardian, junior)).toEqual(made);
    expect(await tenant.allowance(payer.id, child.id)).toEqual(made);
    const second = `second-${families}`;
    await tenant.openAccount({ ref: second, guardian });
    const other = await tenant.createAllowance({ guardian, junior: second, ...TERMS, status: 'OFF' });
    expect(await tenant.allowances(guardian)).toEqual([other, made]);
    expect(await tenant.allowances(guardian, { limit: 1, before: other.id })).toEqual([made]);
    expect(await tenant.allowances(junior)).toEqual([]);
    expect(other).toMatchObject({ status: 'OFF', nextRunAt: null });
    expect(await typesOf(made.id)).toEqual(['schedule.created', 'allowance.created']);
    expect(await typesOf(other.id)).toEqual(['schedule.created', 'schedule.paused', 'allowance.created']);
  });

  test('is refused twice for the same two, also to twenty at once', async () => {
    const { tenant } = world;
    const people = await family();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refusalOf(tenant.createAllowance({ ...people, ...TERMS }))),
    );
    expect(answers.toSorted()).toEqual([...Array<string>(19).fill('ALLOWANCE.ALREADY_EXISTS'), 'not refused']);
    expect(await tenant.allowances(people.guardian)).toHaveLength(1);
    const again = () => tenant.createAllowance({ ...people, ...TERMS, status: 'OFF' });
    expect(await refusedUnchanged(store.owner, tenant.id, again)).toBe('ALLOWANCE.ALREADY_EXISTS');
  });

  test('is given by the guardian only, and what is wrong with it is said', async () => {
    const { tenant } = world;
    const [ours, theirs] = [await family(), await family()];
    const refused = (order: object): Promise<string> =>
      refusedUnchanged(store.owner, tenant.id, () => tenant.createAllowance({ ...ours, ...TERMS, ...order }));
    expect(await refused({ junior: theirs.junior })).toBe('ALLOWANCE.NOT_GUARDIAN');
    expect(await refused({ junior: theirs.guardian })).toBe('ALLOWANCE.NOT_GUARDIAN');
    expect(await refused({ junior: ours.guardian })).toBe('ALLOWANCE.NOT_GUARDIAN');
    expect(await refused({ junior: 'nobody' })).toBe('ALLOWANCE.NOT_GUARDIAN');
    expect(await refused({ guardian: 'nobody' })).toBe('ACCOUNT_NOT_FOUND');
    expect(await refused({ amount: 0 })).toBe('AMOUNT_NOT_POSITIVE');
    expect(await refused({ amount: '1.5' })).toBe('AMOUNT_INVALID');
    expect(await refused({ frequency: 'YEARLY' })).toBe('FIELD_INVALID');
    expect(await refused({ status: 'on' })).toBe('FIELD_INVALID');
    expect(await refused({ asset: 'XXX' })).toBe('ASSET_NOT_FOUND');
    expect(await refused({ zone: 'Mars/Olympus' })).toBe('ZONE_UNKNOWN');
    await tenant.suspendAccount(ours.junior, 'asked to');
    expect(await refused({})).toBe('ACCOUNT_NOT_ACTIVE');
  });

  test('that is changed keeps its day, and pays the new amount from the next time on', async () => {
    const { tenant } = world;
    const { guardian, junior } = await give();
    const changed = await tenant.editAllowance(guardian, junior, { amount: '700', frequency: 'MONTHLY' });
    expect(changed).toMatchObject({ amount: 700n, frequency: 'MONTHLY', nextRunAt: new Date('2027-01-02T00:00:00Z') });
    expect((await tenant.upcoming(changed.id, 3)).map(({ slot }) => slot.slice(0, 10))).toEqual([
      '2027-01-02',
      '2027-02-02',
      '2027-03-02',
    ]);
    const moved = await tenant.editAllowance(guardian, junior, { zone: 'Europe/Berlin' });
    expect(moved.nextRunAt).toEqual(new Date('2027-01-01T23:00:00Z'));
    expect((await typesOf(changed.id)).filter((type) => type === 'allowance.updated')).toHaveLength(2);
  });

  test('is stopped by whoever pays it, and turned on by the guardian only', async () => {
    const { tenant } = world;
    const { guardian, junior } = await give();
    await tenant.editAccount(junior, { guardian: null });
    const refused = (edit: object): Promise<string> =>
      refusedUnchanged(store.owner, tenant.id, () => tenant.editAllowance(guardian, junior, edit));
    expect(await refused({ amount: 1 })).toBe('ALLOWANCE.NOT_GUARDIAN');
    expect(await refused({ status: 'ON' })).toBe('ALLOWANCE.NOT_GUARDIAN');
    expect((await tenant.editAllowance(guardian, junior, { status: 'OFF' })).status).toBe('OFF');
    expect((await tenant.allowance(guardian, junior)).status).toBe('OFF');
    expect((await tenant.deleteAllowance(guardian, junior)).status).toBe('OFF');
  });

  test('that is turned off or on twice stays as it is', async () => {
    const { tenant } = world;
    const { guardian, junior, made } = await give();
    for (const status of ['ON', 'OFF', 'OFF', 'ON', 'ON'] as const)
      expect((await tenant.editAllowance(guardian, junior, { status })).status).toBe(status);
    const types = await typesOf(made.id);
    expect(types.filter((type) => /paused|resumed/.test(type))).toEqual(['schedule.paused', 'schedule.resumed']);
  });

  test('that is deleted is gone, its schedule has ended, and another may be made', async () => {
    const { tenant } = world;
    const { guardian, junior, made } = await give();
    expect(await tenant.deleteAllowance(guardian, junior)).toMatchObject({
      id: made.id,
      status: 'OFF',
      nextRunAt: null,
    });
    expect((await tenant.schedule(made.id)).status).toBe('cancelled');
    for (const work of [
      () => tenant.allowance(guardian, junior),
      () => tenant.editAllowance(guardian, junior, { status: 'ON' }),
      () => tenant.deleteAllowance(guardian, junior),
      () => tenant.allowance(guardian, 'nobody'),
      () => tenant.deleteAllowance(guardian, 'nobody'),
    ])
      expect(await refusedUnchanged(store.owner, tenant.id, work), String(work)).toBe('ALLOWANCE.NOT_FOUND');
    expect(await tenant.allowances(guardian)).toEqual([]);
    expect(await typesOf(made.id)).toEqual([
      'schedule.created',
      'allowance.created',
      'schedule.cancelled',
      'allowance.deleted',
    ]);
    const next = await tenant.createAllowance({ guardian, junior, ...TERMS });
    expect(next.id).not.toBe(made.id);
  });

  test('whose schedule was cancelled by itself is gone too', async () => {
    const { tenant } = world;
    const { guardian, junior, made } = await give();
    await tenant.cancelSchedule(made.id);
    expect(await refusalOf(tenant.allowance(guardian, junior))).toBe('ALLOWANCE.NOT_FOUND');
    expect(await refusalOf(tenant.editAllowance(guardian, junior, { status: 'ON' }))).toBe('ALLOWANCE.NOT_FOUND');
    expect((await tenant.createAllowance({ guardian, junior, ...TERMS })).status).toBe('ON');
    expect(await tenant.allowances(guardian)).toHaveLength(1);
  });

  test('is paid at its midnight, and its row changes in no other way than by ending', async () => {
    const { tenant } = world;
    const { guardian, junior, made } = await give({ frequency: 'DAILY' });
    await advance(store.usance, world, '2027-01-03T12:00:00Z');
    expect(await held(tenant, junior)).toEqual([1_000n, 0n]);
    expect(await tenant.allowance(guardian, junior)).toMatchObject({
      lastRunAt: new Date('2027-01-03T00:00:00Z'),
      nextRunAt: new Date('2027-01-04T00:00:00Z'),
    });
    for (const change of [
      `update usance.allowances set junior_id = guardian_id where schedule_id = '${made.id}'`,
      `update usance.allowances set created_at = now() where schedule_id = '${made.id}'`,
      `delete from usance.allowances where schedule_id = '${made.id}'`,
    ])
      await expect(store.owner.query(change), change).rejects.toThrow(/append-only/);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('of another child than its schedule pays is found by verify', async () => {
    const { made, guardian } = await give();
    const { id: child } = await world.tenant.openAccount({ ref: `other-${families}`, guardian });
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       update usance.allowances set junior_id = '${child}' where schedule_id = '${made.id}'; commit`,
    );
    expect((await troubles(store.usance)).join()).toMatch(/allowances-pay-the-child/);
  });
});
