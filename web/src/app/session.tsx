// Signing in and out, and the session as pages see it.
import { createContext, useContext } from 'react';
import { fetchWithSession, fromWire } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { Scope } from '../api/scope.ts';
import { allows } from '../api/scope.ts';
import type { Session } from '../api/session.ts';
import { selectTenant, setSession } from '../api/session.ts';
import { navigate } from './router.tsx';

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('this part is only shown to a session');
  return session;
}

export function useAllowed(scope: Scope): boolean {
  return allows(useSession().key.scopes, scope);
}

/** Reads the session of the cookie, for the tenant of this tab. */
export async function readSession(): Promise<void> {
  const wanted = tenantOfLink();
  if (wanted !== null) selectTenant(wanted);
  let response = await fetchWithSession('/session');
  if (response.status === 403) {
    selectTenant(null);
    response = await fetchWithSession('/session');
  }
  // Kept until there is a session: the link was perhaps opened before the sign-in.
  if (response.ok && wanted !== null) dropTenantOfLink();
  setSession(response.ok ? (fromWire(await response.json()) as Session) : null);
}

/** Links in messages name their tenant. */
const tenantOfLink = (): string | null => new URLSearchParams(window.location.search).get('tenant');

/** The tab keeps the tenant from here on, and can select another. */
function dropTenantOfLink(): void {
  const query = new URLSearchParams(window.location.search);
  query.delete('tenant');
  const text = query.toString();
  navigate(window.location.pathname + (text === '' ? '' : `?${text}`), { replace: true });
}

export type Credential = { readonly key: string } | { readonly link: string };

/** Throws an error whose message the sign-in page shows. */
export async function signIn(credential: Credential): Promise<void> {
  const response = await fetch('/session', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', accept: 'application/json, application/problem+json' },
    body: JSON.stringify(credential),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) {
    const session = fromWire(answer) as Session;
    selectTenant(session.tenant.id);
    queryClient.clear();
    return tenantOfLink() === null ? setSession(session) : readSession();
  }
  const detail = typeof answer === 'object' && answer !== null && 'detail' in answer ? String(answer.detail) : null;
  throw new Error(detail ?? `The server answered ${response.status}.`);
}

/** Shows another tenant of the session in this tab. */
export async function switchTenant(id: string): Promise<void> {
  selectTenant(id);
  queryClient.clear();
  await readSession();
}

export async function signOut(): Promise<void> {
  await fetchWithSession('/session', { method: 'DELETE' });
  selectTenant(null);
  queryClient.clear();
  setSession(null);
}
