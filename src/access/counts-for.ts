// The names under which approval thresholds count what a key sends (`Caller.countsFor`). Two keys that are one person
// (same-person.ts) share a name and two persons share none, so making or rotating keys gives no second threshold:
//   - the topmost of the key and its ancestors that are not admins, each by its `person` where it names one and otherwise by its
//     lineage. There are several where keys of other lineages rotated one of them;
//   - the `person` of the key, and of each of its ancestors that is not an admin.
// One pair is left out. An admin key is the same person as every key that it made, and those are different persons among each other:
// the admin key has a count of its own. An admin can change the threshold, so a shared count would not bind it.
import type { Uuid } from '../kernel/index.ts';
import { keyActor } from './key-actor.ts';
import { comparedName } from './person.ts';

/** A lineage of keys: its keys have one role, one set of scopes and one person. */
export interface Kin {
  readonly lineageId: Uuid;
  readonly person: string | null;
  readonly isAdmin: boolean;
  /** The lineages of the keys that created or rotated one of its keys. */
  readonly parents: readonly Uuid[];
}

type Links = ReadonlyMap<Uuid, readonly Uuid[]>;

/** `kin`: the key's lineage and all its ancestors'. */
export function countsFor(lineageId: Uuid, kin: readonly Kin[]): string[] {
  const counted = kin.filter((each) => each.lineageId === lineageId || !each.isAdmin);
  const byId = new Map(counted.map((each) => [each.lineageId, each]));
  const parents = new Map(counted.map((each) => [each.lineageId, each.parents.filter((id) => byId.has(id))]));
  const tops = topmost(lineageId, parents).flatMap((id) => byId.get(id) ?? []);
  const named = counted.filter(({ person }) => person !== null);
  return [...new Set([...tops, ...named].map(nameOf))];
}

const nameOf = ({ person, lineageId }: Kin): string =>
  person === null ? keyActor(lineageId) : `person:${comparedName(person)}`;

/** Lineages without a parent, and those whose parents all descend from them: two keys can have rotated each other. */
function topmost(lineageId: Uuid, parents: Links): Uuid[] {
  const edges = [...parents].flatMap(([child, above]) => above.map((parent) => ({ parent, child })));
  const children: Links = new Map(
    [...Map.groupBy(edges, ({ parent }) => parent)].map(([id, own]) => [id, own.map(({ child }) => child)]),
  );
  const tops: Uuid[] = [];
  const settled = new Set<Uuid>();
  // The farthest first: whatever descends from a topmost lineage need not be looked at.
  for (const id of [...reached(lineageId, parents)].toReversed()) {
    if (settled.has(id)) continue;
    const [above, below] = [reached(id, parents), reached(id, children)];
    if (![...above].every((each) => below.has(each))) continue;
    tops.push(...above);
    for (const each of below) settled.add(each);
  }
  return tops;
}

/** Itself, and all that the links lead to. */
function reached(from: Uuid, links: Links): Set<Uuid> {
  const found = new Set([from]);
  // A set yields what is added while it is walked.
  for (const id of found) for (const next of links.get(id) ?? []) found.add(next);
  return found;
}
