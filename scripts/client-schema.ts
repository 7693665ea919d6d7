// The client's types, one method for every operation, and the table those are called by: written from the OpenAPI document.
import { format } from 'oxfmt';
import { openApiDocument } from '../src/api/index.ts';
import { CATALOGUE } from '../src/kernel/index.ts';
import type { Schema } from './typescript-of.ts';
import { comment, declarationOf, refOf, typeOf } from './typescript-of.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Call {
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
const schemas = openApiDocument().components.schemas as Readonly<Record<string, Schema>>;
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
  const types = Object.entries(schemas).filter(([name]) => !lists.has(name));
  const text = `// Written from the OpenAPI document by "npm run docs:client"; a test keeps them equal. Change the routes, not this.
import type { Operation } from './client.ts';
import type { Page, Pages } from './pages.ts';
import type { CallOptions } from './send.ts';

/** What a refusal can be. */
export type ProblemCode = ${Object.keys(CATALOGUE)
    .map((code) => `'${code}'`)
    .join(' | ')};

${types.map(([name, schema]) => declarationOf(name, withCodes(name, schema))).join('\n\n')}

/** A method for every route. */
export interface Client {
${calls.map(signatureOf).join('\n')}
}

export const OPERATIONS = {
${calls.map(rowOf).join('\n')}
} as const satisfies Record<keyof Client, Operation>;
`;
  const { code, errors } = await format('schema.ts', text, { singleQuote: true, printWidth: 120 });
  if (errors.length > 0) throw new Error(`what was written cannot be read: ${errors[0]?.message}`);
  return code;
}

/** The document has its codes as text, so that a new one breaks nobody's validation; here they are what can be compared with. */
function withCodes(name: string, schema: Schema): Schema {
  if (name !== 'Problem') return schema;
  return { ...schema, properties: { ...schema.properties, code: { $ref: 'ProblemCode' } } };
}

/** `listHolds(query?: { … }, options?: CallOptions): Pages<Hold>;`, `setLimit(body: LimitOrder, …): Promise<Page<Limit>>;` */
function signatureOf(call: Call): string {
  const parts = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => `${match[1]}: string`);
  const item = itemOf(call);
  const whole = item === null ? typeOf(answerOf(call)) : `Page<${typeOf(item)}>`;
  const answer = item !== null && isRead(call) ? `Pages<${typeOf(item)}>` : `Promise<${whole}>`;
  const params = [...parts, ...inputOf(call), 'options?: CallOptions'].join(', ');
  return `${comment(call.summary)}${call.operationId}(${params}): ${answer};`;
}

function inputOf(call: Call): string[] {
  if (call.requestBody) {
    return [`body${call.requestBody.required === false ? '?' : ''}: ${typeOf(jsonOf(call.requestBody))}`];
  }
  const query = queryOf(call);
  if (query.length === 0) return [];
  const fields = query.map(
    ({ name, required, schema = {} }) => `readonly ${name}${required ? '' : '?'}: ${typeOf(schema)}`,
  );
  return [`query${query.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`];
}

function rowOf(call: Call): string {
  const input = call.requestBody ? `'body'` : queryOf(call).length > 0 ? `'query'` : 'null';
  const list = itemOf(call) !== null && isRead(call) ? ', list: true' : '';
  return `${call.operationId}: { method: '${call.method}', path: '${call.path}', input: ${input}${list} },`;
}

/** Pages turn themselves, and what is read is JSON. */
function queryOf(call: Call): readonly Parameter[] {
  const own = itemOf(call) === null ? ['format'] : ['cursor'];
  return (call.parameters ?? []).filter((parameter) => parameter.in === 'query' && !own.includes(parameter.name));
}

function answered({ responses }: Call): Content {
  const [status = ''] = Object.keys(responses).filter((code) => /^2\d\d$/.test(code));
  return responses[status] ?? {};
}

function answerOf(call: Call): Schema {
  return jsonOf(answered(call));
}

/** Pages send nothing before they are iterated, so only a read may be answered with them: a change that is awaited is sent. */
function isRead({ method }: Call): boolean {
  return method === 'GET';
}

/** What a list is a list of; null for any other answer. */
function itemOf(call: Call): Schema | null {
  const answer = answerOf(call);
  const schema = answer.$ref === undefined ? answer : schemas[refOf(answer)];
  return isList(schema) ? (schema?.properties?.['data']?.items ?? {}) : null;
}

function isList(schema: Schema | undefined): boolean {
  return schema?.properties?.['data'] !== undefined && schema.properties['next_cursor'] !== undefined;
}

function isJson({ content }: Content): boolean {
  return content?.['application/json'] !== undefined;
}

function jsonOf({ content }: Content): Schema {
  return content?.['application/json']?.schema ?? {};
}
