import type { Uuid } from '../kernel/index.ts';

export interface Fact {
  readonly tenantId: Uuid;
  readonly type: string;
  readonly resource: string;
  readonly resourceId: Uuid;
  readonly data: Readonly<Record<string, unknown>>;
  readonly actor: string;
  readonly traceContext?: string | null;
  /** By the tenant's clock. */
  readonly occurredAt: Date;
}

export interface EventRecord extends Fact {
  readonly id: Uuid;
}

/** JSON has no bigint: amounts inside an event's data are decimal strings, as they are over HTTP. */
export function eventData(data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(data, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
