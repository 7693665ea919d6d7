// The message of an event, or of a summary, before it has the format of a service.
import type { SequencedEvent } from '../events/index.ts';
import { toTypeId } from '../kernel/index.ts';
import { linkTo } from './link.ts';
import type { JobOwner } from './sentence.ts';
import { idOf, sentenceOf, summaryOf } from './sentence.ts';
import type { Counts } from './turn-store.ts';

export interface Message {
  /** One sentence. */
  readonly text: string;
  readonly tenant: { readonly name: string; readonly isTest: boolean };
  /** A page of the dashboard; null if its URL is not set, or no page is about the resource. */
  readonly link: string | null;
  /** The event; of a summary that of its carrier. */
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly resource: string;
    readonly resourceId: string;
    readonly occurredAt: string;
  };
  /** Of a summary: events by type, the carrier's included. */
  readonly counts: Readonly<Record<string, number>> | null;
}

interface Terms extends Pick<Message, 'tenant'> {
  readonly dashboardUrl: string | null;
  /** What the job of a failed execution belongs to; null for jobs of callers. */
  readonly owner?: JobOwner | null;
}

export function messageOf(
  event: SequencedEvent,
  given: Counts | null,
  { tenant, dashboardUrl, owner = null }: Terms,
): Message {
  const { id, type, resource, occurredAt } = event;
  const resourceId = idOf(resource, event.resourceId);
  const counts = given && new Map(given).set(type, (given.get(type) ?? 0) + 1);
  return {
    text: counts ? summaryOf(counts) : sentenceOf(event, owner),
    tenant,
    link: dashboardUrl === null || counts ? null : linkTo(dashboardUrl, event.tenantId, resource, resourceId),
    event: { id: toTypeId('event', id), type, resource, resourceId, occurredAt: occurredAt.toISOString() },
    counts: counts && Object.fromEntries(counts),
  };
}
