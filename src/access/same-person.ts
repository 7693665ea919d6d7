// Which actors are the same person: the rule of approvals, in one place. Two actors are one person where
//   - they are one actor, keys of one rotation lineage, or keys with the same `person`, as person.ts compares names;
//   - one is an ancestor of the other: it created the other, rotated it, or did so with one of its ancestors;
//   - they descend from one key that is not an admin: the holder of that key may hold both.
// An end user descends from every actor that installed keys of the tenant's token issuers: that actor can sign the user's tokens.
// Two children of an admin key are two persons: an admin issues keys for other people. A key that a named caller (`cli:jo`) made
// counts as that caller's. The unnamed caller `library` is the application itself and is never an ancestor.
import { comparedName, personsOf } from '../kernel/index.ts';
import type { ApiKey } from './api-key.ts';
import { allowedTo } from './api-key.ts';
import { isUser, keyActor } from './key-actor.ts';
import { allows } from './scope.ts';

type PersonKey = Pick<ApiKey, 'id' | 'lineageId' | 'parentId' | 'person' | 'createdBy' | 'role' | 'scopes'>;

interface Descent {
  /** What identifies the actor itself. */
  readonly self: ReadonlySet<string>;
  /** What identifies any of its ancestors. */
  readonly ancestors: ReadonlySet<string>;
  /** The same, of ancestors that are keys without admin. */
  readonly limited: ReadonlySet<string>;
}

const UNNAMED = new Set(['library', 'system']);

/**
 * `keys`: those of the actors in question, of their lineages, and of all their ancestors. `keyers`: the actors that installed
 * keys of the tenant's token issuers.
 */
export function samePersonAmong(
  keys: readonly PersonKey[],
  keyers: readonly string[] = [],
): (one: string, other: string) => boolean {
  const byActor = new Map(keys.map((key) => [keyActor(key.id), key]));
  const lineages = Map.groupBy(keys, (key) => key.lineageId);
  const descents = new Map<string, Descent>();
  const descentOf = (actor: string): Descent => {
    const known = descents.get(actor) ?? descend(actor, byActor, lineages, keyers);
    descents.set(actor, known);
    return known;
  };
  return (one, other) => {
    const [a, b] = [descentOf(one), descentOf(other)];
    return (
      one === other ||
      meet(a.self, b.self) ||
      meet(a.self, b.ancestors) ||
      meet(b.self, a.ancestors) ||
      meet(a.limited, b.limited)
    );
  };
}

function descend(
  actor: string,
  byActor: ReadonlyMap<string, PersonKey>,
  lineages: ReadonlyMap<string, readonly PersonKey[]>,
  keyers: readonly string[],
): Descent {
  const [ancestors, limited] = [new Set<string>(), new Set<string>()];
  const key = byActor.get(actor);
  const walked = new Set<string>();
  const descendFrom = (maker: string): void => {
    const parent = byActor.get(maker);
    if (parent && parent.lineageId === key?.lineageId) return;
    for (const name of parent ? identifying(parent) : UNNAMED.has(maker) ? [] : namesOf(maker)) {
      ancestors.add(name);
      if (parent && !allows(allowedTo(parent), 'admin')) limited.add(name);
    }
    if (parent) walked.add(parent.lineageId);
  };
  if (key) walked.add(key.lineageId);
  else if (isUser(actor)) keyers.forEach(descendFrom);
  for (const lineage of walked) {
    for (const { createdBy } of lineages.get(lineage) ?? []) descendFrom(createdBy);
  }
  return { self: key ? identifying(key) : namesOf(actor), ancestors, limited };
}

const meet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((each) => b.has(each));

const identifying = ({ lineageId, person }: PersonKey): Set<string> =>
  new Set([`lineage ${lineageId}`, ...(person === null ? [] : [`person ${comparedName(person)}`])]);

/** An actor that is no key is a person by its name, with or without the prefix of commands. */
const namesOf = (actor: string): Set<string> =>
  new Set([`actor ${actor}`, ...personsOf(actor).map((person) => `person ${person}`)]);
