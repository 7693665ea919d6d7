// The types of the client and the library, a method for every operation, grouped by resource, and the table of operations:
// written from the OpenAPI document.
import { format } from 'oxfmt';
import { openApiDocument } from '../src/api/index.ts';
import type { ResourceName } from '../src/contract/index.ts';
import { API_VERSION, DRY_RUN_MEDIA_TYPE, RESOURCES } from '../src/contract/index.ts';
import type { Entry } from '../src/kernel/index.ts';
import { CATALOGUE } from '../src/kernel/index.ts';
import { OPAQUE, toCamel } from '../src/client/case.ts';
import type { Schema } from './typescript-of.ts';
import { comment, declarationOf, refOf, typeOf } from './typescript-of.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Call {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

// Two casts, because the document is typed as the JSON it is. What answers with anything but JSON is the stream of events,
// whose method is written by hand (follow.ts).
export const schemas = openApiDocument().components.schemas as Readonly<Record<string, Schema>>;
const calls = Object.entries(openApiDocument().paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => ({ path, method: method.toUpperCase(), ...operation }) as unknown as Call,
    ),
  )
  .filter((call) => isJson(answered(call)));

export async function clientSchema(): Promise<string> {
  // A list is met as Pages, or as one Page, of what is in it.
  const lists = new Set(calls.map((call) => refOf(answerOf(call))).filter((name) => isList(schemas[name])));
  const types = Object.entries(schemas).filter(([name]) => !HAND_WRITTEN.has(name) && !lists.has(name));
  const bodies = new Set(calls.map((call) => refOf(jsonOf(call.requestBody ?? {}))));
  const declared = (name: string, schema: Schema): Schema =>
    withCodes(name, withoutOwnEvents(name, bodies.has(name) ? withoutDryRun(schema) : schema));
  const text = `// Written from the OpenAPI document by "npm run docs:client"; a test keeps them equal. Change the routes, not this.
import type { Operation } from './client.ts';
import type { DryRun } from './dry-run.ts';
import type { FollowEvents } from './follow.ts';
import type { OneGiven } from './one-given.ts';
import type { AnyEvent } from './own-event.ts';
import type { Page, Pages } from './pages.ts';
import type { CallOptions, DryRunCallOptions } from './send.ts';

/** The version of the API that these types are of. */
export const API_VERSION = '${API_VERSION}';

/** The codes of refusals. */
export type ProblemCode = ${Object.keys(CATALOGUE)
    .map((code) => `'${code}'`)
    .join(' | ')};

${types.map(([name, schema]) => declarationOf(name, declared(name, schema))).join('\n\n')}

${resources.map(([resource, own]) => interfaceOf(interfaceName(resource, 'Client'), own, (call) => signaturesOf(call, 'options?: CallOptions', 'options: DryRunCallOptions'), resource === 'events' ? FOLLOW : '')).join('\n\n')}

/** A client: every resource of the HTTP API. */
export interface Client {
${resources.map(([resource]) => `/** ${describedResource(resource)} */\nreadonly ${resource}: ${interfaceName(resource, 'Client')};`).join('\n')}
}

/** The sentences of refusals that name fields beside \`param\`: the client writes those names in camelCase. */
export const FIELD_SENTENCES: readonly string[] = [
${fieldSentences()
  .map((sentence) => `${JSON.stringify(sentence)},`)
  .join('\n')}
];

/** By resource and method, as the reference names them: \`payments.create\`. */
export const OPERATIONS = {
${calls.map(rowOf).join('\n')}
} as const satisfies Record<string, Operation>;
`;
  return formatted(text);
}

/** The same methods in the process: a change that moves money has its idempotency key. */
export async function librarySchema(): Promise<string> {
  const named = new Set(resources.flatMap(([, own]) => own.flatMap((call) => typesIn(signatureOf(call, '')))));
  const used = Object.keys(schemas).filter((name) => named.has(name));
  const text = `// Written from the OpenAPI document by "npm run docs:client"; a test keeps them equal. Change the routes, not this.
import type { AnyEvent, DryRun, OneGiven, Page, Pages, ${used.toSorted().join(', ')} } from '../client/index.ts';
import type { DryRunOptions, KeyOptions, RequiredKey } from './options.ts';

${resources.map(([resource, each]) => interfaceOf(interfaceName(resource), each, (call) => signaturesOf(call, optionsOf(call), 'options: DryRunOptions'))).join('\n\n')}

/** Every resource of one tenant. */
export interface Resources {
${resources.map(([resource]) => `/** ${describedResource(resource)} */\nreadonly ${resource}: ${interfaceName(resource)};`).join('\n')}
}
`;
  return formatted(text);
}

async function formatted(text: string): Promise<string> {
  requireOpaque();
  const { code, errors } = await format('schema.ts', withComments(text), { singleQuote: true, printWidth: 120 });
  if (errors.length > 0) throw new Error(`what was written cannot be read: ${errors[0]?.message}`);
  return code;
}

