import type { Json } from '../engine.ts';

/** A shown thing is JSON by its schema, which the compiler cannot see where callers' own metadata is in it. */
export function jsonOf(shown: object): Json {
  return shown as Json;
}
