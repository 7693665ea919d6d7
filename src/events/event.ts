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
