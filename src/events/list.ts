// Events in order, as callers page through them.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { EventFilter, SequencedEvent } from './store.ts';
import { listEvents } from './store.ts';

export interface EventPage {
  readonly events: readonly SequencedEvent[];
  /** The place to go on from; null at the end. A page may be short, or empty, and not be the last. */
  readonly next: bigint | null;
}

interface PageOrder {
  readonly after?: bigint;
  readonly limit?: number;
}

const PAGE = 100;

/** One page, in bounded time whatever the filter. */
export async function pageOfEvents(
  sql: Sql,
  tenantId: Uuid,
  filter: EventFilter = {},
  { after = 0n, limit = PAGE }: PageOrder = {},
  stretch?: number,
): Promise<EventPage> {
  // One more than asked, to know whether there is a next page.
  const read = await listEvents(sql, tenantId, filter, { after, limit: limit + 1 }, stretch);
  const events = read.events.slice(0, limit);
  return { events, next: read.events.length > limit ? (events.at(-1)?.seq ?? null) : read.reached };
}

/** As many as there are, up to the limit: stretch after stretch, where the filter fits little. */
export async function findEvents(
  sql: Sql,
  tenantId: Uuid,
  filter: EventFilter = {},
  { after = 0n, limit = PAGE }: PageOrder = {},
  stretch?: number,
): Promise<SequencedEvent[]> {
  const found: SequencedEvent[] = [];
  let next: bigint | null = after;
  do {
    const read = await listEvents(sql, tenantId, filter, { after: next, limit: limit - found.length }, stretch);
    found.push(...read.events);
    next = read.reached;
  } while (next !== null && found.length < limit);
  return found;
}
