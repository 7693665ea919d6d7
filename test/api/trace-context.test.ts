// `traceparent` of a request: kept with every event that the request causes, and shown there.
import { beforeAll, expect, test } from 'vitest';
import { open } from '../support/books.ts';
import { testProcessor } from '../support/processor.ts';
import { useApi } from './api.ts';

const store = useApi();
const traceOf = (n: number): string => `00-${String(n).padStart(32, '1')}-00f067aa0ba902b7-01`;
const HOLD = { from: 'alice', to: 'bob', amount: 100, asset: 'USD', delay: '1h' };

beforeAll(() => open(store.tenant, { alice: 100_000, bob: 0 }));

/** The traces of the events of a resource, in order. */
async function traces(resourceId: string): Promise<unknown[]> {
  await store.run('sequencer');
  const { body } = await store.send(`GET /events?resource_id=${resourceId}`);
  return (body as { data: { type: string; trace_context: unknown }[] }).data.map((event) => [
    event.type,
    event.trace_context,
  ]);
}

const held = async (headers: Record<string, string>): Promise<string> =>
  (await store.send('POST /holds', { body: HOLD, headers })).word('id');

test('the events of a request have its trace context, and those of later work have none', async () => {
  const id = await held({ traceparent: traceOf(1) });
  await store.send(`POST /holds/${id}/capture`, { body: { amount: '40' }, headers: { traceparent: traceOf(2) } });
  await store.send(`PATCH /payments/${id}`, { body: { metadata: { note: 1 } } });
  await testProcessor(store.db).drainAfter(3_600_000);
  expect(await traces(id)).toEqual([
    ['payment.created', traceOf(1)],
    ['payment.captured', traceOf(2)],
    ['payment.updated', null],
    ['payment.settled', null],
  ]);
});

test('creates that are committed together each keep their own', async () => {
  const ids = await Promise.all([3, 4, 5, 6].map((n) => held({ traceparent: traceOf(n) })));
  const seen = [];
  for (const id of ids) seen.push(await traces(id));
  expect(seen).toEqual([3, 4, 5, 6].map((n) => [['payment.created', traceOf(n)]]));
});

test('an invalid one is ignored: the payment is made', async () => {
  for (const traceparent of ['nonsense', `ff${traceOf(7).slice(2)}`, `${traceOf(7)}, ${traceOf(8)}`])
    expect(await traces(await held({ traceparent }))).toEqual([['payment.created', null]]);
});

test('a caller of the library names it with its actor', async () => {
  const tenant = await store.usance.tenant('shop', { actor: 'checkout', traceContext: traceOf(9) });
  const { id } = await tenant.openAccount({ ref: 'traced' });
  const shown = await store.send('GET /accounts/traced');
  expect(await traces(shown.word('id'))).toEqual([['account.created', traceOf(9)]]);
  expect(id).toBeTruthy();
});
