// The schemas of the OpenAPI document. Those with a title become components, so that a generator of clients finds one type for a thing
// that many routes show.
import { FIELD_DEFAULTS, FIELD_DESCRIPTIONS } from '../../contract/index.ts';

export type JsonObject = { readonly [name: string]: unknown };

export type Components = Record<string, JsonObject>;

/** The others are for this program. */
const SHOWN_EXTENSIONS: ReadonlySet<string> = new Set(['x-extensible-enum', 'x-compatibility', 'x-one-of']);

/**
 * A copy in plain JSON Schema; what has a title is put among the components and referred to. Answers may grow within a
 * version, so theirs do not forbid what a reader does not know.
 */
export function named(schema: object, schemas: Components, grows = false, within = ''): JsonObject {
  const base = 'x-extends' in schema && isObject(schema['x-extends']) ? schema['x-extends'] : null;
  if (base) return extending(schema, base, schemas, grows);
  const plain = Object.fromEntries(
    Object.entries(schema)
      .filter(([name, field]) => (!name.startsWith('x-') || SHOWN_EXTENSIONS.has(name)) && field !== undefined)
      .filter(([name]) => !(grows && name === 'additionalProperties'))
      .map(([name, field]: [string, unknown]) => [
        name,
        child(name, field, { schemas, grows, title: titleOf(schema, within) }, schema),
      ]),
  );
  // Said out loud: a generator takes an object without fields for one that has none.
  if (plain['type'] === 'object' && plain['properties'] === undefined) plain['additionalProperties'] ??= true;
  const title = plain['title'];
  if (typeof title !== 'string') return plain;
  schemas[title] ??= plain;
  return { $ref: `#/components/schemas/${title}` };
}

/** A schema that has all fields of another one: a reference to that one, and its own fields. */
function extending(schema: object, base: object, schemas: Components, grows: boolean): JsonObject {
  const inherited = Object.keys(fieldsOf(base));
  const own = Object.entries(fieldsOf(schema)).filter(([name]) => !inherited.includes(name));
  const {
    title = '',
    description,
    examples,
  } = schema as {
    readonly title?: string;
    readonly description?: string;
    readonly examples?: readonly unknown[];
  };
  const required = requiredOf(schema).filter((name) => !inherited.includes(name));
  const rest = { type: 'object', properties: Object.fromEntries(own), required };
  const whole = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
    allOf: [named(base, schemas, grows), named(rest, schemas, grows, title)],
  };
  if (title === '') return whole;
  schemas[title] ??= { title, ...whole };
  return { $ref: `#/components/schemas/${title}` };
}

export interface Place {
  readonly schemas: Components;
  readonly grows: boolean;
  /** The type that the field is of. */
  readonly title: string;
}

const titleOf = (schema: object, within: string): string =>
  'title' in schema && typeof schema.title === 'string' ? schema.title : within;

function child(name: string, field: unknown, { schemas, grows, title }: Place, parent: object): unknown {
  if (!isObject(field)) return field;
  const inner = (item: object): JsonObject => named(item, schemas, grows, title);
  if (name === 'properties') {
    return Object.fromEntries(
      Object.entries(field).map(([key, item]) => {
        const described = withDescription(inner(item as object), title, key);
        return [key, grows ? described : withDefault(described, parent, title, key)];
      }),
    );
  }
  if (name === 'items') return inner(field);
  return name === 'anyOf' && Array.isArray(field) ? field.map(inner) : field;
}

/** Its own, or the one that fields of its name share. */
export function withDescription(schema: JsonObject, title: string, name: string): JsonObject {
  const description = FIELD_DESCRIPTIONS[`${title}.${name}`] ?? FIELD_DESCRIPTIONS[name];
  return 'description' in schema || description === undefined ? schema : { ...schema, description };
}

/** An optional field of a request says its default, or which field can be given instead. */
export function withDefault(schema: JsonObject, parent: object, title: string, name: string): JsonObject {
  const { description } = schema;
  if (requiredOf(parent).includes(name) || typeof description !== 'string' || /\bdefault\b/i.test(description))
    return schema;
  const groups: readonly (readonly string[])[] =
    'x-one-of' in parent && Array.isArray(parent['x-one-of']) ? parent['x-one-of'] : [];
  const others = groups.find((group) => group.includes(name))?.filter((other) => other !== name);
  if (others) return { ...schema, description: ending(description, `Give this or \`${others.join('` or `')}\`.`) };
  const unchanged = title.endsWith('UpdateParams') ? 'unchanged' : FIELD_DEFAULTS[name];
  const says = FIELD_DEFAULTS[`${title}.${name}`] ?? unchanged;
  return says === undefined ? schema : { ...schema, description: ending(description, `Default: ${says}.`) };
}

/** Before the mark of a name that is there for compatibility. */
const ending = (description: string, sentence: string): string =>
  description.replace(/(?: For compatibility\.)?$/, (mark) => ` ${sentence}${mark}`);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export function fieldsOf(schema: object): Record<string, object> {
  return 'properties' in schema && isObject(schema.properties) ? { ...schema.properties } : {};
}

export function requiredOf(schema: object): string[] {
  return 'required' in schema && Array.isArray(schema.required) ? schema.required.map(String) : [];
}
