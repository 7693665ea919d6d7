import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import type { Tenant } from '../tenants/index.ts';
import type { Account, AccountKind, Contact } from './account.ts';
import { findAccounts, insertAccounts } from './account-store.ts';
import { checkedContact } from './contact.ts';
import { accountOpened, tenantCreated } from './facts.ts';
import { SYSTEM_ACCOUNTS, systemAccountId } from './system-accounts.ts';

export interface AccountOrder {
  readonly ref: string;
  readonly kind?: Exclude<AccountKind, 'system'>;
  readonly name?: string | null;
  readonly contact?: Contact | null;
  /** Id or ref of the account that answers for this one. */
  readonly guardian?: string | null;
}

// Printable, no spaces: a ref goes into URLs, logs and CSV files.
const REF = /^[!-~]{1,200}$/;

export function isRef(text: string): boolean {
  return REF.test(text);
}

/** All or nothing: a ref that is taken, or a guardian that does not exist, refuses the whole list. */
export async function openAccounts(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  tenantId: Uuid,
  orders: readonly AccountOrder[],
): Promise<Account[]> {
  const guardians = await guardianIds(tx, tenantId, orders);
  const wanted = orders.map((order): Account => {
    if (!isRef(order.ref))
      refuse('FIELD_INVALID', 'a ref is 1 to 200 printable characters without spaces', { param: 'ref' });
    if (SYSTEM_ACCOUNTS.some((name) => name === order.ref)) {
      refuse('ACCOUNT_EXISTS', `"${order.ref}" is an account that every tenant has`, { param: 'ref' });
    }
    return {
      ...blank(tenantId, newId(), order.ref, clock),
      kind: order.kind ?? 'user',
      name: order.name ?? null,
      contact: checkedContact(order.contact ?? null),
      guardianId: order.guardian ? (guardians.get(order.guardian) ?? null) : null,
    };
  });
  const opened = await insertAccounts(tx, wanted);
  const taken = wanted.find((account) => !opened.some((other) => other.id === account.id));
  if (taken) refuse('ACCOUNT_EXISTS', `there is an account "${taken.ref}" already`, { param: 'ref' });
  await appendEvents(
    tx,
    opened.map((account) => accountOpened(caller, clock, account)),
  );
  return opened;
}

/** What a new tenant begins with; then it is there, and told. */
export async function openSystemAccounts(tx: Transaction, clock: Clock, caller: Caller, tenant: Tenant): Promise<void> {
  await insertAccounts(
    tx,
    SYSTEM_ACCOUNTS.map((ref) => ({
      ...blank(tenant.id, systemAccountId(tenant.id, ref), ref, clock),
      kind: 'system' as const,
    })),
  );
  await appendEvents(tx, [tenantCreated(caller, clock, tenant)]);
}

async function guardianIds(
  tx: Transaction,
  tenantId: Uuid,
  orders: readonly AccountOrder[],
): Promise<Map<string, Uuid>> {
  const names = [...new Set(orders.flatMap((order) => (order.guardian ? [order.guardian] : [])))];
  const found = names.length === 0 ? [] : await findAccounts(tx, tenantId, names);
  const ids = new Map([
    ...found.map((account) => [account.ref, account.id] as const),
    ...found.map((account) => [account.id, account.id] as const),
  ]);
  const missing = names.find((name) => !ids.has(name));
  if (missing) refuse('ACCOUNT_NOT_FOUND', `there is no account "${missing}" to be guardian`, { param: 'guardian' });
  return ids;
}

function blank(tenantId: Uuid, id: Uuid, ref: string, clock: Clock): Account {
  return {
    tenantId,
    id,
    ref,
    kind: 'user',
    status: 'active',
    statusReason: null,
    name: null,
    contact: null,
    guardianId: null,
    createdAt: clock.now,
    updatedAt: clock.now,
  };
}
