// Every operation that changes something is a promise that sends its request once. A method that returned pages would send
// nothing until it was iterated, and an awaited limit would never be set.
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/index.ts';
import { createClient } from '../../src/client/index.ts';
import { OPERATIONS } from '../../src/client/schema.ts';
import { useServer } from './server.ts';

const server = useServer();
const BODY = { someField: 'body', metadata: { keptAsItIs: 1 } };
const WIRE = { some_field: 'body', metadata: { keptAsItIs: 1 } };

const changes = Object.entries(openApiDocument().paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      name: (operation as { operationId: string }).operationId,
      body: OPERATIONS[(operation as { operationId: keyof typeof OPERATIONS }).operationId]?.input === 'body',
    })),
  )
  .filter(({ method }) => method !== 'GET');

test('the contract’s changes are all there', () => {
  const methods = Object.entries<{ method: string }>(OPERATIONS).filter(([, { method }]) => method !== 'GET');
  expect(changes.map(({ name }) => name).toSorted()).toEqual(methods.map(([name]) => name).toSorted());
  expect(changes.length).toBeGreaterThan(50);
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
  readonly key: string | null;
}

/** Calls an operation and says what was sent. */
async function sentBy({ path, name, body }: (typeof changes)[number], options?: object): Promise<Sent[]> {
  const sent: Sent[] = [];
  const client = createClient({
    url: 'http://usance.test',
    key: 'usk_test',
    fetch: (input, init) => {
      const text = init?.body as string | undefined;
      const { pathname, search } = new URL(input as string);
      sent.push({
        method: init?.method ?? '',
        path: pathname,
        query: search,
        key: new Headers(init?.headers).get('idempotency-key'),
        body: text === undefined ? undefined : JSON.parse(text),
      });
      return Promise.resolve(Response.json({ data: [], next_cursor: null }));
    },
  });
  const ids = [...path.matchAll(/\{\w+\}/g)].map((_, at) => `id-${at}`);
  const [resource = '', verb = ''] = name.split('.');
  const call = (client as unknown as Record<string, Record<string, (...given: unknown[]) => unknown>>)[resource]?.[
    verb
  ];
  const answer = call?.(...ids, ...(body ? [BODY] : []), ...(options ? [options] : []));
  expect(answer).toBeInstanceOf(Promise);
  await answer;
  return sent;
}

const placeOf = (path: string): string => {
  let at = 0;
  return path.replaceAll(/\{\w+\}/g, () => `id-${at++}`);
};

test.each(changes)('$name is a promise that sends $method $path', async (change) => {
  const { method, path, body } = change;
  const [sent, ...others] = await sentBy(change);
  expect(sent).toMatchObject({ method, path: placeOf(path), query: '' });
  expect(sent?.body).toEqual(body ? WIRE : undefined);
  expect(sent?.key).toMatch(/./);
  expect(others).toEqual([]);
});

test.each(changes.filter(({ name }) => name !== 'schedules.preview'))(
  '$name with dryRun sends dry_run, and no key',
  async (change) => {
    const { method, path, body } = change;
    const [sent, ...others] = await sentBy(change, { dryRun: true });
    const inQuery = method === 'DELETE';
    expect(sent).toMatchObject({ method, path: placeOf(path), query: inQuery ? '?dry_run=true' : '', key: null });
    expect(sent?.body).toEqual(inQuery ? undefined : { ...(body ? WIRE : {}), dry_run: true });
    expect(others).toEqual([]);
  },
);

test('a dry run sends the ETag that it was given', async () => {
  const given: (string | null)[] = [];
  const ask: typeof fetch = async (url, init) => {
    given.push(new Headers(init?.headers).get('if-match'));
    return fetch(url, init);
  };
  const client = createClient({ url: server.url, key: server.key, fetch: ask });
  const cancelled = client.payments.cancel('pay_01k9ztb4n6q8s0v2x4z6b8d0f2', {}, { dryRun: true, ifMatch: '"x"' });
  await expect(cancelled).rejects.toMatchObject({ code: 'PRECONDITION_INVALID' });
  expect(given).toEqual(['"x"']);
});

test('an awaited dry run of a payment answers with its postings', async () => {
  const client = createClient({ url: server.url, key: server.key });
  const order = { from: 'alice', to: 'bob', asset: 'USD/2', amount: 5n, delay: '1h' };
  const run = await client.holds.create(order, { dryRun: true });
  expect(run.result).toMatchObject({ amount: '5', holdStatus: 'PENDING' });
  expect(run.postings).toMatchObject([{ type: 'reserve', accountRef: 'alice', amount: '5' }]);
  expect(run).toMatchObject({ dryRun: true, events: ['payment.created'] });
  expect(await server.world.tenant.payments()).toEqual([]);
  expect(() => client.holds.create(order, { dryRun: 'yes' as unknown as true })).toThrow('dryRun must be a boolean');
});

test('an awaited limit is set', async () => {
  const client = createClient({ url: server.url, key: server.key });
  const { data } = await client.limits.set({ account: 'alice', asset: 'USD/2', maxAmount: 7n });
  expect(data).toMatchObject([{ maxAmount: '7' }]);
  expect(await server.world.tenant.limits()).toMatchObject([{ maxAmount: 7n }]);
});
