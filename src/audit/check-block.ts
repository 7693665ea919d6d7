// Compares the events of a block with the digest that was made when they were appended.
import type { Link, StoredEvent } from '../events/index.ts';
import { digestBlock, digestDetails, digestEvent } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { eventIdAt } from '../kernel/index.ts';
import { isErased } from './erased.ts';

export interface BlockFault {
  readonly found: string;
  /** The event, if one can be named. */
  readonly event?: Uuid;
}

/** Null if nothing is wrong. `events` are all that have an id of the block, in order: also those that the block does not count. */
export function faultInBlock(link: Link, events: readonly StoredEvent[]): BlockFault | null {
  const added = events[link.events];
  if (added) return { event: added.id, found: 'the event was added to its block' };
  for (let ordinal = 0; ordinal < link.events; ordinal += 1) {
    const id = eventIdAt(link.blockId, ordinal);
    const event = events[ordinal];
    if (event?.id !== id) return { event: id, found: 'the event is gone' };
    if (event.recordedAtUs !== link.recordedAtUs) return { event: id, found: 'its recording time was changed' };
    if (event.salt === null && !isErased(event))
      return { event: id, found: 'its details were changed after they were erased' };
  }
  if (digestBlock(events.map(leafOf)).equals(link.digest)) return null;
  const [only] = events;
  return events.length === 1 && only
    ? { event: only.id, found: 'the event was changed' }
    : { found: `an event of block ${link.blockId} was changed` };
}

/** Events that are read at once: an event of an application can have 64 KiB, so that these take 64 MiB at most. */
const READ_AT_ONCE = 1_024;

/** Links in parts whose events fit into memory: at most so many events, or one link. Blocks of applications have at most 4 MiB. */
export function* partsByEvents(links: readonly Link[]): Generator<Link[]> {
  let part: Link[] = [];
  let events = 0;
  for (const link of links) {
    if (part.length > 0 && events + link.events > READ_AT_ONCE) {
      yield part;
      [part, events] = [[], 0];
    }
    part.push(link);
    events += link.events;
  }
  if (part.length > 0) yield part;
}

/** The leaf of an event in the tree of its block. */
export function leafOf(event: StoredEvent): Buffer {
  const details = event.details ?? digestDetails(event.salt ?? Buffer.alloc(0), event);
  return digestEvent(event, details);
}
