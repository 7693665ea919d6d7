// What generators of clients need from the OpenAPI document: free objects that are open, refusals by status with their codes, and
// headers with patterns. That every code is listed where a request brings it about is checked in test/codes.
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/index.ts';
import { CATALOGUE } from '../../src/kernel/index.ts';
import type { Code } from '../../src/kernel/index.ts';

type Node = Readonly<Record<string, unknown>>;

const document = JSON.parse(JSON.stringify(openApiDocument())) as ReturnType<typeof openApiDocument>;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  path.startsWith('/v1/') ? Object.values(methods) : [],
);

/** Every schema below a node, with where it is. */
function schemasIn(node: unknown, where = ''): [string, Node][] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).flatMap(([name, child]) =>
    /^examples?$/.test(name) ? [] : schemasIn(child, `${where}/${name}`),
  );
  return 'type' in node ? [[where, { ...node }], ...inner] : inner;
}

const SHARED = '#/components/responses/';

/** The response itself, where an operation refers to it. */
function responseOf(response: Node): Node {
  const { $ref = '' } = response as { $ref?: string };
  return (document.components['responses'] as Record<string, Node>)[$ref.slice(SHARED.length)] ?? response;
}

test('an object without named fields says that it takes any', () => {
  const free = schemasIn(document).filter(([, schema]) => schema['type'] === 'object' && !('properties' in schema));
  expect(free.length).toBeGreaterThan(15);
  expect(free.filter(([, schema]) => schema['additionalProperties'] === undefined)).toEqual([]);
});

test('every operation lists its refusals by status, with codes of that status', () => {
  for (const { operationId, responses } of operations) {
    const refusals = Object.entries(responses).filter(([status]) => /^[45]\d\d$/.test(status));
    expect(refusals.length, operationId).toBeGreaterThan(6);
    expect(responses, operationId).toHaveProperty('default');
    for (const [status, response] of refusals) {
      const codes = responseOf(response)['x-codes'] as Code[];
      expect(codes.length, operationId).toBeGreaterThan(0);
      for (const code of codes)
        expect([operationId, code, CATALOGUE[code].status]).toEqual([operationId, code, Number(status)]);
    }
  }
});

test('the codes are listed, and a code of a later version breaks no validation', () => {
  const { properties } = document.components.schemas['Problem'] as { properties: { code: Node } };
  expect(properties.code).toMatchObject({ type: 'string', 'x-extensible-enum': Object.keys(CATALOGUE) });
  expect(properties.code).not.toHaveProperty('enum');
});

test('an idempotency key has the pattern that the server checks', () => {
  const keys = operations.flatMap(({ parameters }) => parameters.filter(({ name }) => name === 'Idempotency-Key'));
  expect(keys.length).toBeGreaterThan(40);
  for (const key of keys) expect(key['schema']).toMatchObject({ pattern: '^[ -~]{1,255}$' });
});

test.each(['start', 'funding', 'priority', 'missed'])('a schedule says the default of %s', (field) => {
  const { properties } = document.components.schemas['ScheduleCreateParams'] as {
    properties: Record<string, { description?: string }>;
  };
  expect(properties[field]?.description).toMatch(/default/i);
});

test('null is a type of its own, not a value of an enum: generators of enums take strings only', () => {
  const mixed = schemasIn(document).filter(([, { enum: values }]) => Array.isArray(values) && values.includes(null));
  expect(mixed.map(([where]) => where)).toEqual([]);
});

test('has words in lower case, except those that the page of compatibility explains', () => {
  const lists = JSON.stringify(document).matchAll(/"enum":(\[[^\]]*\])/g);
  const words = new Set([...lists].flatMap(([, list = '[]']) => JSON.parse(list) as string[]));
  const known = [
    ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'],
    ['ON', 'OFF', 'CREDITED', 'PENDING', 'FAILED', 'CANCELLED', 'SKIPPED'],
    ['RUNNING', 'SUCCESS'],
    ['PROCESSING', 'COMPLETED', 'EXPIRED'],
    ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'],
  ].flat();
  expect([...words].filter((word) => /[A-Z]/.test(word) && !known.includes(word))).toEqual([]);
});

test('marks the names and words that are there for compatibility, and says so in their descriptions', () => {
  const marked = schemasIn(document.components.schemas, '').filter(([, schema]) => 'x-compatibility' in schema);
  expect(marked.map(([where, schema]) => [where, schema['x-compatibility']])).toEqual([
    ['/HoldCreateParams/properties/to_user', true],
    ['/Hold/properties/hold_status', true],
    ['/JobCreateParams/properties/retry_config/properties/backoff_multiplier', true],
    ['/JobUpdateParams/properties/retry_config/properties/backoff_multiplier', true],
  ]);
  const steps = document.components.schemas['HoldEvent'] as { readonly properties: Readonly<Record<string, Node>> };
  const { from_status: before, to_status: after } = steps.properties;
  const { parameters = [] } = operations.find(({ operationId }) => operationId === 'holds.list') ?? {};
  const status = parameters.find(({ name }) => name === 'status') as { readonly description: string; schema: Node };
  expect([before?.['x-compatibility'], after?.['x-compatibility'], status.schema['x-compatibility']]).toEqual([
    true,
    true,
    ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'],
  ]);
  const descriptions = [
    ...marked.map(([, schema]) => schema['description']),
    before?.['description'],
    after?.['description'],
  ];
  for (const description of [...descriptions, status.description])
    expect(description).toMatch(/for compatibility\.( Default: all\.)?$/i);
});

test.each(['schedules.create', 'plans.create', 'subscriptions.create', 'allowances.create'])(
  '%s lists no refusal of money that moves: it moves none',
  (operationId) => {
    const { responses } = operations.find((each) => each.operationId === operationId) ?? expect.fail(operationId);
    const codes = Object.values(responses).flatMap((response) => (responseOf(response)['x-codes'] as Code[]) ?? []);
    const moving = ['FUNDS_INSUFFICIENT', 'LIMIT_DAILY_EXCEEDED', 'BALANCE_OVERFLOW', 'DELAY_OUT_OF_RANGE', 'PAUSED'];
    expect(codes).toContain('ASSET_NOT_FOUND');
    expect(codes.filter((code) => moving.includes(code))).toEqual([]);
  },
);
