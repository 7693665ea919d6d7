// docs/reference/resources/*.md: a page for each resource that the library and the client share, with its methods and types,
// from the OpenAPI document and the contract.
import { format } from 'oxfmt';
import { refusalsOf } from '../src/api/reference/refusals.ts';
import { fromWire, toCamel } from '../src/client/case.ts';
import type { Names, Route } from '../src/contract/index.ts';
import { NAMES, RESOURCES, ROUTES } from '../src/contract/index.ts';
import type { Code } from '../src/kernel/index.ts';
import type { Call } from './client-schema.ts';
import {
  answerOf,
  bodyOf,
  describedResource,
  inCamelCase,
  interfaceName,
  isRead,
  itemOf,
  optionsOf,
  queryOf,
  queryTypeOf,
  resources,
  schemas,
  takesBody,
  takesDryRun,
  withoutDryRun,
} from './client-schema.ts';
import type { Schema } from './typescript-of.ts';
import { refOf, typeOf } from './typescript-of.ts';

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const routeOf = ({ operationId }: Call): Route => (ROUTES as unknown as Record<string, Route>)[operationId] as Route;

const codesOf = (call: Call): Code[] => [...refusalsOf(call.operationId, routeOf(call)).values()].flat();

const calls = resources.flatMap(([, own]) => own);

const inAll = (some: readonly Call[]): Code[] =>
  some.map(codesOf).reduce((shared, codes) => shared.filter((each) => codes.includes(each)));

/** Refusals that every call, every change and every call with a body have in common: listed once. */
export const COMMON = {
  calls: inAll(calls),
  changes: inAll(calls.filter((call) => !isRead(call))),
  bodies: inAll(calls.filter(takesBody)),
};

/** The types of events, and those that they are made of: they are in the catalogue (events-reference.ts). */
const isOfEvents = (name: string): boolean => name !== 'Event' && HOMES.get(name) === 'events';

/** The page on which each type is: the first whose methods use it. */
const HOMES = homes();

function homes(): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown, resource: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as Schema;
    const name = $ref === undefined ? '' : refOf(value);
    if (name !== '' && !found.has(name)) {
      found.set(name, resource);
      visit(schemas[name], resource);
    }
    for (const inner of Object.values(value)) visit(inner, resource);
  };
  for (const [resource, own] of resources) {
    for (const call of own) visit([bodyOf(call), queryOf(call), itemOf(call) ?? answerOf(call)], resource);
  }
  return found;
}

const isParams = (name: string): boolean => calls.some((call) => bodyName(call) === name);
const bodyName = ({ requestBody }: Call): string => refOf(requestBody?.content?.['application/json']?.schema ?? {});

/** Types that no method uses directly: parts of problems and dry runs. */
export const otherTypes = (): string[] =>
  Object.keys(schemas).filter((name) => !HOMES.has(name) && name !== 'DryRun' && !isParams(name) && !isListType(name));

const isListType = (name: string): boolean =>
  calls.some((call) => itemOf(call) !== null && refOf(answerOf(call)) === name);

function linked(name: string, from: string): string {
  const home = HOMES.get(name);
  if (isOfEvents(name)) return `[\`${name}\`](../events.md)`;
  const page = home === undefined ? '../client.md' : home === from ? '' : `${home}.md`;
  return `[\`${name}\`](${page}#${name.toLowerCase()})`;
}

function typeCell(schema: Schema, from: string, type = typeOf(schema)): string {
  if (schema.$ref !== undefined) return linked(refOf(schema), from);
  if (schema.items?.$ref !== undefined) return `${linked(refOf(schema.items), from)}\`[]\``;
  const named = schema.anyOf?.find(({ $ref }) => $ref !== undefined);
  if (named && schema.anyOf?.length === 2 && schema.anyOf.some((each) => each.type === 'null'))
    return `${linked(refOf(named), from)} or \`null\``;
  return code(
    type
      .replaceAll(/\/\*\*.*?\*\/\n?/g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/readonly /g, '')
      .replaceAll(/; \}/g, ' }')
      .replaceAll(/\((\w+)\)\[\]/g, '$1[]'),
  );
}

