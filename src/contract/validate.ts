// Checks a value against a schema of the contract. A value that does not fit gets a refusal for every field to correct, as an entry
// of the error catalogue: the schema compiler speaks of keywords. A schema may name the refusal itself (`refusedAs`) where a better
// code than FIELD_INVALID exists (an amount, an instant) or where a pattern says nothing to a person.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import type { Fields, RefusalFields, RefusalKey, Refused } from '../kernel/index.ts';
import { MOST_ERRORS, nearestName, refused } from '../kernel/index.ts';

/** One error of the schema compiler. */
interface Misfit {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
}

/** Longest name that is compared with the names of the schema. */
const LONGEST_NAME = 64;
/** Characters of a path that a refusal names. */
const LONGEST_PARAM = 200;
/** A union complains once for each of its branches, so there are more misfits than problems. */
const MOST_MISFITS = 4 * MOST_ERRORS;

/** Names the query as a whole. */
export const QUERY = 'the query';

/** The problems of a value; none where it fits. */
export type Check = (value: unknown) => readonly Refused[];

/** `where` names the whole when the whole is wrong: "the body". */
export function checkOf(schema: TSchema, where: string): Check {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return [];
    const misfits = withMisfits(() => validator.Errors(value));
    const problems = problemsOf(schema, where, where === QUERY ? misfits.map(ofWholeParameter) : misfits);
    return problems.length > 0 ? problems : [refused('FIELD_INVALID/not_an_object', { where })];
  };
}

/** The words of `status=settled,failed` are one parameter to the caller. */
const ofWholeParameter = (misfit: Misfit): Misfit => ({
  ...misfit,
  instancePath: misfit.instancePath.replace(/^(\/[^/]+)\/\d+$/, '$1'),
});

/** The compiler finds at most eight errors unless configured otherwise, for the whole process: the setting is restored. */
function withMisfits<T>(work: () => T): T {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: MOST_MISFITS });
  try {
    return work();
  } finally {
    Settings.Set({ maxErrors });
  }
}

/** One problem for each field, and one for each union: its branches would each complain in turn. Unknown fields come first. */
function problemsOf(schema: TSchema, where: string, misfits: readonly Misfit[]): Refused[] {
  const unknown = misfits.filter(isUnknown);
  const others = misfits.filter(({ keyword }) => keyword !== 'boolean' && keyword !== 'additionalProperties');
  const found = new Map<string, Refused>();
  const unions = new Set<string>();
  for (const misfit of [...unknown, ...others]) {
    const union = unionOf(misfit);
    if (union !== null && unions.has(union)) continue;
    if (union !== null) unions.add(union);
    for (const [param, problem] of problemsIn(schema, where, misfit)) {
      if (found.size < MOST_ERRORS && !found.has(param)) found.set(param, problem);
    }
  }
  return [...found.values()];
}

/** A closed object has the schema `false` for every field that it does not name. */
const CLOSED = '/additionalProperties';
const isUnknown = ({ keyword, schemaPath }: Misfit): boolean => keyword === 'boolean' && schemaPath.endsWith(CLOSED);

/** The problems of one misfit by their fields: several fields can be missing at once. */
function problemsIn(schema: TSchema, where: string, misfit: Misfit): [string, Refused][] {
  const { keyword, params, instancePath } = misfit;
  if (isUnknown(misfit)) {
    const holder = nodesTo(schema, misfit.schemaPath.slice(0, -CLOSED.length)).at(-1);
    const name = unescaped(instancePath.split('/').at(-1) ?? '');
    const param = join(instancePath, '');
    return [[param, unknownField(param, name, Object.keys(childOf(holder, 'properties') ?? {}))]];
  }
  const nodes = nodesTo(schema, misfit.schemaPath);
  if (keyword === 'required') {
    return listOf(params, 'requiredProperties').map((name) => {
      const param = join(instancePath, name);
      return [param, refused('FIELD_INVALID/required', { param })];
    });
  }
  const param = join(instancePath, '');
  // The outermost schema on the way that names a refusal is about the whole value, its branches are not.
  const named = nodes.find((node) => 'x-code' in node);
  if (named && param !== '') return [[param, namedProblem(named, param)]];
  return [[param, param === '' ? wholeProblem(misfit, where) : problemOf(misfit, param, nodes.at(-1))]];
}

function unknownField(path: string, name: string, known: readonly string[]): Refused {
  // A caller's own text: a body of long names would come back twice its size.
  const param = path.length > LONGEST_PARAM ? `${path.slice(0, LONGEST_PARAM)}…` : path;
  const meant = nearestName(name.slice(0, LONGEST_NAME), known, Math.min(2, Math.floor(name.length / 3)));
  if (meant !== null) return refused('FIELD_UNKNOWN/similar', { param, meant });
  return known.length === 0
    ? refused('FIELD_UNKNOWN/no_fields', { param })
    : refused('FIELD_UNKNOWN/unknown', { param, known });
}

