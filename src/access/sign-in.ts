// Who came in and who was refused, on the record of the tenant it concerns. There is no session to begin, so a sign-in is the
// first that is seen of a key or an end user from an address in a while; whoever serves decides how long that is.
import type { Database } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Attribution, Clock, Uuid } from '../kernel/index.ts';
import { callerOf } from '../kernel/index.ts';

/** By an API key or an end user. */
export interface SignIn extends Attribution {
  readonly tenantId: Uuid;
  readonly resource: 'api_key' | 'account';
  readonly resourceId: Uuid;
}

/** Something was shown that is somebody's, and is not to be believed: a key that has ended, a token that is none. */
export interface RefusedSignIn {
  readonly tenantId: Uuid;
  /** The key; the issuer whose token it would be; the tenant, where that is the secret of the environment. */
  readonly resource: 'api_key' | 'token_issuer' | 'tenant';
  readonly resourceId: Uuid;
  readonly reason: string;
}

export type OnRefused = (refused: RefusedSignIn) => void;

export type RefusedSignIns = RefusedSignIn & Omit<Attribution, 'actor'> & { readonly times: number };

/** Whoever shows a key that has ended, or a token that is none, is not who it names. */
const UNKNOWN = 'unknown';

/** Of real time, whatever clock a tenant lives by. */
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