/** Rows of a table of fields; objects that are written in place have a row for each of their fields. */
function rowsOf(schema: Schema, from: string, prefix = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + toCamel(name);
    const inner = field.items?.properties ? field.items : field;
    const isOpen = inner.properties !== undefined && inner.$ref === undefined;
    const type = isOpen ? (inner === field ? '`object`' : '`object[]`') : typeCell(field, from);
    const isRequired = schema.required?.includes(name) ?? false;
    const row = [`\`${path}\``, type, isRequired ? 'yes' : 'no', describe(field, isRequired)];
    return [row, ...(isOpen ? rowsOf(inner, from, `${path}${inner === field ? '' : '[]'}.`) : [])];
  });
}

function describe(schema: Schema, isRequired = false): string {
  const text = schema.description ?? (schema.$ref === undefined ? '' : (schemas[refOf(schema)]?.description ?? ''));
  const prefix = /^\^([a-z]+)_\[/.exec(schema.pattern ?? '')?.[1];
  const named = prefix !== undefined && text.startsWith('TypeID: a prefix') ? `TypeID, \`${prefix}_…\`.` : text;
  const written = named
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .replace(isRequired ? / Default: none\./ : /$^/, '');
  return inCamelCase(written) + boundsOf(schema);
}

/** Bounds that the description does not have. */
function boundsOf(schema: Schema & { minimum?: number; maximum?: number; minLength?: number }): string {
  const { minimum, maximum, minLength = 0, maxLength, format: kind, pattern, description = '' } = schema;
  if (schema.type === 'integer' && minimum !== undefined && maximum !== undefined) {
    const [low, high] = [minimum, maximum].map((each) => each.toLocaleString('en-US'));
    const isEngines = Math.abs(minimum) >= 2 ** 31 || maximum >= Number.MAX_SAFE_INTEGER;
    return isEngines || description.includes(String(high)) ? '' : ` ${low} to ${high}.`;
  }
  const isText = schema.type === 'string' && kind === undefined && pattern === undefined;
  if (!isText || maxLength === undefined || description.includes(maxLength.toLocaleString('en-US'))) return '';
  return ` ${minLength} to ${maxLength.toLocaleString('en-US')} characters.`;
}

export async function resourcePages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const [resource, own] of resources) {
    const methods = [];
    for (const call of own) methods.push(await methodSection(call, resource));
    const types = [...HOMES].filter(
      ([name, home]) => home === resource && !isParams(name) && !isListType(name) && !isOfEvents(name),
    );
    const sections = [
      `# ${resource}`,
      describedResource(resource),
      introductionOf(resource),
      ...methods,
      ...(types.length > 0 ? ['## Types', ...types.map(([name]) => typeSection(name, resource))] : []),
    ];
    pages.set(`resources/${resource}.md`, `${sections.join('\n\n')}\n`);
  }
  return pages;
}

/** Methods that are no operations of the contract. */
const MORE: Readonly<Record<string, string>> = {
  assets: ' The library also has [`assets.ensure`](../library.md#ensureasset).',
  accounts: ' The library also has [`accounts.ensure`](../library.md#ensureaccount).',
  jobs: ' The library also has [`jobs.ensure`](../library.md#ensurejob), for programs that create their jobs at every start.',
  events:
    ' Both also have `events.follow`, which waits for new events: [library](../library.md#followevents), [client](../client.md#followevents). The library also has [`events.subscribe`](../library.md#subscribeevents).',
  subscriptions: ' The library also has [`subscriptions.import`](../library.md#importsubscriptions).',
  testClocks: ' The library also has [`testClocks.wait`](../library.md#waitforclock).',
};

function introductionOf(resource: string): string {
  const client = `\`client.${resource}\` in the [client](../client.md), of the type \`${interfaceName(resource, 'Client')}\``;
  if (resource === 'tenants')
    return `This is ${client}, for an API key with the scope of an operator. The library has [\`usance.tenants\`](../library.md#usance) instead; \`${interfaceName(resource)}\` is the type of the same methods in \`Resources\`.`;
  return (
    `This is \`shop.${resource}\` in the [library](../library.md), of the type \`${interfaceName(resource)}\`, and ${client}. ` +
    'The signatures are those of the library. In the client every method also takes ' +
    `[\`CallOptions\`](../client.md#calloptions), and an idempotency key is always optional.${MORE[resource] ?? ''}`
  );
}

