// The names under which approval thresholds count keys, and the rule of the same person: one share a name, two share none.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Kin } from '../../src/access/index.ts';
import { countsFor, samePersonAmong } from '../../src/access/index.ts';
import { callerOf } from '../../src/kernel/index.ts';

type Key = Parameters<typeof samePersonAmong>[0][number];

interface Lineage extends Kin {
  /** The lineages of the keys that created or rotated one of its keys. */
  readonly parents: readonly string[];
}

const kin = (lineageId: string, parents: readonly string[] = [], about: Partial<Kin> = {}): Lineage => ({
  lineageId,
  person: null,
  isAdmin: false,
  parents,
  ...about,
});
const ROOT = kin('root', [], { isAdmin: true });

test.each<[what: string, of: string, kin: readonly Kin[], names: readonly string[]]>([
  ['a key without a parent', 'a', [kin('a')], ['key:a']],
  ['a key with a person', 'a', [kin('a', [], { person: 'Jo' })], ['person:jo']],
  ['an admin', 'root', [ROOT], ['key:root']],
  ['a child of an admin', 'a', [ROOT, kin('a', ['root'])], ['key:a']],
  ['a child', 'b', [ROOT, kin('a', ['root']), kin('b', ['a'])], ['key:a', 'key:b']],
  ['a grandchild', 'c', [kin('a'), kin('b', ['a']), kin('c', ['b'])], ['key:a', 'key:b', 'key:c']],
  ['a child with a person', 'b', [kin('a'), kin('b', ['a'], { person: 'Jo' })], ['key:a', 'person:jo']],
  ['a child of a person', 'b', [kin('a', [], { person: 'Jo' }), kin('b', ['a'])], ['person:jo', 'key:b']],
  ['a key that two others rotated', 'c', [kin('a'), kin('b'), kin('c', ['a', 'b'])], ['key:a', 'key:b', 'key:c']],
  ['a key that its descendant rotated', 'a', [kin('a', ['b']), kin('b', ['a'])], ['key:a', 'key:b']],
])('%s counts under itself and its ancestors without admin', (_what, of, all, names) => {
  expect(countsFor(of, all)).toEqual(names);
});

interface Step {
  readonly rotates: boolean;
  readonly by: number;
  readonly which: number;
  readonly isAdmin: boolean;
  readonly person: string | null;
}

const STEPS = fc.array(
  fc.record<Step>({
    rotates: fc.boolean(),
    by: fc.nat(20),
    which: fc.nat(20),
    isAdmin: fc.boolean(),
    person: fc.constantFrom(null, null, null, 'Jo', 'jo', 'Kim'),
  }),
  { maxLength: 14 },
);

/** Keys as they can come to be: a key that is no admin neither makes nor rotates one that is. */
function keysAfter(steps: readonly Step[]): Key[] {
  const keys: Key[] = [];
  for (const [n, { rotates, by, which, isAdmin, person }] of steps.entries()) {
    const maker = keys[by] ?? null;
    const old = rotates ? keys[which % Math.max(1, keys.length)] : undefined;
    const role = old ? old.role : isAdmin ? 'admin' : null;
    if (role === 'admin' && maker && maker.role !== 'admin') continue;
    keys.push({
      id: `${n}`,
      lineageId: old?.lineageId ?? `${n}`,
      parentId: maker?.id ?? null,
      createdBy: maker ? `key:${maker.id}` : 'library',
      person: old ? old.person : role === 'admin' ? null : person,
      role,
      scopes: role === null ? ['keys:write'] : [],
    });
  }
  return keys;
}

const made = (n: number): Key => ({
  id: `${n}`,
  lineageId: `${n}`,
  parentId: null,
  createdBy: 'library',
  person: null,
  role: null,
  scopes: ['keys:write'],
});

const meet = (one: readonly string[], other: readonly string[]): boolean => one.some((name) => other.includes(name));

function namesAmong(keys: readonly Key[]): (key: Key) => readonly string[] {
  const lineageOf = new Map(keys.map(({ id, lineageId }) => [id, lineageId]));
  const all = [...Map.groupBy(keys, ({ lineageId }) => lineageId)].map(([lineageId, own]) => {
    const makers = own.flatMap(({ parentId }) => lineageOf.get(parentId ?? '') ?? []);
    const parents = [...new Set(makers)].filter((id) => id !== lineageId);
    return kin(lineageId, parents, { person: own[0]?.person ?? null, isAdmin: own[0]?.role === 'admin' });
  });
  const byId = new Map(all.map((each) => [each.lineageId, each]));
  return ({ lineageId }) => {
    const line = new Set([lineageId]);
    for (const id of line) for (const parent of byId.get(id)?.parents ?? []) line.add(parent);
    return countsFor(
      lineageId,
      all.filter((each) => line.has(each.lineageId)),
    );
  };
}

test('keys without admin share a name exactly where they are the same person', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const keys = keysAfter(steps);
      const isSame = samePersonAmong(keys);
      const namesOf = namesAmong(keys);
      const limited = keys.filter(({ role }) => role === null);
      for (const one of limited) {
        for (const other of limited) {
          const shares = namesOf(one).some((name) => namesOf(other).includes(name));
          expect([one.id, other.id, shares]).toEqual([one.id, other.id, isSame(`key:${one.id}`, `key:${other.id}`)]);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('a caller that is no key shares a name with a key exactly where they are the same person', () => {
  const actors = ['cli:jo', 'jo', 'Jo', 'cli:cli:jo', 'cli:kim', 'kim lee', 'library', 'user:1'];
  const persons = [null, 'Jo', 'cli:Jo', 'Kim', 'Kim  Lee', 'Library'];
  const keys = persons.map((person, n) => ({ ...made(n), person }));
  const isSame = samePersonAmong(keys);
  const namesOf = namesAmong(keys);
  for (const actor of actors) {
    for (const each of keys) {
      const shares = callerOf({ actor }).countsFor.some((name) => namesOf(each).includes(name));
      expect([actor, each.person, shares]).toEqual([actor, each.person, isSame(actor, `key:${each.id}`)]);
    }
    const sharing = actors.filter((other) => meet(callerOf({ actor }).countsFor, callerOf({ actor: other }).countsFor));
    expect(sharing).toEqual(actors.filter((other) => isSame(actor, other)));
  }
});

test('no name of a key is lost by making and rotating keys', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const keys = keysAfter(steps);
      for (let made = 1; made < keys.length; made += 1) {
        const [before, after] = [namesAmong(keys.slice(0, made)), namesAmong(keys.slice(0, made + 1))];
        for (const each of keys.slice(0, made)) expect(after(each)).toEqual(expect.arrayContaining([...before(each)]));
        const next = keys[made];
        const old = keys.slice(0, made).findLast(({ lineageId }) => lineageId === next?.lineageId);
        if (next && old) expect(after(next)).toEqual(expect.arrayContaining([...before(old)]));
      }
    }),
    { numRuns: 300 },
  );
});
