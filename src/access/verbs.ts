// Who may act for a tenant: keys, issuers of end users' tokens, and for the first tenant, tenants. Every change is on record.
import type { Transaction } from '../db/index.ts';
import type { EventType, Fact } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { isUuid, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { openTenant } from '../ledger/index.ts';
import type { Tenant, TenantOrder } from '../tenants/index.ts';
import { findFirstTenant, listTenants } from '../tenants/index.ts';
import type { ApiKey, ApiKeyOrder, MadeKey } from './api-key.ts';
import { listApiKeys } from './api-key-store.ts';
import { createKey } from './create-key.ts';
import { revokeKey, rotateKey } from './end-key.ts';
import type { CheckUrl, IssuerOrder, KeysOrder } from './change-issuer.ts';
import { createIssuer, dropIssuer, rekeyIssuer } from './change-issuer.ts';
import type { Maker } from './grant.ts';
import type { TokenIssuer } from './issuer.ts';
import { issuerData } from './issuer.ts';
import { listIssuers } from './issuer-store.ts';
import type { SharedSecret } from './authenticate.ts';
import type { RevokedTokens } from './revoke-tokens.ts';
import { revokeTokens } from './revoke-tokens.ts';

export interface AccessVerbs {
  createApiKey(order: ApiKeyOrder): Promise<MadeKey>;
  /** Newest first, ended ones among them. */
  apiKeys(page?: { limit?: number; before?: Uuid }): Promise<ApiKey[]>;
  revokeApiKey(id: Uuid): Promise<ApiKey>;
  /** A new secret; the old one works for the overlap more. Default: a day. */
  rotateApiKey(id: Uuid, options?: { overlapMs?: number }): Promise<MadeKey & { readonly replaced: ApiKey }>;
  createTokenIssuer(order: IssuerOrder): Promise<TokenIssuer>;
  /** Oldest first. `after` is the id of the last one of the page before. */
  tokenIssuers(page?: { limit?: number; after?: Uuid | undefined }): Promise<TokenIssuer[]>;
  /** Other keys in the place of those it has. */
  updateTokenIssuer(id: Uuid, keys: KeysOrder): Promise<TokenIssuer>;
  /** What it signed is refused everywhere within five seconds. */
  deleteTokenIssuer(id: Uuid): Promise<TokenIssuer>;
  /** Ends every token that an end user has: those issued before now are refused everywhere within five seconds. */
  revokeTokens(account: string): Promise<RevokedTokens>;
  /** Every tenant. Only the first tenant may ask. */
  tenants(): Promise<Tenant[]>;
  /** Another tenant, and a key that may do everything for it. Only the first tenant may. */
  createTenant(order: TenantOrder): Promise<MadeKey & { readonly tenant: Tenant }>;
}

const grantOf = ({ role, scopes, expiresAt, person }: ApiKey): Fact['data'] => ({ role, scopes, expiresAt, person });

const PAGE = 100;
const OVERLAP_MS = 86_400_000;

/** The secret of the environment, whose issuer and audience no tenant can take, and the check of URLs. */
export interface AccessSettings {
  readonly reserved: SharedSecret | null;
  readonly checkUrl: CheckUrl;
}

export function accessVerbs(context: VerbContext, maker: Maker, settings: AccessSettings): AccessVerbs {
  const { tenantId, caller, sql } = context;
  const keys = { tenantId, actor: caller.actor, maker };
  /** Does it and says so, in one transaction; nothing is said where nothing changed. */
  const told = <T extends { readonly key: ApiKey }>(
    type: EventType,
    work: (tx: Transaction) => Promise<T & { readonly data: Fact['data'] | null }>,
  ): Promise<T> =>
    context.runUntimed(async (tx) => {
      const clock = await context.moment(tx);
      const done = await work(tx);
      if (done.data) await appendEvents(tx, [factOf(clock, type, done.key, done.data)]);
      return done;
    });
  const factOf = (clock: Clock, type: EventType, key: ApiKey, data: Fact['data']): Fact => ({
    ...caller,
    tenantId: key.tenantId,
    type,
    resource: 'api_key',
    resourceId: key.id,
    data: { name: key.name, prefix: key.prefix, ...data },
    occurredAt: clock.now,
  });
  const toldOfIssuer = (type: EventType, work: (tx: Transaction) => Promise<TokenIssuer>): Promise<TokenIssuer> =>
    context.run(async (tx, clock) => {
      const done = await work(tx);
      const about = {
        type,
        resource: 'token_issuer',
        resourceId: done.id,
        data: issuerData(done),
        occurredAt: clock.now,
      };
      await appendEvents(tx, [{ ...caller, ...about, tenantId }]);
      return done;
    });
  const requireFirst = async (): Promise<void> => {
    const first = await findFirstTenant(sql);
    if (first?.id !== tenantId) refuse('AUTH_FORBIDDEN/first_tenant_only');
  };

  return {
    createApiKey: (order) =>
      told('api_key.created', async (tx) => {
        const made = await createKey(tx, keys, order);
        return { ...made, data: made.isNew ? { new: grantOf(made.key) } : null };
      }),
    async apiKeys(page = {}) {
      const { limit = PAGE, before = null } = page;
      if (before !== null && !isUuid(before)) {
        refuse('ID_INVALID/not_a_cursor', { param: 'before' });
      }
      return listApiKeys(sql, tenantId, { limit, before });
    },
    revokeApiKey: async (id) =>
      (
        await told('api_key.revoked', async (tx) => {
          const { key, isNew } = await revokeKey(tx, keys, id);
          return { key, data: isNew ? {} : null };
        })
      ).key,
    rotateApiKey: (id, { overlapMs = OVERLAP_MS } = {}) =>
      told('api_key.rotated', async (tx) => {
        const made = await rotateKey(tx, keys, id, overlapMs);
        return { ...made, data: { new: grantOf(made.key), replaces: id, until: made.replaced.expiresAt } };
      }),
    createTokenIssuer: (order) => toldOfIssuer('token_issuer.created', (tx) => createIssuer(tx, keys, order, settings)),
    tokenIssuers: async ({ limit = PAGE, after } = {}) => {
      if (after !== undefined && !isUuid(after)) refuse('ID_INVALID/not_a_cursor', { param: 'after' });
      return listIssuers(sql, tenantId, { limit, after: after ?? null });
    },
    updateTokenIssuer: (id, order) =>
      toldOfIssuer('token_issuer.updated', (tx) => rekeyIssuer(tx, keys, id, order, settings.checkUrl)),
    deleteTokenIssuer: (id) => toldOfIssuer('token_issuer.deleted', (tx) => dropIssuer(tx, keys, id)),
    revokeTokens: (account) =>
      context.run(async (tx, clock) => {
        const done = await revokeTokens(tx, keys, account);
        const data = { revokedAt: done.revokedAt.toISOString() };
        const about = {
          type: 'account.tokens_revoked' as const,
          resource: 'account',
          resourceId: done.accountId,
          data,
        };
        await appendEvents(tx, [{ ...caller, ...about, tenantId, occurredAt: clock.now }]);
        return done;
      }),
    async tenants() {
      await requireFirst();
      return listTenants(sql);
    },
    async createTenant(order) {
      await requireFirst();
      return context.run(async (tx, clock) => {
        const tenant = await openTenant(tx, clock, caller, order);
        const first = { name: 'first', role: 'admin' } as const;
        const made = await createKey(tx, { ...keys, tenantId: tenant.id }, first);
        const data = { new: { name: tenant.name, kind: tenant.kind } };
        const about = { type: 'tenant.created' as const, resource: 'tenant', resourceId: tenant.id, data };
        // It is on the new tenant's record already; that it was made from here belongs on ours.
        await appendEvents(tx, [
          { ...caller, ...about, tenantId, occurredAt: clock.now },
          factOf(clock, 'api_key.created', made.key, { new: grantOf(made.key) }),
        ]);
        return { ...made, tenant };
      });
    },
  };
}
