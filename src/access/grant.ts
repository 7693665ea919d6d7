// Nobody gives away what he does not have: a key grants at most the scopes of the key that makes it, and for no longer.
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Allowed, Scope } from './scope.ts';
import { allows } from './scope.ts';

/** The key that makes another, and so what it can grant. Null for the library and commands, which can grant everything. */
export type Maker = {
  readonly key: { readonly tenantId: Uuid; readonly id: Uuid };
  readonly allowed: Allowed;
  readonly expiresAt: Date | null;
} | null;

export function requireMayGrant(maker: Maker, wanted: Iterable<Scope>): void {
  for (const scope of wanted) {
    if (maker === null || allows(maker.allowed, scope)) continue;
    refuse('AUTH_SCOPE_MISSING/grant', { param: 'scopes', scope });
  }
}

/** Ending a key, an issuer or tokens takes away what they may do: that takes a caller who may do all of it. */
export function requireMayEnd(maker: Maker, held: Iterable<Scope>): void {
  for (const scope of held) {
    if (maker === null || allows(maker.allowed, scope)) continue;
    refuse('AUTH_SCOPE_MISSING/revoke', { scope });
  }
}

/** What is left out ends with its maker; what would outlive him is refused. */
export function grantedUntil(maker: Maker, wanted: Date | null): Date | null {
  const last = maker?.expiresAt ?? null;
  if (last === null || wanted === null) return wanted ?? last;
  if (wanted <= last) return wanted;
  return refuse('AUTH_SCOPE_MISSING/outlives', { param: 'expiresAt', expiresAt: last });
}
