// The cap on executions a second: a tenant's own, else the default of the deployment.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { MAX_EXECUTIONS_PER_SECOND, refuse } from '../kernel/index.ts';
import { readExecutionCap } from '../tenants/index.ts';

export interface ExecutionCap {
  /** The tenant's own cap; null where it has none. */
  readonly perSecond: number | null;
  /** The option `executionsPerSecond` (USANCE_EXECUTIONS_PER_SECOND) of this process; null where it is not set. */
  readonly defaultPerSecond: number | null;
  /** The cap in force: the tenant's own, else the default; null for none. */
  readonly appliesPerSecond: number | null;
}

export function requireExecutionCap(perSecond: number | null, param: string): void {
  if (perSecond === null || (Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= MAX_EXECUTIONS_PER_SECOND))
    return;
  refuse('FIELD_INVALID/not_whole_number_or_null', { param, min: 1, max: MAX_EXECUTIONS_PER_SECOND });
}

export async function executionCapOf(sql: Sql, tenantId: Uuid, defaultPerSecond: number | null): Promise<ExecutionCap> {
  const perSecond = await readExecutionCap(sql, tenantId);
  return { perSecond, defaultPerSecond, appliesPerSecond: perSecond ?? defaultPerSecond };
}
