import type { Transaction } from '../db/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import type { Tenant, TenantOrder } from '../tenants/index.ts';
import { createTenant } from '../tenants/index.ts';
import { openSystemAccounts } from './open-account.ts';

/** Creates a tenant and its system accounts. */
export async function openTenant(tx: Transaction, clock: Clock, caller: Caller, order: TenantOrder): Promise<Tenant> {
  const tenant = await createTenant(tx, order);
  await openSystemAccounts(tx, clock, caller, tenant);
  return tenant;
}