async function methodSection(call: Call, resource: string): Promise<string> {
  const { description } = routeOf(call);
  const parts = (call.parameters ?? []).filter((each) => each.in === 'path');
  const rows = [
    ...parts.map(({ name, description: text = '', schema = {} }) => [
      `\`${toCamel(name)}\``,
      '`string`',
      'yes',
      describe({ ...schema, description: text || (schema.description ?? '') }, true),
    ]),
    ...inputRows(call, resource),
  ];
  return [
    `## ${call.operationId}`,
    `${call.summary ?? ''}.${description === undefined ? '' : ` ${inCamelCase(description)}`}`,
    `\`\`\`ts\n${shortSignature(call)}\n\`\`\``,
    ...(rows.length > 0 ? [table(['parameter', 'type', 'required', 'description'], rows)] : []),
    factsOf(call, resource),
    `\`\`\`ts\n${await exampleOf(call)}\`\`\``,
  ].join('\n\n');
}

function inputRows(call: Call, from: string): string[][] {
  if (takesBody(call)) return rowsOf(withoutDryRun(bodyOf(call)), from, 'params.');
  return queryOf(call).map(({ name, required, description = '', schema = {} }) => [
    `\`params.${toCamel(name)}\``,
    schema.type === 'array'
      ? `${typeCell(schema.items ?? {}, from)}, or an array`
      : typeCell({}, from, queryTypeOf(schema)),
    required ? 'yes' : 'no',
    describe({ ...schema, description: description || (schema.description ?? '') }, required),
  ]);
}

function shortSignature(call: Call): string {
  const parts = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  const options = optionsOf(call);
  const params = [...parts, ...paramsOf(call), ...(options === '' ? [] : [options])];
  return `${call.operationId}(${params.join(', ')}): ${answerType(call)}`;
}

function paramsOf(call: Call): string[] {
  const fields = takesBody(call)
    ? Object.keys(withoutDryRun(bodyOf(call)).properties ?? {})
    : queryOf(call).map(({ name }) => name);
  if (fields.length === 0) return [];
  const needed = takesBody(call)
    ? call.requestBody?.required !== false
    : queryOf(call).some(({ required }) => required);
  const isBeforeRequired = optionsOf(call).startsWith('options:');
  const type = bodyName(call) || (fields.length > 5 ? '{ … }' : `{ ${fields.map(toCamel).join(', ')} }`);
  if (needed) return [`params: ${type}`];
  return [isBeforeRequired ? `params: ${type} | undefined` : `params?: ${type}`];
}

function answerType(call: Call): string {
  const item = itemOf(call);
  if (item !== null) return isRead(call) ? `Pages<${typeOf(item)}>` : `Promise<Page<${typeOf(item)}>>`;
  return `Promise<${typeOf(answerOf(call))}>`;
}

function factsOf(call: Call, from: string): string {
  const item = itemOf(call);
  const answer = typeCell(item ?? answerOf(call), from);
  const pages = '[`Pages`](../client.md#pages)';
  const page = '[`Page`](../client.md#page)';
  const returned = item === null ? answer : `${isRead(call) ? pages : `one ${page}`} of ${answer}`;
  const specific = codesOf(call).filter((each) => !isCommon(call, each));
  const facts = [
    `Returns: ${returned}${takesDryRun(call) ? '; with `dryRun: true` a [`DryRun`](../client.md#dryrun) of it' : ''}.`,
    ...(isRead(call)
      ? []
      : [`Idempotency key: ${routeOf(call).idempotency === 'required' ? 'required' : 'optional'}.`]),
    `Over HTTP: \`${call.method} ${call.path}\`, with the scope \`${routeOf(call).scope}\`${routeOf(call).own ? ' or a token of the end user' : ''}.`,
    `Refuses with: ${specific.length === 0 ? '' : `${specific.map(errorLink).join(', ')}, and `}the [common codes](../client.md#common-codes).`,
  ];
  return facts.map((fact) => `- ${fact}`).join('\n');
}

function isCommon(call: Call, each: Code): boolean {
  if (COMMON.calls.includes(each)) return true;
  return (!isRead(call) && COMMON.changes.includes(each)) || (takesBody(call) && COMMON.bodies.includes(each));
}

const errorLink = (each: Code): string => `[\`${each}\`](../errors/${each}.md)`;

