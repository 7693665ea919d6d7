import type { CallerOrder, Uuid } from '../kernel/index.ts';
import type { EventType } from './types.ts';

/** An event to append: what happened and, in the caller's fields, who caused it. */
export interface Fact extends CallerOrder {
  /** An id from `newBlockId`, for an event whose id has to be known beforehand. It becomes a block with this event only. */
  readonly id?: Uuid;
  readonly tenantId: Uuid;
  readonly type: EventType;
  readonly resource: string;
  readonly resourceId: Uuid;
  readonly data: Readonly<Record<string, unknown>>;
  readonly traceContext?: string | null;
  /** By the tenant's clock. */
  readonly occurredAt: Date;
  /** A word for metrics, one of few; it is not stored. */
  readonly kind?: string;
}

/** As it is read: an older release may have appended types that this one does not list. */
export interface EventRecord extends Omit<Fact, 'type'> {
  readonly id: Uuid;
  readonly type: string;
  /** The version of the schema of its data. */
  readonly version: number;
}
