import { expect, test } from 'vitest';
import { extended, lazyVerbs, mapped, namesOf } from '../../src/kernel/index.ts';

interface Verbs {
  add(by: number): number;
  times(by: number): number;
  readonly name: string;
}

function makers(): { verbsOf: (scope: { from: number }, own?: Partial<Verbs>) => Verbs; made: string[] } {
  const made: string[] = [];
  const verbsOf = lazyVerbs<{ from: number }, Verbs>([
    ({ from }) => {
      made.push(`sums of ${from}`);
      return { add: (by: number) => from + by };
    },
    ({ from }) => {
      made.push(`products of ${from}`);
      return { times: (by: number) => from * by };
    },
  ]);
  return { verbsOf, made };
}

test('functions of a part are made once, when the first of them is used', () => {
  const { verbsOf, made } = makers();
  // The first object shows which names there are.
  verbsOf({ from: 0 });
  made.length = 0;
  const verbs = verbsOf({ from: 3 }, { name: 'three' });
  expect(made).toEqual([]);
  expect([verbs.add(1), verbs.add(2), verbs.name]).toEqual([4, 5, 'three']);
  expect(made).toEqual(['sums of 3']);
});

test('each object has its own scope', () => {
  const { verbsOf } = makers();
  const [three, four] = [verbsOf({ from: 3 }), verbsOf({ from: 4 })];
  expect([three.times(2), four.times(2), three.times(3)]).toEqual([6, 8, 9]);
});

test('an extended object keeps its functions, and a field with the name of one replaces it there only', () => {
  const { verbsOf } = makers();
  const verbs = verbsOf({ from: 3 }, { name: 'three' });
  const more = extended(verbs, { add: () => 0, less: (by: number) => 3 - by });
  expect([more.add(1), more.times(2), more.less(1), more.name]).toEqual([0, 6, 2, 'three']);
  expect(verbs.add(1)).toBe(4);
  expect(namesOf(more).toSorted()).toEqual(['add', 'less', 'name', 'times']);
});

test('a mapped object changes every function and field, also of one that is mapped or extended already', () => {
  const { verbsOf, made } = makers();
  const verbs = extended(verbsOf({ from: 3 }, { name: 'three' }), { less: (by: number) => 3 - by });
  made.length = 0;
  const negative = (value: unknown): unknown =>
    typeof value === 'function' ? (...given: unknown[]) => -(value(...given) as number) : value;
  const once = mapped(verbs, negative);
  const twice = mapped(once, negative);
  expect(made).toEqual([]);
  expect([once.add(1), once.less(1), once.name]).toEqual([-4, -2, 'three']);
  expect([twice.add(1), twice.less(1), twice.name]).toEqual([4, 2, 'three']);
  expect(mapped({ add: (by: number) => by }, negative).add(2)).toBe(-2);
});
