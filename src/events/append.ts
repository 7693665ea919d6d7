import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { newId } from '../kernel/index.ts';
import { insertEvents } from './store.ts';

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

/** Appends facts in the caller's transaction, in the order given. */
export async function appendEvents(sql: Sql, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return;
  await insertEvents(
    sql,
    facts.map((fact) => ({ ...fact, id: newId() })),
  );
}

/** JSON has no bigint: amounts inside an event's data are decimal strings, as they are over HTTP. */
export function eventData(data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(data, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
