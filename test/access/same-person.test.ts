// The rule of approvals, alone: which actors are one person.
import { expect, test } from 'vitest';
import { countsFor, samePersonAmong } from '../../src/access/index.ts';

type Keys = Parameters<typeof samePersonAmong>[0];
type Key = Keys[number];

const key = (id: string, about: Partial<Key> = {}): Key => {
  const createdBy = about.createdBy ?? 'library';
  const parentId = createdBy.startsWith('key:') ? createdBy.slice(4) : null;
  return { id, lineageId: id, parentId, person: null, role: null, scopes: ['keys:write'], ...about, createdBy };
};
const admin = { role: 'admin', scopes: [] } as const;

const KEYS: Keys = [
  key('root', admin),
  key('anna', { createdBy: 'key:root' }),
  key('anna2', { createdBy: 'key:anna', lineageId: 'anna' }),
  key('anna3', { createdBy: 'key:root', lineageId: 'anna' }),
  key('bert', { createdBy: 'key:root' }),
  key('child', { createdBy: 'key:anna' }),
  key('other child', { createdBy: 'key:anna2' }),
  key('grandchild', { createdBy: 'key:child' }),
  key('bert’s child', { createdBy: 'key:bert' }),
  key('jo’s till', { createdBy: 'key:root', person: 'Jo' }),
  key('jo’s desk', { createdBy: 'library', person: 'Jo' }),
  key('of jo’s till', { createdBy: 'key:jo’s till' }),
  key('by command', { createdBy: 'cli:kim' }),
  key('by command too', { createdBy: 'cli:kim' }),
  key('by name', { person: 'kim' }),
  key('under admin', { createdBy: 'key:root', ...admin }),
];
const isSame = samePersonAmong(KEYS);

test.each([
  ['itself', 'key:anna', 'key:anna'],
  ['an actor without a key', 'cli:kim', 'cli:kim'],
  ['an end user', 'user:1', 'user:1'],
  ['a rotated key', 'key:anna', 'key:anna2'],
  ['a key rotated by another', 'key:anna2', 'key:anna3'],
  ['the key that rotated it', 'key:root', 'key:anna3'],
  ['a child', 'key:anna', 'key:child'],
  ['a child of a rotated key', 'key:anna3', 'key:child'],
  ['a grandchild', 'key:anna', 'key:grandchild'],
  ['a grandchild of an admin', 'key:root', 'key:child'],
  ['a sibling under a key that is no admin', 'key:child', 'key:other child'],
  ['a cousin under a key that is no admin', 'key:grandchild', 'key:other child'],
  ['a key of the same person', 'key:jo’s till', 'key:jo’s desk'],
  ['a child of a key of the same person', 'key:of jo’s till', 'key:jo’s desk'],
  ['the command that made it', 'key:by command', 'cli:kim'],
  ['a person by name and by login', 'key:by name', 'cli:kim'],
  ['a key of the login that another’s command made', 'key:by command', 'key:by name'],
])('%s is the same person', (_what, one, other) => {
  expect([isSame(one, other), isSame(other, one)]).toEqual([true, true]);
});

test.each([
  ['two actors', 'cli:kim', 'cli:jo'],
  ['two children of an admin', 'key:anna', 'key:bert'],
  ['two children of an admin, one of them an admin', 'key:anna', 'key:under admin'],
  ['descendants of two children of an admin', 'key:grandchild', 'key:bert’s child'],
  ['two keys that one command made', 'key:by command', 'key:by command too'],
  ['the application and a key that it made', 'library', 'key:root'],
  ['a key and an end user', 'key:anna', 'user:1'],
  ['a key that is not known', 'key:anna', 'key:elsewhere'],
])('%s are two persons', (_what, one, other) => {
  expect([isSame(one, other), isSame(other, one)]).toEqual([false, false]);
});

test.each([
  ['another case', 'Jo Miller', 'jo miller'],
  ['two spaces', 'Jo Miller', 'Jo  Miller'],
  ['a space of another kind', 'Jo Miller', 'Jo\u00a0Miller'],
  ['wide letters', 'Jo Miller', '\uff2a\uff4f Miller'],
  ['a composed letter', 'Zo\u00eb', 'Zoe\u0308'],
  ['a sharp s', 'Anna Groß', 'ANNA GROSS'],
])('a person whose name is written with %s is the same person', (_what, one, other) => {
  const keys = [key('one', { person: one }), key('other', { person: other })];
  expect(samePersonAmong(keys)('key:one', 'key:other')).toBe(true);
  const kin = (lineageId: string, person: string) => [{ lineageId, person, isAdmin: false, parents: [] }];
  expect(countsFor('one', kin('one', one))).toEqual(countsFor('other', kin('other', other)));
});

test('persons of two names are two persons', () => {
  const keys = [key('one', { person: 'Jo Miller' }), key('other', { person: 'JoMiller' })];
  expect(samePersonAmong(keys)('key:one', 'key:other')).toBe(false);
});
