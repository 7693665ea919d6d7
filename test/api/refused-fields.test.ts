// A refusal over HTTP names fields as the contract does, never as the library does.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/index.ts';
import type { Route } from '../../src/contract/index.ts';
import { ROUTES } from '../../src/contract/index.ts';
import { spelled } from '../../src/kernel/index.ts';
import { open } from '../support/books.ts';
import { useApi } from './api.ts';

const SRC = join(import.meta.dirname, '../../src');

type Node = { readonly [name: string]: unknown };

/** The names of all fields and parameters that a request can have. */
function fieldsOf(node: unknown, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found;
  const { properties, name, in: where } = node as Node;
  if (typeof name === 'string' && typeof where === 'string') found.add(name);
  if (typeof properties === 'object' && properties !== null)
    for (const field of Object.keys(properties)) found.add(field);
  for (const child of Object.values(node)) fieldsOf(child, found);
  return found;
}

/** Of the library and the commands: over HTTP there is no such field, or the route checks it first. */
const NOT_OVER_HTTP = new Set([
  'actor',
  // The link of POST /session, which is no operation of the contract.
  'link',
  'batchSize',
  'perSecond',
  'expect',
  'idempotencyKey',
  'reservation',
  'secret',
  'filter',
  'payments',
]);

// The catalogue has examples, with fields of other surfaces.
const named = globSync('{kernel,tenants,ledger,payments,schedules,access,ops,events,audit}/**/*.ts', { cwd: SRC })
  .filter((file) => !file.startsWith('kernel/errors/'))
  .flatMap((file) => [...readFileSync(join(SRC, file), 'utf8').matchAll(/param: '([\w.]+)'|amountOf\('(\w+)'/g)])
  .map(([, param, amount]) => param ?? amount ?? '');

test('every field that a refusal of the library names is one of the contract over HTTP', () => {
  const fields = fieldsOf(openApiDocument()).add('Authorization');
  const foreign = [...new Set(named)]
    .filter((param) => !NOT_OVER_HTTP.has(param))
    .filter(
      (param) =>
        !spelled(param, 'snake')
          .split('.')
          .every((part) => fields.has(part)),
    );
  expect(named.length).toBeGreaterThan(100);
  expect(foreign).toEqual([]);
});

const store = useApi();

test.each<readonly [body: Record<string, string>, param: string]>([
  [{ account: 'ann', default_daily_amount: '5' }, 'default_daily_amount'],
  [{ account: 'ann', tenant_daily_amount: '5' }, 'tenant_daily_amount'],
  [{ daily_amount: '5' }, 'account'],
  ...['max_amount', 'daily_amount', 'default_daily_amount', 'tenant_daily_amount'].map(
    (field) => [{ [field]: '0' }, field] as const,
  ),
  ...['max_amount', 'daily_amount', 'default_daily_amount', 'tenant_daily_amount', 'approval_above'].map(
    (field) => [{ [field]: '9'.repeat(19) }, field] as const,
  ),
])('a limit of %j is refused with the name of its field', async (body, param) => {
  if ((await store.tenant.accounts()).every(({ ref }) => ref !== 'ann')) await open(store.tenant, { ann: 0 });
  const answer = await store.send('POST /limits', { body: { asset: 'USD', ...body } });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ param });
  expect(JSON.stringify(answer.body)).not.toMatch(/[a-z]Amount|approvalAbove/);
});

test('every route that is open to end users takes the header Usance-Tenant, and no other does', () => {
  const document = openApiDocument();
  const wrong = Object.values<Route>(ROUTES).filter((route) => {
    const taken = document.paths[`/v1${route.path}`]?.[route.method.toLowerCase()]?.parameters ?? [];
    return taken.some(({ name }) => name === 'Usance-Tenant') !== (route.own ?? false);
  });
  expect(wrong).toEqual([]);
});

test('every amount of a limit has a description of its own', () => {
  const { properties } = openApiDocument().components.schemas['LimitParams'] as {
    properties: Record<string, { description?: string }>;
  };
  const said = Object.entries(properties).flatMap(([name, { description }]) =>
    /_amount$|_above$/.test(name) ? [description] : [],
  );
  expect(new Set(said).size).toBe(5);
});
