// The names under which approval thresholds count what a key sends (`Caller.countsFor`): those of the key and of every ancestor that is
// not an admin, each by its `person` where it has one and otherwise by its lineage. Two keys that are one person (same-person.ts) share
// a name and two persons share none. Making or rotating keys only ever adds names to a key, so what was counted under a name keeps
// counting, and no key gets a second threshold.
// A caller that is no key counts under its name as a person's (`callerOf`): the command of a person shares a name with that person's keys.
// One pair is left out. An admin key is the same person as every key that it made, and those are different persons among each other:
// the admin key has a count of its own. An admin can change the threshold, so a shared count would not bind it.
import type { Uuid } from '../kernel/index.ts';
import { comparedName, countedAs } from '../kernel/index.ts';
import { keyActor } from './key-actor.ts';

/** A lineage of keys: its keys have one role, one set of scopes and one person. */
export interface Kin {
  readonly lineageId: Uuid;
  readonly person: string | null;
  readonly isAdmin: boolean;
}

/** `kin`: the key's lineage and all its ancestors'. */
export function countsFor(lineageId: Uuid, kin: readonly Kin[]): string[] {
  const counted = kin.filter((each) => each.lineageId === lineageId || !each.isAdmin);
  return [...new Set(counted.map(nameOf))];
}

const nameOf = ({ person, lineageId }: Kin): string =>
  person === null ? keyActor(lineageId) : countedAs(comparedName(person));
