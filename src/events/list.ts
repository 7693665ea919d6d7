// Events in order, as callers page through them.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { pageOf, upTo } from '../kernel/index.ts';
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
  const { items, next } = await pageOf(
    limit,
    (most) => listEvents(sql, tenantId, filter, { after, limit: most }, stretch),
    ({ seq }) => seq,
  );
  return { events: items, next };
}

/** As many as there are, up to the limit: stretch after stretch, where the filter fits little. */
export function findEvents(
  sql: Sql,
  tenantId: Uuid,
  filter: EventFilter = {},
  { after = 0n, limit = PAGE }: PageOrder = {},
  stretch?: number,
): Promise<SequencedEvent[]> {
  return upTo(limit, after, (most, from) =>
    listEvents(sql, tenantId, filter, { after: from ?? 0n, limit: most }, stretch),
  );
}
