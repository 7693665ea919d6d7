// A child with several guardians: one allowance for each guardian and child, each guardian's own.
import { beforeAll, describe, expect, test } from 'vitest';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { allRefused, refusedUnchanged } from '../support/digest.ts';
import { refusalOf } from '../support/refusal.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';
const TERMS = { junior: 'tim', asset: 'USD', amount: 500, frequency: 'DAILY', status: 'ON' } as const;

describe('a child with two guardians', () => {
  const store = useUsance({ jwt: { secret: SECRET, audience: 'usance', issuer: null } });
  const as = async (sub: string) => {
    const shown = await store.usance.authenticate(token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) }));
    if (!shown) throw new Error(`no token for ${sub}`);
    return shown.handle;
  };
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const { tenant } = store;
    await tenant.createAsset('USD/2');
    for (const ref of ['mum', 'dad', 'eve']) ids[ref] = (await tenant.openAccount({ ref })).id;
    const contact = { email: 'tim@example.com' };
    ids['tim'] = (await tenant.openAccount({ ref: 'tim', guardians: ['mum', 'dad'], contact })).id;
    ids['ida'] = (await tenant.openAccount({ ref: 'ida', guardian: 'mum' })).id;
    await tenant.deposit({ account: 'mum', asset: 'USD', amount: 5_000, idempotencyKey: key() });
  });

  test('is paid one allowance by each, which only that guardian sees and changes', async () => {
    const { tenant } = store;
    const [mum, dad] = [await as('mum'), await as('dad')];
    const hers = await mum.createAllowance({ ...TERMS, guardian: 'mum' });
    const his = await dad.createAllowance({ ...TERMS, guardian: 'dad', amount: 700 });
    expect([hers.guardianId, his.guardianId]).toEqual([ids['mum'], ids['dad']]);
    expect(await refusalOf(mum.createAllowance({ ...TERMS, guardian: 'mum' }))).toBe('ALLOWANCE.ALREADY_EXISTS');

    expect((await mum.allowances('mum')).map(({ id }) => id)).toEqual([hers.id]);
    const codes = await allRefused(store.owner, tenant.id, [
      () => mum.allowance('dad', 'tim'),
      () => mum.allowanceCredits('dad', 'tim'),
      () => mum.editAllowance('dad', 'tim', { status: 'OFF' }),
      () => mum.deleteAllowance('dad', 'tim'),
      () => mum.createAllowance({ ...TERMS, guardian: 'dad' }),
      () => mum.allowancesOf('tim'),
    ]);
    expect(new Set(codes)).toEqual(new Set(['ACCOUNT_NOT_FOUND']));
    expect((await dad.editAllowance('dad', 'tim', { status: 'OFF' })).status).toBe('OFF');
    expect((await tenant.allowance('mum', 'tim')).status).toBe('ON');
  });

  test('sees what each gives, and names no other account', async () => {
    const tim = await as('tim');
    expect((await tim.account('tim')).guardianIds).toEqual([ids['mum'], ids['dad']]);
    expect((await tim.allowancesOf('tim')).map(({ guardianId }) => guardianId)).toEqual([ids['dad'], ids['mum']]);
    for (const guardian of ['mum', 'dad', ids['dad'] ?? ''])
      expect((await tim.allowance(guardian, 'tim')).juniorId).toBe(ids['tim']);
    for (const guardian of ['eve', ids['eve'] ?? '', 'nobody'])
      expect(await refusalOf(tim.allowance(guardian, 'tim')), guardian).toBe('ACCOUNT_NOT_FOUND');
    expect(await refusalOf(tim.allowancesOf('ida'))).toBe('ACCOUNT_NOT_FOUND');
    expect(await refusalOf(tim.juniors('mum'))).toBe('ACCOUNT_NOT_FOUND');
  });

  test('is among the children of both, who see neither its contact nor each other', async () => {
    const { tenant } = store;
    const refs = async (guardian: string) => (await tenant.juniors(guardian)).map(({ ref }) => ref);
    expect([await refs('mum'), await refs('dad'), await refs('eve')]).toEqual([['tim', 'ida'], ['tim'], []]);
    const after = ids['tim'] ?? '';
    expect((await tenant.juniors('mum', { after, limit: 1 })).map(({ ref }) => ref)).toEqual(['ida']);
    expect((await tenant.juniors('dad'))[0]?.contact).toEqual({ email: 'tim@example.com' });
    const seen = await (await as('dad')).juniors('dad');
    expect(seen).toMatchObject([{ ref: 'tim', contact: null, guardianId: ids['dad'], guardianIds: [ids['dad']] }]);
    expect(await refusalOf((await as('dad')).juniors('mum'))).toBe('ACCOUNT_NOT_FOUND');
  });

  test('that loses one of them is paid nothing more by that one, who can still delete the allowance', async () => {
    const { tenant } = store;
    expect((await tenant.allowance('mum', 'tim')).status).toBe('ON');
    expect((await tenant.editAccount('tim', { guardians: ['dad'] })).guardianId).toBe(ids['dad']);
    const mum = await as('mum');
    const refused = (edit: object) =>
      refusedUnchanged(store.owner, tenant.id, () => mum.editAllowance('mum', 'tim', edit));
    expect(await refused({ amount: 900 })).toBe('ALLOWANCE.NOT_GUARDIAN');
    expect((await tenant.allowance('mum', 'tim')).status).toBe('OFF');
    expect((await mum.editAllowance('mum', 'tim', { status: 'OFF' })).status).toBe('OFF');
    expect(await refused({ status: 'ON' })).toBe('ALLOWANCE.NOT_GUARDIAN');
    expect((await tenant.allowancesOf('tim')).length).toBe(2);
    await mum.deleteAllowance('mum', 'tim');
    expect((await tenant.allowancesOf('tim')).map(({ guardianId }) => guardianId)).toEqual([ids['dad']]);
  });

  test.each(['world', 'fees', 'suspense'])('is refused the system account %s as a guardian', async (ref) => {
    const { tenant } = store;
    const { id } = await tenant.account(ref);
    const codes = await allRefused(store.owner, tenant.id, [
      () => tenant.editAccount('tim', { guardians: ['mum', ref] }),
      () => tenant.editAccount('tim', { guardian: id }),
      () => tenant.openAccount({ ref: 'kit', guardians: [ref] }),
      () => tenant.openAccount({ ref: 'kit', guardian: id }),
    ]);
    expect(new Set(codes)).toEqual(new Set(['FIELD_INVALID']));
  });

  test.each([
    [{ guardian: 'ghost' }, 'guardian'],
    [{ guardians: ['mum', 'ghost'] }, 'guardians'],
    [{ guardians: ['world'] }, 'guardians'],
  ])('a guardian that cannot be is refused by the field that names it: %j', async (named, param) => {
    const { tenant } = store;
    await expect(tenant.openAccount({ ref: 'kit', ...named })).rejects.toMatchObject({ param });
    await expect(tenant.editAccount('tim', named)).rejects.toMatchObject({ param });
  });

  test('is refused guardians that cannot be', async () => {
    const { tenant } = store;
    const edit = (guardians: string[], more: object = {}) =>
      refusedUnchanged(store.owner, tenant.id, () => tenant.editAccount('tim', { guardians, ...more }));
    expect(await edit(['mum', 'tim'])).toBe('FIELD_INVALID');
    expect(await edit(['mum', 'nobody'])).toBe('ACCOUNT_NOT_FOUND');
    expect(await edit(['mum'], { guardian: 'mum' })).toBe('FIELD_INVALID');
    expect(await edit(Array<string>(11).fill('mum'))).toBe('FIELD_INVALID');
    const twice = await tenant.editAccount('tim', { guardians: ['dad', ids['mum'] ?? '', 'mum', 'dad'] });
    expect(twice.guardianIds).toEqual([ids['dad'], ids['mum']]);
    expect((await tenant.editAccount('tim', { name: 'Tim' })).guardianIds).toEqual([ids['dad'], ids['mum']]);
    expect((await tenant.editAccount('tim', { guardian: 'mum' })).guardianIds).toEqual([ids['mum']]);
    expect((await tenant.editAccount('tim', { guardians: [] })).guardianId).toBeNull();
    expect(await troubles(store.usance)).toEqual([]);
  });
});
