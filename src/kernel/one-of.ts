// Options that take one of a few words. A caller without types may send any; an unknown one is refused, never taken for the default.
import { refuse } from './errors/index.ts';

export function oneOf<const T extends string>(value: string, among: readonly T[], param: string): T {
  return among.find((each) => each === value) ?? refuse('FIELD_INVALID/one_of', { param, allowed: among });
}

/** The same where several may be given: one, or a list. */
export function someOf<const T extends string>(
  value: string | readonly string[],
  among: readonly T[],
  param: string,
): readonly T[] {
  return [value].flat().map((each) => oneOf(each, among, param));
}
