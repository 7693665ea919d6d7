// Settings of a tenant, in one answer.
import type { Uuid } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import type { Tenant } from '../../tenants/index.ts';
import { findClock, findTenant } from '../../tenants/index.ts';
import { invariant } from '../../kernel/index.ts';
import { readServerVersion } from '../store.ts';

export interface Settings {
  readonly tenant: Tenant;
  readonly testClockId: Uuid | null;
  readonly approvalWithinMs: number;
  /** PostgreSQL's version. */
  readonly database: string;
}

export async function settings({ sql, tenantId }: VerbContext, approvalWithinMs: number): Promise<Settings> {
  const [tenant, clock, database] = await Promise.all([
    findTenant(sql, tenantId),
    findClock(sql, tenantId),
    readServerVersion(sql),
  ]);
  invariant(tenant !== null, 'the tenant of a handle to exist');
  return { tenant, testClockId: clock?.id ?? null, approvalWithinMs, database };
}
