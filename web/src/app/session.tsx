// Signing in and out, and the session as pages see it.
import { createContext, useContext } from 'react';
import { fromWire } from '../../../src/client/case.ts';
import { problemOf } from '../../../src/client/send.ts';
import { askSession, fetchWithSession } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { Scope } from '../api/scope.ts';
import { allows } from '../api/scope.ts';
import type { Session } from '../api/session.ts';
import { selectTenant, selectedTenant, sessionState, setSession } from '../api/session.ts';
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

/** Reads the session of the cookie, for the tenant of this tab. Throws if it cannot be read while one is shown, which stays. */
export async function readSession(tenant?: string): Promise<void> {
  const linked = tenantOfLink();
  let response = await askSession(tenant ?? linked ?? selectedTenant());
  if (response.status === 403) response = await askSession(null);
  if (!response.ok && response.status !== 401 && sessionState().session)
    throw new Error(`The server answered ${response.status}.`);
  const session = response.ok ? (fromWire(await response.json()) as Session) : null;
  // Kept until there is a session: the link was perhaps opened before the sign-in.
  if (session && linked !== null) dropTenantOfLink();
  show(session);
}

/** The tenant of the page, of its reads and of its calls changes in one step. */
function show(session: Session | null): void {
  if (session?.tenant.id !== sessionState().session?.tenant.id) queryClient.clear();
  selectTenant(session?.tenant.id ?? null);
  setSession(session);
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
  if (!response.ok) throw new Error(await messageOf(response));
  const session = fromWire(await response.json()) as Session;
  queryClient.clear();
  return tenantOfLink() === null ? show(session) : readSession();
}

/** Of a refusal. */
const messageOf = async (response: Response): Promise<string> =>
  problemOf(await response.text())?.detail ?? `The server answered ${response.status}.`;

/** Shows another tenant of the session in this tab, once it can be read. */
export const switchTenant = (id: string): Promise<void> => readSession(id);

/** Throws an error whose message the dialog shows. */
export async function signOut({ everywhere = false }: { readonly everywhere?: boolean } = {}): Promise<void> {
  const response = await fetchWithSession(`/session${everywhere ? '?everywhere=true' : ''}`, { method: 'DELETE' });
  // A session that had ended is signed out: the page shows the sign-in already, and says why. The other browsers are not.
  if (response.status === 401 && !everywhere) return;
  if (response.status === 401)
    throw new Error(
      'This session had ended before, and other browsers are still signed in: sign in, and sign out everywhere again.',
    );
  if (!response.ok) throw new Error(await messageOf(response));
  queryClient.clear();
  show(null);
}
