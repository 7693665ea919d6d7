// Checks a value against a schema of the contract and says, where it does not fit, which field to mend and why, in our words:
// the compiler's own speak of keywords. A schema may carry `x-code` and `x-reason` where a better code than FIELD_INVALID
// exists (an amount, an instant) or where a pattern says nothing to a person.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Code } from '../kernel/index.ts';
import { nearestName, refuse } from '../kernel/index.ts';

/** What the compiler tells of one misfit. */
interface Misfit {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
}

/** Of a name that is compared with those of the schema. */
const LONGEST_NAME = 64;

export type Check = (value: unknown) => void;

/** `where` names the whole when the whole is wrong: "the body". */
export function checkOf(schema: TSchema, where: string): Check {
  const validator = Compile(schema);
  return (value) => {
    if (!validator.Check(value)) explain(schema, where, validator.Errors(value));
  };
}

function explain(schema: TSchema, where: string, misfits: readonly Misfit[]): never {
  const unknown = misfits.find(
    ({ keyword, schemaPath }) =>
      keyword === 'additionalProperties' && nodesTo(schema, schemaPath).at(-1)?.['additionalProperties'] === false,
  );
  if (unknown) {
    const [name = ''] = listOf(unknown.params, 'additionalProperties');
    const param = join(unknown.instancePath, name);
    const known = Object.keys(childOf(nodesTo(schema, unknown.schemaPath).at(-1), 'properties') ?? {});
    const meant = nearestName(name.slice(0, LONGEST_NAME), known, Math.min(2, Math.floor(name.length / 3)));
    const takes = known.length === 0 ? 'there are no fields here' : `the fields are ${known.join(', ')}`;
    const hint = meant === null ? takes : `did you mean ${meant}?`;
    refuse('FIELD_UNKNOWN', `${JSON.stringify(param)} is not a field; ${hint}`, { param });
  }
  const misfit = misfits.find(({ keyword }) => keyword !== 'boolean' && keyword !== 'additionalProperties');
  if (!misfit) refuse('FIELD_INVALID', `${where} does not fit`);
  // The outermost schema on the way that says something for people: a union's branches would each complain in turn.
  const nodes = nodesTo(schema, misfit.schemaPath);
  const told = nodes.find((node) => 'x-reason' in node);
  const missing = misfit.keyword === 'required' ? (listOf(misfit.params, 'requiredProperties')[0] ?? '') : '';
  const param = join(misfit.instancePath, missing);
  const reason = typeof told?.['x-reason'] === 'string' ? told['x-reason'] : reasonOf(misfit);
  refuse(
    (told?.['x-code'] as Code | undefined) ?? 'FIELD_INVALID',
    `${param || where} ${reason}`,
    param === '' ? {} : { param },
  );
}

function reasonOf({ keyword, params }: Misfit): string {
  const value = (name: string): string => String((params as Record<string, unknown>)[name]);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be ${listOf(params, 'type').map(article).join(' or ')}`;
    case 'enum':
      return `must be one of ${listOf(params, 'allowedValues').join(', ')}`;
    case 'const':
      return `must be ${value('allowedValue')}`;
    case 'minLength':
      return `must have at least ${value('limit')} characters`;
    case 'maxLength':
      return `must have at most ${value('limit')} characters`;
    case 'minItems':
      return `must have at least ${value('limit')} items`;
    case 'maxItems':
      return `must have at most ${value('limit')} items`;
    case 'minProperties':
      return 'must have at least one field';
    case 'minimum':
      return `must be at least ${value('limit')}`;
    case 'maximum':
      return `must be at most ${value('limit')}`;
    default:
      return 'has the wrong form';
  }
}

const article = (type: string): string =>
  type === 'null' ? 'null' : type === 'integer' ? 'a whole number' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;

function listOf(params: object, name: string): string[] {
  const value = (params as Record<string, unknown>)[name];
  return (Array.isArray(value) ? value : [value]).map(String);
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
