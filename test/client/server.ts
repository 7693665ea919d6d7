// The real API on a fresh database, and ways for the network between to misbehave.
import { afterAll, beforeAll } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';

const KEY = 'a-key-for-the-client-and-its-tests';

export interface Served {
  readonly url: string;
  readonly key: string;
  readonly world: ReturnType<typeof useUsance>;
}

/** alice has 100.00 USD, bob nothing. */
export function useServer(): Served {
  const world = useUsance();
  const state = { url: '' };
  let close = (): Promise<void> => Promise.resolve();
  beforeAll(async () => {
    await open(world.tenant, { alice: 100_00, bob: 0 });
    await world.tenant.createApiKey({ name: 'test', role: 'admin', secret: KEY });
    const api = createApi(world.usance, { host: '127.0.0.1', port: 0 });
    ({ url: state.url } = await api.listen());
    close = api.close;
  });
  afterAll(() => close());
  return {
    world,
    key: KEY,
    get url() {
      return state.url;
    },
  };
}

/** What the network did to one try; `null` lets it through. */
type Mishap = ((pass: () => Promise<Response>) => Promise<Response>) | null;

export interface Wire {
  readonly fetch: typeof fetch;
  /** The keys that were sent, a try each. */
  readonly keys: (string | null)[];
}

/** One mishap for each try, in order; after them everything passes. */
export function wire(...mishaps: Mishap[]): Wire {
  const keys: (string | null)[] = [];
  return {
    keys,
    fetch: (input, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      const pass = (): Promise<Response> => fetch(input, init);
      return (mishaps.shift() ?? ((through) => through()))(pass);
    },
  };
}

/** It never arrived. */
export const refused: Mishap = () => Promise.reject(new TypeError('fetch failed'));

/** It arrived and was carried out; the answer was lost. */
export const answerLost: Mishap = async (pass) => {
  await pass();
  throw new TypeError('terminated');
};

/** Something in between answered instead. */
export const answers =
  (status: number, headers: Record<string, string> = {}, body = 'try later'): Mishap =>
  () =>
    Promise.resolve(new Response(body, { status, headers }));
