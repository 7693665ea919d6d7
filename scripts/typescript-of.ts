// JSON Schema as TypeScript: as much of it as our OpenAPI document uses. By hand rather than by a library: the ones there
// are print through the compiler's API, which TypeScript 7 does not have.
import { fromWire, toCamel } from '../src/client/case.ts';

export interface Schema {
  readonly format?: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  /** A whole value of a component. */
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** Groups of optional fields, of which each needs one. */
  readonly 'x-one-of'?: readonly (readonly string[])[];
  readonly additionalProperties?: Schema | boolean;
}

/** A component: an interface where it is an object, a type where it is not. */
export function declarationOf(name: string, schema: Schema): string {
  const [base, own] = schema.allOf ?? [];
  if (base && own)
    return `${comment(schema.description, schema.examples?.[0])}export interface ${name} extends ${refOf(base)} ${typeOf(own)}`;
  const type = typeOf(schema);
  const isPlain = type.startsWith('{') && schema['x-one-of'] === undefined;
  const body = isPlain ? `export interface ${name} ${type}` : `export type ${name} = ${type};`;
  return comment(schema.description) + body;
}

export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return refOf(schema);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => typeOf(one)).join(' & ');
  if (schema.anyOf) return union(schema.anyOf.map((one) => typeOf(one)));
  // A bigint or a Date that is sent becomes text on the way (src/client/case.ts). Only what is sent has a longest length.
  if (schema.maxLength !== undefined) {
    if (schema.format === 'date-time') return union(['Date', 'string', ...nullIn(schema)]);
    if (schema.type?.includes('integer') && schema.pattern?.startsWith('^(0|')) {
      return union(['bigint', 'number', 'string', ...nullIn(schema)]);
    }
  }
  const kinds = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['unknown']);
  return union(kinds.map((kind) => ofKind(kind, schema)));
}

/** `#/components/schemas/Hold` → `Hold`. */
export function refOf({ $ref = '' }: Schema): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** `example`: as the API writes it. */
export function comment(text: string | undefined, example?: unknown): string {
  const said = text?.replaceAll('\n', ' ').replaceAll('*/', '*\\/');
  if (said === undefined) return '';
  if (example === undefined) return `/** ${said} */\n`;
  const lines = JSON.stringify(fromWire(example), null, 2).replaceAll('*/', '*\\/').split('\n');
  return `/**\n${[said, '', '@example', ...lines].map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

const nullIn = ({ type = [] }: Schema): string[] => (type.includes('null') ? ['null'] : []);

function ofKind(kind: string, schema: Schema): string {
  if (kind === 'object') return objectType(schema);
  if (kind === 'array') return `readonly (${typeOf(schema.items ?? {})})[]`;
  return kind === 'integer' ? 'number' : kind;
}

function objectType(schema: Schema): string {
  const { properties = {}, required = [], additionalProperties, 'x-one-of': groups = [] } = schema;
  const fields = Object.entries(properties);
  if (fields.length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const lines = fields.map(([name, field]) => {
    const optional = required.includes(name) ? '' : '?';
    return `${comment(field.description)}readonly ${toCamel(name)}${optional}: ${typeOf(field)};`;
  });
  return [`{\n${lines.join('\n')}\n}`, ...groups.map(oneGiven)].join(' & ');
}

const oneGiven = (group: readonly string[]): string =>
  `OneGiven<${group.map((name) => literal(toCamel(name))).join(' | ')}>`;

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
