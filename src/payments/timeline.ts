// A payment's story: what happened, when, why, and how long after the thing before.
import type { Sql } from '../db/index.ts';
import { listEventsOf } from '../events/index.ts';
import type { PaymentKey } from './store.ts';

export interface TimelineEntry {
  readonly type: string;
  readonly at: Date;
  readonly actor: string;
  /** Since the entry before; 0 for the first. */
  readonly afterMs: number;
  /** Why, where something was refused or a reason was given. */
  readonly cause: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function timeline(sql: Sql, key: PaymentKey): Promise<TimelineEntry[]> {
  const events = await listEventsOf(sql, key.tenantId, key.id);
  return events.map((event, index) => {
    const before = events[index - 1]?.occurredAt ?? event.occurredAt;
    return {
      type: event.type,
      at: event.occurredAt,
      actor: event.actor,
      afterMs: event.occurredAt.getTime() - before.getTime(),
      cause: causeOf(event.data),
      data: event.data,
    };
  });
}

function causeOf(data: Readonly<Record<string, unknown>>): string | null {
  const { code, detail, reason } = data;
  if (typeof code === 'string') return typeof detail === 'string' ? `${code}: ${detail}` : code;
  return typeof reason === 'string' ? reason : null;
}
