// The small helping of test/proof/fuzz.test.ts: requests made up from the OpenAPI document, most of them wrong in some way.
// The same ones every time; `FUZZ_SEED=123 npx vitest run test/api/fuzz.test.ts` sends others.
import { expect, test, vi } from 'vitest';
import { troubles } from '../support/books.ts';
import { operationsOf } from '../support/fuzz/operations.ts';
import { fuzz } from '../support/fuzz/run.ts';
import { makeWorld } from '../support/fuzz/world.ts';
import { useApi } from './api.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_115);
const REQUESTS = 2_000;

const errors = vi.fn<(error: unknown) => void>();
const store = useApi({ api: { onError: errors } });

test(`of ${REQUESTS} requests that nobody should send (seed ${SEED}) each is answered as documented`, async () => {
  const operations = operationsOf((await store.fetch('/openapi.json')).body);
  const world = await makeWorld(store, operations, 0);
  const port = Number(new URL(store.url).port);
  const { failures, statuses, succeeded } = await fuzz({
    port,
    operations,
    world,
    seed: SEED,
    first: 0,
    requests: REQUESTS,
    atOnce: 8,
  });
  expect(failures.join('\n'), `seed ${SEED}`).toBe('');
  expect(errors.mock.calls).toEqual([]);
  // It gets somewhere, or it would prove nothing.
  expect(statuses.get('200')).toBeGreaterThan(60);
  expect(statuses.get('400')).toBeGreaterThan(200);
  expect(succeeded.size).toBeGreaterThan(20);
  expect((await store.send('GET /accounts')).status).toBe(200);
  expect(await troubles(store.usance)).toEqual([]);
}, 240_000);
