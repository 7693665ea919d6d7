// The session of this browser: its tenants, its key, its scopes, and the CSRF token of its changes. The selected tenant is kept for the
// tab, so that two tabs can show two tenants.
import type { Scope } from './scope.ts';

export interface SessionTenant {
  readonly id: string;
  readonly name: string;
  readonly kind: 'live' | 'test';
  readonly first: boolean;
  readonly defaultAsset: string | null;
}

export interface Session {
  readonly csrf: string;
  readonly tenant: SessionTenant;
  readonly tenants: readonly SessionTenant[];
  readonly key: {
    readonly id: string;
    readonly name: string;
    readonly prefix: string;
    readonly role: 'viewer' | 'operator' | 'admin' | null;
    readonly person: string | null;
    readonly scopes: readonly Scope[];
  };
  readonly expiresAt: string;
  readonly version: string;
}

export interface SessionState {
  /** Undefined: not read yet. Null: signed out. */
  readonly session: Session | null | undefined;
  /** Signed out by the server: expired, or its key was revoked. */
  readonly ended: boolean;
}

const TENANT_ITEM = 'usance.tenant';
let state: SessionState = { session: undefined, ended: false };
const listeners = new Set<() => void>();

export function setSession(session: Session | null, ended = false): void {
  state = { session, ended };
  for (const listener of listeners) listener();
}

export const sessionState = (): SessionState => state;

export function followSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A call was refused for want of a session: it expired, its key was revoked, or another tab signed out. */
export function sessionEnded(): void {
  if (state.session) setSession(null, true);
}

export const selectedTenant = (): string | null => window.sessionStorage.getItem(TENANT_ITEM);

export function selectTenant(id: string | null): void {
  if (id === null) window.sessionStorage.removeItem(TENANT_ITEM);
  else window.sessionStorage.setItem(TENANT_ITEM, id);
}
