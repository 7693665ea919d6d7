// Resolves an API key or a token to the caller that it is, and to a handle with that caller's rights.
import type { KeyFound, KeySets, Maker, TokenSettings, Viewer } from './access/index.ts';
import {
  LONGEST_TOKEN_MS,
  actorOf,
  allowedTo,
  allows,
  authenticateKey,
  authenticateToken,
  keyActor,
  looksLikeToken,
  refusedToken,
} from './access/index.ts';
import type { Database } from './db/index.ts';
import type { Authenticated, Engine, TenantHandle } from './engine-types.ts';
import type { Caller } from './kernel/index.ts';
import { callerOf } from './kernel/index.ts';
import type { Tenant } from './tenants/index.ts';
import { findFirstTenant, findTenant } from './tenants/index.ts';

export type HandleOf = (
  tenant: Tenant,
  caller: Caller,
  rights: { maker?: Maker; viewer?: Viewer | null },
) => TenantHandle;

export interface SignInSettings {
  readonly jwt?: TokenSettings['shared'];
  readonly longestTokenMs?: number;
}

export function authenticator(
  db: Database,
  { jwt = null, longestTokenMs: longestMs = LONGEST_TOKEN_MS }: SignInSettings,
  keySets: KeySets,
  handle: HandleOf,
): Engine['authenticate'] {
  const firstTenant = async () => (await findFirstTenant(db))?.id ?? null;
  const byToken: Engine['authenticate'] = async (secret, onRefused, named) => {
    const tenantId = named === undefined ? null : (await findTenant(db, named))?.id;
    if (tenantId === undefined) throw refusedToken(true);
    const tokens = { shared: jwt, longestMs, keySets, tenantId };
    const { viewer, validForMs, ...shown } = await authenticateToken(db, secret, tokens, firstTenant, onRefused);
    const tenant = await findTenant(db, shown.tenantId);
    if (!tenant) return null;
    const caller = callerOf({ actor: actorOf(viewer) }, { mayMoveExternalMoney: false });
    const { scope, actor } = caller;
    const signIn = { tenantId: tenant.id, resource: 'account', resourceId: viewer.accountId, actor } as const;
    return { key: null, allowed: new Set(), validForMs, scope, signIn, handle: handle(tenant, caller, { viewer }) };
  };
  return async (secret, onRefused, named) => {
    if (looksLikeToken(secret)) return byToken(secret, onRefused, named);
    const found = await authenticateKey(db, secret, onRefused);
    const tenant = found ? await findTenant(db, found.key.tenantId) : null;
    if (!found || !tenant) return null;
    return callerOfKey(handle)(found, tenant);
  };
}

/** The caller that an API key is. */
export const callerOfKey =
  (handle: HandleOf) =>
  ({ key, validForMs, countsFor }: KeyFound, tenant: Tenant): Authenticated => {
    const allowed = allowedTo(key);
    const mayMoveExternalMoney = allows(allowed, 'ledger:money');
    const identity = { scope: keyActor(key.lineageId), countsFor, mayMoveExternalMoney };
    const caller = callerOf({ actor: keyActor(key.id) }, identity);
    const about = { tenantId: tenant.id, resource: 'api_key', resourceId: key.id } as const;
    const signIn = { ...about, actor: caller.actor };
    const made = handle(tenant, caller, { maker: { key, allowed, expiresAt: key.expiresAt } });
    return { key, validForMs, allowed, scope: caller.scope, signIn, handle: made };
  };
