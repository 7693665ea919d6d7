// Audit events of accepted callers and rejected credentials, in the log of their tenant. Requests with a key or token open no session, so a sign-in is the
// first request of a key or end user from an address in a while; the server decides how long that is (src/api/sign-ins.ts). Sessions of the
// dashboard are in session.ts.
import type { Database } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Attribution, Clock, Origin, Uuid } from '../kernel/index.ts';
import { callerOf } from '../kernel/index.ts';

/** The first request of an API key or an end user from an address. */
export interface SignIn extends Omit<Attribution, 'reason'> {
  readonly tenantId: Uuid;
  readonly resource: 'api_key' | 'account';
  readonly resourceId: Uuid;
}

/** A rejected credential that belongs to a tenant: a key that has ended, or an invalid token that names one of its issuers. */
export interface RefusedSignIn {
  readonly tenantId: Uuid;
  /** The key; the issuer that the token names; the tenant if that issuer is `JWT_SECRET`. */
  readonly resource: 'api_key' | 'token_issuer' | 'tenant';
  readonly resourceId: Uuid;
  readonly reason: string;
}

export type OnRefused = (refused: RefusedSignIn) => void;

export type RefusedSignIns = RefusedSignIn & Origin & { readonly times: number };

/** The actor of a rejected credential: it does not prove that the caller is its owner. */
const UNKNOWN = 'unknown';

/** At real time, also in a test tenant: a credential is checked against it. */
export async function recordSignIns(
  db: Database,
  clock: Clock,
  accepted: readonly SignIn[],
  refused: readonly RefusedSignIns[],
): Promise<void> {
  const occurredAt = clock.now;
  const came = accepted.map(({ tenantId, resource, resourceId, ...caller }) => ({
    ...callerOf(caller),
    tenantId,
    type: 'sign_in.accepted' as const,
    resource,
    resourceId,
    data: {},
    occurredAt,
  }));
  const tried = refused.map(({ tenantId, resource, resourceId, reason, times, ...origin }) => ({
    ...callerOf({ ...origin, actor: UNKNOWN }),
    tenantId,
    type: 'sign_in.refused' as const,
    resource,
    resourceId,
    data: { times, reason },
    occurredAt,
  }));
  await db.transaction((tx) => appendEvents(tx, [...came, ...tried]));
}
