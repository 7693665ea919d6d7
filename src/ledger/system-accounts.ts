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

/** Ids of wallets end in `a000` to `afff`. */
const WALLETS = 0xa000;
export const MOST_WALLETS = 0x1000;

/**
 * The account of a wallet of the treasury, by its number from 0. As with the other accounts of a tenant its id says what it is, so that every verb
 * that moves money knows a wallet without asking the database.
 */
export function walletAccountId(tenantId: Uuid, number: number): Uuid {
  return tenantId.slice(0, -4) + (WALLETS + number).toString(16);
}

export const isWalletAccount = (tenantId: Uuid, accountId: Uuid): boolean =>
  accountId.at(-4) === 'a' && accountId.slice(0, -4) === tenantId.slice(0, -4);
