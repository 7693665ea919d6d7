import type { Sql } from '../db/index.ts';
import type { CallerOrder, Uuid } from '../kernel/index.ts';
import { newId } from '../kernel/index.ts';
import { insertAudit } from './store.ts';

/** With the caller's fields: who did it, from where. */
export interface Deed extends CallerOrder {
  readonly tenantId: Uuid;
  /** Imperative and coarse: `asset.unfreeze`, `account.suspend`. */
  readonly action: string;
  readonly resource: string;
  readonly resourceId?: Uuid | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Records deeds in the transaction that does them. */
export async function recordAudit(sql: Sql, deeds: readonly Deed[]): Promise<void> {
  if (deeds.length === 0) return;
  await insertAudit(
    sql,
    deeds.map((deed) => ({ ...deed, id: newId() })),
  );
}
