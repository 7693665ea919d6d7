// Budgets: every field of the OpenAPI document that sizes work has a bound, and a request with the field at its bound keeps the
// process for no longer than it may. The list of fields is read from the document of the running server, so a new field is covered.
//
// Two things are measured in the process of the server. *Blocking*: processor time of the main thread between two turns of a
// ticker, which does not grow where the machine is busy with something else. *Memory*: heap and buffers that are still held after
// a collection; what a request needs for a moment is bounded by its body.
import { setTimeout as turn } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import { open } from '../support/books.ts';
import { useApi } from './api.ts';

/** Ten times what a request may take. */
const MOST_BLOCKED_MS = 500;
/** Of a bulk request, which has the largest; a little less, for what is around the list. */
const MOST_BODY = 3.9 * 1_048_576;
const MOST_KEPT_BYTES = 32 * 1_048_576;

type Schema = Readonly<Record<string, unknown>>;
interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
    readonly example?: unknown;
  }[];
  readonly body: Schema | null;
  readonly example: Readonly<Record<string, unknown>>;
}

const store = useApi();
const state: { operations: Operation[]; schemas: Readonly<Record<string, Schema>> } = { operations: [], schemas: {} };

beforeAll(async () => {
  await open(store.tenant, { alice: 1_000_000, bob: 1_000_000 });
  const { body } = await store.fetch('/openapi.json');
  const document = body as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
    components: { schemas: Record<string, Schema> };
  };
  state.schemas = document.components.schemas;
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!path.startsWith('/v1') || path.endsWith('/stream')) continue;
    for (const [method, operation] of Object.entries(methods)) {
      const content = (
        operation['requestBody'] as { content: Record<string, { schema: Schema; example: object }> } | undefined
      )?.content['application/json'];
      state.operations.push({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: path.slice('/v1'.length),
        parameters: operation['parameters'] as Operation['parameters'],
        body: content?.schema ?? null,
        example: (content?.example ?? {}) as Record<string, unknown>,
      });
    }
  }
});

const resolved = (schema: Schema): Schema => {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? (state.schemas[ref.split('/').at(-1) ?? ''] ?? {}) : schema;
};
const branchesOf = (schema: Schema): Schema[] => {
  const branches = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  return branches ? branches.map(resolved).flatMap(branchesOf) : [schema];
};
const typesOf = (schema: Schema): string[] => [schema['type'] ?? []].flat() as string[];
const UNBOUNDED = /(?<!\\)[*+]|\{\d+,\}/;

/** What is without a bound in a schema, by its path. */
function unbounded(schema: Schema, path: string): string[] {
  return branchesOf(resolved(schema)).flatMap((branch) => {
    if ('enum' in branch || 'const' in branch) return [];
    const types = typesOf(branch);
    const found: string[] = [];
    const pattern = branch['pattern'];
    const isShort = typeof pattern === 'string' && pattern.endsWith('$') && !UNBOUNDED.test(pattern);
    if (types.includes('string') && branch['maxLength'] === undefined && !isShort) found.push(`${path}: maxLength`);
    if ((types.includes('integer') || types.includes('number')) && branch['maximum'] === undefined)
      found.push(`${path}: maximum`);
    if (types.includes('array')) {
      if (branch['maxItems'] === undefined) found.push(`${path}: maxItems`);
      found.push(...unbounded((branch['items'] ?? {}) as Schema, `${path}[]`));
    }
    if (types.includes('object')) {
      const properties = branch['properties'] as Record<string, Schema> | undefined;
      if (!properties && branch['maxProperties'] === undefined) found.push(`${path}: maxProperties`);
      for (const [name, field] of Object.entries(properties ?? {})) found.push(...unbounded(field, `${path}.${name}`));
    }
    return found;
  });
}

/** The largest value that a schema takes, as far as it says; text by its pattern where that is a class and a count. */
function largest(schema: Schema, size = Infinity): unknown {
  const [branch = {}] = branchesOf(resolved(schema)).toReversed();
  if ('enum' in branch) return (branch['enum'] as unknown[]).at(-1);
  if ('const' in branch) return branch['const'];
  const types = typesOf(branch);
  const [example] = (branch['examples'] ?? []) as unknown[];
  if (types.includes('object')) {
    const properties = branch['properties'] as Record<string, Schema> | undefined;
    // As much metadata as there may be, in as many values.
    if (!properties) return { list: Array.from({ length: 8_000 }, () => 0) };
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, largest(field, size)]));
  }
  if (types.includes('array')) {
    const item = largest((branch['items'] ?? {}) as Schema, size);
    // As many as a body can have.
    const length = Math.min(
      Number(branch['maxItems']),
      size,
      Math.floor(MOST_BODY / (JSON.stringify(item).length + 1)),
    );
    return Array.from({ length }, () => item);
  }
  if (types.includes('string')) {
    const most = Number(branch['maxLength'] ?? /\{\d+,(\d+)\}\$$/.exec(String(branch['pattern']))?.[1] ?? 0);
    return branch['format'] === 'date-time'
      ? '2199-12-31T23:59:59Z'
      : most > 0 && !('x-id' in branch && 'pattern' in branch)
        ? 'x'.repeat(most)
        : (example ?? 'x');
  }
  if (types.includes('integer') || types.includes('number')) return branch['maximum'];
  return types.includes('boolean') ? true : null;
}

