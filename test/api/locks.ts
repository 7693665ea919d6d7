// Where a request names something that belongs to somebody, found in the schemas of its route. Path, query and body are looked
// through; a schema says by `x-id` what its text names.
import type { Route } from '../../src/api/index.ts';

export type Part = 'params' | 'query' | 'body';

export interface Place {
  readonly part: Part;
  readonly path: readonly (string | number)[];
  readonly kind: string;
}

export interface Sent {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

const PARTS: readonly Part[] = ['params', 'query', 'body'];

export const placesOf = (route: Pick<Route, Part>): Place[] =>
  PARTS.flatMap((part) => leavesOf(route[part] as Node).flatMap(({ path, node }) => found(part, path, node)));

const found = (part: Part, path: Place['path'], node: Node): Place[] =>
  typeof node['x-id'] === 'string' ? [{ part, path, kind: node['x-id'] }] : [];

/** Words that name an account or another thing wherever they are used. */
const TELLING = /(^|_)(id|account|from|to|user|guardian|payer|payee|owner|junior)$/;

/** Texts that name something, to go by their name, and do not say what: the walk would not try them. */
export function silentPlaces(route: Pick<Route, Part>): string[] {
  return PARTS.flatMap((part) =>
    leavesOf(route[part] as Node)
      .filter(({ node }) => node['x-id'] === undefined && node['format'] === undefined && !('enum' in node))
      .filter(({ node }) => [node['type']].flat().includes('string'))
      .filter(({ path }) => part === 'params' || TELLING.test(String(path.at(-1))))
      .map(({ path }) => `${part}.${path.join('.')}`),
  );
}

type Node = Readonly<Record<string, unknown>>;

function leavesOf(node: Node, path: readonly (string | number)[] = []): { path: Place['path']; node: Node }[] {
  const fields = Object.entries((node['properties'] ?? {}) as Record<string, Node>);
  const branches = (node['anyOf'] ?? []) as Node[];
  const items = node['items'] as Node | undefined;
  const inner = [
    ...fields.flatMap(([name, field]) => leavesOf(field, [...path, name])),
    ...branches.flatMap((branch) => leavesOf(branch, path)),
    ...(items ? leavesOf(items, [...path, 0]) : []),
  ];
  return inner.length > 0 ? inner : [{ path, node }];
}

/** What cannot be given together with a field. */
const RIVALS: Readonly<Record<string, readonly string[]>> = {
  to: ['to_user', 'legs'],
  to_user: ['to'],
  legs: ['to', 'steps'],
};

/** The same request with another name in one place. */
export function withName(sent: Sent, place: Place, name: string): Sent {
  const copy = structuredClone({ params: sent.params, query: sent.query, body: sent.body ?? {} });
  let holder = copy[place.part] as Record<string | number, unknown>;
  for (const [index, step] of place.path.entries()) {
    for (const rival of RIVALS[step] ?? []) delete holder[rival];
    if (index === place.path.length - 1) holder[step] = name;
    else {
      holder[step] ??=
        step === 'legs' ? [{ amount: holder['amount'] }] : typeof place.path[index + 1] === 'number' ? [{}] : {};
      holder = holder[step] as Record<string | number, unknown>;
    }
  }
  return copy;
}
