// The API on a free port over a fresh database, and a client that says what came back, to the byte.
import { afterAll, beforeAll } from 'vitest';
import type { Api, ApiOptions } from '../../src/api/index.ts';
import { createApi } from '../../src/api/index.ts';
import type { TenantHandle, Engine, EngineOptions } from '../../src/engine.ts';
import type { TestDatabase } from '../support/database.ts';
import { useUsance } from '../support/database.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where it is no JSON. */
  readonly body: unknown;
  /** `balances.0.available`. */
  get(path: string): unknown;
  /** The same, where it is text. */
  word(path: string): string;
  list(path: string): unknown[];
}

export interface SendOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null sends none; left out, each request has one of its own. */
  readonly key?: string | null;
  readonly secret?: string | null;
  readonly signal?: AbortSignal;
}

export interface TestApi extends TestDatabase {
  readonly usance: Engine;
  readonly tenant: TenantHandle;
  readonly api: Api;
  readonly url: string;
  /** An API key of the tenant. */
  readonly secret: string;
  /** `POST /holds`: below /v1. A body that is a string or bytes goes as it is. */
  send(request: string, options?: SendOptions): Promise<Answer>;
  /** Outside /v1. */
  fetch(path: string): Promise<Answer>;
  /** Runs the named loop once. */
  run(loop: 'processor' | 'sequencer'): Promise<Readonly<Record<string, number>>>;
}

let keys = 0;
export const freshKey = (): string => `test ${process.pid} ${(keys += 1)}`;

export function useApi(options: { usance?: EngineOptions; api?: Partial<ApiOptions> } = {}): TestApi {
  // Examples quote payouts. A snapshot of the chain's health stays fresh for hours.
  const chains = { sandbox: true, measureEveryMs: 3_600_000 };
  const store = useUsance({ chains, ...options.usance });
  const state: { api?: Api; url?: string; secret?: string } = {};
  const get = <K extends keyof typeof state>(name: K): NonNullable<(typeof state)[K]> => {
    const value = state[name];
    if (value === undefined) throw new Error('the API exists inside tests only');
    return value;
  };

  beforeAll(async () => {
    state.secret = (await store.tenant.createApiKey({ name: 'test', role: 'admin' })).secret;
    // Notes are written when it closes: no test finds a row that a loop wrote meanwhile.
    const quiet = { host: '127.0.0.1', port: 0, notesEveryMs: 3_600_000 };
    state.api = createApi(store.usance, { ...quiet, ...options.api });
    state.url = (await state.api.listen()).url;
  });
  afterAll(() => state.api?.close());

  return Object.defineProperties(store, {
    api: { get: () => get('api') },
    url: { get: () => get('url') },
    secret: { get: () => get('secret') },
    send: { value: (request: string, how: SendOptions = {}) => sendTo(get('url'), get('secret'), request, how) },
    fetch: { value: async (path: string) => answerOf(await fetch(get('url') + path)) },
    run: {
      value: async (name: string) =>
        (await store.usance.loops.find((loop) => loop.name === name)?.runOnce())?.counts ?? {},
    },
  }) as unknown as TestApi;
}

export async function sendTo(url: string, secret: string, request: string, options: SendOptions): Promise<Answer> {
  const [method = 'GET', path = ''] = request.split(' ');
  const { body, key = method === 'GET' ? null : freshKey() } = options;
  const bearer = options.secret === undefined ? secret : options.secret;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const answer = await answerOf(
    await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(key === null ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    }),
  );
  REQUESTS.set(answer, request);
  return answer;
}

const REQUESTS = new WeakMap<Answer, string>();

/** The request that was answered so: `POST /holds`. */
export const requestOf = (answer: Answer): string => REQUESTS.get(answer) ?? '';

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const body: unknown = isJson ? JSON.parse(text) : null;
  const get = (path: string): unknown => at(body, path);
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    get,
    word: (path) => String(get(path)),
    list: (path) => get(path) as unknown[],
  };
}

/** What is at a path into a value: `data.0.id`. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner, step) => (inner === null ? inner : (Object(inner)[step] as unknown)), value);
}
