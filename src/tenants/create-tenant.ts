import type { Transaction } from '../db/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import { insertTenant, isTenantId } from './store.ts';
import type { Tenant, TenantKind } from './tenant.ts';

export interface TenantOrder {
  readonly name: string;
  readonly kind?: TenantKind;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;

export async function createTenant(tx: Transaction, order: TenantOrder): Promise<Tenant> {
  if (!NAME.test(order.name)) refuse('FIELD_INVALID/tenant_name', { param: 'name' });
  // A tenant is asked for by id or name: a name that could be another's id would be answered with the wrong one.
  if (isTenantId(order.name)) refuse('FIELD_INVALID/like_an_id', { param: 'name' });
  const tenant = await insertTenant(tx, newId(), order.name, order.kind ?? 'live');
  return tenant ?? refuse('TENANT_EXISTS', { name: order.name, param: 'name' });
}
