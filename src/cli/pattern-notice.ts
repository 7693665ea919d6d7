// Patterns of event types that match nothing there is. They are legal: an application may append its first event of a type later.
import type { TenantVerbs } from '../engine.ts';
import { EVENT_CATALOGUE, matchesType, patternsOf } from '../engine.ts';
import { nearestName } from '../kernel/index.ts';
import type { Screen } from './screen.ts';

const TYPES = Object.keys(EVENT_CATALOGUE);
const MOST_TYPOS = 2;

/** A line for each pattern that no type of usance and no event of the tenant matches. */
export async function noticeUnmatched(screen: Screen, verbs: TenantVerbs, patterns: string): Promise<void> {
  for (const pattern of patternsOf(patterns)) {
    if (TYPES.some((type) => matchesType(pattern, type))) continue;
    if ((await verbs.events({ type: pattern }, { limit: 1 })).length > 0) continue;
    const meant = nearestName(pattern, candidatesFor(pattern), MOST_TYPOS);
    const hint =
      meant === null ? 'it is no type of usance, and the tenant has no event like it' : `did you mean ${meant}?`;
    screen.notice(`usance: no event matches ${pattern} yet: ${hint}`);
  }
}

/** Patterns of the same form that match something: `payment.*`, `*.settled` or a type. */
function candidatesFor(pattern: string): readonly string[] {
  if (pattern.endsWith('.*')) return [...new Set(TYPES.map((type) => type.replace(/\.[^.]+$/, '.*')))];
  if (pattern.startsWith('*.')) return [...new Set(TYPES.map((type) => type.replace(/^[^.]+/, '*')))];
  return TYPES;
}
