// Who may act for a tenant: keys, and for the first tenant, tenants. Every change is on the audit's record.
import { recordAudit } from '../audit/index.ts';
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { isUuid, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { openSystemAccounts } from '../ledger/index.ts';
import type { Tenant, TenantOrder } from '../tenants/index.ts';
import { createTenant, listTenants } from '../tenants/index.ts';
import type { ApiKey, ApiKeyOrder, MadeKey } from './api-key.ts';
import { listApiKeys } from './api-key-store.ts';
import { createKey } from './create-key.ts';
import { revokeKey, rotateKey } from './end-key.ts';
import type { Maker } from './grant.ts';

export interface AccessVerbs {
  createApiKey(order: ApiKeyOrder): Promise<MadeKey>;
  /** Newest first, ended ones among them. */
  apiKeys(page?: { limit?: number; before?: Uuid }): Promise<ApiKey[]>;
  revokeApiKey(id: Uuid): Promise<ApiKey>;
  /** A new secret; the old one works for the overlap more. Default: a day. */
  rotateApiKey(id: Uuid, options?: { overlapMs?: number }): Promise<MadeKey & { readonly replaced: ApiKey }>;
  /** Every tenant. Only the first tenant may ask. */
  tenants(): Promise<Tenant[]>;
  /** Another tenant, and a key that may do everything for it. Only the first tenant may. */
  createTenant(order: TenantOrder): Promise<MadeKey & { readonly tenant: Tenant }>;
}

const PAGE = 100;
const OVERLAP_MS = 86_400_000;
const FACTS = {
  'api_key.create': 'api_key.created',
  'api_key.revoke': 'api_key.revoked',
  'api_key.rotate': 'api_key.rotated',
} as const;

export function accessVerbs(context: VerbContext, maker: Maker): AccessVerbs {
  const { tenantId, caller, sql } = context;
  const keys = { tenantId, actor: caller.actor, maker };
  /** Does it and says so, in one transaction. */
  const audited = <T extends { readonly key: ApiKey }>(
    action: keyof typeof FACTS,
    work: (tx: Transaction) => Promise<T & { readonly details?: Readonly<Record<string, unknown>> }>,
  ): Promise<T> =>
    context.run(async (tx, clock) => {
      const done = await work(tx);
      const { id, name, prefix } = done.key;
      const details = { name, prefix, ...done.details };
      const fact = { ...caller, tenantId, type: FACTS[action], resource: 'apiKey', resourceId: id, data: details };
      await appendEvents(tx, [{ ...fact, occurredAt: clock.now }]);
      await recordAudit(tx, [{ ...caller, tenantId, action, resource: 'api_key', resourceId: id, details }]);
      return done;
    });
  const requireFirst = async (): Promise<Tenant[]> => {
    const all = await listTenants(sql);
    return all[0]?.id === tenantId ? all : refuse('AUTH_FORBIDDEN', 'only the first tenant sees and makes tenants');
  };

  return {
    createApiKey: (order) =>
      audited('api_key.create', async (tx) => {
        const made = await createKey(tx, keys, order);
        const { role, scopes, expiresAt } = made.key;
        return { ...made, details: { role, scopes, expiresAt } };
      }),
    async apiKeys(page = {}) {
      const { limit = PAGE, before = null } = page;
      if (before !== null && !isUuid(before)) {
        refuse('ID_INVALID', 'before must be the id that the page before ended with', { param: 'before' });
      }
      return listApiKeys(sql, tenantId, { limit, before });
    },
    revokeApiKey: async (id) =>
      (await audited('api_key.revoke', async (tx) => ({ key: await revokeKey(tx, keys, id) }))).key,
    rotateApiKey: (id, { overlapMs = OVERLAP_MS } = {}) =>
      audited('api_key.rotate', async (tx) => {
        const made = await rotateKey(tx, keys, id, overlapMs);
        return { ...made, details: { replaces: id, until: made.replaced.expiresAt } };
      }),
    tenants: requireFirst,
    async createTenant(order) {
      await requireFirst();
      return context.run(async (tx, clock) => {
        const tenant = await createTenant(tx, order);
        await openSystemAccounts(tx, clock, caller, tenant);
        const first = { name: 'first', role: 'admin' } as const;
        const made = await createKey(tx, { ...keys, tenantId: tenant.id }, first);
        const details = { name: tenant.name, kind: tenant.kind, key: made.key.id };
        await recordAudit(tx, [
          { ...caller, tenantId, action: 'tenant.create', resource: 'tenant', resourceId: tenant.id, details },
        ]);
        return { ...made, tenant };
      });
    },
  };
}
