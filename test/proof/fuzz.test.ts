// The large helping of test/api/fuzz.test.ts: rounds of 2,000 requests, each on a world of its own. Memory is the JavaScript heap
// after a forced collection, at the end of each round; the server, the fuzzer and its reports are all in it. The first rounds
// warm up (compiled code, caches at their bounds), so growth is counted from the tenth on.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { useApi } from '../api/api.ts';
import { troubles } from '../support/books.ts';
import { operationsOf } from '../support/fuzz/operations.ts';
import { fuzz } from '../support/fuzz/run.ts';
import { makeWorld } from '../support/fuzz/world.ts';
import { SEED, banner } from './banner.ts';

const ROUNDS = 50;
const REQUESTS = 2_000;
const WARM = 10;
const MAY_GROW_BY = 16 * 1024 * 1024;

const errors = vi.fn<(error: unknown) => void>();
const store = useApi({ api: { onError: errors } });

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test(`${ROUNDS * REQUESTS} requests that nobody should send are answered as documented, in memory that stays`, async () => {
  const operations = operationsOf((await store.fetch('/openapi.json')).body);
  const statuses = new Map<string, number>();
  const heaps: number[] = [];
  banner('requests from the document', { seed: SEED, requests: ROUNDS * REQUESTS, operations: operations.length });
  for (let round = 0; round < ROUNDS; round += 1) {
    const report = await fuzz({
      port: Number(new URL(store.url).port),
      operations,
      world: await makeWorld(store, operations, round),
      seed: SEED,
      first: round * REQUESTS,
      requests: REQUESTS,
      atOnce: 16,
    });
    expect(report.failures.join('\n'), `seed ${SEED}, round ${round}`).toBe('');
    for (const [status, count] of report.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
    collect();
    heaps.push(process.memoryUsage().heapUsed);
  }
  expect(errors.mock.calls).toEqual([]);
  const [warm, last] = [Math.max(...heaps.slice(0, WARM)), Math.min(...heaps.slice(-3))];
  const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  banner('answered', Object.fromEntries([...statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  banner('heap after a collection', { warm: megabytes(warm), last: megabytes(last) });
  expect(last - warm).toBeLessThan(MAY_GROW_BY);
  expect(await troubles(store.usance)).toEqual([]);
});
