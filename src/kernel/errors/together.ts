// All problems of a request at once. Fields that do not depend on each other are read together: every one is tried, and what is
// refused is thrown as one refusal with all problems.
import { Refusal } from './refusal.ts';
import type { Refused } from './refusal.ts';

type Steps = Readonly<Record<string, () => unknown>>;
type Results<T extends Steps> = { readonly [Name in keyof T]: ReturnType<T[Name]> };

/** Runs every step. Refusals are collected and thrown together, in the order of the steps; any other error is thrown at once. */
export function together<T extends Steps>(steps: T): Results<T> {
  const found: Record<string, unknown> = {};
  let problems: Refused[] | null = null;
  for (const name in steps) {
    try {
      found[name] = steps[name]?.();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      (problems ??= []).push(...(error.problems.length > 0 ? error.problems : [error.refused]));
    }
  }
  if (problems) refuseAny(problems);
  return found as Results<T>;
}

/** The same for a list. */
export function eachTogether<T, R>(items: readonly T[], step: (item: T, index: number) => R): R[] {
  const results = together(Object.fromEntries(items.map((item, index) => [`_${index}`, () => step(item, index)])));
  return Object.values(results);
}

/** The result of a step, or null where it is refused: `together` reports that. */
export function unlessRefused<T>(step: () => T): T | null {
  try {
    return step();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Most problems that one refusal lists: a hostile body has thousands. */
export const MOST_ERRORS = 50;

/** Throws the first problem, with all of them if there are several. A field has one problem: its first. */
export function refuseAny(problems: readonly Refused[]): void {
  const seen = new Set<unknown>();
  const listed = problems.filter(({ fields }) => {
    const param = fields?.['param'];
    return param === undefined || seen.size < seen.add(param).size;
  });
  const [first] = listed;
  if (first) throw new Refusal(first, listed.length > 1 ? listed.slice(0, MOST_ERRORS) : []);
}

/** The same refusal of a part of the request, its fields named from the whole: `payments[3].to`. */
export function within(place: string, { problems, ...given }: Refused): Refused {
  const param = given.fields?.['param'];
  const named = typeof param === 'string' ? `${place}.${param}` : place;
  return {
    ...given,
    ...(given.fields === undefined ? {} : { fields: { ...given.fields, param: named } }),
    ...(problems === undefined ? {} : { problems: problems.map((problem) => within(place, problem)) }),
  };
}