const wholeProblem = ({ keyword }: Misfit, where: string): Refused =>
  refused(keyword === 'minProperties' ? 'FIELD_INVALID/nothing_given' : 'FIELD_INVALID/not_an_object', { where });

function problemOf({ keyword, params }: Misfit, param: string, node: Node | undefined): Refused {
  const limit = Number((params as Record<string, unknown>)['limit']);
  switch (keyword) {
    case 'type':
      // A value of a list of words: the words say more than their type.
      if (Array.isArray(node?.['enum']))
        return refused('FIELD_INVALID/one_of', { param, allowed: node['enum'].map(String) });
      return refused('FIELD_INVALID/wrong_type', { param, expected: listOf(params, 'type').map(article) });
    case 'enum':
      return refused('FIELD_INVALID/one_of', { param, allowed: listOf(params, 'allowedValues') });
    case 'const':
      return refused('FIELD_INVALID/one_of', { param, allowed: listOf(params, 'allowedValue') });
    case 'minLength':
      return refused('FIELD_INVALID/too_short', { param, min: limit });
    case 'maxLength':
      return refused('FIELD_INVALID/too_long', { param, max: limit });
    case 'minItems':
      return refused('FIELD_INVALID/too_few_items', { param, min: limit });
    case 'maxItems':
      return refused('FIELD_INVALID/too_many_items', { param, max: limit });
    case 'minProperties':
      return refused('FIELD_INVALID/no_fields', { param });
    case 'minimum':
      return refused('FIELD_INVALID/too_small', { param, min: limit });
    case 'maximum':
      return refused('FIELD_INVALID/too_large', { param, max: limit });
    default:
      return refused('FIELD_INVALID/wrong_form', { param });
  }
}

const article = (type: string): string =>
  type === 'null' ? 'null' : type === 'integer' ? 'a whole number' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;

function listOf(params: object, name: string): string[] {
  const value = (params as Record<string, unknown>)[name];
  return (Array.isArray(value) ? value : [value]).map(String);
}

type FieldsBesideParam<Key extends RefusalKey> = Omit<RefusalFields<Key>, 'param'>;

/** Options of a schema: how a value that does not fit is refused. */
export function refusedAs<Key extends RefusalKey>(
  key: Key,
  ...[fields]: keyof FieldsBesideParam<Key> extends never ? [] : [FieldsBesideParam<Key>]
): object {
  const [code, reason] = key.split('/');
  return {
    'x-code': code,
    ...(reason === undefined ? {} : { 'x-reason': reason }),
    ...(fields === undefined ? {} : { 'x-fields': fields }),
  };
}

function namedProblem(node: Node, param: string): Refused {
  const { 'x-code': code, 'x-reason': reason, 'x-fields': fields } = node;
  const key = [code, reason ?? []].flat().join('/') as RefusalKey;
  return (refused as (key: RefusalKey, fields: Fields) => Refused)(key, { ...(fields as Fields | undefined), param });
}

type Node = Readonly<Record<string, unknown>>;

/** The schema of the value that a pointer is about, and each one inside it on the way (a union's branch), outermost first. */
function nodesTo(schema: TSchema, pointer: string): Node[] {
  let nodes: Node[] = [schema as Node];
  for (const step of pointer.split('/').slice(1)) {
    const next = childOf(nodes.at(-1), unescaped(step));
    if (!next) continue;
    // A field or an item is another value: what its holder says of itself is not about it.
    nodes = step === 'properties' || step === 'items' ? [next] : [...nodes, next];
  }
  return nodes;
}

/** The outermost union that a misfit is in, as the place in the value that it describes; null where it is in none. */
function unionOf({ schemaPath, instancePath }: Misfit): string | null {
  const [outside, ...inside] = schemaPath.split(/\/(?:anyOf|oneOf)(?=\/|$)/);
  if (inside.length === 0 || outside === undefined) return null;
  const depth = outside.split('/').filter((step) => step === 'properties' || step === 'items').length;
  return instancePath
    .split('/')
    .slice(0, depth + 1)
    .join('/');
}

function childOf(node: Node | undefined, name: string): Node | undefined {
  const child = node?.[name];
  return typeof child === 'object' && child !== null ? (child as Node) : undefined;
}

/** `/legs/0` and `to` make `legs[0].to`. */
function join(instancePath: string, name: string): string {
  const steps = instancePath.split('/').slice(1).map(unescaped);
  return [...steps, ...(name === '' ? [] : [name])]
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
