// One API, asked by HTTP, by the client and by the library: for tests of what all three have.
import { afterAll, beforeAll } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { createClient } from '../../src/client/index.ts';
import type { TenantHandle, Usance } from '../../src/index.ts';
import { createUsance } from '../../src/index.ts';
import type { TestApi } from './api.ts';
import { useApi } from './api.ts';
import { TEST_KEY } from '../support/database.ts';

export interface Surfaces {
  readonly store: TestApi;
  readonly client: Client;
  readonly library: TenantHandle;
}

export function useSurfaces(): Surfaces {
  const store = useApi();
  const state: { usance?: Usance; library?: TenantHandle; client?: Client } = {};
  beforeAll(async () => {
    state.usance = await createUsance({ databaseUrl: store.runtimeUrl, encryption: { key: TEST_KEY }, migrate: false });
    state.library = await state.usance.tenant('shop');
    state.client = createClient({ url: store.url, key: store.secret });
  });
  afterAll(() => state.usance?.close());
  const opened = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the surfaces exist inside tests only');
    return value;
  };
  return {
    store,
    get client() {
      return opened(state.client);
    },
    get library() {
      return opened(state.library);
    },
  };
}

/** Every item of a list. */
export async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
