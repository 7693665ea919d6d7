// Events in order, as callers page through them.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { pageOf, upTo } from '../kernel/index.ts';
import type { EventCursor } from './cursor.ts';
import type { EventFilter, SequencedEvent } from './list-store.ts';
import { listEvents } from './list-store.ts';

export interface EventPage {
  readonly events: readonly SequencedEvent[];
  /** The cursor to continue from; null at the end. A page can be short, or empty, without being the last. */
  readonly next: EventCursor | null;
}

export interface EventPageOrder {
  /** A seq: only later events. Default 0. */
  readonly after?: bigint;
  /** Default 100. */
  readonly limit?: number;
}

const PAGE = 100;

/** One page, in bounded time whatever the filter. */
export async function pageOfEvents(
  sql: Sql,
  tenantId: Uuid,
  filter: EventFilter = {},
  { after = 0n, limit = PAGE }: EventPageOrder = {},
  scanned?: number,
): Promise<EventPage> {
  const { items, next } = await pageOf<SequencedEvent, EventCursor>(
    limit,
    (most) => listEvents(sql, tenantId, filter, { after, limit: most }, scanned),
    ({ seq, hashPrefix }) => ({ seq, hashPrefix }),
  );
  return { events: items, next };
}

/** Events up to the limit: one bounded scan after the other. */
export function findEvents(
  sql: Sql,
  tenantId: Uuid,
  filter: EventFilter = {},
  { after = 0n, limit = PAGE }: EventPageOrder = {},
  scanned?: number,
): Promise<SequencedEvent[]> {
  return upTo<SequencedEvent, EventCursor>(limit, { seq: after, hashPrefix: null }, (most, from) =>
    listEvents(sql, tenantId, filter, { after: from?.seq ?? 0n, limit: most }, scanned),
  );
}
