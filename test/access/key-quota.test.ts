// How many keys a tenant may have, and how many ancestors a key: one payment counts under a name for each of them.
import { beforeEach, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { newId } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

describe('API keys', () => {
  const store = useUsance();
  let tenant: TenantHandle;
  const order = { name: 'till', scopes: ['keys:write'] } as const;
  const as = async (secret: string): Promise<TenantHandle> => {
    const found = await store.usance.authenticate(secret);
    if (!found) throw new Error('expected a key that works');
    return found.handle;
  };
  /** Keys of which each made the next. */
  const chain = async (length: number): Promise<{ id: string; handle: TenantHandle }[]> => {
    const made: { id: string; handle: TenantHandle }[] = [];
    for (let by = tenant; made.length < length;) {
      const { key, secret } = await by.createApiKey(order);
      made.push({ id: key.id, handle: (by = await as(secret)) });
    }
    return made;
  };

  beforeEach(async () => {
    tenant = await store.usance.createTenant({ name: `shop-${newId()}` });
  });

  test('that work are at most 1,000 a tenant, also where twenty are made at once', async () => {
    const chosen = { ...order, secret: `chosen-by-an-operator-${newId()}` };
    await tenant.createApiKey(chosen);
    const { key } = await tenant.createApiKey(order);
    await store.owner.query(
      `insert into usance.api_keys (tenant_id, id, lineage_id, name, prefix, digest, scopes, created_by, revoked_at)
       select $1::uuid, id, id, 'many', 'usk_x', sha256(id::text::bytea), '{keys:write}', 'library', case when n > 993 then now() end
       from (select n, gen_random_uuid() as id from generate_series(1, 1500) n) g`,
      [tenant.id],
    );
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(tenant.createApiKey(order))));
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'API_KEYS_TOO_MANY')).toHaveLength(15);
    expect(await refusalOf(tenant.rotateApiKey(key.id))).toBe('API_KEYS_TOO_MANY');
    // One that exists is no new one, and a rotation without an overlap makes no more of them.
    await tenant.createApiKey(chosen);
    const rotated = await tenant.rotateApiKey(key.id, { overlapMs: 0 });
    await tenant.revokeApiKey(rotated.key.id);
    await tenant.createApiKey(order);
    expect(await refusalOf(tenant.createApiKey(order))).toBe('API_KEYS_TOO_MANY');
  });

  test('descend from at most 49 others without admin, however they are made and rotated', async () => {
    const made = await chain(50);
    const last = made.at(-1);
    expect(await refusalOf(last?.handle.createApiKey(order) ?? Promise.resolve())).toBe('API_KEYS_TOO_MANY');
    // A rotation by a stranger would add an ancestor to the key and to all its descendants.
    const stranger = await as((await tenant.createApiKey(order)).secret);
    for (const each of [made[0], made[20], last]) {
      expect(await refusalOf(stranger.rotateApiKey(each?.id ?? ''))).toBe('API_KEYS_TOO_MANY');
    }
    // One by itself, by an ancestor or by an admin adds none.
    await last?.handle.rotateApiKey(last.id);
    await made[0]?.handle.rotateApiKey(made[30]?.id ?? '');
    const admin = await as((await tenant.createApiKey({ name: 'root', role: 'admin' })).secret);
    const { secret } = await admin.rotateApiKey(made[20]?.id ?? '');
    await (await as(secret)).createApiKey(order);
    await admin.createApiKey(order);
  });

  test('that ended do not count as descendants', async () => {
    const [first, ...others] = await chain(50);
    const stranger = await as((await tenant.createApiKey(order)).secret);
    for (const { id } of others) await tenant.revokeApiKey(id);
    expect(await refusalOf(stranger.rotateApiKey(first?.id ?? ''))).toBe('not refused');
  });
});