/** Values that fit a field and cost more than the longest text: the dearest rules, dates far away, deep metadata. */
const DEAREST: Readonly<Record<string, readonly unknown[]>> = {
  rule: [
    { cron: '*/2 * * * SAT,SUN' },
    {
      rrule: `FREQ=YEARLY;BYDAY=${Array.from({ length: 53 }, (_, n) => `${n + 1}MO,-${n + 1}SU,${n + 1}FR`).join(',')}`,
    },
    { every_seconds: 60 },
  ],
  start: ['1970-01-01'],
  until: ['2199-12-31'],
  business_days: [{ shift: 'skip' }],
  exclude: [Array.from({ length: 1_000 }, (_, day) => new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10))],
  delay: [999_999_999],
  days: [366],
  to: ['2199-12-31T00:00:00Z'],
};

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;
const held = async (): Promise<number> => {
  // What the last answer was made of is let go of in the turns after it.
  await turn(10);
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** Processor time of the longest turn while some work went on. */
async function blockedMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.threadCpuUsage();
  };
  const ticker = setInterval(look, 2);
  await work();
  look();
  clearInterval(ticker);
  return longest / 1_000;
}

interface Sent {
  readonly request: string;
  readonly body: string | undefined;
  readonly field: string;
}

/** The example of an operation, with each field in turn at its largest, and once with all of them. */
function* requestsOf(operation: Operation): Generator<Sent> {
  const { parameters, path, method, body, example } = operation;
  const at = (field: string | null): string => {
    const value = (one: Operation['parameters'][number]): string =>
      encodeURIComponent(String(one.name === field || field === '*' ? largest(one.schema) : (one.example ?? 'alice')));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
      const found = parameters.find((one) => one.in === 'path' && one.name === name);
      return found ? value(found) : 'alice';
    });
    const query = parameters.filter(
      (one) => one.in === 'query' && (one.example !== undefined || one.name === field || field === '*'),
    );
    return `${method} ${filled}?${query.map((one) => `${one.name}=${value(one)}`).join('&')}`;
  };
  for (const one of parameters.filter(({ in: place }) => place !== 'header')) {
    yield { request: at(one.name), body: body ? JSON.stringify(example) : undefined, field: one.name };
  }
  if (!body) return;
  const fields = (resolved(body)['properties'] ?? {}) as Record<string, Schema>;
  for (const [name, schema] of Object.entries(fields)) {
    for (const value of [largest(schema), ...(DEAREST[name] ?? [])]) {
      yield { request: at(null), body: JSON.stringify({ ...example, [name]: value }), field: name };
    }
    // A list at its length of what the example has, so that it gets further than the schema.
    const listed = example[name];
    const length = Number(branchesOf(resolved(schema)).at(-1)?.['maxItems'] ?? 0);
    if (Array.isArray(listed) && length > 0) {
      const items = Array.from({ length }, (_, index) => varied(listed[index % listed.length], index));
      yield { request: at(null), body: JSON.stringify({ ...example, [name]: items }), field: `${name} (all)` };
    }
  }
  yield { request: at('*'), body: JSON.stringify(largest(body, 1_000)), field: '*' };
}

/** References are unique. */
const varied = (item: unknown, index: number): unknown =>
  typeof item === 'object' && item !== null && 'reference' in item ? { ...item, reference: `r-${index}` } : item;

describe('budgets', () => {
  test('every field of the document that sizes work has a bound', () => {
    const found = state.operations.flatMap((operation) => [
      ...operation.parameters.flatMap((one) => unbounded(one.schema, `${operation.name} ${one.in} ${one.name}`)),
      ...(operation.body ? unbounded(operation.body, `${operation.name} body`) : []),
    ]);
    expect(found).toEqual([]);
  });

  test('no request with a field at its bound blocks the process or keeps memory', async () => {
    const dear: string[] = [];
    let requests = 0;
    let before = await held();
    for (const operation of state.operations) {
      for (const { request, body, field } of requestsOf(operation)) {
        requests += 1;
        const ms = await blockedMs(() =>
          store.send(request, body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
        );
        if (ms > MOST_BLOCKED_MS) dear.push(`${operation.name} ${field}: ${Math.round(ms)} ms`);
      }
      const after = await held();
      const kept = after - before;
      if (kept > MOST_KEPT_BYTES) dear.push(`${operation.name}: ${Math.round(kept / 1_048_576)} MB kept`);
      before = after;
    }
    expect(dear).toEqual([]);
    expect(requests).toBeGreaterThan(300);
  }, 120_000);
});
