// One block and its events: whether they are what was hashed when they were appended.
import type { Link, StoredEvent } from '../events/index.ts';
import { digestBlock, digestDetails, digestEvent } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { eventIdAt } from '../kernel/index.ts';
import { isErased } from './erased.ts';

export interface BlockFault {
  readonly found: string;
  /** The event, where one can be named. */
  readonly event?: Uuid;
}

/** Null where nothing is wrong. `events` are all that have an id of the block, in order. */
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

/** Events that are held in memory at once: one block of the largest size. */
const EVENTS_AT_ONCE = 8_192;

/** Parts with a bounded number of events, of one link at least. */
export function* inParts(links: readonly Link[]): Generator<Link[]> {
  let part: Link[] = [];
  let events = 0;
  for (const link of links) {
    if (part.length > 0 && events + link.events > EVENTS_AT_ONCE) {
      yield part;
      [part, events] = [[], 0];
    }
    part.push(link);
    events += link.events;
  }
  if (part.length > 0) yield part;
}

/** What the block's digest covers of an event. */
export function leafOf(event: StoredEvent): Buffer {
  const details = event.details ?? digestDetails(event.salt ?? Buffer.alloc(0), event);
  return digestEvent(event, details);
}