/** The example of the contract as a call; a test type-checks every one of them. */
async function exampleOf(call: Call): Promise<string> {
  const { example } = routeOf(call);
  const parts = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => literal(example.params?.[name] ?? '…'));
  const given = exampleInput(call);
  const options = routeOf(call).idempotency === 'required' ? [`{ idempotencyKey: 'order-1001' }`] : [];
  const input = given === null ? (options.length > 0 && paramsOf(call).length > 0 ? ['{}'] : []) : [literal(given)];
  const invoked = `shop.${call.operationId}(${[...parts, ...input, ...options].join(', ')})`;
  const item = itemOf(call);
  const name = variableOf(item ?? answerOf(call));
  const text =
    item !== null && isRead(call)
      ? `for await (const ${name} of ${invoked}) console.log(${name});`
      : `const ${item === null ? name : 'page'} = await ${invoked};`;
  const { code: formatted } = await format('example.mts', text, { singleQuote: true, printWidth: 100 });
  return formatted;
}

function exampleInput(call: Call): unknown {
  if (takesBody(call)) {
    const body = routeOf(call).example.body;
    return body === undefined || Object.keys(Object(body) as object).length === 0 ? null : fromWire(body);
  }
  const shown = queryOf(call).flatMap((each) =>
    'example' in each ? [[toCamel(each.name), each.example] as const] : [],
  );
  return shown.length === 0 ? null : Object.fromEntries(shown);
}

const literal = (value: unknown): string => JSON.stringify(value).replaceAll(/"([A-Za-z_]\w*)":/g, '$1: ');

const RESERVED = ['import', 'delete', 'export'];

function variableOf(schema: Schema): string {
  const name = refOf(schema);
  const variable = name === '' ? 'answer' : name.charAt(0).toLowerCase() + name.slice(1);
  return RESERVED.includes(variable) ? 'answer' : variable;
}

/** `Event` is a union of the types of the catalogue: they share these fields. */
const sharedByEvents = (): Schema => ({
  ...schemas['Event'],
  properties: {
    ...schemas['EventEnvelope']?.properties,
    type: { type: 'string', description: 'The type: comparing it narrows the type of `data`.' },
    data: {
      type: ['object', 'null'],
      description: 'Its fields by type are in [the event catalogue](../events.md); null after it was erased.',
    },
  },
  required: [...(schemas['EventEnvelope']?.required ?? []), 'type', 'data'],
});

export function typeSection(name: string, from: string): string {
  const schema = name === 'Event' ? sharedByEvents() : (schemas[name] ?? {});
  const description = schema.description === undefined ? [] : [inCamelCase(schema.description)];
  const rows = rowsOf(schema, from).map(([field = '', type = '', required, text = '']) => [
    required === 'yes' ? field : field.replace(/`$/, '?`'),
    type,
    text,
  ]);
  const body =
    rows.length > 0
      ? table(['field', 'type', 'description'], rows)
      : `\`\`\`ts\ntype ${name} = ${typeOf(schema)}\n\`\`\``;
  return [`### ${name}`, ...description, body].join('\n\n');
}

/** Methods without an operation of HTTP, and the section that declares them. */
const DECLARED_AT: Readonly<Record<string, string>> = {
  'assets.ensure': '#ensureasset',
  'accounts.ensure': '#ensureaccount',
  'jobs.ensure': '#ensurejob',
  'accounts.importBalances': '#importbalances',
  'subscriptions.import': '#importsubscriptions',
  'testClocks.wait': '#waitforclock',
  'tenants.ensure': '#usance',
  'events.follow': '#followevents',
  'events.subscribe': '#subscribeevents',
};

/** Every resource with links to its methods. */
export function resourceIndex(surface: 'library' | 'client', skipped: readonly string[] = []): string {
  const methods = Object.entries<Names>(NAMES).filter(([, { only }]) => surface === 'library' || only === undefined);
  const rows = Object.entries(RESOURCES)
    .filter(([resource]) => !skipped.includes(resource))
    .map(([resource, says]) => [
      `[\`${resource}\`](resources/${resource}.md)`,
      says,
      methods
        .filter(([name]) => name.startsWith(`${resource}.`))
        .map(([name]) => methodLink(resource, name))
        .join(', '),
    ]);
  return table(['resource', 'contents', 'methods'], rows);
}

const methodLink = (resource: string, name: string): string =>
  `[${name.slice(resource.length + 1)}](${DECLARED_AT[name] ?? `resources/${resource}.md#${name.toLowerCase().replaceAll('.', '')}`})`;
