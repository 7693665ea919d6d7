// From a raw request to a Call: query and path texts become what their schema says, and everything is checked before a
// handler sees it.
import type { TSchema } from 'typebox';
import type { IdKind } from '../kernel/index.ts';
import { isUuid, refuse, refuseAny, toTypeId } from '../kernel/index.ts';
import { takeDryRun } from './dry-run.ts';
import type { Route } from './route.ts';
import type { Check } from './validate.ts';
import { QUERY, checkOf } from './validate.ts';

interface Raw {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface Understood extends Raw {
  readonly dryRun: boolean;
}

/** Compiled once for a route. Throws a Refusal. */
export function readerOf(route: Route): (raw: Raw) => Understood {
  const checks: Record<'params' | 'query' | 'body', Check> = {
    params: checkOf(route.params, 'the path'),
    query: checkOf(route.query, QUERY),
    body: checkOf(route.body, 'the body'),
  };
  const [paramsOf, queryOf] = [textsOf(route.params), textsOf(route.query)];
  const ids = { params: idsOf(route.params), query: idsOf(route.query), body: idsOf(route.body) };
  return (given) => {
    const { dryRun, problems, ...raw } = takeDryRun(route, given);
    const params = ids.params(paramsOf(raw.params));
    const query = ids.query(queryOf(raw.query));
    // A change without fields may come without a body; one with fields says itself what is missing.
    const body = ids.body(raw.body === undefined ? {} : raw.body);
    refuseAny([...problems, ...checks.params(params), ...checks.query(query), ...checks.body(body)]);
    return { params, query, body, dryRun };
  };
}

/** A UUID is accepted where an id is wanted: it is what the tables have. Answers always have TypeIDs. */
function idsOf(schema: TSchema): <T>(value: T) => T {
  const kinds = Object.entries(propertiesOf(schema)).flatMap(([name, field]) => {
    const { 'x-id': kind, 'x-code': code } = field as { 'x-id'?: IdKind; 'x-code'?: string };
    return kind !== undefined && code === 'ID_INVALID' ? [[name, kind] as const] : [];
  });
  return (value) => {
    if (kinds.length === 0 || typeof value !== 'object' || value === null) return value;
    const given = value as Record<string, unknown>;
    const uuids = kinds.filter(([name]) => typeof given[name] === 'string' && isUuid(given[name]));
    if (uuids.length === 0) return value;
    return {
      ...value,
      ...Object.fromEntries(uuids.map(([name, kind]) => [name, toTypeId(kind, String(given[name]))])),
    };
  };
}

/** A query carries only text: "50" is a number where the contract wants one. */
export function textsOf(schema: TSchema): (raw: unknown) => Record<string, unknown> {
  const properties = propertiesOf(schema);
  return (raw) =>
    Object.fromEntries(
      gathered(raw ?? {}, properties).map(([name, value]) => {
        if (typeOf(properties[name]) === 'array') return [name, wordsOf(name, value)];
        if (typeOf(properties[name]) === 'object' && isPlain(value)) return [name, value];
        if (typeof value !== 'string') refuse('FIELD_INVALID/given_twice', { param: name });
        if (value.includes('\0')) refuse('FIELD_INVALID/not_storable', { param: name });
        return [name, coerced(value, properties[name])];
      }),
    );
}

/** `metadata[order]=A-1` is a field of `metadata`, and `expand[]=from` is `expand`, where the schema has such a parameter. */
function gathered(raw: object, properties: Readonly<Record<string, unknown>>): [string, unknown][] {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(raw) as [string, unknown][]) {
    const [, outer = name, inner] = /^([a-z_]+)\[(.*)\]$/s.exec(name) ?? [];
    const type = inner === undefined ? null : typeOf(properties[outer]);
    if (type === 'object' && inner !== '') {
      const before = found.get(outer);
      found.set(outer, { ...(isPlain(before) ? before : {}), [String(inner)]: value });
    } else if (type === 'array' && inner === '') found.set(outer, value);
    else found.set(name, value);
  }
  return [...found];
}

/** One text with commas, or the parameter several times. */
function wordsOf(name: string, value: unknown): string[] {
  const texts: unknown[] = [value].flat();
  return texts.flatMap((text) =>
    typeof text === 'string'
      ? text.split(',')
      : refuse('FIELD_INVALID/wrong_type', { param: name, expected: ['a string'] }),
  );
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typeOf = (schema: unknown): unknown =>
  typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : 'string';

function coerced(text: string, schema: unknown): unknown {
  const type = typeOf(schema);
  if (type === 'integer' && /^-?[0-9]{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function propertiesOf(schema: TSchema): Readonly<Record<string, unknown>> {
  return 'properties' in schema && typeof schema.properties === 'object' ? { ...schema.properties } : {};
}
