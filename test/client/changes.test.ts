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
      body: (operation as { requestBody?: unknown }).requestBody !== undefined,
    })),
  )
  .filter(({ method }) => method !== 'GET');

test('the contract’s changes are all there', () => {
  const methods = Object.entries<{ method: string }>(OPERATIONS).filter(([, { method }]) => method !== 'GET');
  expect(changes.map(({ name }) => name).toSorted()).toEqual(methods.map(([name]) => name).toSorted());
  expect(changes.length).toBeGreaterThan(50);
});

test.each(changes)('$name is a promise that sends $method $path', async ({ method, path, name, body }) => {
  const sent: { method: string; path: string; body: unknown }[] = [];
  const client = createClient({
    url: 'http://usance.test',
    key: 'usk_test',
    fetch: (input, init) => {
      const text = init?.body as string | undefined;
      const { pathname } = new URL(input as string);
      sent.push({
        method: init?.method ?? '',
        path: pathname,
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
  const answer = call?.(...ids, ...(body ? [BODY] : []));
  expect(answer).toBeInstanceOf(Promise);
  await answer;
  const place = ids.reduce((at, id) => at.replace(/\{\w+\}/, id), path);
  expect(sent).toEqual([{ method, path: place, body: body ? WIRE : undefined }]);
});

test('an awaited limit is set', async () => {
  const client = createClient({ url: server.url, key: server.key });
  const { data } = await client.limits.set({ account: 'alice', asset: 'USD/2', maxAmount: 7n });
  expect(data).toMatchObject([{ maxAmount: '7' }]);
  expect(await server.world.tenant.limits()).toMatchObject([{ maxAmount: 7n }]);
});
