// Who sends a request, and whether it is theirs to send. A key or token that was found is believed for a few seconds, so that a busy client costs no query a request; a
// revoked one is refused within five. Keys that were not found are asked for every time: a new key works at once.
import { hash } from 'node:crypto';
import type { Authenticated, OnRefused, Scope, Engine } from '../engine.ts';
import { allows } from '../engine.ts';
import { refuse, toTypeId } from '../kernel/index.ts';

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
  /** Stands before a look for somebody whom this process has not found before. */
  asStranger(look: () => Promise<Principal>): Promise<Principal>;
  readonly onRefused: OnRefused;
}

const BELIEVED_FOR_MS = 3_000;
const MOST_REMEMBERED = 10_000;
const LONGEST_TENANT = 200;

interface Remembered {
  readonly principal: Promise<Principal | null>;
  untilMs: number;
  /** Somebody was found by it before, however long ago. */
  isGood: boolean;
}

export function createIdentify(authenticate: Engine['authenticate']): Identify {
  const known = new Map<string, Remembered>();

  const ask = (secret: string, digest: string, onRefused?: OnRefused, tenant?: string): Promise<Principal | null> => {
    const principal = authenticate(secret, onRefused, tenant);
    const askedMs = performance.now();
    // Many requests of one new client ask once. What failed or found nobody is forgotten; what expires is not believed longer.
    const wasGood = known.get(digest)?.isGood ?? false;
    const entry: Remembered = { principal, untilMs: askedMs + BELIEVED_FOR_MS, isGood: wasGood };
    known.set(digest, entry);
    const forget = (): void => {
      if (known.get(digest) === entry) known.delete(digest);
    };
    principal.then((found) => {
      if (!found) return forget();
      entry.isGood = true;
      entry.untilMs = askedMs + Math.min(BELIEVED_FOR_MS, found.validForMs ?? BELIEVED_FOR_MS);
    }, forget);
    if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value ?? '');
    return principal;
  };

  const look = async (
    authorization: string | undefined,
    digest: string,
    watch?: Watch,
    tenant?: string,
  ): Promise<Principal> => {
    if (authorization === undefined) refuse('AUTH_REQUIRED', { param: 'Authorization' });
    const secret = secretIn(authorization);
    if (secret === undefined) return refuse('AUTH_INVALID/not_bearer', { param: 'Authorization' });
    const remembered = known.get(digest);
    const isFresh = remembered !== undefined && remembered.untilMs > performance.now();
    const principal = isFresh ? remembered.principal : ask(secret, digest, watch?.onRefused, tenant);
    return (await principal) ?? refuse('AUTH_INVALID/unknown_key', { param: 'Authorization' });
  };

  return async (authorization, watch, tenant) => {
    const secret = secretIn(authorization ?? '');
    const digest = secret === undefined ? '' : hash('sha256', `${secret} ${tenant ?? ''}`, 'base64');
    const looking = (): Promise<Principal> => look(authorization, digest, watch, tenant);
    return watch && !known.get(digest)?.isGood ? watch.asStranger(looking) : looking();
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
