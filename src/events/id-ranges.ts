// Ranges of event ids. Ids are of real time and partition `events` by month: a bound on ids is a bound on the partitions that are read.
import type { Uuid } from '../kernel/index.ts';
import { NIL_UUID, firstIdAt, idInstant } from '../kernel/index.ts';

/** The least and the greatest id of ranges. */
export function boundsOf(ranges: readonly { readonly from: Uuid; readonly to: Uuid }[]): [Uuid, Uuid] {
  let [from, to] = [ranges[0]?.from ?? NIL_UUID, ranges[0]?.to ?? NIL_UUID];
  for (const range of ranges) {
    if (range.from < from) from = range.from;
    if (range.to > to) to = range.to;
  }
  return [from, to];
}

/** How far the clocks of two processes may be apart. */
const CLOCKS_APART_MS = 3_600_000;

/** No event about a resource is older than the resource: a bound on ids, for those whose id says when it was made. */
export function earliestEventOf(resourceId: Uuid): Uuid {
  const isTimed = resourceId.charAt(14) === '7';
  return isTimed ? firstIdAt(new Date(Math.max(0, idInstant(resourceId).getTime() - CLOCKS_APART_MS))) : NIL_UUID;
}
