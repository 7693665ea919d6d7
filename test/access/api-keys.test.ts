import { describe, expect, test } from 'vitest';
import type { Scope } from '../../src/access/index.ts';
import { ROLES, SCOPES, allowedBy, allows, isScope, touchApiKeys } from '../../src/access/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { newId } from '../../src/kernel/index.ts';
import { open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { refusalOf } from '../support/refusal.ts';

describe('roles', () => {
  test('are made of scopes there are, each with more than the one before', () => {
    const all = Object.keys(SCOPES) as Scope[];
    const held = (role: keyof typeof ROLES): Scope[] => all.filter((scope) => allows(allowedBy(role, []), scope));
    for (const scopes of Object.values(ROLES)) expect(scopes.every(isScope)).toBe(true);
    expect(held('operator')).toEqual(expect.arrayContaining(held('viewer')));
    expect(held('admin')).toEqual(all);
  });

  test('that only look write nothing, and nobody but an admin makes keys or money', () => {
    expect(ROLES.viewer.filter((scope) => !scope.endsWith(':read'))).toEqual([]);
    for (const scope of ['keys:write', 'ledger:money', 'tenants:write', 'admin'] as const) {
      expect(allows(allowedBy('operator', []), scope), scope).toBe(false);
    }
  });
});

describe('an API key', () => {
  const store = useUsance();
  const refused = (work: () => Promise<unknown>): Promise<string> =>
    refusedUnchanged(store.owner, store.tenant.id, work);
  const made = (scopes: readonly Scope[] = ['ledger:read']) => store.tenant.createApiKey({ name: 'till', scopes });
  /** The tenant as whoever has a key of these scopes. */
  const as = async (scopes: readonly Scope[], expiresAt?: Date): Promise<TenantHandle> => {
    const order = { name: 'maker', scopes, ...(expiresAt ? { expiresAt } : {}) };
    const found = await store.usance.authenticate((await store.tenant.createApiKey(order)).secret);
    if (!found) throw new Error('expected a key that works');
    return found.handle;
  };
  const recorded = (action: string) => store.tenant.auditEvents({ action });

  test.each([
    ['no role and no scope', {}],
    ['a scope that is none', { scopes: ['everything' as Scope] }],
    ['a role that is none', { role: 'owner' as 'admin' }],
    ['a name that says nothing', { role: 'viewer' as const, name: ' ' }],
    ['a secret that is too short', { role: 'viewer' as const, secret: 'short' }],
    ['an end that was yesterday', { role: 'viewer' as const, expiresAt: new Date('2020-01-01') }],
  ])('is not made with %s', async (_title, order) => {
    expect(await refused(() => store.tenant.createApiKey({ name: 'till', ...order }))).toBe('FIELD_INVALID');
  });

  // Lists are read in terminals, and persons are compared by their names.
  test.each([
    ['a control character', '\u001b'],
    ['a line break', '\n'],
    ['a line separator', '\u2028'],
    ['a zero width space', '\u200b'],
    ['a soft hyphen', '\u00ad'],
    ['a word joiner', '\u2060'],
    ['an override of the direction', '\u202e'],
    ['half a surrogate pair', '\ud800'],
  ])('is not made with %s in its name or person', async (_title, character) => {
    const text = `Jo${character}Miller`;
    for (const order of [{ name: text }, { name: 'till', person: text }]) {
      const making = () => store.tenant.createApiKey({ role: 'viewer', ...order });
      expect(await refused(making), JSON.stringify(order)).toBe('FIELD_INVALID');
    }
    const { key } = await store.tenant.createApiKey({ name: 'Kasse Süd № 1', role: 'viewer', person: 'Zoë O’Hara 李' });
    expect(key).toMatchObject({ name: 'Kasse Süd № 1', person: 'Zoë O’Hara 李' });
  });

  test('is kept as a digest: no row has its secret', async () => {
    const { secret } = await made();
    const [row] = await store.owner.query(`select string_agg(k::text, ' ') as all from usance.api_keys k`);
    expect(row?.['all']).not.toContain(secret.slice(10));
  });

  test('that an operator chose is listed by a hash, without a character of the secret', async () => {
    const secret = 'correct-horse-battery-staple-2026';
    const { key } = await store.tenant.createApiKey({ name: 'chosen', role: 'viewer', secret });
    expect(key.prefix).toMatch(/^own_[0-9a-f]{6}$/);
    const made = await store.tenant.createApiKey({ name: 'made', role: 'viewer' });
    expect(made.secret.startsWith(made.key.prefix)).toBe(true);
  });

  test('grants at most what it has, and its own rotation no more', async () => {
    const maker = await as(['keys:write', 'ledger:read']);
    expect((await maker.createApiKey({ name: 'child', scopes: ['ledger:read'] })).key.scopes).toEqual(['ledger:read']);
    for (const order of [{ scopes: ['ledger:write'] }, { scopes: ['admin'] }, { role: 'viewer' }] as const) {
      expect(await refused(() => maker.createApiKey({ name: 'child', ...order }))).toBe('AUTH_SCOPE_MISSING');
    }
    const { key } = await made(['ledger:money']);
    expect(await refused(() => maker.rotateApiKey(key.id))).toBe('AUTH_SCOPE_MISSING');
  });

  test('is ended only by a key that may do all it may', async () => {
    const maker = await as(['keys:write', 'ledger:read']);
    const admin = await store.tenant.createApiKey({ name: 'root', role: 'admin' });
    const teller = await made(['ledger:read', 'ledger:money']);
    const reader = await made(['ledger:read']);
    for (const { key } of [admin, teller]) {
      expect(await refused(() => maker.revokeApiKey(key.id))).toBe('AUTH_SCOPE_MISSING');
      expect(await refused(() => maker.rotateApiKey(key.id))).toBe('AUTH_SCOPE_MISSING');
    }
    expect((await maker.revokeApiKey(reader.key.id)).revokedAt).not.toBeNull();
    expect((await (await as(['admin'])).revokeApiKey(teller.key.id)).revokedAt).not.toBeNull();
    expect((await store.tenant.revokeApiKey(admin.key.id)).revokedAt).not.toBeNull();
    // Ended already: nothing to take away, and still not for everybody.
    expect(await refused(() => maker.revokeApiKey(admin.key.id))).toBe('AUTH_SCOPE_MISSING');
  });

  test('that brings no money in or out does not by a payment from or to the outside', async () => {
    await open(store.tenant, { inside: 1_000 });
    const operator = await as(['payments:write', 'ledger:write', 'ledger:read']);
    const payment = { from: 'inside', to: 'inside', asset: 'USD', amount: 100, funding: 'at_execution' as const };
    const period = { frequency: 'MONTHLY' } as const;
    for (const world of ['world', (await store.tenant.account('world')).id]) {
      const [from, to] = [{ from: world }, { to: world }];
      const legs = { from: 'inside', legs: [{ to: world, amount: 100 }], asset: 'USD', amount: 100 };
      const idempotencyKey = 'outside';
      const request = { key: idempotencyKey, fingerprint: 'f' };
      const rule = { rule: { frequency: 'DAILY' } } as const;
      for (const order of [{ ...payment, ...from }, { ...payment, ...to }, legs]) {
        expect(await refused(() => operator.createPayment({ ...order, idempotencyKey }))).toBe('AUTH_SCOPE_MISSING');
        expect(await refused(() => operator.createPayments([order], { idempotencyKey }))).toBe('AUTH_SCOPE_MISSING');
        expect(await refused(() => operator.createPaymentGrouped(request, order, () => null))).toBe(
          'AUTH_SCOPE_MISSING',
        );
        expect(
          await refused(() =>
            operator.idempotently(request, (own) => own.createPayments([order], { idempotencyKey }).then(() => null)),
          ),
        ).toBe('AUTH_SCOPE_MISSING');
        expect(await refused(() => operator.createSchedule({ ...order, ...rule, idempotencyKey }))).toBe(
          'AUTH_SCOPE_MISSING',
        );
      }
      const plan = { name: 'drain', receiver: world, asset: 'USD', price: 1, period, charges: 1 };
      expect(await refused(() => operator.createPlan(plan))).toBe('AUTH_SCOPE_MISSING');
      const { id } = await operator.createPlan({ ...plan, receiver: 'inside' });
      expect(await refused(() => operator.subscribe({ plan: id, payer: world, idempotencyKey }))).toBe(
        'AUTH_SCOPE_MISSING',
      );
      const allowance = { guardian: world, junior: 'inside', asset: 'USD', amount: 1 } as const;
      expect(await refused(() => operator.createAllowance({ ...allowance, frequency: 'DAILY', status: 'ON' }))).toBe(
        'AUTH_SCOPE_MISSING',
      );
    }
    const teller = await as(['payments:write', 'ledger:money']);
    expect(await teller.createPayment({ ...payment, from: 'world', idempotencyKey: 'in' })).toMatchObject({
      status: 'scheduled',
    });
  });

  test('makes none that outlives it', async () => {
    const end = new Date('2999-01-01T00:00:00Z');
    const maker = await as(['admin'], end);
    expect((await maker.createApiKey({ name: 'child', role: 'viewer' })).key.expiresAt).toEqual(end);
    const later = { name: 'child', role: 'viewer', expiresAt: new Date('2999-01-02T00:00:00Z') } as const;
    expect(await refused(() => maker.createApiKey(later))).toBe('AUTH_SCOPE_MISSING');
    const { key } = await made();
    expect((await maker.rotateApiKey(key.id)).key.expiresAt).toEqual(end);
  });

  test('is rotated: both work until the overlap is over', async () => {
    const { key, secret } = await made(['ledger:read', 'ops:read']);
    const next = await store.tenant.rotateApiKey(key.id, { overlapMs: 3_600_000 });
    expect(next.key).toMatchObject({ name: 'till', scopes: ['ledger:read', 'ops:read'], replaces: key.id });
    const old = await store.usance.authenticate(secret);
    expect(old?.validForMs).toBeGreaterThan(3_000_000);
    expect(old?.validForMs).toBeLessThanOrEqual(3_600_000);
    expect(await store.usance.authenticate(next.secret)).not.toBeNull();
    const after = await store.tenant.rotateApiKey(next.key.id, { overlapMs: 0 });
    expect(await store.usance.authenticate(next.secret)).toBeNull();
    expect(await store.usance.authenticate(after.secret)).not.toBeNull();
  });

  test('rotated by twenty at once is rotated once', async () => {
    const { key } = await made();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => refusalOf(store.tenant.rotateApiKey(key.id, { overlapMs: 60_000 }))),
    );
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'API_KEY_STATE_CONFLICT')).toHaveLength(19);
  });

  test('that has ended is not rotated, and an end is not put off', async () => {
    const { key } = await made();
    await store.tenant.revokeApiKey(key.id);
    expect(await refused(() => store.tenant.rotateApiKey(key.id))).toBe('API_KEY_STATE_CONFLICT');
    for (const overlapMs of [-1, 0.5, 31 * 86_400_000]) {
      expect(await refused(() => store.tenant.rotateApiKey(key.id, { overlapMs }))).toBe('FIELD_INVALID');
    }
    const soon = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000);
    const short = await store.tenant.createApiKey({ name: 'short', role: 'viewer', expiresAt: soon });
    expect((await store.tenant.rotateApiKey(short.key.id)).replaced.expiresAt).toEqual(soon);
  });

  test('is revoked once, for good', async () => {
    const { key, secret } = await made();
    const first = await store.tenant.revokeApiKey(key.id);
    expect(await store.usance.authenticate(secret)).toBeNull();
    expect((await store.tenant.revokeApiKey(key.id)).revokedAt).toEqual(first.revokedAt);
  });

  test('of another tenant is not found', async () => {
    const { key } = await made();
    const other = await store.usance.createTenant({ name: 'other' });
    expect(await refusalOf(other.revokeApiKey(key.id))).toBe('API_KEY_NOT_FOUND');
    expect(await refusalOf(other.rotateApiKey(key.id))).toBe('API_KEY_NOT_FOUND');
    expect(await refusalOf(other.rotateApiKey(newId()))).toBe('API_KEY_NOT_FOUND');
    expect(await refusalOf(other.revokeApiKey('key'))).toBe('API_KEY_NOT_FOUND');
    expect(await other.apiKeys()).toEqual([]);
  });

  test('is listed newest first, page by page', async () => {
    const all = await store.tenant.apiKeys({ limit: 100 });
    const [first, second] = await store.tenant.apiKeys({ limit: 2 });
    expect([first?.id, second?.id]).toEqual(all.slice(0, 2).map((key) => key.id));
    expect((await store.tenant.apiKeys({ limit: 100, before: second?.id ?? '' })).map((key) => key.id)).toEqual(
      all.slice(2).map((key) => key.id),
    );
    expect(await refusalOf(store.tenant.apiKeys({ before: 'x' }))).toBe('ID_INVALID');
  });

  test('says when it was used, once a minute at most', async () => {
    const { key } = await made();
    const use = (agoMs: number): Promise<number> => touchApiKeys(store.db, [{ ...key, agoMs }]);
    const lastUsed = async () => (await store.tenant.apiKeys()).find(({ id }) => id === key.id)?.lastUsedAt;
    expect(await use(120_000)).toBe(1);
    const earlier = await lastUsed();
    expect(await use(100_000)).toBe(0);
    expect(await use(0)).toBe(1);
    expect((await lastUsed())?.getTime()).toBeGreaterThan((earlier?.getTime() ?? 0) + 60_000);
    expect(await use(120_000)).toBe(0);
  });

  test('touched while somebody holds its row keeps nobody waiting', async () => {
    const { key } = await made();
    await store.owner.transaction(async (tx) => {
      await tx.query('select from usance.api_keys where id = $1::uuid for update', [key.id]);
      expect(await touchApiKeys(store.db, [{ ...key, agoMs: 0 }])).toBe(0);
    });
  });

  test('made, rotated or revoked is on record, without its secret', async () => {
    const { key, secret } = await made();
    const next = await store.tenant.rotateApiKey(key.id);
    await store.tenant.revokeApiKey(next.key.id);
    // Once: doing it again changes nothing.
    await store.tenant.revokeApiKey(next.key.id);
    await store.tenant.createApiKey({ name: 'till', scopes: ['ledger:read'], secret });
    const records = await Promise.all(['API_KEY_CREATED', 'API_KEY_ROTATED', 'API_KEY_REVOKED'].map(recorded));
    const ids = records.map((events) => events.map((event) => event.resourceId));
    expect(ids[0]?.filter((id) => id === key.id)).toHaveLength(1);
    expect(ids[1]).toContain(next.key.id);
    expect(ids[2]?.filter((id) => id === next.key.id)).toHaveLength(1);
    const told = JSON.stringify(records);
    expect(told).toContain(key.prefix);
    expect(told).not.toContain(secret.slice(10));
    expect(told).not.toContain(next.secret.slice(10));
  });
});

