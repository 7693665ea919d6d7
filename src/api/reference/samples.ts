// An operation as a call of the client and of the library, from the example of the contract. The curl sample is in curl.ts.
import type { Route } from '../../contract/index.ts';
import { ROUTES } from '../../contract/index.ts';
import { camelCase } from '../../kernel/index.ts';
import type { Operation } from './openapi.ts';

/** Fields whose contents keep their keys, as in the client. */
const OPAQUE: ReadonlySet<string> = new Set(['metadata', 'jwks', 'destinations', 'headers', 'data']);

/** The environment of the reader's program, not of this one. */
const ENVIRONMENT = ['process', 'env'].join('.');
/** The name of the library in samples. */
const USANCE = 'usance';

const CLIENT = `import { createClient } from 'usance/client';

const client = createClient({
  url: 'http://localhost:3001',
  key: ${ENVIRONMENT}.USANCE_API_KEY,
});
`;
const LIBRARY = `import { createUsance } from 'usance';

const usance = await createUsance({
  databaseUrl: ${ENVIRONMENT}.DATABASE_URL,
});
`;
const SHOP = `const shop = await usance.tenant('shop');
`;

export interface Sample {
  readonly language: 'client' | 'library';
  readonly text: string;
}

/** None for what is no operation of the contract, such as /health. */
export function samplesOf(operation: Operation): Sample[] {
  const { operationId } = operation;
  if (operationId === 'events.follow') {
    const loop = (of: string): string => `for await (const event of ${of}.events.follow()) console.log(event);\n`;
    return samples(loop('client'), SHOP + loop('shop'));
  }
  const route = (ROUTES as unknown as Readonly<Record<string, Route | undefined>>)[operationId];
  if (!route) return [];
  // Tenants are created beside a tenant, not in one.
  if (operationId === 'tenants.list')
    return samples(callSample(operation, route, 'client'), `const tenants = await ${USANCE}.tenants.list();\n`);
  if (operationId === 'tenants.create')
    return samples(callSample(operation, route, 'client'), callSample(operation, route, USANCE));
  return samples(callSample(operation, route, 'client'), SHOP + callSample(operation, route, 'shop'));
}

const samples = (client: string, library: string): Sample[] => [
  { language: 'client', text: `${CLIENT}\n${client}` },
  {
    language: 'library',
    text: `${LIBRARY}${library.startsWith(SHOP) ? '' : '\n'}${library.replace(SHOP, `${SHOP}\n`)}`,
  },
];

function callSample(operation: Operation, route: Route, receiver: string): string {
  const { operationId } = operation;
  const { params = {} } = route.example as { readonly params?: Readonly<Record<string, unknown>> };
  const parts = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => literal(params[name] ?? '…'));
  const isKeyed = route.idempotency === 'required' && receiver !== USANCE;
  const options = isKeyed ? [`{ idempotencyKey: 'order-1001' }`] : [];
  const input = inputOf(operation, route);
  const takesInput = input !== null || (isKeyed && operation.requestBody !== undefined && hasOwnFields(route));
  const given = takesInput ? [literal(input ?? {})] : [];
  const call = `${receiver}.${operationId}(${[...parts, ...given, ...options].join(', ')})`;
  if (isList(route) && route.method === 'GET') return `for await (const one of ${call}) console.log(one);\n`;
  return `const ${nameOf(route)} = await ${call};\n`;
}

function inputOf({ parameters }: Operation, route: Route): object | null {
  const { body } = route.example as { readonly body?: object };
  if (body !== undefined && Object.keys(body).length > 0) return inCamelCase(body) as object;
  const query = parameters.filter((parameter) => parameter['in'] === 'query' && parameter['example'] !== undefined);
  if (query.length === 0) return null;
  return Object.fromEntries(query.map((parameter) => [camelCase(String(parameter['name'])), parameter['example']]));
}

function hasOwnFields({ body }: Route): boolean {
  return 'properties' in body && Object.keys(Object(body.properties) as object).length > 0;
}

function isList({ answer }: Route): boolean {
  return 'properties' in answer && Object.hasOwn(Object(answer.properties) as object, 'next_cursor');
}

/** Words that cannot name a variable. */
const RESERVED: ReadonlySet<string> = new Set(['import', 'delete', 'export']);

function nameOf(route: Route): string {
  if (isList(route)) return 'page';
  const { title = 'answer' } = route.answer as { readonly title?: string };
  const name = title.charAt(0).toLowerCase() + title.slice(1);
  return RESERVED.has(name) ? 'answer' : name;
}

function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [
      camelCase(name),
      OPAQUE.has(name) ? field : inCamelCase(field),
    ]),
  );
}

const WIDEST = 72;

/** A value as TypeScript: on one line if it fits, otherwise a field on each. */
function literal(value: unknown, indent = ''): string {
  const short = shortLiteral(value);
  if (indent.length + short.length <= WIDEST || typeof value !== 'object' || value === null) return short;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${literal(item, inner)},`)
    : Object.entries(value).map(([name, field]) => `${inner}${keyOf(name)}: ${literal(field, inner)},`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return [open, ...lines, indent + close].join('\n');
}

function shortLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(shortLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${keyOf(name)}: ${shortLiteral(field)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);
