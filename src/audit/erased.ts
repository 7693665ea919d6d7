// The form of an erased event, and the event that names what was erased.
import type { StoredEvent } from '../events/index.ts';
import { isUuid } from '../kernel/index.ts';
import type { Uuid } from '../kernel/index.ts';

/** The type of the event that names what was erased. It cannot be erased itself. */
export const ERASED = 'audit_event.erased';

/** Whether an event has exactly what erasing leaves: the marker, no origin, no reason, and the digest of its details. */
export function isErased({ data, ip, userAgent, requestId, traceContext, reason, details }: StoredEvent): boolean {
  const origin = [ip, userAgent, requestId, traceContext, reason];
  return data === '{"erased":true}' && origin.every((field) => field === null) && details !== null;
}

/** The events that this one says were erased. */
export function namesErased(event: Pick<StoredEvent, 'type' | 'data'>): Uuid[] {
  if (event.type !== ERASED) return [];
  const { events } = (JSON.parse(event.data) ?? {}) as { events?: unknown };
  return Array.isArray(events) ? events.filter((id): id is Uuid => typeof id === 'string' && isUuid(id)) : [];
}
