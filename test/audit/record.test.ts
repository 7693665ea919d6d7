import { describe, expect, test } from 'vitest';
import type { Deed } from '../../src/audit/index.ts';
import { listAudit, recordAudit } from '../../src/audit/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';

describe('the audit', () => {
  const store = useUsance();
  const deed = (more: Partial<Deed> = {}): Deed => ({
    tenantId: store.tenant.id,
    actor: 'jo',
    action: 'thing.change',
    resource: 'thing',
    details: {},
    ...more,
  });

  test('says who did what to which, from where', async () => {
    const resourceId = newId();
    const whole = deed({
      resourceId,
      details: { reason: 'ü "quoted" \\' },
      ip: '2001:db8::1',
      userAgent: 'curl/8',
      requestId: 'r1',
    });
    await store.db.transaction((tx) => recordAudit(tx, [whole, deed({ action: 'thing.remove' })]));
    expect(await listAudit(store.db, store.tenant.id, 2)).toMatchObject([
      { action: 'thing.remove', resourceId: null, ip: null, userAgent: null, requestId: null },
      whole,
    ]);
  });

  test('has no record of what was rolled back', async () => {
    const before = await listAudit(store.db, store.tenant.id);
    const failing = store.db.transaction(async (tx) => {
      await recordAudit(tx, [deed()]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await store.db.transaction((tx) => recordAudit(tx, []));
    expect(await listAudit(store.db, store.tenant.id)).toEqual(before);
  });

  test('of one tenant is not seen by another', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    expect(await listAudit(store.db, other.id)).toEqual([]);
  });

  test('names the actor whose handle it was', async () => {
    const operator = await store.usance.tenant('shop', { actor: 'key_live_7' });
    await operator.openAccount({ ref: 'watched' });
    await operator.suspendAccount('watched', 'looked odd');
    expect((await listAudit(store.db, store.tenant.id))[0]).toMatchObject({
      actor: 'key_live_7',
      action: 'account.suspend',
    });
  });
});
