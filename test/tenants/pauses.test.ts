// Pause switches: set and lifted by a person, each on record, and only for whom they are meant.
import { describe, expect, test } from 'vitest';
import type { PauseScope } from '../../src/tenants/index.ts';
import { Pauses, readPauses } from '../../src/tenants/index.ts';
import { useUsance } from '../support/database.ts';
import { changedBy, refusedUnchanged } from '../support/digest.ts';

describe('a pause', () => {
  const store = useUsance();
  const covers = async (fields: Partial<{ tenantId: string; asset: string; rail: string }> = {}) =>
    (await readPauses(store.db)).covers({ tenantId: store.tenant.id, asset: 'USD/2', rail: 'ledger', ...fields });

  test.each<[PauseScope, string]>([
    ['tenant', ''],
    ['asset', 'USD/2'],
    ['rail', 'ledger'],
  ])('of a %s covers what it names until it is lifted', async (scope, value) => {
    expect(await covers()).toBe(false);
    await store.tenant.pause(scope, value, 'an incident');
    expect(await covers()).toBe(true);
    expect(await covers({ tenantId: '01a0ffff-0000-7000-8000-000000000000' })).toBe(false);
    expect(await covers({ asset: 'EUR/2' })).toBe(scope !== 'asset');
    expect(await covers({ rail: 'sandbox' })).toBe(scope !== 'rail');
    await store.tenant.liftPause(scope, value);
    expect(await covers()).toBe(false);
  });

  test('is kept with who set it, why, and who lifted it', async () => {
    const operator = await store.usance.tenant('shop', { actor: 'operator' });
    await operator.pause('asset', 'USD/2', 'odd balances');
    await store.tenant.liftPause('asset', 'USD/2');
    const rows = await store.owner.query(
      `select scope, value, reason, paused_by, lifted_by from usance.pauses where reason = 'odd balances'`,
    );
    expect(rows).toEqual([
      { scope: 'asset', value: 'USD/2', reason: 'odd balances', paused_by: 'operator', lifted_by: 'library' },
    ]);
    expect(await store.tenant.auditEvents({ resource: 'tenant' }, { limit: 2 })).toMatchObject([
      { action: 'TENANT_UNPAUSED', actor: 'library' },
      { action: 'TENANT_PAUSED', actor: 'operator', details: { reason: 'odd balances' } },
    ]);
  });

  test('of an asset may name it by its code, and not one that does not exist', async () => {
    await store.tenant.pause('asset', 'USD', 'an incident');
    expect(await covers()).toBe(true);
    await store.tenant.liftPause('asset', 'USD');
    expect(await covers()).toBe(false);
    const pause = () => store.tenant.pause('asset', 'GBP', 'an incident');
    expect(await refusedUnchanged(store.owner, store.tenant.id, pause)).toBe('ASSET_NOT_FOUND');
  });

  test('of what is paused keeps the first one, and one lift lifts it', async () => {
    await store.tenant.pause('tenant', '', 'first');
    const changed = await changedBy(store.owner, store.tenant.id, () => store.tenant.pause('tenant', '', 'second'));
    expect(changed).not.toContain('pauses');
    await store.tenant.liftPause('tenant', '');
    expect(await covers()).toBe(false);
  });

  test.each<[string, PauseScope, string, string]>([
    ['FIELD_INVALID', 'tenant', 'USD/2', 'a reason'],
    ['FIELD_INVALID', 'asset', '', 'a reason'],
    ['FIELD_INVALID', 'asset', 'USD/2', ''],
    ['FIELD_INVALID', 'rail', 'ledger', '  '],
  ])('is refused with %s for %s "%s" because "%s"', async (code, scope, value, reason) => {
    const refused = refusedUnchanged(store.owner, store.tenant.id, () => store.tenant.pause(scope, value, reason));
    expect(await refused).toBe(code);
  });

  test('that does not exist cannot be lifted', async () => {
    const lift = (scope: PauseScope, value: string) =>
      refusedUnchanged(store.owner, store.tenant.id, () => store.tenant.liftPause(scope, value));
    expect(await lift('tenant', '')).toBe('PAUSE_NOT_FOUND');
    expect(await lift('asset', 'USD/2')).toBe('PAUSE_NOT_FOUND');
  });

  test('without any covers nothing', () => {
    expect(new Pauses([]).covers({ tenantId: 'x', asset: 'USD/2', rail: 'ledger' })).toBe(false);
  });
});
