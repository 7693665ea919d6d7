import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { newId } from '../kernel/index.ts';
import { insertAudit } from './store.ts';

export interface Deed {
  readonly tenantId: Uuid;
  readonly actor: string;
  /** Imperative and coarse: `asset.unfreeze`, `account.suspend`. */
  readonly action: string;
  readonly resource: string;
  readonly resourceId?: Uuid | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly ip?: string | null;
  readonly userAgent?: string | null;
  readonly requestId?: string | null;
}

/** Records deeds in the transaction that does them. */
export async function recordAudit(sql: Sql, deeds: readonly Deed[]): Promise<void> {
  if (deeds.length === 0) return;
  await insertAudit(
    sql,
    deeds.map((deed) => ({ ...deed, id: newId() })),
  );
}