const withComments = (text: string): string => text.replaceAll(/\/\*\*.*?\*\//gs, (written) => inCamelCase(written));

/** The names of all fields and the words of all enumerations. */
const { fields: FIELDS, values: VALUES } = namesIn({ schemas, calls });

function namesIn(document: unknown): { fields: Set<string>; values: Set<unknown> } {
  const fields = new Set<string>();
  const values = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties, enum: words } = value as Schema;
    for (const name of Object.keys(properties ?? {})) fields.add(name);
    for (const word of words ?? []) values.add(word);
    if ('in' in value && 'name' in value) fields.add(String(value.name));
    Object.values(value).forEach(visit);
  };
  visit(document);
  return { fields, values };
}

/** Descriptions name fields as HTTP writes them, in snake_case; the types have them in camelCase. Values with an underscore stay. */
export function inCamelCase(text: string): string {
  return text.replaceAll(/`[^`]+`/g, (quoted) =>
    // Placeholders of templates are texts of the caller, and the same everywhere.
    quoted.replaceAll(/\{\{\w+\}\}|\w+/g, (name) => (FIELDS.has(name) && !VALUES.has(name) ? toCamel(name) : name)),
  );
}

/** Sentences of the catalogue with a placeholder for a field, such as `{first:field}`. */
function fieldSentences(): string[] {
  const sentences = Object.values<Entry>(CATALOGUE).flatMap(({ detail }) =>
    typeof detail === 'string' ? [detail] : Object.values(detail),
  );
  return sentences.filter((sentence) => /:fields?\}/.test(sentence));
}

/** Types with type parameters: dry-run.ts and own-event.ts of the client. */
const HAND_WRITTEN = new Set(['DryRun', 'OwnEvent']);

/**
 * The type of an own event is any text, so that a comparison of `event.type` in a union with it would not narrow `event.data`. Callers name
 * the own events that they read instead: `events.list<Event | OwnEvent<'posts.created', Post>>()`.
 */
function withoutOwnEvents(name: string, schema: Schema): Schema {
  if (name !== 'Event') return schema;
  return { ...schema, anyOf: (schema.anyOf ?? []).filter((each) => refOf(each) !== 'OwnEvent') };
}

/** The document has its codes as text, so that a new one breaks nobody's validation; here they are what can be compared with. */
function withCodes(name: string, schema: Schema): Schema {
  if (name !== 'Problem') return schema;
  return {
    ...schema,
    properties: { ...schema.properties, code: { ...schema.properties?.['code'], $ref: 'ProblemCode' } },
  };
}

/** `payments` and its methods. */
export const resources = [...Map.groupBy(calls, ({ operationId }) => operationId.slice(0, operationId.indexOf('.')))];

export const describedResource = (resource: string): string => RESOURCES[resource as ResourceName];

export const interfaceName = (resource: string, of = 'Resource'): string =>
  `${resource.charAt(0).toUpperCase()}${resource.slice(1)}${of}`;
const methodOf = ({ operationId }: Call): string => operationId.slice(operationId.indexOf('.') + 1);

function interfaceOf(name: string, own: readonly Call[], signature: (call: Call) => string, more = ''): string {
  return `export interface ${name} {\n${own.map(signature).join('\n')}\n${more}}`;
}

/** The stream is no operation of the table: its method is written by hand. */
const FOLLOW = `/** Follow events: past events in order, then each new one. */\nreadonly follow: FollowEvents;\n`;

/** A read has no options; a change takes a key, and one that moves money needs it. */
export function optionsOf(call: Call): string {
  if (isRead(call)) return '';
  const header = (call.parameters ?? []).find(({ name }) => name === 'Idempotency-Key');
  return header?.required ? 'options: RequiredKey' : 'options?: KeyOptions';
}

const typesIn = (signature: string): string[] =>
  [...signature.replaceAll(/\/\*\*.*\*\//g, '').matchAll(/\b[A-Z]\w+/g)].map(([name]) => name);

/** A change has two: with `dryRun` it returns a `DryRun`. The usual one is first, because editors show that one. */
function signaturesOf(call: Call, options: string, dryRunOptions: string): string {
  const usual = signatureOf(call, options);
  return takesDryRun(call) ? `${usual}\n${signatureOf(call, dryRunOptions, true)}` : usual;
}

/** `list(params?: { … }, options?: CallOptions): Pages<Hold>;`, `set(params: LimitParams, …): Promise<Page<Limit>>;` */
function signatureOf(call: Call, options: string, isDry = false): string {
  const parts = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => `${match[1]}: string`);
  const item = itemOf(call);
  const ofEvents = item !== null && refOf(item) === 'Event';
  const whole = item === null ? typeOf(answerOf(call)) : `Page<${typeOf(item)}>`;
  const answer =
    item !== null && isRead(call)
      ? `Pages<${ofEvents ? 'E' : typeOf(item)}>`
      : `Promise<${isDry ? `DryRun<${whole}>` : whole}>`;
  const params = [...parts, ...inputOf(call, options.startsWith('options:')), ...(options === '' ? [] : [options])];
  return `${comment(isDry ? `Dry run: ${call.summary ?? ''}` : call.summary)}${methodOf(call)}${ofEvents ? '<E extends AnyEvent = Event>' : ''}(${params.join(', ')}): ${answer};`;
}

/** `before`: a required parameter follows, so this one cannot be left out. */
function inputOf(call: Call, before: boolean): string[] {
  if (call.requestBody && takesBody(call)) {
    const type = typeOf(withoutDryRun(jsonOf(call.requestBody)));
    if (call.requestBody.required !== false) return [`params: ${type}`];
    return [before ? `params: ${type} | undefined` : `params?: ${type}`];
  }
  const query = queryOf(call);
  if (query.length === 0) return [];
  const fields = query.map(
    ({ name, required, description, schema = {} }) =>
      `${comment(description ?? schema.description)}readonly ${toCamel(name)}${required ? '' : '?'}: ${queryTypeOf(schema)};`,
  );
  return [`params${query.some(({ required }) => required) ? '' : '?'}: {\n${fields.join('\n')}\n}`];
}

/** A list in a query can be one item. */
export function queryTypeOf(schema: Schema): string {
  return schema.type === 'array' ? `${typeOf(schema.items ?? {})} | ${typeOf(schema)}` : typeOf(schema);
}

function rowOf(call: Call): string {
  const input = takesBody(call) ? `'body'` : queryOf(call).length > 0 ? `'query'` : 'null';
  const list = itemOf(call) !== null && isRead(call) ? ', list: true' : '';
  return `'${call.operationId}': { method: '${call.method}', path: '${call.path}', input: ${input}${list} },`;
}

/** An option of the call, not one of its parameters. */
export function withoutDryRun(schema: Schema): Schema {
  const { dry_run: _option, ...properties } = schema.properties ?? {};
  return schema.properties === undefined ? schema : { ...schema, properties };
}

export const bodyOf = ({ requestBody = {} }: Call): Schema => resolved(jsonOf(requestBody));

const resolved = (schema: Schema): Schema => (schema.$ref === undefined ? schema : (schemas[refOf(schema)] ?? {}));

export const takesBody = (call: Call): boolean => Object.keys(withoutDryRun(bodyOf(call)).properties ?? {}).length > 0;

export const takesDryRun = (call: Call): boolean =>
  bodyOf(call).properties?.['dry_run'] !== undefined || (call.parameters ?? []).some(({ name }) => name === 'dry_run');

/** Pages turn themselves, and what is read is JSON. */
export function queryOf(call: Call): readonly Parameter[] {
  const own = ['dry_run', itemOf(call) === null ? 'format' : 'cursor'];
  return (call.parameters ?? []).filter((parameter) => parameter.in === 'query' && !own.includes(parameter.name));
}

function answered({ responses }: Call): Content {
  const [answer = {}] = Object.entries(responses).flatMap(([code, one]) =>
    /^2\d\d$/.test(code) && !isOnlyDryRun(one) ? [one] : [],
  );
  return answer;
}

/** The 200 of an operation whose answer has another status. */
function isOnlyDryRun({ content = {} }: Content): boolean {
  const types = Object.keys(content);
  return types.length === 1 && types[0] === DRY_RUN_MEDIA_TYPE;
}

export function answerOf(call: Call): Schema {
  return jsonOf(answered(call));
}

/** Pages send nothing before they are iterated, so only a read may be answered with them: a change that is awaited is sent. */
export function isRead({ method }: Call): boolean {
  return method === 'GET';
}

/** What a list is a list of; null for any other answer. */
export function itemOf(call: Call): Schema | null {
  const answer = answerOf(call);
  const schema = answer.$ref === undefined ? answer : schemas[refOf(answer)];
  return isList(schema) ? (schema?.properties?.['data']?.items ?? {}) : null;
}

function isList(schema: Schema | undefined): boolean {
  return schema?.properties?.['data'] !== undefined && schema.properties['next_cursor'] !== undefined;
}

function isJson({ content }: Content): boolean {
  return content?.['application/json'] !== undefined || content?.['text/calendar'] !== undefined;
}

function jsonOf({ content }: Content): Schema {
  return (content?.['application/json'] ?? content?.['text/calendar'])?.schema ?? {};
}

/** Open objects whose keys are names of fields: the data of an event in a timeline. */
const CONVERTED = new Set(['data']);

/** Fields with keys of the caller's own are named in src/client/case.ts; a new one has to be added there. */
function requireOpaque(): void {
  const open = (schema: Schema): boolean =>
    schema.type === 'object' && schema.properties === undefined && schema.$ref === undefined;
  const isOpen = (schema: Schema): boolean => open(schema) || (schema.anyOf ?? []).some(open);
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    for (const [field, schema] of Object.entries(properties)) {
      if (isOpen(schema) && !OPAQUE.has(field) && !CONVERTED.has(field))
        throw new Error(`${name}.${field} has keys of its own: add it to OPAQUE`);
    }
  }
}
