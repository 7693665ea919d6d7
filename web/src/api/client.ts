// The dashboard calls the same HTTP API as every integration, through the typed client. The key stays on the server: the session cookie
// identifies the caller, and changes carry the CSRF header.
import type { Client } from '../../../src/client/index.ts';
import { UsanceProblem, createClient } from '../../../src/client/index.ts';
import { fromWire } from '../../../src/client/case.ts';
import { problemOf } from '../../../src/client/send.ts';
import { isBackground } from './activity.ts';
import type { Session } from './session.ts';
import { followSession, sessionEnded, sessionState, setSession } from './session.ts';

const CSRF_HEADER = 'x-usance-csrf';
const TENANT_HEADER = 'usance-tenant';

/**
 * Sends the cookie instead of the key, for the tenant on the screen, and notices the end of the session. The tenant is named even if it is the
 * first: the key of the first can end, and the calls of this page would go to the next one.
 */
export const fetchWithSession: typeof fetch = async (input, init = {}) => {
  const { session } = sessionState();
  const isChange = (init.method ?? 'GET') !== 'GET';
  const send = (csrf: string | undefined): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.delete('authorization');
    if (isChange && csrf !== undefined) headers.set(CSRF_HEADER, csrf);
    if (session && !headers.has(TENANT_HEADER)) headers.set(TENANT_HEADER, session.tenant.id);
    if (isBackground()) headers.set('x-usance-background', '1');
    return fetch(input, { ...init, headers, credentials: 'same-origin' });
  };
  let response = await send(session?.csrf);
  if (isChange && session && (await isOfOldCookie(response))) {
    const fresh = await renewed(session);
    if (fresh !== null) response = await send(fresh.csrf);
  }
  if (response.status === 401) sessionEnded();
  return response;
};

/** A sign-in in another tab changes the cookie, and with it the CSRF token. */
const isOfOldCookie = async (response: Response): Promise<boolean> =>
  response.status === 403 && problemOf(await response.clone().text())?.code === 'CSRF_INVALID';

/** The session with its new token. Null if it acts as another key by now: the page shows that first, and nothing is sent again. */
async function renewed({ tenant, key }: Session): Promise<Session | null> {
  const response = await askSession(tenant.id);
  if (!response.ok) return null;
  const fresh = fromWire(await response.json()) as Session;
  setSession(fresh);
  return fresh.tenant.id === tenant.id && fresh.key.id === key.id ? fresh : null;
}

/** The session of the cookie in a tenant; null for the first. */
export const askSession = (tenant: string | null): Promise<Response> =>
  fetch('/session', {
    credentials: 'same-origin',
    headers: {
      accept: 'application/json, application/problem+json',
      ...(tenant === null ? {} : { [TENANT_HEADER]: tenant }),
    },
  });

/** Of one tenant: a call that is tried again after the page has changed to another tenant is still for its own. */
const clientOf = (tenant: string | undefined): Client =>
  createClient({
    url: window.location.origin,
    key: 'session',
    ...(tenant === undefined ? {} : { tenant }),
    maxRetries: 2,
    fetch: fetchWithSession,
  });

export let api: Client = clientOf(undefined);
followSession(() => void (api = clientOf(sessionState().session?.tenant.id)));

/** An idempotency key. Not by `randomUUID`, which browsers have over https and on this machine only. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A text that the API serves beside JSON, such as a statement as CSV. */
export async function readText(path: string, accept: string): Promise<string> {
  const response = await fetchWithSession(path, { headers: { accept } });
  if (response.ok) return response.text();
  const problem = problemOf(await response.text());
  throw problem ? new UsanceProblem(response.status, problem) : new Error(`The server answered ${response.status}.`);
}