describe('the first tenant', () => {
  const store = useUsance();

  test('makes others, each with a key for everything, and sees them', async () => {
    const { tenant, secret } = await store.tenant.createTenant({ name: 'bakery' });
    expect(await store.usance.authenticate(secret)).toMatchObject({
      handle: { name: 'bakery' },
      key: { role: 'admin' },
    });
    expect((await store.tenant.tenants()).map(({ name }) => name)).toEqual(['shop', 'bakery']);
    const bakery = await store.usance.tenant(tenant.id);
    const made = { action: 'TENANT_CREATED', resourceId: tenant.id };
    expect(await store.tenant.auditEvents({ resource: 'tenant' }, { limit: 1 })).toMatchObject([made]);
    expect(await bakery.auditEvents()).toMatchObject([{ action: 'API_KEY_CREATED' }, made]);
    expect((await bakery.accounts()).map((account) => account.ref)).toContain('world');
    expect(await refusalOf(bakery.tenants())).toBe('AUTH_FORBIDDEN');
    expect(await refusalOf(bakery.createTenant({ name: 'cellar' }))).toBe('AUTH_FORBIDDEN');
  });

  test('stays the first, though another is made by a machine whose clock is years behind', async () => {
    await store.owner.query(
      `insert into usance.tenants (id, name, kind) values ('00000000-0001-7000-8000-000000000001', 'behind', 'live')`,
    );
    expect((await store.tenant.tenants())[0]?.id).toBe(store.tenant.id);
    expect((await store.usance.tenants())[0]?.id).toBe(store.tenant.id);
    const behind = await store.usance.tenant('behind');
    expect(await refusalOf(behind.tenants())).toBe('AUTH_FORBIDDEN');
  });

  test('makes none by a key that may do less than everything', async () => {
    const { secret } = await store.tenant.createApiKey({ name: 'maker', scopes: ['tenants:write'] });
    const maker = await store.usance.authenticate(secret);
    expect(await refusalOf(maker?.handle.createTenant({ name: 'cellar' }) ?? Promise.resolve())).toBe(
      'AUTH_SCOPE_MISSING',
    );
  });
});
