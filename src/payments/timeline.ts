// A payment's story: what happened, when, why, and how long after the thing before.
import type { Sql } from '../db/index.ts';
import { listEventsOf } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { PaymentKey } from './store.ts';

export interface TimelineEntry {
  readonly id: Uuid;
  readonly type: string;
  /** The version of the schema of its data. */
  readonly version: number;
  readonly at: Date;
  readonly actor: string;
  /** Since the entry before; 0 for the first. */
  readonly afterMs: number;
  /** Why, where something was refused or a reason was given. */
  readonly cause: string | null;
  /** The header `Usance-Reason` of the request. A reason in its body is in `cause`. */
  readonly reason: string | null;
  /** Of an attempt, in milliseconds: from the claim of its batch to the decision. Null for everything else. */
  readonly durationMs: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Most entries of a page, and how many it has where nobody says. */
const PAGE = 1_000;

/** Oldest first. */
export interface TimelinePage {
  readonly limit?: number;
  /** The id of the entry that the page before ended with. */
  readonly after?: Uuid | undefined;
}

export async function timeline(
  sql: Sql,
  key: PaymentKey,
  { limit = PAGE, after }: TimelinePage = {},
): Promise<TimelineEntry[]> {
  // The one before is read again: the first of a page came so long after it.
  const read = { from: after, limit: Math.min(limit, PAGE) + (after === undefined ? 0 : 1) };
  const events = await listEventsOf(sql, key.tenantId, key.id, read);
  const entries = events.map((event, index) => {
    const before = events[index - 1]?.occurredAt ?? event.occurredAt;
    return {
      id: event.id,
      type: event.type,
      version: event.version,
      at: event.occurredAt,
      actor: event.actor,
      afterMs: event.occurredAt.getTime() - before.getTime(),
      cause: causeOf(event.data),
      reason: event.reason ?? null,
      durationMs: typeof event.data['durationMs'] === 'number' ? event.data['durationMs'] : null,
      data: event.data,
    };
  });
  return entries.filter(({ id }) => id !== after).slice(0, limit);
}

function causeOf(data: Readonly<Record<string, unknown>>): string | null {
  const { code, detail, reason } = data;
  if (typeof code === 'string') return typeof detail === 'string' ? `${code}: ${detail}` : code;
  return typeof reason === 'string' ? reason : null;
}
