import { describe, expect, test } from 'vitest';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import { findTenant, listTenants, setDefaultAsset } from '../../src/tenants/index.ts';
import { refusedWhole } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

describe('a tenant', () => {
  const store = useUsance();
  const refused = (work: () => Promise<unknown>): Promise<string> => refusedWhole(store.owner, work);

  test('is found by its name and its id, and has its system accounts', async () => {
    const made = await store.usance.createTenant({ name: 'bakery', kind: 'test' });
    expect((await store.usance.tenant('bakery')).id).toBe(made.id);
    for (const id of [made.id, toTypeId('tenant', made.id)])
      expect((await store.usance.tenant(id)).name).toBe('bakery');
    expect((await made.accounts()).map((account) => account.ref).toSorted()).toEqual(['fees', 'suspense', 'world']);
    expect(await listTenants(store.db)).toMatchObject([
      { name: 'shop', kind: 'live', defaultAsset: null },
      { name: 'bakery', kind: 'test' },
    ]);
  });

  test('has a name that no other has', async () => {
    expect(await refused(() => store.usance.createTenant({ name: 'shop' }))).toBe('TENANT_EXISTS');
  });

  test('made by twenty at once is made once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => refusalOf(store.usance.createTenant({ name: 'crowded' }))),
    );
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'TENANT_EXISTS')).toHaveLength(19);
  });

  test.each(['', 'Shop', 'a b', '.hidden', '-x', 'ü', 'x'.repeat(101), newId(), toTypeId('tenant', newId())])(
    'cannot be called %o',
    async (name) => {
      expect(await refused(() => store.usance.createTenant({ name }))).toBe('FIELD_INVALID');
    },
  );

  test('that does not exist is said not to', async () => {
    expect(await refused(() => store.usance.tenant('nobody'))).toBe('TENANT_NOT_FOUND');
    expect(await refused(() => store.usance.tenant(newId()))).toBe('TENANT_NOT_FOUND');
    expect(await findTenant(store.db, '')).toBeNull();
  });

  test('may name one of its assets as the default', async () => {
    await setDefaultAsset(store.db, store.tenant.id, 'USD/2');
    expect(await findTenant(store.db, 'shop')).toMatchObject({ defaultAsset: 'USD/2' });
    await expect(setDefaultAsset(store.db, store.tenant.id, 'EUR/2')).rejects.toMatchObject({
      constraint: 'tenants_default_asset_exists',
    });
  });
});
