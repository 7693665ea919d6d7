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
  /** The time of the tenant. */
  readonly now: Date;
  /** False: the time comes from a test clock, or does not change since that was deleted. */
  readonly followsRealTime: boolean;
  readonly approvalWithinMs: number;
  /** PostgreSQL's version. */
  readonly database: string;
}

export async function settings(context: VerbContext, approvalWithinMs: number): Promise<Settings> {
  const { sql, tenantId } = context;
  const [tenant, clock, moment, database] = await Promise.all([
    findTenant(sql, tenantId),
    findClock(sql, tenantId),
    context.moment(sql),
    readServerVersion(sql),
  ]);
  invariant(tenant !== null, 'the tenant of a handle to exist');
  return {
    tenant,
    testClockId: clock?.id ?? null,
    now: moment.now,
    followsRealTime: moment.clockId === null,
    approvalWithinMs,
    database,
  };
}
