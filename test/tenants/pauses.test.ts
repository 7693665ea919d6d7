// Pause switches: set and lifted by a person, each on record, and only for whom they are meant.
import { describe, expect, test } from 'vitest';
import type { PauseScope } from '../../src/tenants/index.ts';
import type { Row, Sql, Value } from '../../src/db/index.ts';
import { readTenantRules } from '../../src/payments/limits-store.ts';
import { Pauses, readPauses } from '../../src/tenants/index.ts';
import { useUsance } from '../support/database.ts';
import { changedBy, refusedUnchanged } from '../support/digest.ts';
import { refusalOf } from '../support/refusal.ts';

describe('a pause', () => {
  const store = useUsance();
  const covers = async (fields: Partial<{ tenantId: string; asset: string; rail: string }> = {}) =>
    (await readPauses(store.db, [store.tenant.id])).covers({
      tenantId: store.tenant.id,
      asset: 'USD/2',
      rail: 'ledger',
      ...fields,
    });

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

  test('is one of at most 100 that are active at a time, also where twenty are set at once', async () => {
    const tenant = await store.usance.createTenant({ name: 'careful' });
    for (let n = 0; n < 95; n += 1) await tenant.pause('rail', `rail-${n}`, 'an incident');
    const at = Array.from({ length: 20 }, (_, n) => refusalOf(tenant.pause('rail', `late-${n}`, 'an incident')));
    const outcomes = await Promise.all(at);
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'PAUSES_TOO_MANY')).toHaveLength(15);
    expect(await tenant.pauses()).toHaveLength(100);
    // Pausing what is paused is no new one.
    await tenant.pause('rail', 'rail-1', 'again');
    await tenant.liftPause('rail', 'rail-1');
    await tenant.pause('rail', 'rail-100', 'an incident');
  });

  test('costs other tenants nothing: what a create and a settlement read is as small beside 20,000 of them', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    await store.owner.query(
      `insert into usance.pauses (tenant_id, id, scope, value, reason, paused_by)
       select $1::uuid, gen_random_uuid(), 'rail', 'rail ' || n, 'an incident', 'test' from generate_series(1, 20000) n`,
      [other.id],
    );
    for (const prepare of ['select 1', 'analyze usance.pauses']) {
      await store.owner.query(prepare);
      for (const read of [readPauses, readTenantRules]) {
        const plans: Row[] = [];
        const explaining: Sql = {
          async query<R extends Row>(text: string, values: readonly Value[] = []) {
            plans.push(...(await store.owner.query(`explain (analyze, buffers, format json) ${text}`, values)));
            return [] as R[];
          },
        };
        await read(explaining, [store.tenant.id]);
        const [found] = plans.flatMap((row) => row['QUERY PLAN'] as { Plan: Record<string, number> }[]);
        const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': fetched = 0 } = found?.Plan ?? {};
        expect(hit + fetched, `${read.name} after ${prepare}`).toBeLessThanOrEqual(12);
      }
    }
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
      { action: 'PAUSE_LIFTED', actor: 'library' },
      { action: 'PAUSE_CREATED', actor: 'operator', details: { reason: 'odd balances' } },
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
