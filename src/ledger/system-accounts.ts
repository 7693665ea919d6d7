// Every tenant has three accounts of its own. Their ids follow from the tenant's id (its last two bytes replaced), so
// that a batch over many tenants knows them without asking the database.
import type { Uuid } from '../kernel/index.ts';

const SUFFIX = { world: '0001', fees: '0002', suspense: '0003' } as const;

export type SystemAccount = keyof typeof SUFFIX;
export const SYSTEM_ACCOUNTS = Object.keys(SUFFIX) as SystemAccount[];

export function systemAccountId(tenantId: Uuid, account: SystemAccount): Uuid {
  return tenantId.slice(0, -4) + SUFFIX[account];
}

/** `world` or `fees`: accounts without a balance row. Asked several times a payment, so the end is looked at first. */
export function derivedAccount(tenantId: Uuid, accountId: Uuid): 'world' | 'fees' | null {
  const account = accountId.endsWith(SUFFIX.world) ? 'world' : accountId.endsWith(SUFFIX.fees) ? 'fees' : null;
  return account && accountId === systemAccountId(tenantId, account) ? account : null;
}
