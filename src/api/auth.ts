// Authentication by the header Authorization, and authorization: which caller sends a request, and whether it may call the route.
import type { Authenticated, OnRefused, Scope, Engine } from '../engine.ts';
import { allows } from '../engine.ts';
import { refuse, toTypeId } from '../kernel/index.ts';
import { createCredentialCache, digestOfText } from './credential-cache.ts';

export type Principal = Authenticated;

/** By its key's scopes; an end user, by whether the route is open to them at all. */
export function requireAllowed(
  { key, allowed }: Principal,
  route: { readonly scope: Scope; readonly own?: true },
): void {
  if (key === null) {
    if (route.own) return;
    refuse('AUTH_FORBIDDEN/needs_api_key');
  }
  if (allows(allowed, route.scope)) return;
  refuse('AUTH_SCOPE_MISSING/operation', { scope: route.scope });
}

/** The id of its key, or of the account it is. */
export function nameOf({ key, handle }: Principal): string {
  return key ? toTypeId('apiKey', key.id) : toTypeId('account', handle.subject ?? '');
}

export type Identify = (authorization: string | undefined, watch?: Watch, tenant?: string) => Promise<Principal>;

export interface Watch {
  /** Counts a lookup of a credential that this process has not seen as valid. */
  asStranger<P extends Principal>(look: () => Promise<P>): Promise<P>;
  readonly onRefused: OnRefused;
}

const LONGEST_TENANT = 200;

export function createIdentify(authenticate: Engine['authenticate']): Identify {
  const cache = createCredentialCache<Principal>();

  const look = async (
    authorization: string | undefined,
    digest: string,
    watch?: Watch,
    tenant?: string,
  ): Promise<Principal> => {
    if (authorization === undefined) refuse('AUTH_REQUIRED', { param: 'Authorization' });
    const secret = secretIn(authorization);
    if (secret === undefined) return refuse('AUTH_INVALID/not_bearer', { param: 'Authorization' });
    const found = await cache.find(digest, () => authenticate(secret, watch?.onRefused, tenant));
    return found ?? refuse('AUTH_INVALID/unknown_key', { param: 'Authorization' });
  };

  return async (authorization, watch, tenant) => {
    const secret = secretIn(authorization ?? '');
    const digest = secret === undefined ? '' : digestOfText(`${secret} ${tenant ?? ''}`);
    const looking = (): Promise<Principal> => look(authorization, digest, watch, tenant);
    return watch && !cache.wasValid(digest) ? watch.asStranger(looking) : looking();
  };
}

/** The tenant that a request names, by id or name: whose issuers a token is checked against. */
export function tenantIn(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const named = headers['usance-tenant'];
  return typeof named === 'string' && named !== '' ? named.slice(0, LONGEST_TENANT) : undefined;
}

function secretIn(authorization: string): string | undefined {
  return /^bearer +([!-~]{1,4096})$/i.exec(authorization)?.[1];
}
