// Sends one request until it is answered. Every change has an idempotency key, so a retry is always safe: the change happens once,
// whether the first request arrived or not. The client retries failures that are not about the request: no connection, a broken
// connection, a server that is busy, restarting or still working under the same key, and refusals that end within moments.
import { fromWire } from './case.ts';
import { rememberETag } from './etag.ts';
import type { Problem } from './schema.ts';
import { API_VERSION } from './schema.ts';
import { UsanceProblem, UsanceUnreachable, causeOf } from './problem.ts';

/** Options of `createClient`. */
export interface ClientOptions {
  /** The address of the server: `http://127.0.0.1:3001`. */
  readonly url: string;
  /** An API key, or a token of an end user. */
  readonly key: string;
  /** The tenant (id or name) of an end user's token: several tenants can trust one issuer. Sent as `Usance-Tenant`. Default: none. */
  readonly tenant?: string;
  /** The version of the API, sent as `Usance-Version`. Default: the one that the types of this client are of. */
  readonly apiVersion?: string;
  /** Attempts after the first, default 4. */
  readonly maxRetries?: number;
  /**
   * The wait before the first retry in milliseconds, default 250; doubled each time, up to 8 seconds, less a random part. A longer
   * Retry-After takes precedence.
   */
  readonly retryDelayMs?: number;
  /** The limit of one attempt in milliseconds, default 30,000. */
  readonly timeoutMs?: number;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Options that a call and its dry run have in common. */
export interface CommonCallOptions {
  /** Why the change is made: recorded in the audit log, with the key. Up to 500 characters, sent as `Usance-Reason`. Default: none. */
  readonly reason?: string;
  /** The ETag of a resource (`etagOf`): a change is refused with PRECONDITION_FAILED if the resource has changed since. Default: none; `undefined` is refused. */
  readonly ifMatch?: string;
  /** Aborts the call. A request that was sent may still be carried out. Default: none. */
  readonly signal?: AbortSignal;
}

/** Options of one call. */
export interface CallOptions extends CommonCallOptions {
  /** Your own key, for a process that may crash before it has the response and asks again later. Default: a random one. */
  readonly idempotencyKey?: string;
  /** Leave it out; for a dry run pass `DryRunCallOptions`. Default false. */
  readonly dryRun?: false;
}

/** Options of a dry run: the call is executed, returns a `DryRun`, and is rolled back. */
export interface DryRunCallOptions extends CommonCallOptions {
  /** A refusal is thrown as without it. */
  readonly dryRun: true;
  /** Not sent: a dry run stores no key. Default: none. */
  readonly idempotencyKey?: string;
}

export interface Request {
  /** GET, POST, PATCH or DELETE. */
  readonly method: string;
  /** The path, with its query. */
  readonly path: string;
  /** Sent as JSON. Default: no body. */
  readonly body?: unknown;
}

export type Send = (request: Request, options?: CallOptions | DryRunCallOptions) => Promise<unknown>;

const LONGEST_WAIT_MS = 8_000;
/** If the server asks to wait longer than this, the call fails at once, with `retryAfterMs`. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const TRY_AGAIN = new Set([429, 502, 503, 504]);

export function createSend(options: ClientOptions): Send {
  const { maxRetries = 4, retryDelayMs = 250 } = options;
  return async (request, call = {}) => {
    // A condition that is undefined would be a change without one.
    if ('ifMatch' in call && typeof call.ifMatch !== 'string')
      throw new TypeError('ifMatch must be an ETag; leave it out for a change without a condition');
    const needsKey = request.method !== 'GET' && !call.dryRun;
    const idempotencyKey = needsKey ? (call.idempotencyKey ?? crypto.randomUUID()) : undefined;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await tryOnce(options, request, idempotencyKey, call);
      if ('value' in answer) return answer.value;
      if (!answer.again || attempt >= maxRetries || answer.afterMs > LONGEST_RETRY_AFTER_MS) throw answer.error;
      const backoffMs = Math.min(retryDelayMs * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
      await pause(Math.max(backoffMs, answer.afterMs), call.signal);
    }
  };
}

/** The value, or the error, whether a retry makes sense, and how long the server asked to wait. */
type Answer =
  | { readonly value: unknown }
  | { readonly error: Error; readonly again: boolean; readonly afterMs: number };

async function tryOnce(
  options: ClientOptions,
  { method, path, body }: Request,
  idempotencyKey: string | undefined,
  { signal, ifMatch, reason }: Pick<CallOptions, 'signal' | 'ifMatch' | 'reason'>,
): Promise<Answer> {
  signal?.throwIfAborted();
  const url = options.url.replace(/(?<!\/)\/+$/, '') + path;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 30_000);
  const request = {
    method,
    headers: {
      authorization: `Bearer ${options.key}`,
      ...(options.tenant === undefined ? {} : { 'usance-tenant': options.tenant }),
      'usance-version': options.apiVersion ?? API_VERSION,
      accept: 'application/json, application/problem+json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(reason === undefined ? {} : { 'usance-reason': encodeURIComponent(reason) }),
    },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  try {
    const response = await (options.fetch ?? fetch)(url, request);
    const text = await response.text();
    if (response.ok) {
      const value = valueOf(text, response.headers.get('content-type'));
      return { value: rememberETag(value, response.headers.get('etag')) };
    }
    const problem = problemOf(text);
    if (problem === null) return unanswered(`${url} answered ${response.status}`, idempotencyKey, null, response);
    const afterMs = retryAfterMs(response);
    const error = new UsanceProblem(response.status, problem, afterMs);
    return { error, again: TRY_AGAIN.has(response.status) || passesByItself(response.status, problem), afterMs };
  } catch (error) {
    if (signal?.aborted) throw error;
    return unanswered(`no answer to ${method} ${url}: ${causeOf(error)}`, idempotencyKey, error, null);
  }
}

/**
 * A lock, an advancing test clock, or the first request of the same key: these end within moments. A refusal with 422 (not enough
 * money, a pause) or one that waits for a second person is retryable too, but seconds do not change it.
 */
const passesByItself = (status: number, { code, retryable }: Problem): boolean =>
  retryable && status !== 422 && code !== 'APPROVAL_AWAITED';

function unanswered(
  message: string,
  idempotencyKey: string | undefined,
  cause: unknown,
  response: Response | null,
): Answer {
  const again = response === null || TRY_AGAIN.has(response.status);
  const afterMs = response === null ? 0 : retryAfterMs(response);
  return { error: new UsanceUnreachable(message, { cause, idempotencyKey, retryAfterMs: afterMs }), again, afterMs };
}

/** A calendar is a text; everything else is JSON. */
function valueOf(text: string, type: string | null): unknown {
  if (text === '') return undefined;
  return type?.startsWith('text/calendar') ? text : JSON.parse(text);
}

/** Null if another program answered, such as a proxy. */
export function problemOf(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;
    return isProblem ? (fromWire(value) as Problem) : null;
  } catch {
    return null;
  }
}

/** Seconds, or a date, which is compared with the Date header of the server: the clock of this machine may differ. */
export function retryAfterMs({ headers }: Response): number {
  const given = headers.get('retry-after') ?? '';
  const seconds = Number(given);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(given) - Date.parse(headers.get('date') ?? '');
  return ms > 0 ? ms : 0;
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    // An aborted signal emits no further event.
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  });
}
