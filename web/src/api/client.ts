// The dashboard calls the same HTTP API as every integration, through the typed client. The key stays on the server: the session cookie
// identifies the caller, and changes carry the CSRF header.
import type { Client } from '../../../src/client/index.ts';
import { UsanceProblem, createClient } from '../../../src/client/index.ts';
import { fromWire, toWire } from '../../../src/client/case.ts';
import { queryOf } from '../../../src/client/query.ts';
import type { Query } from '../../../src/client/query.ts';
import { problemOf } from '../../../src/client/send.ts';
import { isBackground } from './activity.ts';
import { selectedTenant, sessionEnded, sessionState } from './session.ts';

const CSRF_HEADER = 'x-usance-csrf';

/** Sends the cookie instead of the key, for the selected tenant, and notices the end of the session. */
export const fetchWithSession: typeof fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.delete('authorization');
  const { session } = sessionState();
  if (session && (init.method ?? 'GET') !== 'GET') headers.set(CSRF_HEADER, session.csrf);
  const tenant = selectedTenant();
  if (tenant !== null) headers.set('usance-tenant', tenant);
  if (isBackground()) headers.set('x-usance-background', '1');
  const response = await fetch(input, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401) sessionEnded();
  return response;
};

export const api: Client = createClient({
  url: window.location.origin,
  key: 'session',
  maxRetries: 2,
  fetch: fetchWithSession,
});

/** A read beside the typed client. Path parts in braces and the query are filled from `params`. */
export async function readJson<T>(path: string, params: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const response = await fetchWithSession(path + queryOf(toWire(params) as Query), {
    headers: { accept: 'application/json, application/problem+json' },
  });
  return answerOf<T>(response);
}

/** A change beside the typed client. */
export async function sendJson<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object): Promise<T> {
  const response = await fetchWithSession(path, {
    method,
    headers: {
      accept: 'application/json, application/problem+json',
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(toWire(body)),
  });
  return answerOf<T>(response);
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.ok) return fromWire(JSON.parse(text)) as T;
  const problem = problemOf(text);
  throw problem ? new UsanceProblem(response.status, problem) : new Error(`The server answered ${response.status}.`);
}

/** A text that the API serves beside JSON, such as a statement as CSV. */
export async function readText(path: string, accept: string): Promise<string> {
  const response = await fetchWithSession(path, { headers: { accept } });
  if (response.ok) return response.text();
  const problem = problemOf(await response.text());
  throw problem ? new UsanceProblem(response.status, problem) : new Error(`The server answered ${response.status}.`);
}

export { fromWire };
